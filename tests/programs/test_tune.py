#!/usr/bin/env python3
# sanitizers: no
# needs: mpi
# gmg tune FILE.stencil, and runs that follow it. Preconditions: a C compiler, h5py. What must
# vanish: the differences, bit by bit, between runs that follow a choice and those without wisdom,
# on 1 and 2 ranks; choices that are there and not followed, of another machine, other ranks or
# cells and followed, or followed although the command line says how steps are taken; composed steps
# that nobody asked for; wisdom that is damaged and ends a run that did not name it, or that is
# taken; wrong arguments that are not refused with their reason, exit status 2 and nothing written.
"""usage: test_tune.py GMG GMG_GEN SOURCE_DIR"""
import json
import os
import subprocess
import sys
import tempfile

import h5py
import numpy as np

GMG, SOURCE = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[3])
HEAT = os.path.join(SOURCE, "examples", "programs", "heat3d.stencil")
CELLS = ["--cells", "20,18,24"]
OWN = os.path.join("cache", "gmg", "wisdom.json")  # the user's file
# An array without initial values, past values, two kernels, a minimum.
SEVERAL = """stencil 1; dimensions 2; array u, c; parameter a = 0.1;
boundary u: x mirror, y value 1; boundary c: all mirror;
initial u = x * y;
reduce least = min u[i][j];
kernel first { u[i][j] += a * c[i][j] * (u[i+1][j] - u@-1[i][j+1]); }
kernel second { c[i][j] = 0.5 * (c[i+1][j] + c[i][j-1]); }
"""
SOLVING = "stencil 1; dimensions 2; array f, u;\nf[i][j] = u[i][j];\nsolve p: rhs f, solution u;\n"
faults = []


def expect(good, what):
    if not good:
        faults.append(what)


def gmg(verb, *words, ranks=1):
    launcher = ["mpirun", "--oversubscribe", "--bind-to", "none", "-n", str(ranks)]
    return subprocess.run(
        (launcher if ranks > 1 else []) + [GMG, verb, *words],
        capture_output=True,
        text=True,
        check=False,
    )


def tune(*words, ranks=1):
    done = gmg("tune", *words, ranks=ranks)
    expect(done.returncode == 0, f"tune {words}: status {done.returncode}: {done.stderr}")
    return done


def run(*words, ranks=1, steps=11, cells=tuple(CELLS)):
    """What the run of heat prints, its report, and its values at the end."""
    words = [*cells, "--steps", str(steps), "--report", "out.json", *words]
    done = gmg("run", HEAT, "--output", "out.h5", *words, ranks=ranks)
    expect(done.returncode == 0, f"run {words}: status {done.returncode}: {done.stderr}")
    if done.returncode:
        return done.stdout, {}, None
    with open("out.json", encoding="utf-8") as stream:
        report = json.load(stream)
    with h5py.File("out.h5", "r") as file:
        return done.stdout, report, file["u"][()]


def read(name):
    with open(name, encoding="utf-8") as stream:
        return json.load(stream)


def write(name, text):
    with open(name, "w", encoding="utf-8") as stream:
        stream.write(text)


def choose(name, made, **members):
    """A wisdom file as `name`, whose entries have these choices: all, or the one of composed
    steps."""
    wisdom = read(name)
    for entry in wisdom["entries"]:
        composed = entry["subject"].endswith(" composed")
        for what, value in members.items():
            if what == "choice" and not composed:
                entry["choice"] = value
            elif what == "composed" and composed:
                entry["choice"] = value
            elif what not in ("choice", "composed"):
                entry[what] = value
    write(made, json.dumps(wisdom))


def same(left, right):
    return left is not None and right is not None and left.tobytes() == right.tobytes()


def check_tune():
    """A search ends, tells of what it tried, and saves entries of this program."""
    done = tune(HEAT, *CELLS, "--budget", "2", "--wisdom", "found.json", "--compose", "auto")
    lines = done.stdout.splitlines()
    least = 2 if "budget     it ended" in done.stdout else 4  # on a busy machine
    expect(sum(x.startswith("candidate") for x in lines) >= least, f"tune prints {done.stdout}")
    expect(any(line.startswith("tuned      heat3d: ") for line in lines), f"found: {done.stdout}")
    expect("has other bits" not in done.stdout, f"a candidate has other bits: {done.stdout}")
    expect("more than rounding" not in done.stdout, f"composed steps differ: {done.stdout}")
    told = "transforms take any number of steps in" in done.stdout
    expect(told or least == 2, f"nothing of transforms: {done.stdout}")
    entries = read("found.json")["entries"]
    subjects = [entry["subject"].split(" ", 2)[2] for entry in entries]
    expect(subjects == ["ranks 1", "ranks 1 composed"], f"entries: {entries}")
    expect(all(entry["cells"] == [20, 18, 24] for entry in entries), f"entries: {entries}")
    expect("compose" not in entries[0]["choice"], f"composed unasked: {entries[0]}")
    _, report, _ = run("--wisdom", "found.json")
    expect(report.get("tuned"), f"what was found is not followed: {report}")
    write("several.stencil", SEVERAL)
    words = ["several.stencil", "--cells", "150,140", "--set", "a=0.05", "--budget", "1"]
    done = tune(*words, "--dry-run")
    expect("has other bits" not in done.stdout, f"other bits: {done.stdout}")
    expect(done.stdout.count("candidate  ") > 1, f"tune prints {done.stdout}")
    expect("transforms" not in done.stdout, f"of steps that multiply arrays: {done.stdout}")
    expect(not os.path.exists(OWN), "a dry run saves what it finds")
    expect(tune(*words, "--quiet").stdout == "", "quiet tuning prints something")
    expect(os.path.exists(OWN), "the user's file was not written")
    os.remove(OWN)


def check_followed():
    choose("found.json", "box.json", choice={"box": 8, "steps-per-exchange": 4})
    _, usual, wanted = run("--wisdom", "none")
    expect(usual["tuned"] == "" and usual["steps_per_exchange"] == 1, f"without: {usual}")
    said, report, found = run("--wisdom", "box.json")
    expect(report["tuned"] == "box 8, 4 steps per exchange", f"tuned: {report['tuned']}")
    expect(report["steps_per_exchange"] == 4 and report["boxes"] > 8, f"report: {report}")
    expect("tuned      box 8, 4 steps per exchange" in said, f"a run says {said}")
    expect(report["composed"] == 1 and same(found, wanted), "a tuned run has other bits")
    for words in (["--box", "12"], ["--steps-per-exchange", "2"], ["--weights", "1"]):
        _, report, found = run("--wisdom", "box.json", *words)
        expect(report["tuned"] == "" and same(found, wanted), f"{words}: {report['tuned']}")
    _, report, _ = run("--wisdom", "box.json", cells=("--cells", "30,27,36"))
    expect(report["tuned"], "a grid of nearly as many cells does not follow")
    _, report, _ = run("--wisdom", "box.json", cells=("--cells", "50"))
    expect(not report["tuned"], "a grid of twice the extents follows")
    for what, value in (("machine", "Another CPU"), ("threads", 77), ("compiler", "another")):
        choose("box.json", "foreign.json", **{what: value})
        _, report, found = run("--wisdom", "foreign.json")
        expect(report["tuned"] == "" and same(found, wanted), f"another {what} is followed")
    os.makedirs(os.path.dirname(OWN), exist_ok=True)
    os.rename("box.json", OWN)
    _, report, found = run()
    expect(report["tuned"] and same(found, wanted), "the user's file is not followed")
    for word in ("none", "off"):
        _, report, found = run("--wisdom", word)
        expect(report["tuned"] == "" and same(found, wanted), f"--wisdom {word} reads a file")
    os.remove(OWN)
    return wanted


def check_composed():
    choose("found.json", "composed.json", choice={"box": 8}, composed={"compose": 3})
    _, _, wanted = run("--wisdom", "none", steps=12)
    _, report, found = run("--wisdom", "composed.json", steps=12)
    expect(report["composed"] == 1 and same(found, wanted), "composed steps that nobody asked for")
    words = ["--wisdom", "composed.json", "--compose", "auto"]
    _, report, found = run(*words, steps=12)
    expect(report["composed"] == 3 and report["tuned"] == "3 steps as one", f"auto: {report}")
    apart = np.abs(found - wanted).max() if found is not None else np.inf
    expect(apart < 1e-13, f"composed steps differ by {apart}")
    said, report, _ = run(*words, steps=11)
    expect(report["composed"] == 1 and "no multiple of 3" in said, f"11 steps: {said}")
    choose("found.json", "composed.json", choice={"compose": 3})
    done = gmg("run", HEAT, *CELLS, "--steps", "3", "--wisdom", "composed.json")
    expect(
        done.returncode == 2 and "do not allow compose = 3" in done.stderr,
        f"composed steps among those with the same bits: {done.returncode} {done.stderr}",
    )


def check_damaged(wanted):
    """Wisdom that is named is refused; that of the user's own file is told of where it is of this
    machine."""
    good = json.dumps(read("found.json"))
    choose("found.json", "wrong.json", choice={"box": 1})
    cases = [good[: len(good) // 2], "garbage \x01\n" * 50, "", '{"format": "gmg-wisdom"}']
    cases += [json.dumps(read("wrong.json")), good.replace('"version": 1', '"version": 9')]
    for text in cases:
        write("bad.json", text)
        done = gmg("run", HEAT, *CELLS, "--output", "no.h5", "--wisdom", "bad.json")
        expect(
            done.returncode == 2 and "gmg: wisdom: bad.json" in done.stderr,
            f"{text[:30]!r}: {done.returncode} {done.stderr!r}",
        )
        expect(not os.path.exists("no.h5"), f"{text[:30]!r}: a result was written")
        os.rename("bad.json", OWN)
        said, report, found = run()
        told = "wisdom was not used" in said or "threads" not in text
        expect(told, f"{text[:30]!r} is not told of: {said}")
        expect(report["tuned"] == "" and same(found, wanted), f"{text[:30]!r} was followed")
    write(OWN, "garbage")
    tune(HEAT, *CELLS, "--budget", "1", "--quiet")
    expect(read(OWN)["entries"], "tuning did not replace a file that is none")
    expect(os.path.exists(OWN + ".refused"), "a file that is no wisdom was not kept")
    os.remove(OWN)


def check_ranks(wanted):
    done = tune(HEAT, *CELLS, "--budget", "2", "--wisdom", "two.json", ranks=2)
    expect("other bits" not in done.stdout, f"two ranks: other bits: {done.stdout}")
    expect(" 4 steps per exchange" in done.stdout, f"two ranks: {done.stdout}")
    expect("ranks 2" in read("two.json")["entries"][0]["subject"], "two ranks: another subject")
    choose("two.json", "two.json", choice={"box": 6, "steps-per-exchange": 2})
    _, report, found = run("--wisdom", "two.json", ranks=2)
    expect(report["tuned"] == "box 6, 2 steps per exchange", f"two ranks: {report}")
    expect(same(found, wanted), "a tuned run of two ranks has other bits")
    _, report, _ = run("--wisdom", "two.json")
    expect(report["tuned"] == "", "one rank follows what two have found")
    # Ghosts would be deeper than 64: the choice cannot be followed, and the run goes on without.
    wide = "stencil 1; dimensions 2; array u; boundary all fixed; initial u = x;\n"
    wide += "u[i][j] += u[i-8][j];\n"
    write("wide.stencil", wide)
    tune("wide.stencil", "--cells", "90", "--budget", "1", "--wisdom", "wide.json", "--quiet")
    choose("wide.json", "wide.json", choice={"box": 20, "steps-per-exchange": 16})
    words = ["--cells", "90", "--steps", "3", "--wisdom", "wide.json", "--report", "wide.out"]
    done = gmg("run", "wide.stencil", *words)
    expect(
        done.returncode == 0 and read("wide.out")["tuned"] == "",
        f"a choice that cannot be followed: {done.returncode} {done.stderr}",
    )


def refused(reason, *words, verb="tune"):
    before = sorted(os.listdir("."))
    done = gmg(verb, *words)
    expect(
        done.returncode == 2 and done.stderr.startswith("gmg: ") and reason in done.stderr,
        f"{words}: not '{reason}' but {done.returncode} {done.stderr!r}",
    )
    expect(sorted(os.listdir(".")) == before, f"{words}: files were written: {os.listdir('.')}")


def check_arguments():
    write("solving.stencil", SOLVING)
    words = [HEAT, "--wisdom", "new.json"]
    refused("none.stencil cannot be read", "none.stencil", "--wisdom", "new.json")
    refused("the nearest is --budget", *words, "--budgets", "3")
    refused("expected auto", *words, "--compose", "3")
    refused("'0' is not a whole number from 1", *words, "--budget", "0")
    refused("expected a file to save to", HEAT, "--wisdom", "none")
    refused("wisdom cannot be saved: ", HEAT, "--wisdom", "several.stencil/new.json")
    refused("found 2 numbers", *words, "--cells", "8,8")
    refused("no parameter 'q'", *words, "--set", "q=1")
    refused("expected one back end", *words, "--backend", "openmp,openmp")
    refused("'solve p' is a step by a solver", "solving.stencil", *words[1:], "--cells", "9")
    refused("NAME.c, as --from is given", *words, "--from", "mint")
    refused("expected --compose M", HEAT, "--compose", "auto", "--restart", "a.h5", verb="run")
    refused("expected none of them", HEAT, "--compose", "auto", "--box", "4", verb="run")
    refused("absent.json: No such file", HEAT, *CELLS, "--wisdom", "absent.json", verb="run")
    said = gmg("tune", HEAT, "--help").stdout
    expect(said.startswith("gmg tune FILE.stencil") and "--budget" in said, f"--help: {said}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_CACHE_HOME"] = f"{folder}/here/cache"
        os.makedirs(f"{folder}/here/cache")
        os.chdir(f"{folder}/here")
        check_tune()
        wanted = check_followed()
        check_composed()
        check_damaged(wanted)
        check_ranks(wanted)
        check_arguments()
        os.chdir("/")
    for fault in faults:
        print("FAILED", fault)
    print(f"{len(faults)} faults")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
