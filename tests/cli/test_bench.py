#!/usr/bin/env python3
# sanitizers: no
# gmg bench on small problems: what it writes is complete and of one piece, no share is above 100 %,
# wrong arguments are refused, and plots are drawn, or it says why not. Precondition: gmg make
# works. What must vanish: the failures. On several ranks only where the build has MPI.
"""usage: test_bench.py GMG GMG_GEN SOURCE_DIR"""
import json
import os
import subprocess
import sys
import tempfile

GMG = os.path.abspath(sys.argv[1])
NUMBER = (int, float)
QUICK = ["--seconds", "1", "--repeats", "2"]
# Clocks are read once in a while, and the caches of a busy machine change.
MOST_SHARE = 1.1
MACHINE = {
    "ranks": int,
    "threads": int,
    "instruction_set": str,
    "roof_instructions": str,
    "cache_bytes": list,
    "nominal_cache_bytes": list,
    "memory_arrays": NUMBER,
    "bounded": bool,
}
SOLVE = {
    "status": str,
    "cycles": int,
    "repeats": int,
    "seconds": NUMBER,
    "median_seconds": NUMBER,
    "slowest_seconds": NUMBER,
    "setup_seconds": NUMBER,
    "kernel_seconds": NUMBER,
    "exchange_seconds": NUMBER,
    "waiting_seconds": NUMBER,
    "host_seconds": NUMBER,
    "bound_seconds": NUMBER,
    "bound": str,
    "share": NUMBER,
    "moved_bytes": NUMBER,
    "flops": NUMBER,
    "kernels_timed_apart": bool,
}
KERNEL = {
    "name": str,
    "variant": str,
    "bits": int,
    "calls": NUMBER,
    "seconds": NUMBER,
    "bytes": NUMBER,
    "moved_bytes": NUMBER,
    "flops": NUMBER,
    "fused_calls": NUMBER,
    "touched_bytes": NUMBER,
    "bound_seconds": NUMBER,
    "bound": str,
    "share": NUMBER,
}
LEVEL = {
    "cells": list,
    "boxes": int,
    "ranks": int,
    "backend": str,
    "passes": bool,
    "all": dict,
    "exchange_seconds": NUMBER,
    "exchange_calls": NUMBER,
    "kernels": list,
}
ROOT = {
    "format": str,
    "version": int,
    "gmg": str,
    "problem": dict,
    "options": dict,
    "machine": dict,
    "roofs": list,
    "solve": dict,
    "levels": list,
    "fallbacks": list,
}
failures = []


def expect(condition, text):
    if not condition:
        failures.append(text)
        print(f"FAILED {text}")


def has(where, found, fields):
    for name, kind in fields.items():
        good = name in found and isinstance(found[name], kind)
        expect(good, f"{where}: {name} is {found.get(name)!r}, expected {kind}")


def run(status, *words, ranks=0, environment=None):
    launcher = ["mpirun", "-n", str(ranks), "--oversubscribe", "--bind-to", "none"] if ranks else []
    done = subprocess.run(
        [*launcher, GMG, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        timeout=200,
        env={**os.environ, **(environment or {})},
    )
    what = f"gmg {' '.join(words)} exits with {status}, not {done.returncode}: {done.stderr[-500:]}"
    expect(done.returncode == status, what)
    return done


def check_kernel(where, kernel):
    has(where, kernel, KERNEL)
    expect(kernel["backend"] == "openmp", f"{where}: {kernel['backend']}")
    expect(kernel["calls"] > 0 and kernel["seconds"] >= 0, f"{where}: it ran")
    expect(kernel["fused_calls"] <= kernel["calls"], f"{where}: fused calls are calls")
    expect(kernel["moved_bytes"] <= 2 * kernel["bytes"] + 1, f"{where}: moved no more than twice")
    expect(kernel["bound"] in ("L1", "L2", "L3", "memory", "fma"), f"{where}: {kernel['bound']}")
    expect(0 <= kernel["share"] <= MOST_SHARE, f"{where}: share {kernel['share']}")


def check_roofs(roofs):
    rate = {}
    for roof in roofs:
        has("roof", roof, {"backend": str, "kind": str, "cache": int, "threads": int})
        expect(roof["rate"] > 0, f"roof {roof}")
        key = roof["kind"], roof["cache"]
        rate[key] = max(rate.get(key, 0), roof["rate"])
    for kind in ("copy", "triad", "read"):
        expect((kind, 0) in rate, f"no {kind} of memory")
        expect(rate.get((kind, 1), 1e30) > rate.get((kind, 0), 0), f"{kind}: L1 is no slower")
    for kind in ("fma_double", "fma_float"):
        expect(rate.get((kind, 0), 0) > 1e8, f"{kind}: {rate.get((kind, 0))}")


def check_file(path, ranks, cells):
    with open(path, encoding="utf-8") as stream:
        bench = json.load(stream)
    has("root", bench, ROOT)
    has("machine", bench["machine"], MACHINE)
    has("solve", bench["solve"], SOLVE)
    expect(bench["format"] == "gmg-bench" and bench["version"] == 1, "format and version")
    expect(bench["machine"]["ranks"] == ranks, f"{ranks} ranks")
    expect(bench["problem"]["cells"] == cells == bench["levels"][0]["cells"], "cells")
    check_roofs(bench["roofs"])
    solve = bench["solve"]
    parts = sum(solve[part + "_seconds"] for part in ("kernel", "exchange", "waiting", "host"))
    expect(abs(parts - solve["seconds"]) <= 0.02 * solve["seconds"], "the parts are the solve")
    expect(solve["seconds"] <= solve["median_seconds"] <= solve["slowest_seconds"], "the fastest")
    expect(0 < solve["share"] <= MOST_SHARE, f"share {solve['share']}")
    moved = 0
    # cycles end at the first level of two cells along the longest axis, which is solved exactly
    last = next(n for n, level in enumerate(bench["levels"]) if max(level["cells"]) <= 2)
    for number, level in enumerate(bench["levels"]):
        has(f"level {number}", level, LEVEL)
        names = [(kernel["name"], kernel["variant"], kernel["bits"]) for kernel in level["kernels"]]
        expect(len(names) == len(set(names)), f"level {number}: each kernel once")
        expect(
            bool(names) == (number <= last) and "exchange" not in names,
            f"level {number}: it has kernels, if cycles visit it",
        )
        for kernel in level["kernels"]:
            check_kernel(f"level {number}, {kernel['name']}", kernel)
        for field in ("seconds", "bytes", "moved_bytes", "flops", "calls"):
            both = sum(kernel[field] for kernel in level["kernels"]), level["all"][field]
            expect(abs(both[0] - both[1]) <= 1e-6 * abs(both[1]), f"level {number}: {field} {both}")
        moved += level["all"]["moved_bytes"]
        expect(level["all"]["share"] <= MOST_SHARE, f"level {number}: {level['all']['share']}")
    expect(abs(moved - solve["moved_bytes"]) <= 1e-6 * moved, "levels move what the solve moves")
    finest = bench["levels"][0]["all"]["moved_bytes"]
    count = cells[0] * cells[1] * cells[2]
    expect(finest >= 2 * 4 * count * solve["cycles"], "u is read and written in every cycle")
    return bench


def refuses(words, *arguments):
    done = run(2, "bench", *arguments)
    expect(words in done.stderr, f"bench {' '.join(arguments)}: '{words}' in '{done.stderr}'")
    expect(done.stderr.count("\n") == 1, f"bench {' '.join(arguments)}: one line")


def check_refusals():
    refuses("needs a problem")
    refuses("none-such.h5", "none-such.h5")
    refuses("there is one already", "problem.h5", "--cells", "8")
    refuses("--cells", "--cells", "eight")
    refuses("'smoot' is not one of", "--cells", "8", "--case", "smoot")
    refuses("--ratio is of the cases", "--cells", "8", "--ratio", "5")
    refuses("nearest is --repeats", "--cells", "8", "--repeat", "3")
    refuses("--repeats", "--cells", "8", "--repeats", "0")
    refuses("--seconds", "--cells", "8", "--seconds", "none")
    refuses("--rtol", "--cells", "8", "--rtol", "2x")
    refuses("named twice", "--cells", "8", "--output", "a.png", "--plot", "a.png")
    refuses("No such file", "--cells", "8", "--output", "none/such.json")
    refuses("needs a value", "--cells")


def check_plots(folder):
    words = ["bench", "--cells", "12", *QUICK, "--plot", "roof.png", "--levels", "levels.png"]
    missing = os.path.join(folder, "missing")
    os.mkdir(missing)
    with open(os.path.join(missing, "matplotlib.py"), "w", encoding="utf-8") as stream:
        stream.write("raise ImportError('as if it were not installed')\n")
    done = run(0, *words, environment={"PYTHONPATH": missing})
    expect("install matplotlib" in done.stderr, f"what to install: {done.stderr}")
    expect(os.path.exists("roof.json") and not os.path.exists("roof.png"), "the JSON alone")
    done = run(0, *words, "--quiet")
    expect(done.stdout == "", "nothing is printed")
    drawn = [path for path in ("roof.png", "levels.png") if os.path.exists(path)]
    for path in drawn:
        with open(path, "rb") as stream:
            expect(stream.read(8) == b"\x89PNG\r\n\x1a\n", f"{path} is a picture")
    expect(len(drawn) == 2 or "install matplotlib" in done.stderr, f"drawn: {drawn} {done.stderr}")
    print(f"{len(drawn)} pictures drawn")


def main():
    build_has_mpi = "MPI                none" not in run(0, "info").stdout
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        run(0, "make", "--case", "sine", "--cells", "16", "--output", "problem.h5", "--quiet")
        done = run(0, "bench", "--cells", "72", *QUICK, "--output", "cells.json")
        check_file("cells.json", 1, [72, 72, 72])
        for words in (
            "roofs ",
            "multiply-adds",
            "level 0, 72 x 72 x 72",
            "bound      ",
            "% of that",
        ):
            expect(words in done.stdout, f"'{words}' is printed")
        run(0, "bench", "problem.h5", *QUICK, "--output", "file.json", "--pre", "1", "--quiet")
        bench = check_file("file.json", 1, [16, 16, 16])
        expect(bench["options"]["pre"] == "1", "the solver's options are taken")
        expect(bench["problem"]["name"] == "problem.h5", "the problem's name")
        words = [
            "--cells",
            "20,18,10",
            "--case",
            "sphere",
            "--ratio",
            "50",
            "--boundary",
            "neumann",
        ]
        run(0, "bench", *words, *QUICK, "--output", "case.json", "--quiet")
        check_file("case.json", 1, [20, 18, 10])
        done = run(1, "bench", "--cells", "16", *QUICK, "--max-cycles", "1", "--quiet")
        if build_has_mpi:
            words = ["bench", "--cells", "24", *QUICK, "--threads", "1", "--output", "ranks.json"]
            run(0, *words, ranks=2)
            check_file("ranks.json", 2, [24, 24, 24])
        check_refusals()
        check_plots(folder)
        os.chdir("/")
    print(f"{len(failures)} failures")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
