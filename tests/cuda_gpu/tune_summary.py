#!/usr/bin/env python3
"""What tests/cuda_gpu/tune.sh measured, as tables.

usage: tune_summary.py OUTPUT
Exit status 1: a tuned solve has other bits, or is slower by more than 2 % beyond doubt, or nothing
was measured.
"""
import json
import math
import os
import sys


def read(folder, name):
    path = os.path.join(folder, name)
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as stream:
        return [json.loads(line) for line in stream if line.startswith("{")]


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
    folder = sys.argv[1]
    entries(folder)
    good = pairs(read(folder, "pairs.jsonl"))
    searches(read(folder, "searches.jsonl"))
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
