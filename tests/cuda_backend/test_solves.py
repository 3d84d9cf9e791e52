# Solves on the device against the same on the CPU: history and solution must agree to the last bit,
# and the report must say that the device computed. As device/… the device is the CPU, standing in
# for a GPU; as gpu/… a GPU.
# sanitizers: no
import json
import os
import subprocess
import sys
import tempfile

import h5py
import numpy

GMG = sys.argv[1]
# case, options of make, options of the device's solve that the CPU has no use for, options of both
SOLVES = [
    ("smooth", "--cells 16", "", "--precision double"),
    ("smooth", "--cells 16", "--coarse-cells 600 --launch timed", "--precision double --cycle v"),
    ("smooth", "--cells 16", "--coarse-cells 600 --passes all", "--precision double"),
    (
        "smooth",
        "--cells 21,18,15",
        "--coarse-cells 600 --passes all --launch timed",
        "--precision mixed --cycle v",
    ),
    (
        "constant",
        "--cells 18,20,33",
        "--coarse-cells 100 --passes all",
        "--precision double --pre 4 --post 3",
    ),
    (
        "robin",
        "--cells 24",
        "--coarse-cells 2000 --passes all",
        "--precision double --pre 1 --post 2",
    ),
    (
        "smooth",
        "--cells 32",
        "--coarse-cells 600 --passes all",
        "--precision mixed --pre 3 --post 2",
    ),
    ("smooth", "--cells 16", "--coarse cpu --coarse-cells 600", "--precision double"),
    ("smooth", "--cells 16", "--coarse auto --coarse-cells 600", "--precision double"),
    (
        "smooth-periodic",
        "--cells 12",
        "--coarse auto --coarse-cells 300",
        "--precision double --cycle w",
    ),
    ("smooth", "--cells 16", "", "--precision mixed"),
    ("constant", "--cells 13,9,11", "", "--precision double"),
    ("cosine", "--cells 12", "", "--precision double"),
    ("smooth-periodic", "--cells 12", "", "--precision double"),
    ("smooth-periodic", "--cells 12,10,9", "", "--precision mixed --box 5"),
    ("mixed", "--cells 12", "", "--precision double"),
    ("sphere", "--cells 12", "", "--precision double --krylov cg"),
    (
        "smooth",
        "--cells 64",
        "",
        "--precision double --krylov cg",
    ),  # sums look at some planes first where there are many
    (
        "inclusions",
        "--cells 20,24,28",
        "--coarse-cells 600",
        "--precision mixed --coarsening owners",
    ),
    ("inclusions", "--cells 20,18,21", "", "--precision double --coarsening owners --box 9"),
    ("robin", "--cells 11,12,5", "", "--precision double --bottom direct --bottom-cells 30"),
    (
        "checkerboard",
        "--cells 9,12,10 --size 1 --ratio 900 --boundary periodic --noise",
        "",
        "--precision mixed",
    ),  # cells of a colour clash over the seam, and it begins anew
]


def run(folder, name, *options):
    solution, report = f"{folder}/{name}.h5", f"{folder}/{name}.json"
    done = subprocess.run(
        [GMG, "--quiet", "--output", solution, "--report", report, *options],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, f"{options}: exit {done.returncode}: {done.stderr}"
    with open(report) as f, h5py.File(solution) as g:
        return json.load(f), g["solution"][:]


def compare(folder, case, make, device, both):
    problem = f"{folder}/problem.h5"
    subprocess.run(
        [GMG, "make", "--quiet", "--case", case, *make.split(), "--output", problem], check=True
    )
    device = device if "--coarse " in device else device + " --coarse gpu"
    options = ["--input", problem, *both.split()]
    want, expected = run(folder, "cpu", "--backend", "openmp", *options)
    got, found = run(folder, "device", "--backend", "cuda", *options, *device.split())
    assert got["backend"] == "cuda" and got["levels"][0]["backend"] == "cuda", "the CPU computed"
    assert want["backend"] == "openmp", "the device computed"
    passes = [level["passes"] for level in got["levels"]]
    assert passes[0] == ("passes all" in device), f"levels with passes: {passes}"
    assert got["device"]["peak_bytes"] == got["device"]["predicted_bytes"] > 0, got["device"]
    on_cpu = [level["backend"] for level in got["levels"]].count("openmp")
    coarse = got["device"].get("coarse")
    assert (coarse is not None) == ("coarse auto" in device), coarse
    if coarse:  # timed both ways: the levels are where it was faster
        assert coarse["gpu_seconds"] > 0 and coarse["cpu_seconds"] > 0, coarse
        faster = coarse["cpu_seconds"] < coarse["gpu_seconds"]
        assert on_cpu == (len(got["levels"]) - coarse["from_level"] if faster else 0), (
            on_cpu,
            coarse,
        )
    else:
        assert (on_cpu > 0) == ("coarse cpu" in device), f"{on_cpu} levels on the CPU"
    differs = int(numpy.count_nonzero(found != expected))
    print(f"{case} {make} {both} {device}: {got['cycles']} cycles, {differs} values differ")
    assert got["residual_history"] == want["residual_history"], (
        got["residual_history"],
        want["residual_history"],
    )
    assert differs == 0


def main():
    info = subprocess.run([GMG, "info"], capture_output=True, text=True, check=True).stdout
    if "cuda: here" not in info:
        print("skipped:", next(line for line in info.splitlines() if line.startswith("devices")))
        return 77
    with tempfile.TemporaryDirectory() as folder:
        for solve in SOLVES:
            compare(folder, *solve)
    return 0


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "2")
    sys.exit(main())
