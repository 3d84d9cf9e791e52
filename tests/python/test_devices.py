#!/usr/bin/env python3
# Preconditions: the stand-in device of the tests. What must vanish: see devices.py.
import os
import subprocess
import sys

from support import BUILD, PACKAGE, run

import pytest

import gmg

FOLDER = os.path.dirname(os.path.abspath(__file__))
STAND_IN = os.path.join(BUILD, "tests", "stand_in")


def test_arrays_on_a_gpu():
    if not os.path.isdir(STAND_IN):
        pytest.skip("this build has no stand-in device")
    environment = dict(os.environ, PYTHONPATH=PACKAGE, LD_LIBRARY_PATH=STAND_IN)
    # The problem and the cache of kernels are those of cuda_stand_in/stream.
    environment["XDG_CACHE_HOME"] = os.path.join(STAND_IN, "cache")
    done = subprocess.run(
        [sys.executable, os.path.join(FOLDER, "devices.py")],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    print(done.stdout)
    assert done.returncode == 0, done.stdout


def test_where_there_is_no_gpu():
    s = gmg.Solver((8, 8, 8), backend="openmp")
    assert s.backend().device is None
    with pytest.raises(gmg.UnsupportedError, match="device_array: the CPU computes"):
        s.device_array()


if __name__ == "__main__":
    sys.exit(run(__file__))
