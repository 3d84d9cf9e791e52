#!/usr/bin/env python3
"""Several steps at once, beside steps one by one: the target `bench-steps`, and on a GPU.

usage: steps.py GMG [--threads N] [--cells 192] [--plane 4096] [--rounds 5] [--budget 120]
                [--folder steps] [--picture FILE.png] [--json FILE]
                [--backend openmp|cuda] [--programs FOLDER]
       steps.py GMG --make FOLDER               compiles the programs, for machines without gmg-gen
       steps.py --draw CPU.json GPU.json PICTURE.png

Linear programs, whose steps are taken one by one, by default (in three dimensions several in one
pass over memory; on a GPU two in one pass in two dimensions, which count as one by one there), as
`gmg tune` finds it the fastest (steps of a pass, boxes, steps per exchange), composed (--compose M,
M = 2 to 5), and on CPUs all at once (--method fft). All in turns, each with as many steps as it
takes in --seconds, found by a run that is not counted; a step's time is the median over the rounds
of that of steps after a run's first call, of fft that of a run.
Printed, and drawn beside what the thesis on time-augmented stencils found on GPUs: the time of a
step over that of one by one; from how many steps on transforms pay. Exit status 1: a run failed.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
EXAMPLES = os.path.join(HERE, "..", "..", "examples", "programs")
# file, what it is called, whether it is a plane
PROGRAMS = [
    (os.path.join(HERE, "programs", "plate.stencil"), "2-D star, 5 points", True),
    (os.path.join(EXAMPLES, "heat3d.stencil"), "star, 7 points", False),
    (os.path.join(EXAMPLES, "heat13.stencil"), "star, 13 points", False),
    (os.path.join(HERE, "programs", "smooth27_double.stencil"), "dense, 27 points", False),
]
# The thesis' least time of a composed step over a single one, and at which m (T4 and K80).
THESIS = {
    "2-D star, 5 points": (5, 0.4),
    "star, 7 points": (2, 1 / 1.5),
    "star, 13 points": (2, 1 / 1.15),
    "dense, 27 points": (2, 1 / 1.16),
}
COMPOSED = (2, 3, 4, 5)
LEAST_STEPS = 120  # a multiple of each of them
FFT_STEPS = 100


def call(options, *words):
    environment = dict(os.environ, OMP_NUM_THREADS=str(options.threads))
    return subprocess.run(
        [options.gmg, *words], env=environment, capture_output=True, text=True, check=False
    )


def run(options, path, cells, steps, *words):
    """The report of a run; None where it is refused, with what was said."""
    report, result = (os.path.join(options.folder, name) for name in ("r.json", "r.h5"))
    words = ["run", path, "--cells", cells, "--steps", str(steps), *words]
    words += ["--backend", options.backend]
    done = call(options, *words, "--report", report, "--output", result, "--quiet")
    if done.returncode:
        return None, done.stderr.strip().splitlines()[-1] if done.stderr.strip() else "?"
    with open(report, encoding="utf-8") as file:
        return json.load(file), ""


def step_time(report):
    return report["further_seconds"] / report["further_steps"]


def compiled(folder, path, m):
    return os.path.join(folder, f"{os.path.basename(path).split('.')[0]}_{m}.so")


def make(options):
    os.makedirs(options.make, exist_ok=True)
    for path, *_ in PROGRAMS:
        for m in (1, *COMPOSED):
            words = ["--compose", str(m)] if m > 1 else []
            to = compiled(options.make, path, m)
            done = call(options, "run", path, "--compile", to, "--quiet", *words)
            print(to if done.returncode == 0 else f"{to}: {done.stderr.strip()[-200:]}")


def ways_of(options, path, cells):
    """By way: the program's file, and options of `gmg run`."""
    wisdom = os.path.join(options.folder, "wisdom.json")
    files = {m: path for m in (1, *COMPOSED)}
    if options.programs:
        files = {m: compiled(options.programs, path, m) for m in files}
    words = ["tune", files[1], "--cells", cells, "--wisdom", wisdom, "--backend", options.backend]
    tuned = call(options, *words, "--budget", str(options.budget))
    last = [line for line in tuned.stdout.splitlines() if line.strip()][-3:]
    print("\n".join("    " + line for line in last + tuned.stderr.splitlines()), flush=True)
    ways = {1: (files[1], ["--wisdom", "none"]), "tuned": (files[1], ["--wisdom", wisdom])}
    if options.backend == "openmp":
        ways["default"] = ways[1]
        ways[1] = (files[1], ["--wisdom", "none", "--steps-per-pass", "1"])
    for m in COMPOSED:
        if os.path.exists(files[m]):
            ways[m] = (files[m], ["--wisdom", "none", "--compose", str(m)])
    if options.backend == "openmp":
        ways["fft"] = (files[1], ["--wisdom", "none", "--method", "fft"])
    return ways


def measure(options, path, cells):
    """By way: seconds of a step, or by fft of a run, in each round; and what is refused."""
    ways = ways_of(options, path, cells)
    times, counts, refused = {way: [] for way in ways}, {"fft": FFT_STEPS}, {}
    for turn in range(options.rounds + 1):
        for way, (file, words) in ways.items():
            if way in refused:
                continue
            report, why = run(options, file, cells, counts.get(way, LEAST_STEPS), *words)
            if not report:
                refused[way] = why
            elif turn > 0:
                times[way].append(report["run_seconds"] if way == "fft" else step_time(report))
            elif way != "fft":
                parts = int(options.seconds / step_time(report)) // LEAST_STEPS
                counts[way] = LEAST_STEPS * max(1, parts)
        if 1 in refused:
            sys.exit(f"{path}: {refused[1]}")
    return {way: statistics.median(found) for way, found in times.items() if found}, refused


def show(name, cells, found, refused):
    one = found[1]
    print(f"{name}, {cells} cells: {1e3 * one:.3f} ms a step")
    for way, seconds in found.items():
        if way == "fft":
            print(
                f"    {FFT_STEPS} steps at once {seconds:8.3f} s: pays from"
                f" {int(seconds / found.get('tuned', one)) + 1} steps on"
                f" ({int(seconds / one) + 1} against one by one)"
            )
        elif way != 1:
            label = {"tuned": "as tuned", "default": "by default"}.get(way, f"{way} composed")
            print(f"    {label:<14} {1e3 * seconds:8.3f} ms, {seconds / one:.3f} of one by one")
    for way, why in refused.items():
        print(f"    {way}: {why[:150]}")
    composed = [found[m] for m in COMPOSED if m in found]
    if composed and min(composed) >= found.get("tuned", one):
        print("    composing does not pay")
    sys.stdout.flush()


def draw(machines, path):
    """machines: (title, results by program) of each."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    colours = ["#1f4e79", "#d1793b", "#4a9d6f", "#8d5a97"]
    figure, all_axes = plt.subplots(
        1, len(machines), figsize=(1 + 5 * len(machines), 4.2), layout="constrained", squeeze=False
    )
    for axes, (title, results) in zip(all_axes[0], machines):
        axes.grid(True, axis="y", color="#e6e6e6", lw=0.6, zorder=0)
        for (name, found), colour in zip(results.items(), colours):
            m = [m for m in (1, *COMPOSED) if m in found]
            axes.plot(m, [found[x] / found[1] for x in m], "o-", color=colour, label=name, ms=4)
            if "tuned" in found:
                axes.axhline(found["tuned"] / found[1], color=colour, lw=1, ls=":")
            place, least = THESIS[name]
            axes.plot([place], [least], "*", color=colour, ms=11, markeredgecolor="black", mew=0.4)
        axes.axhline(1, color="black", lw=0.8)
        axes.set_yscale("log")
        ticks = [0.4, 0.6, 0.8, 1, 2, 4, 8, 16, 32, 64]
        axes.set_yticks(ticks, [f"{tick:g}" for tick in ticks], minor=False)
        axes.set_yticks([], minor=True)
        axes.set_xticks((1, *COMPOSED))
        axes.set_title(title, fontsize=10)
        axes.set_xlabel("m, steps composed", fontsize=9)
    all_axes[0][0].set_ylabel("time of a step over that of one by one")
    all_axes[0][0].legend(frameon=False, fontsize=8, loc="upper left")
    figure.supxlabel("dotted: one by one, as tuned; stars: the thesis, on GPUs", fontsize=8)
    figure.savefig(path, dpi=120)


def read(path):
    with open(path, encoding="utf-8") as file:
        said = json.load(file)
    programs = {
        name: {int(way) if way.isdigit() else way: time for way, time in found.items()}
        for name, found in said["programs"].items()
    }
    return said["title"], programs


def main():
    if "--draw" in sys.argv:
        *results, picture = sys.argv[sys.argv.index("--draw") + 1 :]
        return draw([read(path) for path in results], picture)
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("gmg")
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--cells", default="192")
    parser.add_argument("--plane", default="4096")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=2)
    parser.add_argument("--budget", type=int, default=120)
    parser.add_argument("--backend", default="openmp")
    parser.add_argument("--programs")
    parser.add_argument("--make")
    parser.add_argument("--folder", default="steps")
    parser.add_argument("--picture")
    parser.add_argument("--json")
    options = parser.parse_args()
    if options.make:
        return make(options)
    os.makedirs(options.folder, exist_ok=True)
    results = {}
    for path, name, is_plane in PROGRAMS:
        cells = options.plane if is_plane else options.cells
        found, refused = measure(options, path, cells)
        show(name, cells, found, refused)
        results[name] = found
    title = "a GPU" if options.backend == "cuda" else f"a CPU, {options.threads} threads"
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump({"title": title, "programs": results}, file, indent=1)
    if options.picture:
        draw([(title, results)], options.picture)
    return 0


if __name__ == "__main__":
    sys.exit(main())
