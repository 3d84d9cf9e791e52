#!/usr/bin/env python3
# sanitizers: no
# Preconditions: none. What must vanish: commands of README, CONTRIBUTING and docs/ that fail or
# print something else than the page shows; C and Python of theirs that does not build or run.
"""usage: test_blocks.py GMG GMG_GEN SOURCE_DIR [PAGE...]

The blocks of a page run in order in one scratch folder, where build/release, build/check and the
sources lie as they do in a checkout. What is a block, and what happens to it:

  ```sh       each line is a command for bash, which must exit with status 0
  ```text     after a ```sh block: what its last command prints, blanks and line ends aside
  ```c        with main, a program that must exit with status 0; else statements, see PROLOGUE
  ```python   a script that must exit with status 0
  ```cmake    not run: tests/library/test_installed.sh builds against an installed gmg
  indented    with a command in its first line, a ```sh block, and after an empty line its output;
              gmg-gen writes pages so

A comment before a block changes that: <!-- exit N --> for another status of its last command,
<!-- not run: REASON --> for a block that cannot run in a test; its presets and targets must exist.
Python blocks and examples that use the package gmg run where the build has it.
Lines with `--backend cuda` run on the stand-in device of the tests; they and lines of mpirun are
left out, and said to be, in builds that have no such thing.
"""
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

MOST_NOT_RUN = 4
COMMAND = re.compile(
    r"(?:gmg|gmg-gen|mpirun|cmake|ctest|python3|\./\w+|build/\S+|tests/\S+)(?: |$)"
)
LANGUAGES = {"sh", "text", "c", "python", "cmake"}

# What the statements of a page that are no whole program are compiled between, and run.
PROLOGUE = """
#include <gmg.h>
#include <stdio.h>
#include <stdlib.h>
enum { N = 16 };
static double data[3][N * N * N];
int main(void)
{
  const int cells[3] = {N, N, N}, steps = 2, rank = 0, ranks = 1;
  const double lower[3] = {0, 0, 0}, upper[3] = {1, 1, 1};
  const gmg_array beta = {data[0], {1, N, N * N}}, f = {data[1], {1, N, N * N}};
  gmg_array u = {data[2], {1, N, N * N}};
  gmg_context *context = NULL;
  gmg_grid *grid = NULL;
  gmg_solver *solver = NULL;
  gmg_result result = {.outcome = GMG_CONVERGED};
  for (int n = 0; n < N * N * N; n++)
    data[0][n] = data[1][n] = 1;
  (void)steps, (void)rank, (void)ranks, (void)beta, (void)f, (void)u;
"""
WITH_GRID = """
  if (gmg_context_create(0, &context) || gmg_grid_create(context, cells, lower, upper, &grid))
    return 1;
"""
EPILOGUE = """
  const char *message = gmg_context_message(context);
  if (*message)
    fprintf(stderr, "%s\\n", message);
  const int failed = *message || result.outcome != GMG_CONVERGED;
  gmg_solver_destroy(&solver);
  gmg_grid_destroy(&grid);
  gmg_context_destroy(&context);
  return failed;
}
"""


class Block:
    def __init__(self, line, language, text, note):
        self.line, self.language, self.text, self.note = line, language, text, note


def blocks_of(text):
    """The blocks of a page in order; what stands indented has the language ""."""
    lines, note, at = text.split("\n"), "", 0
    while at < len(lines):
        fence = re.match(r"```(\w*)$", lines[at])
        indented = re.match(r"    \S", lines[at]) and (at == 0 or not lines[at - 1].strip())
        begin = at
        if fence:
            at = lines.index("```", at + 1)
            yield Block(begin + 1, fence[1] or "?", "\n".join(lines[begin + 1 : at]), note)
        elif indented:
            while at < len(lines) and (not lines[at].strip() or lines[at].startswith("    ")):
                if at > begin and not lines[at - 1] and COMMAND.match(lines[at][4:]):
                    break
                at += 1
            said = "\n".join(line[4:] for line in lines[begin:at]).rstrip()
            yield Block(begin + 1, "", said, note)
            at -= 1
        comment = re.fullmatch(r"<!-- (.*) -->", lines[at])
        if comment or fence or indented or lines[at].strip():
            note = comment[1] if comment else ""
        at += 1


def folded(text):
    return " ".join(text.split())


class Page:
    """One page's scratch folder, what its blocks did, and the faults that were found."""

    def __init__(self, name, build, source, folder):
        self.name, self.build, self.source, self.folder = name, build, source, folder
        self.faults, self.not_run, self.ran, self.said = [], [], 0, None
        self.stand_in = os.path.join(build, "tests", "stand_in")
        os.mkdir(os.path.join(folder, "build"))
        for preset in ("release", "check"):
            os.symlink(build, os.path.join(folder, "build", preset))
        for entry in ("operators", "inputs", "tests", "examples"):
            os.symlink(os.path.join(source, entry), os.path.join(folder, entry))
        self.environment = dict(
            os.environ,
            PATH=os.pathsep.join(
                [os.path.join(build, "bin"), os.path.dirname(sys.executable), os.environ["PATH"]]
            ),
            PYTHONPATH=os.path.join(build, "python"),
            MPLBACKEND="agg",
            OMP_NUM_THREADS="2",
        )

    def fault(self, block, text):
        self.faults.append(f"{self.name}:{block.line}: {text}")

    def call(self, block, command, status=0, environment=None):
        try:
            done = subprocess.run(
                command,
                cwd=self.folder,
                env=environment or self.environment,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                timeout=200,
            )
        except subprocess.TimeoutExpired:
            self.fault(block, f"no end within 200 s: {command[-1]}")
            return False
        self.said = done.stdout
        self.ran += 1
        if done.returncode != status:
            what = f"exit {done.returncode}, not {status}: {command[-1]}"
            self.fault(block, f"{what}: {done.stdout.strip()[-600:]}")
        return done.returncode == status

    def left_out(self, line):
        """Why this build cannot run a command; empty if it can."""
        if re.match(r"mpirun\b", line) and re.search(r"MPI +none", self.info()):
            return "this build is without MPI"
        if re.match(r"python3 examples/python/", line) and not self.has_package():
            return "this build has no Python package"
        if "--backend cuda" in line and not os.path.isdir(self.stand_in):
            return "this build has no stand-in device"
        return ""

    def has_package(self):
        return os.path.isdir(os.path.join(self.build, "python"))

    def info(self):
        return subprocess.run(
            [os.path.join(self.build, "bin", "gmg"), "info"], capture_output=True, text=True
        ).stdout

    def shell(self, block, text):
        commands = text.replace("\\\n", " ").split("\n")
        commands = [line for line in commands if line.strip() and not line.startswith("#")]
        match = re.fullmatch(r"exit (\d+)", block.note)
        for line in commands:
            reason = self.left_out(line)
            if reason:
                print(f"{self.name}:{block.line}: not run, {reason}: {line}")
                self.said = None
                continue
            environment = dict(self.environment)
            if "--backend cuda" in line:
                environment["LD_LIBRARY_PATH"] = self.stand_in
                environment["XDG_CACHE_HOME"] = os.path.join(self.stand_in, "cache")
            status = int(match[1]) if match and line is commands[-1] else 0
            self.call(block, ["bash", "-euo", "pipefail", "-c", line], status, environment)

    def output(self, block, text):
        if self.said is not None and folded(self.said) != folded(text):
            self.fault(block, f"the command prints something else: {self.said.strip()[-600:]}")

    def c(self, block):
        text = block.text
        if "int main(" not in text:
            own = "gmg_context_create" in text
            text = PROLOGUE + ("" if own else WITH_GRID) + "{\n" + text + "\n}\n" + EPILOGUE
        program = os.path.join(self.folder, f"program-{block.line}")
        with open(program + ".c", "w", encoding="utf-8") as stream:
            stream.write(text)
        flags = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-I" + self.source + "/solver"]
        link = ["-L" + self.build, "-lgmg", "-Wl,-rpath," + self.build, "-lm"]
        if self.call(block, ["gcc", *flags, program + ".c", "-o", program, *link]):
            self.call(block, [program])

    def unrunnable(self, block, reason):
        """Notes a block that does not run, and looks up the presets and targets that it names."""
        self.not_run.append(f"{self.name}:{block.line}: {reason}")
        with open(os.path.join(self.source, "CMakePresets.json"), encoding="utf-8") as stream:
            presets = {entry["name"] for entry in json.load(stream)["configurePresets"]}
        with open(os.path.join(self.build, "build.ninja"), encoding="utf-8") as stream:
            ninja = stream.read()
        for preset in set(re.findall(r"--preset (\S+)", block.text)) - presets:
            self.fault(block, f"there is no preset {preset}")
        for target in re.findall(r"--target (\S+)", block.text):
            if not re.search(rf"^build (?:\S+/)?{re.escape(target)}[ :]", ninja, re.M):
                self.fault(block, f"there is no target {target}")
        for path in re.findall(r"(?:^|\s)((?:\./|tests/)\S+)", block.text):
            if not os.path.exists(os.path.join(self.source, path)):
                self.fault(block, f"there is no {path}")

    def take(self, block):
        reason = re.fullmatch(r"not run: (.+)", block.note)
        if block.language and block.language not in LANGUAGES:
            self.fault(block, f"the language of a block is one of {' '.join(sorted(LANGUAGES))}")
        elif reason:
            self.unrunnable(block, reason[1])
        elif block.language == "sh":
            self.shell(block, block.text)
            return
        elif not block.language and COMMAND.match(block.text):
            commands, _, output = block.text.partition("\n\n")
            self.shell(block, commands)
            if output:
                self.output(block, output)
        elif block.language == "text":
            self.output(block, block.text)
        elif block.language == "c":
            self.c(block)
        elif block.language == "python" and "import gmg" in block.text and not self.has_package():
            print(f"{self.name}:{block.line}: not run, this build has no Python package")
        elif block.language == "python":
            self.call(block, [sys.executable, "-c", block.text])
        self.said = None


def main():
    build = os.path.dirname(os.path.dirname(os.path.abspath(sys.argv[1])))
    source = os.path.abspath(sys.argv[3])
    os.chdir(source)
    pages = sys.argv[4:] or ["README.md", "CONTRIBUTING.md"] + sorted(
        glob.glob("docs/**/*.md", recursive=True)
    )
    faults, not_run, ran = [], [], 0
    for name in pages:
        with open(name, encoding="utf-8") as stream:
            text = stream.read()
        with tempfile.TemporaryDirectory() as folder:
            page = Page(name, build, source, folder)
            for block in blocks_of(text):
                page.take(block)
        if len(page.not_run) != len(re.findall(r"^<!-- not run", text, re.M)):
            page.faults.append(f"{name}: a comment <!-- not run: ... --> stands before no block")
        faults, not_run, ran = faults + page.faults, not_run + page.not_run, ran + page.ran
    for line in not_run:
        print(f"not run: {line}")
    if len(not_run) > MOST_NOT_RUN:
        faults.append(f"{len(not_run)} blocks do not run, at most {MOST_NOT_RUN} are allowed")
    for fault in faults:
        print(f"FAILED {fault}")
    print(f"{len(pages)} pages, {ran} commands and programs, {len(faults)} faults")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
