#!/usr/bin/python3
"""Runs the fuzz targets of the reader of problem files, which read as the program does: in a child
process first, and the values too.

    cmake --build --preset check --target fuzz && tests/fuzz/run.py build/check [SECONDS
    [CORPUS-FOLDER]]

Each target runs for SECONDS (default 600) in one process at a time; fuzz_image is the longest part
of the damage that files can suffer, on which HDF5 1.10.8 itself goes wrong. Where that happens in
the child, which the reader turns into a refusal, it is the design, and counted; unless the
sanitizer's report of it has a frame of the program innermost. Everything else is a finding: a
crash, a leak or no end in the process itself, and a refusal that is no sentence about an object.
Exit status 1 if there are any; they are kept in the corpus folder."""
import glob
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "io"))
import damage  # noqa: E402

LIMITS = [
    "-timeout=120",
    "-rss_limit_mb=0",
]  # the memory is the sanitizer's: libFuzzer's own limits count children
FLAGS = [
    "-fork=1",
    "-ignore_crashes=1",
    "-ignore_timeouts=1",
    "-ignore_ooms=1",
    "-report_slow_units=1000000",
]
SYMBOLIZER = "/usr/lib/llvm-19/bin/llvm-symbolizer"


def environment(reports=None):
    """For one target; reports: the folder for the reports of children."""
    fatal = ":".join(
        f"handle_{signal}=2" for signal in ("segv", "abort", "sigbus", "sigfpe", "sigill")
    )
    changed = {
        "ASAN_OPTIONS": fatal
        + ":allocator_may_return_null=1:hard_rss_limit_mb=4096:max_allocation_size_mb=2048",
        "UBSAN_OPTIONS": "print_stacktrace=1",
        "LSAN_OPTIONS": f"suppressions={HERE}/../support/leaks.supp:print_suppressions=0",
    }
    if os.path.exists(SYMBOLIZER):
        changed["ASAN_SYMBOLIZER_PATH"] = SYMBOLIZER
    if reports:
        changed["GMG_FUZZ_REPORTS"] = reports
    return {**os.environ, **changed}


def fuzz(program, seconds, corpus, seeds, length):
    """Findings of one target, the folder of what became of children, and whether it ran at all."""
    name = os.path.basename(program)
    findings, own, children = (
        os.path.join(corpus, kind + name, "") for kind in ("findings-", "corpus-", "children-")
    )
    for folder in (findings, own, children):
        os.makedirs(folder, exist_ok=True)
    done = subprocess.run(
        [
            program,
            *LIMITS,
            *FLAGS,
            f"-max_total_time={seconds}",
            f"-max_len={length}",
            f"-artifact_prefix={findings}",
            own,
            *seeds,
        ],
        env=environment(children),
        cwd=corpus,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
    )
    lines = [line for line in done.stderr.splitlines() if line.startswith("#") and "cov:" in line]
    print(f"{name}: {lines[-1] if lines else done.stderr[-2000:]}", flush=True)
    return sorted(glob.glob(findings + "*")), children, bool(lines)


def own_faults(children):
    """Reports of children that were stopped for a fault of the program, not of HDF5."""
    found = []
    for path in glob.glob(children + "*"):
        if path.endswith(".h5"):
            continue
        with open(path, errors="replace") as stream:
            report = stream.read()
        if damage.own_fault(report):
            found.append((path, report))
    return found


def again(program, finding, folder):
    """What one finding says by itself; nothing if it passes."""
    try:
        done = subprocess.run(
            [program, *LIMITS, finding],
            env=environment(),
            cwd=folder,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=300,
        )
    except subprocess.TimeoutExpired:
        return "no end within 300 s"
    return done.stderr if done.returncode else ""


def main():
    build, seconds = os.path.abspath(sys.argv[1]), int((sys.argv[2:] or ["600"])[0])
    corpus = os.path.abspath((sys.argv[3:] or [tempfile.mkdtemp(prefix="gmg-fuzz-")])[0])
    seeds = os.path.join(corpus, "seeds")
    os.makedirs(seeds, exist_ok=True)
    damage.seeds(seeds)
    failed = 0
    for name, folders, length in (("fuzz_recipe", [], 400), ("fuzz_image", [seeds], 32768)):
        program = os.path.join(build, "fuzz", name)
        findings, children, ran = fuzz(program, seconds, corpus, folders, length)
        failures = [(finding, again(program, finding, corpus)) for finding in findings]
        own = own_faults(children)
        for path, report in own + failures:
            print(f"FAILED {path}:\n{report[:4000] or 'passes by itself'}", flush=True)
        failed += len(own) + len(failures) + (not ran)
        print(
            f"{name}: {len(findings)} findings; {len(glob.glob(children + '*.h5'))} "
            f"children were stopped while HDF5 read, "
            f"{len(own)} for a fault of the program",
            flush=True,
        )
    print(f"{failed} failed; the corpus is in {corpus}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
