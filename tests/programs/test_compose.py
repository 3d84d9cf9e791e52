#!/usr/bin/env python3
# timeout: 1800
# sanitizers: no
# needs: mpi
# gmg run --compose M. Preconditions: a C compiler, h5py. What must vanish: the difference between
# arrays after steps that are composed and after steps one by one, over the largest value, beyond
# 1e-13 a step, in every cell, for stars and dense stencils in two and three dimensions, walls of
# all kinds, M from 2 to 5, past values, varying coefficients, sources and several kernels; any
# difference between composed runs on ranks, boxes and threads, and after restarts; what is refused
# without a sentence that says why.
"""usage: test_compose.py GMG GMG_GEN SOURCE_DIR"""
import itertools
import json
import os
import re
import subprocess
import sys
import tempfile

import h5py
import numpy as np

GMG, GEN = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
EXAMPLES = os.path.join(os.path.abspath(sys.argv[3]), "examples", "programs")
BOUND = 1e-13
# Ranks, cells of a box, threads.
WAYS = [(1, 5, 2), (2, 0, 1), (3, 0, 2), (3, 4, 1)]
WALLS = {
    "fixed": "all fixed",
    "mirrors": "x mirror, y_lo mirror_node, y_hi mirror, z_lo mirror, z_hi mirror_node",
    "values": "x_lo value 0.5, x_hi mirror, y value 1, z value -2",
    "mixed": "x_lo fixed, x_hi mirror_node, y_lo value 2, y_hi fixed, z_lo mirror, z_hi fixed",
    "periodic": "all periodic",
    "channel": "x periodic, y_lo value 1, y_hi mirror, z mirror_node",
    "continued": "x value 0, y_lo value 0, y_hi mirror, z mirror",
}
faults, largest = [], {}


def run(words, **variables):
    return subprocess.run(
        words, capture_output=True, text=True, check=False, env={**os.environ, **variables}
    )


def expect(good, what):
    if not good:
        faults.append(what)


def write(path, text):
    with open(path, "w", encoding="utf-8") as stream:
        stream.write(text)
    return path


def gmg_run(path, *more, ranks=1, status=0):
    launcher = ["mpirun", "--oversubscribe", "--bind-to", "none", "-n", str(ranks)]
    words = [GMG, "run", path, "--backend", "openmp", *map(str, more)]
    done = run((launcher if ranks > 1 else []) + words)
    expect(done.returncode == status, f"{path} {more}: status {done.returncode}: {done.stderr}")
    return done


def contents(path):
    """Datasets of cells, and those of ghosts and values."""
    found = {}
    with h5py.File(path, "r") as file:
        file.visititems(
            lambda name, item: found.update(
                {name: item[()]} if isinstance(item, h5py.Dataset) else {}
            )
        )
    return found


# ---- programs ----


def star(dimensions, reach):
    """Terms and their offsets: other weights for each."""
    offsets = [(0,) * dimensions]
    for axis, far in itertools.product(range(dimensions), range(1, reach + 1)):
        for sign in (1, -1):
            offsets.append(tuple(sign * far if d == axis else 0 for d in range(dimensions)))
    return offsets


def dense(dimensions):
    return list(itertools.product((-1, 0, 1), repeat=dimensions))


def subscripts(offset):
    return "".join(f"[{axis}{o:+d}]" if o else f"[{axis}]" for axis, o in zip("ijk", offset))


def program(offsets, walls, kind="double", symmetric=True):
    """u becomes a weighted mean, so that rounding does not grow."""
    dimensions = len(offsets[0])
    weight = {o: 1 + 0.3 * sum(map(abs, o)) for o in offsets}
    if not symmetric:
        weight = {o: 1 + (n * 7 % 5) / 4 for n, o in enumerate(offsets)}
    total = sum(weight.values())
    walls = ", ".join(rule for rule in walls.split(", ") if dimensions == 3 or rule[0] != "z")
    sums = " + ".join(f"{weight[o] / total!r} * u{subscripts(o)}" for o in offsets[1:])
    tilt = "i - j" if symmetric else "j"
    return (
        f"stencil 1; dimensions {dimensions}; type {kind}; array u;\n"
        f"parameter c = {weight[offsets[0]] / total!r}; boundary u: {walls};\n"
        f"initial u = sin(7 * x + 3) * cos(5 * y) + x * y + 0.1 * ({tilt});\n"
        f"u{subscripts((0,) * dimensions)} = c * u{subscripts(offsets[0])} + {sums};\n"
    )


WAVE = """stencil 1; dimensions 2; array p; parameter c2 = 0.2, f = 0.01;
boundary p: x_lo fixed, x_hi mirror, y_lo value 1, y_hi mirror_node;
initial p = exp(-20 * ((x - 0.4) * (x - 0.4) + (y - 0.5) * (y - 0.5)));
p[i][j] = (2 - 4 * c2) * p[i][j] - p@-1[i][j] + f
  + c2 * (p[i+1][j] + p[i-1][j] + p[i][j+1] + p[i][j-1]);
"""
# The kernel of several steps is right beside these walls, too.
CONTINUED = """stencil 1; dimensions 2; array p; parameter c2 = 0.2;
boundary p: x mirror, y value 0;
initial p = exp(-20 * ((x - 0.4) * (x - 0.4) + (y - 0.5) * (y - 0.5)));
p[i][j] = (2 - 4 * c2) * p[i][j] - p@-1[i][j]
  + c2 * (p[i+1][j] + p[i-1][j] + p[i][j+1] + p[i][j-1]);
"""
VARYING = """stencil 1; dimensions 2; array u, v, b; parameter dt = 0.2;
boundary u: x mirror, y fixed; boundary v: x mirror, y mirror;
initial u = sin(9 * x * y); initial v = 0.5 + x * y / (1 + x); initial b = x - y;
half = 0.5 * (v[i][j] + v[i+1][j]);
u[i][j] += dt / (1 + v[i][j]) * (half * (u[i+1][j] - u[i][j]) - v[i][j] * (u[i][j] - u[i-1][j])
  + sqrt(v[i][j]) * (u[i][j-1] - 2 * u[i][j] + u[i][j+1])) + dt * b[i][j];
"""
SYSTEM = """stencil 1; dimensions 3; array u, v, w; parameter a = 0.1;
boundary u: x_lo fixed, x_hi mirror_node, y mirror, z_lo value 0.5, z_hi mirror;
boundary v: x mirror_node, y value 1, z_lo mirror, z_hi fixed;
initial u = x * y + sin(7 * z + x); initial v = 1 + x - y * z; initial w = z - x;
kernel first {
  u[i][j][k] = 0.5 * u[i][j][k] + a * (v[i+1][j][k] - v[i-1][j][k+1]) + 0.1 * w[i][j][k];
}
kernel second {
  v[i][j][k] = 0.7 * v[i][j][k] + a * (u[i][j+1][k] + u[i][j][k-1]);
  w[i][j][k] *= 0.9;
}
"""
SWAPPED = """stencil 1; dimensions 2; array now, then; parameter r = 0.2;
boundary all fixed;
initial now = x * x - y; initial then = 3 * y + x;
around = now[i+1][j] + now[i-1][j] + now[i][j+1] + now[i][j-1];
then[i][j] = now[i][j] + r * (around - 4 * now[i][j]);
swap now, then;
"""


def programs():
    """Name, text, cells, how many steps to compose, bound on the error a step."""
    flat, deep = (17, 14, 1), (15, 13, 12)
    # Every stencil meets all walls, and every M several of them.
    for n, (walls, rules) in enumerate(WALLS.items()):
        some, more = (2 + n % 4, 2 + (n + 2) % 4), (2 + (n + 1) % 4,)
        yield f"star2_{walls}", program(star(2, 1), rules), flat, some, BOUND
        text = program(dense(2), rules, symmetric=False)
        yield f"dense2_{walls}", text, flat, sorted({*more, 2}), BOUND
        yield f"star3_{walls}", program(star(3, 1), rules), deep, more, BOUND
        yield f"dense3_{walls}", program(dense(3), rules), deep, (2 + n % 2,), BOUND
    yield "dense3_more", program(dense(3), WALLS["mixed"]), deep, (4, 5), BOUND
    yield "wide", program(star(3, 2), WALLS["mixed"]), (14, 13, 15), (3,), BOUND
    yield "single", program(star(3, 1), WALLS["mixed"], "float"), deep, (3,), 1e-7
    yield "tiny", program(dense(2), WALLS["mixed"]), (3, 4, 1), (4,), BOUND
    yield "wave_fixed", WAVE, (19, 16, 1), (2, 5), BOUND
    yield "wave_continued", CONTINUED, (19, 16, 1), (2, 5), BOUND
    yield "varying", VARYING, (18, 15, 1), (2, 3), BOUND
    yield "system", SYSTEM, (11, 12, 10), (2,), BOUND
    yield "swapped", SWAPPED, (13, 12, 1), (2, 3), BOUND


# ---- checks ----


def compare(name, text, cells, steps, bound, folder):
    path, out = write(f"{folder}/{name}.stencil", text), f"{folder}/out.h5"
    more = ["--cells", ",".join(map(str, cells)), "--quiet", "--output"]
    many = 2 * steps  # the second time from what the first one left in cells and beyond walls
    gmg_run(path, *more, out, "--steps", many)
    single = contents(out)
    report = f"{folder}/report.json"
    composed = ["--steps", many, "--compose", steps]
    gmg_run(path, *more, out, *composed, "--report", report)
    found = contents(out)
    with open(report, encoding="utf-8") as stream:
        expect(json.load(stream)["composed"] == steps, f"{name}: the report says no {steps}")
    expect(single.keys() == found.keys(), f"{name}, {steps}: other datasets: {found.keys()}")
    # What ghosts/… has beside data is left over from some step.
    cells_of = [key for key in single if "/" not in key]
    most = max(np.abs(single[key]).max() for key in cells_of)
    error = max(np.abs(single[key] - found[key]).max() for key in cells_of) / most
    largest[steps] = max(largest.get(steps, 0), error / bound / many)
    expect(error <= bound * many, f"{name}, {steps} composed steps: {error:.2e} off")
    expect(np.all(np.isfinite(most)) and most < 100, f"{name}: values up to {most}")
    if min(cells[:2]) > 4 * steps:
        same = all(np.array_equal(single[key], found[key]) for key in cells_of)
        expect(not same, f"{name}, {steps}: the bits of steps one by one")
    for ranks, box, threads in WAYS if steps == 3 else WAYS[2:3]:
        way = ["--threads", threads, *(["--box", box] if box else [])]
        gmg_run(path, *more, out, *composed, *way, ranks=ranks)
        other = contents(out)
        same = all(np.array_equal(found[key], other[key]) for key in found)
        expect(same, f"{name}, {steps}, {ranks} ranks, box {box}: other bits")


def check_restart(folder):
    path, out = write(f"{folder}/again.stencil", WAVE), f"{folder}/again.h5"
    words = [path, "--quiet", "--compose", 3, "--output", out]
    gmg_run(*words, "--cells", "18,17", "--steps", 12, "--series", 3, "--checkpoint", 6)
    whole = contents(out)
    for step in (3, 6, 9):
        start = f"{folder}/again.{step:08d}.h5"
        gmg_run(*words, "--steps", 12, "--restart", start, ranks=1 + step % 2)
        rest = contents(out)
        same = all(np.array_equal(whole[key], rest[key]) for key in whole)
        expect(same, f"a restart from step {step}: other bits")
    return path


def refused(reason, *words):
    done = gmg_run(*words, status=2)
    expect(reason in done.stderr, f"{words}: not '{reason}' but {done.stderr!r}")


def check_refusals(folder, again):
    out = ["--output", f"{folder}/no.h5"]
    heat, three = [f"{EXAMPLES}/heat2d.stencil", *out, "--cells", 8], ["--compose", 3]
    refused("'1' is not a whole number from 2", *heat, "--compose", 1)
    refused(
        "found 10 steps from step 0 to 10, expected a multiple of 3", *heat, *three, "--steps", 10
    )
    for every in ("checkpoint", "series", "values"):
        words = [*heat, *three, "--steps", 12, f"--{every}", 4]
        refused(f"--{every}: found 4 steps, and --compose 3 takes so many", *words)
    refused(
        "found --steps-per-exchange 2, expected none, or 3",
        *heat,
        *three,
        "--steps-per-exchange",
        2,
    )
    words = [*heat, *three, "--steps", 3, "--backend", "cuda"]
    refused("it composes steps, which runs on the host only", *words)
    scott = [f"{EXAMPLES}/gray_scott.stencil", *out, "--cells", 8, "--steps", 4]
    refused("is not linear: it multiplies two values that change: '", *scott, "--compose", 2)
    path = write(f"{folder}/filter.stencil", program(dense(3), WALLS["mirrors"]))
    many = [path, *out, "--cells", 16, "--steps", 6, "--compose", 6]
    refused("composing 6 steps makes 2197 terms in a cell, and there may be 1500", *many)
    refused("makes more than 20000 products", f"{EXAMPLES}/variable7.stencil", *out, "--compose", 6)
    for name, words, reason in (
        ("fabs", "u[i][j] = fabs(u[i-1][j]);", "it takes a function of a value that changes"),
        ("ratio", "u[i][j] = 1 / (2 + u[i-1][j]);", "it divides by a value that changes"),
    ):
        head = "stencil 1; dimensions 2; grid 4 4; array u; boundary all mirror; initial u = x;"
        text = f"{head}\n{words}\n"
        path = write(f"{folder}/{name}.stencil", text)
        refused(f"{name}.stencil:2:", path, *out, "--steps", 2, "--compose", 2)
        refused(reason, path, *out, "--steps", 2, "--compose", 2)
    single, start = f"{folder}/single.h5", f"{folder}/again.00000006.h5"
    gmg_run(again, "--cells", "18,17", "--steps", 6, "--quiet", "--output", single)
    goes_on = [again, *out, "--steps", 12, "--restart"]
    refused("took steps 3 at a time: expected --compose 3", *goes_on, start)
    refused("took steps 1 at a time, and --compose takes 3", *goes_on, single, *three)
    refused("took steps 3 at a time, and --compose takes 2", *goes_on, start, "--compose", 2)
    refused(
        "found 5 steps from step 6 to 11", again, *out, "--steps", 11, "--restart", start, *three
    )
    pool = program(star(2, 1), "x periodic, y fixed")
    path = write(f"{folder}/pool.stencil", pool)
    refused(
        "'u' is fixed, and an axis is periodic, along y",
        path,
        *out,
        "--cells",
        9,
        *three,
        "--steps",
        3,
    )
    # A compiled file has what it was compiled with.
    built = f"{folder}/heat.so"
    gmg_run(heat[0], "--compile", built)
    refused(
        "compose: found '3' for program heat2d, expected off",
        built,
        *heat[1:],
        *three,
        "--steps",
        3,
    )
    gmg_run(heat[0], "--compile", built, *three)
    refused("expected off, or 3", built, *heat[1:], "--compose", 2, "--steps", 2)
    gmg_run(built, *heat[1:], *three, "--steps", 3)
    gmg_run(built, *heat[1:], "--steps", 2)
    expect(os.path.exists(f"{folder}/no.h5"), "nothing was written at last")


def check_generator(folder):
    heat = f"{EXAMPLES}/heat3d.stencil"
    for points, steps in ((25, 2), (63, 3), (129, 4), (231, 5)):
        said = run([GEN, heat, "--compose", str(steps), "--explain"]).stdout
        expect(
            f"composed:   {points} terms" in said, f"{steps} steps of seven points: {said[-500:]}"
        )
        expect("one by one: 7 terms; per point and step 8 operations, 16 compulsory" in said, said)
        cost = re.search(r"([\d.]+) operations, ([\d.]+) compulsory bytes\n  [\d.]+ times", said)
        weights = {2: 4, 3: 7, 4: 11, 5: 16}[steps]
        # a sum of all points, and a product for each weight
        wanted = (points - 1 + weights) / steps
        expect(cost and abs(float(cost[1]) - wanted) < 0.01, f"operations: {cost}, not {wanted}")
        expect(cost and abs(float(cost[2]) - 16 / steps) < 0.01, f"bytes: {cost}")
    for words, reason in (
        (["--compose", "17", "--explain"], "--compose takes a whole number from 2 to 16, not '17'"),
        (["--compose", "2x", "--explain"], "not '2x'"),
        (["--compose", "2", "-o", f"{folder}/x.c"], "target 'openmp' takes steps one by one"),
        (["--compose", "2", "--target", "cuda"], "target 'cuda' takes steps one by one"),
    ):
        done = run([GEN, heat, *words])
        expect(done.returncode == 2 and reason in done.stderr, f"{words}: {done.stderr}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_CACHE_HOME"] = f"{folder}/cache"
        # Bits do not depend on how well a compiler optimises, and large kernels take long.
        os.environ["CC"] = write(f"{folder}/quick-cc", '#!/bin/sh\nexec cc "$@" -O1\n')
        os.chmod(os.environ["CC"], 0o755)
        count = 0
        for name, text, cells, every, bound in programs():
            for steps in every:
                compare(name, text, cells, steps, bound, folder)
                count += 1
        check_refusals(folder, check_restart(folder))
        check_generator(folder)
    for fault in faults:
        print("FAILED", fault)
    told = ", ".join(f"{steps}: {error:.2g}" for steps, error in sorted(largest.items()))
    print(f"{count} programs; largest difference over the bound, by composed steps: {told}")
    print(f"{len(faults)} faults")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
