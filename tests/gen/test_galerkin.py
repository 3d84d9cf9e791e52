#!/usr/bin/python3
# threads: 1
"""What must vanish: differences, beyond rounding, of the coarse weights that gmg-gen --galerkin
composes from scipy's product R A P, for built-in operators and some of an application's, with both
interpolations, on periodic grids with random coefficients; texts that the compiler does not take.
"""
import ctypes
import itertools
import os
import re
import subprocess
import sys
import tempfile

import numpy as np
import scipy.sparse as sparse

gen, source = sys.argv[2], sys.argv[3]
FINE, COARSE = (8, 8, 12), (4, 4, 6)  # along k, j, i
random = np.random.default_rng(7)
failures = 0

OWN = {
    "upwind.c": """#include "stencil.h"
GMG_OPERATOR
void upwind(int boxes, int nk, int nj, int ni, double b,
            double w[restrict boxes][nk + 2][nj + 2][ni + 2] CELL(1),
            const double u[boxes][nk + 2][nj + 2][ni + 2] CELL(1),
            const double speed[boxes][nk + 2][nj + 2][ni + 2] CELL(1),
            const double beta_i[boxes][nk + 2][nj + 2][ni + 2] FACE_I(1))
{
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni; i++) {
          double drift = speed[box][k][j][i] * (u[box][k][j][i] - u[box][k][j][i - 1]);
          w[box][k][j][i] = b * drift / 3
            - (beta_i[box][k][j][i + 1] * (u[box][k][j][i + 1] - u[box][k][j][i])
               - beta_i[box][k][j][i] * (u[box][k][j][i] - u[box][k][j][i - 1]))
            + 5 * u[box][k][j][i] - u[box][k][j + 1][i] - u[box][k][j - 1][i];
        }
}
""",
    "corners.c": """#include "stencil.h"
GMG_OPERATOR
void corners(int boxes, int nk, int nj, int ni,
             double w[restrict boxes][nk + 2][nj + 2][ni + 2] CELL(1),
             const double u[boxes][nk + 2][nj + 2][ni + 2] CELL(1),
             const double alpha[boxes][nk + 2][nj + 2][ni + 2] CELL(1),
             const double h_k[nk + 2] LINE_K(1))
{
  for (int box = 0; box < boxes; box++)
    for (int k = 1; k <= nk; k++)
      for (int j = 1; j <= nj; j++)
        for (int i = 1; i <= ni; i++)
          w[box][k][j][i] = alpha[box][k][j][i] * h_k[k] * (8.1 * u[box][k][j][i]
            - u[box][k + 1][j + 1][i] - u[box][k - 1][j - 1][i] - u[box][k][j + 1][i + 1]
            - u[box][k][j - 1][i - 1]) - alpha[box][k][j][i + 1] * u[box][k][j][i + 1]
            - alpha[box][k][j][i] * u[box][k][j][i - 1];
}
""",
}


def expect(good, what):
    global failures
    if not good:
        failures += 1
        print("FAILED:", what)


def run(*words, status=0):
    done = subprocess.run([gen, *words], capture_output=True, text=True, check=False)
    expect(done.returncode == status, f"{words}: exit {done.returncode}: {done.stderr[:300]}")
    return done


def library(path):
    name = os.path.abspath(os.path.basename(path)[:-2] + ".so")
    words = ["cc", "-std=c99", "-O1", "-ffp-contract=off", "-w", "-shared", "-fPIC"]
    subprocess.run([*words, f"-I{source}/operators", path, "-o", name], check=True)
    return ctypes.CDLL(name)


def functions(path):
    """Names, and of each the parameters: type, name, what is said of it."""
    with open(path, encoding="utf-8") as stream:
        text = re.sub(r"/\*.*?\*/", "", stream.read(), flags=re.S)
    for name, inside in re.findall(r"void (\w+)\((.*?)\)\s*\{", text, flags=re.S):
        parameters = []
        for one in re.split(r",(?![^(]*\))", " ".join(inside.split())):
            found = re.match(r"(?:const )?(int|double) (\w+)(?:\[.*\])? ?(\w*)", one.strip())
            parameters.append(found.groups())
        yield name, parameters


def around(values):
    """With a ghost on either side, periodic."""
    return np.ascontiguousarray(np.pad(values, 1, mode="wrap"))


def pointer(array):
    return array.ctypes.data_as(ctypes.c_void_p)


class Data:
    """Random coefficients by name, the same for all kernels."""

    def __init__(self):
        self.known = {}

    def field(self, name):
        if name not in self.known:
            self.known[name] = random.uniform(0.5, 2, FINE)
        return self.known[name]

    def line(self, name):
        if name not in self.known:
            self.known[name] = random.uniform(0.5, 2, FINE["kji".index(name[2])])
        return self.known[name]


def operator_matrix(path, data):
    function = getattr(library(path), next(functions(path))[0])
    parameters = next(functions(path))[1]
    count = int(np.prod(FINE))
    u, w = np.zeros(FINE), np.zeros([n + 2 for n in FINE])
    words, kept = [], []
    for kind, name, what in parameters:
        if kind == "int":
            words.append(ctypes.c_int(1 if name == "boxes" else FINE["kji".index(name[1])]))
        elif not what:
            words.append(ctypes.c_double(data.known.setdefault(name, 0.7)))
        elif name in "uw":
            words.append(name)
        else:
            kept.append(around(data.line(name) if what.startswith("LINE") else data.field(name)))
            words.append(pointer(kept[-1]))
    columns = []
    for cell in range(count):
        u[...] = 0
        u.flat[cell] = 1
        ghosted = around(u)
        place = {"u": pointer(ghosted), "w": pointer(w)}
        function(*[place[word] if isinstance(word, str) else word for word in words])
        columns.append(sparse.csc_matrix(w[1:-1, 1:-1, 1:-1].reshape(-1, 1)))
    return sparse.hstack(columns).tocsr()


def interpolation(merged, constant):
    """P, a product of matrices for each axis."""
    result = sparse.identity(1)
    for axis in range(3):
        if not merged[axis]:
            result = sparse.kron(result, sparse.identity(FINE[axis]))
            continue
        one = sparse.lil_matrix((FINE[axis], COARSE[axis]))
        for fine in range(FINE[axis]):
            one[fine, fine // 2] += 1 if constant else 0.75
            if not constant:
                one[fine, (fine // 2 + (1 if fine % 2 else -1)) % COARSE[axis]] += 0.25
        result = sparse.kron(result, one)
    return result.tocsr()


def composed(path, data, cells, merged):
    """The matrix of all weights that the kernels compute."""
    code, count = library(path), int(np.prod(cells))
    index = np.arange(count).reshape(cells)
    matrix = sparse.csr_matrix((count, count))
    for name, parameters in functions(path):
        words, kept, weights = [], [], {}
        for kind, what, note in parameters:
            if kind == "int" and not note:
                sizes = cells if what[0] == "n" else FINE
                size = 1 if what == "boxes" else sizes["kji".index(what[1])]
                words.append(ctypes.c_int(size))
                continue
            if not note:
                words.append(ctypes.c_double(data.known[what]))
                continue
            if kind == "int":
                axis = "kji".index(what[3])
                first = (2 if merged[axis] else 1) * np.arange(cells[axis]) + 1
                table = np.pad(first + (what[:2] == "hi"), 1).astype(np.int32)
                kept.append(table)
            elif note == "CELL":
                kept.append(np.zeros([n + 2 for n in cells]))
                weights[what] = kept[-1]
            elif note.startswith("LINE"):
                base, at = re.match(r"(\w+)_at_(m?\d+)", what).groups()
                axis = "kji".index(base[2])
                first = (2 if merged[axis] else 1) * np.arange(cells[axis])
                shift = int(at.replace("m", "-"))
                kept.append(np.pad(data.line(base)[(first + shift) % FINE[axis]], 1))
            else:
                kept.append(around(data.field(what)))
            words.append(pointer(kept[-1]))
        getattr(code, name)(*words)
        for what, values in weights.items():
            shift = [int(n.replace("m", "-")) for n in what.split("_")[1:]]
            to = np.roll(index, [-n for n in shift], axis=(0, 1, 2))
            inside = values[1:-1, 1:-1, 1:-1].ravel()
            matrix += sparse.csr_matrix((inside, (index.ravel(), to.ravel())), (count, count))
    return matrix


def compare(path, merged, constant, taken):
    data, word = Data(), "constant" if constant else "linear"
    name = f"{os.path.basename(path)[:-2]}_{word}.c"
    run(path, "--galerkin", word, "-o", name)
    fine = operator_matrix(path, data)
    up, down = interpolation(merged, constant), interpolation(merged, True).T
    exact = (down @ fine @ up).tocsr()
    cells = tuple(COARSE[a] if merged[a] else FINE[a] for a in range(3))
    difference = abs(composed(os.path.abspath(name), data, cells, merged) - exact).max()
    size = abs(exact).max()
    print(f"{name}: {exact.nnz // exact.shape[0]} weights, off by {difference / size:.1e}")
    expect(difference <= 1e-14 * size, f"{name}: {difference} of {size}")
    if taken:
        for target in ("openmp", "cuda"):
            run(name, "--target", target, "-o", "again.cu" if target == "cuda" else "again.c")


def mistakes():
    op = f"{source}/operators/variable7.c"
    for words, text in (
        ((op, "--galerkin", "cubic"), "takes constant or linear, not 'cubic'"),
        ((op, op, "--galerkin", "linear"), "takes one file"),
        ((op, "--galerkin", "linear", "-o", "x.cu"), "ends in .c"),
        ((op, "--galerkin", "linear", "--target", "cuda"), "without --target"),
    ):
        expect(text in run(*words, status=2).stderr, f"{words[1:]}: {text}")
    done = run(f"{source}/operators/range.c", "--galerkin", "linear", status=1)
    expect("has no operator" in done.stderr, done.stderr)


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    mistakes()
    for file, text in OWN.items():
        with open(file, "w", encoding="utf-8") as stream:
            stream.write(text)
    everywhere = (True, True, True)
    for constant in (True, False):
        compare(f"{source}/operators/variable7.c", everywhere, constant, True)
        compare(f"{source}/operators/constant7.c", everywhere, constant, constant)
        compare(os.path.abspath("upwind.c"), (False, True, True), constant, True)
        compare(os.path.abspath("corners.c"), everywhere, constant, False)
    compare(f"{source}/operators/constant27.c", everywhere, False, False)
sys.exit(failures > 0)
