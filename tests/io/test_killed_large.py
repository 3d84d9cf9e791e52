#!/usr/bin/python3
# label: long
"""As test_killed.py, with kill -9 at forty random moments of the writing. Preconditions, what must
vanish, usage: the same."""
import sys

import test_killed

if __name__ == "__main__":
    sys.exit(test_killed.main(40))
