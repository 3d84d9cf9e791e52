#!/usr/bin/env python3
"""How a solve on a CPU scales with threads, beside what the machine's memory does.

usage: threads.py GMG [--threads 1,2,4,8,16] [--cells 256] [--turns 5] [--least 8=0.75] [--apart]

Solves the default problem of `gmg bench --cells` in double precision, untuned, on each number of
threads, in turns; of each the fastest of all solves counts, and the best of all rates of memory.
Threads are bound to cores, one to each, next to one another. --least 8=0.75: on 8 threads the speed
must be at least 0.75 times 8 that of one, if 8 is among them. --apart: in each turn as many solves
of one thread at once, too, each on a core of its own: what the host's cores and memory leave of
one's speed where no solve waits for another; the best of all turns counts. Exit status: 0 it is, 1
it is not, 2 bad arguments.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile


def start(options, threads, report, cores):
    """gmg bench on those of the machine's cores."""
    command = ["taskset", "-c", ",".join(map(str, cores)), options.gmg, "bench"]
    command += ["--cells", str(options.cells), "--backend", "openmp"]
    command += ["--precision", "double", "--wisdom", "none", "--threads", str(threads)]
    command += ["--repeats", "3", "--seconds", "1", "--quiet", "--output", report]
    environment = dict(os.environ, OMP_PLACES="cores", OMP_PROC_BIND="close")
    return subprocess.Popen(command, env=environment)


def finish(process, report):
    if process.wait():
        raise subprocess.CalledProcessError(process.returncode, process.args)
    with open(report, encoding="utf-8") as stream:
        return json.load(stream)


def bench(options, threads, folder):
    report = os.path.join(folder, "threads.json")
    cores = sorted(os.sched_getaffinity(0))
    found = finish(start(options, threads, report, cores), report)
    rates = {
        roof["kind"]: roof["rate"]
        for roof in found["roofs"]
        if roof["cache"] == 0 and roof["threads"] == threads
    }
    return found["solve"], rates


def apart(options, count, folder):
    """Solves per second of all together, each by the middle one of its three."""
    cores = sorted(os.sched_getaffinity(0))
    reports = [os.path.join(folder, f"apart{n}.json") for n in range(count)]
    running = [start(options, 1, report, [core]) for report, core in zip(reports, cores)]
    found = [finish(process, report) for process, report in zip(running, reports)]
    return sum(1 / report["solve"]["median_seconds"] for report in found)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("gmg")
    parser.add_argument("--threads", default="1,2,4,8,16")
    parser.add_argument("--cells", type=int, default=256)
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--least", default="8=0.75", metavar="THREADS=PART")
    parser.add_argument("--apart", action="store_true")
    options = parser.parse_args()
    if not re.fullmatch(r"[1-9]\d*(,[1-9]\d*)*", options.threads):
        parser.error(f"--threads: found '{options.threads}', expected numbers such as 1,2,4")
    if not re.fullmatch(r"[1-9]\d*=\d*\.?\d+", options.least):
        parser.error(f"--least: found '{options.least}', expected one such as 8=0.75")
    if options.turns < 1:
        parser.error(f"--turns: found {options.turns}, expected at least 1")
    counts = sorted({int(word) for word in options.threads.split(",")} | {1})
    if options.apart and counts[-1] > len(os.sched_getaffinity(0)):
        parser.error(f"--apart: found {counts[-1]} threads, expected at most one for each core")
    seconds, moved, rates, speeds = {}, {}, {}, {}
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(options.turns):
            for threads in counts:
                solve, found = bench(options, threads, folder)
                if solve["seconds"] < seconds.get(threads, float("inf")):
                    seconds[threads], moved[threads] = solve["seconds"], solve["moved_bytes"]
                for kind, rate in found.items():
                    rates[threads, kind] = max(rate, rates.get((threads, kind), 0))
                if options.apart and threads > 1:
                    speeds[threads] = max(speeds.get(threads, 0), apart(options, threads, folder))
    print(
        "threads      solve  speed-up  of that many  it moves  memory: read     triad   GB/s",
        end="",
    )
    print("  apart" if options.apart else "")
    for threads in counts:
        gain = seconds[1] / seconds[threads]
        print(
            f"{threads:7d} {1e3 * seconds[threads]:7.1f} ms {gain:9.2f} {gain / threads:13.1%}"
            f" {1e-9 * moved[threads] / seconds[threads]:9.1f}"
            f" {1e-9 * rates[threads, 'read']:13.1f} {1e-9 * rates[threads, 'triad']:9.1f}",
            end="",
        )
        print(f"{seconds[1] * speeds[threads] / threads:14.1%}" if threads in speeds else "")
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
