#!/usr/bin/python3
# sanitizers: no
"""Every problem that `gmg make` makes, at about 20³ cells, against the direct solution of the
contract's matrix (contract.py).

Precondition: gmg --rtol 1e-12 converges. What must vanish: max |u - direct solution| / max |direct
solution|, to 1e-8. Where the rounding of u alone leaves a larger residual (FLOORS: 1e-16 times the
largest coefficient, over h²), gmg may stop there, if it says so by exit status 1; the solution is
compared all the same, to the same 1e-8. All this in double and in mixed precision, in which the
cycles to 1e-11 differ by at most one, or one in twenty (near 1e-12 a residual may be rounding, and
the cycle that happens to end below it is nobody's merit), or the report says that it fell back.
Usage: test_scipy_cases.py GMG [CASE ...]"""
import json
import os
import subprocess
import sys
import tempfile

import h5py

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from contract import Problem, status_of

GMG = os.path.abspath(sys.argv[1])
TOLERANCE = 1e-8

CASES = [
    "sine --cells 20",
    "cosine --cells 20,18,16",
    "constant --cells 20",
    "smooth --cells 20",
    "smooth-periodic --cells 20",
    "neumann --cells 20,18,16",
    "robin --cells 20,18,16",
    "robin --cells 19,17,15 --c0 -2 --c1 -30",
    "mixed --cells 18,20,16",
    "mixed --cells 19,17,15 --boundary robin,neumann,periodic,periodic,dirichlet,robin "
    "--stretch 1.05",
    "helmholtz --cells 18,20,16",
    "helmholtz --cells 15,17,19 --boundary periodic --a 0.5",
    "anisotropic --cells 20",
    "anisotropic --cells 20 --aspect 4,4,1",
    "anisotropic --cells 20 --aspect 10,10,1",
    "anisotropic --cells 20 --aspect 100,100,1",
    "anisotropic --cells 20,18,16 --boundary neumann --aspect 1,10,1",
    "stretched --cells 20",
    "stretched --cells 20 --stretch 1,1,1.05",
    "stretched --cells 20 --stretch-cells 32",
    "stretched --cells 18,17,16 --boundary robin",
    "stretched --cells 18,17,16 --boundary neumann --stretch 1.2",
    "thin --cells 40,40,4",
    "thin --cells 40,40,4 --boundary dirichlet",
    "odd --cells 19,21,17",
    "odd --cells 19,21,17 --boundary neumann",
    "odd --cells 15,17,13 --boundary periodic --a 1",
    "plane --cells 60,50,1",
    "plane --cells 60,50,1 --boundary neumann",
    "sphere --cells 20 --ratio 1e3",
    "sphere --cells 20 --ratio 1e-3",
    "sphere --cells 20 --ratio 1e-6",
    "sphere --cells 20 --ratio 1e6",
    "sphere --cells 20 --boundary neumann",
    "inclusions --cells 20",
    "inclusions --cells 20 --ratio 1e-3",
    "layers --cells 20",
    "layers --cells 20 --ratio 1e-3",
    "checkerboard --cells 20",
    "checkerboard --cells 20 --size 3 --ratio 100",
    "checkerboard --cells 9,12,10 --size 1 --ratio 900 --boundary periodic --noise",
    "lognormal --cells 20",
    "lognormal --cells 20 --sigma 2",
    "lognormal --cells 20 --sigma 3",
]
FLOORS = {
    "sphere --cells 20 --ratio 1e3": 3e-12,
    "sphere --cells 20 --ratio 1e6": 3e-9,
    "inclusions --cells 20": 3e-12,
}


def solve(case, path, expected, precision):
    """What is wrong, or None; cycles; whether the precision was raised."""
    folder = os.path.dirname(path)
    solution, report = os.path.join(folder, "problem.solution.h5"), os.path.join(
        folder, "report.json"
    )
    done = subprocess.run(
        [
            GMG,
            "--input",
            path,
            "--rtol",
            "1e-12",
            "--precision",
            precision,
            "--quiet",
            "--report",
            report,
        ],
        capture_output=True,
        text=True,
        timeout=300,
    )
    if done.returncode not in ((0, 1) if case in FLOORS else (0,)):
        return (
            f"{precision}: exit status {done.returncode}: "
            f"{done.stderr.strip()}{status_of(solution)}",
            (0, False),
            False,
        )
    with h5py.File(solution) as f:
        u, attributes = f["solution"][:], dict(f["solution"].attrs)
    with open(report) as f:
        record = json.load(f)
    raised = any("precision" in text for text in record["fallbacks"])
    gradients = any("conjugate gradients" in text for text in record["fallbacks"])
    error = abs(u - expected).max() / abs(expected).max()
    print(
        f"{case:78s} {precision:6s} {attributes['cycles']:3d} cycles to "
        f"{attributes['relative_residual']:.1e}, relative "
        f"difference {error:.2e}{', raised' if raised else ''}",
        flush=True,
    )
    wrong = None
    if attributes["relative_residual"] > FLOORS.get(case, 1e-12):
        wrong = f"{precision}: relative residual {attributes['relative_residual']:.2e}"
    elif error > TOLERANCE:
        wrong = f"{precision}: relative difference {error:.2e}, expected at most {TOLERANCE:.0e}"
    history = record["residual_history"]
    cycles = next((n for n, norm in enumerate(history) if norm <= 1e-11 * history[0]), len(history))
    return wrong, (cycles, gradients), raised


def run_case(case, folder):
    """None, or what is wrong."""
    path = os.path.join(folder, "problem.h5")
    subprocess.run(
        [GMG, "make", "--case", *case.split(), "--output", path, "--quiet"], check=True, timeout=300
    )
    expected = Problem(path).solve()
    wrong, cycles, _ = solve(case, path, expected, "double")
    if wrong:
        return wrong
    wrong, mixed, raised = solve(case, path, expected, "mixed")
    most = max(1, cycles[0] // 20)
    # Conjugate gradients cost less in mixed precision, which may turn them on alone.
    if not wrong and not raised and mixed[1] == cycles[1] and abs(mixed[0] - cycles[0]) > most:
        wrong = f"{cycles[0]} cycles to 1e-11 in double, {mixed[0]} in mixed precision"
    return wrong


def main():
    chosen = [case for case in CASES if case.split()[0] in sys.argv[2:]] or CASES
    failed = 0
    for case in chosen:
        with tempfile.TemporaryDirectory() as folder:
            wrong = run_case(case, folder)
        if wrong:
            failed += 1
            print(f"FAILED {case}: {wrong}", flush=True)
    print(f"{len(chosen) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
