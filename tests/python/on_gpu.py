#!/usr/bin/env python3
r"""Shows on a machine with a GPU that arrays in its memory are used where they lie. Run by hand:

    PYTHONPATH=build/release/python python3 tests/python/on_gpu.py [CELLS [REPEATS]]

CELLS: along each axis, 128 unless given. REPEATS: of timed calls, 20 unless given. It needs NumPy
and the package gmg. Arrays are those of CuPy and PyTorch, where they can be imported, and those
that gpu_arrays.py makes by the CUDA driver alone; each by __cuda_array_interface__ and by DLPack.
The package is a folder, which may be made elsewhere and brought along. It starts without CUDA and
HDF5 and, made as follows, without MPI and LAPACK; it needs libjansson.so.4 and libgomp.so.1:

    cmake --preset release -DGMG_BUILD_PROGRAM=OFF -DGMG_BUILD_TESTS=OFF -DGMG_WITH_MPI=OFF \
        -DGMG_WITH_LAPACK=OFF
    cmake --build --preset release --target gmg-python-sources

Prints a table of checks, one of bytes, and one of times. Exit status: 0 good, 1 a check failed, 77
no GPU.

What must vanish, for f, out, guess, alpha and beta on cells and on faces in the memory of the GPU:
differences of the bits from those of arrays of the host; bytes copied to the host beyond sums and,
in each set-up, β on the faces of walls (counted by the library wherever it calls the driver's
copies, for set-up, solve, residual, apply, preconditioner, fluxes, another set-up and another
solve); effects of a stream that is late: f and beta are written on it after a pause, and the result
is read on it without a wait."""
import contextlib
import ctypes
import gc
import importlib
import statistics
import sys
import time

import numpy as np

import gmg
import gpu_arrays
from gpu_arrays import ByDLPack, OnGPU, Stream

PAUSE = 300000  # microseconds
SUMS = 8192  # bytes to the host that sums may take in a case
faults = 0


class Driver:
    """Arrays by the CUDA driver alone."""

    name = "driver"

    def __init__(self):
        self.stream = Stream()
        self.pointer = self.stream.pointer.value

    def on(self):
        return contextlib.nullcontext()

    def array(self, values):
        return OnGPU(self.stream.pointer, values)

    def empty(self, shape):
        return OnGPU(self.stream.pointer, shape=shape)

    def copy(self, to, source):
        to.copy(source)

    def numpy(self, array):
        return array.numpy()

    def by_dlpack(self, array):
        return ByDLPack(array)

    def wait(self):
        self.stream.wait()


class Dressed:
    """An array of another package that shows its DLPack alone."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, stream=None):
        return self.array.__dlpack__(stream=stream)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


class CuPy:
    name = "CuPy"

    def __init__(self):
        self.package = importlib.import_module("cupy")
        self.stream = self.package.cuda.Stream(non_blocking=True)
        self.pointer = self.stream.ptr

    def on(self):
        return self.stream

    def array(self, values):
        return self.package.asarray(values)

    def empty(self, shape):
        return self.package.full(shape, np.nan)

    def copy(self, to, source):
        to[...] = source

    def numpy(self, array):
        return self.package.asnumpy(array)

    def by_dlpack(self, array):
        return Dressed(array)

    def wait(self):
        self.stream.synchronize()


class Torch:
    name = "PyTorch"

    def __init__(self):
        self.package = importlib.import_module("torch")
        if not self.package.cuda.is_available():
            raise ImportError("without CUDA")
        self.stream = self.package.cuda.Stream()
        self.pointer = self.stream.cuda_stream

    def on(self):
        return self.package.cuda.stream(self.stream)

    def array(self, values):
        return self.package.from_numpy(np.ascontiguousarray(values)).cuda()

    def empty(self, shape):
        return self.package.full(shape, float("nan"), dtype=self.package.float64, device="cuda")

    def copy(self, to, source):
        to.copy_(source)

    def numpy(self, array):
        return array.cpu().numpy()

    def by_dlpack(self, array):
        return Dressed(array)

    def wait(self):
        self.stream.synchronize()


def delay(maker):
    """Makes the stream late. The CPU that stands in for a GPU works only when somebody waits."""
    if hasattr(gpu_arrays.driver, "cuLaunchHostFunc"):
        stream, sleep = ctypes.c_void_p(maker.pointer), ctypes.CDLL(None).usleep
        gpu_arrays.need(gpu_arrays.driver.cuLaunchHostFunc(stream, sleep, ctypes.c_void_p(PAUSE)))


def check(what, good, found=""):
    global faults
    faults += not good
    print(f"  {'good' if good else 'FAILED':7}{what:58}{found}", flush=True)


def cases(n):
    """Returns by name: arguments of Solver, and others that take their place later."""
    random = np.random.default_rng(7).random

    def faces():
        return tuple(1 + random([n + (at == 2 - axis) for at in range(3)]) for axis in range(3))

    def cells():
        return {"alpha": random((n, n, n)), "beta": 1 + random((n, n, n))}

    return {
        "no coefficient": ({}, {}),
        "beta on faces": ({"beta": faces()}, {"beta": faces()}),
        "alpha and beta": (cells(), cells()),
    }


def each(given, function):
    """Returns arguments with a function applied to all arrays."""
    return {
        name: tuple(map(function, value)) if isinstance(value, tuple) else function(value)
        for name, value in given.items()
    }


def replaced(arguments, others, copy):
    for name, value in arguments.items():
        pairs = zip(value, others[name]) if isinstance(value, tuple) else [(value, others[name])]
        for pair in pairs:
            copy(*pair)


def from_host(n, given, later, f):
    """What all calls give for arrays of the host."""
    given = each(given, np.copy)
    s = gmg.Solver((n, n, n), backend="cuda", coarse="gpu", **given)
    before = s.backend().copied[1]
    u = s.solve(f).u
    found = [u, s.residual(f, u), s.apply(u), s.precondition(f, 2), *s.fluxes(u)]
    print(f"  arrays of the host: {s.backend().copied[1] - before} bytes to the host")
    replaced(given, later, lambda to, source: to.__setitem__(..., source))
    s.setup()
    return [*found, s.solve(f).u]


def on_gpu(maker, wrap, n, given, later, f):
    """The same calls for arrays of the GPU, and bytes to the host; every array is late."""
    stream = maker.pointer if wrap == maker.by_dlpack else None  # which DLPack does not tell
    arrays, others = each(given, maker.array), each(later, maker.array)
    good = maker.array(f)
    right = maker.empty(f.shape)
    found = [maker.empty(f.shape) for _ in range(4)]
    last = maker.empty(f.shape)
    probe = gmg.Solver((8, 8, 8), backend="cuda")
    maker.wait()
    before = probe.backend().copied[1]
    s = gmg.Solver((n, n, n), backend="cuda", coarse="gpu", stream=stream, **each(arrays, wrap))
    delay(maker)
    maker.copy(right, good)
    s.solve(wrap(right), out=found[0])
    s.residual(wrap(right), found[0], out=found[1])
    s.apply(found[0], out=found[2])
    s.precondition(wrap(right), 2, out=found[3])
    sides = [[n + (at == 2 - axis) for at in range(3)] for axis in range(3)]
    own = [maker.empty(tuple(side)) for side in sides] if maker.name == "driver" else None
    flux = list(s.fluxes(found[0], out=own))
    delay(maker)
    replaced(arrays, others, maker.copy)
    s.setup()
    s.solve(wrap(right), out=last)
    copied = probe.backend().copied[1] - before
    again = s.solve(wrap(right), out=last, guess=last)
    check("a guess that solves it needs no cycle", again.cycles == 0)
    if s.fallbacks():
        print("  ", s.fallbacks())
    return [maker.numpy(array) for array in (*found, *flux, last)], copied


def compared(maker, kind, n, f):
    wrap = maker.by_dlpack if kind == "DLPack" else lambda array: array
    for name, (given, later) in cases(n).items():
        print(f"{maker.name}, {kind}, {name}")
        expected = from_host(n, given, later, f)
        with maker.on():
            found, copied = on_gpu(maker, wrap, n, given, later, f)
        differ = sum(not np.array_equal(*pair) for pair in zip(found, expected))
        check("arrays that differ from those of the host", differ == 0, differ)
        most = SUMS + (2 * 6 * 8 * n**2 if given else 0)
        check(f"bytes to the host, of {8 * n**3} an array, at most {most}", copied <= most, copied)
        gc.collect()


def sees_lateness(maker, n, f):
    """A solver that follows another stream must find f as it was before the pause: else nothing
    above has shown that streams are followed."""
    with maker.on():
        good, right, out = maker.array(f), maker.empty(f.shape), maker.empty(f.shape)
        other = type(maker)()
        s = gmg.Solver((n, n, n), backend="cuda", stream=other.pointer)
        s.solve(good, out=out)
        maker.wait()
        delay(maker)
        maker.copy(right, good)
        result = s.solve(right, out=out)
        maker.wait()
    check("another stream finds f as it was before", not result.converged, result.status)


def seconds(repeats, call, wait):
    taken = []
    for _ in range(repeats):
        wait()
        start = time.perf_counter()
        call()
        wait()
        taken.append(time.perf_counter() - start)
    return statistics.median(taken)


def times(maker, n, f, repeats):
    for size, right in ((n, f), (16, f[:16, :16, :16].copy())):
        s = gmg.Solver((size,) * 3, backend="cuda")
        u = np.empty(right.shape)
        with maker.on():
            there, out = maker.array(right), maker.empty(right.shape)
            maker.wait()
            rows = {
                "solve": (lambda: s.solve(right, out=u), lambda: s.solve(there, out=out)),
                "apply": (lambda: s.apply(right, out=u), lambda: s.apply(there, out=out)),
            }
            for name, (host, device) in rows.items():
                device(), host()
                taken = [1e6 * seconds(repeats, call, maker.wait) for call in (host, device)]
                print(f"{maker.name:9}{size:>4}³ {name:8}{taken[0]:>14.1f}{taken[1]:>14.1f}")


def makers():
    found = [Driver()]
    for kind in (CuPy, Torch):
        try:
            found.append(kind())
        except ImportError as fault:
            print(f"{kind.name}: {fault}")
    return found


def main(words):
    n, repeats = [int(word) for word in words] + [128, 20][len(words) :]
    try:
        s = gmg.Solver((8, 8, 8), backend="cuda")
    except gmg.UnsupportedError as fault:
        print(f"no GPU: {fault}")
        return 77
    print(f"gmg {gmg.__version__}, {s.backend().device}, {n}³ cells, numpy {np.__version__}")
    gpu_arrays.open_driver()
    f = np.random.default_rng(3).random((n, n, n))
    every = makers()
    for maker in every:
        for kind in ("__cuda_array_interface__", "DLPack"):
            compared(maker, kind, n, f)
        print(f"{maker.name}, a check of the checks")
        sees_lateness(maker, n, f)
    print("\narrays   cells call     µs from host   µs from GPU (median, all waits included)")
    for maker in every:
        times(maker, n, f, repeats)
    print(f"\n{faults} checks failed")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
