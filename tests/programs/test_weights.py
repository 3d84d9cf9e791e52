#!/usr/bin/env python3
# sanitizers: no
# needs: mpi
# Programs whose ranks have unequal parts of the grid. Preconditions: a C compiler, h5py. What must
# vanish: the differences, bit by bit, between the arrays and values that gmg run --weights writes,
# on 2 to 5 ranks, some of them with nothing or with less than programs reach, and those of one
# rank; operations that are not counted, or twice; weights that make no sense and are taken.
"""usage: test_weights.py GMG GMG_GEN SOURCE_DIR"""

import json
import os
import sys
import tempfile

sys.path.insert(0, os.path.join(sys.argv[3], "tests", "programs"))
import test_bits as bits  # pylint: disable=wrong-import-position

# Ranks, weights, cells of a box (0: one for each rank), steps per exchange.
WAYS = [
    (2, "1,3", 0, 1),
    (2, "0.02,1", 0, 1),  # less than a layer: nothing
    (3, "1,0,2", 0, 2),
    (3, "1,10,1", 5, 1),  # parts of a cell or two
    (5, "3,1", 0, 1),  # anew from the third rank on
]
folder = ""


def run(path, output, way, *more):
    ranks, weights, box, together = way
    launcher = ["mpirun", "--oversubscribe", "--bind-to", "none", "-n", str(ranks)]
    words = [bits.GMG, "run", path, "--output", output, "--steps", "7", "--backend", "openmp"]
    words += ["--cache", f"{folder}/cache", "--steps-per-exchange", str(together), *more]
    words += ["--weights", weights] if weights else []
    words += ["--box", str(box)] if box else []
    return bits.run((launcher if ranks > 1 else []) + words)


def inside(path):
    """What a file has, but for ghosts, of which several steps per exchange fill fewer."""
    return {k: v for k, v in bits.contents(path).items() if not k.startswith("ghosts/")}


def check(path, cells, *more):
    size = ["--cells", ",".join(map(str, cells)), *more]
    wanted, found = f"{folder}/wanted.h5", f"{folder}/found.h5"
    done = run(path, wanted, (1, "", 0, 1), *size)
    bits.expect(done.returncode == 0, f"{path}: {done.stderr}")
    for way in WAYS:
        done = run(path, found, way, *size)
        bits.expect(done.returncode == 0, f"{path} {way}: {done.returncode}: {done.stderr}")
        if done.returncode:
            continue
        there, here = inside(wanted), inside(found)
        same = there.keys() == here.keys() and all(
            bits.same_bits(here[key], there[key]) for key in there
        )
        bits.expect(same, f"{path} {cells} {way}: other bits than on one rank")


def check_counts(path):
    """What all ranks count does not depend on who has how much of the grid; the slowest rank's time
    counts, also where the first one has nothing."""
    report, output, flops = f"{folder}/found.json", f"{folder}/found.h5", []
    for weights in ("1,1", "1,0", "1,7", "0,1"):
        run(path, output, (2, weights, 0, 1), "--cells", "5,5,40", "--report", report)
        with open(report, encoding="utf-8") as stream:
            said = json.load(stream)
        flops.append(said["flops"])
        cells = 5 * 5 * 40 * said["steps"]
        bits.expect(
            0 < said["cells_per_second"] < 3e9  # no core is as fast as that
            and abs(said["cells_per_second"] * said["run_seconds"] - cells) < 1e-6 * cells,
            f"--weights {weights}: {said['cells_per_second']} cells a second",
        )
        bits.expect(
            0 < said["further_steps"] < said["steps"]
            and 0 < said["further_seconds"] < said["run_seconds"],
            f"--weights {weights}: {said['further_steps']} further steps",
        )
    bits.expect(len(set(flops)) == 1 and flops[0] > 0, f"operations of all ranks: {flops}")


def auto(path, ranks, work, together):
    """A run with weights found by trial, and what its report says; the values are one rank's."""
    wanted, found, report = f"{folder}/wanted.h5", f"{folder}/found.h5", f"{folder}/found.json"
    more = ["--cells", "40,40,60", "--work", work, "--report", report, "--threads", "1"]
    done = run(path, found, (ranks, "auto", 0, together), *more)
    if done.returncode:
        raise SystemExit(f"FAILED --weights auto: {done.returncode}: {done.stderr}")
    bits.expect("weights    found " in done.stdout, f"no weights in {done.stdout!r}")
    there, here = inside(wanted), inside(found)
    same = all(bits.same_bits(here[key], there[key]) for key in there)
    bits.expect(same and here.keys() == there.keys(), f"--weights auto, {work}: other bits")
    with open(report, encoding="utf-8") as stream:
        said = json.load(stream)
    waits = said["wait_seconds"]
    good = len(waits) == ranks and all(0 <= w <= said["run_seconds"] + 1 for w in waits)
    bits.expect(good and abs(sum(said["weights"]) - 100) < 1e-9, f"the report: {said}")
    return said["weights"]


def check_auto(path):
    """A rank that runs every kernel fifty times gets less, but where a busy machine deceives the
    search, which it does not eight times."""
    size, weights = ["--cells", "40,40,60"], []
    run(path, f"{folder}/wanted.h5", (1, "", 0, 1), *size)
    while len(weights) < 8 and not any(fast > 2 * slow for fast, slow in weights):
        weights.append(auto(path, 2, "1,50", 1))
    bits.expect(any(fast > 2 * slow for fast, slow in weights), f"work 1,50: weights {weights}")
    auto(path, 3, "20,1", 2)
    done = run(path, f"{folder}/found.h5", (1, "auto", 0, 1), *size)
    bits.expect(done.returncode == 0, f"--weights auto on one rank: {done.stderr}")


def check_work(heat, in_place):
    output = f"{folder}/refused.h5"
    for path, ranks, work, reason in (
        (heat, 2, "1,0", "work: found '0', expected a whole number from 1 to 100"),
        (heat, 2, "1,x", "work: found 'x'"),
        (heat, 2, "101", "work: found '101'"),
        (in_place, 2, "1,3", "reads what it writes, and would leave other values"),
        (heat, 1, "1,2", "--work: found '1,2' for 1 rank,"),
    ):
        done = run(path, output, (ranks, "", 0, 1), "--cells", "8", "--work", work)
        bits.expect(
            done.returncode == 2 and reason in done.stderr and not os.path.exists(output),
            f"--work '{work}': {done.returncode}: {done.stderr}",
        )


def check_refusals(path):
    for ranks, weights, reason in (
        (2, "1,x", "--weights: found '1,x', expected numbers of at least 0, W,W,..., or auto"),
        (2, "auto,1", "--weights: found 'auto,1'"),
        (2, "1,-1", "--weights: found '1,-1', expected numbers of at least 0"),
        (2, "", "--weights"),
        (2, "1,,2", "--weights: found '1,,2'"),
        (2, "1,2,3", "--weights: found '1,2,3' for 2 ranks"),
        (1, "1,2", "--weights: found '1,2' for 1 rank,"),
        (2, "0,0", "all ranks have weight 0"),
        (2, "1,nan", "--weights: found '1,nan'"),
    ):
        output = f"{folder}/refused.h5"
        done = run(path, output, (ranks, "", 0, 1), "--cells", "8", "--weights", weights)
        bits.expect(
            done.returncode == 2 and reason in done.stderr and not os.path.exists(output),
            f"--weights '{weights}': {done.returncode}: {done.stderr}",
        )


def main():
    global folder  # pylint: disable=global-statement
    with tempfile.TemporaryDirectory() as folder:
        heat = f"{bits.PROGRAMS}/heat3d.stencil"
        check(heat, (9, 8, 23))
        check(f"{bits.PROGRAMS}/wave.stencil", (8, 7, 19), "--values", "3")
        check(f"{bits.PROGRAMS}/gray_scott.stencil", (9, 31))
        check_counts(heat)
        check_auto(heat)
        check_work(heat, f"{bits.PROGRAMS}/gray_scott.stencil")
        check_refusals(heat)
    return bits.finish()


if __name__ == "__main__":
    sys.exit(main())
