"""Arrays in the memory of a GPU: those of the solver, and empty ones beside those of a caller."""
from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import numpy as np

from ._arrays import Shape, Values, View, host_view
from ._errors import OrderError, UnsupportedError, text
from ._library import lib

if TYPE_CHECKING:
    from ._services import Services


class DeviceArray:
    """A dense array of float64 on the GPU of a solver, which lives no longer than that one.
    cupy.asarray and torch.as_tensor take it without a copy."""

    def __init__(self, solver: "Services", values: Any = None) -> None:
        info = lib.gmg_backend_info()
        solver._check(lib.gmg_solver_backend(solver._solver, info))
        if text(info.backend) != "cuda":
            raise UnsupportedError(f"device_array: the CPU computes: {text(info.why)}")
        self._of = solver  # keeps the solver alive
        self._array = lib.gmg_array()
        self.shape = solver.shape
        solver._check(lib.gmg_solver_array_create(solver._solver, self._array))
        self._copy(
            host_view(Values("values", 0.0 if values is None else values, self.shape, (), ()))
        )

    def _copy(self, view: View) -> None:
        dense = np.ascontiguousarray(np.broadcast_to(view.owner, self.shape))
        source = lib.gmg_array(dense.ctypes.data, self._array.stride)
        self._of._check(lib.gmg_solver_array_copy(self._of._solver, source, self._array))

    def numpy(self) -> np.ndarray[Any, Any]:
        """Returns a copy in the memory of the host."""
        found = np.empty(self.shape)
        target = lib.gmg_array(found.ctypes.data, self._array.stride)
        with self._of._entry:
            self._of._ready("numpy")
            self._of._check(lib.gmg_solver_array_copy(self._of._solver, self._array, target))
        return found

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        """The address and the shape. Nobody needs to wait: the array is complete."""
        if not self._of._finalizer.alive:
            raise OrderError("device_array: its solver was closed, and its memory with it")
        return {
            "shape": self.shape,
            "typestr": "<f8",
            "data": (int(self._array.data), False),
            "strides": None,
            "version": 3,
            "stream": None,
        }

    def __del__(self) -> None:
        of = getattr(self, "_of", None)
        if of is not None and of._finalizer.alive and self._array.data:
            lib.gmg_solver_array_destroy(of._solver, self._array)


def empty_beside(view: View, shape: Shape) -> Any:
    """Returns a new array for results, where the caller's array lies and of its library."""
    if not view.device:
        return np.empty(shape)
    owner = view.owner[0] if isinstance(view.owner, tuple) else view.owner
    module = type(owner).__module__.split(".")[0]
    if module == "cupy":
        return sys.modules["cupy"].empty(shape)
    if module == "torch":
        torch = sys.modules["torch"]
        return torch.empty(shape, dtype=torch.float64, device=owner.device)
    raise UnsupportedError(
        f"out: expected an array on the GPU, since {module} has none that can be filled; "
        "solver.device_array() gives one"
    )
