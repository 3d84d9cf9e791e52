#!/usr/bin/env python3
# Preconditions: Hypothesis. What must vanish: arguments of any type and value that end in anything
# but a result or an exception of gmg. GMG_FUZZ_SECONDS says for how long; 4 unless told.
import os
import sys
import tempfile
import time
import warnings

from support import run

import numpy as np
import pytest

STORAGE = tempfile.TemporaryDirectory()
os.environ["HYPOTHESIS_STORAGE_DIRECTORY"] = STORAGE.name
pytest.importorskip("hypothesis")
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays_of

import gmg

warnings.simplefilter("ignore")
SECONDS = float(os.environ.get("GMG_FUZZ_SECONDS", 4))


class Odd:
    """An array by name only."""

    shape, dtype, __cuda_array_interface__ = (2, 2), "none", {"shape": "none"}


class Elsewhere:
    """An array that says that it lies on a GPU, which this machine has not."""

    def __init__(self, shape, typestr, address):
        data = {"data": (address, False), "strides": None, "version": 3, "stream": None}
        self.__cuda_array_interface__ = {"shape": shape, "typestr": typestr, **data}


class Refuses:
    @property
    def __cuda_array_interface__(self):
        raise RuntimeError("requires a gradient")

    def __dlpack_device__(self):
        raise RuntimeError("requires a gradient")


class Raises:
    def __array__(self, *given):
        raise RuntimeError("no array")

    def __len__(self):
        return 3


small = st.integers(-2, 6)
numbers = small | st.sampled_from([2**31, -(2**31) - 1, 2**63, 10**40, 0.5, 1e300, -0.0])
numbers |= st.floats() | st.booleans()
words = st.text(max_size=4) | st.sampled_from(["x", "x_lo", "all", "dirichlet", "neumann", "auto"])
words |= st.sampled_from(["robin", "periodic", "cells", "none", "gsrb", "mixed", "cuda"])
odd = st.none() | st.binary(max_size=9) | st.builds(object) | st.builds(Odd) | st.builds(Raises)
odd |= st.builds(Refuses)
there = st.sampled_from([(), (3, 4, 5), (3, 4, 6)]), st.sampled_from(["<f8", "<f4"]), small
odd |= st.builds(Elsewhere, *there)
dtypes = arrays_of.scalar_dtypes() | st.sampled_from(["f8", "f8", ">f8", "f4"])
shapes = st.sampled_from([(), (4,), (5,), (4, 5), (3, 4, 5), (3, 4, 6), (3, 5, 5), (4, 4, 5)])
any_array = arrays_of.arrays(dtypes, shapes)
good_array = arrays_of.arrays("f8", (3, 4, 5), elements=st.floats(0.1, 10))
turned = good_array.map(lambda a: np.asfortranarray(a)) | good_array.map(lambda a: a[::-1])
turned |= any_array.map(lambda a: a.T)
leaf = numbers | words | odd | any_array | good_array | turned
anything = st.recursive(
    leaf,
    lambda inner: st.lists(inner, max_size=4)
    | st.lists(inner, max_size=4).map(tuple)
    | st.dictionaries(words, inner, max_size=3),
    max_leaves=6,
)
names = ["lower", "upper", "boundary", "alpha", "beta", "a", "b", "average", "faces", "fields"]
names += ["part", "isa", "wisdom", "stream", "setup", *gmg.options()]
cells = st.sampled_from([(5, 4, 3)] * 6 + [(5, 4), (5,), (2**30,) * 3])
calls = ["solve", "apply", "residual", "fluxes", "precondition", "predict", "update", "vector"]
calls += ["device_array", "option"]
more = ["out", "guess", "monitor", "cycles", "expect", "arrays", "f", "u", "x", "beta", "boundary"]


@given(
    cells | anything,
    st.dictionaries(st.sampled_from(names), anything, max_size=2),
    st.lists(
        st.tuples(
            st.sampled_from(calls),
            st.lists(anything | good_array, max_size=2),
            st.dictionaries(st.sampled_from(more), anything | good_array, max_size=2),
        ),
        max_size=3,
    ),
)
@settings(max_examples=100, deadline=None, database=None, suppress_health_check=list(HealthCheck))
def any_arguments(cells, arguments, calls):
    try:
        s = gmg.Solver(cells, **arguments)
    except gmg.Error as fault:
        assert str(fault)
        return
    for name, given, options in calls:
        try:
            getattr(s, name)(*given, **options)
        except gmg.Error as fault:
            assert str(fault)
        except TypeError as fault:  # Python's own, of calls with too many arguments or too few
            assert "argument" in str(fault) and name in str(fault)


def test_any_arguments():
    end, batches = time.monotonic() + SECONDS, 0
    while time.monotonic() < end:
        any_arguments()
        batches += 1
    print(f"{100 * batches} examples")


if __name__ == "__main__":
    sys.exit(run(__file__))
