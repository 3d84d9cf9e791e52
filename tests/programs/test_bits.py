#!/usr/bin/env python3
# timeout: 1800
# sanitizers: no
# needs: mpi
# Programs on ranks, boxes and threads. Preconditions: a C compiler, h5py. What must vanish: the
# differences between the arrays that gmg run writes of every program of examples/programs, on 1, 2,
# 3, 5 and 8 ranks, with boxes of several sizes, 1 to 3 threads and 1 to 5 steps per exchange, and
# those of the sequential C that gmg-gen emits, bit by bit; and those between a run and one that
# goes on from any of its steps.
"""usage: test_bits.py GMG GMG_GEN SOURCE_DIR"""
import ctypes
import os
import re
import subprocess
import sys
import tempfile

import h5py
import numpy as np

GMG, GEN, SOURCE = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), sys.argv[3]
PROGRAMS = os.path.join(SOURCE, "examples", "programs")
STEPS = 7
# Ranks, cells of a box (0: one box per rank), threads, steps per exchange.
WAYS = [(1, 0, 1, 1), (1, 3, 2, 3), (2, 0, 2, 2), (3, 5, 1, 1), (5, 0, 1, 5), (5, 2, 3, 1)]
WAYS += [(8, 4, 1, 4)]
FEWER = [(1, 3, 3, 2), (3, 0, 2, 1), (2, 4, 1, 5)]
MORE = {"heat13", "wave", "gray_scott", "smooth27", "himeno"}  # that go all ways
faults = []

# Programs that the examples leave out: walls of all kinds in one program, an array that is shallow
# and deep in turn, three arrays that rotate, values two steps old.
WALLS = """stencil 1; dimensions 3; array u, v, w;
parameter a = 0.1;
boundary u: x_lo fixed, x_hi mirror_node, y periodic, z_lo value 0.5, z_hi mirror;
boundary v: x mirror_node, y_lo value 2, y_hi fixed, z periodic;
boundary w: all fixed;
initial u = x * y + sin(7 * z + x);
initial v = 1 + x - y * z;
initial w = cos(3 * x) + y;
kernel first {
  u[i][j][k] += a * (u[i+1][j-1][k+1] - u[i-2][j][k-1] + v[i][j-1][k+2] - u@-2[i][j+1][k]);
  t = fmax(v[i-1][j][k], w[i][j+2][k+1]);
  v[i][j][k] = t - a * fabs(v[i][j][k]) / (1 + w[i+1][j+1][k+1] * w[i][j][k]);
}
kernel second { w[i][j][k] = 0.5 * (v[i+1][j][k] + v[i-1][j+1][k]); }
swap v, w;
"""
# The same with walls that allow several steps per exchange.
DEEP = re.sub("boundary (?s:.*)(?=initial u)", "", WALLS).replace(
    "initial u",
    """boundary u: x_lo fixed, x_hi mirror_node, y mirror, z_lo value 0.5, z_hi mirror;
boundary v: x mirror_node, y value 1, z_lo mirror, z_hi fixed;
boundary w: x mirror, y mirror_node, z_lo value 2, z_hi fixed;
initial u""",
)
ROTATED = """stencil 1; dimensions 2; type float; array a, b, c, d; parameter r = 0.3, s;
boundary all fixed; boundary d: x mirror, y mirror_node;
initial a = x; initial b = y; initial c = x * y; initial d = i - 2 * j;
a[i][j] = r * (b[i+1][j] + c[i][j-2]) + d[i-1][j+1] - s * d[i+2][j];
rotate a, b, c;
d[i][j] *= 0.9;
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


def expect_refusal(option, value, said):
    """gmg run must end with status 2, and say so, on that value of an option."""
    words = [GMG, "run", f"{PROGRAMS}/heat3d.stencil", "--cells", "8", "--steps", "1"]
    done = run([*words, option, value, "--output", os.devnull])
    expect(
        done.returncode == 2 and said in done.stderr,
        f"{option} {value}: status {done.returncode}: {done.stderr}",
    )


def finish():
    """Prints the faults, and returns the exit status."""
    for fault in faults:
        print("FAILED", fault)
    print(f"{len(faults)} faults")
    return int(bool(faults))


def describe(path):
    """What --dump program says: arrays, their ghosts, parameters, dimensions, precision."""
    said = run([GEN, path, "--dump", "program"]).stdout
    arrays = re.findall(r"^  array (\w+)(?:: ([^;,\n]*))?", said, re.M)
    values = re.findall(r"^  parameter \w+(?: = (.*))?", said, re.M)
    return {
        "files": [shown if re.fullmatch(r"\w+@-\d", shown) else name for name, shown in arrays],
        "ghosts": max([int(n) for n in re.findall(r"ghosts (\d) deep", said)] + [0]),
        "parameters": [float(value or 0.2) for value in values],
        "dimensions": int(re.search(r"(\d) dimensions", said)[1]),
        "kind": np.float32 if ", float" in said.splitlines()[0] else np.float64,
    }


def serial(path, cells, folder):
    """The arrays after STEPS steps of the sequential program, by their names in files."""
    name, of = os.path.basename(path)[: -len(".stencil")], describe(path)
    text, library = f"{folder}/{name}_serial.c", f"{folder}/{name}_serial.so"
    flags = ["-O2", "-ffp-contract=off", "-shared", "-fPIC"]
    for words in (
        [GEN, path, "--target", "serial", "-o", text],
        ["cc", *flags, text, "-o", library, "-lm"],
    ):
        done = run(words)
        if done.returncode:
            raise SystemExit(f"FAILED {name}: {done.stderr}")
    deep = [of["ghosts"] if n < of["dimensions"] else 0 for n in range(3)]
    shape = [cells[d] + 2 * deep[d] for d in (2, 1, 0)]
    arrays = [np.zeros(shape, of["kind"]) for _ in of["files"]]
    pointers = (ctypes.c_void_p * len(arrays))(*[array.ctypes.data for array in arrays])
    values = (ctypes.c_double * len(of["parameters"]))(*of["parameters"])
    extents, loaded = (ctypes.c_int * 3)(*cells), ctypes.CDLL(library)
    getattr(loaded, f"{name}_initial")(extents, pointers, values)
    getattr(loaded, f"{name}_steps")(extents, ctypes.c_long(STEPS), pointers, values)
    inside = tuple(slice(deep[d], deep[d] + cells[d]) for d in (2, 1, 0))
    by_address = {array.ctypes.data: array for array in arrays}
    return {
        name: by_address[pointer][inside].astype(np.float64)
        for name, pointer in zip(of["files"], pointers)
        if not name.startswith("next_")
    }


def gmg_run(path, cells, way, more, output):
    ranks, box, threads, together = way
    launcher = ["mpirun", "--oversubscribe", "--bind-to", "none", "-n", str(ranks)]
    words = [GMG, "run", path, "--steps", str(STEPS), "--quiet", "--output", output, *more]
    words += ["--cells", ",".join(map(str, cells))] if "--restart" not in more else []
    words += ["--box", str(box)] if box else []
    words += ["--threads", str(threads), "--steps-per-exchange", str(together)]
    done = run((launcher if ranks > 1 else []) + words, threads)
    expect(done.returncode == 0, f"{path}, {way}: status {done.returncode}: {done.stderr}")
    return done.returncode == 0


def contents(path):
    """All datasets of a file, those of ghosts too."""
    found = {}
    with h5py.File(path, "r") as file:
        file.visititems(
            lambda name, item: found.update({name: item[()]})
            if isinstance(item, h5py.Dataset)
            else None
        )
    return found


def same_bits(one, other):
    return one.shape == other.shape and np.array_equal(one.view(np.uint64), other.view(np.uint64))


def check_program(path, cells, ways, folder, more=()):
    name = os.path.basename(path)
    wanted = serial(path, cells, folder)
    expect(all(np.isfinite(v).all() for v in wanted.values()), f"{name}: values are not finite")
    for way in ways:
        output = f"{folder}/out.h5"
        if not gmg_run(path, cells, way, [*more, "--cache", f"{folder}/cache"], output):
            continue
        found = contents(output)
        for array, values in wanted.items():
            expect(
                array in found and same_bits(found[array], values),
                f"{name}: '{array}' has other bits on {way[0]} ranks, box {way[1]}, "
                f"{way[2]} threads, {way[3]} steps per exchange",
            )


def check_restart(path, cells, folder, more=(), together=True):
    """From each step's file to the end, on other ranks: the same file."""
    name, cache = os.path.basename(path), ["--cache", f"{folder}/cache"]
    whole, rest = f"{folder}/whole.h5", f"{folder}/rest.h5"
    if not gmg_run(path, cells, (2, 0, 1, 1), [*more, *cache, "--series", "1"], whole):
        return
    wanted = contents(whole)
    for step in range(STEPS + 1):
        way = WAYS[step % len(WAYS)]
        way = way if together else (*way[:3], 1)
        start = f"{folder}/whole.{step:08d}.h5"
        if not gmg_run(path, cells, way, [*cache, "--restart", start], rest):
            continue
        found = contents(rest)
        expect(
            found.keys() == wanted.keys()
            and all(same_bits(found[key], wanted[key]) for key in wanted),
            f"{name}: a restart from step {step} ends elsewhere",
        )
        os.remove(start)


def main():
    with tempfile.TemporaryDirectory() as folder:
        for text, name in ((WALLS, "walls"), (DEEP, "deep"), (ROTATED, "rotated")):
            with open(f"{folder}/{name}.stencil", "w", encoding="utf-8") as stream:
                stream.write(text)
        own = [f"{folder}/{name}.stencil" for name in ("walls", "deep", "rotated")]
        single = [(*way[:3], 1) for way in WAYS]
        files = sorted(f for f in os.listdir(PROGRAMS) if f.endswith(".stencil"))
        expect(len(files) >= 12, f"{len(files)} programs, not twelve")
        for file in files:
            path, name = f"{PROGRAMS}/{file}", file[: -len(".stencil")]
            cells = (13, 9, 11) if describe(path)["dimensions"] == 3 else (19, 14, 1)
            check_program(path, cells, WAYS if name in MORE else FEWER, folder)
        check_program(own[0], (9, 8, 7), single, folder)
        check_program(own[1], (9, 8, 7), WAYS, folder)
        check_program(own[1], (3, 4, 5), [(1, 1, 1, 1), (3, 1, 1, 3)], folder)
        check_program(own[2], (11, 10, 1), WAYS, folder, ["--set", "s=0.2"])
        check_restart(own[0], (9, 8, 7), folder, together=False)
        check_restart(own[1], (9, 8, 7), folder)
        check_restart(own[2], (11, 10, 1), folder, ["--set", "s=0.2"])
        check_restart(f"{PROGRAMS}/wave.stencil", (12, 10, 8), folder)
    for fault in faults:
        print("FAILED", fault)
    print(f"{len(files) + 3} programs, {len(faults)} faults")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
