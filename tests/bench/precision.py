#!/usr/bin/env python3
"""Mixed precision beside double, over the cases of `gmg make`.

usage: precision.py GMG [--cases NAME,NAME,...] [--sizes 64 48,40,56 33,65,47] [--rtols 1e-10,1e-12]
[--folder bench]

Every case from a smooth start and from noise, on the CPU: exit status, cycles, and what became of
mixed precision if it was given up. Exit status 1 where double converges and mixed does not, or
takes more than a cycle more and does not say that it fell back.
"""
import argparse
import json
import os
import subprocess
import sys

CASES = (
    "sine,cosine,constant,smooth,smooth-periodic,neumann,robin,mixed,"
    "helmholtz,anisotropic,stretched,thin,odd,plane,sphere,"
    "inclusions,"
    "layers,checkerboard,lognormal"
)
OWN_SIZES = ("thin", "odd", "plane")  # of these the case says how many cells there are


def solve(options, problem, precision, rtol):
    report = os.path.join(options.folder, "precision.json")
    command = [
        options.gmg,
        "--quiet",
        "--input",
        problem,
        "--output",
        os.path.join(options.folder, "precision-solution.h5"),
        "--precision",
        precision,
        "--rtol",
        rtol,
        "--backend",
        "openmp",
        "--report",
        report,
    ]
    if os.path.exists(report):
        os.remove(report)
    status = subprocess.run(command, capture_output=True, text=True).returncode
    with open(report, encoding="utf-8") as file:
        found = json.load(file)
    return (
        status,
        found["cycles"],
        "; ".join(line for line in found["fallbacks"] if line.startswith("precision")),
    )


def is_bad(double, mixed):
    return double[0] == 0 and (mixed[0] != 0 or (mixed[1] > double[1] + 1 and not mixed[2]))


def main():
    parser = argparse.ArgumentParser(description="mixed precision beside double")
    parser.add_argument("gmg")
    parser.add_argument("--cases", default=CASES)
    parser.add_argument("--sizes", nargs="+", default=["64", "48,40,56", "33,65,47"])
    parser.add_argument("--rtols", default="1e-10,1e-12")
    parser.add_argument("--folder", default="bench")
    options = parser.parse_args()
    options.gmg = os.path.abspath(options.gmg)
    os.makedirs(options.folder, exist_ok=True)
    problem = os.path.join(options.folder, "precision.h5")
    pairs = bad = 0
    for case in options.cases.split(","):
        for size in [None] if case in OWN_SIZES else options.sizes:
            for start in ([], ["--noise"]):
                cells = ["--cells", size] if size else []
                subprocess.run(
                    [
                        options.gmg,
                        "make",
                        "--quiet",
                        "--case",
                        case,
                        "--output",
                        problem,
                        *cells,
                        *start,
                    ],
                    check=True,
                )
                for rtol in options.rtols.split(","):
                    double, mixed = solve(options, problem, "double", rtol), solve(
                        options, problem, "mixed", rtol
                    )
                    pairs, wrong = pairs + 1, is_bad(double, mixed)
                    bad += wrong
                    print(
                        f"{case:<16}{size or '':<10}{' '.join(start):<8} {rtol}: double "
                        f"exit {double[0]}, {double[1]} cycles; "
                        f"mixed exit {mixed[0]}, {mixed[1]} cycles "
                        f"{mixed[2]}{' <-' if wrong else ''}",
                        flush=True,
                    )
    print(f"{pairs} pairs, {bad} bad")
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
