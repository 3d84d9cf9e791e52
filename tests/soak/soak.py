#!/usr/bin/env python3
"""Random problems, settings and machines: is every answer good? Needs the program gmg and Python's
standard library only.

usage: soak.py GMG [--runs 2000] [--seed 1] [--first 0] [--seconds S] [--backend cpu|device]
[--ranks 4] [--launch "mpirun … -n"]
               [--large 0.02] [--folder DIR] [--keep-going 1000] [--verbose]

A run makes a problem by `gmg make` and solves it three times: with default settings on one thread;
with random settings, by the CPU; and with the same settings another way: by other numbers of ranks,
threads and boxes, other rows, passes and instruction sets, or with --backend device by a GPU. It is
good if
  - every solve ends by itself, in time, with exit status 0 or 1 and without a word from a sanitizer
  or from MPI;
  - exit status, outcome and residual agree: 0 and "converged" at or below the tolerance, or
  "rounding_limit"; else 1;
  - the default converges unless β jumps hard, and random settings do unless they are among those
  known to be weak;
  - where both converge (with the same operator) their solutions differ by no more than the
  tolerances explain;
  - residual history and solution of the third solve are those of the second to the last bit.
Run N depends on the seed and on N alone: `--seed S --first N --runs 1` repeats it, and its folder
is kept. A bad run prints its commands. Exit status 1 where any was bad.
"""
import argparse
import json
import math
import os
import random
import shlex
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time

# Case: whether β jumps there.
CASES = {
    "sine": 0,
    "cosine": 0,
    "constant": 0,
    "smooth": 0,
    "smooth-periodic": 0,
    "neumann": 0,
    "robin": 0,
    "mixed": 0,
    "helmholtz": 0,
    "anisotropic": 0,
    "stretched": 0,
    "thin": 0,
    "odd": 0,
    "plane": 0,
    "sphere": 1,
    "inclusions": 1,
    "layers": 1,
    "checkerboard": 1,
    "rods": 1,
    "balls": 1,
    "noise": 1,
    "lognormal": 1,
}
# A solution may differ from another one by this, over its largest value and the larger one of both
# tolerances. Errors of the smoothest parts count 1 over the least eigenvalue, which is about 10 in
# the unit cube, and right sides are up to 1e4 times as large as solutions.
MAY_DIFFER = 1e4


class Bad(Exception):
    pass


def chance(r, probability):
    return r.random() < probability


def random_cells(r, case, large):
    most = 72 if chance(r, large) else r.choice((6, 12, 20, 28, 36))
    n = [r.randint(max(2, most // 2), most) for _ in range(3)]
    kind = r.random()
    if kind < 0.25:
        n = [most] * 3
    elif kind < 0.35:
        n[r.randrange(3)] = r.randint(1, 3)
    elif kind < 0.45:
        n[r.randrange(3)] *= 3
    if case == "plane":
        n[2] = 1
    if case == "thin":
        n[2] = r.randint(2, 5)
    return n


def random_problem(r, large):
    """Arguments of gmg make, and what the checks must know of the problem."""
    case = r.choice(list(CASES))
    n = random_cells(r, case, large)
    make = ["--case", case, "--cells", ",".join(map(str, n))]
    hard = 0.0  # decades of β's ratio between neighbours
    if case in ("sphere", "inclusions", "layers", "checkerboard", "rods", "balls", "noise"):
        ratio = 10 ** r.uniform(-6, 6) if case == "sphere" else 10 ** r.uniform(-3, 3)
        make += ["--ratio", f"{ratio:.4g}"]
        hard = abs(math.log10(ratio))
        if case not in ("sphere", "noise"):
            make += ["--size", str(r.randint(1, 6))]
    if case == "lognormal":
        sigma = r.choice((0.5, 1, 2, 3))
        make += ["--sigma", str(sigma)]
        hard = sigma
    stretch = 1.05 if case == "stretched" else 1.0
    if case == "anisotropic" or chance(r, 0.15):
        aspect = [r.choice((1, 1, 2, 4, 10, 100)) for _ in range(3)]
        make += ["--aspect", ",".join(map(str, aspect))]
    else:
        aspect = [1, 1, 1]
    if case == "stretched" or chance(r, 0.15):
        stretch = r.choice((0.97, 1.02, 1.05, 1.1))
        make += ["--stretch", ",".join(str(stretch if chance(r, 0.6) else 1) for _ in range(3))]
    boundary = None
    if chance(r, 0.3) and case not in ("smooth-periodic", "cosine", "sine"):
        boundary = r.choice(("dirichlet", "neumann", "robin", "periodic"))
        if chance(r, 0.3):
            pairs = [
                r.choice(
                    (
                        ["periodic"] * 2,
                        [r.choice(("dirichlet", "neumann", "robin")) for _ in range(2)],
                    )
                )
                for _ in range(3)
            ]
            boundary = ",".join(kind for pair in pairs for kind in pair)
        make += ["--boundary", boundary]
    if chance(r, 0.3):
        make += ["--noise"]
    if chance(r, 0.2):
        make += ["--a", f"{10 ** r.uniform(-3, 3):.3g}"]
    if "--noise" in make or case in ("inclusions", "rods", "balls", "noise", "lognormal"):
        make += ["--seed", str(r.randint(1, 1000))]
    uneven = max(aspect) / min(aspect) > 1 or stretch != 1 or max(n) > 4 * min(n)
    return {
        "make": make,
        "a": float(make[make.index("--a") + 1]) if "--a" in make else 0,
        "cells": n,
        "hard": hard,
        "jumps": CASES[case],
        "uneven": uneven,
        "rounding": hard > 4.5,
    }


def random_settings(r, problem):
    """Options that change the numbers, and whether they are weak: may take very many cycles, or not
    converge."""
    s, weak = {}, False
    if chance(r, 0.5):
        s["rtol"] = r.choice(("1e-10", "1e-8", "1e-6", "1e-11"))
    if chance(r, 0.4):
        s["cycle"] = r.choice("v w f fmg".split())
        weak |= problem["jumps"] and s["cycle"] in "v"
    if chance(r, 0.4):
        s["pre"], s["post"] = str(r.randint(0, 4)), str(r.randint(0, 4))
        weak |= int(s["pre"]) + int(s["post"]) < 3
    if chance(r, 0.4):
        s["smoother"] = r.choice("gsrb jacobi chebyshev".split())
        weak |= s["smoother"] == "jacobi"
        if s["smoother"] == "chebyshev" and chance(r, 0.5):
            s["degree"] = str(r.randint(1, 6))
            weak |= int(s["degree"]) < 3
        weak |= s["smoother"] == "chebyshev" and problem["uneven"]
    if chance(r, 0.15):
        s["omega"] = f"{r.uniform(0.6, 1.4):.2f}"
        weak = True
    if chance(r, 0.3):
        s["interpolation"] = r.choice("constant linear".split())
        weak |= s["interpolation"] == "constant" or problem["jumps"]
    if chance(r, 0.5):
        s["krylov"] = r.choice("none cg bicgstab auto".split())
        weak |= s["krylov"] == "none" and problem["jumps"]
    if chance(r, 0.15):
        s["anisotropy"] = ",".join(r.choice(("1", "1", "5", "0.1")) for _ in range(3))
        weak = True
    if chance(r, 0.3):
        s["bottom"] = r.choice("sweeps cg bicgstab direct".split())
        weak |= (
            s["bottom"] in ("cg", "bicgstab") and problem["uneven"]
        )  # a thousandth of its residual may leave the smoothest parts as they are
        if chance(r, 0.7):
            s["bottom-cells"] = str(r.choice((1, 30, 200, 500)))
            weak |= s["bottom"] == "sweeps"
    if chance(r, 0.15):
        s["bottom-cells"] = str(r.choice((1, 8, 100)))
        weak |= s.get("bottom", "sweeps") == "sweeps"
    if chance(r, 0.4):
        s["precision"] = r.choice("double mixed".split())
    if chance(r, 0.15):
        s["norm"] = "max"
    if (
        chance(r, 0.1)
        and not problem["jumps"]
        and problem["make"][1] in ("sine", "cosine", "constant", "anisotropic", "stretched", "thin")
    ):
        s["operator"] = "constant27"
    if (
        chance(r, 0.3)
        and problem["make"][1] in ("sine", "cosine", "constant", "anisotropic", "thin")
        and "--stretch" not in problem["make"]
        and "robin" not in " ".join(problem["make"])
    ):
        s["method"] = "fft"
    if chance(r, 0.2):
        s["max-cycles"] = str(r.choice((1, 3, 10, 300)))
    return s, bool(weak)


def random_arrangement(r, options, instruction_sets):
    """(ranks, threads, options) of a way to compute the same bits."""
    s, ranks = {}, 1
    if options.ranks > 1 and chance(r, 0.4):
        ranks = r.randint(2, options.ranks)
        if chance(r, 0.7 if options.backend == "device" else 0.3):
            s["gather"] = str(r.choice((1, 64, 4096)))
    if chance(r, 0.35):
        s["box"] = str(r.randint(3, 24))
    if chance(r, 0.3):
        s["rows"] = r.choice("plain split".split())
    if chance(r, 0.4):
        s["passes"] = r.choice("none all".split())
    if len(instruction_sets) > 1 and chance(r, 0.3):
        s["isa"] = r.choice(instruction_sets)
    return ranks, r.choice((1, 1, 2, 3, 4)), s


def random_device(r, options, cells):
    ranks, threads, s = 1, r.choice((1, 2)), {"backend": "cuda"}
    if options.ranks > 1 and chance(r, 0.2):
        ranks = r.randint(2, options.ranks)
        if chance(r, 0.3):
            s["device-messages"] = "host"
    if chance(r, 0.8):
        s["coarse"] = r.choice("auto gpu gpu cpu".split())
    if chance(r, 0.5):
        s["coarse-cells"] = str(r.choice((1, 100, 600, 4000)))
    if chance(r, 0.4):
        s["passes"] = r.choice("none all".split())
    if chance(r, 0.3):
        s["launch"] = "timed"
    if chance(r, 0.2):
        s["box"] = str(
            r.randint(max(3, max(cells) // 3), max(24, max(cells)))
        )  # many boxes are many launches
    return ranks, threads, s


def as_words(settings):
    return [word for name, value in settings.items() for word in (f"--{name}", value)]


def is_history(piece, history):
    """A report has null where a residual is not finite."""
    if len(piece) != 8 * len(history):
        return False
    return all(
        value == said if said is not None else not math.isfinite(value)
        for value, said in zip(struct.unpack(f"<{len(history)}d", piece), history)
    )


def solution_of(path, cells, histories):
    """The bytes of u: the dataset of that size which HDF5 stores in one piece, found by its layout
    message (version 3 or 4, class 1, address, size); of a few cells with others of that size, but
    for the solve's histories."""
    with open(path, "rb") as file:
        data = file.read()
    size, found = 8 * cells[0] * cells[1] * cells[2], set()
    for version in (b"\x03\x01", b"\x04\x01"):
        at = data.find(version)
        while at >= 0:
            if at + 18 <= len(data):
                address, length = struct.unpack_from("<QQ", data, at + 2)
                if length == size and address + length <= len(data):
                    found.add(address)
            at = data.find(version, at + 1)
    if not found:
        raise Bad(f"{path}: no dataset of {size} bytes")
    pieces = [data[address : address + size] for address in sorted(found)]
    return b"".join(piece for piece in pieces if not any(is_history(piece, h) for h in histories))


class Run:
    """One problem, and the solves of it."""

    def __init__(self, options, folder, number):
        self.options, self.folder, self.number = options, folder, number
        self.commands, self.notes = [], []

    def call(self, command, threads):
        environment = dict(os.environ, OMP_NUM_THREADS=str(threads), OMP_WAIT_POLICY="passive")
        self.commands.append(f"OMP_NUM_THREADS={threads} " + shlex.join(command))
        process = subprocess.Popen(
            command,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            errors="replace",
        )
        try:
            out, err = process.communicate(timeout=self.options.limit)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            raise Bad(f"not over within {self.options.limit} s") from None
        return process.returncode, out, err

    def make(self, problem):
        self.path = os.path.join(self.folder, "problem.h5")
        status, _, err = self.call(
            [self.options.gmg, "make", *problem["make"], "--output", self.path, "--quiet"], 1
        )
        if status == 2:
            self.notes.append(f"no such problem: {err.strip()[-300:]}")
            return False  # kinds of faces or sizes that the case does not have
        if status:
            raise Bad(f"gmg make: exit {status}: {err}")
        return True

    def solve(self, name, cells, ranks, threads, settings):
        """The report, with "exit" and the bytes of "u"; None where the program refuses these
        settings."""
        solution, report = (os.path.join(self.folder, f"{name}{end}") for end in (".h5", ".json"))
        command = [
            self.options.gmg,
            "--input",
            self.path,
            "--output",
            solution,
            "--report",
            report,
            "--quiet",
            *as_words(settings),
        ]
        if ranks > 1:
            command = [*shlex.split(self.options.launch), str(ranks), *command]
        status, out, err = self.call(command, threads)
        for word in (
            "Sanitizer",
            "runtime error",
            "MPI_ABORT",
            "MPI_ERR",
            "Segmentation",
            "*** An error",
            "corrupt",
        ):
            if word in err or word in out:
                raise Bad(f"{name}: exit {status}: {(out + err)[-1500:]}")
        if status == 2:
            self.notes.append(f"{name} refused: {err.strip()[-200:]}")
            return None
        if status not in (0, 1):
            raise Bad(f"{name}: exit {status}: {(out + err)[-1500:]}")
        with open(report, encoding="utf-8") as file:
            found = json.load(file)
        histories = [found[key] for key in ("residual_history", "seconds_history") if key in found]
        found["exit"], found["u"] = status, solution_of(solution, cells, histories)
        self.check_status(name, found, float(settings.get("rtol", "1e-10")))
        return found

    def check_status(self, name, found, rtol):
        status, relative, cycles = found["status"], found["relative_residual"], found["cycles"]
        good = status in ("converged", "rounding_limit")
        if (found["exit"] == 0) != good:
            raise Bad(f"{name}: exit {found['exit']}, but {status}: {found['reason']}")
        if status == "converged" and not relative <= rtol * (1 + 1e-12):
            raise Bad(f"{name}: converged at {relative}, rtol {rtol}")
        if len(found["residual_history"]) != cycles + 1:
            raise Bad(f"{name}: {cycles} cycles, {len(found['residual_history'])} norms")


def numbers(data):
    return struct.unpack(f"<{len(data) // 8}d", data)


def difference(one, other):
    """(of two solutions, the largest value); where the problem is singular gmg takes the mean
    off."""
    u, v = numbers(one["u"]), numbers(other["u"])
    if not all(map(math.isfinite, u)) or not all(map(math.isfinite, v)):
        raise Bad("a converged solution is not finite")
    return max(abs(x - y) for x, y in zip(u, v)), max(map(abs, u))


def differ_by_a_constant(one, other, rtol, a):
    """Where α of 1 is all that the mean is found by, a shift of it is in the residual only a times:
    it may be as large as the tolerance lets it."""
    u, v = numbers(one["u"]), numbers(other["u"])
    shift = sum(x - y for x, y in zip(u, v)) / len(u)
    rest = max(abs(x - y - shift) for x, y in zip(u, v))
    return (
        a > 0
        and rest <= MAY_DIFFER * rtol * max(map(abs, u))
        and a * abs(shift) <= 4 * rtol * one["residual_history"][0]
    )


def check_agreement(one, other, rtol, a, again):
    """`again` solves both to another tolerance: of a badly conditioned problem solutions differ by
    more, but in proportion to it, or by a constant that neither residual shows. a: of the
    equation."""
    differs, most = difference(one, other)
    if differs <= MAY_DIFFER * rtol * most:
        return
    one, other = again(rtol / 100)
    less = difference(one, other)[0]
    if not less <= differs / 20 and not differ_by_a_constant(one, other, rtol / 100, a):
        raise Bad(
            f"solutions differ by {differs:.2e}, of {most:.2e}; rtol {rtol:g}; by "
            f"{less:.2e} at a hundredth of it"
        )


def check_bits(one, other):
    if one["residual_history"] != other["residual_history"]:
        at = next(
            (
                n
                for n, pair in enumerate(zip(one["residual_history"], other["residual_history"]))
                if pair[0] != pair[1]
            ),
            "the end",
        )
        raise Bad(
            f"residual histories differ from cycle {at} on: {one['status']} after "
            f"{one['cycles']}, {other['status']} after {other['cycles']}"
        )
    if one["u"] != other["u"]:
        count = sum(x != y for x, y in zip(numbers(one["u"]), numbers(other["u"])))
        raise Bad(f"{count} values of u differ")


def check_success(name, problem, found, weak):
    if found["exit"] == 0 or weak:
        return
    if (
        found["status"] == "diverged"
        or found["status"] == "not_finite"
        or not (problem["jumps"] or problem["rounding"])
    ):
        raise Bad(f"{name}: {found['status']} on a problem that is not hard: {found['reason']}")


def one_run(options, number, folder, tally):
    r = random.Random(f"{options.seed} {number}")
    run = Run(options, folder, number)
    try:
        problem = random_problem(r, options.large)
        settings, weak = random_settings(r, problem)
        if options.backend == "device":
            settings.pop("method", None)  # by fft a GPU's values differ by rounding
        ranks, threads, more = random_arrangement(r, options, options.isas)
        device = random_device(r, options, problem["cells"])
        if not run.make(problem):
            tally["no such problem"] += 1
            if options.verbose:
                print(run.commands[-1], run.notes[-1])
            return True
        cells = problem["cells"]
        operator = {"operator": settings["operator"]} if "operator" in settings else {}
        usual = run.solve("default", cells, 1, 1, {"backend": "openmp", **operator})
        if usual is None:
            raise Bad(f"the default settings are refused: {run.notes}")
        first = run.solve("settings", cells, 1, r.choice((1, 2)), {**settings, "backend": "openmp"})
        check_success("default", problem, usual, False)
        if first is None:
            tally["refused settings"] += 1
            if options.verbose:
                print(run.notes[-1])
            return True
        limited = int(settings.get("max-cycles", "100")) < 100
        check_success("settings", problem, first, weak or limited)
        if usual["status"] == "converged" and first["status"] == "converged":
            check_agreement(
                usual,
                first,
                max(1e-10, float(settings.get("rtol", "1e-10"))),
                problem["a"],
                lambda rtol: [
                    run.solve(
                        "again",
                        cells,
                        1,
                        1,
                        {**given, "backend": "openmp", "rtol": str(rtol), "max-cycles": "400"},
                    )
                    for given in (operator, settings)
                ],
            )
            tally["agreed"] += 1
        if options.backend == "device":
            ranks, threads, more = device
        else:
            more = {**more, "backend": "openmp"}
        other = run.solve("other", cells, ranks, threads, {**settings, **more})
        if other is None:
            tally["refused ways"] += 1
            if options.verbose:
                print(run.notes[-1])
            return True
        if options.backend == "device" and other["levels"][0]["backend"] != "cuda":
            raise Bad(f"the CPU computed: {other.get('no_device')}")
        check_bits(first, other)
        tally[first["status"]] += 1
        tally["went to double"] += any("cycles in double" in text for text in first["fallbacks"])
        tally["turned cg on"] += any("conjugate gradients" in text for text in first["fallbacks"])
        return True
    except Bad as what:
        print(
            f"BAD run {number}: {what}\n  "
            + "\n  ".join(run.commands)
            + f"\n  again: soak.py {options.gmg} --seed {options.seed} --first {number}"
            f" --runs 1 --backend {options.backend}",
            flush=True,
        )
        return False


def prepare(options):
    info = subprocess.run([options.gmg, "info"], capture_output=True, text=True, check=True).stdout
    sets = [line for line in info.splitlines() if "run here:" in line]
    options.isas = (
        sets[0].split("run here:")[1].split(";")[0].replace(",", " ").split() if sets else []
    )
    if "MPI" not in info or (options.launch and not shutil.which(shlex.split(options.launch)[0])):
        options.ranks = 1
    return options.backend == "cpu" or "cuda: here" in info


def main():
    parser = argparse.ArgumentParser(description="random problems, settings and machines")
    parser.add_argument("gmg")
    parser.add_argument("--runs", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="the first run's number")
    parser.add_argument(
        "--seconds", type=float, default=float("inf"), help="begin no run after so many"
    )
    parser.add_argument("--backend", choices=("cpu", "device"), default="cpu")
    parser.add_argument("--ranks", type=int, default=4, help="at most; 1 where there is no MPI")
    parser.add_argument("--launch", default="mpirun --oversubscribe --bind-to none -n")
    parser.add_argument(
        "--large", type=float, default=0.02, help="share of problems with up to 72^3 cells"
    )
    parser.add_argument("--limit", type=float, default=300, help="seconds of one program")
    parser.add_argument(
        "--folder", help="where a repeated run's files stay; default: a temporary folder"
    )
    parser.add_argument("--keep-going", type=int, default=1000, help="stop after so many bad runs")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    options.gmg = os.path.abspath(options.gmg)
    os.environ.setdefault("OMPI_ALLOW_RUN_AS_ROOT", "1")
    os.environ.setdefault("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")
    os.environ.setdefault("OMPI_MCA_mpi_yield_when_idle", "1")
    if not prepare(options):
        print("skipped: there is no device here")
        return 77
    kept = options.folder or (tempfile.mkdtemp() if options.runs == 1 else None)
    names = (
        "agreed",
        "converged",
        "max_cycles",
        "stalled",
        "rounding_limit",
        "diverged",
        "not_finite",
        "interrupted",
        "went to double",
        "turned cg on",
        "refused settings",
        "refused ways",
        "no such problem",
    )
    tally, bad, done, begin = dict.fromkeys(names, 0), [], 0, time.monotonic()
    with tempfile.TemporaryDirectory() as temporary:
        folder = kept or temporary
        os.makedirs(folder, exist_ok=True)
        for number in range(options.first, options.first + options.runs):
            if time.monotonic() - begin > options.seconds or len(bad) >= options.keep_going:
                break
            done += 1
            if not one_run(options, number, folder, tally):
                bad.append(number)
            if done % (100 if options.backend == "cpu" else 20) == 0:
                print(f"{done} runs, {len(bad)} bad, {time.monotonic() - begin:.0f} s", flush=True)
    print(
        f"seed {options.seed}, backend {options.backend}: {done} runs from "
        f"{options.first} on, {len(bad)} bad{': ' if bad else ''}" + " ".join(map(str, bad))
    )
    print("; ".join(f"{name} {count}" for name, count in tally.items() if count))
    if kept:
        print(f"files of the run: {kept}")
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main())
