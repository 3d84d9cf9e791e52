#!/usr/bin/env python3
"""gmg and hypre side by side on the two benchmark problems: the target `bench`.

usage: compare.py GMG HYPRE_STRUCT [--sizes 128,256] [--repeats 3] [--cores 2] [--output bench.json]

Both programs solve the same equations (tests/bench/hypre_struct.c states them) to a relative
residual of 1e-10 in the 2-norm, gmg with its defaults, and in double precision alone, and one
thread per core, hypre with one rank per core (Debian's hypre has no OpenMP). First all of hypre's
ways run once, leaving out those that were twice as slow as its best at half the size; then gmg and
hypre's best take turns, and the fastest solve of each counts. That both have the same solution is
checked by max |u|.
"""
import argparse
import json
import os
import subprocess
import sys

import h5py
import numpy

PROBLEMS = ("constant", "smooth")


def run_gmg(options, path, *more):
    report = path.replace(".h5", ".report.json")
    environment = dict(os.environ, OMP_NUM_THREADS=str(options.cores))
    done = subprocess.run(
        [options.gmg, "--input", path, "--report", report, "--quiet", *more],
        env=environment,
        check=False,
    )
    if done.returncode > 1:  # 1: not converged
        sys.exit(f"{' '.join(done.args)}: exit status {done.returncode}")
    with open(report, encoding="utf-8") as file:
        return json.load(file)


def run_hypre(options, problem, n, name=None):
    command = [
        "mpirun",
        "-n",
        str(options.cores),
        "--oversubscribe",
        "--bind-to",
        "none",
        options.hypre,
        problem,
        str(n),
    ]
    environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    done = subprocess.run(
        command + ([name] if name else []),
        env=environment,
        check=True,
        capture_output=True,
        text=True,
    )
    return json.loads(done.stdout)


def survey_hypre(options, problem, n, known):
    """Names of hypre's ways, the fastest first; known: those of half the size, with their
    seconds."""
    best = min(known.values(), default=0)
    names = [name for name, seconds in known.items() if seconds <= 2 * best] or [None]
    runs = [run for name in names for run in run_hypre(options, problem, n, name)]
    return {
        run["run"]: run["solve_seconds"] for run in runs if run["relative_residual"] <= 1.01e-10
    }


def largest(path):
    with h5py.File(path.replace(".h5", ".solution.h5")) as file:
        return max(float(numpy.abs(plane).max()) for plane in file["solution"])


def one_pass(options, path, n, hypre):
    """One pass of full multigrid: what it leaves over the discretization error (largest values),
    and its rate over that of hypre's best, which solves to 1e-10."""
    solution = path.replace(".h5", ".solution.h5")
    passed = path.replace(".h5", ".pass.h5")
    more = ("--cycle", "fmg", "--max-cycles", "1", "--output", passed)
    run = min(
        (run_gmg(options, path, *more) for _ in range(options.repeats)),
        key=lambda run: run["solve_seconds"],
    )
    algebraic = discretization = 0
    with h5py.File(path) as problem, h5py.File(solution) as whole, h5py.File(passed) as first:
        for k in range(n):
            plane = whole["solution"][k]
            algebraic = max(algebraic, float(numpy.abs(first["solution"][k] - plane).max()))
            discretization = max(
                discretization, float(numpy.abs(problem["exact"][k] - plane).max())
            )
    for leftover in (passed, passed.replace(".h5", ".xdmf")):
        os.remove(leftover)
    rate = n**3 / run["solve_seconds"]
    return {
        "solve_seconds": run["solve_seconds"],
        "unknowns_per_second": rate,
        "algebraic_error": algebraic,
        "discretization_error": discretization,
        "rate_ratio": rate * hypre["solve_seconds"] / n**3,
    }


def compare(options, problem, n, known):
    path = os.path.join(options.folder, f"{problem}-{n}.h5")
    subprocess.run(
        [options.gmg, "make", "--case", problem, "--cells", str(n), "--output", path, "--quiet"],
        check=True,
    )
    known = survey_hypre(options, problem, n, known)
    best = min(known, key=known.get)
    ours, double, theirs = [], [], []
    for _ in range(options.repeats):
        double.append(run_gmg(options, path, "--precision", "double"))
        ours.append(run_gmg(options, path))
        theirs += run_hypre(options, problem, n, best)
    gmg, double, hypre = (
        min(runs, key=lambda run: run["solve_seconds"]) for runs in (ours, double, theirs)
    )
    gmg_largest = largest(path)
    if (
        "converged" != gmg["status"]
        or "converged" != double["status"]
        or abs(gmg_largest - hypre["max_u"]) > 1e-7 * hypre["max_u"]
    ):
        sys.exit(
            f"{problem} {n}: the solutions differ: gmg {gmg['status']}, max|u| "
            f"{gmg_largest}; hypre {hypre['max_u']}"
        )
    fmg = one_pass(options, path, n, hypre) if problem == "constant" else None
    for leftover in (path, path.replace(".h5", ".solution.h5")):
        os.remove(leftover)
    line = {
        "problem": problem,
        "cells": n,
        "solve_ratio": hypre["solve_seconds"] / gmg["solve_seconds"],
        "total_ratio": (hypre["setup_seconds"] + hypre["solve_seconds"])
        / (gmg["setup_seconds"] + gmg["solve_seconds"]),
        "gmg": {
            key: gmg[key]
            for key in ("setup_seconds", "solve_seconds", "cycles", "relative_residual")
        },
        "double_ratio": hypre["solve_seconds"] / double["solve_seconds"],
        "double": {
            key: double[key]
            for key in ("setup_seconds", "solve_seconds", "cycles", "relative_residual")
        },
        "hypre": hypre,
        "hypre_survey": known,
        "one_pass": fmg,
    }
    for side in (line["gmg"], line["double"], line["hypre"]):
        side["unknowns_per_second"] = n**3 / side["solve_seconds"]
    return line, known


def print_line(line):
    ways = {"gmg": "defaults", "double": "double", "hypre": line["hypre"]["run"]}
    ratios = {
        "gmg": f"{line['solve_ratio']:7.2f}{line['total_ratio']:9.2f}",
        "double": f"{line['double_ratio']:7.2f}",
        "hypre": "",
    }
    for name, way in ways.items():
        side, ratio = line[name], ratios[name]
        print(
            f"{line['problem']:<9}{line['cells']:>5}  "
            f"{'hypre' if name == 'hypre' else 'gmg':<6}{way:<16}"
            f"{side['setup_seconds']:8.3f}{side['solve_seconds']:8.3f}"
            f"{side['cycles']:7d}{side['unknowns_per_second'] / 1e6:9.2f}"
            f"{side['relative_residual']:10.1e}  {ratio}",
            flush=True,
        )

    if line["one_pass"]:
        one = line["one_pass"]
        print(
            f"{line['problem']:<9}{line['cells']:>5}  gmg, one pass of full multigrid: "
            f"{one['solve_seconds']:.3f} s,"
            f" {one['unknowns_per_second'] / 1e6:.1f} M u/s; leaves "
            f"{one['algebraic_error']:.1e} beside a discretization error of"
            f" {one['discretization_error']:.1e}; {one['rate_ratio']:.1f} times the rate "
            f"of hypre's solve to 1e-10",
            flush=True,
        )


def main():
    parser = argparse.ArgumentParser(description="gmg and hypre side by side")
    parser.add_argument("gmg")
    parser.add_argument("hypre")
    parser.add_argument("--sizes", default="128,256")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--output", default="bench.json")
    options = parser.parse_args()
    options.folder = os.path.join(os.path.dirname(os.path.abspath(options.output)), "bench")
    os.makedirs(options.folder, exist_ok=True)
    print(
        f"{'problem':<9}{'N':>5}  "
        f"{'':<6}{'':<16}{'setup s':>8}{'solve s':>8}{'cycles':>7}{'M u/s':>9}{'residual':>10}"
        "  hypre/gmg: solve, setup+solve",
        flush=True,
    )
    lines = []
    for problem in PROBLEMS:
        known = {}
        for n in (int(size) for size in options.sizes.split(",")):
            line, known = compare(options, problem, n, known)
            lines.append(line)
            print_line(line)
    with open(options.output, "w", encoding="utf-8") as file:
        json.dump(lines, file, indent=1)
    slower = [f"{line['problem']} {line['cells']}" for line in lines if line["solve_ratio"] < 1]
    print(
        f"written: {options.output}"
        + (f"; slower than hypre on {', '.join(slower)}" if slower else "")
    )


if __name__ == "__main__":
    main()
