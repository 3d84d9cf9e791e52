#!/usr/bin/env python3
"""What other processes cost a solve: the target `bench-contention`.

usage: contention.py GMG [--sizes 128,256] [--repeats 5] [--threads N] [--busy N] [--folder bench]

The same solve alone and beside N busy processes (one for every core, unless told), in turns; the
medians count. A busy process counts in a loop that stays in its registers, so that it takes time of
the cores and nothing else. With one for every core the best that a program can have is half of the
time. Exit status 1 where a solve takes more than 2.5 times as long.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys

PROBLEMS = (
    ("constant", "double"),
    ("constant", "mixed"),
    ("smooth", "double"),
    ("smooth", "mixed"),
)
MOST = 2.5


def solve(options, path, precision):
    report = path.replace(".h5", ".report.json")
    environment = dict(os.environ, OMP_NUM_THREADS=str(options.threads))
    subprocess.run(
        [options.gmg, "--input", path, "--precision", precision, "--report", report, "--quiet"],
        env=environment,
        check=True,
    )
    with open(report, encoding="utf-8") as file:
        return json.load(file)["solve_seconds"]


class Company:
    """Busy processes for as long as it is entered."""

    def __init__(self, count):
        self.count = count

    def __enter__(self):
        self.busy = [
            subprocess.Popen(["sh", "-c", "while :; do :; done"]) for _ in range(self.count)
        ]

    def __exit__(self, *_):
        for process in self.busy:
            process.kill()
            process.wait()


def main():
    cores = len(os.sched_getaffinity(0))
    parser = argparse.ArgumentParser(description="a solve beside busy processes")
    parser.add_argument("gmg")
    parser.add_argument("--sizes", default="128,256")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--threads", type=int, default=cores)
    parser.add_argument("--busy", type=int, default=cores)
    parser.add_argument("--folder", default="bench")
    options = parser.parse_args()
    options.gmg = os.path.abspath(options.gmg)
    os.makedirs(options.folder, exist_ok=True)
    print(f"{options.threads} threads, {options.busy} busy processes, {cores} cores")
    print(
        f"{'problem':<10}{'N':>5}  "
        f"{'precision':<10}{'alone s':>10}{'beside s':>10}{'ratio':>8}{'worst':>8}",
        flush=True,
    )
    most = 0
    for n in (int(size) for size in options.sizes.split(",")):
        for problem, precision in PROBLEMS:
            path = os.path.join(options.folder, f"{problem}-{n}.h5")
            if not os.path.exists(path):
                subprocess.run(
                    [
                        options.gmg,
                        "make",
                        "--case",
                        problem,
                        "--cells",
                        str(n),
                        "--output",
                        path,
                        "--quiet",
                    ],
                    check=True,
                )
            alone, beside = [], []
            for _ in range(options.repeats):
                alone.append(solve(options, path, precision))
                with Company(options.busy):
                    beside.append(solve(options, path, precision))
            ratio = statistics.median(beside) / statistics.median(alone)
            most = max(most, ratio)
            print(
                f"{problem:<10}{n:>5}  "
                f"{precision:<10}"
                f"{statistics.median(alone):>10.4f}{statistics.median(beside):>10.4f}"
                f"{ratio:>8.2f}"
                f"{max(beside) / statistics.median(alone):>8.2f}",
                flush=True,
            )
        for problem in {entry[0] for entry in PROBLEMS}:
            os.remove(os.path.join(options.folder, f"{problem}-{n}.h5"))
    print(f"at most {most:.2f} times as long as alone ({MOST:g} is asked)")
    return most > MOST


if __name__ == "__main__":
    sys.exit(main())
