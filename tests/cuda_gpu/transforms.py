#!/usr/bin/env python3
"""On a machine with GPUs: method fft there beside multigrid there, on problems with constant
coefficients, Dirichlet and periodic (singular) sides. A line for each: the setup (matrices made and
copied, kernels from the cache), the fastest of repeated solves of arrays in the GPU's memory, and
how many times as long multigrid takes. Under two minutes a number of ranks.

usage: transforms.py BUILD [--sizes 64,128,256,512] [--solves 7] [--ranks 1,2 --launch "mpirun -n"]

BUILD: a build folder with tests/cuda_backend_repeat. --launch: what starts so many ranks; the
number follows it. Exit status: 0, or 1 where something fails.
"""
import argparse
import itertools
import json
import os
import subprocess
import sys

WAYS = {
    "fft": ["method", "fft"],
    "multigrid, double": ["precision", "double"],
    "multigrid, mixed": ["precision", "mixed"],
}


def solve(options, ranks, size, periodic, words):
    command = options.launch.split() + [str(ranks)] if ranks > 1 else []
    command += [os.path.join(options.build, "tests", "cuda_backend_repeat"), "--no-cpu"]
    command += ["--cells", str(size), "--solves", str(options.solves), "--constant"]
    command += (["--periodic"] if periodic else []) + words
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode or not done.stdout.startswith("{"):
        print("FAILED", " ".join(command), done.stdout[-300:], done.stderr[-300:])
        return None
    return json.loads(done.stdout)


def main():
    parser = argparse.ArgumentParser(description="method fft beside multigrid, on a GPU")
    parser.add_argument("build")
    parser.add_argument("--sizes", default="64,128,256,512")
    parser.add_argument("--solves", type=int, default=7)
    parser.add_argument("--ranks", default="1")
    parser.add_argument("--launch", default="mpirun -n")
    options = parser.parse_args()
    failures = 0
    print(
        f"{'ranks':>5}  {'sides':<10}{'N':>5}  {'method':<19}{'cycles':>7}{'residual':>10}"
        f"{'setup s':>9}{'solve ms':>10}  multigrid / fft",
        flush=True,
    )
    sides = ("dirichlet", "periodic")
    ranks = map(int, options.ranks.split(","))
    sizes = map(int, options.sizes.split(","))
    for count, size, periodic in itertools.product(ranks, sizes, (False, True)):
        base = None
        for way, words in WAYS.items():
            solve(options, count, size, periodic, words)  # kernels go to the cache
            found = solve(options, count, size, periodic, words)
            if not found:
                failures += 1
                continue
            milliseconds = 1e3 * found["solve_seconds"]
            base = base or milliseconds
            print(
                f"{count:>5}  {sides[periodic]:<10}{size:>5}  {way:<19}"
                f"{found['cycles']:>7}{found['relative_residual']:>10.1e}"
                f"{found['setup_seconds']:>9.3f}{milliseconds:>10.3f}"
                f"  {milliseconds / base:.2f}",
                flush=True,
            )
    print(failures, "failures")
    return failures > 0


if __name__ == "__main__":
    sys.exit(main())
