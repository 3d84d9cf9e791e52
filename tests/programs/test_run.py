#!/usr/bin/env python3
# sanitizers: no
# gmg run. Preconditions: a C compiler, h5py. What must vanish: wrong arguments, files and values
# that are not refused with their reason, exit status 2 and nothing written; what input files say of
# arrays and their ghosts and runs do not begin with; members that a report lacks; the difference of
# Aliev and Panfilov's scheme, loop by loop, from examples/programs/aliev_panfilov_2d.stencil,
# beyond rounding.
"""usage: test_run.py GMG GMG_GEN SOURCE_DIR"""
import json
import os
import signal
import subprocess
import sys
import tempfile
import time

import h5py
import numpy as np

GMG, SOURCE = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[3])
PROGRAMS = os.path.join(SOURCE, "examples", "programs")
HEAT = f"{PROGRAMS}/heat3d.stencil"
COPY = """stencil 1; dimensions 2; array u, v; parameter a;
boundary u: all fixed;
v[i][j] = u[i-1][j] + 10 * u[i][j+1] + a;
"""
BLOWS_UP = "stencil 1; dimensions 2; grid 4 4; steps 400; array u; initial u = 1; u[i][j] *= 10;\n"
REPORT = """status program source_hash cells first_step steps parameters arrays values
run_seconds further_steps further_seconds kernel_seconds ghost_seconds cells_per_second flops
compulsory_bytes bytes precision backend device device_bytes device_ranks overlapped_ranks isa ranks
threads boxes method growth tuned composed steps_per_exchange steps_per_pass single_steps weights
wait_seconds version""".split()
faults = []


def run(*words, **variables):
    return subprocess.run(
        [GMG, "run", *words],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **variables},
    )


def expect(good, what):
    if not good:
        faults.append(what)


def refused(what, reason, *words, **variables):
    before = sorted(os.listdir("."))
    done = run(*words, **variables)
    expect(done.returncode == 2, f"{what}: status {done.returncode}, not 2: {done.stderr}")
    expect(
        done.stderr.startswith("gmg: ") and reason in done.stderr,
        f"{what}: not '{reason}' but {done.stderr!r}",
    )
    expect(sorted(os.listdir(".")) == before, f"{what}: files were written: {os.listdir('.')}")


def write(name, text):
    with open(name, "w", encoding="utf-8") as stream:
        stream.write(text)


def put(name, **datasets):
    with h5py.File(name, "w") as file:
        for path, values in datasets.items():
            file[path.replace("__", "/")] = values


def get(name, path):
    with h5py.File(name, "r") as file:
        return file[path][()]


def check_arguments():
    write("copy.stencil", COPY)
    write("wrong.stencil", "stencil 1; dimensions 2; array u;\nu[i][j] = w[i][j];\n")
    run(HEAT, "--cells", "4", "--steps", "1", "--quiet", "--output", "heat.h5")
    out = ["--output", "out.h5"]
    refused("no program", "needs a program")
    refused("another ending", "NAME.stencil", "heat.c")
    refused("no such file", "none.stencil cannot be read", "none.stencil")
    refused("wrong program", "wrong.stencil:2:11: error: 'w' is neither", "wrong.stencil", *out)
    refused("unknown option", "the nearest is --steps", HEAT, "--step", "3")
    refused("cells", "found '8,0,8'", HEAT, "--cells", "8,0,8", *out)
    refused("two cells for three dimensions", "found 2 numbers", HEAT, "--cells", "8,8", *out)
    refused("three cells for two", "has 2 dimensions", "copy.stencil", "--cells", "8,8,8", *out)
    refused("no grid", "says no grid", "copy.stencil", "--steps", "2", *out)
    refused("no steps", "says no number of steps", "copy.stencil", "--cells", "8", *out)
    refused("steps", "'-1' is not a whole number from 0", HEAT, "--steps", "-1", *out)
    refused("set", "found 'alpha', expected NAME=NUMBER", HEAT, "--set", "alpha", *out)
    refused("set not a number", "found 'alpha=x'", HEAT, "--set", "beta=1,alpha=x", *out)
    refused("unknown parameter", "no parameter 'q'; it has alpha, beta", HEAT, "--set", "q=1", *out)
    small = ["copy.stencil", "--cells", "4", "--steps", "1", *out]
    refused("no value", "parameter 'a' of program copy has no value", *small)
    refused("no values", "array 'u' of copy.stencil has no values", *small, "--set", "a=1")
    heat13 = f"{PROGRAMS}/wave_2d.stencil"
    write("mirror.stencil", COPY.replace("fixed", "mirror").replace("[i-1]", "[i-3]"))
    few = ["mirror.stencil", "--cells", "2", "--steps", "1", "--set", "a=1", *out]
    refused("few cells", "2 cells along x, and the ghosts of 'u' mirror 3", *few)
    pool = COPY.replace("all fixed", "x periodic, y fixed")
    write("pool.stencil", pool)
    deep = ["pool.stencil", "--cells", "4", "--steps", "1", "--set", "a=1", *out]
    deep += ["--steps-per-exchange", "2"]
    refused("fixed beside periodic", "'u' is fixed, and an axis is periodic, along y", *deep)
    solving = COPY.replace("array u", "array f, u") + "\nsolve p: rhs f, solution u;\n"
    write("solving.stencil", solving)
    only = "'solve p' is a step by a solver that an application attaches"
    refused("a solve", only, "solving.stencil", *small[1:], "--set", "a=1")
    refused("too deep", "'17' is not a whole number from 1 to 16", *deep[:-1], "17")
    refused("isa", "sse", heat13, "--isa", "sse", *out)
    refused("no generator", "needs gmg-gen", HEAT, *out, GMG_GEN="nowhere")
    refused("no compiler", "needs a C compiler", HEAT, *out, CC="nowhere")
    refused("bad compiler", "cannot be run", HEAT, *out, CC="false")
    refused("cache", "--cache may name another", HEAT, *out, "--cache", "copy.stencil/x")
    refused("folder", "cannot be written", HEAT, "--output", "nowhere/out.h5")
    refused("restart and input", "expected one", HEAT, "--restart", "a", "--input", "b", *out)
    refused("restart and set", "expected one", HEAT, "--restart", "a", "--set", "alpha=1", *out)
    refused("restart and cells", "expected one", HEAT, "--restart", "a", "--cells", "4", *out)
    refused("not there", "none.h5 cannot be opened", HEAT, "--restart", "none.h5", *out)
    refused("of another", "by another program", heat13, "--restart", "heat.h5", *out)
    refused("older", "heat.h5 is of step 1", HEAT, "--restart", "heat.h5", "--steps", "0", *out)
    put("bare.h5", u=np.ones((4, 4, 4)))
    refused("no format", "format", HEAT, "--restart", "bare.h5", *out)
    expect(run("--help").stdout.startswith("gmg run steps a program"), "--help says nothing")
    for name in (
        "copy.stencil",
        "wrong.stencil",
        "heat.h5",
        "bare.h5",
        "mirror.stencil",
        "pool.stencil",
    ):
        os.remove(name)


def check_input():
    write("copy.stencil", COPY)
    random = np.random.default_rng(2)
    u, around = random.random((1, 5, 4)), random.random((1, 7, 6))
    words = ["copy.stencil", "--cells", "4,5", "--steps", "1", "--set", "a=0.5", "--quiet"]
    words += ["--output", "out.h5", "--input", "in.h5"]
    put("in.h5", u=u[:, :, :3])
    refused("shape", "/u has shape (1, 5, 3), expected (nz, ny, nx) = (1, 5, 4)", *words)
    put("in.h5", u=np.where(u == u[0, 2, 1], np.nan, u))
    refused("not finite", "/u is nan at cell (1, 2, 0)", *words)
    put("in.h5", u=u, w=u)
    refused("unknown", "unknown name 'w'", *words)
    put("in.h5", u="text")
    refused("text", "expected numbers", *words)
    write("in.h5", "no HDF5")
    refused("no HDF5", "in.h5 cannot be opened", *words)
    put("in.h5", u=u)
    refused("input is output", "--output must name another", *words[:-3], "in.h5", *words[-2:])
    # Ghosts are those of the file, where it has some, else 0: the file gives u no initial values.
    for ghosts in (False, True):
        put("in.h5", u=u, **({"ghosts__u": around} if ghosts else {}))
        done = run(*words, "--box", "2")
        expect(done.returncode == 0, f"ghosts {ghosts}: {done.stderr}")
        whole = around.copy() if ghosts else np.zeros_like(around)
        whole[:, 1:-1, 1:-1] = u
        wanted = whole[:, 1:-1, :-2] + 10 * whole[:, 2:, 1:-1] + 0.5
        error = np.abs(get("out.h5", "v") - wanted).max()
        expect(error < 1e-14, f"ghosts {ghosts}: v differs by {error}")
        expect(np.array_equal(get("out.h5", "u"), u), f"ghosts {ghosts}: u is not what was given")
    for name in ("copy.stencil", "in.h5", "out.h5"):
        os.remove(name)


def check_report():
    write("heat.opt", "steps 9\ncells 6,5,4\n")
    files = ["--options", "heat.opt", "--output", "o.h5", "--report", "o.json"]
    done = run(HEAT, *files, "--series", "3")
    expect(done.returncode == 0, f"a run: {done.stderr}")
    expect("done       at step 9 of 9" in done.stdout, f"a run prints {done.stdout}")
    with open("o.json", encoding="utf-8") as stream:
        report = json.load(stream)
    expect(sorted(report) == sorted(REPORT), f"a report has {sorted(report)}")
    expect(report["cells"] == [6, 5, 4] and report["steps"] == 9, f"the report says {report}")
    expect(report["arrays"][0]["largest"] == get("o.h5", "u").max(), "not the largest value")
    files = ["o.00000000.h5", "o.00000003.h5", "o.00000006.h5", "o.00000009.h5"]
    expect(all(map(os.path.exists, files)), f"a series has {os.listdir('.')}")
    with open("o.xdmf", encoding="utf-8") as stream:
        text = stream.read()
    expect(text.count("<Time") == 4 and f"{files[1]}:/u" in text, f"a series is listed as {text}")
    write("up.stencil", BLOWS_UP)
    done = run("up.stencil", "--report", "up.json")
    expect(done.returncode == 1, f"values not finite: status {done.returncode}")
    with open("up.json", encoding="utf-8") as stream:
        expect(json.load(stream)["status"] == "not_finite", "values are not finite, unsaid")
    for name in os.listdir("."):
        if os.path.isfile(name):
            os.remove(name)


def check_interrupt():
    """A signal ends a run after a step; the result goes on to the same end."""
    words = [HEAT, "--cells", "6", "--quiet", "--output", "long.h5"]
    with subprocess.Popen([GMG, "run", *words, "--steps", "1000000000"]) as running:
        time.sleep(3)
        running.send_signal(signal.SIGINT)
        expect(running.wait() == 130, f"interrupted: status {running.returncode}")
    with h5py.File("long.h5", "r") as file:
        step = int(file.attrs["step"])
    expect(0 < step < 1000000000, f"interrupted at step {step}")
    run(*words[:-1], "short.h5", "--steps", str(step))
    expect(np.array_equal(get("long.h5", "u"), get("short.h5", "u")), "interrupted: other values")


def excitation(n, steps):
    """The group's scheme, loop by loop; E and R as arrays with one ghost on each side."""
    a = b = 0.1
    kk, m1, m2, epsilon, d, dx = 8, 0.07, 0.3, 0.01, 5e-5, 1 / n
    rp = kk * (b + 1) ** 2 / 4
    dt = 0.95 * min(dx * dx / (4 * d + dx * dx * (rp + kk)), 1 / (epsilon + rp * m1 / m2))
    alpha = d * dt / (dx * dx)
    e, r = np.zeros((n + 2, n + 2)), np.zeros((n + 2, n + 2))
    e[:, n // 2 + 1 :] = 1
    r[n // 2 + 1 :, :] = 1
    for _ in range(steps):
        e[0, :], e[-1, :] = e[2, :].copy(), e[-3, :].copy()
        e[:, 0], e[:, -1] = e[:, 2].copy(), e[:, -3].copy()
        inside = e[1:-1, 1:-1]
        total = e[1:-1, 2:] + e[1:-1, :-2] + e[2:, 1:-1] + e[:-2, 1:-1]
        now, rest = inside + alpha * (total - 4 * inside), r[1:-1, 1:-1]
        now = now - dt * (kk * now * (now - a) * (now - 1) + now * rest)
        rest = rest + dt * (epsilon + m1 * rest / (now + m2)) * (-rest - kk * now * (now - b - 1))
        e[1:-1, 1:-1], r[1:-1, 1:-1] = now, rest
    return e[1:-1, 1:-1], dt, alpha


def check_excitation():
    e, dt, alpha = excitation(96, 600)
    path = f"{PROGRAMS}/aliev_panfilov_2d.stencil"
    values = f"dt={dt!r},alpha={alpha!r}"
    words = ["--cells", "96", "--steps", "600", "--set", values, "--output", "e.h5", "--quiet"]
    done = run(path, *words)
    expect(done.returncode == 0, f"Aliev and Panfilov: {done.stderr}")
    found = get("e.h5", "E")[0]
    norm = abs(np.sqrt((found**2).mean()) / np.sqrt((e**2).mean()) - 1)
    most = abs(found.max() / e.max() - 1)
    print(f"Aliev and Panfilov, 96 x 96, 600 steps: norm {norm:.1e}, maximum {most:.1e} apart")
    expect(norm < 1e-12 and most < 1e-12, f"Aliev and Panfilov: {norm}, {most} apart")
    expect(0.1 < np.sqrt((e**2).mean()) < 0.9, "Aliev and Panfilov: nothing is excited")


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_CACHE_HOME"] = f"{folder}/cache"
        os.mkdir(f"{folder}/here")
        os.chdir(f"{folder}/here")
        check_arguments()
        check_input()
        check_report()
        check_interrupt()
        check_excitation()
        os.chdir("/")
    for fault in faults:
        print("FAILED", fault)
    print(f"{len(faults)} faults")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
