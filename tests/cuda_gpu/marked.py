#!/usr/bin/env python3
"""On a machine with GPUs: what gmg-gen -mpi, -gpu and -hybrid make of users' files, against the
files themselves, byte by byte, and how long both take.

usage: marked.py --make BUILD FOLDER    writes and compiles what is run, with cc; BUILD: a build
                                        folder of this tree, with gmg-gen and the library
       marked.py FOLDER                 runs it

GMG_LAUNCH: what runs a program on several ranks, before their number (default "mpirun
--oversubscribe --bind-to none -n"). The library is sought where it was, or in FOLDER/lib. Exit
status: 0, or 1 where cells differ, other text is printed, or something does not run.
"""
import os
import shutil
import subprocess
import sys
import time

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
LISTED = os.path.join(SOURCE, "tests", "gen", "directives")
# directives, arrays that the program saves, those of them that come back, sizes and steps
RUNS = {
    "panda_heart": ("panda", 3, [0, 1, 2], [((41, 41, 41), 5), ((150, 150, 150), 20)]),
    "panda_jacobi": ("panda", 3, [0, 1, 2], [((41, 41, 41), 5)]),
    "poisson7": ("mint", 3, [0], [((70, 45, 39), 5), ((200, 180, 160), 20)]),
}
WAYS = [
    ("gpu", 1, {}),
    ("gpu", 2, {}),
    ("mpi", 3, {}),
    ("hybrid", 2, {"GMG_WEIGHTS": "9,1"}),
    ("hybrid", 3, {"GMG_WEIGHTS": "20,20,1"}),
    ("hybrid", 2, {"GMG_WEIGHTS": "1,0"}),
]


def make(build, folder):
    build = os.path.abspath(build)
    os.makedirs(os.path.join(folder, "lib"), exist_ok=True)
    library = os.path.realpath(os.path.join(build, "libgmg.so"))
    shutil.copy(library, os.path.join(folder, "lib", "libgmg.so.0.2"))
    for name, (language, *_) in RUNS.items():
        path, own = os.path.join(LISTED, name + ".c"), os.path.join(folder, name)
        flags = ["-std=gnu11", "-w", "-ffp-contract=off", f"-I{LISTED}"]
        subprocess.run(["cc", "-O2", *flags, path, "-o", own, "-lm"], check=True)
        for kind in ("mpi", "gpu", "hybrid"):
            text = f"{own}_{kind}.c"
            words = [f"{build}/bin/gmg-gen", path, "--from", language, f"-{kind}", "-I", LISTED]
            subprocess.run([*words, "-o", text], check=True)
            words = ["cc", "-O3", "-march=x86-64-v3", "-fopenmp", "-fno-math-errno", *flags, text]
            words += ["-o", f"{own}_{kind}", "-I", f"{build}/share/gmg/operators"]
            words += ["-I", f"{SOURCE}/solver", library, "-Wl,-rpath," + build, "-lm"]
            subprocess.run(words, check=True)


def run(*words, **environment):
    """The run, and its seconds."""
    began = time.monotonic()
    done = subprocess.run(
        words, capture_output=True, text=True, check=False, env={**os.environ, **environment}
    )
    return done, time.monotonic() - began


def rows_inside(path, count, cells):
    """By array, its rows of cells; the file is removed."""
    shape = [n + 2 for n in cells]
    with open(path, "rb") as file:
        values = file.read()
    os.remove(path)
    length, arrays = 8 * shape[0], []
    for a in range(count):
        starts = (
            length * ((a * shape[2] + k) * shape[1] + j)
            for k in range(1, shape[2] - 1)
            for j in range(1, shape[1] - 1)
        )
        arrays.append([values[at + 8 : at + length - 8] for at in starts])
    return arrays


def compare(folder, name, cells, steps):
    _, count, back, _ = RUNS[name]
    own, saved = os.path.join(folder, name), os.path.join(folder, "saved")
    words = [saved, *map(str, cells), str(steps)]
    launch = os.environ.get("GMG_LAUNCH", "mpirun --oversubscribe --bind-to none -n").split()
    library = os.pathsep.join([f"{folder}/lib", os.environ.get("LD_LIBRARY_PATH", "")])
    if os.path.exists(saved):
        os.remove(saved)
    serial, took = run(own, *words)
    wanted, bad = rows_inside(saved, count, cells), 0
    print(f"{name}, {cells}, {steps} steps: serial {took:.2f} s", flush=True)
    for kind, ranks, more in WAYS:
        start = [*launch, str(ranks)] if ranks > 1 else []
        environment = {"OMP_NUM_THREADS": "4", "LD_LIBRARY_PATH": library, **more}
        done, took = run(*start, f"{own}_{kind}", *words, **environment)
        if done.returncode:
            print(f"  FAILED -{kind} on {ranks}: exit {done.returncode}: {done.stderr[-300:]}")
            bad += 1
            continue
        found = rows_inside(saved, count, cells)
        differ = sum(x != y for a in back for x, y in zip(wanted[a], found[a]))
        same = differ == 0 and done.stdout == serial.stdout
        parts = f", weights {more['GMG_WEIGHTS']}" if more else ""
        print(f"  -{kind} on {ranks}{parts}: {took:.2f} s, same bits: ", end="")
        print("yes" if same else f"NO, {differ} rows differ", flush=True)
        bad += not same
    return bad


def main():
    if len(sys.argv) == 4 and sys.argv[1] == "--make":
        make(sys.argv[2], os.path.abspath(sys.argv[3]))
        return 0
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = os.path.abspath(sys.argv[1])
    bad = sum(
        compare(folder, name, cells, steps)
        for name, (*_, sizes) in RUNS.items()
        for cells, steps in sizes
    )
    print(f"{bad} failures")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
