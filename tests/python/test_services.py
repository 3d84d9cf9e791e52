#!/usr/bin/env python3
# Preconditions: none. What must vanish: f - A u by the services against the same by hand; fluxes
# that do not add up to A u; SciPy's conjugate gradients that do not converge.
import os
import signal
import sys
import threading

from support import run

import numpy as np
import pytest

import gmg

SHAPE, CELLS = (12, 10, 14), (14, 10, 12)


def values(shape=SHAPE, seed=1):
    return 1 + np.random.default_rng(seed).random(shape)


def test_apply_and_residual():
    s, u, f = gmg.Solver(CELLS, a=2.0, b=3.0), values(), values(seed=2)
    width = np.array([1 / 12, 1 / 10, 1 / 14])
    padded = np.pad(u, 1)
    for axis in range(3):  # Dirichlet 0: the ghost is the cell's opposite
        ends = [slice(1, -1)] * 3
        for ghost, cell in ((0, 1), (-1, -2)):
            ends[axis] = ghost
            inner = list(ends)
            inner[axis] = cell
            padded[tuple(ends)] = -padded[tuple(inner)]
    expected = 2 * u
    for axis in range(3):
        step = np.diff(padded, 2, axis)
        cut = [slice(1, -1)] * 3
        cut[axis] = slice(None)
        expected = expected - 3 * step[tuple(cut)] / width[axis] ** 2
    scale = abs(expected).max()
    assert abs(s.apply(u) - expected).max() < 1e-12 * scale
    assert abs(s.residual(f, u) - (f - expected)).max() < 1e-12 * scale
    out = u.copy()
    assert s.apply(out, out=out) is out and np.array_equal(out, s.apply(u))


def test_fluxes_add_up():
    s = gmg.Solver(CELLS, beta=values(seed=3), boundary={"x_lo": ("neumann", 2.0)})
    u = s.solve(values()).u
    flux, cells = s.fluxes(u), np.array(CELLS)
    outflow = sum(np.diff(flux[axis], axis=2 - axis) * cells[axis] for axis in range(3))
    assert abs(outflow - values()).max() < 1e-6
    own = [np.empty(part.shape) for part in flux]
    assert all(map(np.array_equal, s.fluxes(u, out=own), flux)) and s.fluxes(u, out=own).x is own[0]
    beta = values(seed=3)[:, :, 0]
    assert np.allclose(flux.x[:, :, 0], 2.0 * beta)  # −β ∂u/∂x at x = 0: β times the outward one
    line = gmg.Solver((8,), boundary={"x_hi": ("dirichlet", 1.0)})
    found = line.fluxes(line.solve(0.0).u)
    assert np.allclose(found.x, -1) and found.y is None and found.z is None
    assert np.allclose(line.fluxes(line.solve(0.0).u, out=(found.x.copy(),)).x, -1)


def test_scipy():
    linalg = pytest.importorskip("scipy.sparse.linalg")
    s = gmg.Solver(
        CELLS, beta=values(seed=3), smoother="chebyshev", interpolation="constant", cycle="v"
    )
    a, b, f = s.linear_operator(), s.preconditioner(), values()
    assert a.shape == (s.vector(f).size,) * 2
    counted = []
    x, status = linalg.cg(a, s.vector(f), M=b, atol=1e-9, callback=counted.append)
    assert status == 0 and len(counted) < 20
    assert abs(x.reshape(SHAPE) - s.solve(f).u).max() < 1e-6
    p, q = values(seed=5).ravel(), values(seed=6).ravel()
    assert abs(p @ (b @ q) - q @ (b @ p)) < 1e-10 * abs(p @ (b @ q))  # symmetric


def test_memory_is_predicted():
    s = gmg.Solver((48, 48, 48), beta=values((48, 48, 48)), setup=False)
    predicted = s.predict()
    s.setup()
    s.solve(1.0)
    assert s.predict().predicted == predicted.predicted
    assert 0.9 < s.memory().peak / predicted.predicted < 1.02
    more = gmg.Solver((48, 48, 48), setup=False).predict(expect=("beta", "jumps"))
    assert more.predicted > predicted.predicted
    with pytest.raises(gmg.OutOfMemoryError) as fault:
        gmg.Solver((48, 48, 48), setup=False).predict(arrays=2**60)
    assert isinstance(fault.value, MemoryError) and "TiB" in str(fault.value)


def test_reports():
    s = gmg.Solver((32, 32, 32))
    s.solve(1.0)
    levels = s.levels()
    assert levels[0].cells == (32, 32, 32) and levels[-1].cells == (1, 1, 1)
    assert sum(kernel.calls for kernel in levels[0].kernels) > 0
    assert "gauss_seidel" in str(levels) and s.backend().name == "openmp"
    assert isinstance(s.fallbacks(), list)
    assert s.options()["max_cycles"] == "100" and s.option("max_cycles") == "100"
    assert set(gmg.options()) == set(s.options()) and "rtol" in gmg.options()


def test_every_option_is_completed():
    import inspect

    names = inspect.signature(gmg.Solver).parameters
    assert set(gmg.options()) < set(names) and "beta" in names


def test_tuning(tmp_path):
    s, seen = gmg.Solver((24, 24, 24), wisdom="none"), []
    expected = s.solve(1.0).u
    tuned = s.tune(0.3, progress=lambda *told: seen.append(told))
    assert tuned.measured > 0 and tuned.discarded == 0 and len(seen[0]) == 4
    s.save_wisdom(tmp_path / "wisdom.json")
    assert (tmp_path / "wisdom.json").exists() and isinstance(s.wisdom(), str)
    again = gmg.Solver((24, 24, 24), wisdom=tmp_path / "wisdom.json")
    assert np.array_equal(again.solve(1.0).u, expected)

    def enough(*told):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        s.tune(1000, progress=enough)
    for wrong in (
        lambda: s.tune(-1),
        lambda: s.tune(1, progress=3),
        lambda: s.save_wisdom(os.path.join(__file__, "wisdom.json")),
        lambda: s.save_wisdom(3),
    ):
        with pytest.raises(gmg.ArgumentError):
            wrong()


def test_interrupted_tuning():
    s = gmg.Solver((24, 24, 24))
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # also in the background
    threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        s.tune(1000)
    signal.signal(signal.SIGINT, before)
    assert s.solve(1.0).converged


def test_pictures(tmp_path):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    result = gmg.Solver(CELLS).solve(1.0)
    axes = gmg.plot.convergence(result)
    assert len(axes.lines[0].get_xdata()) == result.cycles + 1
    shown = gmg.plot.slice(result.u, axis="y", index=3).images[0].get_array()
    assert np.array_equal(shown, result.u[:, 3])
    for wrong in (
        lambda: gmg.plot.slice(result.u, index=10**6),
        lambda: gmg.plot.slice(result.u, axis="t"),
        lambda: gmg.plot.slice(result.u[0, 0]),
        lambda: gmg.plot.convergence(result.u),
        lambda: gmg.plot.roofline({}),
        lambda: gmg.plot.roofline(tmp_path / "absent.json"),
    ):
        with pytest.raises(gmg.ArgumentError, match="expected"):
            wrong()
    kernel = dict(name="variable7_apply", backend="openmp", bits=64, flops=8, bytes=4, seconds=1)
    roof = dict(backend="openmp", threads=1, cache=0, rate=1e10)
    bench = {
        "format": "gmg-bench",
        "levels": [{"backend": "openmp", "cells": [8, 8, 8], "kernels": [kernel]}],
        "roofs": [dict(roof, kind="copy"), dict(roof, kind="fma_double", rate=1e11)],
        "problem": {"name": "smooth", "cells": [8, 8, 8]},
        "machine": {"threads": 1, "ranks": 1, "instruction_set": "baseline"},
        "solve": {"repeats": 1, "share": 0.5},
    }
    gmg.plot.roofline(bench).savefig(tmp_path / "roofline.png")


if __name__ == "__main__":
    sys.exit(run(__file__))
