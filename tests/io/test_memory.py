# threads: 2
# sanitizers: no
"""Preconditions: h5py. What must hold: under a limit (ulimit -v) that a problem does not fit into,
exit 3, before the values are read, with what is needed and what may be had; the same where β is too
much with the solver's fields; and what --check predicts is within 5 % of what a solve then holds.
"""
import json
import os
import re
import subprocess
import sys
import tempfile
import time

import h5py
import numpy as np

gmg = sys.argv[1]


def write(path, cells, beta=None):
    with h5py.File(path, "w") as file:
        file.attrs["format"] = "gmg-problem"
        file.attrs["version"] = 1
        grid = file.create_group("grid")
        grid.attrs["cells"] = cells
        grid.attrs["lower"] = [0.0, 0.0, 0.0]
        grid.attrs["upper"] = [1.0, 1.0, 1.0]
        shape = tuple(reversed(cells))
        # chunks that were never written take no room in the file
        file.create_dataset("rhs", shape, "f8", chunks=(1,) + shape[1:], fillvalue=1.0)
        if beta is not None:
            file["beta"] = beta


def run(*words, limit=None):
    shell = f'ulimit -v {limit}; exec "$@"' if limit else 'exec "$@"'
    began = time.time()
    done = subprocess.run(
        ["bash", "-c", shell, "sh", gmg, *words], capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout, done.stderr, time.time() - began


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    write("large.h5", [500, 500, 500])
    files = sorted(os.listdir("."))
    status, text, error, seconds = run("--input", "large.h5", limit=2000000)
    print(status, error.strip(), f"({seconds:.1f} s)")
    assert status == 3, text
    found = re.search(
        r"needs ([\d.]+) GiB, and ([\d.]+) (G|M)iB may be had, by .*ulimit -v.* at least "
        r"(\d+) ranks",
        error,
    )
    assert found, error
    needed, had, ranks = (
        float(found[1]),
        float(found[2]) / (1 if found[3] == "G" else 1024),
        int(found[4]),
    )
    assert 2.5 < needed < 12 and had < 1.91 and (ranks - 1) * had < needed < ranks * had * 1.01
    assert error.count("\n") == 1 and sorted(os.listdir(".")) == files
    assert seconds < 20  # reading alone would be a GB
    status, text, error, _ = run("--input", "large.h5", "--check", limit=2000000)
    assert status == 3 and "too little memory" in error, (status, error)

    k, j, i = np.meshgrid(*(np.arange(40),) * 3, indexing="ij")
    for name, beta in (
        ("one", None),
        ("smooth", 1.5 + np.sin(0.1 * (i + j + k))),
        ("jumps", np.where(i > 20, 1e3, 1.0)),
    ):
        write("small.h5", [40, 40, 40], beta)
        status, text, error, _ = run("--input", "small.h5", "--check")
        assert status == 0, error
        predicted = re.search(r"memory +([\d.]+) MiB to solve it, ([\d.]+) bytes per unknown", text)
        status, _, error, _ = run("--input", "small.h5", "--quiet", "--report", "report.json")
        assert status == 0, error
        with open("report.json", encoding="utf-8") as file:
            report = json.load(file)
        held = report["solver_peak_bytes"] + 8 * 40**3  # with the program's array for f and u
        ratio = float(predicted[1]) * 2**20 / held
        print(
            f"{name}: --check predicts {predicted[1]} MiB, {ratio:.4f} of what was held; "
            f"setup {report['predicted_bytes'] / report['solver_peak_bytes']:.4f}"
        )
        assert abs(ratio - 1) < 0.05
        assert abs(report["predicted_bytes"] / report["solver_peak_bytes"] - 1) < 0.05
