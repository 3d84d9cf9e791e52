#!/usr/bin/env python3
# Preconditions: none. What must vanish: includes from a room to one that stands above it or beside
# it, circles between rooms, circles of more than MOST_CIRCLE files within a room, headers that do
# not compile by themselves, folders with more than MOST_SOURCES sources, files of more than
# MOST_LINES lines, functions of more than MOST_BODY lines, lines of more than MOST_COLUMNS
# characters.
"""usage: test_rooms.py GMG GMG_GEN SOURCE_DIR [--arrows]      --arrows: prints what the rooms
include, and nothing else

ROOMS is the plan of the house (docs/architecture.md): each room may include itself, the files at
its top folder, and the rooms named.
"""
import collections
import json
import os
import re
import shlex
import subprocess
import sys
import unicodedata

BELOW = "problem runtime mesh system"
ROOMS = {
    "solver/api": f"method coarsening setup cycle fourier {BELOW}",
    "solver/method": f"coarsening setup cycle fourier {BELOW}",
    "solver/coarsening": f"setup cycle owners {BELOW}",
    "solver/setup": f"cycle owners fourier {BELOW}",
    "solver/fourier": BELOW,
    "solver/cycle": f"fourier {BELOW}",
    "solver/owners": "mesh system",
    "solver/problem": "runtime mesh system",
    "solver/programs": f"fourier {BELOW}",
    "solver/runtime": "mesh system",
    "solver/mesh": "system",
    "solver/system": "",
    "solver/openmp": "runtime mesh system",
    "solver/cuda": "runtime mesh system",
    "tuning": "",
    "gen/job": "explain emit standalone directives frontend schedule derive check ir",
    "gen/explain": "schedule derive check ir",
    "gen/emit": "schedule derive check ir",
    "gen/schedule": "derive check ir",
    "gen/derive": "check ir",
    "gen/check": "ir",
    "gen/standalone": "directives frontend ir",
    "gen/directives": "frontend ir",
    "gen/frontend": "ir",
    "gen/ir": "",
    "io/program": "run make report file common",
    "io/run": "report file common",
    "io/make": "report file common",
    "io/report": "file common",
    "io/file": "common",
    "io/common": "",
    "io/recorder": "",
}
# What still points back, and is to go.
STILL = set()
PROGRAMS = {"gen/main.c"}  # above all rooms
MOST_CIRCLE, MOST_SOURCES, MOST_LINES, MOST_BODY = 4, 25, 400, 60
# Larger than that, and to be cut: these numbers may only fall.
STILL_LONG = {}
STILL_LONG_BODIES = {}
STILL_CIRCLES = {}
MOST_COLUMNS = 100
# A paper's listings, what gmg-gen writes, and messages that it is to print, a line each.
AS_THEY_STAND = {"tests/gen/listings", "tests/gen/golden", "tests/gen/rejects"}
TOPS = ("gen", "solver", "tuning", "io", "operators")
FLAT = {"tuning"}  # top folders that are one room each
WRITTEN = (".c", ".h", ".cpp", ".py", ".sh", ".cmake", "CMakeLists.txt")
SCRIPTS = ("check", "demo", ".ci/run", "CMakeLists.txt")


def room_of(path):
    """The room of a file; a top folder's own files (gmg.h, kernel.h, config.h) are in none, but for
    folders that are one room."""
    parts = path.split("/")
    if parts[0] in FLAT:
        return parts[0]
    return "/".join(parts[:2]) if len(parts) > 2 else ""


def includes(path, files):
    found = []
    with open(path, encoding="utf-8") as stream:
        for line in stream:
            match = re.match(r'\s*#\s*include "(.*)"', line)
            if not match:
                continue
            here = os.path.normpath(os.path.join(os.path.dirname(path), match[1]))
            from_top = [
                os.path.normpath(os.path.join(top, match[1]))
                for top in (path.split("/")[0], "solver", "io", "")
            ]
            found += [name for name in [here] + from_top if name in files][:1]
    return found


def circles(graph):
    """Sets of files that include each other, by Tarjan's algorithm."""
    number, low, stack, on, found = {}, {}, [], set(), []

    def visit(node):
        number[node] = low[node] = len(number)
        stack.append(node)
        on.add(node)
        for other in graph[node]:
            if other not in number:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in on:
                low[node] = min(low[node], number[other])
        if low[node] == number[node]:
            part = []
            while not part or part[-1] != node:
                part.append(stack.pop())
                on.discard(part[-1])
            found.append(part)

    sys.setrecursionlimit(10000)
    for node in list(graph):
        if node not in number:
            visit(node)
    return [part for part in found if len(part) > 1]


def bodies(path):
    """(first line, lines) of every function: from a brace in the first column to the one that
    closes it."""
    begin = None
    with open(path, encoding="utf-8") as stream:
        for number, line in enumerate(stream, 1):
            if line.startswith("{"):
                begin = number
            elif line.startswith("}") and begin:
                if line.rstrip() == "}":
                    yield begin, number - begin - 1
                begin = None


def parts(graph):
    """A file and its header are one thing: what its sources and headers include together."""
    whole = collections.defaultdict(set)
    for path, others in graph.items():
        stem = os.path.splitext(path)[0]
        whole[stem] |= {os.path.splitext(other)[0] for other in others} - {stem}
    return {stem: others for stem, others in whole.items()}


def flags_of(build):
    """For each top folder the flags that its sources are compiled with."""
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as stream:
        commands = json.load(stream)
    flags = collections.defaultdict(list)
    for entry in commands:
        top = os.path.relpath(entry["file"], os.getcwd()).split("/")[0]
        words = shlex.split(entry["command"])
        for place, word in enumerate(words):
            some = (
                [word]
                if word.startswith(("-I", "-D"))
                else words[place : place + 2]
                if word == "-isystem"
                else []
            )
            if some and some[-1] not in flags[top]:
                flags[top] += some
    return flags


def alone(path, flags):
    """What the compiler says of a header by itself."""
    command = ["gcc", "-std=gnu11", "-fsyntax-only", *flags[path.split("/")[0]], "-x", "c", "-"]
    return subprocess.run(
        command, input=f'#include "{os.path.abspath(path)}"\n', capture_output=True, text=True
    ).stderr


def lost_notes():
    """Notes for cmake/tests.cmake that a line of prose has swallowed: they would not be read."""
    note = r"\b(?:label|threads|timeout|sanitizers|ranks|needs|isas): *"
    note += r"(?:long|no|mpi|baseline|[0-9 ]+|$)"
    for folder, _, names in os.walk("tests"):
        for name in names:
            with open(os.path.join(folder, name), encoding="utf-8", errors="ignore") as stream:
                head = [line.rstrip() for line, _ in zip(stream, range(20))]
            for number, line in enumerate(head, 1):
                alone = re.match(rf"(?:/\*| \*|#) *{note}(?: \*/)?$", line)
                if (
                    re.match(r"/\*| \*|#", line)
                    and re.search(note + r"(?: |$)", line)
                    and not alone
                ):
                    yield f"{folder}/{name}:{number}: a note must have a line of its own: {line}"


def wide_lines():
    """Lines of more than MOST_COLUMNS characters in sources and scripts."""
    tops, found = (*TOPS, "bindings", "tests", "examples", "cmake", "inputs"), []
    trees = [(".", [], list(SCRIPTS))] + [entry for top in tops for entry in os.walk(top)]
    for folder, _, names in trees:
        for name in names:
            path = os.path.normpath(os.path.join(folder, name))
            if not name.endswith(WRITTEN) and path not in SCRIPTS or folder in AS_THEY_STAND:
                continue
            with open(path, encoding="utf-8") as stream:
                for number, line in enumerate(stream, 1):
                    wide = sum(not unicodedata.combining(letter) for letter in line.rstrip("\n"))
                    if wide > MOST_COLUMNS:
                        found.append(f"{path}:{number}: {wide} columns, more than {MOST_COLUMNS}")
    return found


def main():
    gmg, source = os.path.abspath(sys.argv[1]), sys.argv[3]
    build = os.path.dirname(os.path.dirname(gmg))
    os.chdir(source)
    listed = [
        os.path.relpath(os.path.join(folder, name))
        for top in TOPS
        for folder, _, names in os.walk(top)
        for name in names
    ]
    files = {name for name in listed if name.endswith((".c", ".h"))}
    graph = {path: includes(path, files) for path in sorted(files)}
    arrows = collections.defaultdict(list)
    for path, others in graph.items():
        for other in others:
            if room_of(path) and room_of(other) and room_of(path) != room_of(other):
                arrows[room_of(path), room_of(other)].append(f"{path} includes {other}")
    if "--arrows" in sys.argv:
        for (a, b), cases in sorted(arrows.items()):
            print(f"{a} -> {b}: {len(cases)}")
        return 0
    faults, flags = [], flags_of(build)
    for room in sorted({room_of(path) for path in files if room_of(path)} - set(ROOMS)):
        faults.append(f"{room}: this room is not in the plan")
    for (a, b), cases in arrows.items():
        top, name = b.split("/")[0], b.split("/")[-1]
        if a.split("/")[0] == top and name not in ROOMS.get(a, "").split() and (a, b) not in STILL:
            faults += [f"{case}: {a} may not include {b}" for case in cases]
        if a.split("/")[0] != top and (a.split("/")[0], b) not in {
            ("io", "solver/problem"),
            ("io", "solver/system"),
            ("solver", "tuning"),
            ("io", "tuning"),
        }:
            faults += [f"{case}: {a} may not include {b}" for case in cases]
    for path, others in graph.items():
        if room_of(path) in FLAT:
            faults += [
                f"{path} may not include {other}"
                for other in others
                if room_of(other) != room_of(path)
            ]
    for a, b in STILL - set(arrows):
        faults.append(f"{a} no longer includes {b}: take it from STILL")
    by_room = collections.defaultdict(dict)
    for stem, others in parts(graph).items():
        by_room[room_of(stem + ".c")][stem] = {
            other for other in others if room_of(other + ".c") == room_of(stem + ".c")
        }
    for room, inner in by_room.items():
        for circle in circles({stem: others & set(inner) for stem, others in inner.items()}):
            if room and len(circle) > STILL_CIRCLES.get(room, MOST_CIRCLE):
                faults.append(
                    f"{room}: {len(circle)} files include each other: "
                    f"{' '.join(sorted(os.path.basename(c) for c in circle))}"
                )
    sources = collections.Counter(os.path.dirname(path) for path in files if path.endswith(".c"))
    faults += [
        f"{folder}: {count} sources, at most {MOST_SOURCES} are allowed"
        for folder, count in sources.items()
        if count > MOST_SOURCES
    ]
    for path in sorted(files):
        with open(path, encoding="utf-8") as stream:
            lines = sum(1 for _ in stream)
        if lines > STILL_LONG.get(path, MOST_LINES):
            faults.append(
                f"{path}: {lines} lines, at most {STILL_LONG.get(path, MOST_LINES)} are allowed"
            )
        if path in STILL_LONG and lines <= MOST_LINES:
            faults.append(f"{path}: {lines} lines: take it from STILL_LONG")
        faults += [
            f"{path}:{begin}: a function of {length} lines, at most {MOST_BODY} are allowed"
            for begin, length in bodies(path)
            if length > STILL_LONG_BODIES.get(path, MOST_BODY)
        ]
        if path.endswith(".h") and not path.startswith("operators/"):
            said = alone(path, flags)
            if said:
                faults.append(f"{path} does not compile by itself: {said.splitlines()[0]}")
    faults += [*wide_lines(), *lost_notes()]
    for fault in faults:
        print(f"FAILED {fault}")
    print(
        f"{len(files)} files, {sum(map(len, arrows.values()))} includes between rooms, "
        f"{len(faults)} faults"
    )
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
