#!/usr/bin/env python3
"""How a solve on a CPU scales with threads, beside what the machine's memory does.

usage: threads.py GMG [--threads 1,2,4,8,16] [--cells 256] [--turns 5] [--least 8=0.75]

Solves the default problem of `gmg bench --cells` in double precision, untuned, on each number of
threads, in turns; of each the fastest of all solves counts, and the best of all rates of memory.
Threads are bound to cores, one to each, next to one another. --least 8=0.75: on 8 threads the speed
must be at least 0.75 times 8 that of one, if 8 is among them. Exit status: 0 it is, 1 it is not, 2
bad arguments.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile


def bench(options, threads, folder):
    report = os.path.join(folder, "threads.json")
    command = [options.gmg, "bench", "--cells", str(options.cells), "--backend", "openmp"]
    command += ["--precision", "double", "--wisdom", "none", "--threads", str(threads)]
    command += ["--repeats", "3", "--seconds", "1", "--quiet", "--output", report]
    environment = dict(os.environ, OMP_PLACES="cores", OMP_PROC_BIND="close")
    subprocess.run(command, check=True, env=environment)
    with open(report, encoding="utf-8") as stream:
        found = json.load(stream)
    rates = {
        roof["kind"]: roof["rate"]
        for roof in found["roofs"]
        if roof["cache"] == 0 and roof["threads"] == threads
    }
    return found["solve"], rates


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("gmg")
    parser.add_argument("--threads", default="1,2,4,8,16")
    parser.add_argument("--cells", type=int, default=256)
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--least", default="8=0.75", metavar="THREADS=PART")
    options = parser.parse_args()
    if not re.fullmatch(r"[1-9]\d*(,[1-9]\d*)*", options.threads):
        parser.error(f"--threads: found '{options.threads}', expected numbers such as 1,2,4")
    if not re.fullmatch(r"[1-9]\d*=\d*\.?\d+", options.least):
        parser.error(f"--least: found '{options.least}', expected one such as 8=0.75")
    if options.turns < 1:
        parser.error(f"--turns: found {options.turns}, expected at least 1")
    counts = sorted({int(word) for word in options.threads.split(",")} | {1})
    seconds, moved, rates = {}, {}, {}
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(options.turns):
            for threads in counts:
                solve, found = bench(options, threads, folder)
                if solve["seconds"] < seconds.get(threads, float("inf")):
                    seconds[threads], moved[threads] = solve["seconds"], solve["moved_bytes"]
                for kind, rate in found.items():
                    rates[threads, kind] = max(rate, rates.get((threads, kind), 0))
    print("threads      solve  speed-up  of that many  it moves  memory: read     triad   GB/s")
    for threads in counts:
        gain = seconds[1] / seconds[threads]
        print(
            f"{threads:7d} {1e3 * seconds[threads]:7.1f} ms {gain:9.2f} {gain / threads:13.1%}"
            f" {1e-9 * moved[threads] / seconds[threads]:9.1f}"
            f" {1e-9 * rates[threads, 'read']:13.1f} {1e-9 * rates[threads, 'triad']:9.1f}"
        )
    threads, least = options.least.split("=")
    if int(threads) not in seconds:
        return 0
    part = seconds[1] / seconds[int(threads)] / int(threads)
    holds = part >= float(least)
    print(
        f"{threads} threads: {part:.3f}, at least {least} is asked: {'holds' if holds else 'short'}"
    )
    return 0 if holds else 1


if __name__ == "__main__":
    sys.exit(main())
