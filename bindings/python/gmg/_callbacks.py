"""Functions of the user's own that the library calls."""
from __future__ import annotations

import threading
from typing import Any

from ._errors import ArgumentTypeError, text


def in_main_thread() -> bool:
    """Returns whether Python runs its signal handlers in this thread."""
    return threading.get_ident() == threading.main_thread().ident


def reporter(name: str, function: Any, kind: Any, faults: list[BaseException]) -> Any:
    """Returns a function, or for None nobody, in the form of the library: of a kind such as
    lib.gmg_python_monitor. `faults` takes what it raises, which ends the call that it is told of.
    """
    if function is None:
        return kind()
    if not callable(function):
        raise ArgumentTypeError(f"{name}: expected a function; found {function!r}")

    def report(*told: Any) -> int:
        try:
            if not faults:
                function(*[text(word) if isinstance(word, bytes) else word for word in told])
        except BaseException as fault:  # nothing may pass through the library
            faults.append(fault)
        return not faults

    return kind(report)
