#!/usr/bin/env python3
# Preconditions: none. What must vanish: the distance from 2 of the order of a user's operator, up
# to 0.1; the difference between its bits and those of a program in C; operators that are compiled
# twice, or taken where they cannot be made.
import itertools
import math
import os
import re
import subprocess
import sys
import time

from support import BUILD, GMG_GEN, SOURCE, run

import numpy as np
import pytest

import gmg

os.environ["GMG_GEN"] = GMG_GEN
os.environ["CFLAGS"] = "-O0"  # which is faster to compile, and gives the same bits
SKEW = os.path.join(SOURCE, "examples", "own_operator", "skew.c")
TENSOR = os.path.join(SOURCE, "examples", "tensor", "tensor.c")


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    return tmp_path_factory.mktemp("cache")


def test_order(cache):
    operators, errors = gmg.compile_operators(SKEW, cache=cache), []
    for n in (12, 24):
        at = (np.arange(n) + 0.5) / n
        z, y, x = np.meshgrid(at, at, at, indexing="ij")
        u = np.sin(2 * np.pi * (x + y)) * np.cos(2 * np.pi * z)
        s = gmg.Solver(
            (n, n, n), a=1.0, boundary={"all": "periodic"}, operator="skew", operators=operators
        )
        errors.append(abs(s.solve((1 + 16 * np.pi**2) * u).u - u).max())
    assert abs(np.log2(errors[0] / errors[1]) - 2) < 0.1
    begin = time.monotonic()
    assert gmg.compile_operators(SKEW, cache=cache).path == operators.path
    assert time.monotonic() - begin < 1 and len(os.listdir(cache)) == 1


def test_fields(cache):
    operators = gmg.compile_operators(TENSOR, cache=cache)
    kappa = {f"kappa_{axis}": (2.0, "cells", "arithmetic") for axis in "xyz"}
    boundary = {"all": "periodic"}
    arguments = dict(a=1.0, boundary=boundary, operators=operators, operator="tensor")
    f = np.random.default_rng(1).random((12, 12, 12))
    u = gmg.Solver((12, 12, 12), fields=kappa, **arguments).solve(f).u
    expected = gmg.Solver((12, 12, 12), a=1.0, b=2.0, boundary=boundary).solve(f).u
    assert abs(u - expected).max() < 1e-9
    with pytest.raises(gmg.Error, match="kappa_x"):
        gmg.Solver((12, 12, 12), **arguments)


def given(n):
    """Returns the fields of examples/tensor on n³ cells, and what holds at its two walls in x. By
    the functions of C, since those of NumPy round otherwise."""
    cos, sin, pi = math.cos, math.sin, math.pi
    field = np.empty((4, n, n, n))
    at = [(i + 0.5) / n for i in range(n)]

    def exact(x, y, z):
        return (1 + x + x * x) * cos(pi * y) * (1 + 0.5 * sin(2 * pi * z))

    for (k, z), (j, y), (i, x) in itertools.product(list(enumerate(at)), repeat=3):
        p, c, s = 1 + x + x * x, cos(pi * y), 1 + 0.5 * sin(2 * pi * z)
        kx, ky = 1.5 + 0.5 * sin(2 * pi * x), 2 + 0.5 * x + 0.5 * c
        kz = 1.5 + 0.5 * y * cos(2 * pi * z)
        in_x = pi * cos(2 * pi * x) * (1 + 2 * x) * c * s + kx * 2 * c * s
        in_y = 0.5 * pi * pi * sin(pi * y) * sin(pi * y) * p * s - ky * pi * pi * c * p * s
        in_z = -pi * pi * y * sin(2 * pi * z) * p * c * cos(2 * pi * z)
        in_z -= kz * 2 * pi * pi * sin(2 * pi * z) * p * c
        field[:, k, j, i] = kx, ky, kz, p * c * s - in_x - in_y - in_z
    walls = [np.array([[exact(x, y, z) for y in at] for z in at]) for x in (0.0, 1.0)]
    return field, walls


def test_bits_of_the_example_in_c(cache):
    """An anisotropic operator with fields of its own gives from Python the bits that the program
    in C prints of itself."""
    program = os.path.join(BUILD, "examples", "tensor")
    if not os.path.exists(program):
        pytest.skip("this build has no examples")
    done = subprocess.run([program, "--size", "16"], stdout=subprocess.PIPE, text=True)
    said = re.findall(
        r"^(\d+)\^3 cells.*\nbits of the solution: ([0-9a-f]{16})$", done.stdout, re.M
    )
    assert len(said) == 2, done.stdout
    operators = gmg.compile_operators(TENSOR, cache=cache)
    for n, expected in ((int(n), int(bits, 16)) for n, bits in said):
        field, walls = given(n)
        boundary = {"x_lo": ("dirichlet", walls[0]), "x_hi": ("dirichlet", walls[1])}
        boundary.update(y="neumann", z="periodic")
        fields = {
            f"kappa_{axis}": (field["xyz".index(axis)], "cells", "arithmetic") for axis in "xyz"
        }
        arguments = dict(operators=operators, operator="tensor", fields=fields)
        result = gmg.Solver((n, n, n), a=1.0, boundary=boundary, **arguments).solve(field[3])
        words = result.u.reshape(-1).view(np.uint64)
        odd = 2 * np.arange(words.size, dtype=np.uint64) + np.uint64(1)
        assert int((words * odd).sum(dtype=np.uint64)) == expected


SLANTED = """
  V = h_i[i] * h_j[j] * h_k[k];
  x = g_i[i+1] * (u[i+1][j][k] - u[i][j][k]) - g_i[i] * (u[i][j][k] - u[i-1][j][k]);
  y = g_j[j+1] * (u[i][j+1][k] - u[i][j][k]) - g_j[j] * (u[i][j][k] - u[i][j-1][k]);
  z = g_k[k+1] * (u[i][j][k+1] - u[i][j][k]) - g_k[k] * (u[i][j][k] - u[i][j][k-1]);
  xy = 0.25 * (u[i+1][j+1][k] - u[i-1][j+1][k] - u[i+1][j-1][k] + u[i-1][j-1][k]);
  w[i][j][k] = V * alpha[i][j][k] * u[i][j][k] - b * kappa[i][j][k]
    * (h_k[k] * h_j[j] * x + h_k[k] * h_i[i] * y + h_j[j] * h_i[i] * z + h_k[k] * xy);
"""


def test_formula(cache):
    """The operator of skew.c, times a field of its own, from a formula."""
    operators, errors = gmg.compile_formula("slanted", SLANTED, {"kappa": "cells"}, cache), []
    for n in (12, 24):
        at = (np.arange(n) + 0.5) / n
        z, y, x = np.meshgrid(at, at, at, indexing="ij")
        u = np.sin(2 * np.pi * (x + y)) * np.cos(2 * np.pi * z)
        s = gmg.Solver(
            (n, n, n),
            a=1.0,
            boundary={"all": "periodic"},
            fields={"kappa": (2.0, "cells", "arithmetic")},
            operator="slanted",
            operators=operators,
        )
        errors.append(abs(s.solve((1 + 32 * np.pi**2) * u).u - u).max())
    assert abs(np.log2(errors[0] / errors[1]) - 2) < 0.1
    again = gmg.compile_formula("slanted", SLANTED, {"kappa": "cells"}, cache)
    assert again.path == operators.path


@pytest.mark.parametrize(
    "said, arguments",
    [
        (r"formula: expected u\[i\]\[j\]\[k\].*found u\[i\]", ("o", "w[i][j][k] = u[i]")),
        (r"formula: expected u.*found u\[i\*2\]", ("o", "w[i][j][k] = u[i*2][j][k]")),
        (r"formula: expected h_i\[i\].*found h_i\[j\]", ("o", "w[i][j][k] = h_i[j]")),
        (r"arrays of u, w.*found v", ("o", "w[i][j][k] = v[i][j][k]")),
        (r"as its last equation; found none", ("o", "v = u[i][j][k]")),
        (r"as its last equation; found none", ("o", "")),
        (r"expected an equation, name = ", ("o", "u[i][j][k]; w[i][j][k] = u[i][j][k]")),
        (r"not linear", ("o", "w[i][j][k] = u[i][j][k] * u[i][j][k]")),
        (r"undeclared name 'foo'", ("o", "w[i][j][k] = foo * u[i][j][k]")),
        (r"name: expected letters.*'a b'", ("a b", "w[i][j][k] = u[i][j][k]")),
        (r"name: expected a text.*3", (3, "w[i][j][k] = u[i][j][k]")),
        (r"formula: expected a text.*None", ("o", None)),
        (r"fields: expected a dict.*\[\]", ("o", "", [])),
        (r"fields: expected names.*'nodes'", ("o", "", {"kappa": "nodes"})),
    ],
)
def test_formulas_that_are_refused(cache, said, arguments):
    with pytest.raises(gmg.ArgumentError, match=said):
        gmg.compile_formula(*arguments, cache=cache)


def test_refusals(cache, tmp_path, monkeypatch):
    source = open(SKEW, encoding="utf-8").read()
    wrong = tmp_path / "wrong.c"
    wrong.write_text(source.replace("skew(", "wrong(").replace("U(0, 0, 0)", "(U(0, 0, 0) + 1)"))
    with pytest.raises(gmg.ArgumentError, match=r"wrong\.c:\d+"):
        gmg.compile_operators(wrong, cache=cache)
    for given in (("absent.c",), (tmp_path,), (3,), ()):
        with pytest.raises(gmg.ArgumentError, match="files: expected"):
            gmg.compile_operators(*given, cache=cache)
    with pytest.raises(gmg.ArgumentError, match="isas: expected"):
        gmg.compile_operators(SKEW, isas=["x87"], cache=cache)
    with pytest.raises(gmg.ArgumentError, match="operators: expected"):
        gmg.Solver((4, 4, 4), operators="skew")
    monkeypatch.setenv("CC", "/absent/cc")
    with pytest.raises(gmg.UnsupportedError, match="a C compiler: found no CC=/absent/cc"):
        gmg.compile_operators(SKEW, cache=cache)
    monkeypatch.delenv("CC")
    monkeypatch.setenv("GMG_GEN", "/absent/gmg-gen")
    with pytest.raises(gmg.UnsupportedError, match="gmg-gen"):
        gmg.compile_operators(SKEW, cache=tmp_path / "empty")
    assert not [name for name in os.listdir(cache) if not name.endswith(".so")]


if __name__ == "__main__":
    sys.exit(run(__file__))
