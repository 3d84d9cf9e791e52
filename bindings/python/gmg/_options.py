"""Options of a solver as keyword arguments."""
from __future__ import annotations

import difflib
import operator
from typing import Any, Iterator, Mapping

from ._grid import encoded
from ._errors import ArgumentTypeError, OptionError, text
from ._handle import Handle
from ._library import lib


def names() -> list[str]:
    """Returns the names of all options, as keyword arguments have them."""

    def each() -> Iterator[str]:
        index = 0
        while lib.gmg_solver_option_name(index):
            yield text(lib.gmg_solver_option_name(index)).replace("-", "_")
            index += 1

    return list(each())


def _as_text(name: str, value: Any) -> str:
    if isinstance(value, bool) or value is None:
        raise ArgumentTypeError(f"{name}: expected a text or a number; found {value!r}")
    if isinstance(value, str):
        return value
    if isinstance(value, (tuple, list)):
        return ",".join(_as_text(name, entry) for entry in value)
    try:
        return str(operator.index(value))
    except TypeError:
        pass
    try:
        return repr(float(value))
    except Exception:
        raise ArgumentTypeError(
            f"{name}: expected a text or a number; found {value!r} of type {type(value).__name__}"
        ) from None


def set_options(handle: Handle, options: Mapping[str, Any]) -> None:
    """Sets options by their Python names; None leaves one as it is."""
    known = names()
    for name, value in options.items():
        if name not in known:
            nearest = difflib.get_close_matches(name, known, 1, 0)[0]
            raise OptionError(
                f"there is no argument or option '{name}'; the nearest option is '{nearest}'; "
                f"expected one of {', '.join(known)}"
            )
        if value is None:
            continue
        told = encoded(name, _as_text(name, value))
        key = name.replace("_", "-").encode()
        handle._check(lib.gmg_solver_set_option(handle._solver, key, told))
