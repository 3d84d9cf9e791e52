#!/usr/bin/env python3
"""Whether two builds of gmg compute the same bits: residual histories and solutions of every case
of `gmg make`, with both precisions, seven methods, one and three ranks, two sizes.

usage: same_bits.py GMG --record FILE                writes what this build computes
       same_bits.py GMG --against FILE               compares with what another one recorded; exit
       status 1 where a solve differs
       [--cells 33,40,28 64] [--ranks 1 3] [--backend openmp] [--every N] [--launch "mpirun … -n"]

FILE holds for every solve its exit status, its cycles and a hash of history and solution. --every
N: one solve of so many.
"""
import argparse
import hashlib
import itertools
import json
import os
import shlex
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "soak"))
from soak import solution_of  # noqa: E402

CASES = (
    "sine cosine constant smooth smooth-periodic neumann robin mixed helmholtz "
    "anisotropic stretched thin odd plane sphere inclusions "
    "layers checkerboard lognormal"
).split()
METHODS = {
    "default": [],
    "w": ["--cycle", "w"],
    "fmg": ["--cycle", "fmg"],
    "cg": ["--krylov", "cg"],
    "bicgstab": ["--krylov", "bicgstab"],
    "jacobi": ["--smoother", "jacobi"],
    "chebyshev": ["--smoother", "chebyshev"],
}


def solve(options, problem, cells, arguments, ranks, folder):
    """What a solve gave: its exit status, its cycles, and a hash of the numbers."""
    report, solution = os.path.join(folder, "r.json"), os.path.join(folder, "u.h5")
    for path in (report, solution):
        if os.path.exists(path):
            os.remove(path)
    launch = shlex.split(options.launch) + [str(ranks)] if ranks > 1 else []
    command = (
        launch
        + [
            options.gmg,
            "--input",
            problem,
            "--output",
            solution,
            "--report",
            report,
            "--quiet",
            "--max-cycles",
            "25",
            "--backend",
            options.backend,
        ]
        + arguments
    )
    done = subprocess.run(command, capture_output=True, text=True)
    if not os.path.exists(report):
        return {"exit": done.returncode, "error": done.stderr.strip().splitlines()[-1:]}
    with open(report) as stream:
        told = json.load(stream)
    numbers = hashlib.sha256(json.dumps(told["residual_history"]).encode())
    numbers.update(solution_of(solution, cells, [told["residual_history"]]))
    return {"exit": done.returncode, "cycles": told["cycles"], "bits": numbers.hexdigest()[:20]}


def main():
    parser = argparse.ArgumentParser(usage=__doc__, add_help=False)
    parser.add_argument("gmg")
    parser.add_argument("--record")
    parser.add_argument("--against")
    parser.add_argument("--cells", nargs="+", default=["33,40,28", "64"])
    parser.add_argument("--ranks", nargs="+", type=int, default=[1, 3])
    parser.add_argument("--backend", default="openmp")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--launch", default="mpirun --oversubscribe --bind-to none -n")
    options = parser.parse_args()
    before = {}
    if options.against:
        with open(options.against) as stream:
            before = json.load(stream)
    os.environ.setdefault("OMPI_MCA_mpi_yield_when_idle", "1")
    os.environ.setdefault("OMP_NUM_THREADS", "2")
    after, differ, begin = {}, 0, time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        for number, (size, case) in enumerate(itertools.product(options.cells, CASES)):
            cells = [int(n) for n in (size.split(",") if "," in size else [size] * 3)]
            if case == "plane":
                cells[2] = 1
            problem = os.path.join(folder, "p.h5")
            subprocess.run(
                [
                    options.gmg,
                    "make",
                    "--case",
                    case,
                    "--cells",
                    ",".join(map(str, cells)),
                    "--output",
                    problem,
                    "--quiet",
                ],
                check=True,
            )
            for place, (precision, method, ranks) in enumerate(
                itertools.product(("double", "mixed"), METHODS, options.ranks)
            ):
                if (number + place) % options.every:
                    continue
                key = f"{case} {size} {precision} {method} {ranks}"
                after[key] = solve(
                    options,
                    problem,
                    cells,
                    ["--precision", precision] + METHODS[method],
                    ranks,
                    folder,
                )
                if options.against and after[key] != before.get(key):
                    differ += 1
                    print(f"{key}: {before.get(key)} before, {after[key]} now", flush=True)
            print(
                f"{case} {size}: {len(after)} solves, {time.monotonic() - begin:.0f} s",
                file=sys.stderr,
                flush=True,
            )
    if options.record:
        with open(options.record, "w") as stream:
            json.dump(after, stream, indent=0)
    failed = sum("bits" not in one for one in after.values())
    print(
        f"{len(after)} solves, {failed} without a solution"
        + (f", {differ} not the bits of before" if options.against else "")
    )
    return bool(differ)


if __name__ == "__main__":
    sys.exit(main())
