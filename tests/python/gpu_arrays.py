"""Arrays in the memory of a GPU as other packages make them, by the CUDA driver alone."""
import ctypes

import numpy as np

driver = None


def need(result):
    assert result == 0, f"the driver returned {result}"


def open_driver():
    """Opens the driver, and makes the context that the library works in the thread's."""
    global driver
    driver = ctypes.CDLL("libcuda.so.1")
    device, context = ctypes.c_int(), ctypes.c_void_p()
    need(driver.cuDeviceGet(ctypes.byref(device), 0))
    need(driver.cuDevicePrimaryCtxRetain(ctypes.byref(context), device))
    need(driver.cuCtxPushCurrent_v2(context))
    return driver


class Stream:
    def __init__(self):
        self.pointer = ctypes.c_void_p()
        need(driver.cuStreamCreate(ctypes.byref(self.pointer), 1))

    def wait(self):
        need(driver.cuStreamSynchronize(self.pointer))


class OnGPU:
    """An array as CuPy has it: memory of the GPU, and the stream that it is used on."""

    def __init__(self, stream, values=None, shape=None):
        self.shape = tuple(shape or np.shape(values))
        self.stream, self.bytes = stream, 8 * int(np.prod(self.shape))
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

    def copy(self, source):
        size = ctypes.c_size_t(self.bytes)
        need(driver.cuMemcpyDtoDAsync_v2(self.address, source.address, size, self.stream))

    def give(self):
        """Returns the memory, which is then the caller's."""
        given, self.address = self.address, None
        return given

    def __del__(self):
        if self.address:
            need(driver.cuMemFree_v2(self.address))

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
        extents = (ctypes.c_int64 * len(array.shape))(*array.shape)
        kind = (ctypes.c_uint8 * 4)(2, bits, 1, 0)
        self.tensor = Tensor(array.address.value - 8, 2, 0, len(array.shape), kind)
        self.tensor.byte_offset = 8
        self.tensor.shape, self.extents = ctypes.addressof(extents), extents

    def __dlpack_device__(self):
        return 2, 0

    def __dlpack__(self, stream=None):
        self.streams.append(stream)
        make = ctypes.pythonapi.PyCapsule_New
        make.restype = ctypes.py_object
        make.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        return make(ctypes.addressof(self.tensor), b"dltensor", None)
