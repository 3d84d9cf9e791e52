#!/usr/bin/env python3
# sanitizers: no
# needs: mpi
# One program on CPUs and devices at once. Preconditions: a C compiler, h5py. What must vanish: the
# differences, bit by bit, between all that gmg run --backend cuda,openmp --weights writes, with 0
# to 100 % of the grid on the device, on 2 to 5 ranks, and what one rank on the CPU writes; runs
# that a report does not say to be of so many devices; ranks that differ without being told to.
"""usage: test_unlike.py GMG GMG_GEN SOURCE_DIR"""

import json
import os
import sys
import tempfile

sys.path.insert(0, os.path.join(sys.argv[3], "tests", "programs"))
sys.path.insert(0, os.path.join(sys.argv[3], "tests", "cuda_backend"))
import test_bits as bits  # pylint: disable=wrong-import-position
import test_programs as programs  # pylint: disable=wrong-import-position

# Ranks, of those on a device, back ends, weights, steps per exchange.
WAYS = [
    (2, 1, "cuda,openmp", "0,1", 1),
    (2, 1, "cuda,openmp", "1,19", 1),
    (2, 1, "openmp,cuda", "1,3", 2),
    (2, 1, "cuda,openmp", "1,1", 1),
    (2, 1, "cuda,openmp", "19,1", 1),
    (2, 1, "cuda,openmp", "1,0", 1),
    (2, 1, "cuda,openmp", "auto", 1),
    (3, 2, "cuda,openmp", "auto", 2),
    (3, 2, "cuda,openmp,auto", "", 1),
    (5, 3, "cuda,openmp", "2,1", 1),
]
folder = ""


def check(path, cells, ways, *more):
    size = ["--cells", ",".join(map(str, cells)), *more]
    wanted, found, report = f"{folder}/wanted.h5", f"{folder}/found.h5", f"{folder}/found.json"
    if not programs.run(path, wanted, (1, 0, 1, ""), "--backend", "openmp", *size):
        return
    for way in ways:
        ranks, devices, backends, weights, together = way
        there = ["--backend", backends, "--report", report, *size]
        there += ["--weights", weights] if weights else []
        if not programs.run(path, found, (ranks, 0, together, ""), *there):
            continue
        same = programs.alike(bits.contents(found), bits.contents(wanted), together == 1)
        bits.expect(same, f"{path} {cells}, {way}: other bits than on one rank of the CPU")
        with open(report, encoding="utf-8") as stream:
            said = json.load(stream)
        bits.expect(
            said["device_ranks"] == devices and said["ranks"] == ranks,
            f"{path} {way}: of {said['device_ranks']} devices",
        )


def check_refusals(heat):
    words = ["run", heat, "--cells", "8", "--steps", "2", "--output", f"{folder}/no.h5"]
    words += ["--cache", f"{folder}/cache"]
    for backends, reason in (
        ("cuda,opencl", "not one of: auto, openmp, cuda"),
        ("openmp,", "not one of: auto, openmp, cuda"),
    ):
        done = programs.gmg([*words, "--backend", backends], 2)
        bits.expect(done.returncode == 2 and reason in done.stderr, f"{backends}: {done.stderr!r}")
    done = programs.gmg([*words, "--backend", "cuda,openmp"])
    bits.expect(
        done.returncode == 2 and "--backend: found 'cuda,openmp' for 1 rank," in done.stderr,
        f"more back ends than ranks: {done.stderr!r}",
    )
    if programs.STAND_IN:
        none = {"LD_LIBRARY_PATH": ""}
        done = programs.gmg([*words, "--backend", "openmp,cuda"], 2, **none)
        bits.expect(
            done.returncode == 2 and "there is no CUDA driver" in done.stderr,
            f"no device: {done.returncode}: {done.stderr!r}",
        )
        done = programs.gmg([*words, "--backend", "auto,openmp"], 2, **none)
        bits.expect(
            done.returncode == 0 and "not used: there is no CUDA driver" in done.stdout,
            f"auto without a device: {done.stdout!r} {done.stderr!r}",
        )


def main():
    global folder  # pylint: disable=global-statement
    if programs.no_device():
        return 77
    with tempfile.TemporaryDirectory() as folder:
        programs.folder = folder
        heat = f"{bits.PROGRAMS}/heat3d.stencil"
        check(heat, (9, 8, 23), WAYS)
        check(f"{bits.PROGRAMS}/heat2d.stencil", (17, 40), [WAYS[1], WAYS[5]], "--values", "2")
        check(f"{bits.PROGRAMS}/gray_scott.stencil", (9, 31), WAYS[3:5])
        check(f"{bits.PROGRAMS}/wave.stencil", (8, 7, 19), [WAYS[2], WAYS[-1]], "--values", "3")
        check_refusals(heat)
    return bits.finish()


if __name__ == "__main__":
    sys.exit(main())
