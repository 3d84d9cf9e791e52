#!/usr/bin/env python3
# sanitizers: no
# needs: mpi
# gmg run of C with directives. Preconditions: a C compiler, h5py. What must vanish: the cells that
# differ, in any bit, between what a file of tests/gen/directives computes as its author compiles
# it, without contraction, and what gmg run makes of it in plain arithmetic on 1, 2, 5 and 8 ranks;
# the differences beyond 1e-13 in the arithmetic that kernels have otherwise; wrong command lines
# that are not refused.
"""usage: test_directives.py GMG GMG_GEN SOURCE_DIR"""

import os
import subprocess
import sys
import tempfile

import h5py
import numpy as np

GMG, SOURCE = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[3])
LISTED = os.path.join(SOURCE, "tests", "gen", "directives")
STEPS = 5
# name: cells along x, y, z; arrays in the order of the file that the program saves; parameters
# that the text leaves open
RUNS = {
    "heat7": ((17, 12, 9), ["U", "Unew"], ""),
    "heat5": ((13, 9), ["u", "v"], ""),
    "poisson7": ((9, 11, 6), ["u", "u_new", "b"], ""),
    "variable7": ((7, 10, 12), ["u", "w", "kappa", "b"], "c=0.03"),
    "poisson19": ((10, 10, 10), ["b", "v", "u"], "c0=0.75"),
    "smooth9": ((11, 8), ["u", "v"], ""),
    "panda_heart": ((8, 8, 8), ["E", "E_prev", "R"], "alpha=0.0167,dt=0.0815"),
    "heart": ((12, 7, 9), ["E", "E_prev", "R"], "alpha=0.0167,dt=0.0815"),
    "front": ((12, 7, 9), ["u", "w", "s"], "c=0.3"),
    "front_float": ((12, 7, 9), ["u", "w", "s"], "c=0.3"),
}
SINGLE = ["front_float"]  # these files compute in single precision
# ranks, cells of a box (0: one box per rank), threads
WAYS = [(1, 0, 2), (2, 4, 1), (5, 0, 1), (8, 3, 1)]
faults = []


def expect(good, what):
    if not good:
        faults.append(what)


def own_arrays(name, steps):
    """What the file computes itself, each array with its ghosts."""
    cells, arrays, _ = RUNS[name]
    if not os.path.exists(name):
        words = ["cc", "-O2", "-w", "-std=gnu11", "-ffp-contract=off", f"{LISTED}/{name}.c"]
        subprocess.run([*words, "-o", name, "-lm"], check=True)
    path = f"{name}.{steps}"
    sizes = [*cells, 1][:3]
    subprocess.run([f"./{name}", path, *map(str, sizes), str(steps)], check=True)
    kind = np.float32 if name in SINGLE else np.float64
    return np.fromfile(path, kind).reshape([len(arrays), *(n + 2 for n in reversed(cells))])


def run(name, way, *words):
    cells, _, parameters = RUNS[name]
    ranks, box, threads = way
    launcher = ["mpirun", "--oversubscribe", "--bind-to", "none", "-n", str(ranks)]
    words = [*words, "--cells", ",".join(map(str, cells)), "--threads", str(threads)]
    words += ["--set", parameters] if parameters else []
    words += ["--box", str(box)] if box else []
    language = "panda" if name.startswith("panda") else "mint"
    words = [GMG, "run", f"{LISTED}/{name}.c", "--from", language, *words, "--quiet"]
    done = subprocess.run(
        (launcher if ranks > 1 else []) + words, capture_output=True, text=True, check=False
    )
    expect(done.returncode == 0, f"{name}, {way}: {done.stderr}")
    return done.returncode == 0


def check(name):
    cells, arrays, _ = RUNS[name]
    inside = (slice(1, -1),) * len(cells)
    flat = (1, *reversed(cells))[-3:]
    before, wanted = own_arrays(name, 0), own_arrays(name, STEPS)
    with h5py.File("in.h5", "w") as file:
        for n, array in enumerate(arrays):
            file[array] = before[n][inside].reshape(flat)
            ghosts = before[n] if len(cells) == 3 else before[n][np.newaxis]
            file[f"ghosts/{array}"] = ghosts
    words = ["--input", "in.h5", "--steps", str(STEPS), "--output", "out.h5"]
    for way in WAYS:
        for plain in (True, False) if way == WAYS[0] else (True,):
            if not run(name, way, *words, *(["--plain-arithmetic"] if plain else [])):
                continue
            with h5py.File("out.h5", "r") as file:
                found = [file[array][()] for array in arrays]
            for n, array in enumerate(arrays):
                mine = np.ascontiguousarray(wanted[n][inside]).reshape(flat)
                if plain:
                    stored = found[n].astype(mine.dtype)  # floats are stored as doubles
                    same = stored.tobytes() == mine.tobytes() and np.all(stored == found[n])
                    wrong = int(np.sum(found[n] != mine))
                    expect(same, f"{name}, {way}: {wrong} of {mine.size} of {array} differ")
                else:
                    error = float(np.max(np.abs(found[n] - mine)))
                    print(f"{name}: {array} differs by {error:.1e} with fma")
                    near = 1e-5 if name in SINGLE else 1e-13
                    expect(error < near, f"{name}: {array} differs by {error}")


def refused(reason, *words):
    done = subprocess.run([GMG, "run", *words], capture_output=True, text=True, check=False)
    expect(
        done.returncode == 2 and reason in done.stderr,
        f"{words}: status {done.returncode}, {done.stderr!r}, not {reason!r}",
    )


def check_arguments():
    heat = f"{LISTED}/heat7.c"
    refused("NAME.c and --from mint", heat)
    refused("a C file with directives", f"{LISTED}/heat7.stencil", "--from", "mint")
    refused("directives 'omp' are unknown", heat, "--from", "omp", "--cells", "4", "--steps", "1")
    with open("wrong.c", "w", encoding="utf-8") as stream:
        stream.write("void f(void)\n{\n#pragma mint for\n}\n")
    refused("wrong.c:3:1: error: a 'for' that stands in no", "wrong.c", "--from", "mint")


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_CACHE_HOME"] = folder
        os.chdir(folder)
        check_arguments()
        for name in RUNS:
            check(name)
        os.chdir("/")
    for fault in faults:
        print(f"FAILED {fault}")
    print(f"{len(RUNS)} programs in {len(WAYS)} ways, {len(faults)} faults")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
