#!/usr/bin/python3
"""Runs that are killed. kill -9 while the solution is written leaves the old file as it was or the
new one whole, and the next run removes what is left beside it; SIGTERM and SIGINT remove it at once
and say so in one line. If one of three ranks is killed, the others end within seconds, with a
message, and nothing is half-written.

Precondition: an undisturbed run writes the solution. What must vanish: the failures. Usage:
test_killed.py GMG"""
import glob
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import h5py

import damage

GMG = os.path.abspath(sys.argv[1])
CELLS = 96  # 7 MB of solution
SOON = 10  # seconds: an idle machine needs less than one
failed = 0


def check(name, wrong):
    global failed
    if wrong:
        failed += 1
        print(f"FAILED {name}: {wrong}", flush=True)


def read(path):
    with open(path, "rb") as stream:
        return stream.read()


def start(folder, *options, ranks=1, output="solution.h5"):
    launcher = (
        []
        if ranks == 1
        else [shutil.which("mpirun"), "--oversubscribe", "--bind-to", "none", "-n", str(ranks)]
    )
    return subprocess.Popen(
        [*launcher, GMG, "--input", "problem.h5", "--output", output, "--quiet", *options],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
    )


def partial(folder):
    return glob.glob(os.path.join(glob.escape(folder), "*.partial-*"))


def growing(folder):
    """Whether the solution's temporary file has bytes: it is not the trial of the start."""
    for name in partial(folder):
        try:
            if ".h5.partial-" in name and os.path.getsize(name) > 0:
                return True
        except FileNotFoundError:
            pass
    return False


def wait_for_writing(run, folder):
    """Until the solution is being written; whether that was seen."""
    end = time.time() + 100
    while run.poll() is None and time.time() < end:
        if growing(folder):
            return True
    return False


def whole(path):
    """Whether a solution file can be read to its end."""
    with h5py.File(path) as f:
        return (
            f["solution"].shape == (CELLS,) * 3
            and len(f["solution"][:].tobytes()) == 8 * CELLS**3
            and "status" in f["solution"].attrs
        )


def writing_seconds(folder):
    run = start(folder, "--max-cycles", "1")
    wait_for_writing(run, folder)
    begun = time.time()
    while growing(folder):
        pass
    seconds = time.time() - begun
    run.communicate()
    return seconds


def kill_while_writing(folder, times):
    """kill -9, so often that it hits the writing `times` times."""
    output, old = os.path.join(folder, "solution.h5"), os.path.join(folder, "old.h5")
    seconds, dice, hit, kept = writing_seconds(folder), random.Random(5), 0, 0
    os.rename(output, old)
    before = read(old)
    for attempt in range(10 * times):
        if hit == times:
            break
        shutil.copyfile(old, output)
        os.utime(output, (1, 1))
        run = start(folder, "--max-cycles", "2")
        if wait_for_writing(run, folder):
            end = time.time() + dice.uniform(0, seconds)
            while time.time() < end:
                pass
        run.kill()
        run.communicate()
        hit += growing(folder)
        if read(output) == before:
            kept += 1
        else:
            check("kill -9", None if whole(output) else "neither the old solution nor a new one")
    left = len(partial(folder))
    print(
        f"kill -9: {hit} while it wrote, the old solution was kept {kept} times; {left} "
        f"temporary files left"
    )
    check("kill -9", None if hit == times else f"only {hit} of {times} hit the writing")
    check("kill -9", None if left else "nothing was left, which cannot be")
    start(folder, "--max-cycles", "1").communicate()
    check("the next run removes what is left", partial(folder))


def tell(folder, number, ranks):
    """SIGTERM or SIGINT while the solution is written."""
    name = f"{signal.Signals(number).name}, {ranks} ranks"
    output = os.path.join(folder, "solution.h5")
    before = read(output)
    for attempt in range(20):
        run = start(folder, "--max-cycles", "2", ranks=ranks)
        if not wait_for_writing(run, folder):
            run.communicate()
            continue
        run.send_signal(number)
        _, err = run.communicate(timeout=60)
        said = [line for line in err.splitlines() if line.startswith("gmg: ")]
        if ranks > 1 and partial(
            folder
        ):  # the launcher kills ranks that are slow to end; the next run clears up
            start(folder, "--max-cycles", "1").communicate()
            before = read(output)
        check(name, f"left {partial(folder)}" if partial(folder) else None)
        if (
            run.returncode == 0 or read(output) != before
        ):  # it was too late, or the renaming was done
            check(name, None if whole(output) else "neither the old solution nor a new one")
            before = read(output)
            continue
        if ranks == 1:
            check(name, None if run.returncode == -number else f"exit status {run.returncode}")
        heard = len(said) == 1 and "half-written" in said[0]
        check(
            name, None if heard or ranks > 1 and not said else f"said {err}"
        )  # a dying mpirun may not pass it on
        return
    check(name, "no run was hit while it wrote")


def ranks_of(launcher, count):
    """The processes of the ranks, by rank."""
    end = time.time() + 60
    found = {}
    while len(found) < count and time.time() < end:
        for folder in glob.glob("/proc/[0-9]*"):
            try:
                parent = int(read(folder + "/stat").rpartition(b")")[2].split()[1])
                environment = dict(
                    entry.split(b"=", 1)
                    for entry in read(folder + "/environ").split(b"\0")
                    if b"=" in entry
                )
                name = os.path.basename(os.readlink(folder + "/exe"))
            except (OSError, ValueError):
                continue
            if (
                parent == launcher.pid
                and name == os.path.basename(GMG)
                and b"OMPI_COMM_WORLD_RANK" in environment
            ):
                found[int(environment[b"OMPI_COMM_WORLD_RANK"])] = int(os.path.basename(folder))
        time.sleep(0.05)
    return found


# Ten seconds a cycle.
SLOW = [
    "--smoother",
    "jacobi",
    "--omega",
    "0.5",
    "--pre",
    "0",
    "--post",
    "1000",
    "--krylov",
    "none",
    "--rtol",
    "1e-300",
]


def lose_rank(folder, victim):
    output = os.path.join(folder, "solution.h5")
    before = read(output)
    run = start(folder, *SLOW, ranks=3)
    ranks = ranks_of(run, 3)
    if len(ranks) < 3:
        run.kill()
        return check("lost rank", f"found only the ranks {sorted(ranks)}")
    time.sleep(2)  # into the solve
    if run.poll() is not None:
        return check("lost rank", f"the run was over before: {run.communicate()}")
    os.kill(ranks[victim], signal.SIGKILL)
    killed = time.time()
    try:
        _, err = run.communicate(timeout=60)
    except subprocess.TimeoutExpired:
        run.kill()
        return check("lost rank", f"the others went on for 60 s after rank {victim} was killed")
    seconds = time.time() - killed
    alive = [rank for rank, process in ranks.items() if os.path.exists(f"/proc/{process}/exe")]
    print(f"rank {victim} killed: over after {seconds:.1f} s")
    check("lost rank", f"{seconds:.0f} s until the end" if seconds > SOON else None)
    check("lost rank", f"ranks {alive} live on" if alive else None)
    check("lost rank", None if run.returncode else "exit status 0")
    check(
        "lost rank",
        None if f"rank {victim}" in err and "Killed" in err else f"no word of it: {err}",
    )
    return check(
        "lost rank", None if read(output) == before and not partial(folder) else "files changed"
    )


def main(times=6):
    with tempfile.TemporaryDirectory() as folder:
        problem = os.path.join(folder, "problem.h5")
        subprocess.run(
            [GMG, "make", "--case", "sine", "--cells", str(CELLS), "--output", problem],
            check=True,
            capture_output=True,
        )
        kill_while_writing(folder, times)
        for ranks in [1, 3] if damage.has_mpi(GMG) else [1]:
            tell(folder, signal.SIGTERM, ranks)
        tell(folder, signal.SIGINT, 1)
        if damage.has_mpi(GMG):
            for victim in (0, 2):
                lose_rank(folder, victim)
    print(f"{failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
