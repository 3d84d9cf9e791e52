#!/usr/bin/env python3
"""Mint's figure 8 on a GPU: what each level of `gmg-gen --from mint --standalone --opt` gains.

usage: mint_levels.py --make GMG_GEN FOLDER                write the CUDA files, and compile nothing
       mint_levels.py FOLDER [--steps PROGRAM_STEPS] [--cells 254] [--plane 8190] [--json FILE]
       mint_levels.py --draw FILE.json PICTURE.png         needs matplotlib

FOLDER holds what --make wrote. The five kernels of Mint's paper, at every level with the paper's
tiles, and levels 3 and 4 with more of them, are built by nvcc and timed: the time between the
copies to the device and from it (mint/copy_timer.h) over the number of steps, the lesser of two
runs. Before, all must have the bits of level 0. With --steps the same kernels as this library runs
them, tuned, are timed in the same run by tests/bench/program_steps.c.
Exit status: 0, or 1 where bits differ or something does not run.
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
LISTED = os.path.join(HERE, "..", "gen", "directives")
# Where each is, and what program_steps.c calls it and prints of it.
KERNELS = {
    "heat5": ("mint", "heat2d", "heat, 2-D"),
    "heat7": (LISTED, "heat3d", "heat, 7 points"),
    "variable7": (LISTED, "variable7", "variable, 7 points"),
    "poisson7": (LISTED, "poisson7", "Poisson, 7 points"),
    "poisson19": ("mint", "poisson19", "Poisson, 19 points"),
}
PAPER_TILES = {0: (16, 16, 1), 1: (16, 16, 1), 2: (16, 16, 64), 3: (16, 16, 64), 4: (16, 16, 64)}
MORE_TILES = [(32, 8, 32), (64, 8, 32), (128, 4, 64)]
# At level 0, of some points along z.
FEW_TILES = [(64, 4, 1), (32, 8, 2), (32, 8, 4), (64, 4, 4), (128, 2, 4), (64, 4, 8)]
FEW_TILES += [(64, 2, 2), (64, 8, 1), (128, 1, 1), (128, 4, 1), (256, 2, 1), (32, 4, 2), (32, 8, 8)]
STEPS = 200


def variants():
    for name in KERNELS:
        for level, tile in PAPER_TILES.items():
            yield name, level, tile
        for tile in FEW_TILES:
            yield name, 0, tile
        for tile in MORE_TILES:
            yield name, 3, tile
            yield name, 4, tile


def file_of(folder, name, level, tile):
    return os.path.join(folder, "%s_%d_%s" % (name, level, "x".join(map(str, tile))))


def make(gen, folder):
    os.makedirs(folder, exist_ok=True)
    for name, level, tile in variants():
        with open(os.path.join(HERE, KERNELS[name][0], name + ".c")) as file:
            text = file.read()
        flat = name == "heat5"
        clause = (
            "nest(2) tile(%d, %d)" % tile[:2]
            if flat
            else "nest(3) tile(%d, %d, %d) chunksize(1, 1, %d)" % (*tile, tile[2])
        )
        text, found = re.subn(r"(#pragma mint for) .*", r"\1 " + clause, text)
        if found != 1:
            sys.exit("%s: %d loops with directives, where one is expected" % (name, found))
        made = file_of(folder, name, level, tile)
        with open(made + ".c", "w") as file:
            file.write(text)
        command = [gen, made + ".c", "--from", "mint", "-I", LISTED, "--standalone"]
        ended = subprocess.run(
            command + ["--opt", str(level), "-o", made + ".cu"], capture_output=True, text=True
        )
        if ended.returncode:  # a block of threads that no device has, or memory
            print(os.path.basename(made), "left out:", ended.stderr.strip())


def build(path):
    command = ["nvcc", "-O3", "-arch=native", "-fmad=false", "-w", "-I", LISTED]
    command += ["-include", os.path.join(HERE, "mint", "copy_timer.h"), path + ".cu", "-o", path]
    ended = subprocess.run(command, capture_output=True, text=True)
    return ended.stderr.strip() if ended.returncode else ""


def run(path, size, steps, output="/dev/null"):
    """Seconds on the device, or None."""
    command = [path, output, *map(str, size), str(steps)]
    eager = dict(os.environ, CUDA_MODULE_LOADING="EAGER")  # not in the first launch
    ended = subprocess.run(command, capture_output=True, text=True, env=eager)
    found = re.search(r"^seconds (\S+)", ended.stdout, re.M)
    return float(found.group(1)) if ended.returncode == 0 and found else None


def bits(path, size):
    if os.path.exists(path + ".out"):
        os.remove(path + ".out")
    if run(path, size, 3, path + ".out") is None:
        return None
    with open(path + ".out", "rb") as file:
        found = hashlib.sha256(file.read()).hexdigest()
    os.remove(path + ".out")
    return found


def microseconds(path, size):
    """Of a step."""
    times = [run(path, size, STEPS) for _ in range(2)]
    return None if None in times else 1e6 * min(times) / STEPS


def tuned(program, cells, plane):
    names = ",".join(["copy"] + [of_steps for _, of_steps, _ in KERNELS.values()])
    command = [program, "--cells", str(cells), "--plane", str(plane), "--programs", names]
    text = subprocess.run(command, capture_output=True, text=True).stdout
    print(text, end="")
    times = dict(re.findall(r"^(\S.{0,19}?) +\d+\^\d +([\d.]+) us", text, re.M))
    return {name: float(times[shown]) for name, (*_, shown) in KERNELS.items() if shown in times}


def measure(options):
    folder, failures, result = options.folder, 0, {"cells": options.cells, "times": {}}
    made = [v for v in variants() if os.path.exists(file_of(folder, *v) + ".cu")]
    paths = [file_of(folder, *v) for v in made]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for path, message in zip(paths, pool.map(build, paths)):
            if message:
                print(path, message)
                failures += 1
        small = [(75, 61, 1) if v[0] == "heat5" else (70, 45, 39) for v in made]
        found = dict(zip(made, pool.map(bits, paths, small)))
    for (name, level, tile), path in zip(made, paths):
        size = (options.plane, options.plane, 1) if name == "heat5" else (options.cells,) * 3
        if name == "variable7":  # its sizes count the ghosts
            size = tuple(n + 2 for n in size)
        if (
            not found[name, level, tile]
            or found[name, level, tile] != found[name, 0, PAPER_TILES[0]]
        ):
            print("FAILED", os.path.basename(path), "has other bits than level 0, or does not run")
            failures += 1
            continue
        time = microseconds(path, size)
        print("%-10s --opt %d  tile %-12s %9.1f us" % (name, level, tile, time or 0), flush=True)
        result["times"].setdefault(name, []).append([level, tile, time])
    if options.steps:
        result["tuned"] = tuned(options.steps, options.cells, options.plane)
    if options.json:
        with open(options.json, "w") as file:
            json.dump(result, file, indent=1)
    print(failures, "failures")
    return failures > 0


def draw(source, picture):
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    with open(source) as file:
        result = json.load(file)
    figure, axes = plt.subplots(figsize=(8, 3.6), layout="constrained")
    axes.grid(True, axis="y", color="#e6e6e6", lw=0.6, zorder=0)
    colours = ["#c9d9e8", "#8fb3d4", "#4a86b8", "#1f4e79", "#d1793b", "#4a9d6f"]
    labels = ["--opt 1", "--opt 2", "--opt 3", "--opt 4", "best tile", "gmg run, tuned"]
    for place, (name, times) in enumerate(result["times"].items()):
        base = times[0][2]
        paper = {level: time for level, tile, time in times if tuple(tile) == PAPER_TILES[level]}
        bars = [paper.get(level) for level in (1, 2, 3, 4)] + [min(time for *_, time in times)]
        bars.append(result.get("tuned", {}).get(name))
        for n, time in enumerate(bars):
            if time:
                label = labels[n] if place == 0 else None
                x = place + (n - 2.5) * 0.14
                axes.bar(x, base / time, 0.13, color=colours[n], label=label, zorder=2)
    axes.axhline(1, color="black", lw=0.8)
    axes.set_xticks(range(len(result["times"])), list(result["times"]))
    axes.set_ylabel("speed over --opt 0")
    axes.legend(ncols=6, loc="upper center", bbox_to_anchor=(0.5, 1.14), frameon=False, fontsize=8)
    figure.savefig(picture, dpi=120)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder")
    parser.add_argument("more", nargs="?")
    parser.add_argument("--make", action="store_true")
    parser.add_argument("--draw", action="store_true")
    parser.add_argument("--steps")
    parser.add_argument("--cells", type=int, default=254)
    parser.add_argument("--plane", type=int, default=8190)
    parser.add_argument("--json")
    options = parser.parse_args()
    if options.make:
        return make(options.folder, options.more)
    if options.draw:
        return draw(options.folder, options.more)
    return measure(options)


if __name__ == "__main__":
    sys.exit(main())
