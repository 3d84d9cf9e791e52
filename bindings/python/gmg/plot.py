"""Pictures; they need matplotlib. Each function returns what it has drawn on, and shows nothing."""
from __future__ import annotations

import importlib
import json
import os
from typing import Any, Mapping, Union

import numpy as np

from ._errors import ArgumentError, UnsupportedError
from ._result import Result

_AXES = "x", "y", "z"


def _pyplot() -> Any:
    try:
        from matplotlib import pyplot
    except ImportError as fault:
        raise UnsupportedError(f"gmg.plot needs matplotlib: {fault}") from fault
    return pyplot


def convergence(result: Result, axes: Any = None) -> Any:
    """Draws the norm of the residual after each cycle over that of the right side, and returns
    matplotlib's axes. axes: those to draw on; default: new ones."""
    if not isinstance(result, Result):
        raise ArgumentError(f"result: expected a gmg.Result; found {type(result).__name__}")
    axes = axes or _pyplot().subplots(figsize=(6, 4))[1]
    scale = result.initial_norm or 1.0
    axes.semilogy(np.arange(result.cycles + 1), result.residuals / scale, "o-")
    axes.set_xlabel("cycle")
    axes.set_ylabel("residual over that of the right side")
    axes.set_title(f"{result.status} after {result.cycles} cycles, {result.solve_seconds:.3g} s")
    axes.grid(True, color="#e6e6e6")
    return axes


def slice(
    u: Any, axis: str = "z", index: Union[int, None] = None, axes: Any = None, **style: Any
) -> Any:
    """Draws the cells of u, (z, y, x), at an index along an axis, by default the middle one, and
    returns matplotlib's axes. An array (y, x) is drawn as it is. style: arguments of imshow."""
    values = np.asarray(u)
    if values.ndim not in (2, 3):
        raise ArgumentError(f"u: expected an array of 2 or 3 axes; found {values.ndim}")
    names = ["y", "x"]
    if values.ndim == 3:
        if axis not in _AXES:
            raise ArgumentError(f"axis: expected 'x', 'y' or 'z'; found {axis!r}")
        across = 2 - _AXES.index(axis)
        extent = values.shape[across]
        at = extent // 2 if index is None else int(index)
        if not 0 <= at < extent:
            raise ArgumentError(f"index: expected a cell from 0 to {extent - 1}; found {at}")
        values = values.take(at, across)
        names = [name for name in ("z", "y", "x") if name != axis]
    axes = axes or _pyplot().subplots(figsize=(6, 5))[1]
    image = axes.imshow(values, **{"origin": "lower", "aspect": "equal", **style})
    axes.figure.colorbar(image, ax=axes)
    axes.set_xlabel(f"cell in {names[1]}")
    axes.set_ylabel(f"cell in {names[0]}")
    return axes


def roofline(bench: Union[str, "os.PathLike[str]", Mapping[str, Any]]) -> Any:
    """Draws the kernels of a solve under the roofs of the machine, and returns matplotlib's
    figure. bench: the file that `gmg bench --output FILE.json` wrote, or what it holds."""
    drawing = importlib.import_module(f"{__package__}._bench_plot")
    try:
        if not isinstance(bench, Mapping):
            with open(bench, encoding="utf-8") as stream:
                bench = json.load(stream)
        if not isinstance(bench, Mapping) or bench.get("format") != "gmg-bench":
            raise ArgumentError("bench: expected what gmg bench --output writes")
        return drawing.roofline_of(bench, _pyplot())
    except (OSError, ValueError, TypeError, KeyError, SystemExit) as fault:
        if isinstance(fault, ArgumentError):
            raise
        raise ArgumentError(f"bench: expected what gmg bench --output writes: {fault}") from fault
