#!/usr/bin/python3
"""However HDF5 stores values (at once, in chunks of any shape, behind filters, partly never
written), the solution has the same bits, alone and on three ranks.

Precondition: none. What must vanish: the difference of the solutions. Usage: test_storage.py GMG"""
import os
import shutil
import subprocess
import sys
import tempfile

import h5py
import numpy as np

import damage

NX, NY, NZ = 12, 9, 10
SHAPE = (NZ, NY, NX)
STORED = {
    "at once": {},
    "chunks": {"chunks": (3, 4, 5)},
    "gzip": {"chunks": (3, 4, 5), "compression": "gzip"},
    "gzip, shuffle, checksums": {
        "chunks": (4, 9, 7),
        "compression": "gzip",
        "shuffle": True,
        "fletcher32": True,
    },
    "gzip, one chunk": {"chunks": SHAPE, "compression": "gzip"},
    "gzip, rows": {"chunks": (1, 1, 12), "compression": "gzip", "maxshape": (None, None, None)},
    "checksums": {"chunks": (7, 2, 3), "fletcher32": True},
    "never written in part": {"chunks": (3, 4, 5), "compression": "gzip", "fillvalue": 1.0},
    "offsets": {"chunks": (5, 3, 6), "scaleoffset": 0},
}


def problem(path, storage, version):
    random = np.random.default_rng(5)
    with h5py.File(path, "w", libver=version) as f:
        f.attrs["format"], f.attrs["version"] = "gmg-problem", 1
        grid, boundary = f.create_group("grid"), f.create_group("boundary")
        grid.attrs["cells"], grid.attrs["lower"], grid.attrs["upper"] = (
            [NX, NY, NZ],
            [0.0] * 3,
            [1.0] * 3,
        )
        f.create_dataset("rhs", data=random.integers(-99, 99, SHAPE, "i4"), **storage)
        beta = random.integers(1, 9, SHAPE, "i4")
        beta[6:, :, :] = 1
        stored = f.create_dataset("beta", SHAPE, "i4", **storage)
        stored[:6] = beta[:6]
        if "fillvalue" not in storage:
            stored[6:] = beta[6:]
        flat = {key: value for key, value in storage.items() if key != "maxshape"}
        if "chunks" in flat:
            flat["chunks"] = flat["chunks"][1:]
        boundary.create_dataset("z_hi_value", data=random.integers(0, 9, SHAPE[1:], "i4"), **flat)


def main():
    gmg = os.path.abspath(sys.argv[1])
    launchers = [[]]
    if damage.has_mpi(gmg):
        launchers.append(
            [shutil.which("mpirun"), "--oversubscribe", "--bind-to", "none", "-n", "3"]
        )
    failed, expected = 0, None
    with tempfile.TemporaryDirectory() as folder:
        path, out = os.path.join(folder, "problem.h5"), os.path.join(folder, "out.h5")
        for version in ("earliest", "latest"):
            for name, storage in STORED.items():
                problem(path, storage, version)
                for launcher in launchers if name == "gzip" else launchers[:1]:
                    done = subprocess.run(
                        [*launcher, gmg, "--input", path, "--output", out, "--quiet"],
                        capture_output=True,
                        text=True,
                    )
                    found = None
                    if done.returncode == 0:
                        with h5py.File(out) as f:
                            found = f["solution"][...].tobytes()
                    expected = expected or found
                    if found is None or found != expected:
                        failed += 1
                        print(f"FAILED {name}, {version}: {done.stderr or 'another solution'}")
    print(f"{len(STORED)} ways to store, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
