#!/usr/bin/env python3
# Preconditions: none. What must vanish: the difference between the bits on these ranks and on one.
# ranks: 1 3
# threads: 1
import sys

from support import run

import numpy as np
import pytest

MPI = pytest.importorskip("mpi4py.MPI")
import gmg

COMM = MPI.COMM_WORLD
RANK, RANKS = COMM.Get_rank(), COMM.Get_size()
CELLS, SHAPE = (14, 10, 12), (12, 10, 14)


def values(shape=SHAPE, seed=1):
    return 1 + np.random.default_rng(seed).random(shape)


def gathered(solver, part):
    """The array of the whole grid on all ranks."""
    found = np.zeros(SHAPE)
    for cut, block in COMM.allgather((solver.part, part)):
        found[cut] = block
    return found


def test_same_bits_as_one_rank():
    f, beta = values(), values(seed=2)
    alone = gmg.Solver(CELLS, beta=beta, boundary={"z": "periodic"}).solve(f)
    s = gmg.Solver(CELLS, beta=beta, boundary={"z": "periodic"}, comm=COMM)
    assert s.rank == RANK
    whole = s.solve(f)  # arrays of the whole grid: each rank takes its part of them
    part = s.solve(np.ascontiguousarray(f[s.part]))
    for result in (whole, part):
        assert np.array_equal(gathered(s, result.u), alone.u)
        assert np.array_equal(result.residuals, alone.residuals)
    assert s.vector(f).size == np.prod(s.shape)


def test_faces_and_own_parts():
    f, shapes = values(), ((12, 10, 15), (12, 11, 14), (13, 10, 14))
    beta = tuple(values(shape, seed) for seed, shape in enumerate(shapes))
    lower, upper = (14 * RANK // RANKS, 0, 0), (14 * (RANK + 1) // RANKS, 10, 12)
    alone = gmg.Solver(CELLS, beta=beta, a=1.0)
    s = gmg.Solver(CELLS, beta=beta, a=1.0, comm=COMM, part=(lower, upper))
    expected, result = alone.solve(f), s.solve(f)
    assert np.array_equal(gathered(s, result.u), expected.u)
    assert np.array_equal(gathered(s, s.apply(f)), alone.apply(f))
    flux = alone.fluxes(expected.u).x
    assert np.array_equal(s.fluxes(result.u).x, flux[:, :, lower[0] : upper[0] + 1])


def test_ranks_that_disagree_are_told():
    if RANKS == 1:
        pytest.skip("one rank agrees with itself")
    s = gmg.Solver(CELLS, comm=COMM)
    with pytest.raises(gmg.ArgumentError, match="differ"):
        s.solve(1.0, guess=0.0 if RANK == 0 else None)
    assert s.solve(1.0).converged


def test_communicators_that_are_none():
    for other in (3, "world", MPI.COMM_NULL):
        with pytest.raises(gmg.ArgumentError, match="comm: expected a communicator"):
            gmg.Solver(CELLS, comm=other)


if __name__ == "__main__":
    sys.exit(run(__file__))
