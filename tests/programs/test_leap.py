#!/usr/bin/env python3
# sanitizers: no
# needs: mpi
# gmg run --method fft. Preconditions: a C compiler, h5py, KissFFT. What must vanish: the difference
# between arrays after all steps at once and after steps one by one, over the largest value, beyond
# 1e-13 a step, in every cell, for stars and dense stencils in two and three dimensions, periodic
# axes, also with other weights on both sides, and walls of all kinds that qualify, with values too,
# past values, sources and several arrays; any difference between ranks, boxes and threads; what
# does not qualify and is not refused with a sentence that says why; growth of steps that differs
# from the formula, or that is unstable and not told.
"""usage: test_leap.py GMG GMG_GEN SOURCE_DIR"""
import itertools
import json
import math
import os
import subprocess
import sys
import tempfile

import h5py
import numpy as np

GMG = os.path.abspath(sys.argv[1])
EXAMPLES = os.path.join(os.path.abspath(sys.argv[3]), "examples", "programs")
BOUND = 1e-13
# Ranks, cells of a box, threads.
WAYS = [(2, 0, 1), (1, 5, 2), (3, 4, 2)]
WALLS = {
    "mirrors": "all mirror",
    "held": "all value 0",
    "values": "x_lo value 0.5, x_hi value -1, y value 2, z_lo value -2, z_hi value 0.25",
    "mixed": "x_lo value 0.5, x_hi mirror, y_lo mirror, y_hi value 0, z periodic",
    "periodic": "all periodic",
    "channel": "x periodic, y_lo value 1, y_hi mirror, z mirror",
}
faults, worst = [], 0.0


def expect(good, what):
    if not good:
        faults.append(what)


def write(path, text):
    with open(path, "w", encoding="utf-8") as stream:
        stream.write(text)
    return path


def gmg_run(path, *more, ranks=1, status=0):
    launcher = ["mpirun", "--oversubscribe", "--bind-to", "none", "-n", str(ranks)]
    words = (launcher if ranks > 1 else []) + [GMG, "run", path, *map(str, more)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    expect(done.returncode == status, f"{path} {more}: status {done.returncode}: {done.stderr}")
    return done


def contents(path):
    """Datasets of cells."""
    with h5py.File(path, "r") as file:
        return {name: item[()] for name, item in file.items() if isinstance(item, h5py.Dataset)}


def report_of(path):
    with open(path, encoding="utf-8") as stream:
        return json.load(stream)


# ---- programs ----


def subscripts(offset):
    return "".join(f"[{axis}{o:+d}]" if o else f"[{axis}]" for axis, o in zip("ijk", offset))


def program(dimensions, walls, dense=False, reach=1, skew=()):
    """u becomes a weighted mean, other weights along each axis, so that rounding does not grow."""
    offsets = itertools.product(range(-reach, reach + 1), repeat=dimensions)
    offsets = [o for o in offsets if dense or sum(map(bool, o)) <= 1]
    along = [(1, 0.7 - 0.2 * d, 0.1) for d in range(3)]
    lean = [(lambda n, d=d: 0.4 if d in skew and n < 0 else 1) for d in range(3)]
    weight = {o: math.prod(along[d][abs(n)] * lean[d](n) for d, n in enumerate(o)) for o in offsets}
    total = sum(weight.values())
    walls = ", ".join(rule for rule in walls.split(", ") if dimensions == 3 or rule[0] != "z")
    sums = " + ".join(f"{weight[o] / total!r} * u{subscripts(o)}" for o in offsets)
    return (
        f"stencil 1; dimensions {dimensions}; array u; parameter q = 0.001; boundary u: {walls};\n"
        "initial u = sin(7 * x + 3) * cos(5 * y) + x * y + 0.1 * (i - j);\n"
        f"u{subscripts((0,) * dimensions)} = {sums} + q * q;\n"
    )


WAVE = """stencil 1; dimensions 2; array p; parameter c2 = 0.2, f = 0.01;
boundary p: x_lo value 0.5, x_hi mirror, y_lo value 1, y_hi mirror;
reduce total = sum p[i][j];
initial p = exp(-20 * ((x - 0.4) * (x - 0.4) + (y - 0.5) * (y - 0.5)));
p[i][j] = (2 - 4 * c2) * p[i][j] - p@-1[i][j] + f
  + c2 * (p[i+1][j] + p[i-1][j] + p[i][j+1] + p[i][j-1]);
"""
# Two arrays that act on each other in space, a source, and what the second kernel makes of the
# first one's values.
SYSTEM = """stencil 1; dimensions 3; array u, v, s; parameter d = 0.05, feed = 0.1, r = 0.03;
boundary u: x mirror, y_lo value 1, y_hi mirror, z periodic;
boundary v: x mirror, y_lo value 0.5, y_hi mirror, z periodic;
initial u = x * y + sin(7 * z + x); initial v = 1 + x - y * z; initial s = x - z * z;
kernel first {
  around = u[i+1][j][k] + u[i-1][j][k] + u[i][j+1][k] + u[i][j-1][k] + u[i][j][k+1] + u[i][j][k-1];
  u[i][j][k] += d * (around - 6 * u[i][j][k]) - sqrt(feed) * (u[i][j][k] - v[i][j][k]) / 5 + 0.02;
}
kernel second {
  v[i][j][k] = (1 - r) * v[i][j][k] + r / 2 * (u[i][j+1][k] + u[i][j-1][k]) + 0.1 * s[i][j][k];
}
"""
TURNS = """stencil 1; dimensions 2; array now, then; parameter r = 0.2;
boundary x value 1, y periodic;
initial now = x * x - y; initial then = 3 * y + x;
around = now[i+1][j] + now[i-1][j] + now[i][j+1] + now[i][j-1];
then[i][j] = now[i][j] + r * (around - 4 * now[i][j]);
swap now, then;
"""


def programs():
    """Name, text, cells, steps."""
    for n, (walls, rules) in enumerate(WALLS.items()):
        dense = n % 2 == 0
        yield f"flat_{walls}", program(2, rules, dense, 1 + n // 2 % 2), (17, 14, 1), 40 + n
        yield f"deep_{walls}", program(3, rules, not dense), (9 + n, 12, 7), 25 - n
    for cells in ((16, 9, 1), (7, 10, 8), (6, 5, 9)):
        text = program(2 if cells[2] == 1 else 3, WALLS["periodic"], cells[0] != 7, 1, (0, 1, 2))
        yield f"drift{cells[0]}", text, cells, 30
    yield "drift", program(3, WALLS["channel"], True, 1, (0,)), (21, 8, 6), 31
    yield "wave", WAVE, (19, 16, 1), 60
    yield "system", SYSTEM, (11, 12, 10), 33
    yield "turns", TURNS, (13, 12, 1), 21


# ---- checks ----


def compare(name, text, cells, steps, folder, ways):
    global worst
    path, out, report = f"{folder}/{name}.stencil", f"{folder}/out.h5", f"{folder}/report.json"
    write(path, text)
    more = ["--cells", ",".join(map(str, cells)), "--steps", steps, "--quiet", "--output", out]
    more += ["--report", report]
    gmg_run(path, *more, "--backend", "openmp")
    single = contents(out)
    expect(report_of(report)["method"] == "steps", f"{name}: steps are not reported")
    gmg_run(path, *more, "--method", "fft")
    found = contents(out)
    told = report_of(report)
    expect(told["method"] == "fft" and told["steps"] == steps, f"{name}: reported {told}")
    expect(abs(told["growth"] - 1) < 0.2, f"{name}: growth {told['growth']}")
    most = max(np.abs(values).max() for values in single.values())
    error = max(np.abs(single[key] - found[key]).max() for key in single) / most / steps / BOUND
    worst = max(worst, error)
    expect(error <= 1, f"{name}: {error:.2e} times the bound off")
    same = all(np.array_equal(single[key], found[key]) for key in single)
    expect(not same, f"{name}: the bits of steps one by one")
    for ranks, box, threads in ways:
        way = ["--threads", threads, *(["--box", box] if box else [])]
        gmg_run(path, *more, "--method", "fft", *way, ranks=ranks)
        other = contents(out)
        same = all(np.array_equal(found[key], other[key]) for key in found)
        expect(same, f"{name}, {ranks} ranks, box {box}: other bits")


def check_between(folder):
    """Leaps from one file to the next, and on from there; none at all; parts that are not alike."""
    path, out = write(f"{folder}/again.stencil", WAVE), f"{folder}/again.h5"
    words = [path, "--method", "fft", "--quiet", "--output", out, "--cells", "18,17"]
    gmg_run(*words, "--steps", 0)
    start = contents(out)
    gmg_run(*words[:1], *words[3:], "--steps", 0)
    same = all(np.array_equal(values, start[key]) for key, values in contents(out).items())
    expect(same, "no steps at all: other values")
    between = ["--steps", 50, "--series", 20, "--values", 10]
    gmg_run(*words, *between, ranks=2)
    whole = contents(out)
    with h5py.File(out, "r") as file:
        expect(list(file["values/step"]) == [0, 10, 20, 30, 40, 50], "other values on the way")
        expect(abs(file["values/total"][-1] / whole["p"].sum() - 1) < 1e-12, "a wrong sum")
    gmg_run(*words, *between, "--weights", "1,0,2", ranks=3)
    same = all(np.array_equal(values, whole[key]) for key, values in contents(out).items())
    expect(same, "ranks of which one has nothing: other bits")
    gmg_run(*words[:6], "--steps", 50, "--restart", f"{folder}/again.00000020.h5")
    rest = contents(out)
    error = max(np.abs(whole[key] - rest[key]).max() for key in whole)
    expect(error < 50 * BOUND, f"a restart: {error:.2e} off")


def check_growth(folder):
    out, report = f"{folder}/growth.h5", f"{folder}/growth.json"
    heat = [f"{EXAMPLES}/heat2d.stencil", "--cells", 16, "--steps", 2, "--output", out]
    # Waves p = a^n with a + 1 / a = 2 - 4 q, where q = c2 (sin²(θ/2) + sin²(φ/2)), at most 2 c2.
    for c2 in (0.2, 0.499, 0.6, 1.3):
        path = write(f"{folder}/wave.stencil", WAVE)
        highest = [math.sin(math.pi * (2 * 15 + 1) / 4 / 16) ** 2] * 2  # value … mirror
        half = 1 - 2 * c2 * sum(highest)
        wanted = 1 if half >= -1 else -half + math.sqrt(half * half - 1)
        words = [path, "--cells", 16, "--steps", 2, "--output", out, "--report", report]
        for method in ("fft", "steps"):
            said = gmg_run(*words, "--set", f"c2={c2}", "--method", method).stdout
            found = report_of(report)["growth"]
            expect(abs(found - wanted) < 1e-7, f"c2 = {c2}: growth {found}, not {wanted}")
            told = f"growth     {wanted:.5g} a step: the steps are unstable" in said
            expect(told == (wanted > 1.001), f"c2 = {c2}: {said}")
            expect(("method     fft: all steps" in said) == (method == "fft"), f"not told: {said}")
    expect("unstable" not in gmg_run(*heat).stdout, "heat is called unstable")
    scott = [f"{EXAMPLES}/gray_scott.stencil", "--cells", 8, "--steps", 1, "--output", out]
    gmg_run(*scott, "--report", report)
    expect(report_of(report)["growth"] is None, "a growth of steps that are not linear")


def refused(reason, *words):
    done = gmg_run(*words, "--method", "fft", status=2)
    expect(reason in done.stderr, f"{words}: not '{reason}' but {done.stderr!r}")


def check_refusals(folder):
    end = ["--cells", 8, "--steps", 4, "--output", f"{folder}/no.h5"]
    head, both = "stencil 1; dimensions 2; array u; initial u = x;", "array b; initial b = y;"
    mean = "u[i][j] = 0.25 * (u[i-1][j] + u[i+1][j]) + 0.5 * u[i][j];"
    cases = {
        "it multiplies two values that change: '": "boundary all mirror; u[i][j] *= u[i-1][j];",
        "weights that vary in space: it multiplies values of '": f"{both} u[i][j] *= b[i][j];",
        "computes more than sums of products": f"{both} u[i][j] += sqrt(b[i][j]);",
        "'u' is fixed along x": f"boundary x fixed; {mean}",
        "'u' has a wall 'mirror_node' along x": f"boundary x_lo mirror, x_hi mirror_node; {mean}",
        "on the lower than on the upper side along x": "boundary x mirror; u[i][j] = u[i-1][j];",
        "'u' and 'b' have walls of other kinds along x": f"{both} boundary u: x mirror; "
        "boundary b: x value 0; u[i][j] = u[i-1][j] + u[i+1][j] + b[i-1][j] + b[i+1][j];",
        "more than 8 arrays": f"{both} u[i][j] = u@-4[i][j] + b@-4[i][j]; b[i][j] = u@-1[i][j];",
    }
    for reason, words in cases.items():
        if both in words:
            words = words.replace(both, f"{both} boundary all mirror;")
        else:
            words = f"boundary all mirror; {words}"
        refused(reason, write(f"{folder}/no.stencil", f"{head} {words}\n"), *end)
    text = head.replace("array", "type float; array")
    text = f"{text} boundary all mirror;\n{mean}\n"
    refused("is in single precision", write(f"{folder}/no.stencil", text), *end)
    refused("weights that vary in space", f"{EXAMPLES}/variable7.stencil", *end)
    expect(not os.path.exists(f"{folder}/no.h5"), "what was refused has a result")
    heat = [f"{EXAMPLES}/heat2d.stencil", *end]
    refused("found --compose 2, expected one of them", *heat, "--compose", 2)
    refused("found --backend cuda, expected openmp or none", *heat, "--backend", "cuda")
    done = gmg_run(*heat, "--method", "dft", status=2)
    expect("--method: found 'dft', expected steps or fft" in done.stderr, done.stderr)


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_CACHE_HOME"] = f"{folder}/cache"
        os.environ["CC"] = write(f"{folder}/quick-cc", '#!/bin/sh\nexec cc "$@" -O1\n')
        os.chmod(os.environ["CC"], 0o755)
        every = list(programs())
        for n, (name, text, cells, steps) in enumerate(every):
            ways = WAYS if n + 3 >= len(every) else WAYS[n % 3 : n % 3 + 1]
            compare(name, text, cells, steps, folder, ways)
        check_between(folder)
        check_growth(folder)
        check_refusals(folder)
    for fault in faults:
        print("FAILED", fault)
    print(f"{len(every)} programs; largest difference: {worst:.2g} of the bound")
    print(f"{len(faults)} faults")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
