"""What a solver tells of itself: levels, kernels, what computes, options in force."""
from __future__ import annotations

from typing import Any, NamedTuple, Optional

from ._errors import text
from ._handle import Handle
from ._library import lib
from ._options import names


class Kernel(NamedTuple):
    """One kernel of a level. Seconds, calls, bytes and operations are this rank's, since setup."""

    name: str
    variant: str
    backend: str
    bits: int
    seconds: float
    calls: int
    #: Bytes that it must move, and that it was counted to move.
    bytes: float
    moved: float
    flops: float
    #: Calls that ran in one sweep over memory with other kernels.
    fused: int
    choice: Optional[str]


class Level(NamedTuple):
    """One level, the finest first."""

    cells: tuple[int, int, int]
    boxes: int
    ranks: int
    backend: str
    #: Why its kernels run one by one; None: several run in one sweep.
    unfused_reason: Optional[str]
    choice: Optional[str]
    kernels: tuple[Kernel, ...]


class Table(tuple[Level, ...]):
    """The levels of a solver; its text is a table of their kernels."""

    def __str__(self) -> str:
        form = "{:>5} {:>14} {:<34} {:>5} {:>8} {:>10} {:>8}"
        lines = [form.format("level", "cells", "kernel", "bits", "calls", "seconds", "GB/s")]
        for number, level in enumerate(self):
            cells = " x ".join(map(str, level.cells))
            for kernel in level.kernels:
                if kernel.calls:
                    speed = kernel.moved / kernel.seconds / 1e9 if kernel.seconds else 0.0
                    row = kernel.bits, kernel.calls, f"{kernel.seconds:.6f}", f"{speed:.1f}"
                    lines.append(form.format(number, cells, kernel.name[:34], *row))
        return "\n".join(lines)


class Backend(NamedTuple):
    """What computes: "openmp" or "cuda", on which GPU, and why on none."""

    name: str
    device: Optional[str]
    why: str
    exchanges: str
    compiled: int
    cached: int
    #: Bytes that this process has copied to GPUs, and back to the host, for all its solvers.
    copied: tuple[int, int]


def _or_none(pointer: Any) -> Optional[str]:
    return text(pointer) if pointer else None


def _kernel(found: Any) -> Kernel:
    return Kernel(
        text(found.name),
        text(found.variant),
        text(found.backend),
        found.bits,
        found.seconds,
        found.calls,
        found.bytes,
        found.moved,
        found.flops,
        found.fused,
        _or_none(found.choice),
    )


class Reports(Handle):
    def levels(self) -> Table:
        """Returns the levels with their kernels; print() shows them as a table."""
        with self._entry:
            self._ready("levels")
            return Table(self._level(n) for n in range(lib.gmg_solver_levels(self._solver)))

    def _level(self, number: int) -> Level:
        found = lib.gmg_level_info()
        self._check(lib.gmg_solver_level_info(self._solver, number, found))
        kernels = []
        for index in range(lib.gmg_solver_kernels(self._solver, number)):
            kernel = lib.gmg_kernel_info()
            self._check(lib.gmg_solver_kernel_info(self._solver, number, index, kernel))
            kernels.append(_kernel(kernel))
        x, y, z = found.cells
        return Level(
            (x, y, z),
            found.boxes,
            found.ranks,
            text(found.backend),
            _or_none(found.unfused_reason),
            _or_none(found.choice),
            tuple(kernels),
        )

    def backend(self) -> Backend:
        """Returns what computes."""
        found = lib.gmg_backend_info()
        with self._entry:
            self._ready("backend")
            self._check(lib.gmg_solver_backend(self._solver, found))
            return Backend(
                text(found.backend),
                _or_none(found.device),
                text(found.why),
                text(found.exchanges),
                found.compiled,
                found.cached,
                (found.copied[0], found.copied[1]),
            )

    def fallbacks(self) -> list[str]:
        """Returns a sentence on each thing that did not run as asked, or slower than it could."""
        sentences: list[str] = []
        with self._entry:
            self._ready("fallbacks")
            while lib.gmg_solver_fallback(self._solver, len(sentences)):
                sentences.append(text(lib.gmg_solver_fallback(self._solver, len(sentences))))
        return sentences

    def options(self) -> dict[str, str]:
        """Returns all options in force, with what "auto" chose."""
        with self._entry:
            self._ready("options")
            keys = {name: name.replace("_", "-").encode() for name in names()}
            return {
                name: text(lib.gmg_solver_option(self._solver, key)) for name, key in keys.items()
            }

    @property
    def rank(self) -> int:
        """This rank's number in the communicator."""
        with self._entry:
            self._ready("rank")
            return int(lib.gmg_context_rank(self._context))
