"""Arrays on a GPU by DLPack, for producers that have no __cuda_array_interface__."""
from __future__ import annotations

import ctypes
from typing import Any

from ._errors import ArgumentTypeError


class _Tensor(ctypes.Structure):
    """DLManagedTensor: the device and type fields as DLPack orders them."""

    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_pointer.restype = ctypes.c_void_p
_pointer.argtypes = [ctypes.py_object, ctypes.c_char_p]


def interface_of(name: str, value: Any, stream: int) -> tuple[dict[str, Any], Any]:
    """Returns what __cuda_array_interface__ would say of an array, and what keeps it alive. The
    producer makes the array ready on the stream. The capsule is not renamed: its destructor
    gives the tensor back when it is let go."""
    capsule = value.__dlpack__(stream=stream)
    address = _pointer(capsule, b"dltensor")
    tensor = _Tensor.from_address(address)
    if (tensor.code, tensor.lanes) != (2, 1):
        raise ArgumentTypeError(f"{name}: expected real numbers, as float64; found another type")
    shape = tuple(tensor.shape[axis] for axis in range(tensor.ndim))
    strides = None
    if tensor.strides:
        strides = tuple(8 * tensor.strides[axis] for axis in range(tensor.ndim))
    interface = {
        "shape": shape,
        "strides": strides,
        "typestr": f"<f{tensor.bits // 8}",
        "data": ((tensor.data or 0) + tensor.byte_offset, False),
        "stream": stream,
    }
    return interface, (value, capsule)
