"""What the tests of the Python package share. Each is a script: test_THING.py GMG GMG_GEN
SOURCE_DIR; pytest runs what it has."""
import os
import subprocess
import sys

GMG, GMG_GEN, SOURCE = (os.path.abspath(word) for word in (sys.argv + ["."] * 4)[1:4])
BUILD = os.path.dirname(os.path.dirname(GMG))
PACKAGE = os.path.join(BUILD, "python")
sys.path.insert(0, PACKAGE)


def gmg_program(*words, cwd=None):
    """Runs the program gmg, and returns what it prints."""
    done = subprocess.run(
        [GMG, *map(str, words)], cwd=cwd, check=True, stdout=subprocess.PIPE, text=True
    )
    return done.stdout


def python(text, timeout=60, **environment):
    """Runs a script in another process, and returns what it prints; fails where it fails."""
    done = subprocess.run(
        [sys.executable, "-c", text],
        env={**os.environ, "PYTHONPATH": PACKAGE, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=timeout,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


def run(file):
    """Runs the tests of a file with pytest; returns the exit status."""
    import pytest

    return pytest.main([file, "-q", "-p", "no:cacheprovider", "--rootdir", SOURCE])
