#!/usr/bin/env python3
# sanitizers: no
# needs: mpi
# Two steps in one pass on a device. Preconditions: a C compiler, h5py. What must vanish: the
# differences, bit by bit, between all that gmg run --backend cuda --steps-per-pass 2 writes and
# what it writes on the CPU, of programs with walls of all kinds, whose values beyond walls differ
# between the arrays that take turns; runs that take such passes and say that they do not, and the
# other way round; programs that cannot, and give another reason than that.
"""usage: test_twice.py GMG GMG_GEN SOURCE_DIR"""

import json
import os
import sys
import tempfile

sys.path.insert(0, os.path.join(sys.argv[3], "tests", "programs"))
sys.path.insert(0, os.path.join(sys.argv[3], "tests", "cuda_backend"))
import test_bits as bits  # pylint: disable=wrong-import-position
import test_programs as programs  # pylint: disable=wrong-import-position

# All neighbours of a cell, a coefficient beside it, and a square root, which no order changes.
DENSE = "0.1 * (u[i+1][j-1][k+1] + u[i-1][j+1][k-1] - u[i-1][j-1][k] + u[i+1][j][k])"
DENSE += " + sqrt(fabs(c[i][j+1][k] * u[i][j][k]))"
STAR = "0.3 * u[i-1][j][k] + 0.2 * u[i][j+1][k] * u[i][j-1][k] - 0.1 * u[i+1][j][k]"
STAR += " + c[i][j][k] * u[i][j][k] + 0.1 * (u[i][j][k+1] - u[i][j][k-1])"
FLAT = "0.3 * u[i-1][j+1] + 0.2 * u[i][j+1] * u[i][j-1] - 0.1 * u[i+1][j] + 0.4 * u[i][j]"
# Two arrays that take turns by name, so that both can be seen, with values of their own everywhere.
TURNS = """stencil 1; dimensions %d; type %s; array u, v%s; parameter r = 0.9;
boundary %s;
initial u = sin(9 * x + 5 * y + z); initial v = 2 - x * y + z;%s
%sv%s = r * (%s);
swap u, v;
"""
WALLS = [
    "all mirror",
    "all mirror_node",
    "all value 1.5",
    "all periodic",
    "all fixed",
    "x mirror, y_lo value 0.25, y_hi mirror_node, z periodic",
    "x periodic, y_lo value -1, y_hi mirror, z_lo mirror_node, z_hi value 3",
    "x_lo fixed, x_hi mirror_node, y_lo mirror, y_hi fixed, z_lo value 1, z_hi fixed",
    "x_lo value 2, x_hi fixed, y mirror_node, z_lo fixed, z_hi mirror",
]
# What single steps do, and why.
SINGLE = {
    "wave": "does not take turns with one array alone",
    "heat13": "reads 'u' up to 2 cells away",
    "aliev_panfilov_3d": "writes 2 arrays, not one",
    "gray_scott": "take turns before the kernel",
}
folder = ""


def turns(dimensions, real, walls, value, more=""):
    third = dimensions == 3
    return TURNS % (
        dimensions,
        real,
        ", c" if third else "",
        walls,
        " initial c = x - 0.3 * z;" if third else "",
        more,
        "[i][j][k]" if third else "[i][j]",
        value,
    )


def said_by(path, cells, steps, *more, per_pass="2"):
    """The report of a run on the device that has the CPU's bits."""
    size = ["--cells", ",".join(map(str, cells)), *more]
    wanted, found, report = f"{folder}/wanted.h5", f"{folder}/found.h5", f"{folder}/found.json"
    programs.STEPS = steps
    if not programs.run(path, wanted, (1, 0, 1, ""), "--backend", "openmp", *size):
        return {}
    there = ["--backend", "cuda", "--steps-per-pass", per_pass, "--report", report]
    if not programs.run(path, found, (1, 0, 1, ""), *there, *size):
        return {}
    same = programs.alike(bits.contents(found), bits.contents(wanted))
    bits.expect(same, f"{path} {cells}, {steps} steps {more}: other bits in passes of two steps")
    with open(report, encoding="utf-8") as stream:
        return json.load(stream)


def check(name, text, cells, steps, *more):
    """In passes: they move less than single steps at least would."""
    path = f"{folder}/{name}.stencil"
    with open(path, "w", encoding="utf-8") as stream:
        stream.write(text)
    said = said_by(path, cells, steps, *more)
    if not said:
        return
    with open(f"{folder}/found.json", encoding="utf-8") as stream:
        passes = json.load(stream)["compulsory_bytes"]
    single = ["--backend", "cuda", "--steps-per-pass", "1", "--report", f"{folder}/found.json"]
    size = ["--cells", ",".join(map(str, cells)), *more]
    programs.run(path, f"{folder}/found.h5", (1, 0, 1, ""), *single, *size)
    with open(f"{folder}/found.json", encoding="utf-8") as stream:
        alone = json.load(stream)
    bits.expect(
        said["steps_per_pass"] == 2 and not said["single_steps"] and alone["steps_per_pass"] == 1,
        f"{name}: the reports say {said} and {alone}",
    )
    bits.expect(
        passes < 0.85 * alone["compulsory_bytes"],
        f"{name}: in passes {passes} bytes are moved, by single steps {alone['compulsory_bytes']}",
    )


def check_refusals():
    for name, reason in SINGLE.items():
        cells = (9, 8) if name == "gray_scott" else (9, 8, 7)
        said = said_by(f"{bits.PROGRAMS}/{name}.stencil", cells, 9)
        bits.expect(
            said and said["steps_per_pass"] == 1 and reason in said["single_steps"],
            f"{name}: expected '{reason}', found {said}",
        )
    heat = f"{bits.PROGRAMS}/heat3d.stencil"
    for more, reason in (
        (["--box", "5"], "the grid is cut into several boxes"),
        (["--steps-per-exchange", "2"], "ghosts are exchanged once in several steps"),
    ):
        said = said_by(heat, (9, 8, 7), 9, *more)
        bits.expect(said and said["single_steps"] == reason, f"{more}: found {said}")
    said = said_by(heat, (9, 8, 7), 9, per_pass="auto")
    bits.expect(said and "steps are faster" in said["single_steps"], f"auto: found {said}")
    said = said_by(heat, (9, 8, 7), 9, per_pass="3")
    bits.expect(said and "two steps in a pass at most" in said["single_steps"], f"3: {said}")


def main(long=False):
    global folder  # pylint: disable=global-statement
    if programs.no_device():
        return 77
    with tempfile.TemporaryDirectory() as folder:
        programs.folder = folder
        if long:  # more rows than a launch on a box by itself may have
            check("long", turns(2, "float", "all mirror", FLAT), (3, 2100000), 8)
            return bits.finish()
        for n, walls in enumerate(WALLS):
            steps = 11 + n % 2
            check(f"star{n}", turns(3, "double", walls, STAR), (65, 17, 5), steps)
            if n < 5:  # each rule alone: the others have all of them
                continue
            if n % 2:
                check(f"dense{n}", turns(3, "double", walls, DENSE), (13, 16, 4), steps)
                continue
            flat = walls[: walls.find(", z")]
            check(f"flat{n}", turns(2, "float", flat, FLAT), (65, 34), steps)
        mixed = turns(3, "float", WALLS[7], STAR)
        check("mixed", mixed, (9, 15, 130), 14)  # thread blocks one after the other along k
        for cells in ((2, 40, 3), (63, 2, 2), (2, 2, 66)):
            check("thin", turns(3, "double", WALLS[6], DENSE), cells, 8)
        heat = f"{bits.PROGRAMS}/heat3d.stencil"
        with open(heat, encoding="utf-8") as stream:
            text = stream.read()
        text = text.replace("initial u", "reduce most = max u[i][j][k-1];\ninitial u", 1)
        for cells in ((1, 1, 1), (62, 14, 64), (64, 16, 66), (63, 15, 1)):
            check("heat", text, cells, 9)
        check("heat", text, (20, 15, 9), 17, "--values", "5", "--series", "3")
        check_refusals()
    return bits.finish()


if __name__ == "__main__":
    sys.exit(main())
