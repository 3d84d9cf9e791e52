#!/usr/bin/python3
# sanitizers: no
"""Runs in which a call of MPI returns an error on one of three ranks (mpi_error.c, loaded before
the program): in the program's own calls, in the library's setup, exchanges and sums. The launcher
ends within ten seconds with exit status 3, one line that begins with "gmg: " names the call and the
rank (while the library begins: that it was MPI), the solution that was there before stays, and
nothing is half-written.

Precondition: an undisturbed run writes the solution, with status 0. What must vanish: the failures.
Usage: test_mpi_errors.py GMG"""
import glob
import os
import shutil
import subprocess
import sys
import tempfile
import time

import damage

GMG = os.path.abspath(sys.argv[1])
SOON = 10  # seconds
SKIPPED = 77
HERE = os.path.dirname(os.path.abspath(__file__))
# Call and which one: the program's own first, those of the library after them.
CASES = [
    ("MPI_Allreduce", 1),
    ("MPI_Allreduce", 9),
    ("MPI_Allreduce", 20),
    ("MPI_Bcast", 1),
    ("MPI_Bcast", 3),
    ("MPI_Send", 1),
    ("MPI_Iallreduce", 1),
    ("MPI_Iallreduce", 8),
    ("MPI_Iallreduce", 60),
    ("MPI_Isend", 1),
    ("MPI_Isend", 20),
    ("MPI_Testall", 200),
]


def run(folder, shim, environment):
    launcher = [shutil.which("mpirun"), "--oversubscribe", "--bind-to", "none", "-n", "3"]
    for name in environment:
        launcher += ["-x", name]
    begun = time.time()
    done = subprocess.run(
        [
            *launcher,
            "-x",
            f"LD_PRELOAD={shim}",
            GMG,
            "--input",
            "problem.h5",
            "--report",
            "report.json",
        ],
        cwd=folder,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=100,
        errors="replace",
    )
    return done, time.time() - begun


def judge(folder, before, shim, call, at, rank):
    environment = {
        "GMG_MPI_ERROR_CALL": call,
        "GMG_MPI_ERROR_AT": str(at),
        "GMG_MPI_ERROR_RANK": str(rank),
    }
    done, seconds = run(folder, shim, environment)
    said = [line for line in done.stderr.splitlines() if line.startswith("gmg: ")]
    wrong = []
    if done.returncode != 3:
        wrong.append(f"exit status {done.returncode}")
    if seconds > SOON:
        wrong.append(f"took {seconds:.0f} s")
    said = [
        line for line in said if not line.startswith("gmg: ended by")
    ]  # of ranks that the launcher ends, perhaps in the middle of the line
    if len(said) != 1 or (
        f"failed on rank {rank}" not in said[0] and "an MPI call failed" not in said[0]
    ):
        wrong.append(f"said {done.stderr}")
    if glob.glob(os.path.join(glob.escape(folder), "*.partial-*")):
        wrong.append("left temporary files")
    with open(os.path.join(folder, "problem.solution.h5"), "rb") as stream:
        if stream.read() != before:
            wrong.append("the solution has changed")
    print(
        f"{call} {at} on rank {rank}: {seconds:.1f} s, {said}"
        + (" FAILED: " + "; ".join(wrong) if wrong else ""),
        flush=True,
    )
    return len(wrong)


def main():
    compiler = shutil.which("mpicc")
    if not compiler or not damage.has_mpi(GMG):
        return SKIPPED
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        shim = os.path.join(folder, "mpi_error.so")
        subprocess.run(
            [compiler, "-shared", "-fPIC", os.path.join(HERE, "mpi_error.c"), "-o", shim, "-ldl"],
            check=True,
        )
        subprocess.run(
            [
                GMG,
                "make",
                "--case",
                "sphere",
                "--cells",
                "24",
                "--output",
                os.path.join(folder, "problem.h5"),
            ],
            check=True,
            capture_output=True,
        )
        done, _ = run(folder, shim, {})
        if done.returncode != 0:
            print(f"the undisturbed run ended with {done.returncode}: {done.stderr}")
            return 1
        with open(os.path.join(folder, "problem.solution.h5"), "rb") as stream:
            before = stream.read()
        for number, (call, at) in enumerate(CASES):
            rank = 1 + number % 2 if call == "MPI_Send" else number % 3
            failed += judge(folder, before, shim, call, at, rank)
    print(f"{failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
