"""Functions of the user's own that the library calls."""
from __future__ import annotations

import signal
import threading
from contextlib import contextmanager
from typing import Any, Callable, Iterator

from ._errors import ArgumentTypeError, text


def in_main_thread() -> bool:
    """Returns whether Python runs its signal handlers in this thread."""
    return threading.get_ident() == threading.main_thread().ident


@contextmanager
def reporter(name: str, function: Any, kind: Any) -> Iterator[Any]:
    """Gives a function, or for None nobody, in the form of the library: of a kind such as
    lib.gmg_python_monitor. What it raises ends the call that it is told of, and is raised when
    the block ends.
    """
    if function is None:
        yield kind()
        return
    if not callable(function):
        raise ArgumentTypeError(f"{name}: expected a function; found {function!r}")
    faults: list[BaseException] = []
    late: list[Any] = []
    inside = False

    def call(*told: Any) -> None:
        nonlocal inside
        try:
            inside = True
            function(*[text(word) if isinstance(word, bytes) else word for word in told])
        finally:
            inside = False

    def report(*told: Any) -> int:
        try:
            if not faults and not late:
                call(*told)
        except BaseException as fault:  # nothing may pass through the library
            faults.append(fault)
        return not faults and not late

    with _interrupts(lambda: inside, late):
        yield kind(report)
    if faults:
        raise faults[0]


@contextmanager
def _interrupts(may_raise: Callable[[], bool], late: list[Any]) -> Iterator[None]:
    """SIGINT, whose handler may raise between any two lines of Python, is handled where may_raise()
    says so, and else when the block ends: until then it is in `late`."""
    handler: Any = signal.getsignal(signal.SIGINT) if in_main_thread() else None
    if not callable(handler):
        yield
        return

    def interrupted(number: int, frame: Any) -> None:
        if may_raise():
            handler(number, frame)
        else:
            late.append((number, frame))

    signal.signal(signal.SIGINT, interrupted)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
    if late:
        handler(*late[0])
