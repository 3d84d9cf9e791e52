"""The contract "discretization": from a problem file to a matrix and a right side, and their direct
solution. What tests compare the program with; it shares no code with it."""
import os

import h5py
import numpy as np
import scipy.sparse as sparse
import scipy.sparse.linalg as linalg

SIDES = ["x_lo", "x_hi", "y_lo", "y_hi", "z_lo", "z_hi"]


class Problem:
    """A problem file, read as the contract says. Arrays are (nz, ny, nx); axis 0 is x here, array
    dimension 2 - axis."""

    def __init__(self, path):
        with h5py.File(path) as f:
            grid, self.cells = f["grid"], [int(n) for n in f["grid"].attrs["cells"]]
            self.faces = [
                grid[c][:].astype(float)
                if c in grid
                else np.linspace(grid.attrs["lower"][d], grid.attrs["upper"][d], self.cells[d] + 1)
                for d, c in enumerate("xyz")
            ]
            self.widths = [np.diff(x) for x in self.faces]
            equation = f["equation"].attrs if "equation" in f else {}
            self.a = float(equation.get("a", 1.0 if "alpha" in f else 0.0))
            self.b = float(equation.get("b", 1.0))
            shape = tuple(reversed(self.cells))
            self.alpha = f["alpha"][:].astype(float) if "alpha" in f else np.ones(shape)
            self.rhs = f["rhs"][:].astype(float)
            self.kind, self.value, self.robin = [], [], []
            boundary = f["boundary"] if "boundary" in f else None
            for s, side in enumerate(SIDES):
                kind = (
                    boundary.attrs.get(side, "dirichlet") if boundary is not None else "dirichlet"
                )
                kind = kind.decode() if isinstance(kind, bytes) else str(kind)
                value = np.zeros(shape[: 2 - s // 2] + shape[3 - s // 2 :])
                if boundary is not None and side + "_value" in boundary:
                    value = boundary[side + "_value"][:].astype(float)
                elif boundary is not None:
                    value = value + float(boundary.attrs.get(side + "_value", 0.0))
                self.kind.append(kind)
                self.value.append(value)
                self.robin.append(
                    tuple(float(boundary.attrs[side + c]) for c in ("_c0", "_c1"))
                    if kind == "robin"
                    else {"dirichlet": (1.0, 0.0), "neumann": (0.0, 1.0)}.get(kind)
                )
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

    def ghost(self, side, h):
        """c and k of ghost = c u + k: c0 (u + ghost) / 2 + c1 (ghost - u) / h = value solved for
        the ghost."""
        (c0, c1), value = self.robin[side], self.value[side]
        return (c1 / h - c0 / 2) / (c1 / h + c0 / 2), value / (c1 / h + c0 / 2)

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
                    kind = self.kind[2 * axis + side]
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
                    c, k = self.ghost(2 * axis + side, h[i])
                    diagonal[here] += weight * (1 - c)
                    rhs[here] += weight * k
        rows.append(index.ravel())
        columns.append(index.ravel())
        entries.append(diagonal.ravel())
        matrix = sparse.coo_matrix(
            (np.concatenate(entries), (np.concatenate(rows), np.concatenate(columns))),
            shape=(index.size, index.size),
        ).tocsc()
        return matrix, rhs.ravel()

    def singular(self):
        return not (self.a * self.alpha).any() and not any(pair and pair[0] for pair in self.robin)

    def solve(self):
        """The direct solution; for a singular problem of the projected right side, with mean 0."""
        matrix, rhs = self.assemble()
        volume = self.volume.ravel()
        if not self.singular():
            return direct(matrix, rhs).reshape(self.rhs.shape)
        rhs = rhs - volume @ rhs / volume.sum()
        u = np.concatenate([[0.0], direct(matrix[1:, 1:], rhs[1:])])
        return (u - volume @ u / volume.sum()).reshape(self.rhs.shape)


def direct(matrix, rhs):
    """The solution by a factorization that may take the diagonal's pivots: the matrix is symmetric
    up to row scaling, and diagonally dominant."""
    factors = linalg.splu(
        matrix, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0, options={"SymmetricMode": True}
    )
    return factors.solve(rhs)


def status_of(path):
    """How a solution file says that the solve ended, as a clause of a message."""
    if not os.path.exists(path):
        return ""
    with h5py.File(path) as f:
        attributes = f["solution"].attrs
        return (
            f" {attributes['status']} after {attributes['cycles']} cycles at "
            f"{attributes['relative_residual']:.2e}:"
            f" {attributes['reason']}"
        )
