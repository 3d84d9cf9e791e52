"""The library, by ctypes: its functions, and the structures that they are given or fill."""
from __future__ import annotations

import ctypes
import os
from types import SimpleNamespace
from typing import Any

from . import _declarations

FILE = "libgmg_python.so"


def _loaded() -> Any:
    """Returns what the headers declare, by its names there. Calls release the GIL."""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), FILE)
    try:
        library = ctypes.CDLL(path)
    except OSError as fault:
        raise ImportError(f"gmg: expected the library {path}: {fault}") from fault
    found = SimpleNamespace(**vars(_declarations))
    for name, (result, arguments) in _declarations.PROTOTYPES.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
        setattr(found, name, function)
    return found


lib = _loaded()
