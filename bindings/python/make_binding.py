"""usage: make_binding.py COMPILER HEADER FOLDER OUTPUT.py

Writes what the Python package knows of the library: the constants, structures and functions that
HEADER, calls.h, and gmg.h in FOLDER declare, in the terms of ctypes. The preprocessor of COMPILER
takes comments, macros and conditions away; pycparser reads the declarations that are left, so that
no signature is written twice.
"""
import os
import subprocess
import sys
import tempfile
from typing import Any, Dict, List

from pycparser import c_ast, c_generator, c_parser

# The numbers of C by their names, which pycparser gives without system headers.
SCALARS = {
    "char": "c_char",
    "int": "c_int",
    "double": "c_double",
    "int64_t": "c_int64",
    "size_t": "c_size_t",
    "ptrdiff_t": "c_ssize_t",
    "uintptr_t": "c_size_t",
}
OPENING = '''"""What gmg.h and calls.h declare. Written by make_binding.py."""
from ctypes import CFUNCTYPE, POINTER, Structure
from ctypes import c_char, c_char_p, c_double, c_int, c_int64, c_size_t, c_ssize_t, c_void_p
'''


def declarations(compiler: str, header: str, folder: str) -> str:
    """Returns the headers without comments, macros and conditions."""
    with tempfile.TemporaryDirectory() as stubs:
        for name in ("stddef.h", "stdint.h"):
            with open(os.path.join(stubs, name), "w", encoding="utf-8"):
                pass
        command = [compiler, "-E", "-P", "-nostdinc", "-I", stubs, "-I", folder, header]
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    lines = [f"typedef int {name};" for name in SCALARS if name.endswith("_t")]
    return "\n".join(lines + [line for line in done.stdout.split("\n") if line[:1] != "#"])


def _is_void(tree: Any) -> bool:
    return isinstance(tree, c_ast.TypeDecl) and getattr(tree.type, "names", []) == ["void"]


class Binding:
    """The text of the module, line by line, and the types that it has so far."""

    def __init__(self) -> None:
        self.lines: List[str] = [OPENING]
        self.types = dict(SCALARS)  # by the name of a typedef: an expression of ctypes
        self.own: Dict[str, str] = {}  # what a pointer to a type of the headers is
        self.constants: Dict[str, int] = {}
        self.prototypes: List[str] = []

    def enumerate(self, tree: Any) -> None:
        value = -1
        for entry in tree.values.enumerators:
            value += 1
            if entry.value:
                value = eval(c_generator.CGenerator().visit(entry.value), {}, self.constants)
            self.constants[entry.name] = value
            self.lines.append(f"{entry.name} = {value}")

    def structure(self, name: str, tree: Any) -> str:
        """Declares a structure, after those in it, and returns its name."""
        fields = []
        for member in tree.decls:
            inner = member.type
            while isinstance(inner, (c_ast.ArrayDecl, c_ast.TypeDecl)):
                inner = inner.type
            if isinstance(inner, c_ast.Struct):
                self.types[f"struct {inner.name}"] = self.structure(f"{name}_{member.name}", inner)
            fields.append(f'    ("{member.name}", {self.of(member.type)}),')
        self.lines += [f"class {name}(Structure):", "  _fields_ = (", *fields, "  )"]
        return name

    def of(self, tree: Any, argument: bool = False) -> str:
        """Returns the type of ctypes for one of C. A pointer to numbers, to nothing, or to what the
        headers do not define is an address. argument: an array is one too."""
        if isinstance(tree, c_ast.TypeDecl):
            return self.of(tree.type)
        if isinstance(tree, c_ast.IdentifierType):
            return self.types[" ".join(tree.names)]
        if isinstance(tree, c_ast.Enum):
            return "c_int"
        if isinstance(tree, c_ast.Struct):
            return self.types[f"struct {tree.name}"]
        if isinstance(tree, c_ast.ArrayDecl) and not argument:
            count = eval(c_generator.CGenerator().visit(tree.dim), {}, self.constants)
            return f"{self.of(tree.type)} * {count}"
        if isinstance(tree, c_ast.FuncDecl):
            return f"CFUNCTYPE({', '.join([self.result(tree), *self.arguments(tree)])})"
        return self.pointer(tree.type)

    def pointer(self, to: Any) -> str:
        if isinstance(to, c_ast.FuncDecl):
            return self.of(to)
        if isinstance(to, c_ast.TypeDecl) and isinstance(to.type, c_ast.IdentifierType):
            found = self.types.get(to.type.names[0], "c_void_p")
            if found == "c_char":
                return "c_char_p"
            if found in self.own:
                return self.own[found]
        return "c_void_p"

    def result(self, tree: Any) -> str:
        return "None" if _is_void(tree.type) else self.of(tree.type)

    def arguments(self, tree: Any) -> List[str]:
        given = tree.args.params if tree.args else []
        return [self.of(entry.type, True) for entry in given if not _is_void(entry.type)]

    def typedef(self, name: str, tree: Any) -> None:
        if isinstance(tree, c_ast.FuncDecl):
            self.lines.append(f"{name} = {self.of(tree)}")
            self.types[name] = self.own[name] = name
            return
        inner = tree.type
        if isinstance(inner, c_ast.Enum):
            self.enumerate(inner)
            self.types[name] = "c_int"
        elif isinstance(inner, c_ast.Struct) and inner.decls:
            self.types[name] = self.structure(name, inner)
            self.own[name] = f"POINTER({name})"

    def read(self, text: str) -> str:
        """Returns the module for declarations in C."""
        for entry in c_parser.CParser().parse(text).ext:
            if isinstance(entry, c_ast.Typedef):
                self.typedef(entry.name, entry.type)
            elif isinstance(entry.type, c_ast.Enum):
                self.enumerate(entry.type)
            elif isinstance(entry.type, c_ast.FuncDecl):
                arguments = ", ".join(self.arguments(entry.type))
                result = self.result(entry.type)
                self.prototypes.append(f'  "{entry.name}": ({result}, [{arguments}]),')
        return "\n".join([*self.lines, "PROTOTYPES = {", *self.prototypes, "}", ""])


def main() -> None:
    compiler, header, folder, output = sys.argv[1:]
    with open(output, "w", encoding="utf-8") as stream:
        stream.write(Binding().read(declarations(compiler, header, folder)))


if __name__ == "__main__":
    main()
