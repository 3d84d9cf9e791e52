"""Arrays in the memory of a GPU, given to gmg by their interfaces: a script that test_devices.py
runs where the CPU stands in for a GPU, and that runs on a machine with a GPU by itself.

usage: devices.py [CELLS], with gmg on PYTHONPATH. Exit status: 0 good, 77 no GPU.

What must vanish: the difference between the bits from arrays on the GPU and from the host; where
the CPU stands in for the GPU, which works only when somebody waits, the solution must not be there
when the call returns: nothing waited, and nothing came to the host."""
import ctypes
import sys

import numpy as np

import gmg

N = int(sys.argv[1]) if len(sys.argv) > 1 else 16
SHAPE = (N, N, N)
driver = None


def need(result):
    assert result == 0, f"the driver returned {result}"


class Stream:
    def __init__(self):
        self.pointer = ctypes.c_void_p()
        need(driver.cuStreamCreate(ctypes.byref(self.pointer), 1))

    def wait(self):
        need(driver.cuStreamSynchronize(self.pointer))


class OnGPU:
    """An array as CuPy has it: memory of the GPU, and the stream that it is used on."""

    def __init__(self, stream, values=None, shape=SHAPE):
        self.shape, self.stream, self.bytes = shape, stream, 8 * int(np.prod(shape))
        self.address, self.typestr, self.strides = ctypes.c_void_p(), "<f8", None
        need(driver.cuMemAlloc_v2(ctypes.byref(self.address), ctypes.c_size_t(self.bytes)))
        self.fill(values)

    def fill(self, values=None):
        need(driver.cuMemsetD8Async(self.address, 0xFF, ctypes.c_size_t(self.bytes), self.stream))
        if values is not None:
            self.kept = np.ascontiguousarray(values)
            source = ctypes.c_void_p(self.kept.ctypes.data)
            size = ctypes.c_size_t(self.bytes)
            need(driver.cuMemcpyHtoDAsync_v2(self.address, source, size, self.stream))

    def numpy(self):
        found = np.zeros(self.shape)
        target, size = ctypes.c_void_p(found.ctypes.data), ctypes.c_size_t(self.bytes)
        need(driver.cuMemcpyDtoHAsync_v2(target, self.address, size, self.stream))
        need(driver.cuStreamSynchronize(self.stream))
        return found

    @property
    def __cuda_array_interface__(self):
        return {
            "shape": self.shape,
            "strides": self.strides,
            "typestr": self.typestr,
            "data": (self.address.value, False),
            "version": 3,
            "stream": self.stream.value,
        }


class Tensor(ctypes.Structure):
    """DLManagedTensor."""

    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("type", ctypes.c_uint8 * 4),
        ("shape", ctypes.c_void_p),
        ("strides", ctypes.c_void_p),
        ("byte_offset", ctypes.c_uint64),
        ("context", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
    ]


class ByDLPack:
    """An array that has DLPack alone, as PyTorch's have beside the other interface."""

    def __init__(self, array, bits=64):
        self.array, self.streams = array, []
        extents = (ctypes.c_int64 * 3)(*SHAPE)
        kind = (ctypes.c_uint8 * 4)(2, bits, 1, 0)
        self.tensor = Tensor(array.address.value - 8, 2, 0, 3, kind, None, None, 8, None, None)
        self.tensor.shape, self.extents = ctypes.addressof(extents), extents

    def __dlpack_device__(self):
        return 2, 0

    def __dlpack__(self, stream=None):
        self.streams.append(stream)
        make = ctypes.pythonapi.PyCapsule_New
        make.restype = ctypes.py_object
        make.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        return make(ctypes.addressof(self.tensor), b"dltensor", None)


def refused(kind, text, call):
    try:
        call()
    except kind as fault:
        assert text in str(fault), fault
        return
    raise AssertionError(f"was not refused: {text}")


def solves(s, f, expected, stands_in):
    stream = Stream()
    on_gpu, out = OnGPU(stream.pointer, f), OnGPU(stream.pointer)
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
    u, r = OnGPU(stream.pointer, expected.u), OnGPU(stream.pointer)
    on_gpu = OnGPU(stream.pointer, f)
    assert np.array_equal(s.residual(on_gpu, u, out=r).numpy(), s.residual(f, expected.u))
    assert np.array_equal(s.apply(u, out=r).numpy(), s.apply(expected.u))
    assert np.array_equal(s.precondition(u, 2, out=r).numpy(), s.precondition(expected.u, 2))
    own = s.device_array(f)
    assert np.array_equal(own.numpy(), f)
    s.solve(own, out=r)
    assert np.array_equal(r.numpy(), expected.u)


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
    refused(gmg.ArgumentTypeError, "memory of the host", lambda: gmg.Solver(SHAPE, beta=small))


def main():
    global driver
    s = gmg.Solver(SHAPE)
    print(s.backend())
    if s.backend().name != "cuda":
        return 77
    driver = ctypes.CDLL("libcuda.so.1")
    device, context = ctypes.c_int(), ctypes.c_void_p()
    need(driver.cuDeviceGet(ctypes.byref(device), 0))
    need(driver.cuDevicePrimaryCtxRetain(ctypes.byref(context), device))
    need(driver.cuCtxPushCurrent_v2(context))
    f = np.random.default_rng(2).random(SHAPE)
    expected = s.solve(f)
    cpu = gmg.Solver(SHAPE, backend="openmp")
    assert np.array_equal(cpu.solve(f).u, expected.u)
    solves(s, f, expected, "standing in" in s.backend().device)
    services(s, f, expected)
    refusals(s, f)
    print("all good")
    return 0


if __name__ == "__main__":
    sys.exit(main())
