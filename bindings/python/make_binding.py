"""usage: make_binding.py COMPILER HEADER FOLDER OUTPUT.c

Writes the C source of the extension module gmg._library by cffi. HEADER is calls.h; FOLDER is that
of gmg.h. The preprocessor of COMPILER takes comments, macros and conditions away; cffi reads the
declarations that are left, so that no signature is written twice.
"""
import os
import subprocess
import sys
import tempfile

import cffi

CALLBACKS = """
extern "Python" void gmg_python_monitor(void *, int, double, double, double);
extern "Python" void gmg_python_progress(void *, const char *, int, int, double);
"""


def declarations(compiler: str, header: str, folder: str) -> str:
    with tempfile.TemporaryDirectory() as stubs:
        for name in ("stddef.h", "stdint.h"):  # cffi knows their types
            with open(os.path.join(stubs, name), "w", encoding="utf-8"):
                pass
        command = [compiler, "-E", "-P", "-nostdinc", "-I", stubs, "-I", folder, header]
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    return "\n".join(line for line in done.stdout.split("\n") if not line.startswith("#"))


def main() -> None:
    compiler, header, folder, output = sys.argv[1:]
    builder = cffi.FFI()
    builder.cdef(declarations(compiler, header, folder) + CALLBACKS)
    builder.set_source("gmg._library", '#include "calls.h"')
    builder.emit_c_code(output)


if __name__ == "__main__":
    main()
