"""The grid and its boundary, from the arguments of Solver."""
from __future__ import annotations

import difflib
import math
import numbers
import os
import operator
from typing import Any, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from ._arrays import AXES, Shape, Values, whole
from ._errors import ArgumentError, ArgumentTypeError, OutOfMemoryError
from ._library import lib

MOST_CELLS = 2**36
SIDES = ("x_lo", "x_hi", "y_lo", "y_hi", "z_lo", "z_hi")
KINDS = {
    "dirichlet": lib.GMG_DIRICHLET,
    "neumann": lib.GMG_NEUMANN,
    "robin": lib.GMG_ROBIN,
    "periodic": lib.GMG_PERIODIC,
}
Face = Union[str, Tuple[Any, ...]]


class Side:
    """What holds at one side: a kind, Robin's c0 and c1, and a value or one per face."""

    def __init__(self, kind: str, c0: float, c1: float, value: Any) -> None:
        self.kind, self.c0, self.c1, self.value = kind, c0, c1, value


def integer(name: str, value: Any, least: int = -(2**63), most: int = 2**63 - 1) -> int:
    """Returns a whole number that is in a range."""
    if isinstance(value, (bool, np.bool_)):
        raise ArgumentTypeError(f"{name}: expected a whole number; found {value}")
    try:
        found = operator.index(value)
        if not least <= found <= most:
            raise ArgumentError(f"{name}: expected a number from {least} to {most}; found {found}")
        return found
    except TypeError:
        raise ArgumentTypeError(
            f"{name}: expected a whole number; found {value!r} of type {type(value).__name__}"
        ) from None


def number(name: str, value: Any) -> float:
    if isinstance(value, (bool, str)) or not isinstance(value, (numbers.Real, np.ndarray)):
        raise ArgumentTypeError(
            f"{name}: expected a number; found {value!r} of type {type(value).__name__}"
        )
    if isinstance(value, np.ndarray) and value.size != 1:
        raise ArgumentTypeError(f"{name}: expected one number; found {value.size}")
    try:
        return float(value)
    except OverflowError:
        raise ArgumentError(f"{name}: expected a number in double; found {value}") from None


def mapping(name: str, value: Any, what: str) -> Mapping[str, Any]:
    """Returns a dict whose keys are texts."""
    if not isinstance(value, Mapping):
        raise ArgumentTypeError(f"{name}: expected a dict from {what}; found {value!r}")
    for key in value:
        if not isinstance(key, str):
            raise ArgumentTypeError(f"{name}: expected a dict from {what}; found the key {key!r}")
    return value


def encoded(name: str, value: Any) -> bytes:
    """Returns a text as the library takes it."""
    if not isinstance(value, (str, bytes)):
        raise ArgumentTypeError(f"{name}: expected a text; found {value!r}")
    try:
        told = value.encode() if isinstance(value, str) else value
    except UnicodeEncodeError as fault:
        raise ArgumentError(f"{name}: expected a text: {fault}") from None
    if b"\0" in told:
        raise ArgumentError(f"{name}: expected a text without zero bytes; found {value!r}")
    return told


def path_of(name: str, value: Any) -> bytes:
    """Returns a path as the library takes it."""
    return encoded(name, os.fspath(value) if isinstance(value, os.PathLike) else value)


def listed(name: str, value: Any, what: str) -> list[Any]:
    """Returns the entries of a sequence."""
    if not isinstance(value, (Sequence, np.ndarray)) or isinstance(value, (str, bytes)):
        raise ArgumentTypeError(f"{name}: expected {what}; found {value!r}")
    if isinstance(value, np.ndarray):
        return [entry for entry in np.atleast_1d(value)]
    return list(value)


def _entries(name: str, value: Any, count: int, what: str) -> list[Any]:
    found = listed(name, value, what)
    if len(found) != count:
        raise ArgumentError(f"{name}: expected {what}; found {len(found)}")
    return found


def cell_counts(cells: Any) -> tuple[int, ...]:
    """Returns one to three numbers of cells, x first."""
    what = "one to three numbers, x first"
    found = listed("cells", cells, what)
    if not 1 <= len(found) <= 3:
        raise ArgumentError(f"cells: expected {what}; found {len(found)}")
    return tuple(integer("cells", entry, 1, 2**30) for entry in found)


def check_size(cells: Sequence[int], ranks: int) -> None:
    """Refuses grids that no machine holds, before their levels are planned."""
    total = math.prod(cells)
    if total > ranks * MOST_CELLS:
        raise OutOfMemoryError(
            f"cells: expected at most {MOST_CELLS} cells per rank; found {total} cells on "
            f"{ranks} rank{'s' * (ranks > 1)}"
        )


def corner(name: str, value: Any, count: int, default: float) -> list[float]:
    """Returns the three coordinates of a corner; axes that the problem has not take the default."""
    if value is None:
        return [default] * 3
    entries = _entries(name, value, count, f"{count} coordinates, x first")
    return [number(name, entry) for entry in entries] + [default] * (3 - count)


def _side(name: str, given: Face) -> Side:
    words = (given,) if isinstance(given, str) else given
    expected = "'dirichlet', ('dirichlet', value), 'neumann', ('neumann', value), 'periodic' or "
    expected += "('robin', c0, c1, value)"
    if not isinstance(words, tuple) or not words or not isinstance(words[0], str):
        raise ArgumentTypeError(f"boundary['{name}']: expected {expected}; found {given!r}")
    kind = words[0]
    if kind not in KINDS:
        nearest = difflib.get_close_matches(kind, KINDS, 1, 0)[0]
        raise ArgumentError(
            f"boundary['{name}']: '{kind}' is not one of {', '.join(KINDS)}; "
            f"the nearest is '{nearest}'"
        )
    allowed = {"robin": (4,), "periodic": (1,)}.get(kind, (1, 2))
    if len(words) not in allowed:
        raise ArgumentError(f"boundary['{name}']: expected {expected}; found {len(words)} entries")
    c0 = c1 = 0.0
    if kind == "robin":
        c0, c1 = (number(f"boundary['{name}'] {c}", words[at]) for at, c in ((1, "c0"), (2, "c1")))
    return Side(kind, c0, c1, words[-1] if len(words) > 1 else 0.0)


def sides_of(boundary: Any, dimensions: int) -> dict[str, Side]:
    """Returns what is given for each side. "x" stands for both sides of the axis, "all" for all
    sides; a side's own name comes before these."""
    boundary = mapping("boundary", boundary, "sides, such as x_lo, to conditions")
    known = [*SIDES[: 2 * dimensions], *AXES[:dimensions], "all"]
    for name in boundary:
        if name not in known:
            near = difflib.get_close_matches(name, known, 1, 0)[0]
            raise ArgumentError(
                f"boundary: there is no side {name!r}; expected {', '.join(known)}; "
                f"the nearest is '{near}'"
            )
    found = {}
    for side in SIDES[: 2 * dimensions]:
        for name in (side, side[0], "all"):
            if name in boundary:
                found[side] = _side(name, boundary[name])
                break
    return found


def face_shape(cells: Sequence[int], side: str) -> Shape:
    """Returns the shape of an array of values on a side: (z, y), (z, x) or (y, x)."""
    return tuple(n for n, axis in reversed(list(zip(cells, AXES))) if axis != side[0])


def value_of(name: str, value: Any, cells: Sequence[int]) -> Any:
    """Returns a side's value as a number, or as a dense array of one per face."""
    what = f"boundary['{name}'] value"
    if isinstance(value, numbers.Real) and not isinstance(value, bool):
        value = number(what, value)
    array = whole(what, value)
    if not np.isfinite(array).all():
        offender = array[~np.isfinite(array)].flat[0]
        raise ArgumentError(f"{what}: expected finite values; found {offender}")
    if array.ndim == 0:
        return float(array)
    expected = face_shape(cells, name)
    if array.shape != expected:
        raise ArgumentError(f"{what}: expected the shape {expected}; found {array.shape}")
    return np.ascontiguousarray(array)


def stretched(faces: Any, cells: Sequence[int]) -> dict[str, np.ndarray[Any, Any]]:
    """Returns the coordinates of faces for each axis that has some."""
    found = {}
    for axis, values in mapping("faces", faces, "axes to coordinates").items():
        if axis not in AXES[: len(cells)]:
            raise ArgumentError(
                f"faces: there is no axis {axis!r}; expected {', '.join(AXES[:len(cells)])}"
            )
        array = np.ascontiguousarray(whole(f"faces['{axis}']", values))
        expected = (cells[AXES.index(axis)] + 1,)
        if array.shape != expected:
            raise ArgumentError(
                f"faces['{axis}']: expected the shape {expected}, one more than there are cells; "
                f"found {array.shape}"
            )
        found[axis] = array
    return found


def part_of(part: Any, count: int) -> tuple[list[int], list[int]]:
    """Returns the corners of a part, x first, from ((x, y, z), (x, y, z))."""
    what = f"two corners of {count} numbers each, x first"
    lower, upper = _entries("part", part, 2, what)
    corners = [
        [integer("part", entry, 0, 2**30) for entry in _entries("part", corner, count, what)]
        for corner in (lower, upper)
    ]
    return corners[0] + [0] * (3 - count), corners[1] + [1] * (3 - count)


def coefficients_of(
    beta: Any, alpha: Any, shape: Shape, entire: Shape, part: Any
) -> dict[int, Values]:
    """Returns what is given for coefficients, by gmg_coefficient."""
    found = {}
    if alpha is not None:
        found[lib.GMG_ALPHA] = Values("alpha", alpha, shape, entire, part)
    if isinstance(beta, tuple):
        if len(beta) != len(shape):
            raise ArgumentError(
                f"beta: expected {len(shape)} arrays on faces, x first; found {len(beta)}"
            )
        for axis in range(3):
            found[lib.GMG_BETA_X + axis] = _on_faces(beta, axis, shape, entire, part)
    elif beta is not None:
        found[lib.GMG_BETA] = Values("beta", beta, shape, entire, part)
    return found


def with_faces(shape: Shape, axis: int) -> Shape:
    """Returns the shape of an array on the faces along an axis (0 is x)."""
    last = len(shape) - 1
    return tuple(extent + (at == last - axis) for at, extent in enumerate(shape))


def slices_with_face(part: tuple[slice, ...], axis: int) -> tuple[slice, ...]:
    """Returns the slices of a part in an array on the faces along an axis."""
    last = len(part) - 1
    return tuple(
        slice(cut.start, cut.stop + 1) if at == last - axis else cut for at, cut in enumerate(part)
    )


def _on_faces(beta: Any, axis: int, shape: Shape, entire: Shape, part: Any) -> Values:
    if axis >= len(shape):
        return Values("beta", 1.0, shape, entire, part)  # the axis that the problem has not
    name = f"beta[{axis}] (beta_{AXES[axis]})"
    part = slices_with_face(part, axis)
    return Values(name, beta[axis], with_faces(shape, axis), with_faces(entire, axis), part)


def default_side(axis: int, dimensions: int) -> Optional[Side]:
    """Returns what an axis that the problem has not takes; None for others: Dirichlet 0."""
    return Side("neumann", 0.0, 0.0, 0.0) if axis >= dimensions else None
