#!/usr/bin/env python3
"""What every kind of problem takes, by cycle and by Krylov method: the target `table`.

usage: table.py GMG [--sizes 64,128] [--cases WORD,…] [--cores 2] [--seconds 60] [--only default] [--output table.json]

Every problem is made by `gmg make` (the table shows the options) and solved from u = 0 to 1e-10 of the right side's norm; the
residual that decides is the true one, f - A u computed from u. A column is a cycle and a Krylov method; the default is bold.
An entry: cycles (with a Krylov method: iterations, one cycle each), seconds of the solve; or "not within 100" with the norm that
was reached and why, in short, or "over N s", which stops a run. Whole sentences of the program follow below the table. It is
printed as Markdown.
"""
import argparse
import json
import os
import subprocess
import sys

# Name, and arguments of gmg make for a size n.
CASES = [
    ("constant", "--case constant --cells {n}"),
    ("smooth β", "--case smooth --cells {n}"),
    ("smooth β, periodic", "--case smooth-periodic --cells {n}"),
    ("all-Neumann, singular", "--case neumann --cells {n}"),
    ("Robin", "--case robin --cells {n}"),
    ("mixed faces", "--case mixed --cells {n}"),
    ("Helmholtz, α varies", "--case helmholtz --cells {n}"),
    ("aspect 4", "--case anisotropic --aspect 4,4,1 --cells {n}"),
    ("aspect 10", "--case anisotropic --aspect 10,10,1 --cells {n}"),
    ("aspect 1:3:10", "--case anisotropic --aspect 1,3,10 --cells {n}"),
    ("aspect 100", "--case anisotropic --aspect 100,100,1 --cells {n}"),
    ("stretched 1.05 in z", "--case stretched --stretch 1,1,1.05 --cells {n}"),
    ("stretched 1.05 in x, y, z", "--case stretched --stretch 1.05 --cells {n}"),
    ("thin, all-Neumann", "--case thin --cells {w},{w},4"),
    ("thin, Dirichlet", "--case thin --boundary dirichlet --cells {w},{w},4"),
    ("odd sizes", "--case odd --cells {odd}"),
    ("odd sizes, all-Neumann", "--case odd --boundary neumann --cells {odd}"),
    ("plane, 2-D", "--case plane --cells {p},{p},1"),
    ("sphere 1e3", "--case sphere --ratio 1e3 --cells {n}"),
    ("sphere 1e-3", "--case sphere --ratio 1e-3 --cells {n}"),
    ("sphere 1e-6", "--case sphere --ratio 1e-6 --cells {n}"),
    ("sphere 1e6", "--case sphere --ratio 1e6 --cells {n}"),
    ("inclusions of 3³, 1e3", "--case inclusions --ratio 1e3 --cells {n}"),
    ("inclusions of 3³, 1e-3", "--case inclusions --ratio 1e-3 --cells {n}"),
    ("layers of one cell, 1e3", "--case layers --ratio 1e3 --cells {n}"),
    ("layers of 3 cells, 1e3", "--case layers --size 3 --ratio 1e3 --cells {n}"),
    ("checkerboard of 4³, 1e3", "--case checkerboard --ratio 1e3 --cells {n}"),
    ("checkerboard of 3³, 1e3", "--case checkerboard --size 3 --ratio 1e3 --cells {n}"),
    ("log-normal σ = 1", "--case lognormal --sigma 1 --cells {n}"),
    ("log-normal σ = 2", "--case lognormal --sigma 2 --cells {n}"),
    ("log-normal σ = 3", "--case lognormal --sigma 3 --cells {n}"),
]
ODD = {32: "31,37,29", 64: "61,67,71", 128: "127,125,131"}
CYCLES = ("v", "w", "f", "fmg")
METHODS = ("none", "cg", "bicgstab", "auto")


def refusal(options, *arguments):
    """What the program says of arguments that it refuses; an empty text if it takes them."""
    done = subprocess.run([options.gmg, *arguments, "--input", "/nonexistent"], capture_output=True, text=True)
    return "" if "cannot be opened" in done.stderr else done.stderr


def columns(options):
    """(cycle, method), all or the default and those that differ from it in one of the two."""
    methods = [method for method in METHODS if not refusal(options, "--krylov", method)]
    cycles = [cycle for cycle in CYCLES if not refusal(options, "--cycle", cycle)]
    if options.only == "default":
        return [("v", "auto")]
    return [(cycle, method) for method in methods for cycle in cycles]


def short(report):
    """Why a run did not converge, in a few words."""
    norm = f"{report['relative_residual']:.0e}".replace("e-0", "e-").replace("e+0", "e+")
    word = {"max_cycles": "not within 100", "stalled": f"stalls after {report['cycles']}",
            "diverged": f"diverges after {report['cycles']}", "not_finite": f"overflows after {report['cycles']}"}
    return f"{word.get(report['status'], report['status'])}: {norm}"


def solve(options, path, cycle, method):
    """(text of the entry, report or None)."""
    environment = dict(os.environ, OMP_NUM_THREADS=str(options.cores))
    report = os.path.join(options.folder, "report.json")
    given = [] if (cycle, method) == ("v", "auto") else ["--cycle", cycle, "--krylov", method]
    command = [options.gmg, "--input", path, "--output", os.path.join(options.folder, "solution.h5"), "--report", report,
               "--quiet", *given]
    try:
        done = subprocess.run(command, env=environment, timeout=options.seconds, capture_output=True, text=True)
    except subprocess.TimeoutExpired:
        return f"over {options.seconds:.0f} s", None
    if done.returncode > 1:
        return "refused", {"status": "refused", "reason": done.stderr.strip()}
    with open(report, encoding="utf-8") as file:
        found = json.load(file)
    if found["status"] == "converged":
        return f"{found['cycles']}, {found['solve_seconds']:.3g} s", found
    return short(found), found


def arguments_of(template, n):
    return template.format(n=n, w=4 * n, p=8 * n, odd=ODD.get(n, f"{n - 3},{n + 3},{n + 7}"))


def row(options, name, template, n, ways):
    path = os.path.join(options.folder, "problem.h5")
    arguments = arguments_of(template, n)
    subprocess.run([options.gmg, "make", *arguments.split(), "--output", path, "--quiet"], check=True)
    entries, reasons = {}, {}
    for cycle, method in ways:
        text, report = solve(options, path, cycle, method)
        default = (cycle, method) == ("v", "auto")
        entries[f"{cycle} {method}"] = {"text": text, "report": report and {
            key: report.get(key) for key in ("status", "reason", "cycles", "relative_residual", "solve_seconds", "setup_seconds")}}
        if report and report["status"] != "converged" and default:
            reasons[arguments] = report["reason"]
        print(f"  {name}, {n}: {cycle} {method}: {text}", file=sys.stderr, flush=True)
    size = arguments.split("--cells ")[1]
    size = "×".join(size.split(",")) if "," in size else f"{size}³"
    return {"name": name, "size": size, "arguments": arguments, "entries": entries}, reasons


def main():
    parser = argparse.ArgumentParser(description="cycles and seconds of every kind of problem")
    parser.add_argument("gmg")
    parser.add_argument("--sizes", default="64,128")
    parser.add_argument("--cases", default="", help="words of names, with commas between: only those")
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=120, help="stop a run after so many")
    parser.add_argument("--only", choices=("all", "default"), default="all")
    parser.add_argument("--output", default="table.json")
    options = parser.parse_args()
    options.gmg = os.path.abspath(options.gmg)
    options.folder = os.path.join(os.path.dirname(os.path.abspath(options.output)), "table")
    os.makedirs(options.folder, exist_ok=True)
    words = [word for word in options.cases.split(",") if word]
    ways = columns(options)
    print("| problem | cells | " + " | ".join(
        "**v, auto**" if way == ("v", "auto") else f"{way[0]}, {way[1]}" for way in ways) + " |")
    print("|---" * (len(ways) + 2) + "|", flush=True)
    rows, reasons = [], {}
    for name, template in CASES:
        if words and not any(word in name or word in template for word in words):
            continue
        for n in (int(size) for size in options.sizes.split(",")):
            line, more = row(options, name, template, n, ways)
            rows.append(line)
            reasons.update(more)
            texts = [line["entries"][f"{cycle} {method}"]["text"] for cycle, method in ways]
            texts = [f"**{text}**" if way == ("v", "auto") else text for way, text in zip(ways, texts)]
            print(f"| {name} | {line['size']} | " + " | ".join(texts) + " |", flush=True)
    for arguments, reason in reasons.items():
        print(f"\n`gmg make {arguments}`, in default settings: {reason}", flush=True)
    with open(options.output, "w", encoding="utf-8") as file:
        json.dump(rows, file, indent=1, ensure_ascii=False)
    for name in os.listdir(options.folder):
        os.remove(os.path.join(options.folder, name))


if __name__ == "__main__":
    main()
