#!/usr/bin/env python3
# sanitizers: no
# needs: mpi
# Composed steps on a device. Preconditions: a C compiler, h5py. What must vanish: the differences,
# bit by bit, between all cells that gmg run --compose M --backend cuda writes and what it writes on
# the CPU, of programs whose walls only continue their arrays: periodic, mirror, value 0; with star
# and dense stencils, past values, in two and three dimensions, in single precision, on 1 to 3 ranks
# and boxes of several sizes, with values between steps; runs of programs with other walls, or other
# weights on the two sides of walls, that are not refused; reports that do not say so.
"""usage: test_composed.py GMG GMG_GEN SOURCE_DIR"""

import json
import os
import sys
import tempfile

sys.path.insert(0, os.path.join(sys.argv[3], "tests", "programs"))
sys.path.insert(0, os.path.join(sys.argv[3], "tests", "cuda_backend"))
import test_bits as bits  # pylint: disable=wrong-import-position
import test_compose as composing  # pylint: disable=wrong-import-position
import test_programs as programs  # pylint: disable=wrong-import-position

ALL = "all periodic"
SUMS = "reduce total = sum u[i][j]; reduce most = max u[i][j] * u[i][j];\n"
WAYS = [(1, 0, ""), (2, 0, "--device-messages host"), (1, 5, ""), (3, 4, "")]
folder = ""


def dense(dimensions):
    """The cell itself, whose weight is a parameter, first."""
    return sorted(composing.dense(dimensions), key=any)


def cases():
    """Name, text, cells, steps composed, ways."""
    star, walls = composing.star, composing.WALLS["continued"]
    flat = composing.program(star(2, 1), walls)
    head, rest = flat.split("initial", 1)
    yield "flat", f"{head}{SUMS}initial{rest}", (17, 14, 1), 3, WAYS
    yield "dense", composing.program(dense(2), walls), (18, 15, 1), 2, WAYS[:2]
    yield "star", composing.program(star(3, 1), walls), (15, 13, 12), 2, WAYS
    yield "far", composing.program(star(3, 2), walls), (14, 13, 15), 2, WAYS[:1]
    yield "around", composing.program(dense(3), ALL, symmetric=False), (13, 12, 14), 2, WAYS[1:3]
    yield "single", composing.program(star(3, 1), walls, "float"), (12, 13, 11), 3, WAYS[:1]
    yield "wave", composing.CONTINUED, (19, 16, 1), 4, WAYS[:3]


def run(path, output, way, *more):
    ranks, box, options = way
    words = ["run", path, "--quiet", "--output", output, "--cache", f"{folder}/cache"]
    words += ["--box", str(box)] if box else []
    done = programs.gmg([*words, *options.split(), *more], ranks)
    bits.expect(done.returncode == 0, f"{path} {way} {more}: {done.returncode}: {done.stderr}")
    return done.returncode == 0


def check(name, text, cells, steps, ways):
    path, out = f"{folder}/{name}.stencil", f"{folder}/out.h5"
    with open(path, "w", encoding="utf-8") as stream:
        stream.write(text)
    words = ["--cells", ",".join(map(str, cells)), "--compose", str(steps)]
    words += ["--steps", str(5 * steps)]
    values = ["--values", str(steps)] if "reduce" in text else []
    if not run(path, out, (1, 0, ""), "--backend", "openmp", *words, *values):
        return
    wanted, report = bits.contents(out), f"{folder}/report.json"
    for way in ways:
        there = ["--backend", "cuda", "--report", report]
        if not run(path, out, way, *there, *words, *values):
            continue
        same = programs.alike(bits.contents(out), wanted, False)
        bits.expect(same, f"{name} {way}: other bits on the device")
        with open(report, encoding="utf-8") as stream:
            said = json.load(stream)
        bits.expect(
            said["backend"] == "cuda" and said["composed"] == steps, f"{name} {way}: {said}"
        )


def check_refused(name, text):
    path = f"{folder}/{name}.stencil"
    with open(path, "w", encoding="utf-8") as stream:
        stream.write(text)
    words = ["--cells", "12", "--steps", "4", "--compose", "2", "--output", f"{folder}/no.h5"]
    done = programs.gmg(["run", path, "--quiet", "--backend", "cuda", *words])
    why = "it composes steps, which runs on the host only where not all axes are periodic"
    bits.expect(done.returncode == 2 and why in done.stderr, f"{name}: {done.stderr}")


def main():
    global folder
    if programs.no_device():
        return 77
    with tempfile.TemporaryDirectory() as folder:
        programs.folder = folder
        for case in cases():
            check(*case)
        star = composing.star(2, 1)
        check_refused("held", composing.program(star, composing.WALLS["values"]))
        check_refused("nodes", composing.program(star, composing.WALLS["channel"]))
        check_refused("fixed", composing.program(star, composing.WALLS["fixed"]))
        check_refused("askew", composing.program(dense(2), "all mirror", symmetric=False))
    return bits.finish()


if __name__ == "__main__":
    sys.exit(main())
