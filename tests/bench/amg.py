#!/usr/bin/env python3
"""gmg and hypre's BoomerAMG side by side on coefficients that jump: the target `bench-amg`.

usage: amg.py GMG HYPRE_AMG [--sizes 64] [--cases WORD,…] [--repeats 3] [--cores 2]
[--output amg.json]

Problems are those of `gmg make`, right side 1, Dirichlet; both programs solve the same matrix,
which is assembled here, from zero to a relative residual of 1e-10 in the 2-norm: gmg with
--coarsening plain, owners and auto, one thread per core, hypre with conjugate gradients around
BoomerAMG, one rank per core. First all of hypre's settings (hypre_amg.c) run once; then all of
gmg's, hypre's HMIS with one aggressive level and its best setting take turns, and the least setup +
solve of each counts. Seconds are setup + solve, behind iterations; the ratios are hypre's seconds
over those of gmg by default (auto). The table is Markdown.
"""
import argparse
import json
import os
import subprocess
import sys

import h5py
import numpy

CASES = [
    ("cubes of 3³", "--case inclusions --ratio 1e3"),
    ("layers of 1", "--case layers --ratio 1e3"),
    ("sphere", "--case sphere --ratio 1e3"),
    ("checkerboard of 3³", "--case checkerboard --size 3 --ratio 1e3"),
    ("checkerboard of 4³", "--case checkerboard --ratio 1e3"),
    ("log-normal, σ = 2", "--case lognormal --sigma 2"),
    ("log-normal, σ = 3", "--case lognormal --sigma 3"),
    ("rods", "--case rods --ratio 1e3"),
    ("balls", "--case balls --ratio 1e3"),
]
STANDARD = "hmis-aggressive"
COARSENINGS = ("plain", "owners", "auto")
REACHED = 1.1e-10


def conductances(beta, axis):
    """Of the faces across an axis of cells of width 1, walls too: harmonic means."""
    beta = numpy.moveaxis(beta, axis, 0)
    faces = numpy.empty((beta.shape[0] + 1,) + beta.shape[1:])
    faces[1:-1] = 2 * beta[1:] * beta[:-1] / (beta[1:] + beta[:-1])
    faces[0], faces[-1] = 2 * beta[0], 2 * beta[-1]
    return numpy.moveaxis(faces, 0, axis)


def export(path, raw):
    """Writes the matrix and the right side of a problem file for hypre_amg."""
    with h5py.File(path) as file:
        cells = [int(count) for count in file["grid"].attrs["cells"]]
        beta, right_side = file["beta"][...], file["rhs"][...]
    diagonal, sides = numpy.zeros_like(beta), []
    for axis in (2, 1, 0):
        faces = conductances(beta, axis)
        low, high = (
            numpy.take(faces, range(first, first + cells[2 - axis]), axis) for first in (0, 1)
        )
        diagonal += low + high
        for side, wall in ((low, 0), (high, cells[2 - axis] - 1)):
            entry = -side
            numpy.moveaxis(entry, axis, 0)[wall] = 0
            sides.append(entry)
    with open(raw, "wb") as file:
        numpy.array(cells, dtype=numpy.int64).tofile(file)
        for array in (diagonal, *sides, right_side / cells[0] ** 2):
            array.astype(numpy.float64).tofile(file)


def run_gmg(options, path, coarsening):
    report = path.replace(".h5", ".report.json")
    done = subprocess.run(
        [options.gmg, "--input", path, "--coarsening", coarsening, "--report", report, "--quiet"],
        env=dict(os.environ, OMP_NUM_THREADS=str(options.cores)),
        check=False,
    )
    if done.returncode > 1:  # 1: not converged
        sys.exit(f"{' '.join(done.args)}: exit status {done.returncode}")
    with open(report, encoding="utf-8") as file:
        run = json.load(file)
    return {
        key: run[key] for key in ("cycles", "setup_seconds", "solve_seconds", "relative_residual")
    }


def run_hypre(options, raw, name=None):
    environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    command = ["mpirun", "-n", str(options.cores), "--oversubscribe", "--bind-to", "none"]
    done = subprocess.run(
        command + [options.hypre, raw] + ([name] if name else []),
        env=dict(environment, OMP_NUM_THREADS="1"),
        check=True,
        capture_output=True,
        text=True,
    )
    return json.loads(done.stdout)


def total(run):
    return run["setup_seconds"] + run["solve_seconds"]


def best(runs):
    """The fastest of those that reached the tolerance; of none, the one that came nearest."""
    reached = [run for run in runs if run["relative_residual"] <= REACHED]
    return (
        min(reached, key=total) if reached else min(runs, key=lambda run: run["relative_residual"])
    )


def compare(options, arguments, n):
    """The runs of one problem, by name."""
    path = os.path.join(options.folder, "amg.h5")
    raw = os.path.join(options.folder, "amg.bin")
    subprocess.run(
        [options.gmg, "make", *arguments.split(), "--cells", str(n), "--output"]
        + [path, "--quiet"],
        check=True,
    )
    export(path, raw)
    name = best(run_hypre(options, raw))["run"]
    runs = {way: [] for way in (*COARSENINGS, STANDARD, name)}
    for _ in range(options.repeats):
        for way in runs:
            ours = way in COARSENINGS
            runs[way] += [run_gmg(options, path, way)] if ours else run_hypre(options, raw, way)
    for leftover in (path, raw, path.replace(".h5", ".solution.h5")):
        os.remove(leftover)
    return {way: best(list_of) for way, list_of in runs.items()}, name


def entry(run):
    text = f"{run['cycles']}, {run['setup_seconds']:.3f} + {run['solve_seconds']:.3f}"
    reached = run["relative_residual"]
    return text if reached <= REACHED else f"{text}, to {reached:.0e} only"


def main():
    parser = argparse.ArgumentParser(description="gmg and BoomerAMG side by side")
    parser.add_argument("gmg")
    parser.add_argument("hypre")
    parser.add_argument("--sizes", default="64")
    parser.add_argument("--cases", default="", help="words of the cases to run; all")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--output", default="amg.json")
    options = parser.parse_args()
    options.folder = os.path.join(os.path.dirname(os.path.abspath(options.output)), "bench")
    os.makedirs(options.folder, exist_ok=True)
    words = [word for word in options.cases.split(",") if word]
    lines = []
    print(
        "| problem, ratio 1e3 | cells | plain | owners | auto "
        "| BoomerAMG, HMIS, 1 aggressive level | its best setting | ratios |\n"
        "|---|---|---|---|---|---|---|---|",
        flush=True,
    )
    for n in (int(size) for size in options.sizes.split(",")):
        for case, arguments in CASES:
            if words and not any(word in case for word in words):
                continue
            runs, name = compare(options, arguments, n)
            ratios = [total(runs[way]) / total(runs["auto"]) for way in (STANDARD, name)]
            columns = [entry(runs[way]) for way in (*COARSENINGS, STANDARD, name)]
            columns[-1] = f"{name}: {columns[-1]}"
            print(
                f"| {case} | {n}³ | {' | '.join(columns)} | {ratios[0]:.1f}, {ratios[1]:.1f} |",
                flush=True,
            )
            lines.append({"case": case, "cells": n, "best": name, "runs": runs})
    with open(options.output, "w", encoding="utf-8") as file:
        json.dump(lines, file, indent=1)
    print(f"written: {options.output}")


if __name__ == "__main__":
    main()
