#!/usr/bin/env python3
# Preconditions: h5py. What must vanish: the difference between the bits that `gmg` finds and those
# from Python, on every case of `gmg make`; and between a problem and what was written and read.
import os
import re
import sys

from support import gmg_program, run

import numpy as np
import pytest

h5py = pytest.importorskip("h5py")
import gmg

CASES = re.findall(r"^  (\w[\w-]*) {2,}", gmg_program("make", "--help").split("Cases;")[1], re.M)
MORE = {"thin": "20,20,4", "plane": "30,20,1", "odd": "19,17,13"}
OTHERS = (
    "mixed --stretch 1.05 --boundary robin,neumann,periodic,periodic,dirichlet,robin",
    "smooth --cells 64 --a 0 --b 3",
    "helmholtz --aspect 1,3,1 --boundary periodic",
    "stretched --stretch 1.2,1,1.1 --boundary robin --c0 -2 --c1 -30",
)


def made(folder, words):
    path = os.path.join(folder, "problem.h5")
    words = ["make", "--output", path, "--case", *words.split()]
    if "--cells" not in words:
        words += ["--cells", MORE.get(words[4], "14,12,10")]
    gmg_program(*words)
    return path


def test_there_are_cases():
    assert len(CASES) >= 19


@pytest.mark.parametrize("words", [*CASES, *OTHERS])
def test_same_bits(words, tmp_path):
    path = made(tmp_path, words)
    gmg_program(path, "--quiet", "--rtol", "1e-9")
    expected = gmg.read_solution(str(tmp_path / "problem.solution.h5"))
    problem = gmg.read_problem(path)
    found = problem.solve(rtol=1e-9)
    assert (found.status, found.cycles) == (expected.status, expected.cycles)
    assert np.array_equal(found.u, expected.u)
    assert np.array_equal(found.residuals, expected.residuals)
    assert found.relative_residual == expected.relative_residual
    if problem.exact is not None:
        assert problem.exact.shape == found.u.shape


@pytest.mark.parametrize("words", ["mixed --stretch 1.05", "helmholtz", "sphere", "robin"])
def test_what_is_written_is_read(words, tmp_path):
    first = gmg.read_problem(made(tmp_path, words))
    again, guess = tmp_path / "again.h5", np.full(first.f.shape, 0.5)
    gmg.write_problem(again, first.f, **first.arguments, guess=guess, exact=first.exact)
    second = gmg.read_problem(again)
    assert np.array_equal(second.guess, guess)
    assert np.array_equal(second.solver().solve(second.f).u, first.solver().solve(first.f).u)
    gmg_program(again, "--quiet")
    assert np.array_equal(gmg.read_solution(tmp_path / "again.solution.h5").u, second.solve().u)


def test_average(tmp_path):
    beta = 1 + 9.0 * (np.arange(10) % 2)
    arguments = dict(cells=(10, 8, 6), beta=np.broadcast_to(beta, (6, 8, 10)))
    found = [
        gmg.Solver(**arguments, average=name).solve(1.0).u for name in ("harmonic", "arithmetic")
    ]
    assert not np.allclose(*found)
    gmg.write_problem(tmp_path / "mean.h5", 1.0, **arguments, average="arithmetic")
    gmg_program(tmp_path / "mean.h5", "--quiet")
    assert np.array_equal(gmg.read_solution(tmp_path / "mean.solution.h5").u, found[1])
    assert np.array_equal(gmg.read_problem(tmp_path / "mean.h5").solve().u, found[1])


def test_planes_are_written(tmp_path):
    beta = (np.full((6, 9), 2.0), np.full((7, 8), 3.0))
    arguments = dict(cells=(8, 6), beta=beta, boundary={"x_lo": ("dirichlet", np.arange(6.0))})
    gmg.write_problem(tmp_path / "plane.h5", 1.0, **arguments)
    gmg_program(tmp_path / "plane.h5", "--quiet")
    found = gmg.read_solution(tmp_path / "plane.solution.h5")
    assert np.array_equal(found.u[0], gmg.Solver(**arguments).solve(1.0).u)


def test_files_that_are_none(tmp_path):
    for problem, text in (
        ({}, "expected the format 'gmg-problem'; found 'none'"),
        ({"format": "gmg-problem", "version": 2}, "version 1"),
        ({"format": "gmg-problem", "version": 1, "member": "bta"}, "nearest is beta"),
        ({"format": "gmg-problem", "version": 1}, "rhs"),
    ):
        with h5py.File(tmp_path / "wrong.h5", "w") as file:
            if "member" in problem:
                file[problem["member"]] = 1
            file.attrs.update({key: value for key, value in problem.items() if key != "member"})
        with pytest.raises(gmg.ArgumentError, match=text):
            gmg.read_problem(tmp_path / "wrong.h5")
    for path in (tmp_path / "absent.h5", __file__):
        with pytest.raises(gmg.ArgumentError, match="HDF5"):
            gmg.read_solution(path)
    with pytest.raises(gmg.ArgumentError, match="f: expected|rhs: expected"):
        gmg.write_problem(tmp_path / "half.h5", np.ones((3, 3, 3)), cells=(4, 4, 4))
    with pytest.raises(gmg.CoefficientError):
        gmg.write_problem(tmp_path / "half.h5", 1.0, cells=(4, 4, 4), beta=-1.0)
    assert not [name for name in os.listdir(tmp_path) if name.startswith("half")]


if __name__ == "__main__":
    sys.exit(run(__file__))
