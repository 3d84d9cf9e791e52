#!/usr/bin/env python3
"""Method fft beside multigrid: the target `bench-transforms`.

usage: transforms.py GMG [--sizes 64,128] [--turns 9] [--threads 2] [--rtol 1e-10]

Both solve the same problems in turns, each in a process of its own; printed are the medians of
their setups and solves, the relative residuals that they end with, and how many times as long
multigrid takes. Sizes with large prime factors are the hard ones of transforms.
"""
import argparse
import json
import os
import statistics
import subprocess

METHODS = ("fft", "multigrid")
CASES = ("constant", "cosine")  # Dirichlet with boundary values; Neumann, singular


def solve(options, path, method):
    report = os.path.join(options.folder, "transforms.report.json")
    command = [options.gmg, "--input", path, "--method", method, "--rtol", options.rtol]
    command += ["--output", os.path.join(options.folder, "transforms.solution.h5")]
    command += ["--report", report, "--quiet", "--backend", "openmp"]
    environment = dict(os.environ, OMP_NUM_THREADS=str(options.threads))
    subprocess.run(command, env=environment, check=True)
    with open(report, encoding="utf-8") as file:
        return json.load(file)


def make(options, case, size):
    path = os.path.join(options.folder, f"{case}-{size}.h5")
    if not os.path.exists(path):
        command = [options.gmg, "make", "--case", case, "--cells", str(size), "--output", path]
        subprocess.run(command + ["--quiet"], check=True)
    return path


def main():
    parser = argparse.ArgumentParser(description="method fft beside multigrid")
    parser.add_argument("gmg")
    parser.add_argument("--sizes", default="64,96,127,128")
    parser.add_argument("--turns", type=int, default=9)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rtol", default="1e-10")
    parser.add_argument("--folder", default="bench")
    options = parser.parse_args()
    os.makedirs(options.folder, exist_ok=True)
    print(
        f"{'problem':<10}{'N':>5}  {'method':<11}{'cycles':>7}{'residual':>10}{'setup s':>9}"
        f"{'solve s':>9}{'bytes/cell':>12}  multigrid / fft: solve, setup + solve",
        flush=True,
    )
    for size in (int(word) for word in options.sizes.split(",")):
        for case in CASES:
            path = make(options, case, size)
            runs = {method: [] for method in METHODS}
            for _ in range(options.turns):
                for method in METHODS:
                    runs[method].append(solve(options, path, method))
            middle = {}
            for method in METHODS:
                setup, seconds = (
                    statistics.median(run[key] for run in runs[method])
                    for key in ("setup_seconds", "solve_seconds")
                )
                middle[method] = (seconds, setup + seconds)
                last = runs[method][-1]
                ratio = ""
                if method == METHODS[-1]:
                    ratio = "  ".join(
                        f"{a / b:.2f}" for a, b in zip(middle["multigrid"], middle["fft"])
                    )
                print(
                    f"{case:<10}{size:>5}  {method:<11}{last['cycles']:>7}"
                    f"{last['relative_residual']:>10.1e}{setup:>9.4f}{seconds:>9.4f}"
                    f"{last['peak_bytes'] / size**3:>12.1f}  {ratio}",
                    flush=True,
                )


if __name__ == "__main__":
    main()
