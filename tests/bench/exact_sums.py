#!/usr/bin/env python3
"""What sums that do not depend on order cost of a solve: the target `bench-sums`.

usage: exact_sums.py GMG GMG_WITH_PLAIN_SUMS --isa NAME [--sizes 128,256] [--repeats 5] [--threads 2]

The same program with the same kernels, but for the sums, which are plain in the second (the maxima, which are results too, are
found in both); both solve the same problem in turns, and the median of what the turns differ by counts. Sums that do not know
how large their terms are look at a sixteenth of them first, and are found again where that was not enough; both programs
do so and only the first needs it: of the dot products of a Krylov method, and of the right side's norm. That time is
added. Exit status 1 where the cost is 3% or more.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys

RUNS = (("constant", "none", "double"), ("constant", "none", "mixed"), ("smooth", "none", "double"), ("smooth", "none", "mixed"),
        ("smooth", "cg", "mixed"), ("smooth", "bicgstab", "mixed"))
DOTS = {"none": 0, "cg": 3, "bicgstab": 5}
MOST = 0.03
SAMPLED = 16  # solver/openmp/sample.c


def solve(options, program, path, krylov, precision):
    report = path.replace(".h5", ".report.json")
    environment = dict(os.environ, OMP_NUM_THREADS=str(options.threads))
    command = [program, "--input", path, "--isa", options.isa, "--krylov", krylov,
               "--precision", precision, "--report", report, "--quiet"]
    subprocess.run(command, env=environment, check=True)
    with open(report, encoding="utf-8") as file:
        return json.load(file)


def looks(report, krylov):
    """Seconds of the first looks at each dot product, and of those that were found again."""
    dots = [k for k in report["levels"][0]["kernels"] if k["name"] == "dot" and k["calls"]]
    calls = sum(k["calls"] for k in dots)
    steps = report["cycles"] - 1  # one is the start
    expected = 1 + (DOTS[krylov] * steps - 1 if DOTS[krylov] else 0)
    return (max(0, calls - expected) + (DOTS[krylov] + 1) / SAMPLED) * max(k["seconds"] / k["calls"] for k in dots)


def main():
    parser = argparse.ArgumentParser(description="the cost of order-fixed sums")
    parser.add_argument("exact")
    parser.add_argument("plain")
    parser.add_argument("--isa", required=True, help="the instruction set for which the second has plain sums")
    parser.add_argument("--sizes", default="128,256")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--folder", default="bench")
    options = parser.parse_args()
    os.makedirs(options.folder, exist_ok=True)
    print(f"{'problem':<10}{'N':>5}  {'krylov':<10}{'precision':<10}{'cycles':>7}{'exact s':>10}{'plain s':>10}{'looks':>10}{'cost %':>8}", flush=True)
    worst = 0
    for n in (int(size) for size in options.sizes.split(",")):
        for problem, krylov, precision in RUNS:
            path = os.path.join(options.folder, f"{problem}-{n}.h5")
            if not os.path.exists(path):
                make = [options.exact, "make", "--case", problem, "--cells", str(n), "--output", path, "--quiet"]
                subprocess.run(make, check=True)
            exact, plain = [], []
            for _ in range(options.repeats):
                exact.append(solve(options, options.exact, path, krylov, precision))
                plain.append(solve(options, options.plain, path, krylov, precision))
            fastest = min(exact, key=lambda run: run["solve_seconds"])
            seconds, without = fastest["solve_seconds"], min(run["solve_seconds"] for run in plain)
            again = looks(fastest, krylov)
            longer = statistics.median(a["solve_seconds"] / b["solve_seconds"] - 1 for a, b in zip(exact, plain))
            cost = longer + again / seconds
            worst = max(worst, cost)
            print(f"{problem:<10}{n:>5}  {krylov:<10}{precision:<10}{fastest['cycles']:>7}{seconds:>10.4f}{without:>10.4f}{again:>10.4f}{100 * cost:>8.2f}",
                  flush=True)
        for problem in {run[0] for run in RUNS}:
            os.remove(os.path.join(options.folder, f"{problem}-{n}.h5"))
    print(f"at most {100 * worst:.2f}% of a solve (less than {100 * MOST:g}% is asked)")
    return worst >= MOST


if __name__ == "__main__":
    sys.exit(main())
