#!/usr/bin/env python3
# sanitizers: no
# needs: mpi
# Programs on a device. Preconditions: a C compiler, h5py. What must vanish: the differences, bit
# by bit, between all that gmg run --backend cuda writes and what it writes on the CPU: every
# program of examples/programs, five with walls of all kinds and three with reductions, on 1 to 3
# ranks, boxes of several sizes, 1 to 5 steps per exchange, messages by way of the host, between
# devices and by MPI; runs that go on from a device's files on the CPU, and from the CPU's on a
# device; runs that a report does not say to be a device's. Without a device, without room on it,
# and of a library without forms for it: other statuses and reasons than these.
"""usage: test_programs.py GMG GMG_GEN SOURCE_DIR"""

import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(sys.argv[3], "tests", "programs"))
import test_bits as bits  # pylint: disable=wrong-import-position
import test_values as values  # pylint: disable=wrong-import-position

STEPS = 7
# Ranks, cells of a box (0: one box per rank), steps per exchange, further options.
WAYS = [
    (1, 0, 1, "--launch timed"),
    (1, 4, 3, ""),
    (2, 0, 2, "--device-messages host"),
    (3, 5, 1, ""),
    (3, 0, 1, ""),
    (3, 0, 4, ""),
]
FEWER = [(1, 0, 1, ""), (2, 5, 1, ""), (2, 0, 1, "")]
# Programs of which the device takes all ways; others of the same kind take fewer.
MORE = {"wave", "gray_scott", "smooth27"}
# Arrays with walls of their own that take turns, read straight ahead: what stands beyond walls of
# one is not what the next has there.
TURNED = """stencil 1; dimensions 2; array a, b, c; parameter r = 0.3;
boundary a: all mirror; boundary b: x value 1, y mirror_node; boundary c: x mirror_node, y value 2;
initial a = x * y; initial b = x - y; initial c = 1 + x;
a[i][j] = r * (b[i+1][j] + c[i][j-1]) - 0.2 * b[i][j-1] * c[i-1][j];
rotate a, b, c;
"""
STAND_IN = "stand_in" in os.environ.get("LD_LIBRARY_PATH", "")
faults = bits.faults
folder = ""


def gmg(words, ranks=1, **variables):
    launcher = ["mpirun", "--oversubscribe", "--bind-to", "none", "-n", str(ranks)]
    return subprocess.run(
        (launcher if ranks > 1 else []) + [bits.GMG, *words],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "OMP_NUM_THREADS": "1", **variables},
    )


def no_device():
    """Whether tests are skipped, and says so."""
    info = gmg(["info"]).stdout
    if "cuda: here" in info:
        return False
    print("skipped:", next(line for line in info.splitlines() if line.startswith("devices")))
    return True


def run(path, output, way, *more):
    """A run on the device, or where `more` says; True where it was good."""
    ranks, box, together, options = way
    words = ["run", path, "--quiet", "--output", output, "--steps", str(STEPS)]
    words += ["--cache", f"{folder}/cache", "--steps-per-exchange", str(together)]
    words += ["--box", str(box)] if box else []
    done = gmg([*words, *options.split(), *more], ranks)
    bits.expect(done.returncode == 0, f"{path} {way} {more}: {done.returncode}: {done.stderr}")
    return done.returncode == 0


def alike(found, wanted, ghosts=True):
    """ghosts: with those beyond walls, of which steps fill fewer where boxes are thin."""
    if not ghosts:
        found = {key: value for key, value in found.items() if not key.startswith("ghosts/")}
        wanted = {key: value for key, value in wanted.items() if not key.startswith("ghosts/")}
    return found.keys() == wanted.keys() and all(
        bits.same_bits(found[key], wanted[key]) for key in wanted
    )


def check_program(path, cells, ways, *more):
    name, size = os.path.basename(path), ["--cells", ",".join(map(str, cells))]
    wanted, found, report = f"{folder}/wanted.h5", f"{folder}/found.h5", f"{folder}/found.json"
    if not run(path, wanted, (1, 0, 1, ""), "--backend", "openmp", *size, *more):
        return
    for way in ways:
        there = ["--backend", "cuda", "--report", report]
        if not run(path, found, way, *there, *size, *more):
            continue
        same = alike(bits.contents(found), bits.contents(wanted), way[2] == 1)
        bits.expect(same, f"{name} {cells}: other bits on the device, {way}")
        with open(report, encoding="utf-8") as stream:
            said = json.load(stream)
        bits.expect(
            said["backend"] == "cuda" and said["device"] and said["device_bytes"] > 0,
            f"{name} {way}: the report says {said}",
        )
        timed = said["kernel_seconds"] is not None and said["kernel_seconds"] > 0
        bits.expect(timed == ("timed" in way[3]), f"{name} {way}: the report says {said}")


def check_overlap(path, *more):
    """Ranks whose boxes are cut along z alone compute what no message needs while they travel."""
    for ranks, together in (2, 1), (3, 1), (2, 3):
        way = (ranks, 0, together, "--overlap always")
        check_program(path, (5, 7, 26), [way], *more)
        with open(f"{folder}/found.json", encoding="utf-8") as stream:
            said = json.load(stream)["overlapped_ranks"]
        wanted = ranks if together == 1 else 0
        bits.expect(said == wanted, f"{path} {way}: {said} ranks compute beside messages")


def check_silence(path):
    """Messages between devices that are left out, for benchmarks, are missed, and solves say so."""
    size, silent = ["--cells", "9,8,7", "--backend", "cuda"], "--device-messages none"
    files = [f"{folder}/heard.h5", f"{folder}/silent.h5"]
    if all(
        run(path, file, (2, 0, 1, options), *size) for file, options in zip(files, ["", silent])
    ):
        bits.expect(
            not alike(*map(bits.contents, files)), "no messages, and the same values: nothing left"
        )
    problem = f"{folder}/sine.h5"
    gmg(["make", "--case", "sine", "--cells", "12", "--output", problem])
    done = gmg([problem, "--backend", "cuda", "--max-cycles", "3", *silent.split()], 2)
    said = "device-messages none: no values travel between ranks on GPUs, and results are wrong"
    bits.expect(said in done.stdout + done.stderr, f"{silent}: said {done.stdout} {done.stderr}")


def check_restart(path, cells, *again):
    """From files of the device on, on the CPU and there; from files of the CPU, there. again: what
    the second run is told, too."""
    size = ["--cells", ",".join(map(str, cells)), *again, "--series", "3"]
    whole, rest = f"{folder}/whole.h5", f"{folder}/rest.h5"
    for first, then in (("cuda", "openmp"), ("cuda", "cuda"), ("openmp", "cuda")):
        if not run(path, whole, (2, 0, 1, ""), "--backend", first, *size):
            continue
        for step in (0, 3, 6):
            start = ["--restart", f"{folder}/whole.{step:08d}.h5"]
            if run(path, rest, (3, 4, 1, ""), "--backend", then, *start, *again):
                bits.expect(
                    alike(bits.contents(rest), bits.contents(whole)),
                    f"{path}: from step {step} on by {then} it ends elsewhere than by {first}",
                )


def check_values():
    """Reductions: all that a run stores of them is among what check_program compares."""
    every = ["--values", "3"]
    wave = values.write(f"{folder}/wave.stencil", values.WAVE)
    check_program(wave, (13, 9, 10), [*WAYS, (5, 0, 1, "")], *every)
    check_program(
        values.write(f"{folder}/turned.stencil", values.ROTATED), (19, 14, 1), WAYS, *every
    )
    check_program(
        values.write(f"{folder}/cancel.stencil", values.CANCEL), (64, 60, 1), FEWER, *every
    )
    check_restart(wave, (13, 9, 10), *every)
    for text, _, status in values.ODD.values():
        if not status:
            path = values.write(f"{folder}/odd.stencil", values.ODD_TEXT % text)
            check_program(path, (8, 9, 1), FEWER, *every)
    path = values.write(f"{folder}/odd.stencil", values.ODD_TEXT % "max sqrt(u[i][j])")
    words = ["run", path, "--cells", "8,9", "--steps", "2", "--backend", "cuda"]
    done = gmg([*words, "--output", f"{folder}/odd.h5", "--cache", f"{folder}/cache"])
    bits.expect(done.returncode == 1 and "value nan" in done.stdout, f"NaN: {done.stdout}")


def refused(what, status, reason, *words, **variables):
    done = gmg(["run", *words, "--cache", f"{folder}/cache"], **variables)
    bits.expect(done.returncode == status, f"{what}: status {done.returncode}, not {status}")
    bits.expect(reason in done.stderr, f"{what}: not '{reason}' but {done.stderr!r}")


def check_refusals(heat):
    words = [heat, "--cells", "8", "--steps", "2", "--output", f"{folder}/no.h5"]
    refused("backend", 2, "not one of: auto, openmp, cuda", *words, "--backend", "opencl")
    refused("launch", 2, "graphs", *words, "--launch", "slowly")
    cuda = [*words, "--backend", "cuda"]
    if STAND_IN:
        none = {"LD_LIBRARY_PATH": ""}
        reason = "backend: cuda: program heat3d: there is no CUDA driver"
        refused("no device", 2, reason, *cuda, **none)
        little = {"GMG_STAND_IN_MEMORY": str(3 << 20)}
        large = [*cuda[:2], "64", *cuda[3:]]
        refused("no room", 3, "its arrays need", *large, **little)
        bits.expect(not os.path.exists(f"{folder}/no.h5"), "a refused run wrote a file")
        done = gmg(["run", *large[:-2], "--cache", f"{folder}/cache"], **little)
        bits.expect("not used: its arrays need" in done.stdout, f"auto: {done.stdout}")


def check_library(heat):
    """A program that was compiled before, without gmg-gen and a compiler."""
    library, none = f"{folder}/heat.so", {"GMG_GEN": "nowhere", "CC": "nowhere"}
    done = gmg(["run", heat, "--compile", library, "--cache", f"{folder}/cache"])
    bits.expect(done.returncode == 0 and library in done.stdout, f"--compile: {done.stderr}")
    size = ["--cells", "9,7,8", "--steps", "4", "--quiet"]
    wanted, found = f"{folder}/wanted.h5", f"{folder}/found.h5"
    gmg(["run", heat, *size, "--output", wanted, "--backend", "openmp"])
    words = [library, *size, "--output", found]
    done = gmg(["run", *words, "--backend", "cuda"], **none)
    bits.expect(done.returncode == 0, f"a compiled program: {done.stderr}")
    if done.returncode == 0:
        same = alike(bits.contents(found), bits.contents(wanted))
        bits.expect(same, "a compiled program has other bits")
    with open(f"{folder}/text.so", "w", encoding="utf-8") as stream:
        stream.write("no library\n")
    refused("no library", 2, "text.so cannot be loaded", f"{folder}/text.so")
    refused("not there", 2, "none.so cannot be read", f"{folder}/none.so")
    refused("a name", 2, "expected a name NAME.so", heat, "--compile", f"{folder}/heat.c")


def main():
    global folder  # pylint: disable=global-statement
    if no_device():
        return 77
    with tempfile.TemporaryDirectory() as folder:
        own = {}
        for name, text in (
            ("walls", bits.WALLS),
            ("deep", bits.DEEP),
            ("rotated", bits.ROTATED),
            ("turned", TURNED),
        ):
            own[name] = f"{folder}/{name}.stencil"
            with open(own[name], "w", encoding="utf-8") as stream:
                stream.write(text)
        files = sorted(f for f in os.listdir(bits.PROGRAMS) if f.endswith(".stencil"))
        for file in files:
            path, name = f"{bits.PROGRAMS}/{file}", file[: -len(".stencil")]
            cells = (13, 9, 11) if bits.describe(path)["dimensions"] == 3 else (19, 14, 1)
            check_program(path, cells, WAYS if name in MORE else FEWER)
        # More rows than a launch on a box by itself may have.
        check_program(f"{bits.PROGRAMS}/heat2d.stencil", (3, 262200, 1), [(1, 0, 1, "")])
        single = [(*way[:2], 1, way[3]) for way in WAYS]
        check_program(own["walls"], (9, 8, 7), single)
        check_program(own["deep"], (9, 8, 7), WAYS)
        check_program(own["deep"], (3, 4, 5), [(1, 1, 1, ""), (3, 1, 3, "")])
        check_program(own["rotated"], (11, 10, 1), [*WAYS, (5, 0, 5, "")], "--set", "s=0.2")
        check_program(own["turned"], (11, 10, 1), [*single, (1, 1, 1, "")])
        # A wall's image is a cell of the next rank.
        flat = os.path.join(sys.argv[3], "tests", "programs", "flat.stencil")
        check_program(flat, (1, 3, 1), [(1, 0, 1, ""), (3, 0, 1, "")])
        if STAND_IN:  # MPI reads the memory of this one
            direct = [(2, 0, 1, "--device-messages direct")]
            check_program(own["walls"], (9, 8, 7), direct)
        for name in "heat3d", "wave", "himeno", "aliev_panfilov_3d", "heat13":
            check_overlap(f"{bits.PROGRAMS}/{name}.stencil")
        # A wall's image is of a cell among those that messages need.
        thin = f"{bits.PROGRAMS}/aliev_panfilov_3d.stencil"
        check_program(thin, (3, 3, 5), [(2, 0, 1, "--overlap always")])
        check_silence(f"{bits.PROGRAMS}/heat3d.stencil")
        check_restart(own["walls"], (9, 8, 7))
        check_values()
        check_refusals(f"{bits.PROGRAMS}/heat3d.stencil")
        check_library(f"{bits.PROGRAMS}/heat3d.stencil")
    for fault in faults:
        print("FAILED", fault)
    print(f"{len(files) + len(own) + 1} programs, {len(faults)} faults")
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())
