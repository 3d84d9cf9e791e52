#!/usr/bin/env python3
"""What ranks cost against threads, on one machine: the target `bench-ranks`.

usage: ranks.py GMG [--sizes 256] [--repeats 7] [--ranks 2,4] [--launch "mpirun --oversubscribe
--bind-to none -n"] [--folder bench]

The same solve on one rank with a thread for every core, and on several ranks with one thread each,
in turns; the medians count, and the least are printed besides. Exit status 1 where their residuals
differ.
"""
import argparse
import json
import os
import shlex
import statistics
import subprocess
import sys

PROBLEMS = (
    ("constant", "double"),
    ("constant", "mixed"),
    ("smooth", "double"),
    ("smooth", "mixed"),
)


def solve(options, path, precision, launch, threads):
    report = path.replace(".h5", ".report.json")
    command = [
        *launch,
        options.gmg,
        "--input",
        path,
        "--precision",
        precision,
        "--report",
        report,
        "--quiet",
        "--threads",
        str(threads),
    ]
    environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    subprocess.run(command, env=environment, check=True)
    with open(report, encoding="utf-8") as file:
        return json.load(file)


def main():
    cores = len(os.sched_getaffinity(0))
    parser = argparse.ArgumentParser(description="a solve on ranks and on threads")
    parser.add_argument("gmg")
    parser.add_argument("--sizes", default="256")
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("--ranks", default="2,4")
    parser.add_argument("--launch", default="mpirun --oversubscribe --bind-to none -n")
    parser.add_argument("--folder", default="bench")
    options = parser.parse_args()
    options.gmg = os.path.abspath(options.gmg)
    os.makedirs(options.folder, exist_ok=True)
    ways = [(f"{cores} threads", [], cores)]
    for ranks in options.ranks.split(","):
        ways.append((f"{ranks} ranks", [*shlex.split(options.launch), ranks], 1))
    print(f"{cores} cores; seconds of a solve, median (least), and over those of threads")
    most, differ = 0, 0
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
            seconds, residual = {way[0]: [] for way in ways}, set()
            for _ in range(options.repeats):
                for name, launch, threads in ways:
                    report = solve(options, path, precision, launch, threads)
                    seconds[name].append(report["solve_seconds"])
                    residual.add(report["relative_residual"])
            differ += len(residual) > 1
            alone = statistics.median(seconds[ways[0][0]])
            print(
                f"{problem} {n} {precision}"
                + ("" if len(residual) == 1 else f": DIFFERENT RESIDUALS {residual}")
            )
            for name, *_ in ways:
                median, least = statistics.median(seconds[name]), min(seconds[name])
                print(
                    f"  {name:<12}{median:8.4f} ({least:.4f}) {median / alone:6.2f} "
                    f"({least / min(seconds[ways[0][0]]):.2f})",
                    flush=True,
                )
                most = max(most, median / alone)
        for problem in {entry[0] for entry in PROBLEMS}:
            os.remove(os.path.join(options.folder, f"{problem}-{n}.h5"))
    print(f"at most {most:.2f} times as long as threads")
    return bool(differ)


if __name__ == "__main__":
    sys.exit(main())
