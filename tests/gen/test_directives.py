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
# (file, [(text, what stands in its place)], where the refusal points to, its reason)
COPY = "copy(Unew, toDevice, (n + 2), (m + 2), (k + 2))"
NEST = (
    "for (z = 1; z <= k; z++)\n        for (y = 1; y <= m; y++)\n          for (x = 1; x <= n; x++)"
)
CLEAR = (
    "for (int k = 1; k < Nz+1; k++) for (int j = 1; j < Ny+1; j++) for (int i = 1; i < Nx+1; i++) "
)
CLEAR += "u_old[i + j*(Nx+2) + k*(Nx+2)*(Ny+2)] = 0 * u_new[i + j*(Nx+2) + k*(Nx+2)*(Ny+2)];"
PLATE = "#pragma mint for nest(2)\nfor (j = 1; j <= NY; j++) for (i = 1; i <= NX; i++) "
MUTANTS = [
    # planes and offsets
    ("heat7", [("Unew[z][y][x] =", "Unew[z + 1][y][x] =")], "Unew[z + 1]", "1 element further"),
    (
        "heat7",
        [("U[z - 1]", "U[z - 2]")],
        "U[z - 2]",
        "element -1 along z of 'U', which has 0 to k",
    ),
    (
        "heat7",
        [(NEST, NEST.replace("= k", "= k + 1"))],
        "Unew[z][y][x] =",
        "loops of line 33 visit k + 1 there",
    ),
    ("heat7", [(NEST, NEST.replace("z = 1", "z = 2"))], "Unew[z][y][x] =", "as many left out"),
    ("heat7", [("U[z][y][x - 1]", "U[z][x][y]")], "U[z][x][y]", "nothing shows that it is one"),
    ("heat5", [("u[j][i] = v[j][i]", "u[i][j] = v[i][j]")], "u[i][j] = v", "element 13 along y"),
    ("poisson19", [("b[k][j][i] + c1 * SUM(v)", "b[j][k][i]")], "b[j][k][i]", "transposed"),
    (
        "heart",
        [("E_prev[k][j][2]", "E_prev[k][j][3]")],
        "E_prev[k][j][3]",
        "no image of the ghosts",
    ),
    ("heart", [("nx - 1]", "nx - 2]")], "E_prev[k][j][nx - 2]", "no image of the ghosts"),
    ("heart", [("E_prev[k][j][2]", "E[k][j][2]")], "E[k][j][2]", "it is another array's"),
    ("heart", [("E_prev[k][j][0] =", "E_prev[k][j][1] =")], "E_prev[k][j][1]", "among the cells"),
    (
        "heart",
        [("E_prev[k][j][2]", "0.5 * E_prev[k][j][2]")],
        "E_prev[k][j][2]",
        "0.5 times a cell",
    ),
    ("heat5", [("u[0][i] = 2.0 - u[1][i]", "u[0][i] = 1.0")], "u[0][i] = 1", "stores a number in"),
    ("heat5", [("i = 0; i < NX + 2", "i = 2; i < NX + 2")], "for (i = 2", "not go along all cells"),
    # extents
    (
        "heat7",
        [(COPY, COPY.replace("n +", "k +"))],
        "Unew[z][y][x] =",
        "extents are written fastest",
    ),
    ("heat7", [(COPY, COPY.replace("k + 2", "k + 1"))], "Unew[z][y][x] =", "has k + 1 elements"),
    (
        "heat7",
        [(COPY, COPY.replace(", (k + 2)", ""))],
        "#pragma mint copy(Unew",
        "has 3 subscripts",
    ),
    (
        "heat7",
        [("fromDevice, (n + 2)", "fromDevice, n")],
        "#pragma mint copy(U, from",
        "in line 26",
    ),
    ("heat7", [(COPY, "copy(Unew, toDevice)")], "#pragma mint copy(Unew", "must state its extents"),
    (
        "heat7",
        [("y <= m; y++)\n          for", "y < m; y++)\n          for")],
        "Unew[z][y][x] =",
        "m - 1",
    ),
    (
        "poisson7",
        [("copy(u_new, toDevice, nx + 2", "copy(u_new, toDevice, nx + 3")],
        "u_new[at]",
        "'z' is multiplied by nx * ny + 2 * nx + 2 * ny + 4, which is none of the strides",
    ),
    ("poisson7", [("(nx + 2) * ((y)", "(ny + 2) * ((y)")], "u[IDX", "none of the strides"),
    ("heat5", [("j < NY + 1", "j < NY")], "for (j = 1; j < NY;", "visits 8 elements along y, and"),
    # aliases
    ("heat7", [("Unew = tmp", "Unew = U")], "Unew = U;", "'U' and 'Unew' are the same array"),
    (
        "heat7",
        [("***Unew = grid_new(n + 2, m + 2, k + 2)", "***Unew = U")],
        "U;\n  int x",
        "may be one and the",
    ),
    ("heat7", [("        U = Unew;\n", "        U = Unew + 1;\n")], "U = Unew + 1", "no swap of"),
    ("poisson7", [("u = u_new", "b = u_new")], "u_new = old", "'u' and 'u_new' are the same array"),
    # missing copies
    ("heat7", [("#pragma mint " + COPY, "")], "Unew[z][y][x] = c0", "not copied"),
    (
        "heat7",
        [("U, fromDevice", "U, toDevice")],
        "#pragma mint copy(U, toDevice, (n + 2), (m + 2), " "(k + 2))\n\n",
        "after the parallel region",
    ),
    ("poisson7", [("#pragma mint copy(u, from", "//")], "jacobi(", "no array is copied back"),
    (
        "poisson19",
        [("copy(b, toDevice)", "copy(b, toDevice, N, N)")],
        "#pragma mint copy(b",
        "3 sub",
    ),
    # dependences
    ("heat7", [("Unew[z][y][x] =", "U[z][y][x] =")], "U[z][y][x - 1]", "iterations depend on each"),
    ("heat5", [("v[j][i] = u", "u[j][i] = u")], "u[j][i - 1]", "that iteration i - 1 stores"),
    ("poisson7", [("u_new[at] = c0", "u[at] = c0")], "u[at - 1]", "iteration x - 1 stores"),
    (
        "heat5",
        [
            ("const double r = 0.2;", "const double r = 0.2; double around = 0;"),
            ("double around = u[j][i + 1]", "around = around + u[j][i + 1]"),
        ],
        "around + u",
        "'around' is read here before this iteration sets it",
    ),
    ("heart", [("E[k][j][i] -=", "R[k][j][i - 1] -=")], "R[k][j][i - 1]", "element nearer"),
    ("poisson7", [("u_new[at] = c0", "u_new[row] = c0")], "u_new[row]", "does not depend on 'x'"),
    (
        "heat5",
        [
            (
                "#pragma mint for\n      for (j = 1; j <= NY; j++) { /*",
                PLATE + "u[j][i] = v[j][i];\n"
                "#pragma mint for\n      for (j = 1; j <= NY; j++) if (j) { /*",
            )
        ],
        "if (j)",
        "no assignment to ghosts",
    ),
    # ghosts
    (
        "heat5",
        [
            (
                "    for (int t = 0; t < T; t++) {\n#pragma mint for\n",
                "    for (int t = 0; t < T; t++) {\n"
                + PLATE
                + "v[j][i] = u[j + 1][i];\n#pragma mint for\n",
            )
        ],
        "u[j + 1][i];",
        "in the first step",
    ),
    (
        "heat5",
        [
            (
                "#pragma mint barrier",
                PLATE + "u[j][i] = v[j][i];\n" + PLATE + "v[j][i] = u[j - 1][i] ;",
            )
        ],
        "u[j - 1][i] ;",
        "have changed",
    ),
    (
        "heat5",
        [
            ("u[j + 1][i] + u[j - 1][i]", "u[j + 1][i] + u[j - 1][i - 1]"),
            ("i = 0; i < NX + 2", "i = 1; i <= NX"),
        ],
        "for (j = 1; j <= NY; j++)\n        for",
        "must go on over those beyond x_lo",
    ),
    # loops
    ("heat7", [(NEST, NEST.replace("z++", "z += 2"))], "z += 2", "go up by 1"),
    ("heat7", [(NEST, NEST.replace("x <= n", "x <= y"))], "y; x++", "'y' of another one"),
    ("heat7", [("nest(all)", "nest(4)")], "4) tile", "4 loops are parallel, but there are 3"),
    (
        "heat7",
        [("chunksize(1, 1, 64)", "chunksize(1, 1, 48)")],
        "chunksize(1, 1, 48)",
        "no multiple",
    ),
    ("heat7", [("nest(all)", "nests(all)")], "nests", "found 'nests' where nest, tile"),
    (
        "heat7",
        [("#pragma mint for nest(all) tile(16, 16, 64) chunksize(1, 1, 64)\n", "")],
        "for (z = 1; z <= k; z++)\n        for",
        "without a directive",
    ),
    ("heat7", [("#pragma mint parallel", "")], "#pragma mint for", "stands in no parallel region"),
    (
        "heat7",
        [("mint parallel", "mint parallell")],
        "parallell",
        "where one of parallel, for, single",
    ),
    ("heat7", [("#pragma mint single", "abs(t);")], "abs(t)", "on the host while"),
    ("heat7", [("(t++ < T)", "(t++ < T--)")], "t++ < T--", "but line 31 changes 'T'"),
    ("heat7", [("(t++ < T)", "(t < T)")], "t < T", "in which nothing changes it"),
    ("heat7", [("(t++ < T)", "(x < T)")], "x < T", "in which 2 statements change it"),
    ("heat7", [("(t++ < T)", "(t-- > 0)")], "t-- > 0", "no condition of a time loop"),
    (
        "heat7",
        [("U[z][y][x - 1] +", "exp(U[z][y][x - 1]) +")],
        "exp(",
        "calls a function other than",
    ),
    (
        "heat7",
        [("U[z][y][x - 1] +", "(x > 1 ? U[z][y][x - 1] : 0) +")],
        "x > 1",
        "not the same for all cells",
    ),
    (
        "heat7",
        [("            Unew[z][y][x] = c0", "            if (x > 1) Unew[z][y][x] = c0")],
        "x > 1",
        "not the same for all cells",
    ),
    ("heat7", [("c0 * U[z][y][x]\n", "n * U[z][y][x]\n")], "n * U", "an integer that is not known"),
    ("heat7", [("Unew = tmp;\n", "Unew = tmp;\n c0 = c0 / 2;\n")], "c0 * U", "line 45 changes it"),
    (
        "heat5",
        [
            ("static double u", "static float u"),
            ("grid_fill(u[0]", "grid_fill(v[0]"),
            ("grid_save(argv[1], u[0]", "grid_save(argv[1], v[0]"),
        ],
        "around =",
        "'around' is a 'double'; in loops over cells of floats there are int and float",
    ),
    (
        "heat5",
        [("void steps(int T)\n{", "void steps(int T)\n{\n int q = ;")],
        ";\n  const double",
        "expected",
    ),
    (
        "heat5",
        [("#pragma mint", "#pragma omp")],
        "",
        "nothing to translate",
    ),
    (
        "smooth9",
        [("i = 0; i <= NX + 1", "i = 1; i <= NX")],
        "for (int j = 1; j <= NY; j++)\n        for",
        "those that fill ghosts beyond y_lo must go on over those beyond x_lo",
    ),
    (
        "smooth9",
        [("        u[j][0] = u[j][1];\n", "")],
        "for (int j = 1; j <= NY; j++)\n        for",
        "of which loops fill one and the other one is data",
    ),
    (
        "poisson7",
        [("int at = row + x;", "int at = row + x; x = x + 1;")],
        "x = x + 1",
        "variable of a loop",
    ),
    (
        "poisson7",
        [("            int at = row + x;", "            int at; at = row + x; y = 2; ")],
        "y = 2",
        "variable of a loop",
    ),
    ("heat5", [("u[j][0] = u[j][1];", "u[j][0] = u[j][1]; j++;")], "j++;", "variable of a loop"),
    # Panda's
    ("panda7_listing", [("(u_old, u_new) s", "(u_old) s")], "u_new[idx] =", "but not distributed"),
    (
        "panda7_listing",
        [("size(Nx+2,Ny", "size(Nx+1,Ny")],
        "u_new[idx] =",
        "does not fit the extents",
    ),
    ("panda7_listing", [("(u_old, u_new);", "(u_old, u_old);")], "swap(u_old", "different arrays"),
    (
        "panda7_listing",
        [("u_new[idx] =", "u_old[idx] =")],
        "u_old[idx-1]",
        "iteration i - 1 stores",
    ),
    (
        "panda7_listing",
        [("for (int k = 1", "\n#pragma panda reduction(+:s)\nfor (int k = 1")],
        "#pragma panda red",
        "do not gather values in 's' by +",
    ),
    ("panda7_listing", [("panda wait", "panda reduction(*:s)")], "*:s)", "+, min or max"),
    (
        "panda7_listing",
        [("k = 1; k < Nz+1", "k = 0; k < Nz+1")],
        "u_new[idx] =",
        "has Nz + 2 elements",
    ),
    ("panda7_listing", [("u_old[idx-1]", "u_old[idx-2]")], "u_old[idx-2]", "element -1 along x"),
    (
        "panda7_listing",
        [("size(Nx+2,Ny+2", "(Nx+2,Ny+2")],
        "(Nx+2,Ny+2,Nz+2)\n",
        "size(nx, ny, nz)",
    ),
    (
        "panda7_listing",
        [("std::swap(u_old, u_new);", "u_old = u_new;")],
        "u_old = u_new",
        "the same",
    ),
    (
        "panda7_listing",
        [
            ("for(int t = 0; t < iterations; t++) {", "{"),
            ("std::swap(u_old, u_new);", "std::swap(u_old, u_new);\n" + CLEAR),
        ],
        "swap(u_old",
        "no time loop has in it",
    ),
    ("panda7_listing", [("int idx =", "int idx = 2 *")], "u_new[idx] =", "'i' is multiplied by 2"),
    (
        "panda_heart",
        [("E_prev = tmp;\n  }\n", "E_prev = tmp;\n  }\n  R[0] = 1;\n")],
        "R[0] = 1",
        "in no loops over cells",
    ),
    ("panda_heart", [("boundary(zmin)", "boundary(zmax)")], "for (int j = 1", "does not name"),
    (
        "panda_heart",
        [("(ymin, ymax)", "(ymin, ymax, xmin)")],
        "#pragma panda boundary(ymin",
        "names x_lo",
    ),
    ("panda_heart", [("boundary(zmin)", "boundary(zlow)")], "zlow", "where xmin, xmax, ymin"),
    (
        "panda_heart",
        [("index + 2 * (n + 2) *", "index + 2 * (n + 1) *")],
        "E_prev[index + 2 * (n + 1)",
        "is element -1 along y",
    ),
    (
        "panda_heart",
        [("#pragma panda wait", "#pragma panda boundary(zmin)")],
        "for (k = 1; k <= n; k++)\n" "      for (j = 1; j <= n; j++)\n        for",
        "not over a plane of ghosts",
    ),
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
