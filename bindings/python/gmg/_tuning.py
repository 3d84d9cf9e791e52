"""Tuning, and what it found: wisdom."""
from __future__ import annotations

from typing import Any, Callable, NamedTuple, Optional

from . import _grid
from ._callbacks import in_main_thread, reporter
from ._errors import ArgumentError, text
from ._handle import Handle
from ._library import lib

Progress = Callable[[str, int, int, float], object]


class Tuned(NamedTuple):
    """What tuning did: candidates that were timed, those of them that did not compute the same
    bits, and levels and kernels for which another one than the default was chosen."""

    measured: int
    discarded: int
    better: int


class Tuning(Handle):
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
        with self._entry:
            self._ready("tune")
            found, main = lib.gmg_tuning_result(), in_main_thread()
            with reporter("progress", progress, lib.gmg_python_progress) as told:
                asked = budget, bool(exhaustive), told, found, main
                status = lib.gmg_python_tune(self._solver, *asked)
            self._check(status)
        return Tuned(found.measured, found.discarded, found.better)

    def save_wisdom(self, path: Any = None) -> None:
        """Adds what tune() found to a file, which keeps what else it has. path: default: the user's
        own file, which every solver reads. Collective. Raises ArgumentError."""
        with self._entry:
            self._ready("save_wisdom")
            told = None if path is None else _grid.path_of("path", path)
            self._check(lib.gmg_context_save_wisdom(self._context, told))

    def wisdom(self) -> str:
        """Returns a sentence on what wisdom there is for this machine. Collective."""
        with self._entry:
            self._ready("wisdom")
            return text(lib.gmg_context_wisdom(self._context))
