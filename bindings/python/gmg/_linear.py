"""Operators of SciPy."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable

import numpy as np

from ._errors import UnsupportedError

if TYPE_CHECKING:
    from ._services import Services


def operator_of(solver: "Services", function: Callable[[Any], Any]) -> Any:
    """Returns a function on arrays of a solver as an operator on vectors, x fastest."""
    try:
        from scipy.sparse.linalg import LinearOperator
    except ImportError as fault:
        raise UnsupportedError(f"operators on vectors need SciPy: {fault}") from fault
    if solver._ranks > 1:
        raise UnsupportedError("operators on vectors are for solvers on one rank; use apply()")
    count = int(np.prod(solver.shape))

    def on_vector(x: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        return np.asarray(function(x.reshape(solver.shape))).reshape(-1)

    return LinearOperator((count, count), matvec=on_vector, dtype=np.dtype(float))
