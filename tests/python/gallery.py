"""usage: gallery.py FOLDER, with gmg on PYTHONPATH, and gmg-gen and gmg on PATH

Runs all blocks of docs/python-gallery.md, and puts their pictures into a folder."""
import glob
import os
import re
import shutil
import sys
import tempfile

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
PAGE = os.path.join(SOURCE, "docs", "python-gallery.md")
OPTIONAL = ("matplotlib", "scipy")


def blocks_of(page):
    """Returns the Python of a page that tests can run, by the headings that it stands below."""
    with open(page, encoding="utf-8") as stream:
        sections = re.split(r"^## ", stream.read(), flags=re.M)
    found = {}
    for section in sections:
        fences = r"^(<!-- not run[^\n]*\n)?```python\n(.*?)^```$"
        for left_out, block in re.findall(fences, section, re.M | re.S):
            if not left_out:
                found[section.split("\n")[0]] = block
    return found


def missing(fault):
    """Returns the optional package whose absence ended a block; None: it failed."""
    said = f"{getattr(fault, 'name', '')} {fault}"
    named = [name for name in OPTIONAL if re.search(rf"\b{name}\b", said)]
    return named[0] if isinstance(fault, (ImportError, RuntimeError)) and named else None


def run_block(block, folder):
    """Runs a block in a folder, up to where it needs an optional package that is not there.
    Returns its name, or None."""
    before = os.getcwd()
    os.chdir(folder)
    try:
        exec(compile(block, block.split("\n")[0], "exec"), {})
    except Exception as fault:
        if not missing(fault):
            raise
        return missing(fault)
    finally:
        os.chdir(before)
    return None


def prepare(folder):
    """Makes a folder ready for the blocks: what they read, and pictures without a screen."""
    os.symlink(os.path.join(SOURCE, "examples"), os.path.join(folder, "examples"))
    os.environ.setdefault("MPLBACKEND", "Agg")


def main(folder):
    os.makedirs(folder, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        prepare(scratch)
        for heading, block in blocks_of(PAGE).items():
            print(f"{heading}:", flush=True)
            name = run_block(block, scratch)
            if name:
                print(f"  left out what needs {name}")
        for picture in glob.glob(os.path.join(scratch, "*.png")):
            shutil.copy(picture, folder)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
