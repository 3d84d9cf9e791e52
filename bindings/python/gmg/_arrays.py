"""Arrays of callers as the library sees them: an address, and a stride per axis."""
from __future__ import annotations

import math
import sys
import warnings
from typing import Any, NamedTuple, Optional, Tuple

import numpy as np

from ._errors import ArgumentError, ArgumentTypeError, ConversionWarning

Shape = Tuple[int, ...]
FLOAT64 = np.dtype(np.float64)
AXES = ("x", "y", "z")


class Values(NamedTuple):
    """What a caller gives for a coefficient, and which shapes it may have: that of this rank's
    part, or the entire one, of which this rank takes a part."""

    name: str
    value: Any
    shape: Shape
    entire: Shape
    part: Any


class View(NamedTuple):
    """An array in the form of the library. `owner` keeps its memory alive."""

    address: int
    strides: Shape  # of values, not bytes, by the axes of the array
    owner: Any
    stream: Optional[int] = None  # of arrays on a GPU: the stream that they are used on
    device: bool = False


def described(shape: Shape) -> str:
    """Returns a shape with the names of its axes: "(4, 8, 16), that is (z, y, x)"."""
    return f"{shape}, that is ({', '.join(reversed(AXES[: len(shape)]))})"


def _wrong_shape(name: str, expected: Shape, found: Shape) -> ArgumentError:
    return ArgumentError(f"{name}: expected the shape {described(expected)}; found {found}")


def _strides(name: str, strides: Shape) -> Shape:
    if any(step % 8 for step in strides):
        raise ArgumentError(f"{name}: expected strides of whole values; found {strides} bytes")
    return tuple(step // 8 for step in strides)


def is_device_array(value: Any) -> bool:
    """Returns whether a value is an array in the memory of a GPU."""
    if isinstance(value, np.ndarray):
        return False
    try:
        return hasattr(value, "__cuda_array_interface__") or _dlpack_on_gpu(value)
    except Exception:  # an array that refuses, such as one of PyTorch that requires a gradient
        return True


def _dlpack_on_gpu(value: Any) -> bool:
    where = getattr(value, "__dlpack_device__", None)
    return where is not None and int(where()[0]) in (2, 13)  # kDLCUDA, kDLCUDAManaged


def _stream_of(value: Any, interface: dict[str, Any]) -> Optional[int]:
    """Returns the stream on which the producer of an array works: 1 is CUDA's default stream; None
    says that the array is complete."""
    stream = interface.get("stream")
    torch = sys.modules.get("torch")
    if stream is None and torch is not None and isinstance(value, torch.Tensor):
        stream = torch.cuda.current_stream(value.device).cuda_stream or 1
    return None if stream is None else int(stream)


def device_view(values: Values, written: bool, own: int) -> View:
    """Returns the view of an array on a GPU, which is never copied. own: the stream on which
    producers by DLPack are to have their arrays ready."""
    name, value, shape, entire, part = values
    try:
        if hasattr(value, "__cuda_array_interface__"):
            interface = dict(value.__cuda_array_interface__)
            stream = _stream_of(value, interface)
        else:
            from ._dlpack import interface_of

            interface, value = interface_of(name, value, own)
            stream = own
        found = tuple(int(extent) for extent in interface["shape"])
        address, readonly = interface["data"]
        strides = interface.get("strides")
        steps = _dense(found) if strides is None else tuple(int(step) for step in strides)
        told = str(interface["typestr"])
    except ArgumentError:
        raise
    except Exception as fault:
        raise ArgumentTypeError(
            f"{name}: expected an array on a GPU with a complete interface: {fault!r}"
        ) from fault
    if found != shape and (written or found != entire):
        raise _wrong_shape(name, shape, found)
    if found != shape:
        address += sum(cut.start * step for cut, step in zip(part, steps))
    if told not in ("<f8", "=f8"):
        raise ArgumentTypeError(
            f"{name}: expected float64 on a GPU, where nothing is converted; found {told}"
        )
    if written and readonly:
        raise ArgumentError(f"{name}: expected an array that can be written; it is read-only")
    view = View(int(address), _strides(name, steps), value, stream, True)
    if written and shape[-1] > 1 and view.strides[-1] != 1:
        warnings.warn(
            f"{name}: goes by way of the host, {8 * math.prod(shape)} bytes, since its values "
            f"along x are {view.strides[-1]} apart; expected an array on the GPU in C order",
            ConversionWarning,
            stacklevel=_levels_to_caller(),
        )
    return view


def _dense(shape: Shape) -> Shape:
    steps, step = [], 8
    for extent in reversed(shape):
        steps.append(step)
        step *= extent
    return tuple(reversed(steps))


def _to_numpy(name: str, value: Any) -> np.ndarray[Any, Any]:
    if hasattr(value, "__dlpack__") and hasattr(value, "__dlpack_device__"):
        try:
            return np.from_dlpack(value)
        except Exception:
            pass  # some producers refuse read-only or gradient-tracking arrays: asked below
    try:
        return np.asarray(value)
    except Exception as fault:
        raise ArgumentTypeError(
            f"{name}: expected an array of numbers; found {type(value).__name__} ({fault})"
        ) from fault


def _converted(name: str, array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    if array.dtype.kind not in "fiub":
        raise ArgumentTypeError(f"{name}: expected real numbers; found {array.dtype}")
    reason = f"{array.dtype} is no float64 of this machine"
    if array.dtype == FLOAT64:
        reason = "its values are not aligned to 8 bytes"
    if array.ndim:  # a number is no copy worth a word
        warnings.warn(
            f"{name}: converted to float64, a copy of {8 * array.size} bytes: {reason}",
            ConversionWarning,
            stacklevel=_levels_to_caller(),
        )
    return array.astype(np.float64, order="C")


def _levels_to_caller() -> int:
    """Returns how many calls lie between a warning and the caller of this package."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__package__") == __package__:
        level, frame = level + 1, frame.f_back
    return level


def _usable(array: np.ndarray[Any, Any]) -> bool:
    if array.dtype != FLOAT64 or not array.flags.aligned:
        return False
    return all([step % 8 == 0 for step in array.strides])


def whole(name: str, value: Any) -> np.ndarray[Any, Any]:
    """Returns a value as an array of float64: itself where it is one, else a converted copy."""
    if is_device_array(value):
        raise ArgumentTypeError(
            f"{name}: expected an array in the memory of the host; found one on a GPU, or one that "
            f"refuses to be read, of type {type(value).__name__}"
        )
    array = value if isinstance(value, np.ndarray) else _to_numpy(name, value)
    return array if _usable(array) else _converted(name, array)


def host_view(values: Values) -> View:
    """Returns the view of an array that is read. Not copied: float64 with any strides. A number
    stands for an array of it."""
    name, value, shape, entire, part = values
    array = whole(name, value)
    if array.ndim == 0:
        return View(array.ctypes.data, (0,) * len(shape), array)
    if array.shape != shape:
        if array.shape != entire:
            raise _wrong_shape(name, shape, array.shape)
        array = array[part]
    steps = array.strides
    address = array.__array_interface__["data"][0]
    return View(address, tuple([step // 8 for step in steps]), array)


def output_view(name: str, value: Any, shape: Shape) -> View:
    """Returns the view of an array that is written, which must be float64, of the right shape."""
    if not isinstance(value, np.ndarray):
        raise ArgumentTypeError(
            f"{name}: expected a numpy array, or one on a GPU; found {type(value).__name__}"
        )
    if value.dtype != FLOAT64:
        raise ArgumentTypeError(f"{name}: expected float64; found {value.dtype}")
    if value.shape != shape:
        raise _wrong_shape(name, shape, value.shape)
    if not value.flags.writeable:
        raise ArgumentError(f"{name}: expected an array that can be written; it is read-only")
    address = value.__array_interface__["data"][0]
    if address % 8:
        raise ArgumentError(f"{name}: expected values aligned to 8 bytes; found {address:#x}")
    return View(address, _strides(name, value.strides), value)


def fill(target: Any, view: View) -> Any:
    """Fills a gmg_array from a view of one to three axes, and returns it."""
    target.data = view.address
    target.stride[:] = (*view.strides[::-1], 0, 0)[:3]
    return target
