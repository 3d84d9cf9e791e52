#!/usr/bin/python3
"""Makes a problem with Dirichlet and Neumann values on opposite sides, alpha, beta on faces, and a
grid stretched in z:

    make_mixed.py FILE.h5

    u = sin 2x cos y exp(z/2),  beta = 1 + x/2 + 3 y z / 10,  alpha = 1 + x y
"""
import sys

import h5py
import numpy as np

CELLS = (16, 14, 12)
UPPER = (1.0, 0.875, 0.8)


def u(z, y, x):
    return np.sin(2 * x) * np.cos(y) * np.exp(z / 2)


def gradient(z, y, x):
    """Derivatives of u in x, y, z."""
    return (
        2 * np.cos(2 * x) * np.cos(y) * np.exp(z / 2),
        -np.sin(2 * x) * np.sin(y) * np.exp(z / 2),
        u(z, y, x) / 2,
    )


def beta(z, y, x):
    return 1 + x / 2 + 0.3 * y * z + 0 * (x + y + z)


def rhs(z, y, x):
    ux, uy, uz = gradient(z, y, x)
    laplacian = (-4 - 1 + 0.25) * u(z, y, x)
    return (1 + x * y) * u(z, y, x) - (
        beta(z, y, x) * laplacian + 0.5 * ux + 0.3 * z * uy + 0.3 * y * uz
    )


def main():
    x, y = (np.linspace(0, UPPER[d], CELLS[d] + 1) for d in range(2))
    z = np.concatenate([[0], np.cumsum(1.05 ** np.arange(CELLS[2]))])
    z *= UPPER[2] / z[-1]
    faces = (x, y, z)
    cx, cy, cz = (f[1:] / 2 + f[:-1] / 2 for f in faces)

    def mesh(zs, ys, xs):
        return zs[:, None, None], ys[None, :, None], xs[None, None, :]

    with h5py.File(sys.argv[1], "w") as f:
        f.attrs["format"], f.attrs["version"] = "gmg-problem", 1
        grid, boundary = f.create_group("grid"), f.create_group("boundary")
        grid.attrs["cells"], grid.attrs["lower"], grid.attrs["upper"] = (
            CELLS,
            (0.0, 0.0, 0.0),
            UPPER,
        )
        grid["z"] = z
        centres = mesh(cz, cy, cx)
        f["rhs"], f["exact"] = rhs(*centres), u(*centres)
        f["alpha"] = 1 + centres[2] * centres[1] + 0 * centres[0]
        f["beta_x"], f["beta_y"] = beta(*mesh(cz, cy, x)), beta(*mesh(cz, y, cx))
        f["beta_z"] = beta(*mesh(z, cy, cx))
        ends = {
            "x": (mesh(cz, cy, x[:1]), mesh(cz, cy, x[-1:])),
            "y": (mesh(cz, y[:1], cx), mesh(cz, y[-1:], cx)),
            "z": (mesh(z[:1], cy, cx), mesh(z[-1:], cy, cx)),
        }
        for d, axis in enumerate("xyz"):
            for side, at in zip(("lo", "hi"), ends[axis]):
                neumann = (side == "hi") == (axis != "y")
                outward = 1 if side == "hi" else -1
                values = outward * gradient(*at)[d] if neumann else u(*at)
                boundary.attrs[f"{axis}_{side}"] = "neumann" if neumann else "dirichlet"
                boundary[f"{axis}_{side}_value"] = np.squeeze(values, axis=2 - d)
    print(f"wrote {sys.argv[1]}")


if __name__ == "__main__":
    main()
