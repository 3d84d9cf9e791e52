#!/usr/bin/python3
# label: long
"""Every case of test_malformed.py alone and on three ranks. Preconditions, what must vanish, usage:
the same."""
import sys

import test_malformed

if __name__ == "__main__":
    sys.exit(test_malformed.main(everything=True))
