#!/usr/bin/env python3
# sanitizers: no
# C with the directives of Mint and Panda. Preconditions: a C compiler with OpenMP, NumPy. What must
# vanish: the differences between the programs and trees of files with directives and those of
# formula files; those between the cells that a file computes where a C compiler compiles it and
# those that the program made of it does, bit by bit, in operations as written; wrong files that are
# not refused at their line and column with their reason.
"""usage: test_directives.py GMG GMG_GEN SOURCE_DIR"""

import ctypes
import os
import re
import subprocess
import sys
import tempfile

import numpy as np

from directive_mutants import MUTANTS

GEN, SOURCE = os.path.abspath(sys.argv[2]), os.path.abspath(sys.argv[3])
LISTED = os.path.join(SOURCE, "tests", "gen", "directives")
faults = []

# name: cells, parameters, arrays in the order of the program and of what the file saves
RUNS = {
    "heat7": ((7, 5, 6), [0.40000000000000013, 0.099999999999999978], 2),
    "heat5": ((13, 9, 1), [0.2], 2),
    "poisson7": ((5, 8, 3), [-0.01, 1 / 6], 3),
    "variable7": ((6, 4, 9), [0.03], 4),
    "poisson19": ((10, 10, 10), [0.75, 0.05], 3),
    "smooth9": ((11, 8, 1), [], 2),
    "panda_heart": ((6, 6, 6), [0.0167, 0.0815, 8, 0.1, 0.01, 0.07, 0.3, 0.1], 3),
    "heart": ((8, 5, 7), [0.0167, 0.0815, 8, 0.1, 0.01, 0.07, 0.3, 0.1], 3),
}
STEPS = 6


def run(*words):
    return subprocess.run(words, capture_output=True, text=True, check=False)


def expect(good, what):
    if not good:
        faults.append(what)


def dump(stage, *words):
    done = run(GEN, *words, "--dump", stage)
    expect(done.returncode == 0, f"{words}: {done.stderr}")
    return done.stdout


def language(name):
    return ["--from", "panda" if name.startswith("panda") else "mint"]


def check_trees():
    for name in RUNS:
        for stage in ("program", "tree"):
            found = dump(stage, f"{LISTED}/{name}.c", *language(name))
            wanted = dump(stage, f"{LISTED}/{name}.stencil")
            expect(found == wanted, f"{name}: {stage}s differ:\n{found}{wanted}")
    found = dump("tree", f"{LISTED}/heat_listing.c", "--from", "mint")
    wanted = dump("tree", f"{LISTED}/heat7.stencil").replace("heat7", "heat_listing")
    expect(found == wanted, f"the listing's tree differs:\n{found}{wanted}")
    examples = os.path.join(SOURCE, "examples", "directives")
    found = dump("tree", f"{examples}/heat_mint.c", "--from", "mint")
    wanted = dump("tree", f"{examples}/heat_panda.c", "--from", "panda")
    expect(found.replace("_mint", "_panda") == wanted, f"the examples differ:\n{found}{wanted}")
    for stage in ("program", "tree"):
        found = dump(stage, f"{LISTED}/panda7_listing.c", "--from", "panda")
        wanted = dump(stage, f"{LISTED}/panda7_listing.stencil")
        expect(found == wanted, f"Panda's listing: {stage}s differ:\n{found}{wanted}")


def make(name, folder):
    """What a file computes: as its author compiles it, and as the program made of it."""
    flags = ["-O2", "-w", "-std=gnu11", "-ffp-contract=off"]
    own, text, library = (f"{folder}/{name}{end}" for end in ("", "_made.c", ".so"))
    words = [*language(name), "--plain-arithmetic", "--target", "openmp", "-o", text]
    for words in (
        ["cc", *flags, f"{LISTED}/{name}.c", "-o", own, "-lm"],
        [GEN, f"{LISTED}/{name}.c", *words],
        ["cc", *flags, "-fopenmp", "-shared", "-fPIC", text, "-o", library, "-lm"],
    ):
        done = run(*words)
        if done.returncode:
            raise SystemExit(f"FAILED {name}: {words}: {done.stderr}")
    return own, getattr(ctypes.CDLL(library), f"{name}_steps")


def saved(own, cells, steps, shape, count):
    path = f"{own}.{steps}"
    subprocess.run([own, path, *map(str, cells), str(steps)], check=True)
    return np.fromfile(path).reshape([count, *shape])


def check_bits(folder):
    for name, (cells, parameters, count) in RUNS.items():
        own, function = make(name, folder)
        shape = [n + 2 if n > 1 else 1 for n in reversed(cells)]
        arrays = saved(own, cells, 0, shape, count)
        before, wanted = arrays.copy(), saved(own, cells, STEPS, shape, count)
        pointers = (ctypes.c_void_p * count)(*[array.ctypes.data for array in arrays])
        function(
            (ctypes.c_int * 3)(*cells),
            ctypes.c_long(STEPS),
            pointers,
            (ctypes.c_double * len(parameters))(*parameters),
        )
        inside = tuple(slice(1, -1) if n > 1 else slice(None) for n in shape)
        for n, pointer in enumerate(pointers):
            found = next(array for array in arrays if array.ctypes.data == pointer)
            wrong = int(np.sum(found[inside].view(np.uint64) != wanted[n][inside].view(np.uint64)))
            expect(wrong == 0, f"{name}: {wrong} of {found[inside].size} cells of array {n} differ")
        expect(not np.array_equal(wanted, before), f"{name}: no step changed anything")


# (file, what says the same in other words)
SAME = [
    ("heat7", [(" chunksize", " \\\n /* z */ chunksize"), ("parallel\n  {", "parallel shared {")]),
    ("heat7", [("single\n      {", "single{ // swap")]),
    ("heat7", [("#pragma mint parallel", "#  pragma  mint parallel private(x, y, z) shared(U)")]),
    ("heat7", [("while (t++ < T) {", "for (t = 0; t < T; ++t) {")]),
    (
        "heat7",
        [("double ***tmp = U;", "double ***tmp; ; tmp = U;"), ("int x, y, z;", "int z, y, x;")],
    ),
    (
        "heat7",
        [
            (
                "int main(",
                "static double faces(double ***a, int z, int y, int x)\n{\n"
                "  return a[z][y][x - 1] + a[z][y][x + 1] + a[z][y - 1][x] + a[z][y + 1][x]\n"
                "    + a[z - 1][y][x] + a[z + 1][y][x];\n}\n"
                "static inline double step(double ***a, int z, int y, int x, double c0,\n"
                " double c1)\n"
                "{\n  const double here = a[z][y][x], around = faces(a, z, y, x);\n"
                "  return c0 * here + c1 * around;\n}\nint main(",
            ),
            ("c0 * U[z][y][x]", "step(U, z, y, x, c0, c1);\n"),
            (
                """              + c1
                * (U[z][y][x - 1] + U[z][y][x + 1] + U[z][y - 1][x] + U[z][y + 1][x]
                   + U[z - 1][y][x] + U[z + 1][y][x]);
""",
                "",
            ),
        ],
    ),
    (
        "heat7",
        [("#pragma mint parallel", "#if 0\n#pragma mint nothing\n#endif\n#pragma mint parallel")],
    ),
    (
        "heat7",
        [
            ("z <= k; z++)\n        for", "z < 1 + k; z += 1)\n        for"),
            ("#pragma mint single", ""),
        ],
    ),
    (
        "heat7",
        [
            ("z <= k; z++)\n        for", "z <= k; z++) {int zz = z + 0;\n        for"),
            ("y - 1][x] + U", "2 * y - y - 1][x] + U"),
            ("[x]);\n#", "[x]);}\n#"),
        ],
    ),
    (
        "heat5",
        [
            ("nest(2) no - wait", "nest(all) nowait"),
            ("u[NY + 1][i] = -u[NY][i] + 2;", "u[NY + 1][i] = -1 * (u[NY][i] - 2);"),
        ],
    ),
    (
        "heat5",
        [
            ("u[0][i] = 2.0 - u[1][i];", "u[0][i] = two - u[1][i];"),
            ("const double r", "const double two = 1 + 1.0; const double r"),
        ],
    ),
    ("poisson7", [("static void jacobi(double *u,", "static void jacobi(double u[],")]),
    ("poisson7", [("at - (nx + 2)]", "(y - 1) * (2 + nx) + (nx + 2) * z * (ny + 2) + x]")]),
]


def place(text, snippet):
    """Line and column of a text's part."""
    at = text.index(snippet)
    return text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)


def change(name, changes, path):
    """Writes a file with other words in it, and returns them."""
    with open(f"{LISTED}/{name}.c", encoding="utf-8") as stream:
        text = stream.read()
    for old, new in changes:
        expect(old in text, f"{name}: no {old!r}")
        text = text.replace(old, new)
    with open(path, "w", encoding="utf-8") as stream:
        stream.write(text)
    return text


def check_same(folder):
    for name, changes in SAME:
        path = os.path.join(folder, f"{name}.c")
        change(name, changes, path)
        for stage in ("program", "tree"):
            found = dump(stage, path, "--from", "mint", "-I", LISTED)
            wanted = dump(stage, f"{LISTED}/{name}.stencil")
            expect(found == wanted, f"{name}, {changes[0][1]!r}: {stage}s differ:\n{found}{wanted}")


def check_users(folder):
    """Files as users write them: "accepted: TEXT;" says what the program has, "refused: PATTERN"
    why not, with the comment "here" in the line at fault; "tree: TEXT" what its tree has."""
    names = sorted(os.listdir(f"{LISTED}/users"))
    for name in names:
        path = f"{LISTED}/users/{name}"
        with open(path, encoding="utf-8") as stream:
            text = stream.read()
        accepted = re.match(r"/\* accepted: ([^;]*);", text)
        refused = re.match(r"/\* refused: (.*) \*/", text)
        done = run(GEN, path, "--from", "mint", "--dump", "program", "-o", f"{folder}/user.c")
        if accepted:
            expect(done.returncode == 0, f"{name}: {done.stderr}")
            expect(accepted[1] in done.stdout, f"{name}: no {accepted[1]!r} in {done.stdout}")
            for wanted in re.findall(r"/\* tree: (.*) \*/", text):
                tree = dump("tree", path, "--from", "mint")
                expect(wanted in tree, f"{name}: no {wanted!r} in {tree}")
            flags = ["-O1", "-Wall", "-Wextra", "-Werror", "-fopenmp", "-c", "-o", "/dev/null"]
            done = run("cc", *flags, f"{folder}/user.c")
            expect(done.returncode == 0, f"{name}: {done.stderr}")
        else:
            line, _ = place(text, "/* here */")
            said = rf"{re.escape(path)}:{line}:\d+: error: .*(?:{refused[1]})"
            expect(
                done.returncode == 1 and re.match(said, done.stderr),
                f"{name}: status {done.returncode}, {done.stderr!r}, not {said}",
            )
    return len(names)


def check_mutants(folder):
    path = os.path.join(folder, "wrong.c")
    for name, changes, snippet, reason in MUTANTS:
        text = change(name, changes, path)
        line, column = place(text, snippet) if snippet in text else (0, 0)
        done = run(GEN, path, *language(name), "-I", LISTED, "--dump", "program")
        start = f"{path}:{line}:{column}: error: "
        expect(
            done.returncode == 1 and done.stderr.startswith(start) and reason in done.stderr,
            f"{name}, {changes[0][1]!r}: status {done.returncode}, {done.stderr!r}, not "
            f"{start}...{reason}",
        )
        expect(not re.search(r"directive_\d", done.stderr), f"{name}: a mark in {done.stderr!r}")


def main():
    check_trees()
    with tempfile.TemporaryDirectory() as folder:
        check_same(folder)
        users = check_users(folder)
        check_mutants(folder)
        check_bits(folder)
    for fault in faults:
        print(f"FAILED {fault}")
    print(
        f"{len(SAME)} other words, {len(MUTANTS)} refusals, {users} users' files, "
        f"{len(RUNS)} programs, {len(faults)} faults"
    )
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
