#!/usr/bin/env python3
# sanitizers: no
# gmg tune --record and --plot on small problems: the record is complete and agrees with the wisdom
# that was saved, the picture is drawn, or it says why not, and wrong names are refused.
# Preconditions: none. What must vanish: the failures.
"""usage: test_tune_record.py GMG GMG_GEN SOURCE_DIR"""
import json
import os
import subprocess
import sys
import tempfile

GMG = os.path.abspath(sys.argv[1])
BUILD = os.path.dirname(os.path.dirname(GMG))
STAND_IN = os.path.join(BUILD, "tests", "stand_in")
failures = []


def expect(condition, text):
    if not condition:
        failures.append(text)
        print(f"FAILED {text}")


def run(status, *words, **environment):
    done = subprocess.run(
        [GMG, *words],
        capture_output=True,
        text=True,
        timeout=200,
        env={**os.environ, "XDG_CACHE_HOME": os.path.abspath("cache"), **environment},
    )
    what = f"gmg {' '.join(words)} exits with {status}, not {done.returncode}: {done.stderr[-500:]}"
    expect(done.returncode == status, what)
    return done


def read(path):
    with open(path, encoding="utf-8") as stream:
        return json.load(stream)


def is_picture(path):
    if not os.path.exists(path):
        return False
    with open(path, "rb") as stream:
        return stream.read(8) == b"\x89PNG\r\n\x1a\n"


def check_search(search):
    """The names, the candidates, and that what was chosen is one of them."""
    where = f"{search['problem']}, {search['subject']}"
    count, candidates = len(search["choices"]), search["candidates"]
    expect(all(len(row) == count + 1 for row in candidates), f"{where}: values and seconds")
    expect(all(row[-1] is None or row[-1] > 0 for row in candidates), f"{where}: seconds")
    tried = [row[:-1] for row in candidates]
    times = max(tried.count(row) for row in tried)
    expect(times <= (3 if search["choices"][0] == "rows" else 1), f"{where}: {times} times one")
    expect(tried and tried[0] == search["begin"]["values"], f"{where}: where it began")
    if "chosen" in search:
        expect(search["chosen"]["values"] in tried, f"{where}: what was chosen was tried")
    return "chosen" in search


def check_record(path, measured):
    record = read(path)
    expect(record["format"] == "gmg-tune" and record["version"] == 1, f"{path}: format, version")
    chosen = [search for search in record["searches"] if check_search(search)]
    expect(chosen, f"{path}: a search came to its end")
    count = sum(len(search["candidates"]) for search in record["searches"])
    expect(count >= measured - len(record["searches"]), f"{path}: {count} of {measured} candidates")
    return chosen


def unlike_wisdom(path, searches):
    """What a search chose is what wisdom has of the level; by the rules: nothing."""
    entries = {tuple(entry["cells"]): entry["choice"] for entry in read(path)["entries"]}
    unlike = []
    for search in searches:
        if "chosen" not in search:
            continue
        cells = tuple(int(n) for n in search["subject"].split(",")[1].split("x"))
        values = dict(zip(search["choices"], search["chosen"]["values"]))
        named = {name: value for name, value in values.items() if value}
        if entries.get(cells) != named:
            unlike.append(f"{cells}: wisdom has {entries.get(cells)}, not {named}")
    return unlike


def candidates_of(output):
    line = [line for line in output.split("\n") if "candidates" in line][0]
    return int(line.split("(")[1].split()[0]), "is not saved" in line


def check_plot():
    words = ["tune", "--cells", "24", "--budget", "2", "--wisdom", "w.json", "--plot", "s.png"]
    for _ in range(5):  # on a busy machine levels, or all, may prove slower in the end
        done = run(0, *words)
        measured, slower = candidates_of(done.stdout)
        unlike = [] if slower else unlike_wisdom("w.json", read("s.json")["searches"])
        if not slower and not unlike:
            break
    drawn = is_picture("s.png")
    expect(drawn or "install matplotlib" in done.stderr, f"drawn: {done.stderr}")
    expect("wrote      " in done.stdout, f"what was written: {done.stdout}")
    chosen = check_record("s.json", measured)
    expect(not unlike, "; ".join(unlike))
    print(f"{measured} candidates, {len(chosen)} searches, {'' if drawn else 'no '}picture")


def check_without_matplotlib():
    os.mkdir("missing")
    with open(os.path.join("missing", "matplotlib.py"), "w", encoding="utf-8") as stream:
        stream.write("raise ImportError('as if it were not installed')\n")
    words = ["tune", "--cells", "8", "--budget", "1", "--dry-run", "--quiet"]
    words += ["--record", "r.json", "--plot", "none.png"]
    done = run(0, *words, PYTHONPATH=os.path.abspath("missing"))
    expect("install matplotlib" in done.stderr, f"what to install: {done.stderr}")
    expect("plot_surface.py" in done.stderr, f"what draws it later: {done.stderr}")
    expect(os.path.exists("r.json") and not os.path.exists("none.png"), "the record alone")
    expect(not os.path.exists("none.json"), "the record is where --record says")


def refuses(words, *arguments):
    done = run(2, "tune", "--cells", "8", *arguments)
    expect(words in done.stderr, f"tune {' '.join(arguments)}: '{words}' in '{done.stderr}'")
    expect(done.stderr.count("\n") == 1, f"tune {' '.join(arguments)}: one line")
    expect("ratio" not in done.stdout, f"tune {' '.join(arguments)}: nothing was measured")


def check_refusals():
    refuses("named twice", "--record", "a.json", "--wisdom", "a.json")
    refuses("named twice", "--record", "a.png", "--plot", "a.png")
    refuses("named twice", "--plot", "a.png", "--wisdom", "a.json")
    refuses("No such file", "--record", "none/such.json")
    refuses("No such file", "--plot", "none/such.png")


def check_gpu():
    """Kernels of a device, for which the tests' one stands in."""
    if not os.path.isdir(STAND_IN):
        print("no stand-in device: not run on it")
        return
    words = ["tune", "--cells", "16", "--budget", "3", "--dry-run", "--plot", "gpu.png"]
    words += ["--backend", "cuda", "--coarse", "gpu", "--coarse-cells", "600"]
    cache = os.path.join(STAND_IN, "cache")  # of compiled kernels, which tests share
    done = run(0, *words, LD_LIBRARY_PATH=STAND_IN, XDG_CACHE_HOME=cache)
    if not os.path.exists("gpu.json"):
        return
    searches = [s for s in read("gpu.json")["searches"] if s["subject"].startswith("kernel ")]
    for search in searches:
        check_search(search)
        expect("block_i" in search["choices"], f"{search['subject']}: {search['choices']}")
    expect(searches, f"kernels were searched for: {done.stdout[-500:]}")
    expect(is_picture("gpu.png") or "install matplotlib" in done.stderr, f"{done.stderr}")
    print(f"{len(searches)} kernels on the stand-in device")


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        check_plot()
        check_without_matplotlib()
        check_refusals()
        check_gpu()
        os.chdir("/")
    print(f"{len(failures)} failures")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
