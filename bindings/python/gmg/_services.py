"""What a solver does beside solves: A, the residual, fluxes, the preconditioner, memory."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Mapping, NamedTuple, Optional, Sequence

import numpy as np

from . import _grid
from ._arrays import Shape, Values, View, fill, host_view
from ._device import DeviceArray, empty_beside
from ._errors import ArgumentError, ArgumentTypeError, text
from ._handle import Handle
from ._library import lib

if TYPE_CHECKING:
    from scipy.sparse.linalg import LinearOperator

CENTRINGS = ("cells", "faces_x", "faces_y", "faces_z")
COARSENINGS = ("arithmetic", "harmonic", "none")
EXPECTED = {
    "alpha": lib.GMG_EXPECT_ALPHA,
    "beta": lib.GMG_EXPECT_BETA,
    "beta_faces": lib.GMG_EXPECT_BETA_FACES,
    "jumps": lib.GMG_EXPECT_JUMPS,
}


class Memory(NamedTuple):
    """Bytes on this rank: predicted, the most that were held at once, and held now."""

    predicted: int
    peak: int
    now: int


class Fluxes(NamedTuple):
    """−b β ∂u/∂x, ∂/∂y, ∂/∂z on all faces: one more value along its axis than there are cells.
    None for an axis that the problem has not."""

    x: Any
    y: Any
    z: Any


def _memory(found: Any) -> Memory:
    return Memory(found.predicted, found.peak, found.now)


class Services(Handle):
    @property
    def shape(self) -> Shape:
        """The shape of arrays on this rank's part, (z, y, x)."""
        return self._shape

    @property
    def cells(self) -> tuple[int, ...]:
        """The numbers of cells of the whole grid, x first."""
        return self._cells

    @property
    def part(self) -> tuple[slice, ...]:
        """This rank's part as slices of an array of the whole grid: f[solver.part]."""
        return self._slices

    def predict(self, expect: Sequence[str] = (), arrays: int = 0) -> Memory:
        """Returns how many bytes the setup and the solves will take on this rank, before any is
        taken. expect: which of "alpha", "beta", "beta_faces", "jumps" will be there besides.
        arrays: bytes that the caller will take itself. Collective. Raises OutOfMemoryError where
        they cannot be had."""
        flags = 0
        words = [expect] if isinstance(expect, str) else expect
        for name in _grid.listed("expect", words, f"some of {', '.join(EXPECTED)}"):
            if not isinstance(name, str) or name not in EXPECTED:
                raise ArgumentError(
                    f"expect: expected some of {', '.join(EXPECTED)}; found {name!r}"
                )
            flags |= EXPECTED[name]
        more = _grid.integer("arrays", arrays, 0)
        found = lib.gmg_memory_info()
        with self._entry:
            self._alive("predict")
            self._check(lib.gmg_solver_predict(self._solver, flags, more, found))
        return _memory(found)

    def memory(self) -> Memory:
        """Returns the memory of the library on this rank, in bytes."""
        found = lib.gmg_memory_info()
        with self._entry:
            self._alive("memory")
            self._check(lib.gmg_solver_memory(self._solver, found))
        return _memory(found)

    def _set_fields(self, fields: Mapping[str, Any]) -> None:
        for name, given in _grid.mapping("fields", fields, "names to values").items():
            what = f"fields['{name}']"
            if not isinstance(given, tuple) or len(given) != 3:
                raise ArgumentTypeError(f"{what}: expected (values, centring, coarsening)")
            values, centring, coarsening = given
            for word, known in ((centring, CENTRINGS), (coarsening, COARSENINGS)):
                if not isinstance(word, str) or word not in known:
                    raise ArgumentError(
                        f"{what}: expected one of {', '.join(known)}; found {word!r}"
                    )
            place = CENTRINGS.index(centring)
            shape, part = self._shape, self._slices
            if place:
                shape = _grid.with_faces(shape, place - 1)
                part = _grid.slices_with_face(part, place - 1)
            entire = _grid.with_faces(self._entire, place - 1) if place else self._entire
            field = Values(what, values, shape, entire, part)
            view = self._view(field)
            self._await_gpu(field, view)
            array = fill(lib.gmg_array(), view)
            kind, key = COARSENINGS.index(coarsening), _grid.encoded(what, name)
            self._check(lib.gmg_solver_set_field(self._solver, key, place, kind, array))

    def _two(self, call: str, x: Any, out: Any, function: Any, *more: Any) -> Any:
        """Makes a call with one array that is read and one that is filled."""
        with self._entry:
            self._ready(call)
            source = self._read("x", x)
            y = empty_beside(source, self._shape) if out is None else out
            target = self._write("out", y, self._shape)
            self._follow(source, target)
            arrays = fill(self._array["x"], source), fill(self._array["y"], target)
            self._check(function(self._solver, *arrays, *more))
        return y

    def apply(self, x: Any, out: Any = None) -> Any:
        """Returns A x, per unit volume, with boundary values 0. out may be x. Collective."""
        return self._two("apply", x, out, lib.gmg_solver_apply)

    def precondition(self, x: Any, cycles: int = 1, out: Any = None) -> Any:
        """Returns B x: a fixed number of cycles on A z = x from z = 0, which is linear in x. It is
        symmetric, volume-weighted, with smoother="jacobi" or "chebyshev",
        interpolation="constant", cycle="v" or "w" and pre = post. out may be x. Collective."""
        count = _grid.integer("cycles", cycles, 1, 2**31 - 1)
        return self._two("precondition", x, out, lib.gmg_solver_precondition, count)

    def residual(self, f: Any, u: Any, out: Any = None) -> Any:
        """Returns f − A u, per unit volume, boundary values included. out may be f or u.
        Collective."""
        with self._entry:
            self._ready("residual")
            right, point = self._read("f", f), self._read("u", u)
            beside = point if point.device else right
            r = empty_beside(beside, self._shape) if out is None else out
            target = self._write("out", r, self._shape)
            self._follow(point, right, target)
            views = {"f": right, "u": point, "r": target}
            arrays = [fill(self._array[name], view) for name, view in views.items()]
            self._check(lib.gmg_solver_residual(self._solver, *arrays))
        return r

    def fluxes(self, u: Any, out: Optional[Sequence[Any]] = None) -> Fluxes:
        """Returns the fluxes through all faces of this rank's part, boundary values included. They
        are conservative to rounding: what a projection takes off its velocities. out: an array for
        each axis, x first, with one value more along it than there are cells. Collective. In the
        memory of a GPU they stay there, but go to the host and back where walls have values.
        Raises UnsupportedError for operators other than constant7 and variable7."""
        with self._entry:
            self._ready("fluxes")
            point = self._read("u", u)
            count = len(self._shape)
            padded: Shape = (1,) * (3 - count) + self._shape
            shapes = [_grid.with_faces(padded, axis) for axis in range(3)]
            if out is not None and not isinstance(out, (list, tuple)):
                raise ArgumentTypeError(
                    f"out: expected a list or tuple of {count} arrays, one per axis; found {out!r}"
                )
            if out is not None and len(out) != count:
                raise ArgumentError(f"out: expected {count} arrays, one per axis; found {len(out)}")
            found = list(() if out is None else out)
            for axis, array in enumerate(found):
                if not hasattr(array, "shape"):
                    raise ArgumentTypeError(
                        f"out[{axis}]: expected an array of float64; found {array!r}"
                    )
            if count < 3:
                found = [array[(None,) * (3 - count)] for array in found]
            found += [empty_beside(point, shape) for shape in shapes[len(found) :]]
            views: list[View] = [
                self._write(f"out[{axis}]", found[axis], shapes[axis]) for axis in range(3)
            ]
            self._follow(point, *views)
            arrays = [fill(lib.gmg_array(), view) for view in views]
            self._check(lib.gmg_solver_fluxes(self._solver, fill(self._array["u"], point), *arrays))
        cut = (0,) * (3 - count)
        given = [found[axis][cut] for axis in range(count)] if out is None else list(out)
        return Fluxes(*given, *[None] * (3 - count))

    def device_array(self, values: Any = None) -> DeviceArray:
        """Returns an array in the memory of the solver's GPU, with __cuda_array_interface__, filled
        with values of the host or with 0. Raises UnsupportedError where the CPU computes."""
        with self._entry:
            self._ready("device_array")
            return DeviceArray(self, values)

    def linear_operator(self) -> "LinearOperator":
        """Returns A as an operator of SciPy on vectors of all cells, x fastest."""
        from ._linear import operator_of

        return operator_of(self, self.apply)

    def preconditioner(self, cycles: int = 1) -> "LinearOperator":
        """Returns B of precondition() as an operator of SciPy on vectors of all cells."""
        from ._linear import operator_of

        return operator_of(self, lambda x: self.precondition(x, cycles))

    def vector(self, values: Any) -> np.ndarray[Any, Any]:
        """Returns values on cells as a vector, as linear_operator() takes them."""
        view = host_view(Values("values", values, self._shape, self._entire, self._slices))
        return np.ascontiguousarray(np.broadcast_to(view.owner, self._shape)).reshape(-1)

    def _alive(self, call: str) -> None:
        if not self._finalizer.alive:
            self._ready(call)

    def option(self, name: str) -> Optional[str]:
        """Returns the value of an option in force, as text."""
        key = _grid.encoded("name", name).replace(b"_", b"-")
        with self._entry:
            self._alive("option")
            value = lib.gmg_solver_option(self._solver, key)
            return text(value) if value else None
