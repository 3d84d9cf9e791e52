#!/usr/bin/env python3
# Preconditions: matplotlib and SciPy for the blocks that use them. What must vanish: blocks of
# the gallery that fail; pictures that it shows and no block makes.
import os
import re
import sys

from support import GMG, GMG_GEN, SOURCE, run

import gallery
import pytest

import gmg

os.environ["GMG_GEN"] = GMG_GEN
os.environ["CFLAGS"] = "-O0"  # which is faster to compile, and gives the same bits
os.environ["PATH"] = os.path.dirname(GMG) + os.pathsep + os.environ["PATH"]
BLOCKS = gallery.blocks_of(gallery.PAGE)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    found = tmp_path_factory.mktemp("gallery")
    os.environ["XDG_CACHE_HOME"] = str(found / "cache")
    gallery.prepare(found)
    return found


def test_there_are_blocks():
    assert len(BLOCKS) >= 8


@pytest.mark.parametrize("heading", BLOCKS)
def test_block(heading, folder):
    name = gallery.run_block(BLOCKS[heading], folder)
    if name:
        pytest.skip(f"without {name}")


def test_pictures(folder):
    pytest.importorskip("matplotlib")
    with open(gallery.PAGE, encoding="utf-8") as stream:
        shown = re.findall(r"\]\((python-gallery/\w+\.png)\)", stream.read())
    assert len(shown) >= 6
    for name in shown:
        assert (folder / os.path.basename(name)).exists(), name
        assert os.path.exists(os.path.join(SOURCE, "docs", name)), name


def test_without_matplotlib(tmp_path, monkeypatch):
    """A block that draws ends there where matplotlib is missing; one that fails has failed."""
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    drawn = "import gmg\ngmg.plot.slice([[1.0]])"
    assert gallery.run_block(drawn, tmp_path) == "matplotlib"
    for wrong in ("import absent_package", "assert False", "undefined"):
        with pytest.raises((ImportError, AssertionError, NameError)):
            gallery.run_block(wrong, tmp_path)


if __name__ == "__main__":
    sys.exit(run(__file__))
