# Too little memory on the device: --backend cuda ends with exit status 3 and a sentence that says
# what is needed and what is free; auto lets the CPU compute, says so, and has the CPU's bits. The
# device's memory is set, so this is for the stand-in only.
# sanitizers: no
import json
import os
import re
import subprocess
import sys
import tempfile

GMG = sys.argv[1]

LISTS = 2 << 20  # bytes that lists of launches take there (solver/cuda/memory/room.h)


def run(folder, backend, memory, *options):
    report = f"{folder}/report.json"
    if os.path.exists(report):
        os.remove(report)
    environment = dict(os.environ, GMG_STAND_IN_MEMORY=str(memory))
    done = subprocess.run(
        [
            GMG,
            "--input",
            f"{folder}/problem.h5",
            "--output",
            f"{folder}/solution.h5",
            "--report",
            report,
            "--backend",
            backend,
            "--quiet",
            *options,
        ],
        env=environment,
        capture_output=True,
        text=True,
    )
    if not os.path.exists(report):
        return done, None
    with open(report) as stream:
        return done, json.load(stream)


def main():
    info = subprocess.run([GMG, "info"], capture_output=True, text=True, check=True).stdout
    if "standing in for a GPU" not in info:
        print("skipped: this is for the stand-in")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            [
                GMG,
                "make",
                "--quiet",
                "--case",
                "smooth",
                "--cells",
                "16",
                "--output",
                f"{folder}/problem.h5",
            ],
            check=True,
        )
        done, report = run(folder, "cuda", 1 << 30)
        assert done.returncode == 0, done.stderr
        need, history = report["device"]["predicted_bytes"], report["residual_history"]
        assert report["device"]["arrays"] == "device"

        done, report = run(folder, "cuda", need // 2)
        print(done.stderr.strip())
        assert done.returncode == 3 and report is None, (done.returncode, done.stderr)
        told = re.search(r"needs ([0-9.]+) MiB there, and ([0-9.]+) MiB are free", done.stderr)
        assert told and abs(float(told[1]) - (need + LISTS) / 2**20) < 0.01 * float(told[1]), (
            done.stderr,
            need,
        )
        assert float(told[2]) < float(told[1])

        done, report = run(folder, "auto", need // 2)
        assert done.returncode == 0 and report["backend"] == "openmp", done.stderr
        assert any(
            "too little memory on the device" in text for text in report["fallbacks"]
        ), report["fallbacks"]
        assert report["residual_history"] == history

        done, report = run(folder, "cuda", need + 2 * LISTS)
        assert done.returncode == 0 and report["residual_history"] == history, done.stderr

        # passes for both colours want a spare array; where there is room for all but that, they are
        # left out
        passes = ["--passes", "all", "--coarse", "gpu", "--coarse-cells", "600"]
        done, report = run(folder, "cuda", 1 << 30, *passes)
        with_spare, was = report["device"]["predicted_bytes"], report["residual_history"]
        assert report["levels"][0]["passes"]
        done, report = run(folder, "cuda", with_spare + LISTS - 4096, *passes)
        assert done.returncode == 0, done.stderr
        assert (
            report["device"]["peak_bytes"] == report["device"]["predicted_bytes"] < with_spare
        ), report["device"]
        assert not report["levels"][0]["passes"] and report["residual_history"] == was
    return 0


if __name__ == "__main__":
    sys.exit(main())
