"""Problem files and solution files, by h5py."""
from __future__ import annotations

import difflib
import os
from typing import Any, Dict, Iterable, NamedTuple, Optional

import numpy as np

from . import _grid
from ._arrays import AXES, Shape, Values, host_view
from ._errors import ArgumentError, UnsupportedError
from ._result import Result
from ._solver import Solver

_MEMBERS = ["grid", "equation", "rhs", "alpha", "beta", "beta_x", "beta_y", "beta_z"]
_MEMBERS += ["boundary", "initial_guess", "exact", "user"]


class Problem(NamedTuple):
    """What a problem file holds."""

    #: The right side, (z, y, x).
    f: np.ndarray[Any, Any]
    #: The arguments of gmg.Solver, by name.
    arguments: Dict[str, Any]
    guess: Optional[np.ndarray[Any, Any]] = None
    exact: Optional[np.ndarray[Any, Any]] = None

    def solver(self, **more: Any) -> Solver:
        """Returns a solver of the problem. more: further arguments of Solver, such as options."""
        return Solver(**{**self.arguments, **more})

    def solve(self, **more: Any) -> Result:
        """Returns the solution, from the file's initial guess where it has one."""
        return self.solver(**more).solve(self.f, guess=self.guess)


class Solution(NamedTuple):
    """What a solution file holds."""

    u: np.ndarray[Any, Any]
    status: str
    reason: str
    cycles: int
    relative_residual: float
    residuals: np.ndarray[Any, Any]


def _h5py() -> Any:
    try:
        import h5py
    except ImportError as fault:
        raise UnsupportedError(f"problem and solution files need h5py: {fault}") from fault
    return h5py


def _open(path: Any, kind: str) -> Any:
    h5py, name = _h5py(), os.fspath(path)
    try:
        file = h5py.File(name, "r")
    except OSError as fault:
        raise ArgumentError(f"{name}: expected an HDF5 file: {fault}") from fault
    found = _word(file.attrs.get("format", "none"))
    if found != kind:
        file.close()
        raise ArgumentError(f"{name}: expected the format '{kind}'; found '{found}'")
    if int(file.attrs.get("version", 0)) != 1:
        version = file.attrs.get("version")
        file.close()
        raise ArgumentError(f"{name}: expected version 1 of the format; found {version}")
    return file


def _word(value: Any) -> str:
    value = np.asarray(value).item() if not isinstance(value, (str, bytes)) else value
    return value.decode() if isinstance(value, bytes) else str(value)


def _known(path: Any, found: Iterable[str], known: list[str], where: str) -> None:
    for name in found:
        if name not in known:
            nearest = difflib.get_close_matches(name, known, 1, 0)[0]
            raise ArgumentError(
                f"{path}: there is no {where}{name} in a problem file; expected "
                f"{', '.join(known)}; the nearest is {nearest}"
            )


def _values(file: Any, name: str) -> np.ndarray[Any, Any]:
    return np.asarray(file[name][...], dtype=np.float64)


def _boundary(group: Any) -> Dict[str, Any]:
    found: Dict[str, Any] = {}
    for side in _grid.SIDES:
        kind = _word(group.attrs.get(side, "dirichlet"))
        value: Any = float(group.attrs.get(f"{side}_value", 0.0))
        if f"{side}_value" in group:
            value = _values(group, f"{side}_value")
        if kind == "periodic":
            found[side] = kind
        elif kind == "robin":
            c0, c1 = (float(group.attrs[f"{side}_{c}"]) for c in ("c0", "c1"))
            found[side] = (kind, c0, c1, value)
        else:
            found[side] = (kind, value)
    return found


def _arguments(file: Any) -> Dict[str, Any]:
    grid, faces = file["grid"], ("beta_x", "beta_y", "beta_z")
    arguments: Dict[str, Any] = {
        "cells": tuple(int(count) for count in grid.attrs["cells"]),
        "lower": tuple(float(at) for at in grid.attrs["lower"]),
        "upper": tuple(float(at) for at in grid.attrs["upper"]),
        "faces": {axis: _values(grid, axis) for axis in AXES if axis in grid},
    }
    if "equation" in file:
        for name in ("a", "b"):
            if name in file["equation"].attrs:
                arguments[name] = float(file["equation"].attrs[name])
    if "alpha" in file:
        arguments["alpha"] = _values(file, "alpha")
    if "beta" in file:
        arguments["beta"] = _values(file, "beta")
        arguments["average"] = _word(file["beta"].attrs.get("average", "harmonic"))
    elif all(name in file for name in faces):
        arguments["beta"] = tuple(_values(file, name) for name in faces)
    if "boundary" in file:
        arguments["boundary"] = _boundary(file["boundary"])
    return arguments


def read_problem(path: Any) -> Problem:
    """Reads a problem file (docs/problem-file.md); needs h5py. Raises ArgumentError."""
    with _open(path, "gmg-problem") as file:
        _known(path, file, _MEMBERS, "/")
        guess, exact = (
            _values(file, name) if name in file else None for name in ("initial_guess", "exact")
        )
        try:
            return Problem(_values(file, "rhs"), _arguments(file), guess, exact)
        except (KeyError, TypeError, ValueError) as fault:
            raise ArgumentError(f"{path}: {fault}") from fault


def read_solution(path: Any) -> Solution:
    """Reads a solution file, as `gmg` writes it; needs h5py. Raises ArgumentError."""
    with _open(path, "gmg-solution") as file:
        if "solution" not in file:
            raise ArgumentError(f"{path}: expected a dataset /solution")
        attributes = file["solution"].attrs
        return Solution(
            _values(file, "solution"),
            _word(attributes["status"]),
            _word(attributes["reason"]),
            int(attributes["cycles"]),
            float(attributes["relative_residual"]),
            _values(file, "residual_history"),
        )


def _write_side(group: Any, name: str, side: _grid.Side, cells: tuple[int, ...]) -> None:
    group.attrs[name] = side.kind
    if side.kind == "robin":
        group.attrs[f"{name}_c0"], group.attrs[f"{name}_c1"] = side.c0, side.c1
    value = _grid.value_of(name, side.value, cells)
    if isinstance(value, np.ndarray):
        axis = "xyz".index(name[0])
        whole = [count for at, count in enumerate((*cells, 1, 1)[:3]) if at != axis]
        group[f"{name}_value"] = value.reshape(whole[::-1])
    elif side.kind != "periodic":
        group.attrs[f"{name}_value"] = value


def _write_field(file: Any, name: str, value: Any, shape: Shape) -> None:
    array = host_view(Values(name, value, shape, shape, ())).owner
    whole = (1,) * (3 - len(shape)) + shape
    if name == "beta_z" and len(shape) < 3:
        whole = shape
    file[name] = np.broadcast_to(array, shape).reshape(whole)


def _write_coefficients(file: Any, alpha: Any, beta: Any, average: str, shape: Shape) -> None:
    if alpha is not None:
        _write_field(file, "alpha", alpha, shape)
    if isinstance(beta, tuple):
        if len(beta) != len(shape):
            raise ArgumentError(f"beta: expected {len(shape)} arrays on faces; found {len(beta)}")
        padded = (1,) * (3 - len(shape)) + shape
        for axis in range(3):
            if axis < len(shape):
                on_faces = _grid.with_faces(shape, axis)
                _write_field(file, f"beta_{AXES[axis]}", beta[axis], on_faces)
            else:
                file[f"beta_{AXES[axis]}"] = np.ones(_grid.with_faces(padded, axis))
    elif beta is not None:
        _write_field(file, "beta", beta, shape)
        file["beta"].attrs["average"] = average


def write_problem(
    path: Any,
    f: Any,
    cells: Any,
    lower: Any = None,
    upper: Any = None,
    boundary: Any = {},
    alpha: Any = None,
    beta: Any = None,
    *,
    a: Optional[float] = None,
    b: float = 1.0,
    average: str = "harmonic",
    faces: Any = {},
    guess: Any = None,
    exact: Any = None,
) -> None:
    """Writes a problem file for `gmg`; the arguments are those of Solver and solve(), on one rank.
    Needs h5py. Raises ArgumentError; a file that could not be written whole is removed."""
    arguments = dict(lower=lower, upper=upper, boundary=boundary, alpha=alpha, beta=beta)
    Solver(cells, a=a, b=b, average=average, faces=faces, setup=False, **arguments).close()
    counts = _grid.cell_counts(cells)
    shape, count = tuple(reversed(counts)), len(counts)
    axes = _grid.stretched(faces, counts)
    low, high = _grid.corner("lower", lower, count, 0.0), _grid.corner("upper", upper, count, 1.0)
    sides = _grid.sides_of(boundary, count)
    temporary = os.fspath(path) + ".part"
    try:
        with _h5py().File(temporary, "w") as file:
            file.attrs["format"], file.attrs["version"] = "gmg-problem", 1
            grid, walls = file.create_group("grid"), file.create_group("boundary")
            grid.attrs["cells"] = [*counts, 1, 1][:3]
            for at, axis in enumerate(AXES[:count]):
                if axis in axes:
                    low[at], high[at] = axes[axis][0], axes[axis][-1]
                    grid[axis] = axes[axis]
            grid.attrs["lower"], grid.attrs["upper"] = low, high
            equation = file.create_group("equation")
            equation.attrs["a"] = (0.0 if alpha is None else 1.0) if a is None else float(a)
            equation.attrs["b"] = float(b)
            for number, name in enumerate(_grid.SIDES):
                side = sides.get(name) or _grid.default_side(number // 2, count)
                if side:
                    _write_side(walls, name, side, counts)
            _write_coefficients(file, alpha, beta, average, shape)
            for name, value in (("rhs", f), ("initial_guess", guess), ("exact", exact)):
                if value is not None:
                    _write_field(file, name, value, shape)
        os.replace(temporary, path)
    except BaseException:
        if os.path.exists(temporary):
            os.remove(temporary)
        raise
