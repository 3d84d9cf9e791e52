"""Operators that are given by a formula: their C text (docs/operators.md)."""
from __future__ import annotations

import os
import re
import tempfile
from typing import Mapping, Optional

from ._errors import ArgumentError, ArgumentTypeError
from ._operators import Operators, Path, compile_operators
from ._services import CENTRINGS

_KINDS = dict(zip(CENTRINGS, ("CELL", "FACE_I", "FACE_J", "FACE_K")))
_LINES = {
    f"{name}_{axis}": kind + axis.upper()
    for name, kind in (("h", "LINE_"), ("g", "LINE_FACE_"))
    for axis in "ijk"
}
_ARRAY = re.compile(r"\b([A-Za-z_]\w*)\s*((?:\[[^\[\]]*\]\s*)+)")
_OFFSET = re.compile(r"\[\s*([ijk])\s*(?:([+-])\s*(\d+)\s*)?\]")


def _subscripts(name: str, told: str) -> list[tuple[str, int]]:
    """Returns the axes and offsets of [i+1][j][k], or of [k]."""
    parts = _OFFSET.findall(told)
    found = [(axis, int((sign or "+") + (far or "0"))) for axis, sign, far in parts]
    axes = "".join(axis for axis, _ in found)
    wanted = name[-1] if name in _LINES else "ijk"
    if axes != wanted or _OFFSET.sub("", told).strip():
        expected = "".join(f"[{axis}]" for axis in wanted)
        raise ArgumentError(
            f"formula: expected {name}{expected}, with constant offsets such as [{wanted[0]}+1]; "
            f"found {name}{told.strip()}"
        )
    return found


def _text_of(formula: str, depths: dict[str, int]) -> str:
    """Returns a formula with the subscripts of C, and notes arrays with how far they are read."""

    def one(match: "re.Match[str]") -> str:
        name = match[1]
        found = _subscripts(name, match[2])
        far = max(abs(offset) for _, offset in found)
        depths[name] = max(depths.get(name, 1), far)
        places = [f"[{axis} + {offset}]" for axis, offset in reversed(found)]
        return name + ("" if name in _LINES else "[box]") + "".join(places).replace(" + 0]", "]")

    return _ARRAY.sub(one, formula)


def _declared(name: str, depth: int, fields: Mapping[str, str]) -> str:
    if name in _LINES:
        axis = name[-1]
        return f"const double {name}[n{axis} + {2 * depth}] {_LINES[name]}({depth})"
    centring = "cells" if name in ("u", "w", "alpha") else fields.get(name)
    if centring is None:
        known = ["u", "w", "alpha", *_LINES, *fields]
        raise ArgumentError(f"formula: expected arrays of {', '.join(known)}; found {name}")
    room = "".join(f"[n{axis} + {2 * depth}]" for axis in "kji")
    boxes = "double w[restrict boxes]" if name == "w" else f"const double {name}[boxes]"
    return f"{boxes}{room} {_KINDS[centring]}({depth})"


def source_of(name: str, formula: str, fields: Mapping[str, str]) -> str:
    """Returns the C file of an operator."""
    depths: dict[str, int] = {}
    statements = [line.strip() for line in _text_of(formula, depths).split(";") if line.strip()]
    if not statements or not re.match(r"w\s*\[box\]\[k\]\[j\]\[i\]\s*=[^=]", statements[-1]):
        raise ArgumentError("formula: expected w[i][j][k] = ... as its last equation; found none")
    for at, line in enumerate(statements[:-1]):
        if not re.match(r"[A-Za-z_]\w*\s*=[^=]", line):
            raise ArgumentError(f"formula: expected an equation, name = ...; found {line!r}")
        statements[at] = f"const double {line}"
    scalar = ", double b" if re.search(r"\bb\b(?!\s*\[)", formula) else ""
    arrays = ["w", *sorted(depths.keys() - {"w"})]
    declared = ",\n  ".join(_declared(array, depths[array], fields) for array in arrays)
    depth = depths["w"]
    loops = "".join(
        f"for (int {x} = {depth}; {x} < n{x} + {depth}; {x}++)\n" for x in ("k", "j", "i")
    )
    head = f"void {name}(int boxes, int nk, int nj, int ni{scalar},\n  {declared})"
    body = "".join(f"  {line};\n" for line in statements)
    return (
        f'#include "stencil.h"\n\nGMG_OPERATOR\n{head}\n{{\n'
        f"for (int box = 0; box < boxes; box++)\n{loops}{{\n{body}}}\n}}\n"
    )


def compile_formula(
    name: str, formula: str, fields: Mapping[str, str] = {}, cache: Optional[Path] = None
) -> Operators:
    """Makes an operator of equations, one per cell, as compile_operators() makes it of a C file.

    name: what the option `operator` calls it. formula: equations of C with `;` between them, the
    last one for w[i][j][k], that is A u integrated over a cell; others name numbers in between.
    They read u, alpha and own fields at [i][j][k] with constant offsets such as [i+1], i along x;
    widths of cells h_i[i], h_j[j], h_k[k]; g_i[i], g_j[j], g_k[k], 1 over the distance of the
    centres of a cell and the one before it; and b. fields: the centring of own fields, by name:
    "cells", "faces_x", "faces_y" or "faces_z". Raises ArgumentError for what cannot be an operator,
    UnsupportedError where gmg-gen or a compiler is missing.
    """
    for what, value in (("name", name), ("formula", formula)):
        if not isinstance(value, str):
            raise ArgumentTypeError(f"{what}: expected a text; found {value!r}")
    if not re.fullmatch(r"[A-Za-z]\w*", name, re.ASCII):
        raise ArgumentError(f"name: expected letters, digits and _; found {name!r}")
    if not isinstance(fields, Mapping):
        raise ArgumentTypeError(
            f"fields: expected a dict from names to centrings; found {fields!r}"
        )
    for field, centring in fields.items():
        good = isinstance(field, str) and isinstance(centring, str) and field.isidentifier()
        if not good or centring not in _KINDS:
            raise ArgumentError(
                f"fields: expected names with one of {', '.join(_KINDS)}; found {field!r}: "
                f"{centring!r}"
            )
    text = source_of(name, formula, fields)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, f"{name}.c")
        with open(path, "w", encoding="utf-8") as stream:
            stream.write(text)
        return compile_operators(path, cache=cache)
