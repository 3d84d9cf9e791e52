#!/usr/bin/env python3
"""Whether `--krylov auto` chooses the faster method: the target `bench-krylov`.

usage: krylov.py GMG BUBBLE [--sizes 64,128] [--repeats 5] [--most-repeats 15] [--cases WORD,…]
[--steps 5] [--cores 2]
                 [--widths 0,1,2,4] [--ratios 10,100,1000,10000] [--folder bench]

Every problem of table.py, with its own right side and with noise where β jumps, and the rising
bubble of examples/bubble.c over widths of its interface and density ratios, solved with auto, none
and cg in turns; medians of the solves' seconds count. Where auto takes more than 1.15 times as long
as the better of the others, a few turns more decide, as one busy moment would. A method that did
not converge is not the better one; where neither converges a problem says nothing, but that of the
bubble, which must. Where auto never turned conjugate gradients on it did what none does, to the
last bit (`same`): the times of both are pooled. Exit status 1 where auto takes more than 1.15 times
as long in any, more than 1.03 times in the sum, or fails where another does not.
"""
import argparse
import json
import os
import re
import statistics
import subprocess
import sys

from table import CASES, arguments_of

WAYS = ("auto", "none", "cg")
MOST, MOST_IN_SUM = 1.15, 1.03
JUMPS = ("sphere", "inclusions", "layers", "checkerboard", "lognormal")


def run(options, command):
    environment = dict(os.environ, OMP_NUM_THREADS=str(options.cores))
    return subprocess.run(command, env=environment, capture_output=True, text=True)


def solve_file(options, path, more, way):
    """(converged, seconds, cycles, what only the same computation gives) of one solve."""
    report = os.path.join(options.folder, "report.json")
    command = [
        options.gmg,
        "--input",
        path,
        "--output",
        os.path.join(options.folder, "solution.h5"),
        "--report",
        report,
        "--quiet",
    ]
    done = run(options, command + more + ["--krylov", way])
    if done.returncode > 1:
        raise SystemExit(f"{' '.join(command)}: exit {done.returncode}: {done.stderr}")
    with open(report, encoding="utf-8") as file:
        found = json.load(file)
    return done.returncode == 0, found["solve_seconds"], found["cycles"], found["residual_history"]


def solve_bubble(options, arguments, way):
    done = run(options, [options.bubble, *arguments, "--krylov", way])
    found = re.search(r"(\d+) cycles, ([\d.]+) s of solves", done.stdout)
    if not found:
        raise SystemExit(
            f"{options.bubble} {' '.join(arguments)}: exit {done.returncode}: "
            f"{done.stdout[-500:]}{done.stderr}"
        )
    bits = re.search(r"bits of the velocities: (\w+)", done.stdout)[1]
    return done.returncode == 0, float(found[2]), int(found[1]), bits


def judge(turns):
    """The medians of all ways; that of auto over the better of the others, None where neither
    converged; whether auto is none."""
    same = turns["auto"][0][3] == turns["none"][0][3]
    pooled = turns["auto"] + turns["none"]
    medians = {
        way: statistics.median(turn[1] for turn in (pooled if same and way != "cg" else turns[way]))
        for way in WAYS
    }
    others = [medians[way] for way in WAYS[1:] if turns[way][0][0]]
    return medians, medians["auto"] / min(others) if others else None, same


def measure(options, name, solve):
    """Prints a line. Returns (good, seconds of auto, seconds of the better other one)."""
    turns = {way: [] for way in WAYS}
    while True:
        for way in WAYS:
            turns[way].append(solve(way))
        count = len(turns["auto"])
        medians, ratio, same = judge(turns)
        if count >= options.repeats and (
            ratio is None or ratio <= MOST or count >= options.most_repeats
        ):
            break
    cycles = {
        way: f"{turns[way][0][2]}{'' if turns[way][0][0] else ' (not converged)'}" for way in WAYS
    }
    good = turns["auto"][0][0] or not (turns["none"][0][0] or turns["cg"][0][0])
    good = good and (ratio is None or ratio <= MOST)
    print(
        f"{name:<46}"
        + "".join(f"{way} {cycles[way]:>4} {medians[way]:8.4f} s  " for way in WAYS)
        + (f"{ratio:5.2f}" if ratio else "    -")
        + (" same" if same else "")
        + (f" {count} turns" if count > options.repeats else "")
        + ("" if good else " <-"),
        flush=True,
    )
    return good, medians["auto"] if ratio else 0, medians["auto"] / ratio if ratio else 0


def files(options, n):
    """Problems of the table: (name, what solves it once by a way)."""
    path = os.path.join(options.folder, "problem.h5")
    for name, template in CASES:
        make, _, more = arguments_of(template, n).partition(" : ")
        jumps = any(word in make for word in JUMPS)
        for noise in ([], ["--noise"])[: 1 + jumps]:
            if options.words and not any(word in name or word in make for word in options.words):
                continue
            subprocess.run(
                [options.gmg, "make", *make.split(), *noise, "--output", path, "--quiet"],
                check=True,
            )
            size = make.split("--cells ")[1]
            yield f"{name}{', noise' if noise else ''}, {size}", lambda way, more=more: solve_file(
                options, path, more.split(), way
            )


def bubbles(options, n):
    for ratio in options.ratios.split(","):
        for width in options.widths.split(","):
            if options.words and "bubble" not in options.words:
                continue
            arguments = [
                "--size",
                str(n),
                "--ratio",
                ratio,
                "--width",
                width,
                "--steps",
                str(options.steps),
            ]
            name = f"bubble, ratio {ratio}, width {width}, {n}"
            yield name, lambda way, given=arguments: solve_bubble(options, given, way)


def main():
    parser = argparse.ArgumentParser(description="krylov auto against none and cg")
    parser.add_argument("gmg")
    parser.add_argument("bubble")
    parser.add_argument("--sizes", default="64,128")
    parser.add_argument(
        "--cases", default="", help="words of names, with commas between: only those"
    )
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--most-repeats", type=int, default=15)
    parser.add_argument("--steps", type=int, default=5, help="of the bubble")
    parser.add_argument("--widths", default="0,1,2,4")
    parser.add_argument("--ratios", default="10,100,1000,10000")
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--folder", default="bench")
    options = parser.parse_args()
    options.gmg, options.bubble = os.path.abspath(options.gmg), os.path.abspath(options.bubble)
    options.words = [word for word in options.cases.split(",") if word]
    os.makedirs(options.folder, exist_ok=True)
    print("cycles and seconds of all solves, medians; and auto over the better of the others")
    bad, auto, better = [], 0, 0
    for n in map(int, options.sizes.split(",")):
        for make in (files, bubbles):
            for name, solve in make(options, n):
                good, seconds, least = measure(options, name, solve)
                auto, better = auto + seconds, better + least
                bad += [] if good else [name]
    for name in ("problem.h5", "solution.h5", "solution.xdmf", "report.json"):
        path = os.path.join(options.folder, name)
        if os.path.exists(path):
            os.remove(path)
    ratio = auto / better if better else 1
    print(
        f"in sum {auto:.3f} s, the better ones {better:.3f} s: {ratio:.3f} "
        f"({MOST_IN_SUM:g} is asked)"
    )
    print(
        f"more than {MOST:g} times as long, or not converged: {len(bad)}"
        + "".join(f"\n  {name}" for name in bad)
    )
    return bool(bad) or ratio > MOST_IN_SUM


if __name__ == "__main__":
    sys.exit(main())
