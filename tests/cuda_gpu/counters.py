#!/usr/bin/env python3
"""Do the bytes that gmg bench counts agree with those that a GPU's own counters see? Needs Nsight
Compute (ncu) with access to the counters, and Python's standard library only.

usage: counters.py GMG [--cells 512] [--precision both] [--limit 0.10] [--kernels 10]

Of each kernel the launch that moves most is compared with what gmg bench counts for it: for a pass
over both colours, that of both half-sweeps. What a kernel writes last stays in the second-level
cache and is no traffic until later, so arrays should be much larger than that. Exit status 1: fewer
than --kernels kernels agree within --limit; 77: there is no ncu, or it sees no counters.
"""
import argparse
import csv
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile

METRICS = "dram__bytes_read.sum,dram__bytes_write.sum"
UNITS = {"byte": 1, "Kbyte": 1e3, "Mbyte": 1e6, "Gbyte": 1e9}


def bench(gmg, cells, precision, report):
    words = ["--backend", "cuda", "--precision", precision, "--krylov", "none"]
    command = [gmg, "bench", "--cells", str(cells), "--seconds", "1", "--repeats", "1"]
    return command + words + ["--output", report, "--quiet"]


def counted(gmg, cells, precision, folder):
    """Bytes of a launch by kernel, the most of all levels, as gmg bench counts them."""
    report = os.path.join(folder, "bench.json")
    subprocess.run(bench(gmg, cells, precision, report), check=True)
    with open(report, encoding="utf-8") as stream:
        levels = json.load(stream)["levels"]
    most = {}
    for level in levels:
        for kernel in level["kernels"]:
            if not kernel["calls"]:
                continue
            name = (kernel["name"], kernel["bits"], kernel["fused_calls"] > 0)
            both = 2 if kernel["fused_calls"] == kernel["calls"] else 1
            value = both * kernel["moved_bytes"] / kernel["calls"]
            most[name] = max(value, most.get(name, 0))
    return most


def seen(gmg, cells, precision, folder):
    """Bytes of launches by the kernel's symbol, as the counters have them."""
    command = ["ncu", "--clock-control", "none", "--metrics", METRICS, "--csv", "-c", "250"]
    command += ["-k", "regex:_f(32|64)_"]
    command += bench(gmg, cells, precision, os.path.join(folder, "seen.json"))
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    lines = [line for line in done.stdout.splitlines() if line.startswith('"')]
    launches = {}
    for row in csv.DictReader(io.StringIO("\n".join(lines))):
        if row.get("ID") and row["Metric Name"].startswith("dram__bytes"):
            key = (row["ID"], row["Kernel Name"])
            value = float(row["Metric Value"].replace(",", "")) * UNITS[row["Metric Unit"]]
            launches[key] = launches.get(key, 0) + value
    if not launches:
        print("skipped: ncu saw no counters:", (done.stdout + done.stderr)[-300:])
        sys.exit(77)
    return launches


def belongs(symbol, name, bits, fused):
    """Whether a launch is one of a kernel: NAME_[VARIANT_]f64_..., staged if colours share it."""
    rest = symbol[len(name) :] if symbol.startswith(name + "_") else ""
    others = ("norm", "restrict", "zero", "sums", "part", "single", "single_field")
    return (
        f"_f{bits}_" in rest
        and not any(rest.startswith("_" + word) for word in others)
        and rest.endswith("staged") == fused
    )


def compare(most, launches, limit, good):
    """Prints a line for each kernel that both know, and keeps in `good` whether they agree."""
    for (name, bits, fused), value in sorted(most.items(), key=lambda item: -item[1]):
        found = [
            sum_ for (_, symbol), sum_ in launches.items() if belongs(symbol, name, bits, fused)
        ]
        if not found or (name, bits, fused) in good:
            continue
        ratio = max(found) / value
        near = good[(name, bits, fused)] = abs(ratio - 1) <= limit
        title = f"{name} f{bits}{' (both colours)' if fused else ''}"
        print(f"{title:44} {value / 1e6:7.1f} MB {max(found) / 1e6:7.1f} MB  {ratio:.3f}", end="")
        print("" if near else "  *")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("gmg")
    parser.add_argument("--cells", type=int, default=512)
    parser.add_argument("--precision", default="both", choices=("double", "mixed", "both"))
    parser.add_argument("--limit", type=float, default=0.10)
    parser.add_argument("--kernels", type=int, default=10)
    options = parser.parse_args()
    if not shutil.which("ncu"):
        print("skipped: there is no ncu")
        return 77
    print(f"{'kernel':44} {'counted':>10} {'counters':>10}  ratio")
    good = {}
    for precision in ("double", "mixed") if options.precision == "both" else (options.precision,):
        with tempfile.TemporaryDirectory() as folder:
            most = counted(options.gmg, options.cells, precision, folder)
            launches = seen(options.gmg, options.cells, precision, folder)
        compare(most, launches, options.limit, good)
    agree = sum(good.values())
    print(f"{agree} kernels agree within {options.limit:.0%}, {options.kernels} are asked for")
    return 0 if agree >= options.kernels else 1


if __name__ == "__main__":
    sys.exit(main())
