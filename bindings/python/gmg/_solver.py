"""The solver: construction, changes between solves, and solves."""
from __future__ import annotations

import inspect
import os
from ctypes import byref, c_double, c_int
from typing import Any, Callable, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from . import _grid
from ._arrays import AXES, View, fill
from ._callbacks import in_main_thread, reporter
from ._device import empty_beside
from ._errors import ArgumentError, ArgumentTypeError
from ._library import lib
from ._operators import Operators
from ._options import names, set_options
from ._report import Reports
from ._result import Result, result_of
from ._services import Services
from ._tuning import Tuning

Monitor = Callable[[int, float, float, float], object]
Option = Union[str, int, float, Sequence[float], None]


class Solver(Services, Reports, Tuning):
    """A solver of  a α u − b ∇·(β ∇u) = f  on a box, by multigrid.

    Arrays have the order (z, y, x), as problem files do; `cells`, `lower`, `upper` and `part`
    have x first. A problem with two numbers of cells has arrays (y, x), one with one (x,).

    Arrays of float64 with any strides are used where they are, in the memory of the host or of a
    GPU; others are converted, with a ConversionWarning. Coefficients are borrowed: the solver keeps
    a reference, and setup() reads them anew. Wrong arguments raise exceptions of gmg.Error and
    leave the solver as before.
    """

    def __init__(
        self,
        cells: Sequence[int],
        lower: Optional[Sequence[float]] = None,
        upper: Optional[Sequence[float]] = None,
        boundary: Mapping[str, _grid.Face] = {},
        alpha: Any = None,
        beta: Any = None,
        *,
        a: Optional[float] = None,
        b: float = 1.0,
        average: str = "harmonic",
        faces: Mapping[str, Any] = {},
        fields: Mapping[str, Any] = {},
        operators: Optional[Operators] = None,
        comm: Any = None,
        part: Optional[Tuple[Sequence[int], Sequence[int]]] = None,
        threads: int = 0,
        isa: str = "auto",
        wisdom: Union[str, "os.PathLike[str]", None] = None,
        stream: Optional[int] = None,
        setup: bool = True,
        **options: Option,
    ) -> None:
        """Makes a solver, and sets it up.

        cells: numbers of cells along x, y, z; lower, upper: corners, default 0 and 1.
        boundary: conditions by side ("x_lo", …, "z_hi"), axis ("x") or "all": "dirichlet",
            ("dirichlet", value), "neumann", ("neumann", value) for the outward normal derivative,
            ("robin", c0, c1, value) for c0 u + c1 ∂u/∂n = value, "periodic". A value is a number,
            or an array of one per face of the side, (z, y), (z, x) or (y, x). Default: Dirichlet 0.
        alpha: α on cells; beta: β on cells, or a tuple of β on the faces of each axis, x first,
            with one more value along that axis. a defaults to 1 with alpha, else to 0.
        average: what a face takes of β on cells, "harmonic" or "arithmetic".
        faces: {"x": coordinates} of stretched axes, one more than there are cells.
        operators: what gmg.compile_operators gives; fields: {name: (values, centring,
            coarsening)} that they read.
        comm: a communicator of mpi4py; part: the cells of this rank, (lower, upper).
        threads: threads per rank, 0 for OpenMP's default; isa: the instruction set of kernels.
        wisdom: a file of gmg_solver_tune's findings, or "none".
        stream: a CUDA stream that arrays on a GPU are used on; default: that of the arrays.
        setup: False leaves setup to a later call, so that predict() can be asked before.
        options: those of gmg(1) with _ for -, such as rtol=1e-8; gmg.options() lists them.

        Raises gmg.Error: ArgumentError, OptionError, CoefficientError, OutOfMemoryError, …
        """
        super().__init__(comm, _grid.integer("threads", threads, 0, 2**16))
        self._stream = None if stream is None else _grid.integer("stream", stream, 0)
        instructions = _grid.encoded("isa", isa)
        if instructions != b"auto":
            self._check(lib.gmg_context_set_isa(self._context, instructions))
        if wisdom is not None:
            path = _grid.path_of("wisdom", wisdom)
            told = None if path == b"none" else path
            self._check(lib.gmg_context_load_wisdom(self._context, told))
        if operators is not None:
            if not isinstance(operators, Operators):
                raise ArgumentTypeError(
                    f"operators: expected what gmg.compile_operators gives; found {operators!r}"
                )
            self._kept["operators"] = operators
            operators._add_to(self._context, self._check)
        self._cells = _grid.cell_counts(cells)
        self._make_grid(lower, upper, faces, boundary, part)
        self._check(lib.gmg_solver_create(self._grid, byref(self._solver)))
        set_options(self, options)
        self._set_average(average)
        self._a = (0.0 if alpha is None else 1.0) if a is None else _grid.number("a", a)
        self._b = _grid.number("b", b)
        self._check(lib.gmg_solver_set_equation(self._solver, self._a, self._b))
        self._borrow(alpha, beta)
        self._set_fields(fields)
        if not isinstance(setup, (bool, np.bool_)):
            raise ArgumentTypeError(f"setup: expected True or False; found {setup!r}")
        if setup:
            self.setup()

    def _make_grid(self, lower: Any, upper: Any, faces: Any, boundary: Any, part: Any) -> None:
        count = len(self._cells)
        _grid.check_size(self._cells, self._ranks)
        axes = _grid.stretched(faces, self._cells)
        low, high = _grid.corner("lower", lower, count, 0.0), _grid.corner(
            "upper", upper, count, 1.0
        )
        for at, axis in enumerate(AXES[:count]):
            if axis in axes and lower is None:
                low[at] = float(axes[axis][0])
            if axis in axes and upper is None:
                high[at] = float(axes[axis][-1])
        cells, triple = (c_int * 3)(*[*self._cells, 1, 1][:3]), c_double * 3
        corners = triple(*low), triple(*high)
        self._check(lib.gmg_grid_create(self._context, cells, *corners, byref(self._grid)))
        grid = self._grid
        for axis, values in axes.items():
            self._check(lib.gmg_grid_set_faces(grid, AXES.index(axis), values.ctypes.data))
        sides = _grid.sides_of(boundary, count)
        for number, name in enumerate(_grid.SIDES):
            side = sides.get(name) or _grid.default_side(number // 2, count)
            if side:
                self._set_side(grid, number, name, side)
        given = ([0] * 3, [0] * 3) if part is None else _grid.part_of(part, count)
        first, last = (c_int * 3)(*given[0]), (c_int * 3)(*given[1])
        if part is not None:
            self._check(lib.gmg_grid_set_part(grid, first, last))
        lib.gmg_grid_part(grid, first, last)
        spans = [slice(*pair) for pair in zip(first[:count], last[:count])]
        self._slices = tuple(reversed(spans))
        self._shape = tuple(cut.stop - cut.start for cut in self._slices)
        self._entire = tuple(reversed(self._cells))

    def _set_side(self, grid: Any, number: int, name: str, side: _grid.Side) -> None:
        value = _grid.value_of(name, side.value, self._cells)
        per_face = isinstance(value, np.ndarray)
        self._check(
            lib.gmg_grid_set_boundary(
                grid, number, _grid.KINDS[side.kind], side.c0, side.c1, 0.0 if per_face else value
            )
        )
        if per_face:
            self._check(lib.gmg_grid_set_boundary_values(grid, number, value.ctypes.data))

    def _set_average(self, average: str) -> None:
        known = {"harmonic": lib.GMG_HARMONIC, "arithmetic": lib.GMG_ARITHMETIC}
        if not isinstance(average, str) or average not in known:
            raise ArgumentError(f"average: expected {' or '.join(known)}; found {average!r}")
        self._check(lib.gmg_solver_set_average(self._solver, known[average]))

    def _borrow(self, alpha: Any, beta: Any) -> None:
        shapes = self._shape, self._entire, self._slices
        for which, values in _grid.coefficients_of(beta, alpha, *shapes).items():
            self._lend(which, values)

    def setup(self) -> None:
        """Plans and computes all levels; called again, takes in what the borrowed coefficients
        hold by now, on a GPU what was written to them on their stream before. Collective. Raises
        CoefficientError, OrderError, OutOfMemoryError."""
        with self._entry:
            if not self._finalizer.alive:
                self._ready("setup")
            self._follow_coefficients()
            self._check(lib.gmg_solver_setup(self._solver))
            self._is_set_up = True

    def update(
        self,
        *,
        alpha: Any = None,
        beta: Any = None,
        a: Optional[float] = None,
        b: Optional[float] = None,
        boundary: Mapping[str, Any] = {},
        fields: Mapping[str, Any] = {},
        **options: Option,
    ) -> None:
        """Changes what is given, and sets up anew where that needs it, without planning again.

        boundary: new values by side; kinds stay. Options: rtol, atol, norm and max_cycles. Solves
        are then those of a solver made with these arguments, to the last bit. Collective.
        """
        with self._entry:
            self._ready("update")
            set_options(self, options)
            for name, value in _grid.mapping("boundary", boundary, "sides to values").items():
                self._set_boundary_value(name, value)
            self._borrow(alpha, beta)
            self._set_fields(fields)
            if a is not None or b is not None:
                new_a = self._a if a is None else _grid.number("a", a)
                new_b = self._b if b is None else _grid.number("b", b)
                self._follow_coefficients()
                self._check(lib.gmg_solver_set_equation(self._solver, new_a, new_b))
                self._a, self._b = new_a, new_b
        if alpha is not None or beta is not None or fields:
            self.setup()

    def _set_boundary_value(self, name: str, value: Any) -> None:
        known = _grid.SIDES[: 2 * len(self._cells)]
        if name not in known:
            raise ArgumentError(f"boundary: there is no side {name!r}; expected {', '.join(known)}")
        found = _grid.value_of(name, value, self._cells)
        number = _grid.SIDES.index(name)
        if isinstance(found, float):
            self._check(lib.gmg_solver_set_boundary_value(self._solver, number, found))
            return
        pointer = found.ctypes.data
        self._check(lib.gmg_solver_set_boundary_values(self._solver, number, pointer))

    def solve(
        self, f: Any, *, out: Any = None, guess: Any = None, monitor: Optional[Monitor] = None
    ) -> Result:
        """Solves for the right side f, per unit volume, and returns a gmg.Result.

        f: an array (z, y, x) of this rank's part or of the whole grid, or a number; in the memory
        of the host or of the GPU. out: takes the solution, of the shape of the part; default: a
        new array. guess: an initial guess; may be `out`. monitor: called after every cycle with
        its number, the norm of the residual, that over the first one, and seconds; what it
        raises ends the solve. Ctrl-C ends the solve after its cycle, and raises KeyboardInterrupt;
        `out` then holds what was found. Collective. Other threads run meanwhile.
        """
        with self._entry:
            self._ready("solve")
            right = self._read("f", f)
            u = empty_beside(right, self._shape) if out is None else out
            solution = self._write("out", u, self._shape)
            if solution.address == right.address and 0 not in right.strides:
                raise ArgumentError("out: expected other memory than that of f; found the same")
            start = None if guess is None or guess is u else self._read("guess", guess)
            self._follow(right, solution, *([start] if start else []))
            arrays = fill(self._array["f"], right), fill(self._array["u"], solution)
            if start:
                self._take_guess(start, u, solution)
            found = lib.gmg_result()
            with reporter("monitor", monitor, lib.gmg_python_monitor) as told:
                more = guess is not None, found, told, in_main_thread()
                status = lib.gmg_python_solve(self._solver, *arrays, *more)
            self._check(status)
            return result_of(found, u)

    def _take_guess(self, start: View, u: Any, solution: View) -> None:
        if not start.device and not solution.device:
            np.copyto(u, start.owner)
            return
        if not start.device:
            raise ArgumentError("guess: expected an array on the GPU, where out lies")
        if start.strides != solution.strides:
            raise ArgumentError(
                f"guess: expected the strides of out, {solution.strides} values; found "
                f"{start.strides}"
            )
        source = fill(self._array["x"], start)
        self._check(lib.gmg_solver_array_copy(self._solver, source, self._array["u"]))

    def stop(self) -> None:
        """Ends the solve that runs, or else the next one, after the cycle it is in. From a
        monitor or another thread; on any rank."""
        if self._finalizer.alive:
            lib.gmg_solver_stop(self._solver)

    def __enter__(self) -> "Solver":
        return self

    def __exit__(self, *fault: Any) -> None:
        self.close()

    def __repr__(self) -> str:
        state = "set up" if self._is_set_up else "not set up"
        if not self._finalizer.alive:
            state = "closed"
        return f"<gmg.Solver of {' x '.join(map(str, self._cells))} cells, {state}>"


def _signature() -> inspect.Signature:
    """Returns the signature of Solver with each option by its name, for completion."""
    own = inspect.signature(Solver.__init__)
    parameters = [entry for entry in own.parameters.values() if entry.kind != entry.VAR_KEYWORD]
    parameters += [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=Option)
        for name in names()
    ]
    return own.replace(parameters=parameters[1:], return_annotation=Solver)


Solver.__signature__ = _signature()  # type: ignore[attr-defined]
