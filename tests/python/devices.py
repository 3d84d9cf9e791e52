"""Arrays in the memory of a GPU, given to gmg by their interfaces: a script that test_devices.py
runs where the CPU stands in for a GPU, and that runs on a machine with a GPU by itself.

usage: devices.py [CELLS], with gmg on PYTHONPATH. Exit status: 0 good, 77 no GPU.

What must vanish: the difference between the bits from arrays on the GPU and from the host; where
the CPU stands in for the GPU, which works only when somebody waits, the solution must not be there
when the call returns: nothing waited, and nothing came to the host."""
import ctypes
import sys
import warnings

import numpy as np

import gmg
from gpu_arrays import ByDLPack, OnGPU, Stream, open_driver

N = int(sys.argv[1]) if len(sys.argv) > 1 else 16
SHAPE = (N, N, N)
WALLS = 6 * 8 * N**2  # bytes of β on the faces of walls, which the host adds boundary values with
SUMS, LARGEST_SUM = 2048, 128  # bytes of sums in two solves; and in one copy


def refused(kind, text, call):
    try:
        call()
    except kind as fault:
        assert text in str(fault), fault
        return
    raise AssertionError(f"was not refused: {text}")


def solves(s, f, expected, stands_in):
    stream = Stream()
    on_gpu, out = OnGPU(stream.pointer, f), OnGPU(stream.pointer, shape=SHAPE)
    for turn in range(3):
        on_gpu.fill(f)
        out.fill()
        if turn == 0:
            stream.wait()
        result = s.solve(on_gpu, out=out)
        if stands_in:
            there = ctypes.c_uint64.from_address(out.address.value).value
            assert there == 2**64 - 1, "the host waited for the solution"
        assert result.u is out and np.array_equal(out.numpy(), expected.u)
    again = s.solve(on_gpu, out=out, guess=out)
    assert again.cycles == 0 and np.array_equal(out.numpy(), expected.u)
    start = OnGPU(stream.pointer, expected.u)
    stream.wait()
    assert s.solve(on_gpu, out=out, guess=start).cycles == 0
    by_dlpack, other = ByDLPack(on_gpu), Stream()
    refused(gmg.ArgumentError, "2 streams", lambda: s.solve(by_dlpack, out=out))
    own = gmg.Solver(SHAPE, stream=stream.pointer.value)
    out.fill()
    own.solve(by_dlpack, out=out)
    assert np.array_equal(out.numpy(), expected.u)
    assert by_dlpack.streams == [1, stream.pointer.value]
    elsewhere = OnGPU(other.pointer, f)
    other.wait()
    refused(gmg.ArgumentError, "2 streams", lambda: s.solve(elsewhere, out=out))


def services(s, f, expected):
    stream = Stream()
    u, r = OnGPU(stream.pointer, expected.u), OnGPU(stream.pointer, shape=SHAPE)
    on_gpu = OnGPU(stream.pointer, f)
    assert np.array_equal(s.residual(on_gpu, u, out=r).numpy(), s.residual(f, expected.u))
    assert np.array_equal(s.apply(u, out=r).numpy(), s.apply(expected.u))
    assert np.array_equal(s.precondition(u, 2, out=r).numpy(), s.precondition(expected.u, 2))
    faces = [tuple(N + (at == 2 - axis) for at in range(3)) for axis in range(3)]
    flux = [OnGPU(stream.pointer, shape=shape) for shape in faces]
    for solver in (s, gmg.Solver(SHAPE, boundary={"y_hi": ("neumann", 2.0)})):  # added by the host
        found = solver.fluxes(u, out=flux)
        for array, values in zip(found, solver.fluxes(expected.u)):
            assert np.array_equal(array.numpy(), values)
    own = s.device_array(f)
    assert np.array_equal(own.numpy(), f)
    s.solve(own, out=r)
    assert np.array_equal(r.numpy(), expected.u)


def coefficients_of(seed):
    """Returns arguments of Solver: β on faces, and α and β on cells."""
    random = np.random.default_rng(seed).random
    faces = [[N + (at == 2 - axis) for at in range(3)] for axis in range(3)]
    yield {"beta": tuple(1 + random(shape) for shape in faces), "a": 0.5}
    yield {"beta": 1 + random(SHAPE), "alpha": random(SHAPE)}


def each(given, function):
    """Returns arguments with a function applied to all arrays."""

    def one(value):
        return function(value) if np.ndim(value) else value

    return {
        name: tuple(map(one, value)) if isinstance(value, tuple) else one(value)
        for name, value in given.items()
    }


def refill(arrays, others):
    for name, value in arrays.items():
        several = isinstance(value, tuple)
        pairs = zip(value, others[name]) if several else [(value, others[name])]
        for array, values in pairs:
            if np.ndim(values):
                array.fill(values)


def copied(s):
    """Bytes to the host, as the library counts them and as the driver does, and of the largest copy
    there since this was last asked."""
    driver, counted = ctypes.CDLL("libcuda.so.1"), (ctypes.c_longlong * 2)()
    if not hasattr(driver, "stand_in_copied"):
        return s.backend().copied[1], s.backend().copied[1], 0
    driver.stand_in_copied(counted)
    return s.backend().copied[1], counted[1], driver.stand_in_largest()


def coefficients(f, wrap):
    """Coefficients in the memory of the GPU: on cells and on faces, other values in their place,
    other arrays. Nobody waits for them. Sums come to the host, and in set-ups β on walls."""
    stream, probe = Stream(), gmg.Solver((8, 8, 8))
    own = {"coarse": "gpu", "stream": stream.pointer.value if wrap else None}
    right, out = OnGPU(stream.pointer, f), OnGPU(stream.pointer, shape=SHAPE)
    for given, later in zip(coefficients_of(3), coefficients_of(4)):
        expected = [gmg.Solver(SHAPE, backend="openmp", **one).solve(f).u for one in (given, later)]
        there = each(given, lambda values: OnGPU(stream.pointer, values))
        before = copied(probe)
        s = gmg.Solver(SHAPE, **own, **each(there, wrap or (lambda array: array)))
        s.solve(right, out=out)
        refill(there, later)
        again = OnGPU(stream.pointer, shape=SHAPE)
        s.setup()
        copied(probe)
        s.solve(right, out=again)
        after = copied(probe)
        in_solve = after[2]
        bytes_back = after[1] - before[1]
        print(f"{' and '.join(given)}: {bytes_back} bytes to the host: 2 set-ups, 2 solves")
        assert after[0] - before[0] == bytes_back <= 2 * WALLS + SUMS
        assert in_solve <= LARGEST_SUM
        assert s.backend().name == "cuda" and not s.fallbacks()
        assert np.array_equal(out.numpy(), expected[0])
        assert np.array_equal(again.numpy(), expected[1])
        s.update(**each(given, lambda values: OnGPU(stream.pointer, values)))
        s.solve(right, out=out)
        assert np.array_equal(out.numpy(), expected[0])
        s.update(a=0.7)
        s.solve(right, out=out)
        other = gmg.Solver(SHAPE, backend="openmp", **{**given, "a": 0.7})
        assert np.array_equal(out.numpy(), other.solve(f).u)


def moved(f):
    """A coefficient that is used on another stream by now, and then lies elsewhere too."""
    first, second = Stream(), Stream()
    beta = [*coefficients_of(6)][1]["beta"]
    lent = OnGPU(first.pointer, beta)
    s = gmg.Solver(SHAPE, coarse="gpu", beta=lent)
    second.wait()
    for turn in range(2):
        beta = beta[::-1] + turn
        lent.stream = second.pointer
        if turn:
            lent.address = OnGPU(second.pointer, shape=SHAPE).give()
        lent.fill(beta)
        s.setup()
        expected = gmg.Solver(SHAPE, backend="openmp", beta=beta).solve(f).u
        assert np.array_equal(s.solve(f).u, expected)


def turned(stream, values):
    """Returns an array on the GPU whose first axis has its values next to each other."""
    array = OnGPU(stream.pointer, np.ascontiguousarray(values.transpose(2, 1, 0)))
    array.shape, array.strides = values.shape, (8, 8 * N, 8 * N**2)
    return array


def other_orders(f):
    """Arrays that are read may have any order."""
    stream, probe = Stream(), gmg.Solver((8, 8, 8))
    given = [*coefficients_of(5)][1]
    expected = gmg.Solver(SHAPE, backend="openmp", **given).solve(f).u
    before = copied(probe)
    s = gmg.Solver(SHAPE, coarse="gpu", **each(given, lambda values: turned(stream, values)))
    out = OnGPU(stream.pointer, shape=SHAPE)
    s.solve(turned(stream, f), out=out)
    assert copied(probe)[1] - before[1] <= WALLS + SUMS
    assert np.array_equal(out.numpy(), expected)
    late = turned(stream, np.full(SHAPE, np.nan))
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        s.solve(f=turned(stream, f), out=late)
    assert len(said) == 1 and "out: goes by way of the host" in str(said[0].message)
    late.shape, late.strides = SHAPE[::-1], None
    assert np.array_equal(late.numpy().transpose(2, 1, 0), expected)


def refusals(s, f):
    stream = Stream()
    good, small = OnGPU(stream.pointer, f), OnGPU(stream.pointer, shape=(2, 2, 2))
    single = OnGPU(stream.pointer, f)
    single.typestr = "<f4"
    refused(gmg.ArgumentError, "expected the shape", lambda: s.solve(small, out=good))
    refused(gmg.ArgumentTypeError, "float64", lambda: s.solve(single, out=good))
    refused(gmg.ArgumentTypeError, "float64", lambda: s.solve(ByDLPack(good, 32), out=good))
    refused(gmg.ArgumentError, "all on the GPU", lambda: s.solve(good, out=np.empty(SHAPE)))
    refused(gmg.UnsupportedError, "device_array", lambda: s.solve(good))
    refused(gmg.ArgumentError, "beta: expected the shape", lambda: gmg.Solver(SHAPE, beta=small))
    refused(gmg.ArgumentTypeError, "alpha: ", lambda: gmg.Solver(SHAPE, alpha=single))
    sides = {"x_lo": ("dirichlet", small)}
    refused(gmg.ArgumentTypeError, "memory of the host", lambda: gmg.Solver(SHAPE, boundary=sides))


def main():
    s = gmg.Solver(SHAPE)
    print(s.backend())
    if s.backend().name != "cuda":
        return 77
    driver = open_driver()
    f = np.random.default_rng(2).random(SHAPE)
    expected = s.solve(f)
    cpu = gmg.Solver(SHAPE, backend="openmp")
    assert np.array_equal(cpu.solve(f).u, expected.u)
    solves(s, f, expected, "standing in" in s.backend().device)
    services(s, f, expected)
    coefficients(f, None)
    coefficients(f, ByDLPack)
    moved(f)
    other_orders(f)
    refusals(s, f)
    print("all good")
    return 0


if __name__ == "__main__":
    sys.exit(main())
