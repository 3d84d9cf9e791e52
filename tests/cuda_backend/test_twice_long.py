#!/usr/bin/env python3
"""test_twice.py on a box of more rows than a launch may have: minutes where a CPU stands in."""
# label: long
# needs: mpi
import sys

from test_twice import main

if __name__ == "__main__":
    sys.exit(main(long=True))
