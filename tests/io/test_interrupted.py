#!/usr/bin/python3
"""A solve that is asked to end. The first SIGINT or SIGTERM lets it finish its cycle: the solution
is written, marked interrupted like the report, and the exit status is 130; the second one, and
SIGHUP, end it at once, and nothing is written. Ctrl-C on a terminal ends ranks under mpirun with a
word.

Precondition: gmg make works. What must vanish: the failures. Usage: test_interrupted.py GMG"""
import glob
import json
import os
import pty
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import h5py
import numpy as np

import damage

GMG = os.path.abspath(sys.argv[1])
SWEEPS = ["--smoother", "jacobi", "--omega", "0.5", "--pre", "0", "--krylov", "none", "--rtol", "0"]
SWEEPS += ["--max-cycles", "100000"]
failed = 0


def check(name, good, wrong):
    global failed
    if not good:
        failed += 1
        print(f"FAILED {name}: {wrong}", flush=True)


def start(folder, problem, sweeps, wanted):
    """A slow solve, with so many lines of cycles printed: the first is that of the start."""
    run = subprocess.Popen(
        [
            GMG,
            problem,
            "--output",
            "solution.h5",
            *SWEEPS,
            "--post",
            str(sweeps),
            "--report",
            "report.json",
        ],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )  # a shell may have it ignored
    cycles = 0
    while cycles < wanted:
        line = run.stdout.readline()
        assert line, f"the run is over: {run.communicate()}"
        cycles += bool(re.match(r" +\d+ +\d\.\d+e", line))
    return run


def written(folder):
    return [name for name in os.listdir(folder) if name not in ("problem.h5", "large.h5")]


def clear(folder):
    for name in written(folder):
        os.remove(os.path.join(folder, name))


def once(folder, number):
    name = f"one {signal.Signals(number).name}"
    run = start(folder, "problem.h5", 100, 3)
    run.send_signal(number)
    out, err = run.communicate(timeout=100)
    check(name, run.returncode == 130, f"exit status {run.returncode}")
    check(name, err.count("gmg: ") == 1 and "interrupted" in err, f"said {err!r}")
    check(
        name, "\nstatus     interrupted: it was asked to stop after cycle" in out, f"said {out!r}"
    )
    check(
        name,
        not glob.glob(os.path.join(glob.escape(folder), "*.partial-*")),
        "temporary files are left",
    )
    with h5py.File(os.path.join(folder, "solution.h5")) as f, open(
        os.path.join(folder, "report.json")
    ) as stream:
        report, attributes = json.load(stream), f["solution"].attrs
        check(
            name,
            attributes["status"] == "interrupted" == report["status"],
            f"{attributes['status']}, {report['status']}",
        )
        check(
            name,
            attributes["cycles"] >= 2 and report["cycles"] == attributes["cycles"],
            f"{attributes['cycles']} cycles",
        )
        with h5py.File(os.path.join(folder, "problem.h5")) as problem:
            error = abs(f["solution"][:] - problem["exact"][:]).max()
        check(name, np.isfinite(error) and error < 0.01, f"the solution is off by {error}")
    print(f"{name}: {report['reason']}")
    clear(folder)


def at_once(folder, numbers):
    """The last of the signals ends a solve of which a cycle takes seconds."""
    name = " and ".join(signal.Signals(number).name for number in numbers)
    run, first = start(folder, "large.h5", 1000, 1), ""
    if len(numbers) > 1:
        run.send_signal(numbers[0])
        first = run.stderr.readline()
        check(name, "interrupted" in first, f"said {first!r}")
    told = time.time()
    run.send_signal(numbers[-1])
    _, err = run.communicate(timeout=100)
    print(f"{name}: over after {time.time() - told:.2f} s")
    err = first + err
    check(name, run.returncode == -numbers[-1], f"exit status {run.returncode}")
    lines = [line for line in err.splitlines() if line.startswith("gmg: ")]
    check(
        name,
        len(lines) == len(numbers) and "no file was left half-written" in lines[-1],
        f"said {err!r}",
    )
    check(name, not written(folder), f"left {written(folder)}")


def under_a_launcher(folder):
    """Ctrl-C on a terminal: the launcher may be gone before it passes anything on."""
    command = [
        shutil.which("mpirun"),
        "--oversubscribe",
        "--bind-to",
        "none",
        "-n",
        "2",
        GMG,
        "problem.h5",
        *SWEEPS,
        "--post",
        "1000",
    ]
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(folder)
        # the terminal outlives the launcher, as that of somebody who types does
        os.execv("/bin/sh", ["sh", "-c", "trap : INT; " + " ".join(command) + "; sleep 3"])
    seen, told, end = b"", False, time.time() + 100
    while time.time() < end:
        try:
            piece = os.read(terminal, 4096)
        except OSError:
            break
        if not piece:
            break
        seen += piece
        if not told and re.search(rb"\n +2 +\d\.\d+e", seen):
            told = True
            os.write(terminal, b"\x03")
    os.waitpid(child, 0)
    said = re.findall(rb"gmg: [^\r\n]*", seen)
    check(
        "Ctrl-C under mpirun",
        told and len(said) == 1 and b"half-written" in said[0],
        f"said {seen[-2000:]!r}",
    )
    check("Ctrl-C under mpirun", not written(folder), f"left {written(folder)}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        for name, cells in (("problem.h5", 64), ("large.h5", 128)):
            subprocess.run(
                [
                    GMG,
                    "make",
                    "--case",
                    "sine",
                    "--cells",
                    str(cells),
                    "--output",
                    os.path.join(folder, name),
                ],
                check=True,
                capture_output=True,
            )
        for number in (signal.SIGINT, signal.SIGTERM):
            once(folder, number)
        at_once(folder, [signal.SIGINT, signal.SIGINT])
        at_once(folder, [signal.SIGTERM, signal.SIGINT])
        at_once(folder, [signal.SIGHUP])
        if damage.has_mpi(GMG):
            under_a_launcher(folder)
    print(f"{failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
