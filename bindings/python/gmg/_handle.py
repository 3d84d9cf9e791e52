"""The objects of the library that a Solver owns, and how its calls are made."""
from __future__ import annotations

import threading
import weakref
from ctypes import byref, c_void_p
from typing import Any, Optional

from ._arrays import Shape, View, device_view, host_view, is_device_array, output_view
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

    def _read(self, name: str, value: Any) -> View:
        """Returns the view of an array on cells that a call reads."""
        if is_device_array(value):
            return device_view(name, value, self._shape, False, self._stream or 1)
        return host_view(name, value, self._shape, self._entire, self._slices)

    def _write(self, name: str, value: Any, shape: Shape) -> View:
        """Returns the view of an array that a call fills."""
        if is_device_array(value):
            return device_view(name, value, shape, True, self._stream or 1)
        return output_view(name, value, shape)

    def _follow(self, *views: View) -> None:
        """Lets the library work on the stream of arrays on a GPU."""
        on_gpu = {view.device for view in views}
        if len(on_gpu) > 1:
            raise ArgumentError(
                "expected all arrays of a call in the memory of the host, or all on the GPU; "
                "found some of both"
            )
        if True not in on_gpu:
            return
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
