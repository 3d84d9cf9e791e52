#!/usr/bin/env python3
# Preconditions: the stand-in device of the tests. What must vanish: see devices.py.
import os
import subprocess
import sys

from support import BUILD, PACKAGE, run

import pytest

import gmg

FOLDER = os.path.dirname(os.path.abspath(__file__))
STAND_IN = os.path.join(BUILD, "tests", "stand_in")


@pytest.mark.parametrize("script", [["devices.py"], ["on_gpu.py", "16", "1"]], ids=" ".join)
def test_arrays_on_a_gpu(script):
    if not os.path.isdir(STAND_IN):
        pytest.skip("this build has no stand-in device")
    environment = dict(os.environ, PYTHONPATH=PACKAGE, LD_LIBRARY_PATH=STAND_IN)
    # The problem and the cache of kernels are those of cuda_stand_in/stream.
    environment["XDG_CACHE_HOME"] = os.path.join(STAND_IN, "cache")
    done = subprocess.run(
        [sys.executable, os.path.join(FOLDER, script[0]), *script[1:]],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    print(done.stdout)
    assert done.returncode == 0, done.stdout


class Elsewhere:
    """An array that says that it lies on a GPU, by one interface or the other."""

    def __init__(self, shape, by_dlpack, address=4096):
        if by_dlpack:
            self.__dlpack_device__ = lambda: (2, 0)
            return
        data = {"data": (address, False), "strides": None, "version": 3, "stream": None}
        self.__cuda_array_interface__ = {"shape": shape, "typestr": "<f8", **data}


@pytest.mark.parametrize("by_dlpack", [False, True])
def test_refused_where_the_cpu_computes(by_dlpack):
    shape = (8, 8, 8)
    s, there = gmg.Solver(shape, backend="openmp"), Elsewhere(shape, by_dlpack)
    other = Elsewhere(shape, by_dlpack, 2**16)
    kinds = (gmg.UnsupportedError, gmg.ArgumentTypeError)
    for call in (
        lambda: s.solve(there, out=other),
        lambda: s.solve(1.0, out=there),
        lambda: s.apply(there, out=there),
        lambda: s.residual(there, 1.0, out=there),
        lambda: s.precondition(there, out=there),
        lambda: s.fluxes(there),
        lambda: s.update(beta=there),
        lambda: gmg.Solver(shape, alpha=there),
        lambda: gmg.Solver(shape, beta=(1.0, Elsewhere((8, 9, 8), by_dlpack), 1.0)),
        lambda: gmg.Solver(shape, faces={"x": there}),
        lambda: gmg.Solver(shape, boundary={"x_lo": ("dirichlet", there)}),
        lambda: gmg.Solver(shape, fields={"kappa": (there, "cells", "none")}),
        lambda: s.vector(there),
    ):
        with pytest.raises(kinds, match="GPU"):
            call()
    assert s.solve(1.0).converged


def test_where_there_is_no_gpu():
    s = gmg.Solver((8, 8, 8), backend="openmp")
    assert s.backend().device is None
    with pytest.raises(gmg.UnsupportedError, match="device_array: the CPU computes"):
        s.device_array()


if __name__ == "__main__":
    sys.exit(run(__file__))
