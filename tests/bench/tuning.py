#!/usr/bin/env python3
"""What tuning is worth on this CPU: the target `bench-tuning`.

usage: tuning.py GMG TUNED [--threads N] [--sizes 64,100,160] [--rounds 51]
                 [--budget 300] [--search 64] [--search-budget 240] [--poor 64,128]
                 [--folder tuning]

TUNED is the program of tests/cuda_backend/tuned.c. First the default problems of `gmg tune` are
tuned, with the budget. Then all sizes, with varying and with constant coefficients, in double and
mixed precision, are solved with that wisdom and without, in turns: no tuned solve may be slower, or
have other bits. Where wisdom chooses nothing both are the same. Then, at the size --search, the
search by the model is compared with the exhaustive one: time of both, and solves with what either
found, in turns. Then tuning begins from poor choices, and is compared with the default. Exit
status 1: a tuned solve is slower by more than 2 % beyond doubt, other bits, or a step that failed.
"""
import argparse
import json
import math
import os
import re
import subprocess
import sys
import time

SLOWER = 1.02


def run(options, *command):
    environment = dict(
        os.environ, OMP_NUM_THREADS=str(options.threads), XDG_CACHE_HOME=options.folder
    )
    began = time.monotonic()
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    if done.returncode > 1:
        sys.exit(f"{' '.join(command)}: exit {done.returncode}: {done.stderr[-500:]}")
    return done, time.monotonic() - began


def pair(options, words):
    done, _ = run(options, options.tuned, "--backend", "openmp", *words)
    return json.loads(done.stdout)


def tune(options, wisdom):
    done, seconds = run(
        options, options.gmg, "tune", "--wisdom", wisdom, "--budget", str(options.budget)
    )
    print(done.stdout, end="")
    print(f"gmg tune took {seconds:.0f} s\n", flush=True)


def solve_pairs(options, wisdom):
    """Returns whether no problem is slower, and all have the same bits."""
    good, logs, high = True, [], []
    for cells in options.sizes.split(","):
        for constant in ("no", "yes"):
            for precision in ("double", "mixed"):
                words = ["--wisdom", wisdom, "--cells", cells, "--constant", constant]
                words += ["--rounds", str(options.rounds), "precision", precision]
                found = pair(options, words)
                slower = found["low"] > SLOWER
                good = good and not slower and found["bits"] == "the same"
                if found["chosen"]:  # otherwise both are the same
                    logs.append(math.log(found["ratio"]))
                    high.append(found["high"])
                print(
                    f"{cells + '^3':6} {found['beta']:9} {precision:7}"
                    f" default {1e3 * found['default_seconds']:9.3f} ms"
                    f"  tuned {1e3 * found['tuned_seconds']:9.3f} ms"
                    f"  ratio {found['ratio']:.3f} [{found['low']:.3f}, {found['high']:.3f}]"
                    f"  {found['chosen']} levels by wisdom, bits {found['bits']}"
                    f"{'  SLOWER' if slower else ''}",
                    flush=True,
                )
    mean = math.exp(sum(logs) / max(len(logs), 1))
    print(
        f"{len(logs)} problems with levels by wisdom: geometric mean {mean:.3f},"
        f" largest upper bound {max(high, default=1):.3f}\n",
        flush=True,
    )
    return good


def compare_searches(options):
    for constant in ("no", "yes"):
        for precision in ("double", "mixed"):
            words = ["--levels", "yes", "--cells", options.search, "--constant", constant]
            words += ["--budget", str(options.search_budget), "--rounds", str(options.rounds)]
            found = pair(options, words + ["precision", precision])
            model, every = found["model"], found["exhaustive"]
            share = model["search_seconds"] / every["search_seconds"]
            print(
                f"{options.search}^3 {found['beta']} {precision}: the model times {model['timed']}"
                f" of {every['timed']} candidates in {100 * share:.0f} % of the time"
                f" ({model['search_seconds']:.1f} of {every['search_seconds']:.1f} s) and reaches"
                f" {100 / found['ratio']:.1f} % [{100 / found['high']:.1f},"
                f" {100 / found['low']:.1f}] of the speed, bits {found['bits']}",
                flush=True,
            )
    print()


def undo_poor(options):
    for cells in options.poor.split(","):
        for precision in ("double", "mixed"):
            words = ["tune", "--cells", cells, "--precision", precision, "--dry-run"]
            words += ["--begin", "poor", "--budget", str(options.search_budget // 2)]
            done, _ = run(options, options.gmg, *words)
            lines = [line for line in done.stdout.split("\n") if "ratio" in line]
            print(re.sub(r"^\S+\s*", f"{cells}^3 {precision}: ", "; ".join(lines)), flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("gmg")
    parser.add_argument("tuned")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--sizes", default="64,100,160")
    parser.add_argument("--rounds", type=int, default=51)
    parser.add_argument("--budget", type=int, default=300)
    parser.add_argument("--search", default="64")
    parser.add_argument("--search-budget", type=int, default=240)
    parser.add_argument("--poor", default="64,128")
    parser.add_argument("--folder", default="tuning")
    options = parser.parse_args()
    options.folder = os.path.abspath(options.folder)
    os.makedirs(options.folder, exist_ok=True)
    wisdom = os.path.join(options.folder, "wisdom.json")
    if os.path.exists(wisdom):
        os.remove(wisdom)
    tune(options, wisdom)
    good = solve_pairs(options, wisdom)
    compare_searches(options)
    undo_poor(options)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
