#!/usr/bin/python3
"""Damaged problem files (bits flipped, words changed, blocks moved, cut) end in exit status 2 with
one message and no file, or are solved where the damage is harmless; never in a crash, a hang or an
error of memory. Alone, some on three ranks.

Precondition: the undamaged files are accepted. What must vanish: the failures. Usage:
test_damaged.py GMG"""
import os
import random
import sys
import tempfile

import damage


def main():
    gmg = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        for name, path in damage.seeds(folder).items():
            with open(path, "rb") as stream:
                wrong, status = damage.Judge(gmg, tempfile.mkdtemp(dir=folder)).judge(stream.read())
            if wrong or status == 2:
                print(f"FAILED {name}, undamaged: exit status {status}, {wrong}")
                return 1
        failed = damage.torment(gmg, folder, 60, 5 if damage.has_mpi(gmg) else 0, random.Random(7))
    print(f"{failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
