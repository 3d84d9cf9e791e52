#!/usr/bin/env python3
# gmg bench where a GPU computes: its roofs are measured, the kernels that it ran have its name, and
# their times come from a solve that launched them one by one. Precondition: a device, or the
# stand-in, whose rates mean nothing. What must vanish: the failures.
# sanitizers: no
"""usage: test_bench.py GMG GMG_GEN SOURCE_DIR"""
import json
import os
import subprocess
import sys
import tempfile

GMG = os.path.abspath(sys.argv[1])
KINDS = {
    "copy",
    "triad",
    "read",
    "copy_driver",
    "fma_double",
    "fma_float",
    "launch",
    "graph_launch",
    "barrier",
}


def main():
    info = subprocess.run([GMG, "info"], capture_output=True, text=True, check=True).stdout
    if "cuda: here" not in info:
        print("skipped: there is no device")
        return 77
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        words = ["--cells", "12", "--seconds", "1", "--repeats", "1", "--output", "b.json"]
        done = subprocess.run(
            [GMG, "bench", *words, "--backend", "cuda"], capture_output=True, text=True
        )
        print(done.stdout[-3000:], done.stderr)
        with open("b.json", encoding="utf-8") as stream:
            bench = json.load(stream)
        os.chdir("/")
    roofs = {roof["kind"]: roof for roof in bench["roofs"] if roof["backend"] == "cuda"}
    finest = bench["levels"][0]
    expected = {
        "exit status 0": done.returncode == 0,
        f"roofs {set(roofs)}": set(roofs) >= KINDS,
        "rates and seconds": all(
            roof.get("rate", roof.get("seconds")) > 0 for roof in roofs.values()
        ),
        "no note": "device_note" not in bench["machine"],
        "the device": bench["machine"].get("device"),
        "the finest level": finest["backend"] == "cuda",
        "its kernels": {kernel["backend"] for kernel in finest["kernels"]} == {"cuda"},
        "their times": all(kernel["seconds"] > 0 for kernel in finest["kernels"]),
        "timed apart": bench["solve"]["kernels_timed_apart"] is True,
        "a bound": bench["solve"]["bound_seconds"] > 0,
    }
    for what, good in expected.items():
        if not good:
            print(f"FAILED {what}")
            failures += 1
    return failures > 0


if __name__ == "__main__":
    sys.exit(main())
