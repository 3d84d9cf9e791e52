#!/usr/bin/env python3
"""Do the rates of memory that gmg bench measures on a CPU agree with those of likwid-bench?

usage: roofs.py GMG [--threads 1,N] [--turns 3] [--most 9] [--limit 0.05]

Needs likwid-bench (Debian: likwid) and a processor with AVX-512 or AVX2. Both measure in turns,
kind by kind; of each the best of all runs counts, as STREAM counts. On a machine with other guests
the best of few runs is not yet what memory gives: turns go on, at most --most of them, while rates
differ by more than --limit. likwid-bench gets arrays as large as gmg bench takes, huge pages from
glibc, as gmg asks the kernel for them, and the distance between the arrays that gmg leaves, without
which streams may meet in the same banks. Exit status: 0 all rates agree within --limit, 1 some do
not, 2 bad arguments, 77 there is no likwid-bench.
"""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

KERNELS = {
    "copy": ("copy_%s", 2),
    "triad": ("stream_%s_fma", 3),
    "read": ("load_%s", 1),
    "copy_streaming": ("copy_mem_%s", 2),
    "triad_streaming": ("stream_mem_%s", 3),
}
APART = 87360  # doubles between arrays, beyond their length
RUNS, SWEEPS = 10, 1  # of likwid-bench in a turn; of one run over its arrays


def roofs(gmg, threads, folder):
    """Bytes per second by kind, the bytes of three arrays, and the instruction set."""
    report = os.path.join(folder, "roofs.json")
    command = [gmg, "bench", "--cells", "32", "--repeats", "1", "--seconds", "3", "--quiet"]
    command += ["--threads", str(threads), "--backend", "openmp", "--output", report]
    subprocess.run(command, check=True)
    with open(report, encoding="utf-8") as stream:
        found = json.load(stream)
    machine = found["machine"]
    memory = [r for r in found["roofs"] if r["cache"] == 0 and r["threads"] == threads]
    rates = {roof["kind"]: roof["rate"] for roof in memory}
    return rates, machine["memory_arrays"], machine["roof_instructions"]


def likwid(kind, threads, bytes_of_three, instructions):
    kernel, arrays = KERNELS[kind]
    kernel = kernel % {"avx512": "avx512", "avx2": "avx"}[instructions]
    part = int(bytes_of_three if kind == "read" else bytes_of_three * arrays / 3)
    group = f"S0:{part // 1000}kB:{threads}-" + ",".join(
        f"{n}:S0:{n * APART}" for n in range(arrays)
    )
    command = ["likwid-bench", "-t", kernel, "-w", group, "-i", str(SWEEPS)]
    environment = dict(os.environ, GLIBC_TUNABLES="glibc.malloc.hugetlb=1")
    best = 0
    for _ in range(RUNS):
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        rate = re.search(r"^MByte/s:\s+(\S+)", done.stdout, re.M)
        if not rate:
            said = (done.stdout + done.stderr).strip()[-300:]
            sys.exit(f"{' '.join(command)}: exit {done.returncode}: {said}")
        best = max(best, 1e6 * float(rate.group(1)))
    return best


def take_turn(options, threads, folder, own, other):
    """Each kind once by both; what is faster than before takes its place."""
    for kind in KERNELS:
        rates, arrays, instructions = roofs(options.gmg, threads, folder)
        if instructions not in ("avx512", "avx2"):
            sys.exit(f"likwid-bench has no kernels for {instructions}")
        for measured, rate in rates.items():
            own[measured] = max(own.get(measured, 0), rate)
        if kind in rates:
            found = likwid(kind, threads, arrays, instructions)
            other[kind] = max(other.get(kind, 0), found)


def differences(own, other):
    return {kind: own[kind] / best - 1 if best else float("inf") for kind, best in other.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("gmg")
    parser.add_argument("--threads", default=f"1,{os.cpu_count()}", help="numbers of threads")
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--most", type=int, default=9)
    parser.add_argument("--limit", type=float, default=0.05)
    options = parser.parse_args()
    if not shutil.which("likwid-bench"):
        print("there is no likwid-bench (Debian: likwid)")
        sys.exit(77)
    off = 0
    with tempfile.TemporaryDirectory() as folder:
        for threads in sorted({int(word) for word in options.threads.split(",")}):
            own, other, turns, far = {}, {}, 0, 1
            while turns < options.turns or (far and turns < options.most):
                take_turn(options, threads, folder, own, other)
                far = sum(abs(apart) > options.limit for apart in differences(own, other).values())
                turns += 1
            off += far
            for kind, apart in differences(own, other).items():
                print(
                    f"{threads:3d} threads  {kind:16s} gmg bench {own[kind] / 1e9:7.1f} GB/s  "
                    f"likwid-bench {other[kind] / 1e9:7.1f}  {apart:+6.1%}",
                    flush=True,
                )
            print(f"{threads:3d} threads: {turns} turns", flush=True)
    print(f"{off} rates differ by more than {options.limit:.0%}")
    sys.exit(off > 0)


if __name__ == "__main__":
    main()
