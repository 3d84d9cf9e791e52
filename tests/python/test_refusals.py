#!/usr/bin/env python3
# Preconditions: none. What must vanish: wrong arguments that are taken, crash, or are refused
# without a sentence that names the argument, what was found and what was expected.
import sys
import warnings

from support import run

import numpy as np
import pytest

import gmg

warnings.simplefilter("ignore", gmg.ConversionWarning)
ones, nan, inf = np.ones, float("nan"), float("inf")
CUBE = (4, 4, 4)


def solver(cells=CUBE, **arguments):
    return gmg.Solver(cells, **arguments)


def solve(*given, **more):
    return solver().solve(*given, **more)


READ_ONLY = ones(CUBE)
READ_ONLY.flags.writeable = False
SHIFTED = np.frombuffer(bytearray(8 * 64 + 4), np.uint8)[4:].view(float).reshape(CUBE)

# (what the sentence must have, the call): the argument, what was expected, what was found
WRONG = [
    (("cells", "one to three", "4"), lambda: solver((4, 4, 4, 4))),
    (("cells", "one to three", "0"), lambda: solver(())),
    (("cells", "one to three", "16"), lambda: solver(16)),
    (("cells", "one to three", "'444'"), lambda: solver("444")),
    (("cells", "whole number", "4.5"), lambda: solver((4, 4, 4.5))),
    (("cells", "whole number", "True"), lambda: solver((4, 4, True))),
    (("cells", "whole number", "True"), lambda: solver((4, 4, np.True_))),
    (("cells", "from 1", "0"), lambda: solver((4, 0, 4))),
    (("cells", "from 1", "-3"), lambda: solver((4, -3, 4))),
    (("cells", "1073741824", "9999999999"), lambda: solver((4, 9999999999, 4))),
    (("cells", "whole number", "None"), lambda: solver((4, None))),
    (("lower", "3 coordinates", "2"), lambda: solver(lower=(0, 0))),
    (("lower", "number", "'a'"), lambda: solver(lower=(0, 0, "a"))),
    (("lower", "coordinates", "3"), lambda: solver(lower=3)),
    (("upper", "lower", "-1"), lambda: solver(upper=(1, 1, -1))),
    (("upper", "nan"), lambda: solver(upper=(1, nan, 1))),
    (("lower", "inf"), lambda: solver(lower=(inf, 0, 0))),
    (("boundary", "dict", "'periodic'"), lambda: solver(boundary="periodic")),
    (("boundary", "x_lo", "'w_lo'"), lambda: solver(boundary={"w_lo": "neumann"})),
    (("boundary", "x_lo", "3"), lambda: solver(boundary={3: "neumann"})),
    (("boundary['x']", "dirichlet", "'dirchlet'"), lambda: solver(boundary={"x": "dirchlet"})),
    (("boundary['x_lo']", "'neumann'", "7"), lambda: solver(boundary={"x_lo": 7})),
    (("boundary['x']", "expected", "3"), lambda: solver(boundary={"x": ("neumann", 1, 2)})),
    (("boundary['x']", "expected", "2"), lambda: solver(boundary={"x": ("robin", 1)})),
    (("boundary['x']", "expected", "2"), lambda: solver(boundary={"x": ("periodic", 1)})),
    (("x_lo", "c0", "0"), lambda: solver(boundary={"x_lo": ("robin", 0, 0, 1)})),
    (("x_lo", "c0", "-1"), lambda: solver(boundary={"x_lo": ("robin", -1, 1, 1)})),
    (("x_lo", "c0", "number", "'b'"), lambda: solver(boundary={"x_lo": ("robin", "b", 1, 1)})),
    (("x_lo", "value", "numbers"), lambda: solver(boundary={"x_lo": ("dirichlet", "one")})),
    (("x_lo", "(4, 4)", "(3,)"), lambda: solver(boundary={"x_lo": ("dirichlet", ones(3))})),
    (("x_lo", "nan"), lambda: solver(boundary={"x_lo": ("dirichlet", nan)})),
    (("x_lo", "nan"), lambda: solver(boundary={"x_lo": ("neumann", nan * ones((4, 4)))})),
    (("x", "periodic"), lambda: solver(boundary={"x_lo": "periodic"})),
    (("boundary", "'z'", "y_hi"), lambda: solver((4, 4), boundary={"z": "periodic"})),
    (("beta", "> 0", "-1"), lambda: solver(beta=-ones(CUBE))),
    (("beta", "> 0", "0"), lambda: solver(beta=0.0)),
    (("beta", "> 0", "nan"), lambda: solver(beta=nan)),
    (("beta", "(4, 4, 4)", "(4, 4)"), lambda: solver(beta=ones((4, 4)))),
    (("beta", "numbers", "complex"), lambda: solver(beta=1j * ones(CUBE))),
    (("beta", "numbers", "<U"), lambda: solver(beta="two")),
    (("beta", "numbers", "object"), lambda: solver(beta={})),
    (("beta", "3 arrays", "2"), lambda: solver(beta=(1.0, 1.0))),
    (("beta_y", "(4, 5, 4)", "(4, 4, 4)"), lambda: solver(beta=(1.0, ones(CUBE), 1.0))),
    (("alpha", "(4, 4, 4)", "(2, 2)"), lambda: solver(alpha=ones((2, 2)))),
    (("alpha", "0", "-1"), lambda: solver(alpha=-1.0)),
    (("a", "number", "'1'"), lambda: solver(a="1")),
    (("a", "-1"), lambda: solver(a=-1)),
    (("b", "> 0", "0"), lambda: solver(b=0)),
    (("b", "nan"), lambda: solver(b=nan)),
    (("average", "harmonic", "'median'"), lambda: solver(average="median")),
    (("average", "harmonic", "[]"), lambda: solver(average=[])),
    (("faces", "dict", "[1, 2]"), lambda: solver(faces=[1, 2])),
    (("faces", "x, y, z", "'w'"), lambda: solver(faces={"w": ones(5)})),
    (("faces['x']", "(5,)", "(4,)"), lambda: solver(faces={"x": ones(4)})),
    (("x", "0.5"), lambda: solver(faces={"x": [0, 0.5, 0.5, 0.7, 1]})),
    (("fields", "values", "centring"), lambda: solver(fields={"kappa": 1.0})),
    (("fields", "cells", "'nodes'"), lambda: solver(fields={"kappa": (1.0, "nodes", "none")})),
    (("part", "two corners"), lambda: solver(part=3)),
    (("part", "3 numbers", "2"), lambda: solver(part=((0, 0), (4, 4)))),
    (("threads", "whole number", "1.5"), lambda: solver(threads=1.5)),
    (("threads", "from 0", "-1"), lambda: solver(threads=-1)),
    (("isa", "x87", "baseline"), lambda: solver(isa="x87")),
    (("isa", "text", "3"), lambda: solver(isa=3)),
    (("wisdom", "absent.json"), lambda: solver(wisdom="/absent.json")),
    (("stream", "whole number", "'one'"), lambda: solver(stream="one")),
    (("smother", "smoother"), lambda: solver(smother="gsrb")),
    (("smoother", "gsrb", "'sor'"), lambda: solver(smoother="sor")),
    (("rtol", "0 to 1", "-1"), lambda: solver(rtol=-1)),
    (("rtol", "0 to 1", "nan"), lambda: solver(rtol=nan)),
    (("rtol", "number", "[1"), lambda: solver(rtol=ones(2))),
    (("max_cycles|max-cycles", "1.5"), lambda: solver(max_cycles=1.5)),
    (("max_cycles", "True"), lambda: solver(max_cycles=True)),
    (("pre", "1000", "100000"), lambda: solver(pre=10**5)),
    (("cycle", "zero bytes"), lambda: solver(cycle="v\0w")),
    (("omega", "0.01", "7"), lambda: solver(omega=7.0)),
    (("f", "(4, 4, 4)", "(4, 4)"), lambda: solve(ones((4, 4)))),
    (("f", "numbers", "object"), lambda: solve(None)),
    (("f", "numbers", "complex"), lambda: solve(1j)),
    (("f", "array"), lambda: solve([[1.0], [1.0, 2.0]])),
    (("out", "numpy", "list"), lambda: solve(1.0, out=[1.0])),
    (("out", "float64", "float32"), lambda: solve(1.0, out=ones(CUBE, np.float32))),
    (("out", "(4, 4, 4)", "(4, 4, 5)"), lambda: solve(1.0, out=ones((4, 4, 5)))),
    (("out", "written", "read-only"), lambda: solve(1.0, out=READ_ONLY)),
    (("out", "8 bytes"), lambda: solve(1.0, out=SHIFTED)),
    (("out", "f"), lambda: (lambda f: solve(f, out=f))(ones(CUBE))),
    (("guess", "(4, 4, 4)", "(3, 4, 4)"), lambda: solve(1.0, guess=ones((3, 4, 4)))),
    (("monitor", "function", "3"), lambda: solve(1.0, monitor=3)),
    (("x", "(4, 4, 4)", "(4,)"), lambda: solver().apply(ones(4))),
    (("out", "3 arrays", "found 1"), lambda: solver().fluxes(ones(CUBE), out=[ones((4, 4, 5))])),
    (("isa",), lambda: gmg.Solver(CUBE, isa=ones(CUBE))),
    (("out", "list or tuple", "found 7"), lambda: solver().fluxes(ones(CUBE), out=7)),
    (
        ("out[1]", "an array", "found 2"),
        lambda: solver().fluxes(ones(CUBE), out=[ones(CUBE), 2, 3]),
    ),
    (
        ("out[1]", "(4, 5, 4)", "(4, 4, 5)"),
        lambda: solver().fluxes(ones(CUBE), out=[ones((4, 4, 5))] * 3),
    ),
    (("u", "(4, 4, 4)", "(4,)"), lambda: solver().residual(1.0, ones(4))),
    (("cycles", "whole number", "0.5"), lambda: solver().precondition(1.0, 0.5)),
    (("cycles", "0"), lambda: solver().precondition(1.0, 0)),
    (("cycles", "2147483647", "4294967297"), lambda: solver().precondition(1.0, 2**32 + 1)),
    (("expect", "alpha", "'gamma'"), lambda: solver().predict(expect=["gamma"])),
    (("arrays", "from 0", "-1"), lambda: solver().predict(arrays=-1)),
    (("boundary", "x_lo", "'x'"), lambda: solver().update(boundary={"x": 1.0})),
    (("smoother", "setup"), lambda: solver().update(smoother="jacobi")),
    (("beta", "> 0", "-2"), lambda: solver(beta=2.0).update(beta=-2.0)),
]


def test_there_are_sixty():
    assert len(WRONG) >= 60


@pytest.mark.parametrize("number", range(len(WRONG)))
def test_is_refused(number):
    words, call = WRONG[number]
    with pytest.raises(gmg.Error) as fault:
        call()
    sentence = str(fault.value)
    for word in words:
        assert any(one in sentence for one in word.split("|")), f"no '{word}' in: {sentence}"


def test_solver_is_as_before():
    s, f = gmg.Solver(CUBE, beta=2.0), np.arange(64.0).reshape(CUBE)
    expected = s.solve(f).u
    for call in (
        lambda: s.update(beta=-1.0),
        lambda: s.update(beta=ones(3)),
        lambda: s.update(a=-1.0),
        lambda: s.update(rtol="none"),
        lambda: s.solve(ones(3)),
        lambda: s.solve(f, out=READ_ONLY),
    ):
        with pytest.raises(gmg.Error):
            call()
        assert np.array_equal(s.solve(f).u, expected)


def test_not_finite_is_a_result():
    f = ones(CUBE)
    f[1, 2, 3] = nan
    assert solve(f).status == "not_finite"


if __name__ == "__main__":
    sys.exit(run(__file__))
