#!/usr/bin/env python3
# sanitizers: no
# Formula files. Preconditions: a C compiler with OpenMP, NumPy. What must vanish: the differences
# between the tree of a formula and that of the same kernel in C; those between programs in
# sequential C and with OpenMP on 1, 2 and 3 threads, bit by bit; those from NumPy beyond rounding;
# wrong files that are not refused at their line and column with their reason.
"""usage: test_formulas.py GMG GMG_GEN SOURCE_DIR"""
import ctypes
import os
import subprocess
import sys
import tempfile

import numpy as np

GEN, SOURCE = os.path.abspath(sys.argv[2]), sys.argv[3]
PROGRAMS = os.path.join(SOURCE, "examples", "programs")
LISTED = os.path.join(SOURCE, "tests", "gen", "formulas")
faults = []

# name: ghosts, arrays, cells (i, j, k), parameters, which arrays hold values at first
RUNS = {
    "heat3d": (1, 2, (13, 7, 5), [0.4, 0.1]),
    "heat2d": (1, 2, (9, 14, 1), [0.2]),
    "wave": (1, 3, (6, 11, 7), [0.25]),
    "heat13": (2, 2, (3, 6, 9), [0.05]),
    "himeno": (1, 14, (10, 6, 7), [0.8]),
}
STEPS = 7

# (the text, line, column, part of the message); HEAD is three lines long.
HEAD = "stencil 1; dimensions 3;\narray u, v; parameter a = 1;\nboundary all mirror;\n"
WRONG = [
    ("heat 1;", 1, 1, "found 'heat' where 'stencil'"),
    ("stencil 2;", 1, 9, "found '2' where 1, the version"),
    ("stencil 1; array u;", 1, 12, "'dimensions 2;' or 'dimensions 3;'"),
    ("stencil 1; dimensions 4;", 1, 23, "found 4 where 2 or 3"),
    ("stencil 1; dimensions 2; dimensions 2;", 1, 26, "said twice"),
    ("stencil 1;\ndimensions 3;\ntype half;", 3, 6, "float or double"),
    ("stencil 1; dimensions 2;\ngrid 4;", 2, 7, "a number of cells"),
    ("stencil 1; dimensions 2; array u, u;", 1, 35, "declared twice"),
    ("stencil 1; dimensions 2; array next_u;", 1, 32, "begin with next_"),
    ("stencil 1; dimensions 2; array i;", 1, 32, "a word of the format"),
    ("stencil 1; dimensions 2; array u\nboundary all mirror;", 2, 1, "';' after 'array'"),
    (
        "stencil 1; dimensions 2; array u; boundary x_lo periodic;",
        1,
        44,
        "cannot be periodic alone",
    ),
    ("stencil 1; dimensions 2; array u; boundary z mirror;", 1, 44, "an array or a side"),
    ("stencil 1; dimensions 2; array u; boundary u: all reflect;", 1, 51, "fixed, mirror"),
    ("stencil 1; dimensions 2; parameter a = 1e999;", 1, 40, "larger than a double"),
    ("stencil 1; dimensions 2; parameter a = 1.2.3;", 1, 40, "is no number"),
    ("stencil 1; dimensions 2; parameter a = u;", 1, 40, "a number, the value of 'a'"),
    (HEAD, 4, 1, "found the end of the file where an equation"),
    (HEAD + "u[i][j][k] = a * w[i][j][k];", 4, 18, "'w' is neither"),
    (HEAD + "w[i][j][k] = a;", 4, 1, "array 'w' is not declared"),
    (HEAD + "u[j][i][k] = a;", 4, 3, "found 'j' where 'i'"),
    (HEAD + "u[i][j] = a;", 4, 9, "found '=' where '['"),
    (HEAD + "u[i][j][k][k] = a;", 4, 11, "a subscript too many"),
    (HEAD + "u[i+1][j][k] = a;", 4, 1, "stored at an offset"),
    (HEAD + "v[i][j][k] = u[i+n][j][k];", 4, 18, "offsets are constant"),
    (HEAD + "v[i][j][k] = u[i+9][j][k];", 4, 18, "more than 8 cells"),
    (HEAD + "v[i][j][k] = u[2*i][j][k];", 4, 16, "found '2' where 'i'"),
    (HEAD + "t += a; v[i][j][k] = t;", 4, 3, "before it is set"),
    (HEAD + "v[i][j][k] = t;", 4, 14, "'t' is neither"),
    (HEAD + "t = a;\nv[i][j][k] = a;", 4, 1, "nothing reads it"),
    (HEAD + "a = 2;", 4, 1, "'a' is a parameter"),
    (
        HEAD + "v[i][j][k] = a;\nv[i][j][k] = a;",
        5,
        1,
        "stored twice in one kernel, first in line 4",
    ),
    (HEAD + "v[i][j][k] = a;\nu[i][j][k] = v[i-1][j][k];", 5, 14, "after line 4 has stored it"),
    (HEAD + "v[i][j][k] = a * exp(u[i][j][k]);", 4, 18, "'exp' is no function"),
    (HEAD + "v[i][j][k] = fmax(a);", 4, 20, "fmax takes 2 values"),
    (HEAD + "v[i][j][k] = (a + u[i][j][k];", 4, 29, "found ';' where ')'"),
    (HEAD + "v[i][j][k] = a\nswap u, v;", 5, 1, "';' after an equation"),
    (HEAD + "v[i][j][k] = a / 0;", 4, 18, "division by zero"),
    (HEAD + "v[i][j][k] = a ^ 2;", 4, 16, "'^' is no sign"),
    (HEAD + "u@-1[i][j][k] = a;", 4, 2, "past values of 'u' cannot be stored"),
    (HEAD + "v[i][j][k] = a * u@+1[i][j][k];", 4, 20, "found '+' where '-'"),
    (HEAD + "v[i][j][k] = a * u@-9[i][j][k];", 4, 21, "from 1 to 4"),
    (HEAD + "v[i][j][k] = a * u@-1[i][j][k];", 4, 18, "here or further down stores 'u'"),
    (HEAD + "v[i][j][k] = a;\nswap u, u;", 5, 9, "named twice"),
    (HEAD + "v[i][j][k] = a;\nswap u;", 5, 7, "',' and another array"),
    (HEAD + "v[i][j][k] = a;\nswap u, w;", 5, 9, "found 'w' where an array"),
    (HEAD + "v[i][j][k] = a;", 2, 7, "'u' is declared, but no equation has it"),
    (HEAD + "v[i][j][k] = u[i][j][k];", 2, 23, "parameter 'a' is declared"),
    (HEAD + "kernel one { v[i][j][k] = a;", 4, 29, "'}' of kernel 'one'"),
    (HEAD + "kernel one { v[i][j][k] = a; }\nkernel one { u[i][j][k] = a; }", 5, 8, "two kernels"),
    (HEAD + "kernel one { }", 4, 8, "stores no array"),
    (
        "stencil 1; dimensions 2;\narray u;\nu[i][j] = u[i+1][j];",
        3,
        11,
        "'u' is read beyond the walls in x",
    ),
    (HEAD + "initial w = 1;", 4, 9, "found 'w' where an array"),
    (HEAD + "initial u = 1;\ninitial u = 2;", 5, 9, "said twice"),
    (HEAD + "initial u 1;", 4, 11, "found '1' where '='"),
    (HEAD + "initial u = q;", 4, 13, "'q' is neither a parameter"),
    (HEAD + "initial u = erf(x);", 4, 13, "'erf' is no function of initial values"),
    (HEAD + "initial u = pow(x);", 4, 18, "pow takes 2 values"),
    (HEAD + "initial u = x > 0 ? 1;", 4, 22, "found ';' where ':'"),
    (HEAD + "initial u = (x;", 4, 15, "found ';' where ')'"),
    (HEAD + "initial u = " + 70 * "(" + "x;", 4, 77, "more than 64 values inside"),
    (HEAD + "initial u = " + 70 * "!" + "x;", 4, 76, "more than 64 values inside"),
    (HEAD + "initial u = x & y;", 4, 15, "'&' is no sign"),
    (HEAD + "reduce = sum u[i][j][k];", 4, 8, "found '=' where the name of a reduction"),
    (HEAD + "reduce u = sum u[i][j][k];", 4, 8, "'u' is declared twice"),
    (HEAD + "reduce e = sum u[i][j][k];\nreduce e = max a * v[i][j][k];", 5, 8, "declared twice"),
    (HEAD + "reduce e = max u[i][j][k];\nkernel e { v[i][j][k] = a; }", 5, 8, "declared twice"),
    (HEAD + "reduce next_e = sum u[i][j][k];", 4, 8, "begin with next_"),
    (HEAD + "reduce step = sum u[i][j][k];", 4, 8, "no reduction can have these names"),
    (HEAD + "array values; reduce e = sum u[i][j][k];", 4, 22, "no array and no reduction"),
    (HEAD + "reduce e sum u[i][j][k];", 4, 10, "found 'sum' where '='"),
    (HEAD + "reduce e = mean u[i][j][k];", 4, 12, "found 'mean' where sum, min or max"),
    (HEAD + "reduce e = u[i][j][k];", 4, 12, "found 'u' where sum, min or max"),
    (HEAD + "reduce e = sum;", 4, 15, "found ';' where a value"),
    (HEAD + "reduce e = sum 2 * a;", 4, 16, "'e' reads no array"),
    (HEAD + "reduce e = sum w[i][j][k];", 4, 16, "'w' is neither"),
    (HEAD + "reduce e = sum u[i][j];", 4, 23, "found ';' where '['"),
    (
        HEAD + "reduce e = sum u[i][j][k], v[i][j][k];",
        4,
        26,
        "found ',' where ';' after a reduction",
    ),
    (HEAD + "reduce e = sum u[i][j][k]\nv[i][j][k] = a;", 5, 1, "';' after a reduction"),
    (HEAD + "reduce e = sum u[i][j][k]", 4, 26, "found the end of the file where ';'"),
    (HEAD + "reduce e = sum u@-1[i][j][k];\nv[i][j][k] = a;", 4, 16, "further down stores 'u'"),
    (HEAD + "reduce e = sum u[i][j][k+9];", 4, 26, "more than 8 cells"),
    (
        HEAD + "v[i][j][k] = a;\nreduce e = sum u[i][j][k];",
        5,
        1,
        "'reduce' is a word of the format",
    ),
    (
        "stencil 1; dimensions 2; array u;\nreduce e = sum u[i+1][j];\nu[i][j] = 1;",
        2,
        16,
        "'u' is read beyond the walls in x",
    ),
    (
        HEAD + "boundary v: z_hi fixed; reduce e = sum u[i+1][j][k];\nv[i][j][k] = a; swap u, v;",
        4,
        32,
        "takes turns with 'v': of the two one alone is fixed along z",
    ),
    (
        "stencil 1; dimensions 2;\narray u;\nboundary all periodic, x_lo mirror;\nu[i][j] = 1;",
        2,
        7,
        "on one side of x alone",
    ),
    (HEAD + "u[i][j][k] = a;\nsolve: rhs u, solution v;", 5, 6, "the name of a solve"),
    (HEAD + "u[i][j][k] = a;\nsolve u: rhs u, solution v;", 5, 7, "'u' is declared twice"),
    (HEAD + "u[i][j][k] = a;\nsolve p rhs u, solution v;", 5, 9, "found 'rhs' where ':'"),
    (
        HEAD + "u[i][j][k] = a;\nsolve p: u, solution v;",
        5,
        10,
        "found 'u' where alpha, beta, beta_x",
    ),
    (
        HEAD + "u[i][j][k] = a;\nsolve p: rhs w, solution v;",
        5,
        14,
        "an array, for rhs, was expected",
    ),
    (HEAD + "u[i][j][k] = a;\nsolve p: rhs u, rhs v;", 5, 17, "'rhs' is said twice"),
    (HEAD + "u[i][j][k] = a;\nsolve p: solution v;", 5, 7, "'solve p' has no 'rhs'"),
    (HEAD + "u[i][j][k] = a;\nsolve p: rhs v;", 5, 7, "'solve p' has no 'solution'"),
    (HEAD + "u[i][j][k] = a;\nsolve p: rhs v, solution v;", 5, 7, "'v' is both rhs and solution"),
    (HEAD + "u[i][j][k] = a;\nsolve p: rhs u, solution v", 5, 27, "';' after a solve"),
    (HEAD + "u[i][j][k] = a;\nsolve p: beta_x u, rhs u, solution v;", 5, 7, "faces of 1 axes: exp"),
    (
        HEAD + "u[i][j][k] = a;\nsolve p: rhs u, solution v;\nsolve p: rhs u, solution v;",
        6,
        7,
        "there are two solves 'p'",
    ),
    (
        HEAD + "array w; w[i][j][k] = a;\nsolve p: beta_x w, rhs u, solution v;",
        5,
        17,
        "'w' is on faces along x, the last of which is its first ghost there, but no 'boundary'",
    ),
    (
        "stencil 1; dimensions 2; array u, v; boundary all mirror; u[i][j] = 1;\n"
        "solve p: beta_z u, rhs u, solution v;",
        2,
        17,
        "'u' is on faces along z, and the program has 2 dimensions",
    ),
    (
        "stencil 1; dimensions 2; type float; array u, v; u[i][j] = 1;\n"
        "solve p: rhs u, solution v;",
        2,
        7,
        "expected 'type double;'",
    ),
    (
        HEAD + "w = a * v@-1[i][j][k]; u[i][j][k] = w;\nsolve p: rhs u, solution v;",
        5,
        26,
        "'v' has past values",
    ),
]


def run(*words):
    return subprocess.run(words, capture_output=True, text=True, check=False)


def expect(good, what):
    if not good:
        faults.append(what)


def check_trees():
    for name in ("heat3d", "heat2d", "wave", "heat13"):
        trees = [
            run(GEN, path, "--dump", "tree").stdout
            for path in (f"{PROGRAMS}/{name}.stencil", f"{LISTED}/{name}.c")
        ]
        expect(
            trees[0] and trees[0] == trees[1], f"{name}: the trees differ:\n{trees[0]}{trees[1]}"
        )


def check_solve(folder):
    """A solve is no step of the C text of whole programs, and takes no part in composed ones."""
    path = os.path.join(folder, "solved.stencil")
    with open(path, "w", encoding="utf-8") as stream:
        stream.write(
            HEAD + "u[i][j][k] = a * v[i+1][j][k];\nsolve p: beta u, rhs u, solution v;"
            "\nu[i][j][k] = v[i-1][j][k];"
        )
    said = run(GEN, path, "--dump", "program").stdout
    ghosts, solve = "    ghosts of v, 1 deep\n", "    solve p: beta u, rhs u, solution v\n"
    expect(
        f"{ghosts}    run solved\n{solve}{ghosts}    run solved_2\n" in said,
        f"a solve is shown as {said!r}",
    )
    text = os.path.join(folder, "single.c")
    with open(path, "w", encoding="utf-8") as stream:
        stream.write(HEAD + "u[i][j][k] = a * v[i+1][j][k];\nsolve p: beta u, rhs u, solution v;")
    run(GEN, path, "--target", "library", "-o", text)
    with open(text, encoding="utf-8") as stream:
        expect('.reason = "a step has a solve"' in stream.read(), "two steps with a solve in one")
    for words, reason in (
        (("--target", "openmp", "-o", os.path.join(folder, "solved.c")), "expected --target libr"),
        (("--compose", "2", "--explain"), "'solve p' is no sum of values that can be composed"),
    ):
        done = run(GEN, path, *words)
        start = f"{path}:5:7: error: "
        expect(
            done.returncode == 1 and done.stderr.startswith(start) and reason in done.stderr,
            f"{words}: status {done.returncode}, {done.stderr!r}, not {start}...{reason}",
        )


def check_counts():
    """Flops and references per point, as Zhang and Mueller (2012) count them in their table 4; the
    stores are one more reference each."""
    for name, flops, reads, streams in (("heat3d", 8, 7, 2), ("himeno", 32, 32, 14)):
        said = run(GEN, f"{PROGRAMS}/{name}.stencil", "--explain").stdout
        expect(f"flops per point visited: {flops} " in said, f"{name}: not {flops} flops")
        expect(
            f"per point: {reads} read, 1 written; distinct streams: {streams}" in said,
            f"{name}: not {reads} references and {streams} streams",
        )


def check_wrong(folder):
    path = os.path.join(folder, "wrong.stencil")
    for text, line, column, reason in WRONG:
        with open(path, "w", encoding="utf-8") as stream:
            stream.write(text)
        done = run(GEN, path, "--dump", "program")
        start = f"{path}:{line}:{column}: error: "
        expect(
            done.returncode == 1 and done.stderr.startswith(start) and reason in done.stderr,
            f"{text!r}: status {done.returncode}, {done.stderr!r}, not {start}...{reason}",
        )


def build(name, target, folder):
    text, library = f"{folder}/{name}_{target}.c", f"{folder}/{name}_{target}.so"
    done = run(GEN, f"{PROGRAMS}/{name}.stencil", "--target", target, "-o", text)
    flags = ["-O2", "-Wall", "-Wextra", "-Werror", "-ffp-contract=off", "-fopenmp", "-shared"]
    if done.returncode == 0:
        done = run("cc", *flags, "-fPIC", text, "-o", library, "-lm")
    if done.returncode:
        raise SystemExit(f"FAILED {name}, {target}: {done.stderr}")
    return getattr(ctypes.CDLL(library), f"{name}_steps")


def steps(function, cells, arrays, parameters):
    """Takes STEPS steps on copies, and returns the arrays by name's order."""
    arrays = [array.copy() for array in arrays]
    pointers = (ctypes.c_void_p * len(arrays))(*[array.ctypes.data for array in arrays])
    function(
        (ctypes.c_int * 3)(*cells),
        ctypes.c_long(STEPS),
        pointers,
        (ctypes.c_double * len(parameters))(*parameters),
    )
    return [next(a for a in arrays if a.ctypes.data == pointer) for pointer in pointers]


def inside(array, ghosts):
    return array[tuple(slice(ghosts, -ghosts) if n > 1 else slice(None) for n in array.shape)]


def check_runs(folder):
    random, openmp = np.random.default_rng(1), ctypes.CDLL("libgomp.so.1")
    found = {}
    for name, (ghosts, count, cells, parameters) in RUNS.items():
        shape = [n + 2 * ghosts if n > 1 else 1 for n in reversed(cells)]
        kind = np.float32 if name == "himeno" else np.float64
        arrays = [random.random(shape).astype(kind) for _ in range(count)]
        serial = steps(build(name, "serial", folder), cells, arrays, parameters)
        expect(not np.array_equal(serial[0], arrays[0]), f"{name}: nothing changed")
        function = build(name, "openmp", folder)
        for threads in (1, 2, 3):
            openmp.omp_set_num_threads(threads)
            same = all(
                np.array_equal(a.view(np.uint8), b.view(np.uint8))
                for a, b in zip(serial, steps(function, cells, arrays, parameters))
            )
            expect(same, f"{name}: other bits with {threads} threads")
        found[name] = (arrays, inside(serial[0], ghosts))
    return found


def pad(u, rules):
    """One ghost on every side: per axis (x last), 'periodic', 'mirror' or values at both walls."""
    for axis, rule in zip(reversed(range(u.ndim)), rules):
        first, last = np.take(u, [0], axis), np.take(u, [-1], axis)
        if rule == "periodic":
            first, last = last, first
        elif rule != "mirror":
            first, last = 2 * rule[0] - first, 2 * rule[1] - last
        u = np.concatenate([first, u, last], axis)
    return u


def around(u, rules):
    padded, total = pad(u, rules), 0
    middle = [slice(1, -1)] * u.ndim
    for axis in range(u.ndim):
        for part in (slice(None, -2), slice(2, None)):
            total = total + padded[tuple(middle[:axis] + [part] + middle[axis + 1 :])]
    return total


def check_against_numpy(found):
    def near(name, u):
        error = float(np.abs(u.reshape(found[name][1].shape) - found[name][1]).max())
        print(f"{name}: largest difference from NumPy after {STEPS} steps {error:.1e}")
        expect(error < 1e-13, f"{name}: {error} from NumPy")

    u = inside(found["heat3d"][0][0], 1)
    for _ in range(STEPS):
        u = 0.1 * around(u, [(0, 0)] * 3) + 0.4 * u
    near("heat3d", u)
    u = inside(found["heat2d"][0][0], 1)[0]
    for _ in range(STEPS):
        u = u + 0.2 * (around(u, [(1, 0), "mirror"]) - 4 * u)
    near("heat2d", u)
    u, past = (inside(array, 1) for array in found["wave"][0][:2])
    for _ in range(STEPS):
        u, past = (
            2 * u - past + 0.25 * (around(u, ["periodic", "mirror", (0, 0)]) - 6 * u),
            u,
        )
    near("wave", u)
    u = inside(found["heat13"][0][0], 2)
    for _ in range(STEPS):
        one, two = (
            sum(np.roll(u, n, axis) for axis in range(3) for n in (-far, far)) for far in (1, 2)
        )
        u = u + 0.05 * (4 / 3 * one - two / 12 - 7.5 * u)
    near("heat13", u)


def main():
    check_trees()
    check_counts()
    with tempfile.TemporaryDirectory() as folder:
        check_wrong(folder)
        check_solve(folder)
        check_against_numpy(check_runs(folder))
    for fault in faults:
        print(f"FAILED {fault}")
    print(f"{len(WRONG)} refusals, {len(RUNS)} programs, {len(faults)} faults")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
