#!/usr/bin/python3
"""Runs the fuzz targets of the reader of problem files, and tells the program's own faults from those of the HDF5 library.

    cmake --build --preset check --target fuzz && tests/fuzz/run.py build/check [SECONDS [CORPUS-FOLDER]]

Each target runs for SECONDS (default 600) in one process at a time. fuzz_recipe must find nothing. fuzz_image damages files,
on which HDF5 1.10.8 itself crashes: its findings are run again one by one, and only those whose innermost frame is the
program's count. Exit status 1 if there are any; they are kept in the corpus folder."""
import glob
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "io"))
import damage  # noqa: E402

FLAGS = ["-fork=1", "-ignore_crashes=1", "-ignore_timeouts=1", "-ignore_ooms=1", "-timeout=20", "-rss_limit_mb=4096",
         "-detect_leaks=0"]


def environment():
    return {**os.environ, "ASAN_OPTIONS": "detect_leaks=0:allocator_may_return_null=1:handle_abort=1",
            "UBSAN_OPTIONS": "print_stacktrace=1"}


def fuzz(program, seconds, corpus, seeds, length):
    """Findings of one target."""
    findings = os.path.join(corpus, "findings-" + os.path.basename(program), "")
    own = os.path.join(corpus, os.path.basename(program))
    for folder in (findings, own):
        os.makedirs(folder, exist_ok=True)
    done = subprocess.run([program, *FLAGS, f"-max_total_time={seconds}", f"-max_len={length}",
                           f"-artifact_prefix={findings}", own, *seeds], env=environment(), cwd=corpus, stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, text=True, errors="replace")
    lines = [line for line in done.stderr.splitlines() if line.startswith("#") and "cov:" in line]
    print(f"{os.path.basename(program)}: {lines[-1] if lines else done.stderr[-2000:]}", flush=True)
    return sorted(glob.glob(findings + "*")), bool(lines)


def again(program, finding):
    """What comes of one finding by itself: "own", "HDF5", or "nothing"."""
    try:
        done = subprocess.run([program, "-timeout=20", "-rss_limit_mb=4096", "-detect_leaks=0", finding],
                              env=environment(), capture_output=True, text=True, errors="replace", timeout=120)
    except subprocess.TimeoutExpired:
        return "own", "no end, and no stack that tells whose"
    if done.returncode == 0:
        return "nothing", ""
    return "own" if damage.own_fault(done.stderr) or "not a message" in done.stderr else "HDF5", done.stderr


def main():
    build, seconds = os.path.abspath(sys.argv[1]), int((sys.argv[2:] or ["600"])[0])
    corpus = os.path.abspath((sys.argv[3:] or [tempfile.mkdtemp(prefix="gmg-fuzz-")])[0])
    seeds = os.path.join(corpus, "seeds")
    os.makedirs(seeds, exist_ok=True)
    damage.seeds(seeds)
    failed = 0
    for name, folders, length in (("fuzz_recipe", [], 400), ("fuzz_image", [seeds], 32768)):
        program = os.path.join(build, "fuzz", name)
        findings, ran = fuzz(program, seconds, corpus, folders, length)
        failed += not ran
        count = {"own": 0, "HDF5": 0, "nothing": 0}
        for finding in findings:
            whose, report = again(program, finding)
            count[whose] += 1
            if whose == "own":
                print(f"FAILED {finding}:\n{report[:4000]}", flush=True)
        failed += count["own"]
        print(f"{name}: {len(findings)} findings: {count['own']} the program's, {count['HDF5']} HDF5's, "
              f"{count['nothing']} not seen again", flush=True)
    print(f"{failed} failed; the corpus is in {corpus}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
