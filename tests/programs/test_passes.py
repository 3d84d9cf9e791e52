#!/usr/bin/env python3
# timeout: 600
# sanitizers: no
# Steps of programs in passes over memory, on CPUs. Preconditions: a C compiler, h5py. What must
# vanish: the differences, bit by bit, between the arrays of the sequential C that gmg-gen emits and
# those of runs with 1 to 16 steps per pass, 1 to 4 threads, on grids of many strips of rows; walls
# of all kinds, ghosts of several depths, arrays that rotate, values two steps old. Where steps
# cannot be taken so the report says why, and they are taken one by one.
"""usage: test_passes.py GMG GMG_GEN SOURCE_DIR"""
import json
import os
import sys
import tempfile

import test_bits as bits

# Steps per pass, threads.
WAYS = [("1", 2), ("2", 1), ("3", 4), ("7", 2), ("16", 3), ("5", 4)]
# A wide stencil whose images reach far beyond walls, and kernels that follow one another.
WIDE = """stencil 1; dimensions 3; array u, v;
parameter a = 0.05;
boundary u: x mirror, y mirror_node, z mirror_node;
boundary v: x value 1, y_lo fixed, y_hi value 0.25, z_lo mirror, z_hi fixed;
initial u = sin(3 * x + 5 * y) - z;
initial v = x * y + cos(4 * z);
kernel first {
  u[i][j][k] += a * (v[i+3][j][k-3] - v[i][j-3][k+2] + u@-1[i][j+2][k]);
}
kernel second {
  v[i][j][k] = 0.5 * v[i][j][k] + a * (u[i-2][j+3][k+3] - u[i][j-3][k-3]);
}
"""
# What is read lies below only, so that a step waits for no more than its array to be free, and for
# images of cells above.
UPWIND = """stencil 1; dimensions 3; array u;
parameter a = 0.2;
boundary u: x mirror, y mirror, z mirror;
initial u = sin(3 * x + 5 * y) - z;
u[i][j][k] = (1 - 2 * a) * u[i][j][k] + a * (u[i-2][j-2][k] + u[i][j-2][k-2]);
"""


def run(path, cells, way, folder):
    """The arrays and the report of a run; None where it failed."""
    output, report = f"{folder}/out.h5", f"{folder}/report.json"
    steps, threads = way
    words = [bits.GMG, "run", path, "--cells", ",".join(map(str, cells)), "--steps"]
    words += [str(bits.STEPS), "--threads", str(threads), "--steps-per-pass", steps, "--wisdom"]
    words += ["none", "--cache", f"{folder}/cache", "--output", output, "--report", report]
    done = bits.run([*words, "--quiet"], threads)
    bits.expect(done.returncode == 0, f"{path}, {way}: status {done.returncode}: {done.stderr}")
    if done.returncode:
        return None, None
    with open(report, encoding="utf-8") as stream:
        return bits.contents(output), json.load(stream)


def check(path, cells, folder):
    name, wanted = os.path.basename(path), bits.serial(path, cells, folder)
    moved = {}
    for way in WAYS:
        found, said = run(path, cells, way, folder)
        if not found:
            continue
        moved[int(way[0])] = said["compulsory_bytes"]
        bits.expect(
            said["steps_per_pass"] == int(way[0]) and not said["single_steps"],
            f"{name}, {way}: the report says {said['steps_per_pass']}, {said['single_steps']!r}",
        )
        for array, values in wanted.items():
            bits.expect(
                array in found and bits.same_bits(found[array], values),
                f"{name}, {cells}: '{array}' has other bits with {way[0]} steps per pass and"
                f" {way[1]} threads",
            )
    for steps, found in moved.items():
        passes = -(-bits.STEPS // steps)
        bits.expect(
            found * bits.STEPS == moved.get(1, 0) * passes,
            f"{name}: {steps} steps per pass move {found} bytes, single steps {moved.get(1)}",
        )


def check_reason(path, cells, more, reason, folder):
    _, said = run(path, cells, ("4", 2), folder)
    bits.expect(
        said and said["steps_per_pass"] == 1 and reason in said["single_steps"],
        f"{path} {more}: expected '{reason}', found {said and said['single_steps']}",
    )


def main():
    with tempfile.TemporaryDirectory() as folder:
        own = {"deep": bits.DEEP, "periodic": bits.WALLS, "wide": WIDE, "upwind": UPWIND}
        for name, text in own.items():
            with open(f"{folder}/{name}.stencil", "w", encoding="utf-8") as stream:
                stream.write(text)
        for name in ("deep", "wide", "upwind"):
            check(f"{folder}/{name}.stencil", (9, 41, 12), folder)
            check(f"{folder}/{name}.stencil", (8, 10, 25), folder)
            check(f"{folder}/{name}.stencil", (5, 4, 4), folder)
        check(f"{bits.PROGRAMS}/heat3d.stencil", (20, 12, 1), folder)
        for name in ("heat3d", "variable7", "poisson19", "himeno", "aliev_panfilov_3d"):
            check(f"{bits.PROGRAMS}/{name}.stencil", (10, 37, 9), folder)
        check(f"{bits.PROGRAMS}/heat3d.stencil", (40, 200, 60), folder)
        check_reason(f"{folder}/periodic.stencil", (9, 12, 12), "", "the grid is periodic", folder)
        check_reason(f"{bits.PROGRAMS}/heat2d.stencil", (20, 12, 1), "", "two dimensions", folder)
        bits.expect_refusal("--steps-per-pass", "17", "found '17', expected auto or a whole number")
    return bits.finish()


if __name__ == "__main__":
    sys.exit(main())
