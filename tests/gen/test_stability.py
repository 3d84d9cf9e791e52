#!/usr/bin/env python3
# What gmg-gen --explain says of the stability of programs. Preconditions: a C compiler. What must
# vanish: the distance of the stable ranges from those of the literature (explicit Euler for heat,
# leapfrog for waves, upwind and central differences for advection, Lax and Wendroff, the theta
# scheme of two arrays), and the disagreement with runs: errors that grow within the range, and that
# do not beyond it.
"""usage: test_stability.py GMG GMG_GEN SOURCE_DIR"""

import ctypes
import math
import os
import re
import subprocess
import sys
import tempfile

GEN = os.path.abspath(sys.argv[2])
faults = []

HEAD = "stencil 1;\ndimensions {0};\ngrid {1};\nsteps 10;\n"
PLANE = "array u;\nboundary all periodic;\n"
AROUND2 = "(u[i+1][j] + u[i-1][j] + u[i][j+1] + u[i][j-1])"
AROUND3 = (
    "(u[i+1][j][k] + u[i-1][j][k] + u[i][j+1][k] + u[i][j-1][k] + u[i][j][k+1] + u[i][j][k-1])"
)

# name: dimensions, declarations, equations, parameter, its value, the range
KNOWN = {
    "heat": (2, PLANE, f"u[i][j] = u[i][j] + r * ({AROUND2} - 4 * u[i][j]);", "r", 0.2, (0, 0.25)),
    "heat3": (
        3,
        PLANE,
        f"u[i][j][k] = u[i][j][k] + r * ({AROUND3} - 6 * u[i][j][k]);",
        "r",
        0.1,
        (0, 1 / 6),
    ),
    "wave": (
        3,
        PLANE,
        f"u[i][j][k] = 2 * u[i][j][k] - u@-1[i][j][k] + r * ({AROUND3} - 6 * u[i][j][k]);",
        "r",
        0.25,
        (0, 1 / 3),
    ),
    "upwind": (2, PLANE, "u[i][j] = u[i][j] - r * (u[i][j] - u[i-1][j]);", "r", 0.5, (0, 1)),
    "lax_wendroff": (
        2,
        PLANE,
        "u[i][j] = u[i][j] - 0.5 * r * (u[i+1][j] - u[i-1][j])"
        " + 0.5 * r * r * (u[i+1][j] - 2 * u[i][j] + u[i-1][j]);",
        "r",
        0.5,
        (-1, 1),
    ),
    "leapfrog": (
        2,
        PLANE,
        "u[i][j] = u@-1[i][j] - r * (u[i+1][j] - u[i-1][j]);",
        "r",
        0.3,
        (-1, 1),
    ),
    # v' = -w u, u' = v by symplectic Euler: stable up to w dt^2 = 4
    "two_arrays": (
        2,
        "array u, v;\nboundary all periodic;\n",
        "w = v[i][j] - r * u[i][j];\nv[i][j] = w;\nu[i][j] = u[i][j] + w;",
        "r",
        1,
        (0, 4),
    ),
}


def expect(good, what):
    if not good:
        faults.append(what)


def run(*words):
    return subprocess.run(words, capture_output=True, text=True, check=False)


def write(folder, name, value):
    dimensions, declarations, equations, parameter, _, _ = KNOWN[name]
    path = f"{folder}/{name}.stencil"
    with open(path, "w", encoding="utf-8") as stream:
        stream.write(HEAD.format(dimensions, " ".join(["16"] * dimensions)))
        stream.write(f"{declarations}parameter {parameter} = {value!r};\n\n{equations}\n")
    return path


def explain(path):
    done = run(GEN, path, "--explain")
    expect(done.returncode == 0, f"{path}: {done.stderr}")
    return done.stdout


def check_range(folder, name):
    _, _, _, parameter, value, (low, high) = KNOWN[name]
    text = explain(write(folder, name, value))
    number = r"(-?[0-9.e+-]+)"
    found = re.search(rf"stable with {parameter} from {number} to {number}", text)
    expect(found, f"{name}: no range in {text!r}")
    if found:
        for end, wanted in zip(found.groups(), (low, high)):
            near = abs(float(end) - wanted) <= 1e-3 * max(abs(wanted), abs(high))
            expect(near, f"{name}: found {found[0]!r}, expected {low} to {high}")
    outside = explain(write(folder, name, 1.05 * high))
    expect(": unstable\n" in outside, f"{name}: 1.05 of the end is not unstable: {outside!r}")


def grows(folder, name, value):
    """Whether a program, compiled and run from noise, makes it grow a hundredfold."""
    path = write(folder, name, value)
    text, library = f"{folder}/{name}.c", f"{folder}/{name}_{value:g}.so"
    done = run(GEN, path, "--target", "serial", "-o", text)
    expect(done.returncode == 0, f"{name}: {done.stderr}")
    done = run("cc", "-O1", "-shared", "-fPIC", "-w", "-o", library, text, "-lm")
    expect(done.returncode == 0, f"{name}: {done.stderr}")
    dimensions = KNOWN[name][0]
    cells = [16] * dimensions + [1] * (3 - dimensions)
    most = 0
    size = math.prod(n + 4 if n > 1 else n for n in cells)
    arrays = [(ctypes.c_double * size)() for _ in range(3)]
    for array in arrays:
        for n in range(size):
            array[n] = ((n * 2654435761) % 1000 - 499.5) / 500
    pointers = (ctypes.c_void_p * 3)(*[ctypes.addressof(array) for array in arrays])
    call = getattr(ctypes.CDLL(library), f"{name}_steps")
    call((ctypes.c_int * 3)(*cells), ctypes.c_long(400), pointers, (ctypes.c_double * 1)(value))
    for array in arrays:
        most = max(most, max(abs(x) if math.isfinite(x) else math.inf for x in array))
    return most > 100


def check_words(folder):
    path = f"{folder}/other.stencil"
    head = HEAD.format(2, "16 16") + PLANE
    for text, wanted in (
        ("u[i][j] = u[i+1][j] * u[i][j];", "not known, the steps are not linear"),
        ("parameter r;\nu[i][j] = r * u[i+1][j];", "parameters that have no value yet"),
        ("array c;\nu[i][j] = c[i][j] * u[i+1][j];", "weights depend on arrays"),
        ("u[i][j] = 0.5 * u[i+1][j];", "at most 0.5: stable"),
        ("u[i][j] = 1.5 * u[i+1][j];", "at most 1.5: unstable"),
    ):
        with open(path, "w", encoding="utf-8") as stream:
            stream.write(head + text + "\n")
        found = explain(path)
        expect(wanted in found, f"{text}: no {wanted!r} in {found!r}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        for name in KNOWN:
            check_range(folder, name)
        for name in ("heat", "heat3", "upwind"):
            high = KNOWN[name][5][1]
            expect(grows(folder, name, 0.99 * high) is False, f"{name}: grows within the range")
            expect(grows(folder, name, 1.05 * high) is True, f"{name}: does not grow beyond it")
        check_words(folder)
    for fault in faults:
        print(f"FAILED {fault}")
    print(f"{len(KNOWN)} schemes, {len(faults)} faults")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
