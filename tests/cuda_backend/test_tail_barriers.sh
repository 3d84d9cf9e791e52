#!/usr/bin/env bash
# The coarse tail on levels of many boxes: barriers of a thread block stand around an operation on
# each box, whose arguments are in shared memory. Each is left out, by itself: then the solve must
# not have the CPU's bits, or fail, or not end. What must vanish: barriers that can be left out. The
# CPU standing in for a GPU alone can tell, as it orders threads so that it matters.
# threads: 1
# label: long
# sanitizers: no
set -euo pipefail
gmg=${1:?usage: test_tail_barriers.sh GMG}
repeat=${gmg%/bin/gmg}/tests/cuda_backend_repeat
"$gmg" info | grep -q "standing in" || { echo "skipped: this is no stand-in"; exit 77; }
failed=0

# solves WITHOUT SECONDS: with that barrier left out (9: there is none), in so many seconds at most
solves() {
  GMG_STAND_IN_TAIL_WITHOUT=$1 timeout "$2" "$repeat" --cells 8 --solves 1 --constant \
    coarse gpu box 2 gather 1 precision double kernel-cache off >/dev/null 2>&1
}

solves 9 600 || { echo "FAILED: with all barriers the bits differ"; failed=1; }
enough=$((3 * SECONDS + 10))
for barrier in 1 2; do
  if solves $barrier $enough; then
    echo "FAILED: barrier $barrier can be left out"
    failed=1
  else
    echo "barrier $barrier was missed"
  fi
done
exit $failed
