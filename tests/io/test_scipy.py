#!/usr/bin/python3
# sanitizers: no
"""The program's solution is that of the contract's matrix, assembled here from the problem file
alone and solved directly: every kind of face with and without values, cell-centred and face
coefficients, a jump of 1000, stretched grids, singular problems.

Precondition: gmg --rtol 1e-12 converges. What must vanish: max |u - direct solution| / max |direct
solution|, to 1e-8. Usage: test_scipy.py GMG [CASE ...]"""
import os
import subprocess
import sys
import tempfile

import h5py
import numpy as np

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from contract import SIDES, Problem, status_of

GMG = os.path.abspath(sys.argv[1])
TOLERANCE = 1e-8


# ---- The cases


def write(
    path,
    cells,
    kinds=("dirichlet",) * 6,
    values=None,
    fields=(),
    a=None,
    b=None,
    stretch=None,
    seed=1,
    jump=1000.0,
    average=None,
    text=None,
    robin=(1.5, 0.5),
):
    """A problem with a rough right side. values: "scalar" or "array" boundary values. fields: of
    alpha, beta, beta_faces, sphere, guess. stretch: growth of the widths per cell, by axis."""
    random = np.random.default_rng(seed)
    nx, ny, nz = cells
    shape = (nz, ny, nx)
    upper = np.array([n / max(cells) for n in cells])
    with h5py.File(path, "w") as f:
        f.attrs["format"], f.attrs["version"] = "gmg-problem", 1
        grid = f.create_group("grid")
        grid.attrs["cells"], grid.attrs["lower"], grid.attrs["upper"] = (
            cells,
            [0.5, -1.0, 0.0],
            upper + [0.5, -1.0, 0.0],
        )
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
            if kinds[s] == "robin":
                boundary.attrs[side + "_c0"], boundary.attrs[side + "_c1"] = robin
            if values and kinds[s] != "periodic" and (values == "array" or s % 2):
                boundary.create_dataset(
                    side + "_value",
                    data=random.normal(size=shape[: 2 - s // 2] + shape[3 - s // 2 :]),
                )
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


D, N, R, P = "dirichlet", "neumann", "robin", "periodic"
CUBE = (20, 20, 20)
ODD = (19, 17, 15)
MIXED = (D, N, N, D, P, P)

CASES = {
    "dirichlet": dict(cells=CUBE),
    "dirichlet-scalars": dict(cells=ODD, values="scalar"),
    "dirichlet-arrays": dict(cells=ODD, values="array"),
    "dirichlet-variable": dict(cells=(18, 20, 16), values="array", fields=("alpha", "beta_faces")),
    "dirichlet-cell-beta": dict(cells=(18, 20, 16), values="array", fields=("beta",)),
    "dirichlet-arithmetic": dict(
        cells=(18, 20, 16), values="array", fields=("beta",), average="arithmetic"
    ),
    "neumann": dict(cells=(20, 18, 16), kinds=(N,) * 6, values="array", a=1.0),
    "neumann-alpha": dict(
        cells=ODD, kinds=(N,) * 6, values="scalar", fields=("alpha", "beta_faces"), b=2.5
    ),
    "neumann-singular": dict(cells=(20, 18, 16), kinds=(N,) * 6),
    "neumann-singular-odd": dict(cells=ODD, kinds=(N,) * 6, values="array", fields=("beta_faces",)),
    "neumann-singular-zero-a": dict(cells=ODD, kinds=(N,) * 6, fields=("alpha",), a=0.0),
    "periodic": dict(cells=(16, 20, 12), kinds=(P,) * 6, fields=("alpha",)),
    "periodic-singular": dict(cells=(16, 16, 16), kinds=(P,) * 6),
    "periodic-singular-odd": dict(cells=ODD, kinds=(P,) * 6, fields=("beta",)),
    "periodic-variable": dict(
        cells=(16, 20, 12), kinds=(P,) * 6, fields=("alpha", "beta_faces"), b=0.3
    ),
    "mixed": dict(cells=(20, 18, 16), kinds=MIXED, values="array"),
    "mixed-variable": dict(cells=ODD, kinds=MIXED, values="array", fields=("alpha", "beta_faces")),
    "mixed-cell-beta": dict(cells=ODD, kinds=(N, D, P, P, N, N), values="scalar", fields=("beta",)),
    "robin": dict(cells=ODD, kinds=(R,) * 6, values="array"),
    "robin-scalars": dict(
        cells=(20, 18, 16), kinds=(R, N, D, R, R, R), values="scalar", robin=(-0.2, -3.0)
    ),
    "robin-beta-faces": dict(
        cells=ODD, kinds=(R, D, R, N, P, P), values="array", fields=("alpha", "beta_faces")
    ),
    "robin-beta-cells": dict(
        cells=(18, 20, 16), kinds=(R, R, N, R, D, R), values="array", fields=("beta",)
    ),
    "robin-nearly-neumann": dict(cells=ODD, kinds=(R,) * 6, values="scalar", robin=(0.05, 1.0)),
    "robin-singular": dict(cells=ODD, kinds=(R, N, N, R, P, P), values="array", robin=(0, 2.5)),
    "robin-dirichlet": dict(cells=ODD, kinds=(R, N, D, R, R, R), values="array", robin=(3, 0)),
    "robin-stretched": dict(
        cells=(16, 18, 14),
        stretch=(1.04, 1, 1.05),
        kinds=(R, D, R, N, R, R),
        values="array",
        fields=("beta_faces",),
        robin=(10, 1),
    ),
    "jump-up": dict(cells=CUBE, fields=("sphere",), values="array"),
    "jump-down": dict(cells=CUBE, fields=("sphere",), jump=1e-3),
    "jump-neumann": dict(cells=ODD, fields=("sphere",), kinds=(N,) * 6, values="array"),
    "stretched-one": dict(cells=CUBE, stretch=(1, 1, 1.05), values="array"),
    "stretched-all": dict(
        cells=ODD,
        stretch=(1.05, 1.03, 1.04),
        kinds=MIXED,
        values="array",
        fields=("alpha", "beta_faces"),
    ),
    "stretched-periodic": dict(
        cells=(16, 18, 14), stretch=(1.04, 1.02, 1.03), kinds=(P,) * 6, fields=("beta",)
    ),
    "stretched-neumann-singular": dict(
        cells=(16, 18, 14),
        stretch=(1.04, 1.02, 1.03),
        kinds=(N,) * 6,
        values="array",
        fields=("beta",),
    ),
    "plane": dict(
        cells=(40, 30, 1), kinds=(D, D, N, D, N, N), values="array", fields=("beta_faces",)
    ),
    "line": dict(cells=(1, 200, 1), kinds=(P, P, D, N, N, N), values="scalar"),
    "one-cell": dict(cells=(1, 1, 1), values="scalar"),
    "guess": dict(cells=(16, 14, 12), fields=("guess", "beta"), values="array"),
    "fixed-length-text": dict(cells=(8, 9, 10), kinds=MIXED, text="fixed"),
}


def run_case(name, folder):
    """None, or what is wrong."""
    path, solution = (os.path.join(folder, name + ending) for ending in (".h5", ".solution.h5"))
    write(path, **CASES[name])
    done = subprocess.run(
        [GMG, "--input", path, "--rtol", "1e-12", "--quiet"],
        capture_output=True,
        text=True,
        timeout=300,
    )
    if done.returncode != 0:
        return f"exit status {done.returncode}: {done.stderr.strip()}{status_of(solution)}"
    expected = Problem(path).solve()
    with h5py.File(solution) as f:
        u, cycles = f["solution"][:], int(f["solution"].attrs["cycles"])
    error = abs(u - expected).max() / abs(expected).max()
    print(f"{name:28s} {cycles:3d} cycles, relative difference {error:.2e}", flush=True)
    return (
        None
        if error <= TOLERANCE
        else f"relative difference {error:.2e}, expected at most {TOLERANCE:.0e}"
    )


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
