#!/usr/bin/python3
# timeout: 900
"""The program's solution is that of the contract's matrix, assembled here from the problem file alone and solved
directly: every kind of face of this version with and without values, cell-centred and face coefficients, a jump of 1000,
stretched grids, singular problems.

Precondition: gmg --rtol 1e-12 converges. What must vanish: max |u - direct solution| / max |direct solution|, to 1e-8.
Usage: test_scipy.py GMG [CASE ...]"""
import os
import subprocess
import sys
import tempfile

import h5py
import numpy as np
import scipy.sparse as sparse
import scipy.sparse.linalg as linalg

GMG = os.path.abspath(sys.argv[1])
TOLERANCE = 1e-8
SIDES = ["x_lo", "x_hi", "y_lo", "y_hi", "z_lo", "z_hi"]


# ---- The contract: from a problem file to a matrix and a right side -------------------------------------------------

class Problem:
    """A problem file, read as the contract says. Arrays are (nz, ny, nx); axis 0 is x here, array dimension 2 - axis."""

    def __init__(self, path):
        with h5py.File(path) as f:
            grid, self.cells = f["grid"], [int(n) for n in f["grid"].attrs["cells"]]
            self.faces = [grid[c][:].astype(float) if c in grid else
                          np.linspace(grid.attrs["lower"][d], grid.attrs["upper"][d], self.cells[d] + 1)
                          for d, c in enumerate("xyz")]
            self.widths = [np.diff(x) for x in self.faces]
            equation = f["equation"].attrs if "equation" in f else {}
            self.a = float(equation.get("a", 1.0 if "alpha" in f else 0.0))
            self.b = float(equation.get("b", 1.0))
            shape = tuple(reversed(self.cells))
            self.alpha = f["alpha"][:].astype(float) if "alpha" in f else np.ones(shape)
            self.rhs = f["rhs"][:].astype(float)
            self.kind, self.value = [], []
            boundary = f["boundary"] if "boundary" in f else None
            for s, side in enumerate(SIDES):
                kind = boundary.attrs.get(side, "dirichlet") if boundary is not None else "dirichlet"
                kind = kind.decode() if isinstance(kind, bytes) else str(kind)
                value = np.zeros(shape[:2 - s // 2] + shape[3 - s // 2:])
                if boundary is not None and side + "_value" in boundary:
                    value = boundary[side + "_value"][:].astype(float)
                elif boundary is not None:
                    value = value + float(boundary.attrs.get(side + "_value", 0.0))
                self.kind.append(kind)
                self.value.append(value)
            self.beta = [self.face_beta(f, d) for d in range(3)]
        volume = np.ones(shape)
        for d in range(3):
            volume = volume * self.along(self.widths[d], d)
        self.volume = volume

    @staticmethod
    def along(values, axis):
        """1-D values as an array that varies along one axis."""
        shape = [1, 1, 1]
        shape[2 - axis] = len(values)
        return np.asarray(values).reshape(shape)

    def face_beta(self, f, axis):
        """β on the cells + 1 faces of an axis."""
        dim, n = 2 - axis, self.cells[axis]
        if "beta_" + "xyz"[axis] in f:
            return f["beta_" + "xyz"[axis]][:].astype(float)
        shape = list(reversed(self.cells))
        cell = f["beta"][:].astype(float) if "beta" in f else np.ones(shape)
        average = f["beta"].attrs.get("average", "") if "beta" in f else ""
        average = average.decode() if isinstance(average, bytes) else average
        periodic = self.kind[2 * axis] == "periodic"
        low = np.take(cell, range(-1, n) if periodic else [0] + list(range(n)), dim)
        high = np.take(cell, list(range(n)) + ([0] if periodic else [n - 1]), dim)
        h = self.widths[axis]
        h_low = self.along(np.concatenate([[h[-1] if periodic else h[0]], h]), axis)
        h_high = self.along(np.concatenate([h, [h[0] if periodic else h[-1]]]), axis)
        if average == "arithmetic":
            return (low + high) / 2
        return (h_low + h_high) / (h_low / low + h_high / high)

    def assemble(self):
        """The matrix per unit volume and the right side with the boundary values folded in."""
        nx, ny, nz = self.cells
        index = np.arange(nx * ny * nz).reshape(nz, ny, nx)
        diagonal = self.a * self.alpha
        rhs = self.rhs.copy()
        rows, columns, entries = [], [], []
        for axis in range(3):
            dim, n, h = 2 - axis, self.cells[axis], self.widths[axis]
            for side in (0, 1):
                inner = range(1, n) if side == 0 else range(0, n - 1)
                step = -1 if side == 0 else 1
                for i in range(n):
                    here = [slice(None)] * 3
                    here[dim] = i
                    here = tuple(here)
                    face = [slice(None)] * 3
                    face[dim] = i + side
                    beta = self.beta[axis][tuple(face)]
                    wall = i not in inner
                    kind, value = self.kind[2 * axis + side], self.value[2 * axis + side]
                    if not wall or kind == "periodic":
                        other = (i + step) % n
                        weight = self.b * beta / (h[i] * (h[i] + h[other]) / 2)
                        there = [slice(None)] * 3
                        there[dim] = other
                        rows.append(index[here].ravel())
                        columns.append(index[tuple(there)].ravel())
                        entries.append(-weight.ravel())
                        diagonal[here] += weight
                        continue
                    weight = self.b * beta / h[i] ** 2  # the ghost cell is as wide as this one
                    c, k = (-1, 2 * value) if kind == "dirichlet" else (1, h[i] * value)
                    diagonal[here] += weight * (1 - c)
                    rhs[here] += weight * k
        rows.append(index.ravel())
        columns.append(index.ravel())
        entries.append(diagonal.ravel())
        matrix = sparse.coo_matrix((np.concatenate(entries), (np.concatenate(rows), np.concatenate(columns))),
                                   shape=(index.size, index.size)).tocsc()
        return matrix, rhs.ravel()

    def singular(self):
        return not (self.a * self.alpha).any() and "dirichlet" not in self.kind

    def solve(self):
        """The direct solution; for a singular problem of the projected right side, with mean 0."""
        matrix, rhs = self.assemble()
        volume = self.volume.ravel()
        if not self.singular():
            return linalg.spsolve(matrix, rhs).reshape(self.rhs.shape)
        rhs = rhs - volume @ rhs / volume.sum()
        u = np.concatenate([[0.0], linalg.spsolve(matrix[1:, 1:], rhs[1:])])
        return (u - volume @ u / volume.sum()).reshape(self.rhs.shape)


# ---- The cases ------------------------------------------------------------------------------------------------------

def write(path, cells, kinds=("dirichlet",) * 6, values=None, fields=(), a=None, b=None, stretch=None, seed=1,
          jump=1000.0, average=None, text=None):
    """A problem with a rough right side. values: "scalar" or "array" boundary values. fields: of alpha, beta, beta_faces,
    sphere, guess. stretch: growth of the widths per cell, by axis."""
    random = np.random.default_rng(seed)
    nx, ny, nz = cells
    shape = (nz, ny, nx)
    upper = np.array([n / max(cells) for n in cells])
    with h5py.File(path, "w") as f:
        f.attrs["format"], f.attrs["version"] = "gmg-problem", 1
        grid = f.create_group("grid")
        grid.attrs["cells"], grid.attrs["lower"], grid.attrs["upper"] = cells, [0.5, -1.0, 0.0], upper + [0.5, -1.0, 0.0]
        for d, growth in enumerate(stretch or ()):
            if growth != 1:
                x = np.concatenate([[0.0], np.cumsum(growth ** np.arange(cells[d]))])
                grid["xyz"[d]] = grid.attrs["lower"][d] + x / x[-1] * upper[d]
        f["rhs"] = random.normal(size=shape) + 1
        equation = f.create_group("equation")
        if a is not None:
            equation.attrs["a"] = a
        if b is not None:
            equation.attrs["b"] = b
        write_fields(f, cells, fields, kinds, jump, average, random)
        boundary = f.create_group("boundary")
        for s, side in enumerate(SIDES):
            boundary.attrs[side] = np.bytes_(kinds[s]) if text == "fixed" else kinds[s]
            if values and kinds[s] != "periodic" and (values == "array" or s % 2):
                boundary.create_dataset(side + "_value", data=random.normal(size=shape[:2 - s // 2] + shape[3 - s // 2:]))
            elif values and kinds[s] != "periodic":
                boundary.attrs[side + "_value"] = s + 0.5


def write_fields(f, cells, fields, kinds, jump, average, random):
    nx, ny, nz = cells
    shape = (nz, ny, nx)
    if "alpha" in fields:
        f["alpha"] = random.uniform(0, 2, size=shape)
    if "guess" in fields:
        f["initial_guess"] = random.normal(size=shape)
    if "beta" in fields:
        f["beta"] = np.exp(random.normal(size=shape) * 0.5)
    if "sphere" in fields:
        x = [(np.arange(n) + 0.5) / n - 0.5 for n in cells]
        r2 = x[2][:, None, None] ** 2 + x[1][None, :, None] ** 2 + x[0][None, None, :] ** 2
        f["beta"] = np.where(r2 < 0.09, jump, 1.0)
    if average and "beta" in f:
        f["beta"].attrs["average"] = average
    if "beta_faces" in fields:
        for d, name in enumerate(["beta_x", "beta_y", "beta_z"]):
            face_shape = list(shape)
            face_shape[2 - d] += 1
            values = np.exp(random.normal(size=face_shape) * 0.5)
            if kinds[2 * d] == "periodic":
                ends = [slice(None)] * 3
                ends[2 - d] = -1
                first = list(ends)
                first[2 - d] = 0
                values[tuple(ends)] = values[tuple(first)]
            f[name] = values


D, N, P = "dirichlet", "neumann", "periodic"
CUBE = (20, 20, 20)
ODD = (19, 17, 15)
MIXED = (D, N, N, D, P, P)

CASES = {
    "dirichlet": dict(cells=CUBE),
    "dirichlet-scalars": dict(cells=ODD, values="scalar"),
    "dirichlet-arrays": dict(cells=ODD, values="array"),
    "dirichlet-variable": dict(cells=(18, 20, 16), values="array", fields=("alpha", "beta_faces")),
    "dirichlet-cell-beta": dict(cells=(18, 20, 16), values="array", fields=("beta",)),
    "dirichlet-arithmetic": dict(cells=(18, 20, 16), values="array", fields=("beta",), average="arithmetic"),
    "neumann": dict(cells=(20, 18, 16), kinds=(N,) * 6, values="array", a=1.0),
    "neumann-alpha": dict(cells=ODD, kinds=(N,) * 6, values="scalar", fields=("alpha", "beta_faces"), b=2.5),
    "neumann-singular": dict(cells=(20, 18, 16), kinds=(N,) * 6),
    "neumann-singular-odd": dict(cells=ODD, kinds=(N,) * 6, values="array", fields=("beta_faces",)),
    "neumann-singular-zero-a": dict(cells=ODD, kinds=(N,) * 6, fields=("alpha",), a=0.0),
    "periodic": dict(cells=(16, 20, 12), kinds=(P,) * 6, fields=("alpha",)),
    "periodic-singular": dict(cells=(16, 16, 16), kinds=(P,) * 6),
    "periodic-singular-odd": dict(cells=ODD, kinds=(P,) * 6, fields=("beta",)),
    "periodic-variable": dict(cells=(16, 20, 12), kinds=(P,) * 6, fields=("alpha", "beta_faces"), b=0.3),
    "mixed": dict(cells=(20, 18, 16), kinds=MIXED, values="array"),
    "mixed-variable": dict(cells=ODD, kinds=MIXED, values="array", fields=("alpha", "beta_faces")),
    "mixed-cell-beta": dict(cells=ODD, kinds=(N, D, P, P, N, N), values="scalar", fields=("beta",)),
    "jump-up": dict(cells=CUBE, fields=("sphere",), values="array"),
    "jump-down": dict(cells=CUBE, fields=("sphere",), jump=1e-3),
    "jump-neumann": dict(cells=ODD, fields=("sphere",), kinds=(N,) * 6, values="array"),
    "stretched-one": dict(cells=CUBE, stretch=(1, 1, 1.05), values="array"),
    "stretched-all": dict(cells=ODD, stretch=(1.05, 1.03, 1.04), kinds=MIXED, values="array",
                          fields=("alpha", "beta_faces")),
    "stretched-periodic": dict(cells=(16, 18, 14), stretch=(1.04, 1.02, 1.03), kinds=(P,) * 6, fields=("beta",)),
    "stretched-neumann-singular": dict(cells=(16, 18, 14), stretch=(1.04, 1.02, 1.03), kinds=(N,) * 6,
                                       values="array", fields=("beta",)),
    "plane": dict(cells=(40, 30, 1), kinds=(D, D, N, D, N, N), values="array", fields=("beta_faces",)),
    "line": dict(cells=(1, 200, 1), kinds=(P, P, D, N, N, N), values="scalar"),
    "one-cell": dict(cells=(1, 1, 1), values="scalar"),
    "guess": dict(cells=(16, 14, 12), fields=("guess", "beta"), values="array"),
    "fixed-length-text": dict(cells=(8, 9, 10), kinds=MIXED, text="fixed"),
}


def run_case(name, folder):
    """None, or what is wrong."""
    path = os.path.join(folder, name + ".h5")
    write(path, **CASES[name])
    done = subprocess.run([GMG, "--input", path, "--rtol", "1e-12", "--quiet"], capture_output=True, text=True,
                          timeout=300)
    if done.returncode != 0:
        return f"exit status {done.returncode}: {done.stderr.strip()}{status_of(folder, name)}"
    expected = Problem(path).solve()
    with h5py.File(os.path.join(folder, name + ".solution.h5")) as f:
        u, cycles = f["solution"][:], int(f["solution"].attrs["cycles"])
    error = abs(u - expected).max() / abs(expected).max()
    print(f"{name:28s} {cycles:3d} cycles, relative difference {error:.2e}", flush=True)
    return None if error <= TOLERANCE else f"relative difference {error:.2e}, expected at most {TOLERANCE:.0e}"


def status_of(folder, name):
    path = os.path.join(folder, name + ".solution.h5")
    if not os.path.exists(path):
        return ""
    with h5py.File(path) as f:
        attributes = f["solution"].attrs
        return (f" {attributes['status']} after {attributes['cycles']} cycles at {attributes['relative_residual']:.2e}:"
                f" {attributes['reason']}")


def main():
    chosen = [name for name in sys.argv[2:] if name in CASES] or list(CASES)
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for name in chosen:
            wrong = run_case(name, folder)
            if wrong:
                failed += 1
                print(f"FAILED {name}: {wrong}", flush=True)
    print(f"{len(chosen) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
