#!/usr/bin/env python3
# timeout: 1800
# sanitizers: no
# needs: mpi
# Reductions of programs. Preconditions: a C compiler, h5py. What must vanish: the differences,
# bit by bit, between values on 1, 2, 5 and 8 ranks, with boxes of several sizes, 1 to 3 threads
# and 1 to 4 steps per exchange, and those of the sequential C that gmg-gen emits; those between a
# run and one that goes on from any of its steps; those between the arrays of a run with values
# and one without; those from sums with math.fsum beyond an ulp; changes of waves' energy beyond
# rounding; values that are not finite and are not seen.
"""usage: test_values.py GMG GMG_GEN SOURCE_DIR"""
import ctypes
import json
import math
import os
import re
import subprocess
import sys
import tempfile

import h5py
import numpy as np

GMG, GEN, SOURCE = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), sys.argv[3]
STEPS, EVERY = 7, 3
# Ranks, cells of a box (0: one box per rank), threads, steps per exchange.
WAYS = [(1, 0, 1, 1), (1, 3, 2, 3), (2, 0, 2, 2), (2, 4, 3, 1), (5, 0, 1, 1), (5, 2, 3, 4)]
WAYS += [(8, 4, 1, 3)]
# Ranks that have less than 8192 cells take one thread.
MANY_CELLS = (37, 26, 25)
THREADED = [(1, 0, 3, 1), (1, 11, 2, 3), (2, 0, 2, 2)]
faults = []

# Past values, neighbours across edges and two cells away, an array that no kernel reads elsewhere
# than at its own point, one that only a reduction reads; ghosts that are mirrors, data, periodic.
WAVE = """stencil 1; dimensions 3; array u, v, weight;
reduce energy = sum weight[i][j][k] * ((u[i][j][k] - u@-1[i][j][k]) * (u[i][j][k] - u@-1[i][j][k])
  + a * (u[i+1][j-1][k] - u[i-2][j][k]) * v[i][j][k+1]);
reduce total = sum u[i][j][k];
reduce least = min v[i][j+1][k] * u[i][j][k];
reduce largest = max fabs(u[i][j][k-1]) - b;
parameter a = 0.1, b = 3;
boundary u: x value 0.5, y mirror, z_lo mirror_node, z_hi fixed;
boundary v: x mirror, y mirror_node, z fixed;
initial u = sin(9 * x + 5 * y) * cos(7 * z) - 0.2;
initial v = 1 + x * y - 1.7 * z;
initial weight = 1 + x + y;
around = u[i+1][j][k] + u[i-1][j][k] + u[i][j+1][k] + u[i][j-1][k] + u[i][j][k+1] + u[i][j][k-1];
u[i][j][k] = 2 * u[i][j][k] - u@-1[i][j][k] + a * (around - 6 * u[i][j][k]);
v[i][j][k] = 0.9 * v[i][j][k] + 0.01 * around * b;
"""
# Single precision, arrays that rotate, periodic walls, values far from each other in size.
ROTATED = """stencil 1; dimensions 2; type float; array p, q, r; parameter s = 0.3;
boundary all periodic;
reduce sum_p = sum p[i][j];
reduce products = sum p[i+1][j+1] * q[i-1][j] - r[i][j];
reduce lowest = min r[i][j+2] - p[i][j];
reduce highest = max q[i][j];
initial p = pow(10, 20 * x) * (x > y ? 1 : -1); initial q = y - 0.3; initial r = x * y;
p[i][j] = s * (p[i+1][j] + q[i][j-1]) - r[i][j] / 7;
rotate p, q, r;
"""
# Sums with much that cancels: the terms' sum is that of the small ones.
CANCEL = """stencil 1; dimensions 2; array u, v; parameter big = 1e16;
reduce small = sum u[i][j]; reduce large = sum v[i][j] * v[i][j];
initial u = (x < 0.25 ? big : x < 0.5 ? -big : sin(77 * x + 11 * y));
initial v = exp(30 * (x - y));
u[i][j] *= 1; v[i][j] *= 0.5;
"""
# name: a reduction, what it must be, and whether a run with it ends in status 1
ODD = {
    "root of less than 0, a negative NaN": ("sum sqrt(u[i][j])", "nan", 1),
    "its least": ("min sqrt(u[i][j])", "nan", 1),
    "its largest": ("max sqrt(u[i][j])", "nan", 1),
    "largest of -NaN": ("max -sqrt(u[i][j])", "nan", 1),
    "0 / 0": ("sum (u[i][j] - u[i][j]) / (w[i][j] - w[i][j])", "nan", 1),
    "infinite term": ("sum 1 / (w[i][j] * w[i][j])", "inf", 1),
    "least of infinite": ("min -1 / (w[i][j] * w[i][j])", "-inf", 1),
    "largest of infinite": ("max 1 / (w[i][j] * w[i][j])", "inf", 1),
    "term of 1e300": ("sum 1e300 * w[i][j]", "inf", 1),
    "zeros": ("sum 0 * u[i][j]", "0", 0),
    "all below 0": ("max -1 - w[i][j]", "-1", 0),
    "all above 0": ("min 1e-310 + w[i][j]", "1e-310", 0),
    "zeros of both signs, least": ("min fmin(0, u[i][j]) * 0", "-0", 0),
    "zeros of both signs, largest": ("max fmin(0, u[i][j]) * 0 * w[i][j]", "0", 0),
}
ODD_TEXT = """stencil 1; dimensions 2; array u, w; reduce value = %s;
initial u = i == 3 && j == 4 ? -2 : 5; initial w = i == 2 && j == 6 ? 0 : i + j;
u[i][j] *= 1; w[i][j] *= 1;
"""


def run(words, threads=1):
    return subprocess.run(
        words,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "OMP_NUM_THREADS": str(threads)},
    )


def expect(good, what):
    if not good:
        faults.append(what)


def write(path, text):
    with open(path, "w", encoding="utf-8") as stream:
        stream.write(text)
    return path


def gmg_run(path, cells, way, more, output, status=0):
    ranks, box, threads, together = way
    launcher = ["mpirun", "--oversubscribe", "--bind-to", "none", "-n", str(ranks)]
    words = [GMG, "run", path, "--steps", str(STEPS), "--output", output, *more]
    words += ["--cells", ",".join(map(str, cells))] if "--restart" not in more else []
    words += ["--box", str(box)] if box else []
    words += ["--threads", str(threads), "--steps-per-exchange", str(together)]
    done = run((launcher if ranks > 1 else []) + words, threads)
    expect(done.returncode == status, f"{path}, {way}: status {done.returncode}: {done.stderr}")
    return done


def contents(path, group):
    with h5py.File(path, "r") as file:
        return {
            name: item[()] for name, item in file[group].items() if isinstance(item, h5py.Dataset)
        }


def same_bits(one, other):
    one, other = np.asarray(one, np.float64), np.asarray(other, np.float64)
    return one.shape == other.shape and np.array_equal(one.view(np.uint64), other.view(np.uint64))


def same(one, other):
    return one.keys() == other.keys() and all(same_bits(one[key], other[key]) for key in one)


def serial(path, cells, folder, target="serial", threads=1):
    """Values by the emitted C, at step 0 and after every step."""
    name = os.path.basename(path)[: -len(".stencil")]
    text, library = f"{folder}/{name}_{target}.c", f"{folder}/{name}_{target}.so"
    flags = ["-O2", "-Wall", "-Wextra", "-Werror", "-ffp-contract=off", "-fopenmp", "-shared"]
    for words in (
        [GEN, path, "--target", target, "-o", text],
        ["cc", *flags, "-fPIC", text, "-o", library, "-lm"],
    ):
        done = run(words)
        if done.returncode:
            raise SystemExit(f"FAILED {name}: {done.stderr}")
    said = run([GEN, path, "--dump", "program"]).stdout
    count = len(re.findall(r"^  array ", said, re.M))
    deep = max([int(n) for n in re.findall(r"ghosts (\d) deep", said)] + [0])
    values = [float(value) for value in re.findall(r"^  parameter \w+ = (.*)", said, re.M)]
    kind = np.float32 if ", float" in said.splitlines()[0] else np.float64
    shape = [n + 2 * deep if n > 1 else 1 for n in reversed(cells)]
    arrays = [np.zeros(shape, kind) for _ in range(count)]
    pointers = (ctypes.c_void_p * count)(*[array.ctypes.data for array in arrays])
    given = ((ctypes.c_int * 3)(*cells), pointers, (ctypes.c_double * len(values))(*values))
    loaded = ctypes.CDLL(library)
    ctypes.CDLL("libgomp.so.1").omp_set_num_threads(threads)
    getattr(loaded, f"{name}_initial")(*given)
    found = {}
    for step in range(STEPS + 1):
        for reduction in re.findall(r"^  reduce (\w+)", said, re.M):
            function = getattr(loaded, f"{name}_value_{reduction}")
            function.restype = ctypes.c_double
            found.setdefault(reduction, []).append(function(*given))
        getattr(loaded, f"{name}_steps")(given[0], ctypes.c_long(1), *given[1:])
    return found


def check_program(path, cells, ways, folder):
    name, cache = os.path.basename(path), ["--cache", f"{folder}/cache"]
    every = serial(path, cells, folder)
    for threads in (1, 3):
        other = serial(path, cells, folder, "openmp", threads)
        expect(same(every, other), f"{name}: other bits of the C text with {threads} threads")
    steps = [*range(0, STEPS, EVERY), STEPS]
    wanted = {key: [values[step] for step in steps] for key, values in every.items()}
    wanted["step"] = steps
    for key, values in wanted.items():
        expect(len(set(values)) == len(steps), f"{name}: '{key}' does not change: {values}")
    bare = f"{folder}/bare.h5"
    gmg_run(path, cells, (1, 0, 1, 1), cache, bare)
    expect(
        same(contents(bare, "/values"), {key: values[-1:] for key, values in wanted.items()}),
        f"{name}: without --values not those of the end",
    )
    for way in ways:
        output = f"{folder}/out.h5"
        gmg_run(path, cells, way, [*cache, "--values", str(EVERY)], output)
        found = contents(output, "/values")
        expect(same(found, wanted), f"{name}, {way}: {found}, not {wanted}")
        expect(
            same(contents(output, "/"), contents(bare, "/")),
            f"{name}, {way}: values change the arrays",
        )
    return wanted


def check_restart(path, cells, folder, wanted):
    more = ["--cache", f"{folder}/cache", "--values", str(EVERY)]
    whole, rest = f"{folder}/whole.h5", f"{folder}/rest.h5"
    gmg_run(path, cells, (2, 0, 1, 1), [*more, "--series", "1"], whole)
    for step in range(STEPS + 1):
        way, start = WAYS[step % len(WAYS)], f"{folder}/whole.{step:08d}.h5"
        gmg_run(path, cells, way, [*more, "--restart", start], rest)
        found = contents(rest, "/values")
        expect(same(found, wanted), f"{path}: after a restart from step {step} {found}")
    with h5py.File(start, "r+") as file:
        file["values/step"][...] = file["values/step"][()][::-1]
    done = gmg_run(path, cells, WAYS[0], [*more, "--restart", start], rest, status=2)
    expect("numbers that increase" in done.stderr, f"steps that sink: {done.stderr}")
    with h5py.File(start, "r+") as file:
        del file["values/total"]
    with h5py.File(start, "r+") as file:
        file["values/step"][...] = np.sort(file["values/step"][()])
    done = gmg_run(path, cells, WAYS[0], [*more, "--restart", start], rest, status=2)
    expect("there is no /values/total" in done.stderr, f"no total: {done.stderr}")


def check_exact(folder):
    """Sums of the arrays of the result with math.fsum, and what the bound allows."""
    path, output = write(f"{folder}/cancel.stencil", CANCEL), f"{folder}/cancel.h5"
    gmg_run(path, (64, 60, 1), (1, 7, 2, 1), ["--cache", f"{folder}/cache"], output)
    found, arrays = contents(output, "/values"), contents(output, "/")
    u, v = arrays["u"].ravel(), arrays["v"].ravel()
    exact = math.fsum(u)
    error = abs(found["small"][0] - exact)
    print(f"a sum of {exact:.17g} among terms of 1e16: {error:.1e} off")
    expect(error < 64 * 60 * 1e16 * 2.0**-60 + math.ulp(exact), f"cancelling: {error} off")
    expect(abs(np.sum(u) - exact) > 100 * error, "the sum does not tell a plain one from ours")
    exact = math.fsum(v * v)
    error = abs(found["large"][0] - exact) / math.ulp(exact)
    print(f"a sum of {exact:.17g}: {error:.2g} ulp off")
    expect(error <= 1, f"{error} ulp off")


def check_energy(folder):
    """Leapfrog keeps the energy of examples/programs/wave.stencil, beyond rounding."""
    path, output = f"{SOURCE}/examples/programs/wave.stencil", f"{folder}/energy.h5"
    more = ["--cache", f"{folder}/cache", "--values", "1"]
    gmg_run(path, (24, 20, 16), (2, 0, 1, 1), more, output)
    found = contents(output, "/values")
    energy = found["kinetic"] + found["elastic"]
    change = float(np.abs(energy / energy[0] - 1).max())
    print(
        f"energy of waves: changes by {change:.1e}, its kinetic part by {found['kinetic'][-1]:.1e}"
    )
    expect(change < 1e-13, f"energy changes by {change}")
    expect(found["kinetic"][-1] > 0.01 * energy[0], "nothing moves")


def check_odd(folder):
    for name, (text, wanted, status) in ODD.items():
        path, output = write(f"{folder}/odd.stencil", ODD_TEXT % text), f"{folder}/odd.h5"
        for way in ((1, 3, 2, 1), (2, 0, 1, 1)):
            more = ["--cache", f"{folder}/cache", "--report", f"{folder}/odd.json"]
            gmg_run(path, (8, 9, 1), way, more, output, status)
            found = contents(output, "/values")["value"][0]
            expect(f"{found:.17g}" == f"{float(wanted):.17g}", f"{name}: {found}, not {wanted}")
            with open(f"{folder}/odd.json", encoding="utf-8") as stream:
                report = json.load(stream)
            expect(
                report["values"]["value"] == [float(wanted) if not status else None]
                and report["status"] == ("not_finite" if status else "done"),
                f"{name}: the report says {report['status']}, {report['values']}",
            )


def check_lines(folder):
    """What is printed, and options that are refused."""
    path = write(f"{folder}/wave.stencil", WAVE)
    more = ["--cache", f"{folder}/cache", "--values", "5", "--report", f"{folder}/r.json"]
    said = gmg_run(path, (9, 8, 7), WAYS[0], more, f"{folder}/out.h5").stdout
    lines = re.findall(r"^values     step (\d+): energy (\S+), total (\S+), least", said, re.M)
    found = contents(f"{folder}/out.h5", "/values")
    expect(
        [(int(step), float(energy), float(total)) for step, energy, total in lines]
        == list(zip(found["step"], found["energy"], found["total"])),
        f"the lines are {lines}",
    )
    with open(f"{folder}/r.json", encoding="utf-8") as stream:
        values = json.load(stream)["values"]
    expect(same(values, found), f"the report has {values}")
    plain = "stencil 1; dimensions 2; array u; initial u = x; u[i][j] *= 2;"
    path = write(f"{folder}/plain.stencil", plain)
    done = gmg_run(path, (4, 4, 1), WAYS[0], more, f"{folder}/none.h5", status=2)
    expect("plain.stencil reduces nothing" in done.stderr, f"no reductions: {done.stderr}")
    path = write(
        f"{folder}/unset.stencil",
        "stencil 1; dimensions 2; array u, w; reduce e = sum w[i][j]; initial u = x; u[i][j] *= 2;",
    )
    done = gmg_run(path, (4, 4, 1), WAYS[0], more, f"{folder}/none.h5", status=2)
    expect("array 'w' of" in done.stderr, f"an array without values: {done.stderr}")
    done = gmg_run(path, (4, 4, 1), WAYS[0], ["--values", "0"], f"{folder}/none.h5", status=2)
    expect("'0' is not a whole number from 1" in done.stderr, f"--values 0: {done.stderr}")
    expect(not os.path.exists(f"{folder}/none.h5"), "a refused run writes")


def main():
    with tempfile.TemporaryDirectory() as folder:
        wave = write(f"{folder}/wave.stencil", WAVE)
        wanted = check_program(wave, (13, 9, 10), WAYS, folder)
        check_restart(wave, (13, 9, 10), folder, wanted)
        check_program(wave, MANY_CELLS, THREADED, folder)
        check_program(write(f"{folder}/rotated.stencil", ROTATED), (19, 14, 1), WAYS, folder)
        check_exact(folder)
        check_energy(folder)
        check_odd(folder)
        check_lines(folder)
    for fault in faults:
        print("FAILED", fault)
    print(f"{len(WAYS)} ways, {len(ODD)} odd values, {len(faults)} faults")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
