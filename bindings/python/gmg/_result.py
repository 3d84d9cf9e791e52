"""What a solve gives."""
from __future__ import annotations

from ctypes import string_at
from typing import Any, NamedTuple

import numpy as np

from ._errors import text
from ._library import lib

_STATUSES = [text(lib.gmg_outcome_text(value)) for value in range(lib.GMG_INTERRUPTED + 1)]


class Result(NamedTuple):
    """The solution and how the solve ended. Not converging is a result, not an error."""

    #: The solution on this rank's part, (z, y, x): the `out` of the call, or a new array.
    u: Any
    #: converged, max_cycles, stalled, diverged, not_finite, rounding_limit or interrupted.
    status: str
    #: One sentence that says why the solve ended, and what to change where it did not converge.
    reason: str
    cycles: int
    #: cycles + 1 norms of f - A u, per unit volume. In mixed precision all but the last may be
    #: estimates.
    residuals: np.ndarray[Any, Any]
    #: cycles + 1 times in seconds after the solve began.
    seconds: np.ndarray[Any, Any]
    #: The norm of f with boundary values folded in, and the last residual over it.
    initial_norm: float
    relative_residual: float
    #: Whether the right side was projected and the mean of u is 0; the mean that was taken off f.
    singular: bool
    projected: float
    setup_seconds: float
    solve_seconds: float
    #: Of solve_seconds, on this rank: in kernels, in exchanges, and waiting for others or a GPU.
    kernel_seconds: float
    exchange_seconds: float
    waiting_seconds: float

    @property
    def converged(self) -> bool:
        """Whether u is as exact as was asked, or as double precision holds it."""
        return self.status in ("converged", "rounding_limit")

    def __repr__(self) -> str:
        return (
            f"<gmg.Result {self.status} after {self.cycles} cycles, "
            f"relative residual {self.relative_residual:.2e}, {self.solve_seconds:.3g} s>"
        )


def result_of(found: Any, u: Any) -> Result:
    """Returns the result that the library has filled in, with copies of its histories."""
    count = 8 * (found.cycles + 1)
    histories = [
        np.frombuffer(bytearray(string_at(history, count)))
        for history in (found.residual_history, found.seconds_history)
    ]
    return Result(
        u,
        _STATUSES[found.outcome],
        text(found.reason),
        found.cycles,
        histories[0],
        histories[1],
        found.initial_norm,
        found.relative_residual,
        bool(found.singular),
        found.projected,
        found.setup_seconds,
        found.solve_seconds,
        found.kernel_seconds,
        found.exchange_seconds,
        found.waiting_seconds,
    )
