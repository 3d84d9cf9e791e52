# threads: 2
"""Preconditions: built with MPI, h5py. What must vanish: the difference, in any bit, between the
solution of a program that solves with a decomposition of its own and that of gmg from the file
which that program recorded; on 3 ranks and 1, replayed on 1 and 2; the same for what gmg itself
saves. A path that cannot be written is refused, and leaves nothing.
"""
import os
import subprocess
import sys
import tempfile

import h5py
import numpy as np

gmg, source = sys.argv[1], sys.argv[3]
build = os.path.dirname(os.path.dirname(gmg))
example = os.path.join(build, "examples", "record")


def cached(name):
    with open(os.path.join(build, "CMakeCache.txt"), encoding="utf-8") as cache:
        for line in cache:
            if line.startswith(name + ":"):
                return line.rstrip("\n").partition("=")[2]
    return ""


def run(ranks, *command):
    launch = [
        cached("MPIEXEC_EXECUTABLE"),
        "--oversubscribe",
        "--bind-to",
        "none",
        "-n",
        str(ranks),
    ]
    done = subprocess.run(
        (launch if ranks > 1 else []) + list(command), capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout, done.stderr


def bits(path):
    with h5py.File(path) as file:
        words = file["solution"][()].ravel().view(np.uint64)
    with np.errstate(over="ignore"):
        odd = 2 * np.arange(words.size, dtype=np.uint64) + 1
        return f"{np.sum(words * odd, dtype=np.uint64):016x}"


def options(path):
    with h5py.File(path) as file:
        text = file["user"].attrs["options"]
    return (text.decode() if isinstance(text, bytes) else text).split()


def replay(ranks, problem, *more):
    solution = problem + ".again.h5"
    status, _, error = run(
        ranks, gmg, "--input", problem, "--output", solution, "--quiet", *options(problem), *more
    )
    assert status == 0, error
    return bits(solution)


if cached("GMG_WITH_MPI") != "ON" or not os.path.exists(example):
    print("skipped: built without MPI")
    sys.exit(77)
with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    for ranks in 3, 1:
        status, text, error = run(ranks, example, f"recorded-{ranks}.h5")
        assert status == 0, text + error
        wanted = text.split("bits of u: ")[1].split()[0]
        for again in 1, 2:
            found = replay(again, f"recorded-{ranks}.h5")
            print(f"recorded on {ranks} ranks, replayed on {again}: {wanted} and {found}")
            assert found == wanted
    assert sorted(os.listdir(".")) == sorted(
        name
        for n in (1, 3)
        for name in (f"recorded-{n}.h5", f"recorded-{n}.h5.again.h5", f"recorded-{n}.h5.again.xdmf")
    ), os.listdir(".")

    found = replay(2, "recorded-3.h5", "--save-problem", "saved.h5")
    assert found == wanted
    assert replay(1, "saved.h5") == wanted
    with h5py.File("recorded-3.h5") as first, h5py.File("saved.h5") as second:
        for name in (
            "rhs",
            "alpha",
            "beta_x",
            "beta_y",
            "beta_z",
            "initial_guess",
            "grid/y",
            "boundary/x_lo_value",
        ):
            assert np.array_equal(first[name][()], second[name][()]), name
    print("gmg --save-problem: the same values, and the same bits")

    before = sorted(os.listdir("."))
    status, _, error = run(
        1,
        gmg,
        "--input",
        "saved.h5",
        "--output",
        "s.h5",
        "--quiet",
        "--save-problem",
        "none/there.h5",
    )
    print(status, error.strip())
    assert status == 2 and "none/there.h5" in error
    assert sorted(os.listdir(".")) == before
