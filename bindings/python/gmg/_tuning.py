"""Tuning, and what it found: wisdom."""
from __future__ import annotations

from typing import Any, Callable, NamedTuple, Optional

from . import _grid
from ._errors import ArgumentError, ArgumentTypeError, text
from ._handle import Handle
from ._library import ffi, lib

Progress = Callable[[str, int, int, float], object]


class Tuned(NamedTuple):
    """What tuning did: candidates that were timed, those of them that did not compute the same
    bits, and levels and kernels for which another one than the default was chosen."""

    measured: int
    discarded: int
    better: int


class Tuning(Handle):
    _solver: Any

    def tune(
        self, seconds: float = 60.0, exhaustive: bool = False, progress: Optional[Progress] = None
    ) -> Tuned:
        """Finds the fastest of several ways that give the same bits, on a machine with nothing else
        to do. Solvers of later processes use what was found once save_wisdom() has saved it.
        progress: told a few times a second what is tuned, how many candidates were timed, of how
        many, and the seconds left; what it raises, and Ctrl-C, end tuning. Collective."""
        budget = _grid.number("seconds", seconds)
        if not 0 < budget < float("inf"):
            raise ArgumentError(f"seconds: expected a time above 0; found {budget}")
        if progress is not None and not callable(progress):
            raise ArgumentTypeError(f"progress: expected a function; found {progress!r}")
        faults: list[BaseException] = []
        with self._entry:
            self._ready("tune")
            user = ffi.new_handle((progress, faults, self._solver))
            asked, found = ffi.new("gmg_tuning *"), ffi.new("gmg_tuning_result *")
            asked.budget, asked.exhaustive, asked.user = budget, bool(exhaustive), user
            asked.progress = lib.gmg_python_progress
            status = lib.gmg_solver_tune(self._solver, asked, found)
            if faults:
                raise faults[0]
            self._check(status)
        return Tuned(found.measured, found.discarded, found.better)

    def save_wisdom(self, path: Any = None) -> None:
        """Adds what tune() found to a file, which keeps what else it has. path: default: the user's
        own file, which every solver reads. Collective. Raises ArgumentError."""
        with self._entry:
            self._ready("save_wisdom")
            told = ffi.NULL if path is None else _grid.path_of("path", path)
            self._check(lib.gmg_context_save_wisdom(self._context, told))

    def wisdom(self) -> str:
        """Returns a sentence on what wisdom there is for this machine. Collective."""
        with self._entry:
            self._ready("wisdom")
            return text(lib.gmg_context_wisdom(self._context))


def _told(user: Any, subject: Any, measured: int, of: int, left: float) -> None:
    progress, faults, solver = ffi.from_handle(user)
    if faults:
        return
    try:
        if progress is not None:
            progress(text(subject), measured, of, left)
    except BaseException as fault:  # nothing may pass through the library
        faults.append(fault)
        lib.gmg_solver_stop(solver)


def _interrupted(kind: Any, fault: Any, traceback: Any) -> None:
    """Called for what is raised before _told has begun, such as KeyboardInterrupt."""
    _, faults, solver = ffi.from_handle(traceback.tb_frame.f_locals["user"])
    faults.append(fault)
    lib.gmg_solver_stop(solver)


ffi.def_extern(name="gmg_python_progress", onerror=_interrupted)(_told)
