# tables.py RESULTS.jsonl: what tests/cuda_gpu/run.sh found, beside what was asked of a GPU.
import json
import os
import sys


def read(path):
    with open(path) as stream:
        return {run["step"]: run for run in map(json.loads, stream)}


def verdict(good):
    return "holds" if good else "FAILS"


def line(what, run, field, limit, unit, less):
    if field not in run:
        print(f"{what:58s} no result (exit {run.get('exit')})")
        return
    value = run[field]
    good = value <= limit if less else value >= limit
    print(
        f"{what:58s} {value:10.3f} {unit:24s} {'at most' if less else 'at least'} "
        f"{limit:g}: {verdict(good)}"
    )


def times(run, title):
    if "levels" not in run:
        return
    print(f"\n{title}: microseconds a call, by level (GB/s of compulsory bytes)")
    names = ["gauss_seidel", "residual_restrict", "interpolate", "set", "residual_norm"]
    print(f"{'cells':>16s} {'where':>8s} " + " ".join(f"{name:>22s}" for name in names))
    for level in run["levels"]:
        where = "cpu" if level["backend"] != "cuda" else "tail" if level["tail"] else "graph"
        row = []
        for name in names:
            found = [k for k in level["kernels"] if name in k["name"] and "cubic" not in k["name"]]
            k = max(found, key=lambda k: k["calls"], default=None)
            row.append(
                f"{k['microseconds']:10.2f} ({k['gigabytes_per_second']:8.1f})" if k else "-"
            )
        print(
            f"{'x'.join(map(str, level['cells'])):>16s} {where:>8s} "
            + " ".join(f"{cell:>22s}" for cell in row)
        )


def slowest_in_tail(run):
    """Time per smooth (6): the slowest level's half-sweeps in the coarse tail, each with the
    barrier after it, and the first of them, which finds nothing in cache. Beside them the slowest
    transfer; the restriction to the tail's finest level is launched by itself, as the finer level
    is not in the tail."""
    tail = [level for level in run.get("levels", []) if level["tail"]]
    sweeps, transfers = [], []
    for n, level in enumerate(tail):
        where = f"{level['cells'][0]}^3"
        all_sweeps = [k for k in level["kernels"] if "gauss_seidel" in k["name"]]
        if calls := sum(k["calls"] for k in all_sweeps):
            sweeps.append((sum(k["calls"] * k["microseconds"] for k in all_sweeps) / calls, where))
        for k in level["kernels"]:
            if any(
                name in k["name"]
                for name in ("interpolate",) + (("residual_restrict",) if n else ())
            ):
                transfers.append((k["microseconds"], f"{k['name']}, {where}"))
    if not sweeps or not transfers:
        print(f"{'half-sweeps of the coarse tail':58s} no result")
        return
    time, where = max(sweeps)
    print(
        f"half-sweep in the coarse tail, slowest level: {where}".ljust(78)
        + f" {time:6.2f} us   at most 5: {verdict(time <= 5)}"
    )
    for k in tail[0]["kernels"]:
        if "zero_first" in k["name"]:
            print(
                f"  the first of them, which reads {tail[0]['cells'][0]}^3 from memory".ljust(78)
                + f" {k['microseconds']:6.2f} us"
            )
    time, where = max(transfers)
    print(f"  transfers there, the slowest: {where}".ljust(78) + f" {time:6.2f} us")


def finest(path):
    """Finest level (5), from what cuda-kernels wrote: split rows, double, the default form of each
    kernel in its default shape, as a share of a copy; and the forms that do both colours in one
    pass against two."""
    if not os.path.exists(path):
        return
    with open(path) as stream:
        trials = [t for t in json.load(stream)["trials"] if "_f64_split_" in t["symbol"]]
    sizes = sorted({t["cells"] for t in trials})
    kernels = [
        f"{operator}_{name}"
        for operator in ("variable7", "constant7")
        for name in ("gauss_seidel", "jacobi", "residual")
    ]
    kernels += ["restrict_cell", "interpolate_linear", "interpolate_constant"]
    in_one = [f"{operator}_residual_restrict" for operator in ("variable7", "constant7")]
    print(
        f"\nFinest level (5): share of a copy, {' and '.join(f'{n}^3' for n in sizes)}; 85% asked"
    )
    for name in kernels + in_one:
        for variant in ("", "uniform_alpha"):
            first = {}
            for t in trials:
                if (
                    t["kernel"] == name
                    and t["variant"] == variant
                    and t["form"] not in ("both", "staged")
                ):
                    first.setdefault(t["cells"], t)
            if len(first) == len(sizes):
                shares = [100 * first[n]["of_copy"] for n in sizes]
                title = f"{name} {variant.replace('uniform_alpha', '(one alpha)')}"
                found = (
                    "residual and restriction in one"
                    if name in in_one
                    else verdict(min(shares) >= 85)
                )
                print(
                    f"{title:58s} " + " ".join(f"{share:6.1f}%" for share in shares) + f"   {found}"
                )
    both_colours(trials, sizes)


def both_colours(trials, sizes):
    """Both colours in one pass, by the faster of the forms that do so; and what would be had if its
    bytes came at the rate of two passes."""
    print("Both colours in one pass, times as fast as in two; 1.5 asked")
    variants = sorted(
        {(t["kernel"], t["variant"]) for t in trials if t["form"] in ("both", "staged")}
    )
    for kernel, variant in variants:
        here = [t for t in trials if (t["kernel"], t["variant"]) == (kernel, variant)]
        ratios, forms, rates = [], [], []
        for n in sizes:
            best = min(
                (t for t in here if t["form"] in ("both", "staged") and t["cells"] == n),
                key=lambda t: t["milliseconds"],
            )
            twice = (
                2
                * next(t for t in here if t["form"] not in ("both", "staged") and t["cells"] == n)[
                    "bytes"
                ]
            )
            ratios.append(best["two_passes"] / best["milliseconds"])
            forms.append(best["form"])
            rates.append(twice / best["bytes"])
        title = f"{kernel} {variant.replace('uniform_alpha', '(one alpha)')}"
        found = verdict(min(ratios) >= 1.5) if min(rates) >= 1.5 else "its bytes forbid it"
        print(
            f"{title:58s} "
            + " ".join(f"{ratio:7.3f}" for ratio in ratios)
            + f"   {found}; {' '.join(sorted(set(forms)))}; at equal rates {min(rates):.2f}"
        )


def main():
    runs = read(sys.argv[1])
    finest(os.path.join(os.path.dirname(sys.argv[1]) or ".", "kernels.json"))
    none = {}
    print("Bits and memory (4, 9)")
    for name, run in runs.items():
        if "bits" in run:
            print(
                f"  {name:20s} {run['ranks']} ranks, {run['cells']:4d}^3: bits "
                f"{run['bits']}, memory {run['memory']}"
                f" over {run['solves']} solves; exchanges {run['exchanges'] or 'none'}"
            )
    full = runs.get("full", {})
    print(
        f"  too little memory: {verdict(full.get('good') == 1)}: {full.get('message', 'no result')}"
    )
    print("\nSpeed (7, 8)")
    line("V(2,2) cycle at 64^3", runs.get("v-64", none), "cycle_milliseconds", 0.25, "ms", True)
    fmg = runs.get("fmg-64", none)
    if "solve_seconds" in fmg:
        fmg["solve_milliseconds"] = 1e3 * fmg["solve_seconds"]
    line("FMG solve at 64^3", fmg, "solve_milliseconds", 1.0, "ms", True)
    line(
        "512^3 variable, double, to 1e-10",
        runs.get("double-512", none),
        "million_unknowns_per_second",
        700,
        "million/s",
        False,
    )
    line(
        "256^3 variable, double, to 1e-10",
        runs.get("double-256", none),
        "million_unknowns_per_second",
        400,
        "million/s",
        False,
    )
    line(
        "device memory, 512^3",
        runs.get("double-512", none),
        "device_bytes_per_unknown",
        90,
        "bytes/unknown",
        True,
    )
    for name in ("mixed-512", "no-tail-256"):
        if "million_unknowns_per_second" in runs.get(name, none):
            print(f"{name:58s} {runs[name]['million_unknowns_per_second']:10.3f} million/s")
    times(runs.get("timed-256", none), "Figure 6 (6), 256^3")
    slowest_in_tail(runs.get("timed-256", none))
    times(runs.get("timed-512", none), "512^3")
    for kernel in sorted(
        runs.get("timed-512", none).get("levels", [{"kernels": []}])[0]["kernels"],
        key=lambda k: -k["calls"] * k["microseconds"],
    )[:12]:
        print(
            f"  512^3 {kernel['name']:32s} {kernel['calls']:4d} calls, "
            f"{1e-3 * kernel['calls'] * kernel['microseconds']:9.2f} ms"
        )


main()
