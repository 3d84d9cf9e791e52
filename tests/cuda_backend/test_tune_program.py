#!/usr/bin/env python3
# sanitizers: no
# needs: mpi
# gmg tune FILE.stencil on a device. Preconditions: a C compiler, h5py. What must vanish: the
# differences, bit by bit, between runs on the device that follow a choice and a run on the CPU;
# choices for the device that runs there do not follow, or that runs on the CPU or with options of
# their own do; choices for the CPU that keep a run from the device.
"""usage: test_tune_program.py GMG GMG_GEN SOURCE_DIR"""

import json
import os
import sys
import tempfile

sys.path.insert(0, os.path.join(sys.argv[3], "tests", "programs"))
sys.path.insert(0, os.path.join(sys.argv[3], "tests", "cuda_backend"))
import test_bits as bits  # pylint: disable=wrong-import-position
import test_programs as programs  # pylint: disable=wrong-import-position

HEAT = f"{bits.PROGRAMS}/heat3d.stencil"
folder = ""


def tune(wisdom, *words, ranks=1):
    words = ["tune", HEAT, "--cells", "24", "--wisdom", wisdom, *words]
    done = programs.gmg([*words, "--budget", "2", "--cache", f"{folder}/cache"], ranks)
    bits.expect(done.returncode == 0, f"{words}: {done.returncode}: {done.stderr}")
    bits.expect(
        (ranks > 1 and "--backend cuda" in " ".join(words))
        == ("candidate  4 steps per exchange" in done.stdout),
        f"{words}, {ranks} ranks: steps per exchange: {done.stdout}",
    )
    bits.expect("other bits" not in done.stdout, f"{words}: {done.stdout}")
    bits.expect("tuned      heat3d: " in done.stdout, f"{words}: {done.stdout}")
    with open(wisdom, encoding="utf-8") as stream:
        return json.load(stream)


def choose(path, wisdom, choice):
    for entry in wisdom["entries"]:
        entry["choice"] = choice
    with open(path, "w", encoding="utf-8") as stream:
        json.dump(wisdom, stream)


def run(wisdom, *words, ranks=1):
    """What a report says, and the values."""
    words = ["run", HEAT, "--cells", "24", "--steps", "15", "--wisdom", wisdom, *words]
    words += ["--quiet", "--output", f"{folder}/found.h5", "--report", f"{folder}/found.json"]
    done = programs.gmg([*words, "--cache", f"{folder}/cache"], ranks)
    bits.expect(done.returncode == 0, f"{words}: {done.returncode}: {done.stderr}")
    with open(f"{folder}/found.json", encoding="utf-8") as stream:
        return json.load(stream), bits.contents(f"{folder}/found.h5")


def check():
    path = f"{folder}/wisdom.json"
    wisdom = tune(path, "--backend", "cuda")
    targets = [entry["target"] for entry in wisdom["entries"]]
    bits.expect(targets == ["cuda"], f"on a device tuning keeps {targets}")
    choose(path, wisdom, {"steps-per-pass": 2})
    _, wanted = run("none", "--backend", "openmp")
    for backend in ("cuda", "auto"):
        said, found = run(path, "--backend", backend)
        bits.expect(said["tuned"] == "2 steps per pass", f"{backend}: {said['tuned']}")
        bits.expect(said["steps_per_pass"] == 2, f"{backend}: the report says {said}")
        bits.expect(programs.alike(found, wanted), f"{backend}: other bits in passes of two steps")
    for words in (["--backend", "openmp"], ["--steps-per-pass", "1"], ["--box", "6"]):
        said, found = run(path, *words)
        bits.expect(said["tuned"] == "" and said["steps_per_pass"] == 1, f"{words}: {said}")
        bits.expect(programs.alike(found, wanted), f"{words}: other bits")
    path = f"{folder}/ranks.json"
    choose(path, tune(path, "--backend", "cuda", ranks=2), {"steps-per-exchange": 4})
    said, found = run(path, "--backend", "cuda", ranks=2)
    bits.expect(said["steps_per_exchange"] == 4, f"two ranks: the report says {said}")
    bits.expect(programs.alike(found, wanted), "two ranks: other bits, 4 steps per exchange")
    path = f"{folder}/host.json"
    choose(path, tune(path, "--backend", "openmp"), {"box": 6, "steps-per-exchange": 3})
    said, _ = run(path, "--backend", "openmp")
    bits.expect(said["tuned"] == "box 6, 3 steps per exchange", f"on the host: {said['tuned']}")
    said, found = run(path, "--backend", "auto")
    bits.expect(
        said["backend"] == "cuda" and said["tuned"] == "" and said["boxes"] == 1,
        f"a choice for the host is followed on a device: {said}",
    )
    bits.expect(programs.alike(found, wanted), "a choice for the host: other bits on a device")


def main():
    global folder
    if programs.no_device():
        return 77
    with tempfile.TemporaryDirectory() as folder:
        check()
    return bits.finish()


if __name__ == "__main__":
    sys.exit(main())
