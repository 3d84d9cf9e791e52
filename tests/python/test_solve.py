#!/usr/bin/env python3
# Preconditions: none. What must vanish: the difference between a solve from Python and the same
# solve by the library (f - A u, other orders of calls), and copies that nobody asked for.
import sys
import threading
import time
import warnings

from support import python, run

import numpy as np
import pytest

import gmg

SHAPE = (12, 10, 14)  # (z, y, x)
CELLS = (14, 10, 12)
MOST_CALLS = 75  # of Python's in a solve


def values(shape=SHAPE, seed=1):
    return 1 + np.random.default_rng(seed).random(shape)


def test_five_lines():
    result = gmg.Solver(cells=(16, 16, 16), boundary={"x_lo": ("dirichlet", 1.0)}).solve(1.0)
    assert result.converged and result.status == "converged"
    assert len(result.residuals) == len(result.seconds) == result.cycles + 1
    assert result.residuals[-1] <= 1e-10 * result.initial_norm
    assert "norm" in result.reason and "converged" in repr(result)


def test_second_order():
    errors = []
    for n in (8, 16, 32):
        x = (np.arange(n) + 0.5) / n
        u = np.sin(np.pi * x) * np.sin(np.pi * x)[:, None] * np.sin(np.pi * x)[:, None, None]
        found = gmg.Solver((n, n, n)).solve(3 * np.pi**2 * u).u
        errors.append(abs(found - u).max())
    assert np.log2(errors[1] / errors[2]) > 1.9


def test_residual_with_every_boundary():
    wall = np.sin(np.arange(12 * 14)).reshape(12, 14)
    for boundary in (
        {},
        {"all": "neumann", "x_lo": ("dirichlet", 2)},
        {"x": "periodic", "y_lo": ("robin", 1.0, 2.0, wall), "y_hi": ("neumann", wall)},
        {"all": ("robin", 1, 1, np.float32(2)), "z_hi": ("dirichlet", np.ones((10, 14)))},
    ):
        with gmg.Solver(
            CELLS, (0, 0, 0), (1.4, 1, 1.2), boundary, values(), values(seed=2), a=3, b=2
        ) as s:
            f = values(seed=3)
            result = s.solve(f)
            assert result.converged, result.reason
            assert abs(s.residual(f, result.u)).max() < 1e-7 * result.initial_norm


def test_no_copy_of_strided_arrays():
    beta, f = values(), values(seed=3)
    expected = gmg.Solver(CELLS, beta=beta).solve(f).u
    wide, turned = np.zeros((12, 11, 28)), np.asfortranarray(f)
    wide[:, :10, ::2] = beta
    out = np.zeros((12, 10, 20))[:, :, 3:17]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        s = gmg.Solver(CELLS, beta=wide[:, :10, ::2])
        result = s.solve(turned, out=out)
        backwards = s.solve(f[::-1].copy()[::-1])
    assert result.u is out and np.array_equal(out, expected)
    assert np.array_equal(backwards.u, expected)
    assert not out.base[:, :, :3].any() and not out.base[:, :, 17:].any()


def test_conversions_are_said():
    beta, f = values().astype(np.float32), values(seed=3)
    with pytest.warns(gmg.ConversionWarning, match="beta: .* 13440 bytes: float32") as told:
        s = gmg.Solver(CELLS, beta=beta)
    assert told[0].filename == __file__
    expected = gmg.Solver(CELLS, beta=beta.astype(float)).solve(f).u
    assert np.array_equal(s.solve(f).u, expected)
    for other in (f.astype(">f8"), f.tolist()):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            assert np.array_equal(s.solve(other).u, expected)
    with pytest.warns(gmg.ConversionWarning, match="f: .*int64"):
        s.solve(np.ones(SHAPE, dtype=int))


def test_guess_and_out():
    s = gmg.Solver(CELLS, rtol=1e-9)
    f = values()
    first = s.solve(f)
    assert s.solve(f, guess=first.u).cycles == 0
    again = first.u.copy()
    result = s.solve(f, out=again, guess=again)
    assert result.u is again and result.cycles == 0 and np.array_equal(again, first.u)
    assert s.solve(f, guess=0.0).converged


def test_planes_and_lines():
    u = gmg.Solver((20, 12)).solve(values((12, 20))).u
    assert u.shape == (12, 20)
    s = gmg.Solver((20, 12), beta=(np.ones((12, 21)), np.ones((13, 20))))
    assert abs(s.solve(values((12, 20))).u - u).max() < 1e-9
    x = (np.arange(40) + 0.5) / 40
    line = gmg.Solver((40,), boundary={"x_hi": ("dirichlet", 1.0)}).solve(0.0).u
    assert abs(line - x).max() < 1e-8


def test_updates_are_those_of_a_new_solver():
    f, beta, other = values(), values(seed=2), values(seed=4)
    s = gmg.Solver(CELLS, beta=beta, boundary={"x_lo": ("dirichlet", 1.0)})
    s.update(beta=other, a=0.0, b=2.0, boundary={"x_lo": 3.0}, rtol=1e-8)
    expected = gmg.Solver(
        CELLS, beta=other, b=2.0, boundary={"x_lo": ("dirichlet", 3.0)}, rtol=1e-8
    ).solve(f)
    assert np.array_equal(s.solve(f).u, expected.u)
    beta[:] = other  # borrowed: another setup reads it anew
    s = gmg.Solver(CELLS, beta=beta)
    beta *= 2
    s.setup()
    assert np.array_equal(s.solve(f).u, gmg.Solver(CELLS, beta=2 * other).solve(f).u)
    s.update(a=1.0)
    assert np.array_equal(s.solve(f).u, gmg.Solver(CELLS, beta=beta, a=1.0).solve(f).u)
    s.update(boundary={"y_hi": np.full((12, 14), 2.0)}, max_cycles=1, rtol=1e-14)
    assert s.solve(f).status == "max_cycles"


def test_stretched():
    faces = np.linspace(0, 1, 15) ** 1.2
    s = gmg.Solver(CELLS, faces={"x": faces}, upper=(1, 2, 3))
    assert s.solve(1.0).converged
    assert gmg.Solver(CELLS, faces={"y": np.linspace(2, 3, 11) ** 2}).solve(1.0).converged


def test_monitor():
    s, seen = gmg.Solver(CELLS), []
    result = s.solve(values(), monitor=lambda *told: seen.append(told))
    assert [told[0] for told in seen] == list(range(result.cycles + 1))
    assert [told[1] for told in seen] == list(result.residuals)

    def fail(cycle, norm, relative, seconds):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        s.solve(values(), monitor=fail)
    stopped = s.solve(values(), monitor=lambda *told: s.stop())
    assert stopped.status == "interrupted"
    with pytest.raises(gmg.OrderError, match="within another call"):
        s.solve(values(), monitor=lambda *told: s.apply(values()))
    assert s.solve(values()).converged


def test_interrupt():
    """In another process, since the solve would go on for an hour."""
    said = python(
        "import gmg, numpy as np, os, signal, threading\n"
        "s = gmg.Solver((64, 64, 64), max_cycles=1000000, rtol=0, smoother='jacobi')\n"
        "out, f = np.zeros((64, 64, 64)), np.ones((64, 64, 64))\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)  # also in the background\n"
        "threading.Timer(1, os.kill, (os.getpid(), signal.SIGINT)).start()\n"
        "try:\n"
        "    s.solve(f, out=out)\n"
        "except KeyboardInterrupt:\n"
        "    print('interrupted')\n"
        "assert out.any() and abs(s.residual(f, out)).max() < 1  # what was found so far\n"
        "s.update(rtol=1e-6, max_cycles=100)\n"
        "assert s.solve(f).converged\n"
        "assert signal.getsignal(signal.SIGINT) is signal.default_int_handler\n"
    )
    assert said == "interrupted\n"


@pytest.mark.parametrize("told", ["pass", "time.sleep(60)"])
def test_interrupt_with_a_monitor(told):
    """Between two calls of a monitor, and inside one."""
    said = python(
        "import gmg, os, signal, threading, time\n"
        "s = gmg.Solver((64, 64, 64), max_cycles=1000000, rtol=0, smoother='jacobi')\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "threading.Timer(1, os.kill, (os.getpid(), signal.SIGINT)).start()\n"
        "def monitor(*cycle):\n"
        f"    {told}\n"
        "try:\n"
        "    s.solve(1.0, monitor=monitor)\n"
        "except KeyboardInterrupt:\n"
        "    print('interrupted')\n"
        "assert signal.getsignal(signal.SIGINT) is signal.default_int_handler\n"
        "s.update(rtol=1e-6)\n"
        "assert s.solve(1.0).converged\n",
        timeout=30,
    )
    assert said == "interrupted\n"


def test_interrupt_before_a_monitor():
    """As Python enters what tells the monitor, where it could not be caught."""
    said = python(
        "import gmg, os, signal, sys\n"
        "s = gmg.Solver((16, 16, 16))\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "def entered(frame, event, argument):\n"
        "    if event == 'call' and frame.f_code.co_name == 'report':\n"
        "        os.kill(os.getpid(), signal.SIGINT)\n"
        "sys.setprofile(entered)\n"
        "try:\n"
        "    s.solve(1.0, monitor=print)\n"
        "except KeyboardInterrupt:\n"
        "    sys.setprofile(None)\n"
        "    print('interrupted')\n"
        "assert signal.getsignal(signal.SIGINT) is signal.default_int_handler\n"
        "assert s.solve(1.0).converged\n",
        timeout=30,
    )
    assert said == "interrupted\n"


def test_numpy_alone():
    """What the package imports, besides Python's own modules."""
    said = python(
        "import sys\n"
        "before = set(sys.modules)\n"
        "import gmg\n"
        "assert gmg.Solver((8, 8, 8)).solve(1.0).converged\n"
        "found = [sys.modules[name] for name in set(sys.modules) - before]\n"
        "found = {each.__name__.split('.')[0] for each in found if getattr(each, '__spec__', 0)}\n"
        "print(*sorted(found - set(sys.stdlib_module_names)))\n"
    )
    assert said.split() == ["gmg", "numpy"]


def test_threads_at_once():
    f = values()
    expected = gmg.Solver(CELLS, threads=1).solve(f).u
    shared, found = gmg.Solver(CELLS, threads=1), []

    def work(own):
        s = gmg.Solver(CELLS, threads=1) if own else shared
        found.extend(np.array_equal(s.solve(f).u, expected) for _ in range(10))

    workers = [threading.Thread(target=work, args=(own,)) for own in (True, True, False, False)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert len(found) == 40 and all(found)


def test_other_threads_run_during_a_solve():
    s = gmg.Solver((64, 64, 64), threads=1)
    turns, worker = 0, threading.Thread(target=lambda: [s.solve(1.0) for _ in range(3)])
    worker.start()
    while worker.is_alive():
        turns += 1
        time.sleep(0.001)
    assert turns > 3


def test_overhead():
    """A call makes few calls of Python's, and no array or copy of it: the time that it takes
    besides the solve is printed."""
    s, f, out = gmg.Solver((16, 16, 16), threads=1), np.ones((16,) * 3), np.empty((16,) * 3)
    extra, made = [], []
    for _ in range(300):
        begin = time.perf_counter()
        result = s.solve(f, out=out)
        extra.append(time.perf_counter() - begin - result.solve_seconds)
    sys.setprofile(lambda frame, event, what: made.append(event))
    s.solve(f, out=out)
    sys.setprofile(None)
    calls = made.count("call") + made.count("c_call")
    print(f"{1e6 * sorted(extra)[10]:.1f} µs, {calls} calls")
    assert calls <= MOST_CALLS


def test_memory_is_that_of_the_library():
    """What the process gains is what the library predicts, and f and u."""
    said = python(
        "import gmg, numpy as np, resource\n"
        "peak = lambda: 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "gmg.Solver((8, 8, 8)).solve(1.0)\n"
        "f, beta = np.ones((96, 96, 96)), np.ones((96, 96, 96))\n"
        "beta[:, :48] = 2\n"
        "before = peak()\n"
        "s = gmg.Solver((96, 96, 96), beta=beta)\n"
        "s.solve(f)\n"
        "print(peak() - before, s.memory().peak, f.nbytes)\n"
    )
    gained, library, array = (int(word) for word in said.split())
    assert gained < 1.05 * library + array + 8e6


def test_closed_and_not_set_up():
    s = gmg.Solver(CELLS, setup=False)
    with pytest.raises(gmg.OrderError, match="setup"):
        s.solve(1.0)
    s.setup()
    s.close()
    s.close()
    with pytest.raises(gmg.OrderError, match="closed"):
        s.solve(1.0)
    assert "closed" in repr(s)


if __name__ == "__main__":
    sys.exit(run(__file__))
