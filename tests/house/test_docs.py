#!/usr/bin/env python3
# Preconditions: none. What must vanish: links of README and docs that lead nowhere, files and
# functions that they name and that do not exist, lines of the README beyond MOST_README.
"""usage: test_docs.py GMG GMG_GEN SOURCE_DIR"""
import glob
import os
import re
import sys

MOST_README = 150


def text_of(path):
    with open(path, encoding="utf-8") as stream:
        return stream.read()


def links(page, text):
    for target in re.findall(r"\]\(([^)#]+?)(?:#[^)]*)?\)", text):
        if not re.match(r"https?:", target) and not os.path.exists(
            os.path.join(os.path.dirname(page), target)
        ):
            yield f"{page}: the link to {target} leads nowhere"


def names(page, text, source):
    """Backticks around a path with a folder, or around a function of ours."""
    for word in set(re.findall(r"`([^`\s]+)`", text)):
        if re.fullmatch(
            r"(?:gen|solver|tuning|io|operators|tests|examples|docs|cmake|man|inputs)/[\w./-]+",
            word,
        ) and not os.path.exists(word):
            yield f"{page}: there is no {word}"
        function = re.fullmatch(r"(g(?:mg|en)_\w+)(?:\(.*\))?", word)
        if function and not re.search(rf"\b{function[1]}\b", source):
            yield f"{page}: there is no {function[1]}"


def main():
    os.chdir(sys.argv[3])
    pages = ["README.md", "CONTRIBUTING.md"] + sorted(glob.glob("docs/**/*.md", recursive=True))
    source = "\n".join(
        text_of(path)
        for top in ("gen", "solver", "tuning", "io", "cmake")
        for path in glob.glob(f"{top}/**/*.*", recursive=True)
        if path.endswith((".c", ".h", ".cmake", ".in"))
    )
    faults = []
    for page in pages:
        text = text_of(page)
        faults += [*links(page, text), *names(page, text, source)]
    lines = text_of("README.md").count("\n")
    if lines > MOST_README:
        faults.append(f"README.md: {lines} lines, at most {MOST_README} are allowed")
    for fault in faults:
        print(f"FAILED {fault}")
    print(f"{len(pages)} pages, {len(faults)} faults")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
