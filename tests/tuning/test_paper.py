#!/usr/bin/env python3
# sanitizers: no
# tests/bench/paper_figures.py on a tiny problem: its JSON, page and pictures are there, the page
# has the JSON's values and the paper's, and says what was not measured; two JSONs make a figure 8.
# Preconditions: none. What must vanish: the failures.
"""usage: test_paper.py GMG GMG_GEN SOURCE_DIR"""
import json
import os
import re
import subprocess
import sys
import tempfile

GMG, SOURCE = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[3])
BENCH = os.path.join(SOURCE, "tests", "bench")
SCRIPT = os.path.join(BENCH, "paper_figures.py")
sys.path.insert(0, BENCH)
import paper_numbers as paper
from paper_page import rounded

CELLS = 32
failures = []


def expect(condition, text):
    if not condition:
        failures.append(text)
        print(f"FAILED {text}")


def run(statuses, *words, **environment):
    done = subprocess.run(
        [sys.executable, SCRIPT, *words],
        capture_output=True,
        text=True,
        timeout=200,
        env={**os.environ, **environment},
    )
    what = f"{' '.join(words)}: exit {done.returncode}: {done.stderr[-800:]}"
    expect(done.returncode in statuses, what)
    return done


def read(path):
    with open(path, encoding="utf-8") as stream:
        return stream.read()


def is_picture(path):
    with open(path, "rb") as stream:
        return stream.read(8) == b"\x89PNG\r\n\x1a\n"


def rows_of(page, section):
    """The cells of the tables' lines in a section."""
    text = page.split(f"## {section}")[1].split("\n## ")[0]
    return [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in text.split("\n")
        if line.startswith("|")
    ]


def check_json(measured):
    expect(measured["format"] == "gmg-paper" and measured["cells"] == CELLS, "format and cells")
    ways = [(one["combination"], one["way"]) for one in measured["runs"]]
    expect(ways == [("VC GSRB", "alone")], f"what was asked for: {ways}")
    for one in measured["runs"]:
        sizes = [level["cells"][0] for level in one["levels"]]
        expect(sizes == [CELLS >> level for level in range(paper.LEVELS)], f"levels: {sizes}")
        expect(one["triad"] > 1e8 and one["candidates"] > 0, f"{one['triad']}, {one['candidates']}")
        for level in one["levels"]:
            for which in ("default", "tuned"):
                smooth = level[which]
                expect(smooth["seconds"] > 0 and smooth["bytes"] > 0, f"{which}: {smooth}")
                expect("gauss_seidel" in smooth["kernel"], f"{which}: {smooth['kernel']}")


def check_page(page, measured):
    for combination, blocks in paper.TABLE_2.items():
        row = [combination] + [f"⟨{x}, {y}, 1⟩" for x, y in blocks]
        expect(row in rows_of(page, "Table 2"), f"the paper's row {row}")
    by_level, finest = rows_of(page, "Figure 6"), rows_of(page, "Figure 5")
    for one in measured["runs"]:
        word = {"alone": "one by one", "passes": "in passes"}[one["way"]]
        times = [rounded(1e6 * level["tuned"]["seconds"]) for level in one["levels"]]
        expect(["VC GSRB", word, *times] in by_level, f"figure 6: {times} in {by_level}")
        first = one["levels"][0]
        expected = [rounded(1e3 * first[which]["seconds"]) for which in ("default", "tuned")]
        found = [row[4:6] for row in finest if row[:2] == ["VC GSRB", word]]
        expect(found == [expected], f"figure 5: {expected} in {found}")
    missing = ["Not measured: a GPU", "Two compilers of the CPU were not measured"]
    missing += ["Two versions of NVRTC were not measured", "VC Jacobi, CC GSRB, CC Jacobi"]
    for text in missing:
        expect(text in page, f"'{text}' is said")


def check_pair():
    """The same times under another name, twice as long."""
    other = json.loads(read("out/paper.json"))
    for one in other["runs"]:
        one["target"] = "other"
        for level in one["levels"]:
            for which in ("default", "tuned"):
                level[which]["seconds"] *= 2
    with open("other.json", "w", encoding="utf-8") as stream:
        json.dump(other, stream)
    run((0, 4), "--from", "out/paper.json", "--from", "other.json", "--output", "pair")
    page = read("pair/paper.md")
    expect("other takes 2.00 of the time of one by the rules, 2.00 tuned" in page, "their ratio")
    expect("Two compilers of the CPU were not" not in page, "figure 8 is there")
    return page


def check_refusals():
    for words in (
        ["--from", "out/paper.json", "--program", f"one={GMG}"],
        ["--program", "none"],
        ["--program", f"one={GMG}", "--cells", "24"],
        ["--program", f"one={GMG}", "--only", "VC"],
        [],
    ):
        run((2,), *words)


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        words = ["--program", f"one={GMG}", "--cells", str(CELLS), "--gpu", "no", "--output", "out"]
        words += ["--only", "VC GSRB", "--way", "alone", "--budget", "1"]
        done = run((0, 4), *words, "--repeats", "1", "--seconds", "1")
        drawn = done.returncode == 0
        measured, page = json.loads(read("out/paper.json")), read("out/paper.md")
        check_json(measured)
        check_page(page, measured)
        for page, path in ((page, "out"), (check_pair(), "pair")):
            pictures = re.findall(r"!\[.*?\]\((.*?)\)", page)
            expect(len(pictures) == (drawn and (3 if path == "pair" else 2)), f"{path}: {pictures}")
            for name in pictures:
                expect(is_picture(os.path.join(path, name)), f"{name} is a picture")
        check_refusals()
        os.chdir("/")
    print(f"{'' if drawn else 'no matplotlib: no pictures; '}{len(failures)} failures")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
