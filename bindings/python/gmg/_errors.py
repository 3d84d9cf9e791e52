"""Exceptions. Each carries a sentence: what was wrong, where, and what would be right."""
from __future__ import annotations

from typing import Optional

from ._library import lib


class Error(Exception):
    """The base of all exceptions of this package. `status` is the name of the library's status."""

    status = "GMG_ERR_ARGUMENT"


class ArgumentError(Error, ValueError):
    """An argument was rejected; the solver is as before."""


class ArgumentTypeError(ArgumentError, TypeError):
    """An argument is of a type that cannot be used; the solver is as before."""


class OptionError(Error, ValueError):
    """An option is unknown, or its value is; the solver is as before."""

    status = "GMG_ERR_OPTION"


class CoefficientError(Error, ValueError):
    """A coefficient has a value that is not allowed; the sentence says which and where."""

    status = "GMG_ERR_COEFFICIENT"


class OrderError(Error, RuntimeError):
    """The call came before one that it needs, or while another one runs."""

    status = "GMG_ERR_ORDER"


class UnsupportedError(Error, NotImplementedError):
    """This build or this machine cannot do what was asked."""

    status = "GMG_ERR_UNSUPPORTED"


class OutOfMemoryError(Error, MemoryError):
    """Memory that a setup needs cannot be had; the solver is unusable if it was set up before."""

    status = "GMG_ERR_MEMORY"


class CommunicationError(Error, RuntimeError):
    """A call of MPI failed on some rank; all objects of the communicator are unusable."""

    status = "GMG_ERR_MPI"


class InternalError(Error, RuntimeError):
    """An internal check of the library failed; the solver is unusable."""

    status = "GMG_ERR_INTERNAL"


class DeviceError(Error, RuntimeError):
    """A call of the GPU's driver failed; the solver is unusable."""

    status = "GMG_ERR_DEVICE"


class ConversionWarning(UserWarning):
    """An array was copied because its type or layout is not one that the library can use."""


_classes: dict[int, type[Error]] = {
    getattr(lib, kind.status): kind
    for kind in (
        ArgumentError,
        OptionError,
        CoefficientError,
        OrderError,
        UnsupportedError,
        OutOfMemoryError,
        CommunicationError,
        InternalError,
        DeviceError,
    )
}


def text(found: Optional[bytes]) -> str:
    """Returns a text of the library; where it gave none, the empty text."""
    return found.decode(errors="replace") if found else ""


def failure(status: int, sentence: str) -> Error:
    """Returns the exception for a status of the library."""
    kind = _classes.get(status, InternalError)
    return kind(sentence or text(lib.gmg_status_text(status)))
