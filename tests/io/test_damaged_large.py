#!/usr/bin/python3
# label: long
"""As test_damaged.py, with 2,500 damaged files alone and 250 of them on three ranks. Under the
sanitizers:

    ./check --sanitizers --long -- -R io/damaged_large

Precondition: none. What must vanish: the failures. Usage: test_damaged_large.py GMG [… [FILES
[SEED]]]"""
import os
import random
import sys
import tempfile

import damage


def main():
    gmg = os.path.abspath(sys.argv[1])
    files, seed = int((sys.argv[4:] or ["2500"])[0]), int((sys.argv[5:] or ["1"])[0])
    with tempfile.TemporaryDirectory() as folder:
        failed = damage.torment(
            gmg, folder, files, files // 10 if damage.has_mpi(gmg) else 0, random.Random(seed)
        )
    print(f"{files} files, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
