#!/usr/bin/env python3
"""What tests/cuda_gpu/tune.sh measured, as tables.

usage: tune_summary.py [--searches] OUTPUT
Exit status 1: a tuned solve has other bits, or is slower by more than 2 % beyond doubt, or nothing
was measured. --searches: what tests/cuda_gpu/search.sh measured. Exit status 1: an exhaustive
search did not see all candidates, or the model's reaches less than 97 % of its speed or takes more
than 15 % of its time; or from poor choices a solve becomes slower than the default by more than 2 %
beyond doubt.
"""
import json
import math
import os
import re
import sys


def has(folder, name):
    return os.path.exists(os.path.join(folder, name))


def read(folder, name):
    if not has(folder, name):
        return []
    with open(os.path.join(folder, name), encoding="utf-8") as stream:
        text = stream.read().replace(": nan", ": NaN")  # of a search without candidates
    return [json.loads(line) for line in text.splitlines() if line.startswith("{")]


def pairs(lines):
    """Returns whether all is well."""
    good = bool(lines)
    print(f"{'problem':36} {'default':>10} {'tuned':>10}  ratio [95 %]           kernels  bits")
    for line in lines:
        name = f"{line['cells']}^3 {line['beta']} {line['options']}"
        slower = line["low"] > 1.02
        good = good and line["bits"] == "the same" and not slower
        times = [1e3 * line[f"{way}_seconds"] for way in ("default", "tuned")]
        print(
            f"{name:36} {times[0]:7.3f} ms {times[1]:7.3f} ms"
            f"  {line['ratio']:.3f} [{line['low']:.3f}, {line['high']:.3f}]"
            f" {line['chosen']:8d}  {line['bits']}{'  SLOWER' if slower else ''}"
        )
    ratios = [line["ratio"] for line in lines]
    if ratios:
        mean = math.exp(sum(math.log(ratio) for ratio in ratios) / len(ratios))
        bound = max(line["high"] for line in lines)
        print(f"geometric mean of the ratios {mean:.3f}; largest upper bound {bound:.3f}")
    return good


def searches(lines):
    """Returns whether the model's search was as good as one that saw all candidates."""
    good = bool(lines)
    for line in lines:
        model, every = line["model"], line["exhaustive"]
        print(f"{line['kernel']} at {line['cells']}^3")
        for word, one in (("model", model), ("exhaustive", every)):
            print(
                f"  {word:10} {one['search_seconds']:7.1f} s  {one['timed']:5d} timed,"
                f" {one['other_bits']} of other bits, {one.get('microseconds', math.nan):9.3f} us"
                f" (default {one.get('default_microseconds', math.nan):.3f} us)"
                f"  {one.get('choice', 'nothing found')}"
                f"{'' if one['in_time'] else '  -- NOT FINISHED: the budget ended it'}"
            )
        share = model["search_seconds"] / every["search_seconds"]
        print(
            f"  the model reaches {100 * line['speed_of_model']:.1f} % of the exhaustive search's"
            f" speed in {100 * share:.0f} % of its time"
            f"{'' if every['in_time'] else ' (of what the exhaustive one had time for)'}"
        )
        good = good and line["speed_of_model"] >= 0.97 and share <= 0.15 and every["in_time"]
    return good


def poor(path):
    """Returns whether tuned solves were measured, and none is slower than the default."""
    with open(path, encoding="utf-8") as stream:
        lines = [line for line in stream if "default" in line and "tuned" in line]
    lows = [float(re.search(r"\[([0-9.]+), ", line).group(1)) for line in lines]
    print(f"from poor choices: lower bounds of the ratios to the default {lows}")
    return bool(lows) and all(low <= 1.02 for low in lows)


def entries(folder):
    path = os.path.join(folder, "wisdom.json")
    if not os.path.exists(path):
        print("no wisdom was saved: nothing was faster, or tuning failed")
        return
    with open(path, encoding="utf-8") as stream:
        found = [one for one in json.load(stream)["entries"] if one["subject"].startswith("kernel")]
    better = [one for one in found if one.get("choice")]
    print(f"wisdom has {len(found)} kernels on levels, {len(better)} of them not by default")


def main():
    folder = sys.argv[-1]
    if "--searches" in sys.argv[1:-1]:
        asked = [name for name in ("searches.jsonl", "poor.txt") if has(folder, name)]
        good = bool(asked)
        if "searches.jsonl" in asked:
            good = searches(read(folder, "searches.jsonl"))
        if "poor.txt" in asked:
            good = poor(os.path.join(folder, "poor.txt")) and good
        return 0 if good else 1
    entries(folder)
    good = pairs(read(folder, "pairs.jsonl"))
    searches(read(folder, "searches.jsonl"))
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
