#!/usr/bin/env python3
"""Table 2 and figures 5, 6 and 8 of the paper of miniGMG and CUDA-CHiLL, measured with gmg and put
beside the paper's numbers: the target `bench-paper`.

usage: paper_figures.py --program NAME=GMG [--program NAME=GMG]... [--cells 256] [--budget 60]
                        [--gpu auto|yes|no|only] [--nvrtc NAME=FOLDER]... [--output DIRECTORY]
       paper_figures.py --from FILE.json [--from FILE.json]... [--output DIRECTORY]

For each smoother and coefficient of the paper, each program and each way (every kernel a sweep over
memory, as in the paper; several in one pass, as gmg does by itself) it runs `gmg tune --record`,
then `gmg bench` with the rules' choices and with the wisdom that was found. Choices are those of
the wisdom, times those of gmg bench. All programs compute on the CPU: two of them built by two
compilers make figure 8. The first one computes on a GPU too, where there is one, once for each
folder of --nvrtc, in which it finds its libnvrtc.so, or with the one that it finds by itself; with
--gpu only, that alone.

Writes DIRECTORY/paper.json (default: paper), from which --from draws again, on any machine; several
JSONs are drawn together. Then DIRECTORY/paper.md, DIRECTORY/paper-figure-5.png and so on, which
need matplotlib; --page FILE.md writes the page, and the pictures, elsewhere. What was not measured
is left out, and a line of the page says so.

Exit status: 0 done, 1 a run failed, 2 bad arguments, 4 matplotlib is not installed: paper.json and
the page are there."""
import argparse
import datetime
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile

import paper_numbers as paper
from paper_page import write_page

WAYS = {"alone": "none", "passes": "auto"}
NO_MATPLOTLIB = 4


def refuse(text):
    print(f"paper_figures.py: {text}", file=sys.stderr)
    sys.exit(2)


def read(path):
    with open(path, encoding="utf-8") as stream:
        return json.load(stream)


def pairs(parser, words, what):
    """NAME=PATH arguments as a dictionary of absolute paths."""
    found = {}
    for word in words:
        name, _, path = word.partition("=")
        if not path or not os.path.exists(path) or name in found:
            parser.error(f"{what} '{word}': expected NAME=PATH of something that is there, once")
        found[name] = os.path.abspath(path)
    return found


def parse():
    parser = argparse.ArgumentParser(
        description="The paper's table 2 and figures 5, 6 and 8, with gmg."
    )
    parser.add_argument("--program", action="append", default=[], metavar="NAME=GMG")
    parser.add_argument("--nvrtc", action="append", default=[], metavar="NAME=FOLDER")
    parser.add_argument("--gpu", choices=("auto", "yes", "no", "only"), default="auto")
    parser.add_argument("--cells", type=int, default=256, help="along an axis; default 256")
    parser.add_argument("--budget", type=int, default=60, help="seconds of a search; default 60")
    parser.add_argument("--repeats", type=int, default=5, help="solves of gmg bench; default 5")
    parser.add_argument("--seconds", type=int, default=2, help="to measure roofs for; default 2")
    parser.add_argument("--threads", type=int, help="of the CPU; default: OpenMP's")
    parser.add_argument("--only", action="append", choices=list(paper.COMBINATIONS))
    parser.add_argument("--way", action="append", choices=list(WAYS))
    parser.add_argument("--note", default="", help="a sentence on the machine, for the page")
    parser.add_argument("--from", dest="files", action="append", metavar="FILE.json")
    parser.add_argument("--output", default="paper", metavar="DIRECTORY")
    parser.add_argument("--page", metavar="FILE.md")
    asked = parser.parse_args()
    asked.program = pairs(parser, asked.program, "--program")
    asked.nvrtc = pairs(parser, asked.nvrtc, "--nvrtc")
    for folder in asked.nvrtc.values():
        if not os.path.exists(os.path.join(folder, "libnvrtc.so")):
            parser.error(f"--nvrtc: found {folder}, expected a folder with a libnvrtc.so")
    if bool(asked.program) == bool(asked.files):
        parser.error("expected --program or --from")
    if asked.cells < 1 << paper.LEVELS or asked.cells % (1 << paper.LEVELS):
        parser.error(
            f"--cells: a multiple of {1 << paper.LEVELS}, which {paper.LEVELS} levels need"
        )
    return asked


def environment(folder, library):
    """Of a run: no wisdom and no kernels of earlier ones, and where NVRTC is found."""
    changed = {**os.environ, "XDG_CACHE_HOME": os.path.join(folder, "cache")}
    if library:
        others = os.environ.get("LD_LIBRARY_PATH")
        changed["LD_LIBRARY_PATH"] = os.pathsep.join([library] + ([others] if others else []))
    return changed


def run(target, words):
    done = subprocess.run(
        [target["program"], *words], capture_output=True, text=True, env=target["environment"]
    )
    if done.returncode not in (0, 1):  # 1: ten cycles reach no tolerance
        what = f"gmg {' '.join(words)}: exit {done.returncode}: {done.stderr.strip()[-500:]}"
        print(f"paper_figures.py: {what}", file=sys.stderr)
        sys.exit(1)
    return done.stdout


def targets_of(asked, folder):
    """What computes: programs on the CPU, then the first one on a GPU."""
    targets = []
    for name, program in asked.program.items() if asked.gpu != "only" else ():
        targets.append({"name": name, "program": program, "backend": "openmp", "library": None})
    first = next(iter(asked.program.values()))
    for name, library in (asked.nvrtc or {"GPU": None}).items():
        target = {"name": name, "program": first, "backend": "cuda", "library": library}
        target["environment"] = environment(folder, library)
        if asked.gpu != "no" and "cuda: here" in run(target, ["info"]):
            targets.append(target)
        elif asked.gpu in ("yes", "only"):
            refuse(f"there is no GPU for {first}{f' with {library}' if library else ''}")
    for target in targets:
        target["environment"] = environment(folder, target["library"])
    return targets


def problem_of(asked, target, combination, way):
    """The paper's solve, in gmg's options: five levels that are tuned, and one below them."""
    case, smoother, smooths = paper.COMBINATIONS[combination]
    coarsest = (asked.cells >> paper.LEVELS) ** 3
    words = ["--case", case, "--cells", str(asked.cells), "--smoother", smoother]
    words += ["--pre", str(paper.SMOOTHS // smooths), "--post", str(paper.SMOOTHS // smooths)]
    words += ["--bottom", "sweeps", "--bottom-sweeps", str(paper.BOTTOM_SMOOTHS // smooths)]
    words += ["--bottom-cells", str(coarsest), "--cycle", "v", "--krylov", "none"]
    words += ["--rtol", "0", "--max-cycles", str(paper.CYCLES), "--precision", "double"]
    words += ["--passes", WAYS[way], "--backend", target["backend"]]
    if target["backend"] == "cuda":
        words += ["--coarse", "gpu", "--coarse-cells", str(coarsest)]
    elif asked.threads:
        words += ["--threads", str(asked.threads)]
    return words


def is_smooth(kernel):
    return re.fullmatch(r"\w+?7_(gauss_seidel(_sums)?|jacobi)", kernel["name"]) is not None


def smooth_of(level):
    """Of a level of gmg bench: a smooth, on the average over all calls of its kernels."""
    kernels = [kernel for kernel in level["kernels"] if is_smooth(kernel) and kernel["calls"]]
    if not kernels:
        return None
    calls = sum(kernel["calls"] for kernel in kernels)
    dearest = max(kernels, key=lambda kernel: kernel["seconds"])
    mean = {name: sum(k[name] for k in kernels) / calls for name in ("seconds", "bytes", "flops")}
    return {
        **mean,
        "kernel": "_".join(filter(None, (dearest["name"], dearest["variant"]))),
        "share": dearest["share"],
        "bound": dearest["bound"],
        "level_seconds": level["all"]["seconds"] + level["exchange_seconds"],
    }


def entry_of(wisdom, backend, cells, kernel):
    """What wisdom chose; {}: the rules' choices; None: it has nothing of the level."""
    subject = "levels " if backend == "openmp" else f"kernel {kernel}_f64"
    for entry in wisdom["entries"]:
        if entry["cells"] == cells and entry["subject"].startswith(subject):
            return entry["choice"]
    return None


def began_with(record, kernel, cells):
    """The shape of a GPU's kernel by default: what its search began with."""
    at = f"kernel {kernel}_f64"
    for search in record["searches"]:
        if search["subject"].startswith(at) and search["subject"].endswith(
            "x".join(map(str, cells))
        ):
            return dict(zip(search["choices"], search["begin"]["values"]))
    return None


def take(target, benches, wisdom, record):
    """One combination and way as an entry of paper.json."""
    levels = []
    for number, level in enumerate(benches["default"]["levels"][: paper.LEVELS]):
        one = {"cells": level["cells"]}
        for which, bench in benches.items():
            one[which] = smooth_of(bench["levels"][number])
        if not one["default"] or not one["tuned"]:
            continue
        kernel = one["default"]["kernel"]
        one["choice"] = entry_of(wisdom, target["backend"], level["cells"], kernel)
        one["began"] = began_with(record, kernel, level["cells"])
        levels.append(one)
    roofs = [
        roof
        for bench in benches.values()
        for roof in bench["roofs"]
        if (roof["backend"], roof["kind"], roof["cache"]) == (target["backend"], "triad", 0)
    ]
    machine = benches["default"]["machine"]
    of = [
        entry
        for entry in wisdom["entries"]
        if (entry["target"] == "cuda") == (target["backend"] == "cuda")
    ]
    return {
        "compiler": of[0]["compiler"] if of else "",
        "machine": of[0]["machine"] if of else machine.get("device", machine["instruction_set"]),
        "threads": machine["threads"],
        "triad": max(roof["rate"] for roof in roofs),
        "candidates": sum(len(search["candidates"]) for search in record["searches"]),
        "solve_seconds": {way: bench["solve"]["seconds"] for way, bench in benches.items()},
        "levels": levels,
    }


def measure_one(asked, target, combination, way, folder):
    words = problem_of(asked, target, combination, way)
    path = {name: os.path.join(folder, f"{name}.json") for name in ("wisdom", "record", "bench")}
    if os.path.exists(path["wisdom"]):
        os.remove(path["wisdom"])
    tune = ["tune", *words, "--budget", str(asked.budget), "--quiet"]
    run(target, [*tune, "--wisdom", path["wisdom"], "--record", path["record"]])
    benches = {}
    for which, wisdom in (("default", "none"), ("tuned", path["wisdom"])):
        bench = ["bench", *words, "--repeats", str(asked.repeats), "--seconds", str(asked.seconds)]
        run(target, [*bench, "--quiet", "--wisdom", wisdom, "--output", path["bench"]])
        benches[which] = read(path["bench"])
    return take(target, benches, read(path["wisdom"]), read(path["record"]))


def command_of(words):
    """Without the sentence of --note, which the page has by itself."""
    kept = [
        word
        for before, word in zip([""] + words, words)
        if "--note" not in (before, word.partition("=")[0])
    ]
    return shlex.join(["tests/bench/paper_figures.py", *kept])


def measure(asked, folder):
    begin = datetime.datetime.now()
    runs, targets = [], targets_of(asked, folder)
    # Targets run one after the other, so that what else the machine does falls on all of them.
    for combination in asked.only or paper.COMBINATIONS:
        for way in asked.way or WAYS:
            for target in targets:
                one = measure_one(asked, target, combination, way, folder)
                told = {"target": target["name"], "backend": target["backend"]}
                runs.append({**told, "combination": combination, "way": way, **one})
                spent = (datetime.datetime.now() - begin).total_seconds()
                print(f"{spent:5.0f} s  {target['name']}, {combination}, {way}", flush=True)
    return {
        "format": "gmg-paper",
        "version": 1,
        "date": begin.strftime("%Y-%m-%d"),
        "cells": asked.cells,
        "budget": asked.budget,
        "repeats": asked.repeats,
        "note": asked.note,
        "command": command_of(sys.argv[1:]),
        "runs": runs,
    }


def main():
    asked = parse()
    os.makedirs(asked.output, exist_ok=True)
    if asked.files:
        measured = [read(path) for path in asked.files]
    else:
        with tempfile.TemporaryDirectory() as folder:
            measured = [measure(asked, folder)]
        path = os.path.join(asked.output, "paper.json")
        with open(path, "w", encoding="utf-8") as stream:
            json.dump(measured[0], stream, indent=1, ensure_ascii=False)
        print(f"wrote {path}")
    for one in measured:
        if one.get("format") != "gmg-paper":
            refuse("--from: that is not a paper.json of this script")
    page = asked.page or os.path.join(asked.output, "paper.md")
    try:
        import matplotlib
    except ImportError:
        write_page(measured, page, [])
        print(
            "paper_figures.py: no pictures: install matplotlib for python3 (Debian: "
            "python3-matplotlib); --from paper.json draws them",
            file=sys.stderr,
        )
        return NO_MATPLOTLIB
    matplotlib.use("Agg")
    from paper_plots import draw_all

    write_page(measured, page, draw_all(measured, os.path.splitext(page)[0]))
    print(f"wrote {page}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
