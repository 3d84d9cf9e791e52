"""Every case of `gmg make`, its own right side and noise, to tolerances that rounding may not
allow: exit 0, and a solve that stops at the limit of rounding stops in time and not before. In
time: within two cycles of the first residual of at most three times the least of 30 further cycles;
not before: its own residual is that small. Further cycles are those of a solve that asks for no
tolerance."""
# sanitizers: no
import json
import os
import subprocess
import sys
import tempfile

GMG = sys.argv[1]
CASES = [
    "sine",
    "cosine",
    "constant",
    "smooth",
    "smooth-periodic",
    "neumann",
    "robin",
    "mixed",
    "helmholtz",
    "anisotropic",
    "stretched",
    "odd",
    "sphere --ratio 1e3",
    "sphere --ratio 1e-3",
    "sphere --ratio 1e6",
    "sphere --ratio 1e-6",
    "lognormal",
    "lognormal --sigma 2",
    "thin",
    "plane",
    "inclusions --ratio 10",
    "layers --ratio 10",
    "checkerboard --ratio 10",
]
HARD, REACHED = [
    "inclusions",
    "layers",
    "checkerboard",
], 1e-10  # beta differs by 1000: to less than this tolerance they are too slow
OWN_CELLS = ("odd", "thin", "plane")
FURTHER, SLACK, FACTOR, MOST = 30, 2, 3.0, 200


def solve(folder, name, *options):
    """Exit status and report."""
    report = f"{folder}/{name}.json"
    done = subprocess.run(
        [
            GMG,
            "--input",
            f"{folder}/problem.h5",
            "--output",
            f"{folder}/{name}.h5",
            "--report",
            report,
            "--max-cycles",
            str(MOST),
            "--quiet",
            *options,
        ],
        capture_output=True,
        text=True,
    )
    with open(report) as f:
        return done, json.load(f)


def judge(folder, case, cells, rtol, precision, counted):
    """One solve; what is wrong with it, or None."""
    options = ["--rtol", rtol, "--precision", precision]
    done, record = solve(folder, "stopped", *options)
    cycles, reached = record["cycles"], record["status"] == "rounding_limit"
    counted[record["status"]] = counted.get(record["status"], 0) + 1
    text = f"{case} {cells} to {rtol} in {precision}: {record['status']}, {cycles} cycles"
    text += f", {record['relative_residual']:.2e}"
    if done.returncode:
        return f"{text}: exit {done.returncode}: {done.stderr.strip()} {record['reason']}"
    strict, _ = solve(folder, "strict", *options, "--strict")
    if strict.returncode != reached:
        return f"{text}: --strict exits {strict.returncode}"
    if reached != ("within reach" in done.stderr + done.stdout):
        return f"{text}: under --quiet it says '{done.stderr + done.stdout}'"
    if not reached:
        print(text, flush=True)
        return None
    _, further = solve(
        folder,
        "further",
        "--rtol",
        "0",
        "--precision",
        "double",
        "--max-cycles",
        str(cycles + FURTHER),
    )
    history = [norm / further["residual_history"][0] for norm in further["residual_history"]]
    least = min(history[cycles:])
    # With no tolerance conjugate gradients may come earlier: then the solve's own history counts.
    own = [norm / record["residual_history"][0] for norm in record["residual_history"]]
    first = max(
        next((n for n, norm in enumerate(one) if norm <= FACTOR * least), 0)
        for one in (history, own)
    )
    text += f"; the least of {FURTHER} more {least:.2e}, three times that after {first}"
    print(text, flush=True)
    if len(history) != cycles + FURTHER + 1:
        return f"{text}: {len(history) - 1} cycles were made where no tolerance was asked for"
    if record["relative_residual"] > FACTOR * least:
        return f"{text}: too early"
    return f"{text}: too late" if cycles > first + SLACK else None


def main(sizes, tolerances, precisions):
    wrong, counted = [], {}
    with tempfile.TemporaryDirectory() as folder:
        for cells in sizes:
            for case in CASES + HARD:
                own = case in OWN_CELLS
                if own and cells != sizes[0]:
                    continue
                for noise in ([], ["--noise"]):
                    size = (
                        []
                        if own and cells >= 64
                        else [
                            "--cells",
                            "20,22,24"
                            if case == "odd"
                            else f"{cells},{cells},4"
                            if case == "thin"
                            else f"{cells},{cells},1"
                            if case == "plane"
                            else str(cells),
                        ]
                    )
                    subprocess.run(
                        [
                            GMG,
                            "make",
                            "--quiet",
                            "--case",
                            *case.split(),
                            *size,
                            *noise,
                            "--output",
                            f"{folder}/problem.h5",
                        ],
                        check=True,
                    )
                    for rtol in [t for t in tolerances if case not in HARD or float(t) >= REACHED]:
                        for precision in precisions:
                            found = judge(
                                folder, " ".join([case, *noise]), cells, rtol, precision, counted
                            )
                            wrong += [found] if found else []
    print(f"{counted}; {len(wrong)} wrong")
    for text in wrong:
        print(text)
    return 1 if wrong or len(counted) < 2 else 0


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "2")
    sys.exit(main([20], ["1e-10", "1e-15"], ["double", "mixed"]))
