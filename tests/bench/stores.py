#!/usr/bin/env python3
"""What share of the memory's rate do programs reach on a CPU, one step at a time?

usage: stores.py GMG [--cells 320] [--plane 5760] [--turns 3] [--threads N] [--programs A,B,...]
                 [--before GMG]

Of each program of examples/programs/ (or tests/bench/programs/) the kernels' time of a step, in
turns, with plain stores and as `--stores auto` chooses, the least of all turns, and its bytes at
least by that time, as a share of a copy with streaming stores, which gmg bench measures between the
turns (the best counts). --before: another version, timed in the same turns. Needs a C compiler.
"""
import argparse
import json
import os
import subprocess
import tempfile

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
PROGRAMS = "copy,heat3d,poisson7,variable7,heat13,wave,poisson19,himeno,smooth27,heat2d"
STEPS = 8


def path_of(name):
    folders = [
        os.path.join(SOURCE, "examples", "programs"),
        os.path.join(SOURCE, "tests/bench/programs"),
    ]
    return next(p for p in (f"{f}/{name}.stencil" for f in folders) if os.path.exists(p))


def step(gmg, name, options, folder, *more):
    """Seconds of the kernels of a step, and the bytes that it moves at least."""
    flat = "dimensions 2" in open(path_of(name), encoding="utf-8").read()
    cells = f"{options.plane},{options.plane}" if flat else str(options.cells)
    report = f"{folder}/report.json"
    command = [gmg, "run", path_of(name), "--cells", cells, "--steps", str(STEPS), "--backend"]
    command += ["openmp", "--threads", str(options.threads), "--steps-per-pass", "1", "--wisdom"]
    command += ["none", "--quiet", "--report", report, "--output", f"{folder}/out.h5", *more]
    subprocess.run(command, check=True)
    with open(report, encoding="utf-8") as stream:
        said = json.load(stream)
    return said["kernel_seconds"] / STEPS, said["compulsory_bytes"] / STEPS


def copy_rate(gmg, options, folder):
    report = f"{folder}/roofs.json"
    command = [gmg, "bench", "--cells", "32", "--repeats", "1", "--seconds", "2", "--quiet"]
    command += ["--threads", str(options.threads), "--backend", "openmp", "--output", report]
    subprocess.run(command, check=True)
    with open(report, encoding="utf-8") as stream:
        roofs = json.load(stream)["roofs"]
    kinds = ("copy", "copy_streaming")
    return max(
        r["rate"]
        for r in roofs
        if r["kind"] in kinds and r["cache"] == 0 and r["threads"] == options.threads
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("gmg")
    parser.add_argument("--cells", type=int, default=320)
    parser.add_argument("--plane", type=int, default=5760)
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--programs", default=PROGRAMS)
    parser.add_argument("--before")
    options = parser.parse_args()
    names, best, bytes_of, copy = options.programs.split(","), {}, {}, 0
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(options.turns):
            copy = max(copy, copy_rate(options.gmg, options, folder))
            for name in names:
                ways = {"plain": (options.gmg, "--stores", "plain"), "auto": (options.gmg,)}
                if options.before:
                    ways["before"] = (options.before,)
                for way, (gmg, *more) in ways.items():
                    seconds, bytes_of[name] = step(gmg, name, options, folder, *more)
                    best[name, way] = min(seconds, best.get((name, way), seconds))
            copy = max(copy, copy_rate(options.gmg, options, folder))
    print(f"{options.threads} threads, copy with streaming stores {copy / 1e9:.1f} GB/s")
    for name in names:
        line = f"{name:12}"
        for way in ("before", "plain", "auto"):
            if (name, way) in best:
                seconds = best[name, way]
                line += f"  {way} {seconds * 1e3:7.2f} ms {bytes_of[name] / seconds / copy:6.1%}"
        print(line)


if __name__ == "__main__":
    main()
