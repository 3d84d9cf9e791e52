#!/usr/bin/env python3
"""What every kind of problem takes, by cycle and by Krylov method: the target `table`.

usage: table.py GMG [--sizes 64,128] [--cases WORD,…] [--cores 2] [--seconds 120] [--repeats 3]
[--only default]
                [--output table.json] [--add [--pause-after S]] [--readme README.md]

Every problem is made by `gmg make` (the table shows the options) and solved from u = 0 to 1e-10 of
the right side's norm; the residual that decides is the true one, f - A u computed from u. The bold
column is the default, which chooses cycle and Krylov method by itself; the others are told theirs.
The last column is the default too, with a right side of noise (gmg make --noise) in place of the
case's own smooth one, of which a start by full multigrid finds the most. An entry: cycles (with a
Krylov method: iterations, one cycle each; with bicgstab two) and seconds of the solve; or "not
within 100", "stalls" or "as far as rounding allows", with the norm that was reached; or "over N s",
which stops a run. What the program says of the defaults that did not converge follows below the
table. It is printed as Markdown, and with --readme put between the lines <!-- table: begin --> and
<!-- table: end --> of that file.

With --add the entries that table.json has are kept and only the others are run; with --pause-after
no new one is begun after S seconds, and the exit status is 3 as long as some are missing. So a
machine that others use can be held in small pieces:

    until chrt -f 10 tests/bench/table.py build/release/bin/gmg --add --pause-after 20; do sleep 20;
    done
"""
import argparse
import json
import os
import subprocess
import sys
import time

# Name, and arguments of gmg make for a size n; after a colon, arguments of the solve.
CASES = [
    ("constant", "--case constant --cells {n}"),
    ("smooth β", "--case smooth --cells {n}"),
    ("smooth β, periodic", "--case smooth-periodic --cells {n}"),
    ("all-Neumann, singular", "--case neumann --cells {n}"),
    ("Robin", "--case robin --cells {n}"),
    ("mixed faces", "--case mixed --cells {n}"),
    ("Helmholtz, α varies", "--case helmholtz --cells {n}"),
    ("aspect 4", "--case anisotropic --aspect 4,4,1 --cells {n}"),
    ("aspect 10", "--case anisotropic --aspect 10,10,1 --cells {n}"),
    ("aspect 1:3:10", "--case anisotropic --aspect 1,3,10 --cells {n}"),
    ("aspect 100", "--case anisotropic --aspect 100,100,1 --cells {n}"),
    ("stretched 1.05 in z", "--case stretched --stretch 1,1,1.05 --cells {n}"),
    ("stretched 1.05 in x, y, z", "--case stretched --stretch 1.05 --cells {n}"),
    ("thin, all-Neumann", "--case thin --cells {w},{w},4"),
    ("thin, Dirichlet", "--case thin --boundary dirichlet --cells {w},{w},4"),
    ("odd sizes", "--case odd --cells {odd}"),
    ("odd sizes, all-Neumann", "--case odd --boundary neumann --cells {odd}"),
    ("plane, 2-D", "--case plane --cells {p},{p},1"),
    ("sphere 1e3", "--case sphere --ratio 1e3 --cells {n}"),
    ("sphere 1e-3", "--case sphere --ratio 1e-3 --cells {n}"),
    ("sphere 1e-6", "--case sphere --ratio 1e-6 --cells {n}"),
    ("sphere 1e6", "--case sphere --ratio 1e6 --cells {n}"),
    ("sphere 1e6, to 1e-7", "--case sphere --ratio 1e6 --cells {n} : --rtol 1e-7"),
    ("inclusions of 3³, 1e3", "--case inclusions --ratio 1e3 --cells {n}"),
    ("inclusions of 3³, 1e-3", "--case inclusions --ratio 1e-3 --cells {n}"),
    ("layers of one cell, 1e3", "--case layers --ratio 1e3 --cells {n}"),
    ("layers of 3 cells, 1e3", "--case layers --size 3 --ratio 1e3 --cells {n}"),
    ("checkerboard of 4³, 1e3", "--case checkerboard --ratio 1e3 --cells {n}"),
    ("checkerboard of 3³, 1e3", "--case checkerboard --size 3 --ratio 1e3 --cells {n}"),
    ("log-normal σ = 1", "--case lognormal --sigma 1 --cells {n}"),
    ("log-normal σ = 2", "--case lognormal --sigma 2 --cells {n}"),
    ("log-normal σ = 3", "--case lognormal --sigma 3 --cells {n}"),
]
ODD = {32: "31,37,29", 64: "61,67,71", 128: "127,125,131"}
DEFAULT, NOISE = ("auto", "auto"), ("auto", "auto", "noise")
WAYS = [(cycle, method) for method in ("none", "cg") for cycle in ("v", "w", "f", "fmg")] + [
    ("v", "bicgstab")
]


def refusal(options, *arguments):
    """What the program says of arguments that it refuses; an empty text if it takes them."""
    done = subprocess.run(
        [options.gmg, *arguments, "--input", "/nonexistent"], capture_output=True, text=True
    )
    return "" if "cannot be opened" in done.stderr else done.stderr


def columns(options):
    """The default, then the (cycle, method) that this build takes."""
    if options.only == "default":
        return [DEFAULT, NOISE]
    return (
        [DEFAULT]
        + [way for way in WAYS if not refusal(options, "--cycle", way[0], "--krylov", way[1])]
        + [NOISE]
    )


def heading(way):
    if way[0] == "auto":
        return "**default**" if way == DEFAULT else "**default, f noise**"
    return way[0] if way[1] == "none" else f"{way[0]}, {way[1]}"


def short(report):
    """Why a run did not converge, in a few words."""
    norm = f"{report['relative_residual']:.0e}".replace("e-0", "e-").replace("e+0", "e+")
    word = {
        "max_cycles": "not within 100",
        "stalled": f"stalls after {report['cycles']}",
        "diverged": f"diverges after {report['cycles']}",
        "not_finite": f"overflows after {report['cycles']}",
        "rounding_limit": f"{report['cycles']}, as far as rounding allows",
    }
    return f"{word.get(report['status'], report['status'])}: {norm}"


def solve(options, path, way, more):
    """The fastest of some runs, which all take the same cycles: (text of the entry, report or
    None)."""
    runs = []
    for _ in range(options.repeats):
        runs.append(solve_once(options, path, way, more))
        if not runs[-1][1] or runs[-1][1].get("solve_seconds", 9) > 5:
            break
    return min(
        runs, key=lambda run: run[1]["solve_seconds"] if run[1] and "solve_seconds" in run[1] else 0
    )


def solve_once(options, path, way, more):
    """(text of the entry, report or None)."""
    environment = dict(os.environ, OMP_NUM_THREADS=str(options.cores))
    report = os.path.join(options.folder, "report.json")
    given = more + ([] if way[0] == "auto" else ["--cycle", way[0], "--krylov", way[1]])
    command = [
        options.gmg,
        "--input",
        path,
        "--output",
        os.path.join(options.folder, "solution.h5"),
        "--report",
        report,
        "--quiet",
        *given,
    ]
    try:
        done = subprocess.run(
            command, env=environment, timeout=options.seconds, capture_output=True, text=True
        )
    except subprocess.TimeoutExpired:
        return f"over {options.seconds:.0f} s", None
    if done.returncode > 1:
        return "refused", {"status": "refused", "reason": done.stderr.strip()}
    with open(report, encoding="utf-8") as file:
        found = json.load(file)
    if found["status"] == "converged":
        return f"{found['cycles']}, {found['solve_seconds']:.3g} s", found
    return short(found), found


def arguments_of(template, n):
    return template.format(n=n, w=4 * n, p=8 * n, odd=ODD.get(n, f"{n - 3},{n + 3},{n + 7}"))


def row(options, name, template, n, ways, known):
    """The entries that there are: those known, and those that there is time for."""
    path = os.path.join(options.folder, "problem.h5")
    make, _, more = arguments_of(template, n).partition(" : ")
    size = make.split("--cells ")[1]
    size = "×".join(size.split(",")) if "," in size else f"{size}³"
    made, entries = None, dict(known.get((name, size), {}))
    for way in ways:
        key, noise = " ".join(way), ["--noise"] if way == NOISE else []
        if key in entries or time.monotonic() > options.end:
            continue
        if made != noise:
            subprocess.run(
                [options.gmg, "make", *make.split(), *noise, "--output", path, "--quiet"],
                check=True,
            )
            made = noise
        text, report = solve(options, path, way, more.split())
        entries[key] = {
            "text": text,
            "report": report
            and {
                key: report.get(key)
                for key in (
                    "status",
                    "reason",
                    "cycles",
                    "relative_residual",
                    "solve_seconds",
                    "setup_seconds",
                )
            },
        }
        print(f"  {name}, {n}: {heading(way)}: {text}", file=sys.stderr, flush=True)
    return {"name": name, "size": size, "make": make, "entries": entries}


def reason_of(line):
    """What the program says of a default that did not converge."""
    for way in (DEFAULT, NOISE):
        report = line["entries"].get(" ".join(way), {}).get("report")
        if report and report["status"] != "converged":
            noise = " --noise" if way == NOISE else ""
            return f"- `gmg make {line['make']}{noise}`: {report['reason']}"
    return None


def markdown(rows, ways):
    lines = [
        "| problem | cells | " + " | ".join(heading(way) for way in ways) + " |",
        "|---" * (len(ways) + 2) + "|",
    ]
    for line in rows:
        texts = [line["entries"].get(" ".join(way), {"text": "…"})["text"] for way in ways]
        texts = [f"**{text}**" if way[0] == "auto" else text for way, text in zip(ways, texts)]
        lines.append(f"| {line['name']} | {line['size']} | " + " | ".join(texts) + " |")
    reasons = [reason for reason in map(reason_of, rows) if reason]
    if reasons:
        lines += ["", "What the program says where the default did not converge:", "", *reasons]
    return "\n".join(lines)


def into_readme(path, text):
    begin, end = "<!-- table: begin -->\n", "<!-- table: end -->"
    with open(path, encoding="utf-8") as file:
        old = file.read()
    before, rest = old.split(begin)
    with open(path, "w", encoding="utf-8") as file:
        file.write(before + begin + text + "\n" + end + rest.split(end)[1])


def main():
    parser = argparse.ArgumentParser(description="cycles and seconds of every kind of problem")
    parser.add_argument("gmg")
    parser.add_argument("--sizes", default="64,128")
    parser.add_argument(
        "--cases", default="", help="words of names, with commas between: only those"
    )
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=120, help="stop a run after so many")
    parser.add_argument(
        "--repeats", type=int, default=3, help="runs of each, of which the fastest counts"
    )
    parser.add_argument("--only", choices=("all", "default"), default="all")
    parser.add_argument("--output", default="table.json")
    parser.add_argument("--add", action="store_true", help="keep what the output has, run the rest")
    parser.add_argument(
        "--pause-after",
        type=float,
        default=float("inf"),
        help="begin nothing after so many seconds",
    )
    parser.add_argument("--readme", help="put the table between its marks there")
    options = parser.parse_args()
    options.gmg = os.path.abspath(options.gmg)
    options.folder = os.path.join(os.path.dirname(os.path.abspath(options.output)), "table")
    os.makedirs(options.folder, exist_ok=True)
    options.end = time.monotonic() + options.pause_after
    known = {}
    if options.add and os.path.exists(options.output):
        with open(options.output, encoding="utf-8") as file:
            known = {(line["name"], line["size"]): line["entries"] for line in json.load(file)}
    words = [word for word in options.cases.split(",") if word]
    ways = columns(options)
    rows = [
        row(options, name, template, n, ways, known)
        for name, template in CASES
        if not words or any(word in name or word in template for word in words)
        for n in map(int, options.sizes.split(","))
    ]
    with open(options.output, "w", encoding="utf-8") as file:
        json.dump(rows, file, indent=1, ensure_ascii=False)
    missing = sum(" ".join(way) not in line["entries"] for line in rows for way in ways)
    if missing:
        print(f"{missing} entries are missing still", file=sys.stderr)
    else:
        print(markdown(rows, ways))
        if options.readme:
            into_readme(options.readme, markdown(rows, ways))
    for name in os.listdir(options.folder):
        os.remove(os.path.join(options.folder, name))
    return 3 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
