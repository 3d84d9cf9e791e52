#!/usr/bin/env python3
# Preconditions: mypy for the last. What must vanish: what examples say of themselves (they assert
# it); findings of mypy --strict in them and in the package.
import glob
import os
import subprocess
import sys

from support import PACKAGE, SOURCE, run

import pytest

EXAMPLES = sorted(glob.glob(os.path.join(SOURCE, "examples", "python", "*.py")))


def called(*command):
    done = subprocess.run(
        [sys.executable, *command],
        env=dict(os.environ, PYTHONPATH=PACKAGE, MYPYPATH=PACKAGE),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=os.path.join(SOURCE, "bindings", "python"),
    )
    print(done.stdout)
    assert done.returncode == 0, done.stdout


def test_there_are_examples():
    assert len(EXAMPLES) >= 5


@pytest.mark.parametrize("path", EXAMPLES, ids=os.path.basename)
def test_example(path):
    called(path)


def test_types(tmp_path):
    pytest.importorskip("mypy")
    called("-m", "mypy", "--strict", f"--cache-dir={tmp_path}", "gmg", "make_binding.py", *EXAMPLES)


if __name__ == "__main__":
    sys.exit(run(__file__))
