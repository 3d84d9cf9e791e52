#!/usr/bin/python3
"""Outputs that cannot be opened are refused before anything is solved (exit status 2); a disk that
is full, or a file that may not grow, ends in exit status 3. Each with one message that names the
path, the old output untouched, and no file left beside it. Alone and on three ranks.

Precondition: the problem is solved where there is room. What must vanish: the failures. Usage:
test_full_disk.py GMG"""
import os
import resource
import shutil
import subprocess
import sys
import tempfile

import damage

GMG = os.path.abspath(sys.argv[1])
CELLS = 120  # a solution of 13.8 MB
LIMIT = 10_000_000  # above the shared memory files of Open MPI
OLD = b"an older solution"
failed = 0


def launch(ranks):
    return (
        []
        if ranks == 1
        else [shutil.which("mpirun"), "--oversubscribe", "--bind-to", "none", "-n", str(ranks)]
    )


def check(name, wrong):
    global failed
    if wrong:
        failed += 1
        print(f"FAILED {name}: {wrong}", flush=True)


def run(folder, ranks, *options, limit=None, wrapper=(), stdout=subprocess.PIPE):
    def restrict():
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    return subprocess.run(
        [*wrapper, *launch(ranks), GMG, *options],
        cwd=folder,
        stdout=stdout,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        timeout=300,
        preexec_fn=restrict if limit else None,
    )


def files(folder):
    """Names and contents, the problem's left out."""
    found = {}
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        if name != "problem.h5":
            found[name] = open(path, "rb").read() if os.path.isfile(path) else None
    return found


def ends(name, folder, status, words, done, before):
    said = [line for line in done.stderr.splitlines() if line.startswith("gmg: ")]
    after = files(folder)
    if done.returncode != status:
        return check(
            name, f"exit status {done.returncode}, expected {status}: {done.stderr.strip()}"
        )
    if len(said) != 1 or any(word not in said[0] for word in words):
        return check(name, f"expected one line with {words}: {done.stderr.strip()}")
    if "HDF5-DIAG" in done.stderr or "*** " in done.stderr:
        return check(name, f"a library's message: {done.stderr.strip()}")
    if after != before:
        return check(
            name,
            f"files {sorted(after)}, before {sorted(before)}, "
            f"changed {[n for n in after if n in before and after[n] != before[n]]}",
        )
    return check(name, None)


def cannot_be_opened(folder, ranks):
    os.mkdir(os.path.join(folder, "a-folder"))
    os.mkdir(os.path.join(folder, "taken.xdmf"))
    os.mkfifo(os.path.join(folder, "pipe"))
    with open(os.path.join(folder, "old.h5"), "wb") as stream:
        stream.write(OLD)
    cases = [
        ("folder absent", ["--output", "absent/s.h5"], ["absent/s.h5", "No such file"]),
        ("a folder", ["--output", "a-folder"], ["a-folder", "directory"]),
        ("below a file", ["--output", "old.h5/s.h5"], ["old.h5/s.h5", "Not a directory"]),
        ("no right to write", ["--output", "/proc/s.h5"], ["/proc/s.h5", "cannot be written"]),
        ("a pipe", ["--output", "pipe"], ["pipe", "not a regular file"]),
        ("a name too long", ["--output", "x" * 300 + ".h5"], ["xxx", "too long"]),
        ("a path too long", ["--output", "y/" * 3000 + "s.h5"], ["y/y", "too long"]),
        ("no name", ["--output", ""], ["cannot be written"]),
        ("XDMF is a folder", ["--output", "taken.h5"], ["taken.xdmf", "directory"]),
        ("report: folder absent", ["--report", "absent/r.json"], ["absent/r.json", "No such file"]),
        ("report: a folder", ["--report", "a-folder"], ["a-folder", "directory"]),
        (
            "report is the solution",
            ["--output", "old.h5", "--report", "./old.h5"],
            ["old.h5", "--report"],
        ),
        ("output is the problem", ["--output", "problem.h5"], ["problem.h5", "--output"]),
    ]
    for name, options, words in cases:
        before = files(folder)
        done = run(folder, ranks, "--input", "problem.h5", *options)
        ends(f"{name}, {ranks} ranks", folder, 2, words, done, before)
        if "cycle" in done.stdout or "setting up" in done.stdout:
            check(name, f"solved before the path was tried: {done.stdout}")


def limited(folder, ranks):
    """No file may grow beyond LIMIT."""
    for name in ("solution.h5", "solution.xdmf"):
        with open(os.path.join(folder, name), "wb") as stream:
            stream.write(OLD)
    before = files(folder)
    options = ["--input", "problem.h5", "--output", "solution.h5", "--max-cycles", "1"]
    ends(
        f"file too large, {ranks} ranks",
        folder,
        3,
        ["solution.h5", "File too large"],
        run(folder, ranks, *options, limit=LIMIT),
        before,
    )
    make = ["make", "--case", "sine", "--cells", str(CELLS), "--output", "solution.h5"]
    ends(
        f"make, file too large, {ranks} ranks",
        folder,
        3,
        ["solution.h5", "File too large"],
        run(folder, ranks, *make, limit=LIMIT),
        before,
    )


def full_devices(folder):
    options = ["--input", "problem.h5", "--output", "solution.h5", "--max-cycles", "1"]
    done = run(folder, 1, *options, "--report", "/dev/full")
    right = done.returncode == 3 and "/dev/full" in done.stderr and "No space left" in done.stderr
    check("report to a full device", None if right else (done.returncode, done.stderr))
    with open("/dev/full", "w") as full:
        done = run(folder, 1, "--input", "problem.h5", "--check", stdout=full)
    right = done.returncode == 3 and "No space left" in done.stderr
    check("standard output to a full device", None if right else (done.returncode, done.stderr))


def full_file_system(folder, ranks):
    """A small file system of its own, where this user may mount one."""
    small = os.path.join(folder, "small")
    os.mkdir(small)
    script = (
        f"mount -t tmpfs -o size=8m none {small} && cp old.h5 {small}/s.h5 && "
        f'{{ "$@"; status=$?; cmp -s old.h5 {small}/s.h5 || status=77; '
        f'[ "$(ls -A {small})" = s.h5 ] || status=78; '
        "exit $status; }"
    )
    wrapper = ["unshare", "-Urm", "bash", "-c", script, "bash"]
    with open(os.path.join(folder, "old.h5"), "wb") as stream:
        stream.write(OLD)
    probe = subprocess.run(
        ["unshare", "-Urm", "mount", "-t", "tmpfs", "none", small], capture_output=True, check=False
    )
    if probe.returncode != 0:
        print("skipped: no file system can be mounted here")
        return
    before = files(folder)
    done = run(
        folder,
        ranks,
        "--input",
        "problem.h5",
        "--output",
        f"{small}/s.h5",
        "--max-cycles",
        "1",
        wrapper=wrapper,
    )
    ends(f"disk full, {ranks} ranks", folder, 3, ["s.h5", "No space left"], done, before)


def main():
    with tempfile.TemporaryDirectory() as store:
        problem = os.path.join(store, "problem.h5")
        subprocess.run(
            [GMG, "make", "--case", "sine", "--cells", str(CELLS), "--output", problem],
            check=True,
            capture_output=True,
        )
        for ranks in [1, 3] if damage.has_mpi(GMG) else [1]:
            for test in (cannot_be_opened, limited, full_file_system):
                with tempfile.TemporaryDirectory() as folder:
                    os.link(problem, os.path.join(folder, "problem.h5"))
                    test(folder, ranks)
        with tempfile.TemporaryDirectory() as folder:
            os.link(problem, os.path.join(folder, "problem.h5"))
            full_devices(folder)
    print(f"{failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
