"""Widths of cells in split rows: whatever number of cells a box has along x, a solve on a stretched
grid with beta on cells gives the same bits as in plain rows."""
import json
import os
import subprocess
import sys
import tempfile

GMG = os.path.abspath(sys.argv[1])


def run(*words):
    subprocess.run([GMG, *words, "--quiet"], check=True, env={**os.environ, "OMP_NUM_THREADS": "1"})


def history(*words):
    run("--input", "problem.h5", "--output", "u.h5", "--report", "report.json", *words)
    with open("report.json", encoding="utf-8") as stream:
        return json.load(stream)["residual_history"]


def main():
    os.chdir(tempfile.mkdtemp())
    failures = 0
    for cells in range(3, 21):
        grid = ("--cells", f"{2 * cells},3,2", "--stretch", "1.2,1,1")
        run("make", "--case", "noise", "--noise", *grid, "--output", "problem.h5")
        for precision in ("double", "mixed"):
            found = [
                history("--precision", precision, "--rows", rows, "--box", str(cells))
                for rows in ("plain", "split")
            ]
            if found[0] != found[1]:
                print(f"boxes of {cells} cells, {precision}: {found[0][:3]} and {found[1][:3]}")
                failures += 1
    print(f"{failures} differ")
    return failures > 0


if __name__ == "__main__":
    sys.exit(main())
