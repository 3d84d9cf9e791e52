#!/usr/bin/env python3
"""What sums that do not depend on order cost of a solve: the target `bench-sums`.

usage: exact_sums.py GMG GMG_WITH_PLAIN_SUMS --isa NAME [--sizes 128,256] [--turns 11] [--threads 2]

The same program with the same kernels, but for the sums, which are plain in the second (the maxima,
which are results too, are found in both); both solve the same problem in turns, and the lower
quartiles of their times are compared, since what other programs do to a machine only adds to a
time; behind it the standard error, by drawing the turns again, until which is small turns are
added, up to four times as many. Sums that do not know how large their terms are look at a sixteenth
of them first, and are found again where that was not enough; both programs do so and only the first
needs it: of the dot products of a Krylov method, and of the right side's norm. That time is added.
Exit status 1 where the cost is 3% or more.
"""
import argparse
import json
import os
import random
import statistics
import subprocess
import sys

RUNS = (
    ("constant", "none", "double"),
    ("constant", "none", "mixed"),
    ("smooth", "none", "double"),
    ("smooth", "none", "mixed"),
    ("smooth", "cg", "mixed"),
    ("smooth", "bicgstab", "mixed"),
)
SUMS = {
    "none": 0,
    "cg": 6,
    "bicgstab": 5,
}  # products with a guess of their own: of each of two directions, three
MOST = 0.03
ERROR = 0.006
SAMPLED = 16  # solver/runtime/sample.c


def solve(options, program, path, krylov, precision):
    report = path.replace(".h5", ".report.json")
    environment = dict(os.environ, OMP_NUM_THREADS=str(options.threads))
    command = [
        program,
        "--input",
        path,
        "--isa",
        options.isa,
        "--krylov",
        krylov,
        "--precision",
        precision,
        "--report",
        report,
        "--quiet",
    ]
    subprocess.run(command, env=environment, check=True)
    with open(report, encoding="utf-8") as file:
        return json.load(file)


def looks(report, krylov):
    """Seconds of the first looks at the right side's norm and each dot product, and of those that
    were found again."""
    steps = report["cycles"] - 1  # one is the start
    dots = 4 * steps - 3 if krylov == "cg" else 5 * steps - 1
    expected = {"dot": dots if SUMS[krylov] and steps > 0 else 0, "density_squares": 1}
    sums = {"dot": SUMS[krylov], "density_squares": 1}
    kernels = [k for k in report["levels"][0]["kernels"] if k["name"] in sums and k["calls"]]
    if "density_squares" not in {k["name"] for k in kernels}:
        sys.exit("the report names no sum over the right side")
    return sum(
        (max(0, k["calls"] - expected[k["name"]]) + sums[k["name"]] / SAMPLED)
        * k["seconds"]
        / k["calls"]
        for k in kernels
    )


def quartile(times):
    if len(times) < 2:
        return times[0]
    return statistics.quantiles(times, n=4, method="inclusive")[0]


def longer(pairs):
    return quartile([pair[0] for pair in pairs]) / quartile([pair[1] for pair in pairs]) - 1


def main():
    parser = argparse.ArgumentParser(description="the cost of order-fixed sums")
    parser.add_argument("exact")
    parser.add_argument("plain")
    parser.add_argument(
        "--isa", required=True, help="the instruction set for which the second has plain sums"
    )
    parser.add_argument("--sizes", default="128,256")
    parser.add_argument("--turns", type=int, default=11)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--folder", default="bench")
    options = parser.parse_args()
    os.makedirs(options.folder, exist_ok=True)
    print(
        f"{'problem':<10}{'N':>5}  "
        f"{'krylov':<10}{'precision':<10}{'cycles':>7}{'exact s':>10}{'plain s':>10}{'looks':>10}"
        f"{'cost %':>8}{'+-':>6}{'turns':>7}",
        flush=True,
    )
    worst = 0
    for n in (int(size) for size in options.sizes.split(",")):
        for problem, krylov, precision in RUNS:
            path = os.path.join(options.folder, f"{problem}-{n}.h5")
            if not os.path.exists(path):
                make = [
                    options.exact,
                    "make",
                    "--case",
                    problem,
                    "--cells",
                    str(n),
                    "--output",
                    path,
                    "--quiet",
                ]
                subprocess.run(make, check=True)
            exact, plain = [], []
            error = 1
            while len(exact) < options.turns or (error > ERROR and len(exact) < 4 * options.turns):
                exact.append(solve(options, options.exact, path, krylov, precision))
                plain.append(solve(options, options.plain, path, krylov, precision))
                pairs = [(a["solve_seconds"], b["solve_seconds"]) for a, b in zip(exact, plain)]
                draw = random.Random(1)
                error = statistics.stdev(
                    longer(draw.choices(pairs, k=len(pairs))) for _ in range(400)
                )
            again = looks(min(exact, key=lambda run: run["solve_seconds"]), krylov)
            seconds, without = quartile([pair[0] for pair in pairs]), quartile(
                [pair[1] for pair in pairs]
            )
            cost = longer(pairs) + again / seconds
            worst = max(worst, cost)
            print(
                f"{problem:<10}{n:>5}  "
                f"{krylov:<10}{precision:<10}"
                f"{exact[0]['cycles']:>7}{seconds:>10.4f}{without:>10.4f}"
                f"{again:>10.4f}"
                f"{100 * cost:>8.2f}{100 * error:>6.2f}{len(exact):>7}",
                flush=True,
            )
        for problem in {run[0] for run in RUNS}:
            os.remove(os.path.join(options.folder, f"{problem}-{n}.h5"))
    print(f"at most {100 * worst:.2f}% of a solve (less than {100 * MOST:g}% is asked)")
    return worst >= MOST


if __name__ == "__main__":
    sys.exit(main())
