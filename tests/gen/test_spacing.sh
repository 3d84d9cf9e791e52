#!/usr/bin/env bash
# gmg-gen --explain --spacing. Preconditions: none. What must vanish: the difference of what is
# printed of seven points to what the literature and the solver have (tests/gen/test_two_grid.c);
# spacings that are wrong and not refused with exit status 2; cycles told of operators whose
# coefficients are unknown.
set -euo pipefail
generator=$2
cd "$3"
export ASAN_OPTIONS=detect_leaks=0
failed=0

# Fails unless the explanation of the operator's file has the text.
shows() {
  local text=$1 said
  shift
  said=$("$generator" "$@" --explain)
  [[ $said == *"$text"* ]] || {
    echo "$*: '$text' is not there"
    failed=1
  }
}
shows "Gauss-Seidel: factor 0.445 with omega 1" operators/constant7.c
shows "cells merged along i, j, k" operators/constant7.c
shows "Gauss-Seidel: 0.076 with omega 1" operators/constant7.c
shows "cells merged along i, j: contraction" operators/variable7.c --spacing 1,1,3
shows "Gauss-Seidel: 0.048 with omega 1" operators/variable7.c --spacing 1,1,3
shows "cells merged along j: contraction" operators/constant27.c --spacing 2,1,4
if [[ $("$generator" operators/linked27.c --explain) == *"two grids"* ]]; then
  echo "cycles are told of coefficients that are unknown"
  failed=1
fi

# Fails unless the words are refused as wrong usage.
refused() {
  local said status=0
  said=$("$generator" "$@" 2>&1) || status=$?
  [ "$status" -eq 2 ] && [[ $said == *--spacing* ]] || {
    echo "$*: status $status, '$said'"
    failed=1
  }
}
for spacing in 1,2 1,2,3,4 1,2,x 1,nan,2 1,0,1 1,-1,1 1,1,2000 ""; do
  refused operators/constant7.c --explain --spacing "$spacing"
done
refused operators/constant7.c --dump tree --spacing 1,1,1
refused examples/programs/heat2d.stencil --explain --spacing 1,1,1
echo "$failed failed"
exit "$failed"
