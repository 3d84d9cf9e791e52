"""test_rounding_limit.py at 64 and 128 cells a side, to the tolerances that people ask for, in the
precision that the solver chooses."""
# label: long
# sanitizers: no
# timeout: 14400
import os
import sys

from test_rounding_limit import main

if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "2")
    sys.exit(main([64, 128], ["1e-10", "1e-12"], ["auto"]))
