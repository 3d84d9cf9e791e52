"""The objects of the library that a Solver owns, and how its calls are made."""
from __future__ import annotations

import threading
import weakref
from ctypes import addressof, byref, c_int, c_void_p
from typing import Any, Optional, Sequence

from ._arrays import Shape, Values, View, device_view, fill, host_view, is_device_array, output_view
from ._errors import ArgumentError, ArgumentTypeError, OrderError, UnsupportedError, failure, text
from ._library import lib


def _destroy(context: Any, grid: Any, solver: Any, kept: dict[Any, Any], ranks: int) -> None:
    """Destroys what the library holds. `kept` has the arrays that it borrowed until then."""
    if ranks == 1 or not lib.gmg_python_mpi_finalized():
        lib.gmg_solver_destroy(byref(solver))
        lib.gmg_grid_destroy(byref(grid))
        lib.gmg_context_destroy(byref(context))
    kept.clear()


class Entry:
    """One call at a time: others wait; a call from within a call is refused."""

    def __init__(self) -> None:
        self.lock, self.owner = threading.Lock(), 0

    def __enter__(self) -> None:
        me = threading.get_ident()
        if self.owner == me:
            raise OrderError("a call of this solver came from within another call of it")
        self.lock.acquire()
        self.owner = me

    def __exit__(self, *fault: Any) -> None:
        self.owner = 0
        self.lock.release()


class Handle:
    """What Solver is made of: context, grid and solver of the library, and the shape of arrays."""

    def __init__(self, comm: Any, threads: int) -> None:
        self._context, self._grid, self._solver = c_void_p(), c_void_p(), c_void_p()
        self._kept: dict[Any, Any] = {}
        self._there: dict[int, tuple[Values, View]] = {}  # coefficients on a GPU
        self._entry = Entry()
        self._array = {name: lib.gmg_array() for name in ("f", "u", "r", "x", "y", "z")}
        self._cells: tuple[int, ...] = ()
        self._shape: Shape = ()
        self._entire: Shape = ()
        self._slices: tuple[slice, ...] = ()
        self._stream: Optional[int] = None
        self._stream_set = 0
        self._is_set_up = False
        self._comm = comm
        status = lib.gmg_python_context_create(_address(comm), threads, byref(self._context))
        if status:
            raise failure(status, _without_context(status))
        self._ranks = int(lib.gmg_context_ranks(self._context))
        objects = (self._context, self._grid, self._solver)
        self._finalizer = weakref.finalize(self, _destroy, *objects, self._kept, self._ranks)

    def _check(self, status: int) -> None:
        if status:
            raise failure(status, text(lib.gmg_context_message(self._context)))

    def _ready(self, call: str) -> None:
        if not self._finalizer.alive:
            raise OrderError(f"{call}: the solver was closed")
        if not self._is_set_up:
            raise OrderError(f"{call}: call setup() first")

    def close(self) -> None:
        """Frees the memory of the library. With a communicator this is collective: all ranks call
        it, or let go of the solver, in the same order."""
        with self._entry:
            self._finalizer()
            self._there.clear()

    def _read(self, name: str, value: Any) -> View:
        """Returns the view of an array on cells that a call reads."""
        return self._view(Values(name, value, self._shape, self._entire, self._slices))

    def _view(self, values: Values) -> View:
        if is_device_array(values.value):
            return device_view(values, False, self._stream or 1)
        return host_view(values)

    def _write(self, name: str, value: Any, shape: Shape) -> View:
        """Returns the view of an array that a call fills."""
        if is_device_array(value):
            return device_view(Values(name, value, shape, shape, ()), True, self._stream or 1)
        return output_view(name, value, shape)

    def _follow(self, *views: View) -> None:
        """Lets the library work on the stream of the arrays of a call that are on a GPU. A number
        may lie anywhere."""
        there = [view for view in views if view.device]
        if not there:
            return
        if any(not view.device and any(view.strides) for view in views):
            raise ArgumentError(
                "expected all arrays of a call in the memory of the host, or all on the GPU; "
                "found some of both"
            )
        info = lib.gmg_backend_info()
        self._check(lib.gmg_solver_backend(self._solver, info))
        if text(info.backend) != "cuda":
            raise UnsupportedError(
                "expected arrays in the memory of the host, since the CPU computes "
                f"({text(info.why) or 'backend: openmp'}); found some on a GPU"
            )
        self._use_stream(there)

    def _use_stream(self, views: Sequence[View]) -> None:
        """Lets the library work on the one stream that arrays on the GPU name."""
        named = {view.stream for view in views if view.stream is not None}
        if self._stream is None and len(named) > 1:
            raise ArgumentError(
                f"expected arrays that are used on one stream; found {len(named)} streams; the "
                "argument stream of Solver says which one to use"
            )
        stream = self._stream if self._stream is not None else next(iter(named), 0)
        if stream != self._stream_set:
            self._check(lib.gmg_solver_set_stream(self._solver, stream))
            self._stream_set = stream

    def _await_gpu(self, values: Values, view: View) -> None:
        """Before the library looks at a coefficient on a GPU: opens the GPU, and follows the stream
        of the array."""
        if not view.device:
            return
        found = c_int()
        device = lib.gmg_context_device(self._context, addressof(found))
        if not found.value:
            raise UnsupportedError(
                f"{values.name}: expected an array in the memory of the host, since there is no "
                f"GPU to compute on ({text(device)}); found one on a GPU"
            )
        self._use_stream([view])

    def _lend(self, which: int, values: Values) -> None:
        """Lends the library a coefficient until another one is lent in its place."""
        view = self._view(values)
        self._await_gpu(values, view)
        self._hand_over(which, view)
        self._there.pop(which, None)
        if view.device:
            self._there[which] = values, view

    def _hand_over(self, which: int, view: View) -> None:
        array = fill(lib.gmg_array(), view)
        self._check(lib.gmg_solver_borrow_coefficient(self._solver, which, array))
        self._kept[which] = array, view.owner

    def _follow_coefficients(self) -> None:
        """Before the library reads the coefficients that it borrowed: follows the stream on which
        those on a GPU are used by now, and takes them from where they lie by now."""
        views = []
        for which, (values, before) in self._there.items():
            view = self._view(values)
            views.append(view)
            if (view.address, view.strides) != (before.address, before.strides):
                self._hand_over(which, view)
            self._there[which] = values, view
        if views:
            self._use_stream(views)


def _address(comm: Any) -> int:
    """Returns the address of the MPI_Comm of a communicator of mpi4py; 0 for None."""
    if comm is None:
        return 0
    try:
        from mpi4py import MPI
    except ImportError as fault:
        raise ArgumentTypeError(f"comm: expected a communicator of mpi4py: {fault}") from fault
    if not isinstance(comm, MPI.Comm):
        raise ArgumentTypeError(
            f"comm: expected a communicator of mpi4py; found {type(comm).__name__}"
        )
    if comm == MPI.COMM_NULL:
        raise ArgumentError("comm: expected a communicator; found MPI.COMM_NULL")
    if lib.gmg_python_with_mpi():
        ours, theirs = text(lib.gmg_python_mpi_library()), str(MPI.Get_library_version())
        if ours.strip("\0 \n") != theirs.strip("\0 \n"):
            raise UnsupportedError(
                f"comm: expected a communicator of the MPI that gmg was built with, {ours}; found "
                f"mpi4py with {theirs}"
            )
    return int(MPI._addressof(comm))


def _without_context(status: int) -> str:
    if status == lib.GMG_ERR_UNSUPPORTED:
        return "comm: this build of gmg is without MPI; expected None"
    return f"comm or threads: {text(lib.gmg_status_text(status))}"
