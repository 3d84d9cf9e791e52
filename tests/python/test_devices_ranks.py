#!/usr/bin/env python3
# Preconditions: mpi4py, and the stand-in device of the tests. What must vanish: the difference
# between the bits from arrays on a GPU, of the whole grid on each of these ranks, and those of the
# host on one rank.
# ranks: 2
# threads: 1
# sanitizers: no
import ctypes
import os
import sys

from support import BUILD, run

import numpy as np
import pytest

MPI = pytest.importorskip("mpi4py.MPI")
STAND_IN = os.path.join(BUILD, "tests", "stand_in")
if not os.path.isdir(STAND_IN):
    pytest.skip("this build has no stand-in device", allow_module_level=True)
os.environ["XDG_CACHE_HOME"] = os.path.join(STAND_IN, "cache")
for name in ("libcuda.so.1", "libnvrtc.so"):  # before the library looks for them
    ctypes.CDLL(os.path.join(STAND_IN, name))
import gmg
from gpu_arrays import OnGPU, Stream, open_driver

COMM = MPI.COMM_WORLD
SHAPE = (16, 16, 16)


def values(seed, shape=SHAPE):
    return 1 + np.random.default_rng(seed).random(shape)


def test_whole_grids_on_the_gpu():
    f, alpha = values(1), values(2)
    faces = tuple(values(3 + d, [16 + (at == 2 - d) for at in range(3)]) for d in range(3))
    alone = gmg.Solver(SHAPE, beta=faces, alpha=alpha, backend="openmp").solve(f)
    first = gmg.Solver((8, 8, 8), comm=COMM, backend="cuda")
    open_driver()
    stream = Stream()
    lent = {"alpha": OnGPU(stream.pointer, alpha)}
    lent["beta"] = tuple(OnGPU(stream.pointer, beta) for beta in faces)
    s = gmg.Solver(SHAPE, comm=COMM, backend="cuda", **lent)
    assert s.backend().name == first.backend().name == "cuda"
    out = OnGPU(stream.pointer, shape=s.shape)
    result = s.solve(OnGPU(stream.pointer, f), out=out)
    assert np.array_equal(result.residuals, alone.residuals)
    assert np.array_equal(out.numpy(), alone.u[s.part])
    with pytest.raises(gmg.ArgumentError, match="out: expected the shape"):
        s.solve(1.0, out=OnGPU(stream.pointer, f))


def test_a_rank_without_cells():
    f, first, last = values(1), (0, 0, 0), (16, 16, 16)
    alone = gmg.Solver(SHAPE, backend="openmp").solve(f)
    part = (first, last if COMM.rank == 0 else first)
    s = gmg.Solver(SHAPE, comm=COMM, backend="cuda", part=part)
    open_driver()
    stream = Stream()
    if COMM.rank == 0:
        out = OnGPU(stream.pointer, shape=s.shape)
        result = s.solve(OnGPU(stream.pointer, f), out=out)
        assert np.array_equal(out.numpy(), alone.u)
    else:
        result = s.solve(np.empty(s.shape), out=np.empty(s.shape))
    assert np.array_equal(result.residuals, alone.residuals)


if __name__ == "__main__":
    sys.exit(run(__file__))
