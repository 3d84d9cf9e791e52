#!/usr/bin/env python3
# sanitizers: no
# gmg tune and --wisdom on small problems: what tuning saves is taken and reported, and changes no
# bit; damaged, foreign, stale and contradictory files are refused or give the same bits; ten
# processes save to one file. Precondition: gmg make works. What must vanish: the failures. On
# several ranks only where the build has MPI.
"""usage: test_tune.py GMG GMG_GEN SOURCE_DIR"""
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time

GMG = os.path.abspath(sys.argv[1])
MUTATIONS, AT_ONCE = 100, 10
# Choices that the rules do not take at this size, alone and in passes.
ALONE = {"threads": 1, "tile_rows": 4, "tile_planes": 1, "passes": 1}
TOGETHER = {"rows": 6, "planes": 2, "stages": 4, "fetch": 2, "passes": 2}
ABSENT = os.path.join("/proc", "none")  # where nobody can make a folder, root included
failures = []


def expect(condition, text):
    if not condition:
        failures.append(text)
        print(f"FAILED {text}")


def environment(**changes):
    changed = {**os.environ, "XDG_CACHE_HOME": os.path.abspath("cache"), **changes}
    return {name: value for name, value in changed.items() if value is not None}


def run(status, *words, ranks=0, **changes):
    launcher = ["mpirun", "-n", str(ranks), "--oversubscribe", "--bind-to", "none"] if ranks else []
    done = subprocess.run(
        [*launcher, GMG, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        timeout=300,
        env=environment(**changes),
    )
    what = f"gmg {' '.join(words)} exits with {status}, not {done.returncode}: {done.stderr[-500:]}"
    expect(status is None or done.returncode == status, what)
    return done


def solution(path):
    """The values, as they stand in the file."""
    # pylint: disable=import-outside-toplevel
    import h5py

    with h5py.File(path) as file:
        return file["solution"][:].tobytes()


def choices(path):
    with open(path, encoding="utf-8") as stream:
        report = json.load(stream)
    return [level.get("choice") for level in report["levels"]], report["fallbacks"]


def text_of(choice):
    order = "rows planes stages fetch threads tile_rows tile_planes passes".split()
    return " ".join(f"{name}={choice[name]}" for name in order if name in choice)


def read(path):
    with open(path, encoding="utf-8") as stream:
        return stream.read()


def write(path, text):
    with open(path, "w", encoding="utf-8") as stream:
        stream.write(text)


def force(path, into):
    """A copy of a file of wisdom whose entries have choices that differ from the rules'."""
    wisdom = json.loads(read(path))
    for number, entry in enumerate(wisdom["entries"]):
        entry["choice"] = TOGETHER if number % 2 and min(entry["cells"]) > 3 else ALONE
    write(into, json.dumps(wisdom, indent=1))
    return {tuple(entry["cells"]): text_of(entry["choice"]) for entry in wisdom["entries"]}


def tune_until_saved(path):
    """On a busy machine what was found may prove slower in the end, and is then not saved; what an
    interrupt leaves is saved without that comparison."""
    for _ in range(5):
        done = run(0, "tune", "--cells", "24", "--budget", "8", "--wisdom", path)
        entries = json.loads(read(path))["entries"]  # there is a file even where it names nothing
        if "is not saved" not in done.stdout and [24, 24, 24] in [one["cells"] for one in entries]:
            return done
    words = [GMG, "tune", "--cells", "24", "--search", "exhaustive", "--budget", "100"]
    for seconds in (
        2,
        1,
        0.5,
        4,
        8,
        16,
    ):  # a fast machine has searched all by then, a slow one none
        process = subprocess.Popen([*words, "--wisdom", path], env=environment())
        time.sleep(seconds)
        process.send_signal(signal.SIGINT)
        ended = process.wait(timeout=100)
        entries = json.loads(read(path))["entries"] if os.path.exists(path) else []
        if ended == 130 and [24, 24, 24] in [one["cells"] for one in entries]:
            return done
    raise AssertionError(f"no interrupt left a choice of the finest level: {entries}")


def check_tuning():
    done = tune_until_saved("found.json")
    line = [line for line in done.stdout.split("\n") if "ratio" in line]
    expect(len(line) == 1 and "same bits" in line[0], f"a line of the problem: {done.stdout}")
    expect("found.json" in done.stdout, "where it was saved")
    entries = json.loads(read("found.json"))["entries"]
    expect([24, 24, 24] in [entry["cells"] for entry in entries], f"the finest level: {entries}")
    run(0, "problem.h5", "--wisdom", "none", "--output", "plain.h5", "--report", "plain.json")
    run(0, "problem.h5", "--wisdom", "found.json", "--output", "found.h5", "--quiet")
    expect(solution("found.h5") == solution("plain.h5"), "the same bits with what was found")
    expect(choices("plain.json")[0][0] is None, "without wisdom the rules choose")
    forced = force("found.json", "forced.json")
    run(0, "problem.h5", "--wisdom", "forced.json", "--output", "forced.h5", "--report", "r.json")
    expect(solution("forced.h5") == solution("plain.h5"), "the same bits with other choices")
    found = choices("r.json")[0]
    expect(found[0] == forced[(24, 24, 24)], f"the finest level's choice: {found}, {forced}")
    if (12, 12, 12) in forced:  # a busy machine may have had no time for it
        expect(found[1] == forced[(12, 12, 12)], f"the next level's choice: {found}, {forced}")
    done = run(0, "bench", "problem.h5", "--seconds", "1", "--wisdom", "forced.json")
    expect(f"wisdom chose {forced[(24, 24, 24)]}" in done.stdout, "gmg bench says what was chosen")
    done = run(0, "tune", "problem.h5", "--budget", "1", "--wisdom", "dry.json", "--dry-run")
    expect(not os.path.exists("dry.json") and "ratio" in done.stdout, "a dry run saves nothing")
    done = run(0, "tune", "--cells", "16", "--budget", "2", "--begin", "poor", "--wisdom", "b.json")
    expect(not os.path.exists("b.json") and "poor" in done.stdout, "from poor choices: not saved")
    done = run(0, "tune", "--cells", "8", "--budget", "1", "--quiet", "--wisdom", "q.json")
    expect(done.stdout == "" and os.path.exists("q.json"), f"--quiet: {done.stdout}")


def mutations(text):
    """Name and text of files that are wrong, or not, in one way or another."""
    wisdom = json.loads(text)
    chance = random.Random(5)
    entries = range(len(wisdom["entries"]))

    def changed(name, change):
        copy = json.loads(text)
        change(copy["entries"][chance.choice(entries)], copy)
        return name, json.dumps(copy)

    single = [
        ("rows", 10**30),
        ("rows", 0),
        ("rows", -5),
        ("rows", "march"),
        ("rows", 4097),
        ("planes", 257),
        ("stages", 1),
        ("fetch", 3),
        ("passes", 9),
        ("unheard_of", 3),
        ("Rows", 3),
        ("rows", None),
        ("rows", 1.5),
        ("rows", [1]),
    ]
    for choice, value in single:
        yield changed(
            f"choice {choice} {value}",
            lambda entry, _, c=choice, v=value: entry["choice"].update({c: v}),
        )
    for choice in ("threads", "tile_rows"):  # more than there are, which is no mistake
        yield changed(
            f"large {choice}", lambda entry, _, c=choice: entry["choice"].update({c: 4096})
        )
    for field, value in (
        ("source", "0123456789abcdef"),
        ("machine", "Another CPU, x86-64-v4"),
        ("generator", "99.0.0"),
        ("compiler", "GNU 1.0"),
        ("threads", 77),
        ("target", "gpu"),
        ("cells", [0, 1, 1]),
        ("cells", [10**12, 1, 1]),
        ("subject", "levels none double"),
        ("subject", "x" * 5000),
        ("seconds", -1),
        ("seconds", 1e400),
    ):
        yield changed(
            f"{field} {value}"[:40], lambda entry, _, f=field, v=value: entry.update({f: v})
        )

    def contradict(entry, whole):
        other = json.loads(json.dumps(entry))
        other["choice"] = {"rows": 12}
        whole["entries"].append(other)

    yield changed("contradictory", contradict)
    yield changed("doubled", lambda entry, whole: whole["entries"].append(entry))
    yield changed("newer", lambda _, whole: whole.update(version=2))
    yield changed("another format", lambda _, whole: whole.update(format="gmg-problem"))
    yield "empty", ""
    yield "nested", "[" * 100000
    yield "twice", text + text
    while True:
        at, what = chance.randrange(len(text)), chance.randrange(3)
        if what == 0:
            yield f"cut at {at}", text[:at]
        elif what == 1:
            flipped = chr(ord(text[at]) ^ (1 << chance.randrange(7)))
            yield f"a bit at {at}", text[:at] + flipped + text[at + 1 :]
        else:
            to = min(len(text), at + chance.randrange(1, 60))
            yield f"without {at} to {to}", text[:at] + text[to:]


def check_hostile():
    text, count = read("forced.json"), {0: 0, 2: 0}
    plain = solution("plain.h5")
    for (name, hostile), _ in zip(mutations(text), range(MUTATIONS)):
        write("hostile.json", hostile)
        if os.path.exists("hostile.h5"):
            os.remove("hostile.h5")
        done = run(
            None, "problem.h5", "--quiet", "--wisdom", "hostile.json", "--output", "hostile.h5"
        )
        expect(done.returncode in count, f"{name}: exit {done.returncode} {done.stderr[-300:]}")
        expect(not name.startswith("choice") or done.returncode == 2, f"{name}: is refused")
        count[done.returncode] = count.get(done.returncode, 0) + 1
        if done.returncode == 0:
            expect(solution("hostile.h5") == plain, f"{name}: the same bits")
        else:
            expect(done.stderr.startswith("gmg: wisdom: "), f"{name}: a reason: {done.stderr}")
            expect(done.stderr.count("\n") == 1, f"{name}: one line: {done.stderr}")
            expect(not os.path.exists("hostile.h5"), f"{name}: nothing is written")
    expect(count[2] > 30 and count[0] > 5, f"some are refused, some are foreign: {count}")
    print(f"{count[2]} of {MUTATIONS} hostile files refused, {count[0]} of no consequence")


def check_automatic():
    """The user's own file: used where it is good, and where it is not that is said."""
    os.makedirs("cache/gmg", exist_ok=True)
    write("cache/gmg/wisdom.json", read("forced.json"))
    run(0, "problem.h5", "--output", "a.h5", "--report", "a.json", "--quiet")
    expect(choices("a.json")[0][0] is not None, "the user's file is used")
    done = run(0, "info")
    expect(os.path.abspath("cache/gmg/wisdom.json") in done.stdout, f"info: {done.stdout[-600:]}")
    run(0, "problem.h5", "--output", "a.h5", "--report", "a.json", "--quiet", "--wisdom", "none")
    expect(choices("a.json")[0][0] is None, "--wisdom none: it is not")
    for name, text in (
        ("damaged", read("forced.json").replace('"cells"', '"cells', 1)),
        ("stale", read("forced.json").replace('"source": "', '"source": "0', 1)),
    ):
        write("cache/gmg/wisdom.json", text)
        done = run(0, "problem.h5", "--output", "a.h5", "--report", "a.json")
        expect("wisdom was not used" in done.stdout, f"{name}: a note: {done.stdout[-500:]}")
        expect(
            any("wisdom was not used" in sentence for sentence in choices("a.json")[1]),
            f"{name}: among the report's fallbacks",
        )
        expect(choices("a.json")[0][0] is None, f"{name}: all of it is left out")
        expect(solution("a.h5") == solution("plain.h5"), f"{name}: the same bits")
        expect("wisdom was not used" in run(0, "info").stdout, f"{name}: gmg info says so")
    os.remove("cache/gmg/wisdom.json")


def check_places():
    for changes in ({"XDG_CACHE_HOME": ABSENT}, {"XDG_CACHE_HOME": None, "HOME": None}):
        run(0, "problem.h5", "--output", "h.h5", "--quiet", **changes)
        expect(solution("h.h5") == solution("plain.h5"), f"{changes}: the same bits")
        done = run(0, "tune", "--cells", "8", "--budget", "1", **changes)
        expect("nothing will be saved" in done.stderr, f"{changes}: said: {done.stderr}")
    done = run(0, "tune", "--cells", "8", "--budget", "1")
    expect(os.path.exists("cache/gmg/wisdom.json"), "the user's file is made, and its folders")
    os.remove("cache/gmg/wisdom.json")


def refuses(words, *arguments):
    done = run(2, *arguments)
    expect(words in done.stderr, f"{' '.join(arguments)}: '{words}' in '{done.stderr}'")
    expect(done.stderr.count("\n") == 1, f"{' '.join(arguments)}: one line")
    expect("ratio" not in done.stdout, f"{' '.join(arguments)}: nothing was measured")


def check_refusals():
    refuses("none-such.h5", "tune", "none-such.h5")
    refuses("there is one already", "tune", "problem.h5", "--cells", "8")
    refuses("'fast' is not one of model, exhaustive", "tune", "--cells", "8", "--search", "fast")
    refuses("--budget: '0' is not", "tune", "--cells", "8", "--budget", "0")
    refuses("--budget: 'x' is not", "tune", "--cells", "8", "--budget", "x")
    refuses("nearest is --budget", "tune", "--cells", "8", "--bugdet", "3")
    refuses("--dry-run saves nothing", "tune", "--cells", "8", "--wisdom", "none")
    refuses("cannot be saved", "tune", "--cells", "8", "--wisdom", os.path.join(ABSENT, "w.json"))
    refuses("expected a problem", "tune", "--method", "m.options")
    m = os.path.join(ABSENT, "m.options")
    refuses("cannot be written", "tune", "--cells", "8", "--budget", "1", "--method", m)
    refuses("'eight'", "tune", "--cells", "eight")
    refuses("No such file", "problem.h5", "--wisdom", "none-such.json")
    refuses("No such file", "bench", "problem.h5", "--wisdom", "none-such.json")
    refuses("needs a value", "problem.h5", "--wisdom")
    newer = read("found.json").replace('"version": 1', '"version": 2')
    write("newer.json", newer)
    refuses("cannot be saved", "tune", "--cells", "8", "--wisdom", "newer.json")
    expect(read("newer.json") == newer, "a newer file stays as it is")


def check_at_once():
    """Processes that save to one file wait for each other."""
    sizes = [8 + 2 * n for n in range(AT_ONCE)]
    words = ["--budget", "3", "--threads", "1", "--wisdom", "shared.json"]
    running = [
        subprocess.Popen(
            [GMG, "tune", "--cells", str(n), *words],
            env=environment(),
            stdout=subprocess.PIPE,
            text=True,
        )
        for n in sizes
    ]
    saved = []
    for n, process in zip(sizes, running):
        output, _ = process.communicate(timeout=300)
        expect(process.returncode == 0, "all of ten processes succeed")
        saved += [n] if "is not saved" not in output else []
    expect(len(saved) > AT_ONCE // 2, f"most of them save: {saved}")
    cells = [entry["cells"] for entry in json.loads(read("shared.json"))["entries"]]
    missing = [n for n in saved if [n, n, n] not in cells]
    expect(not missing, f"entries of all processes are there, but for {missing}")
    run(0, "problem.h5", "--threads", "1", "--wisdom", "shared.json", "--quiet", "--output", "s.h5")
    expect(solution("s.h5") == solution("plain.h5"), "the same bits")


def check_interrupted():
    words = [GMG, "tune", "--cells", "64", "--search", "exhaustive", "--budget", "100"]
    words += ["--wisdom", "stopped.json"]
    process = subprocess.Popen(
        words, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    began = time.monotonic()
    time.sleep(5)
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=100)
    expect(process.returncode == 130, f"interrupted: exit {process.returncode} {errors}")
    expect(time.monotonic() - began < 60, "it ends soon")
    expect("saved" in errors, f"it says what became of it: {errors}")
    if "the solve was not" in output:  # it came while levels were searched
        expect(json.loads(read("stopped.json"))["entries"], "what was found is saved")


def check_method():
    few = ["method.h5", "--precision", "double", "--max-cycles", "5", "--rtol", "2e-11"]
    run(0, "make", "--case", "smooth", "--cells", "32", "--output", "method.h5")
    run(1, *few, "--quiet", "--output", "m.h5")  # the default needs six
    words = [*few, "--budget", "40", "--method", "method.options", "--wisdom", "method.json"]
    done = run(0, "tune", *words)
    text = read("method.options")
    found = [line.split()[0] for line in text.split("\n") if line and not line.startswith("#")]
    expect(found, f"a method that reaches the tolerance: {done.stdout} {text}")
    expect(not {"precision", "max-cycles", "rtol"} & set(found), f"what is given stays: {found}")
    run(0, *few, "--options", "method.options", "--quiet", "--output", "m.h5")
    dry = ["--method", "dry.options", "--dry-run"]
    done = run(0, "tune", "--cells", "12", "--budget", "2", *dry)
    expect("methods" in done.stdout and not os.path.exists("dry.options"), "a dry run writes none")
    few[4] = "1"  # no method is that fast
    done = run(0, "tune", *few, "--budget", "3", "--method", "none.options", *words[-2:])
    expect("none reaches the tolerance" in done.stdout, f"none is found: {done.stdout}")
    expect(all(line.startswith("#") for line in read("none.options").split("\n") if line), "none")


def check_ranks():
    words = ["--cells", "24", "--budget", "6", "--threads", "1", "--wisdom", "n3.json"]
    entries = []
    for _ in range(10):  # on a busy machine what was found may prove slower, and is not saved
        if not entries:
            run(0, "tune", *words, ranks=3)
            entries = json.loads(read("n3.json"))["entries"]
    expect(any("several ranks" in entry["machine"] for entry in entries), "it is of several ranks")
    forced = force("n3.json", "forced3.json")
    words = ["problem.h5", "--threads", "1", "--wisdom", "forced3.json", "--report", "n3r.json"]
    run(0, *words, "--output", "n3.h5", "--quiet", ranks=3)
    expect(solution("n3.h5") == solution("plain.h5"), "3 ranks: the same bits")
    found = choices("n3r.json")[0]
    in_force = [one for one in found if one is not None]
    expect(found[0] is not None, f"3 ranks: the finest level's choice: {found}")
    expect(len(in_force) >= len(forced), f"3 ranks: choices in force: {found}, {forced}")
    write("bad.json", "{")
    done = run(None, "problem.h5", "--wisdom", "bad.json", "--quiet", ranks=3)
    expect(done.returncode == 2 and "gmg: wisdom: bad.json" in done.stderr, "3 ranks refuse")


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        build_has_mpi = "MPI                none" not in run(0, "info").stdout
        run(0, "make", "--case", "smooth", "--cells", "24", "--output", "problem.h5", "--quiet")
        steps = [check_tuning, check_hostile, check_automatic, check_places, check_refusals]
        steps += [check_at_once, check_interrupted, check_method] + [check_ranks] * build_has_mpi
        for step in steps:
            began = time.monotonic()
            step()
            print(f"{step.__name__}: {time.monotonic() - began:.0f} s", flush=True)
        os.chdir("/")
    print(f"{len(failures)} failures")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
