#!/usr/bin/env python3
# sanitizers: no
# needs: mpi
# gmg-gen --from panda -mpi, -gpu and -hybrid: a user's file whose marked loops the library runs.
# Preconditions: a C compiler, NumPy. What must vanish: the cells that differ, in any bit, between
# what a file computes as its author compiles it, without contraction, and what the file that is
# made of it computes on 1, 2, 5 and 8 ranks, on stand-in devices, and on both kinds of ranks at
# once; what it prints otherwise, or more than once; wrong files and options that are not refused;
# ranks that go on when one fails.
"""usage: test_marked_files.py GMG GMG_GEN SOURCE_DIR"""

import os
import re
import subprocess
import sys
import tempfile
import time

import numpy as np

GEN, SOURCE = os.path.abspath(sys.argv[2]), os.path.abspath(sys.argv[3])
BUILD = os.path.dirname(os.path.dirname(GEN))
LISTED = os.path.join(SOURCE, "tests", "gen", "directives")
EXAMPLE = os.path.join(SOURCE, "examples", "directives", "heat_panda.c")
STAND_IN = os.path.join(BUILD, "tests", "stand_in")
FLAGS = ["-O2", "-w", "-std=gnu11", "-ffp-contract=off", f"-I{LISTED}"]
# name: directives, cells, arrays of the file that the program saves, those of them that come back
RUNS = {
    "panda_heart": ("panda", (9, 9, 9), 3, [0, 1, 2]),
    "panda_jacobi": ("panda", (9, 9, 9), 3, [0, 1, 2]),
    "poisson7": ("mint", (9, 11, 6), 3, [0]),
    "heat5": ("mint", (13, 9, 1), 2, [0, 1]),
    "smooth9": ("mint", (11, 8, 1), 2, [0, 1]),
}
# kind, ranks, the environment
WAYS = [
    ("mpi", 1, {}),
    ("mpi", 2, {}),
    ("mpi", 5, {}),
    ("mpi", 8, {"GMG_WEIGHTS": "1,3,0"}),
    ("gpu", 1, {}),
    ("gpu", 2, {}),
    ("hybrid", 2, {"GMG_WEIGHTS": "2,1"}),
    ("hybrid", 3, {"GMG_WEIGHTS": "1"}),
]
STEPS = 5
faults = []


def expect(good, what):
    if not good:
        faults.append(what)


def run(*words, **environment):
    return subprocess.run(
        words, capture_output=True, text=True, check=False, env={**os.environ, **environment}
    )


def must(*words):
    done = run(*words)
    if done.returncode:
        raise SystemExit(f"FAILED {words}: {done.stderr}")
    return done


def make(path, language, kind, program):
    """Compiles what is made of a file, as its first comment says."""
    text = f"{program}.c"
    must(GEN, path, "--from", language, f"-{kind}", "-I", LISTED, "-o", text)
    words = ["-O3", "-march=native", "-fopenmp", "-ffp-contract=off", "-fno-math-errno", "-Wall"]
    words += ["-Wextra", "-Wno-sign-conversion", "-std=gnu11", f"-I{LISTED}", text, "-o", program]
    words += ["-I", f"{BUILD}/share/gmg/operators", "-I", f"{SOURCE}/solver", f"-L{BUILD}"]
    must("cc", *words, "-lgmg", f"-Wl,-rpath,{BUILD}", "-lm")


def start(program, way, *words):
    kind, ranks, more = way
    library = os.pathsep.join([STAND_IN, os.environ.get("LD_LIBRARY_PATH", "")])
    environment = {"OMP_NUM_THREADS": "1", **more}
    environment.update({"LD_LIBRARY_PATH": library} if kind != "mpi" else {})
    launcher = ["mpirun", "--oversubscribe", "--bind-to", "none", "-n", str(ranks)]
    return run(*(launcher if ranks > 1 else []), program, *words, **environment)


def saved(path, cells, count):
    shape = [n + 2 if n > 1 else 1 for n in reversed(cells)]
    inside = tuple(slice(1, -1) if n > 1 else slice(None) for n in shape)
    arrays = np.fromfile(path).reshape([count, *shape])
    return [np.ascontiguousarray(array[inside]) for array in arrays]


def ways():
    return [way for way in WAYS if way[0] == "mpi" or os.path.isdir(STAND_IN)]


def check_runs(folder):
    for name, (language, cells, count, back) in RUNS.items():
        path, own = f"{LISTED}/{name}.c", f"{folder}/{name}"
        must("cc", *FLAGS, path, "-o", own, "-lm")
        words = [*map(str, cells), str(STEPS)]
        printed = must(own, f"{folder}/wanted", *words).stdout
        wanted = saved(f"{folder}/wanted", cells, count)
        for way in ways():
            program, output = f"{own}_{way[0]}", f"{folder}/found"
            if not os.path.exists(program):
                make(path, language, way[0], program)
            done = start(program, way, output, *words)
            expect(done.returncode == 0, f"{name}, {way}: {done.returncode}, {done.stderr}")
            expect(done.stdout == printed, f"{name}, {way}: prints {done.stdout}, not {printed}")
            if done.returncode or not os.path.exists(output):
                continue
            found = saved(output, cells, count)
            os.remove(output)
            wrong = [int(np.sum(found[a].view("u8") != wanted[a].view("u8"))) for a in back]
            expect(not any(wrong), f"{name}, {way}: {wrong} cells differ")
        os.remove(f"{folder}/wanted")


def check_prints(folder):
    """The example prints the same, once; the fixed values beyond walls reach all ranks."""
    text = open(EXAMPLE, encoding="utf-8").read()
    changed = text.replace(
        "u[AT(n / 2, n / 2, n / 2)] = 1;",
        "for (size_t m = 0; m < count; m++)" " u[m] = w[m] = m % 7 / 3.;",
    )
    changed = changed.replace(
        "#pragma panda wait",
        "#pragma panda wait\n" '    if (t % 40 == 0)\n      printf("step %d\\n", t);',
    )
    call = "heat(u, w, n, steps);"
    expect(changed.count(call) == 1, "the example calls heat otherwise")
    changed = changed.replace(call, "heat(u, w, n, 60), heat(u, w, 0, 3), heat(u, w, n, 40);")
    path, own = f"{folder}/heat.c", f"{folder}/heat"
    expect(changed.count("m % 7") == 1 and changed.count("step %d") == 1, "the example changed")
    with open(path, "w", encoding="utf-8") as stream:
        stream.write(changed)
    must("cc", *FLAGS, path, "-o", own)
    wanted = must(own, "11").stdout
    expect(wanted.count("step ") == 4, f"the example prints {wanted!r}")
    for way in ways():
        program = f"{own}_{way[0]}"
        if not os.path.exists(program):
            make(path, "panda", way[0], program)
        done = start(program, way, "11")
        expect(
            done.returncode == 0 and done.stdout == wanted,
            f"the example, {way}: {done.returncode}, {done.stdout!r} {done.stderr}",
        )
    for ranks in (2, 3):
        begun = time.monotonic()
        done = start(f"{own}_mpi", ("mpi", ranks, {"GMG_BACKENDS": "openmp,cdua"}), "11")
        expect(
            done.returncode != 0 and "'cdua'" in done.stderr and time.monotonic() - begun < 20,
            f"a rank fails: {done.returncode}, {done.stdout!r} {done.stderr!r}",
        )
    if os.path.isdir(STAND_IN):
        done = run(f"{own}_gpu", "11", LD_LIBRARY_PATH="")
        expect(
            done.returncode == 1
            and "there is no CUDA driver" in done.stderr
            and "middle" not in done.stdout,
            f"without a device: {done.stdout!r} {done.stderr!r}",
        )


# Three arrays take turns, of which the loops know two by their names, and one is not used at all;
# the first values beyond walls come with the arrays' turns.
TURNS = """#include <stdio.h>
#include <stdlib.h>
enum { N = 7, M = 5, L = 6, ROW = N + 4, PLANE = ROW * (M + 4), COUNT = PLANE * (L + 4) };
static void turn(double *a, double *b, double *c, double *none, int steps)
{
#pragma panda distribute(a, b, c, none) size(N + 4, M + 4, L + 4)
  for (int t = 0; t < steps; t++) {
    for (int k = 2; k < L + 2; k++)
      for (int j = 2; j < M + 2; j++)
        for (int i = 2; i < N + 2; i++) {
          int at = i + ROW * j + PLANE * k;
          b[at] = 0.5 * a[at] + 0.1 * (a[at - 2] + a[at + 2 * ROW] - a[at - PLANE]);
        }
    double *first = a;
    a = b;
    b = c;
    c = first;
  }
}
int main(void)
{
  double *all = malloc(4 * COUNT * sizeof *all);
  for (int steps = 3; steps < 6; steps++) {
    for (int n = 0; n < 4 * COUNT; n++)
      all[n] = n * 37 % 101 / 7.;
    turn(all, all + COUNT, all + 2 * COUNT, all + 3 * COUNT, steps);
    for (int n = 0; n < 4 * COUNT; n++)
      printf("%.17g\\n", all[n]);
  }
  free(all);
  return 0;
}
"""


def check_turns(folder):
    path, own = f"{folder}/turns.c", f"{folder}/turns"
    with open(path, "w", encoding="utf-8") as stream:
        stream.write(TURNS)
    must("cc", *FLAGS, path, "-o", own)
    wanted = must(own).stdout
    for way in ways():
        program = f"{own}_{way[0]}"
        if not os.path.exists(program):
            make(path, "panda", way[0], program)
        done = start(program, way)
        same = done.stdout == wanted
        expect(done.returncode == 0 and same, f"turns, {way}: {done.returncode} {done.stderr}")


def check_refusals(folder):
    output = f"{folder}/no.c"
    for reason, status, *words in (
        (
            "'U' is a 'double ***', whose rows may lie anywhere",
            1,
            f"{LISTED}/heat7.c",
            "--from",
            "mint",
            "-mpi",
            "-o",
            output,
        ),
        (
            "'old' holds float: -mpi, -gpu and -hybrid take arrays of double",
            1,
            f"{LISTED}/users/float_heat.c",
            "--from",
            "mint",
            "-gpu",
            "-o",
            output,
        ),
        ("are for directives: give --from", 2, f"{LISTED}/heat7.stencil", "-mpi", "-o", output),
        ("take -o FILE.c, no --target and no --standalone", 2, EXAMPLE, "--from", "panda", "-mpi"),
        ("no --standalone", 2, EXAMPLE, "--from", "panda", "-hybrid", "--standalone", "-o", output),
        ("is the input itself", 2, EXAMPLE, "--from", "panda", "-mpi", "-o", EXAMPLE),
        ("ends in .c", 2, EXAMPLE, "--from", "panda", "-mpi", "-o", f"{folder}/no.cu"),
    ):
        done = run(GEN, *words)
        expect(
            done.returncode == status and reason in done.stderr,
            f"{words}: {done.returncode}, {done.stderr!r}, not {reason!r}",
        )
        expect(not os.path.exists(output), f"{words}: something was written")


def check_text(folder):
    """All that is not marked stays as it is."""
    made = f"{folder}/heart_text.c"
    must(GEN, f"{LISTED}/panda_heart.c", "--from", "panda", "-mpi", "-I", LISTED, "-o", made)
    own, found = (open(p, encoding="utf-8").read() for p in (f"{LISTED}/panda_heart.c", made))
    expect(own[own.index("int main") :] in found, "main is not as it was")
    expect(own[: own.index("#pragma")] in found, "the begin of the file is not as it was")
    expect(not re.search("pragma panda", found), "a directive is left")


def main():
    os.environ["OMPI_MCA_orte_base_help_aggregate"] = "1"
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_CACHE_HOME"] = folder
        check_refusals(folder)
        check_text(folder)
        check_prints(folder)
        check_turns(folder)
        check_runs(folder)
    for fault in faults:
        print(f"FAILED {fault}")
    print(f"{len(RUNS)} files in {len(ways())} ways, {len(faults)} faults")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
