#!/usr/bin/python3
"""The report is the contract's, field by field: names, types, and what they must be of each other,
for a solve that converges, one that does not, a singular one, and on three ranks.

Precondition: gmg make works. What must vanish: the failures. Usage: test_report.py GMG"""
import json
import math
import os
import shutil
import subprocess
import sys
import tempfile

GMG = os.path.abspath(sys.argv[1])
NUMBER = (int, float)
# The contract's fields; then what this version adds.
CONTRACT = {
    "status": str,
    "reason": str,
    "cycles": int,
    "relative_residual": NUMBER,
    "residual_history": list,
    "seconds_history": list,
    "setup_seconds": NUMBER,
    "solve_seconds": NUMBER,
    "cells": list,
    "unknowns_per_second": NUMBER,
    "backend": str,
    "ranks": int,
    "threads": int,
    "peak_bytes": NUMBER,
    "levels": list,
    "fallbacks": list,
}
MORE = {
    "gmg": str,
    "singular": bool,
    "projected": NUMBER,
    "instruction_set": str,
    "solver_bytes": NUMBER,
    "solver_peak_bytes": NUMBER,
    "predicted_bytes": NUMBER,
    "options": dict,
    "bytes_per_unknown_and_cycle": NUMBER,
}
NORMS = {"max", "l2", "relative_l2"}
LEVEL = {
    "cells": list,
    "boxes": int,
    "backend": str,
    "passes": bool,
    "moved_bytes": NUMBER,
    "kernels": list,
}
KERNEL = {"name": str, "variant": str, "seconds": NUMBER, "calls": int, "bytes": NUMBER}


def has(where, found, fields):
    for name, kind in fields.items():
        assert name in found, f"{where}: no {name}"
        value = found[name]
        assert isinstance(value, kind) and (
            kind is bool or not isinstance(value, bool)
        ), f"{where}: {name} is {value!r}"
        assert not isinstance(value, float) or math.isfinite(value), f"{where}: {name} is {value}"


def check_kernel(level, kernel):
    where = f"level {level}, kernel {kernel.get('name')}"
    has(where, kernel, KERNEL)
    assert set(kernel) == set(KERNEL), f"{where}: {sorted(kernel)}"
    assert (
        kernel["name"] and kernel["seconds"] >= 0 and kernel["calls"] >= 0 and kernel["bytes"] >= 0
    ), f"{where}: {kernel}"
    moves_none = (
        kernel["calls"] == 0 or kernel["name"] == "exchange"
    )  # a level of one box exchanges nothing
    assert moves_none or kernel["bytes"] > 0, f"{where}: {kernel}"


def check_levels(report):
    cells, total = [], 0
    for number, level in enumerate(report["levels"]):
        has(f"level {number}", level, LEVEL)
        assert level["backend"] == "openmp" and level["boxes"] >= 1, level
        assert level["kernels"], f"level {number} has no kernels"
        assert (
            level["passes"] or level["unfused_reason"]
        ), f"level {number}: no passes, and no word why"
        assert (
            not level["passes"] or "unfused_reason" not in level
        ), f"level {number}: {level['apart']}"
        names = [(kernel["name"], kernel["variant"]) for kernel in level["kernels"]]
        assert len(set(names)) == len(names), f"level {number}: {names}"
        for kernel in level["kernels"]:
            check_kernel(number, kernel)
            total += kernel["seconds"]
        cells.append(math.prod(level["cells"]))
    assert report["levels"][0]["cells"] == report["cells"]
    assert all(fine > coarse for fine, coarse in zip(cells, cells[1:])), cells
    assert total > 0
    if report["ranks"] == 1:  # of several, each kernel's time is that of the slowest rank in it
        assert total <= 1.2 * (report["setup_seconds"] + report["solve_seconds"]) + 0.01, total
    # Every cycle sweeps every level: the finest moves the most bytes.
    moved = [sum(kernel["bytes"] for kernel in level["kernels"]) for level in report["levels"]]
    assert moved[0] == max(moved) and moved[0] >= 2 * 8 * cells[0] * report["cycles"], (
        moved,
        cells,
    )
    # Fields that several kernels of a pass touch are moved once; u and f at least, read and u
    # written, in single precision.
    passed = [level["moved_bytes"] for level in report["levels"]]
    assert passed[0] == max(passed) and passed[0] >= 12 * cells[0] * report["cycles"], (
        passed,
        cells,
    )
    if report["cycles"]:
        assert math.isclose(
            report["bytes_per_unknown_and_cycle"],
            sum(passed) / cells[0] / report["cycles"],
            rel_tol=1e-9,
        ), report


def check(report, status, cells, ranks, exact, singular):
    has("report", report, CONTRACT)
    has("report", report, MORE)
    unknown = (
        set(report) - set(CONTRACT) - set(MORE) - {"error_norms", "device", "no_device"}
    )  # device: tests/cuda_backend
    assert not unknown, f"fields that no text describes: {unknown}"
    assert report["status"] == status and report["reason"], (report["status"], report["reason"])
    assert report["cells"] == cells and report["ranks"] == ranks and report["threads"] >= 1
    history = report["residual_history"]
    seconds = report["seconds_history"]
    assert len(seconds) == len(history) and seconds == sorted(seconds), seconds
    assert len(history) == report["cycles"] + 1 and all(
        isinstance(norm, NUMBER) for norm in history
    )
    assert math.isclose(
        history[-1] / history[0], report["relative_residual"], rel_tol=1e-6
    ), history
    rate = math.prod(cells) / report["solve_seconds"]
    assert math.isclose(report["unknowns_per_second"], rate, rel_tol=1e-6), (
        report["unknowns_per_second"],
        rate,
    )
    assert (
        8 * math.prod(cells)
        < report["solver_bytes"]
        <= report["solver_peak_bytes"]
        < report["peak_bytes"]
    )
    assert 0.5 < report["predicted_bytes"] / report["solver_peak_bytes"] < 2, report[
        "predicted_bytes"
    ]
    assert report["backend"] == "openmp" and all(
        isinstance(sentence, str) for sentence in report["fallbacks"]
    )
    assert (
        "device" not in report and len(report["no_device"]) > 10
    ), "on the CPU, the report says why"
    assert report["singular"] == singular
    assert ("error_norms" in report) == exact
    if exact:
        has("error_norms", report["error_norms"], dict.fromkeys(NORMS, NUMBER))
        assert (
            set(report["error_norms"]) == NORMS
            and 0 < report["error_norms"]["l2"] <= report["error_norms"]["max"]
        )
    for name in ("rtol", "cycle", "krylov", "pre", "smoother", "bottom"):
        assert isinstance(report["options"].get(name), str), f"options: no {name}"
    check_levels(report)


RUNS = [  # case, cells, options, exit status, status, ranks, /exact is there, singular
    ("smooth", [24, 20, 16], [], 0, "converged", 1, True, False),
    ("sphere", [16, 16, 16], ["--max-cycles", "3"], 1, "max_cycles", 1, False, False),
    ("neumann", [17, 19, 15], ["--cycle", "fmg"], 0, "converged", 1, True, True),
    ("lognormal", [32, 24, 40], ["--krylov", "cg", "--box", "16"], 0, "converged", 3, False, False),
]


def launcher(ranks):
    """What starts so many ranks; None: nothing can."""
    if ranks == 1:
        return []
    has_mpi = (
        "MPI                none"
        not in subprocess.run([GMG, "info"], capture_output=True, text=True).stdout
    )
    mpirun = shutil.which("mpirun")
    return (
        [mpirun, "--oversubscribe", "--bind-to", "none", "-n", str(ranks)]
        if has_mpi and mpirun
        else None
    )


def main():
    os.environ.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for case, cells, options, exit_status, status, ranks, exact, singular in RUNS:
            launch = launcher(ranks)
            if launch is None:
                continue
            subprocess.run(
                [
                    GMG,
                    "make",
                    "--case",
                    case,
                    "--cells",
                    ",".join(map(str, cells)),
                    "--output",
                    "p.h5",
                    "--quiet",
                ],
                check=True,
            )
            done = subprocess.run(
                launch + [GMG, "--input", "p.h5", "--report", "r.json", "--quiet", *options]
            )
            assert done.returncode == exit_status, f"{case}: exit status {done.returncode}"
            with open("r.json", encoding="utf-8") as file:
                report = json.load(file)
            check(report, status, cells, ranks, exact, singular)
            kernels = sum(len(level["kernels"]) for level in report["levels"])
            print(
                f"{case}: {len(report['levels'])} levels x kernels ({kernels} in all), "
                f"{ranks} ranks: as the contract says"
            )
            os.remove("r.json")


if __name__ == "__main__":
    main()
