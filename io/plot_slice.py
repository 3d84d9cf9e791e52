#!/usr/bin/python3
"""A picture of a slice through a solution: the middle plane across the axis with --axis (default
z).

    plot_slice.py problem.solution.h5 slice.png [--axis x|y|z] [--dataset NAME]

Also takes a problem file (--dataset rhs, beta, exact, ...). Axes are in the problem's length
unit."""
import argparse
import os
import sys

import h5py
import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
import numpy as np  # noqa: E402


def faces_of(grid, axis):
    """Coordinates of the cell faces along an axis."""
    name = "xyz"[axis]
    if name in grid:
        return grid[name][:]
    return np.linspace(
        grid.attrs["lower"][axis], grid.attrs["upper"][axis], int(grid.attrs["cells"][axis]) + 1
    )


def read_slice(path, name, axis):
    """Values (second axis slow), the two axes' face coordinates, and a title."""
    with h5py.File(path) as f:
        if "grid" not in f or name not in f:
            sys.exit(f"plot_slice.py: {path} has no dataset /{name} with a group /grid beside it")
        data, faces = f[name], [faces_of(f["grid"], d) for d in range(3)]
        middle = data.shape[2 - axis] // 2
        index = [slice(None)] * 3
        index[2 - axis] = middle
        values = data[tuple(index)]
        title = (
            f"{os.path.basename(path)}: {name} at {'xyz'[axis]} = "
            f"{(faces[axis][middle] + faces[axis][min(middle + 1, len(faces[axis]) - 1)]) / 2:.4g}"
        )
        if "status" in data.attrs:
            status = data.attrs["status"]
            status = status.decode() if isinstance(status, bytes) else status
            title += (
                f"\n{status}, {data.attrs['cycles']} cycles, relative residual "
                f"{data.attrs['relative_residual']:.1e}"
            )
    return values, faces, title


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file")
    parser.add_argument("picture")
    parser.add_argument("--axis", choices="xyz", default="z", help="the slice is across this axis")
    parser.add_argument("--dataset", default="solution")
    arguments = parser.parse_args()
    axis = "xyz".index(arguments.axis)
    across, up = [d for d in range(3) if d != axis]
    values, faces, title = read_slice(arguments.file, arguments.dataset, axis)
    width, height = np.ptp(faces[across]), np.ptp(faces[up])
    figure, axes = plt.subplots(figsize=(6.4, 5.6), layout="constrained")
    shape = tuple(len(faces[d]) - 1 for d in (up, across))
    if values.shape != shape:  # values on faces: drop the last plane
        values = values[: shape[0], : shape[1]]
    image = axes.pcolormesh(faces[across], faces[up], values, cmap="viridis", rasterized=True)
    axes.set_aspect("equal" if 0.1 < width / height < 10 else "auto")
    axes.set_xlabel("xyz"[across] + " (length unit of the problem)")
    axes.set_ylabel("xyz"[up] + " (length unit of the problem)")
    axes.set_title(title, fontsize=10)
    figure.colorbar(image, label="u" if arguments.dataset == "solution" else arguments.dataset)
    temporary = f"{arguments.picture}.partial-{os.getpid()}.png"
    figure.savefig(temporary, dpi=150)
    os.replace(temporary, arguments.picture)
    print(f"wrote {arguments.picture}")


if __name__ == "__main__":
    main()
