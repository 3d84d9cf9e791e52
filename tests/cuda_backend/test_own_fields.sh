#!/usr/bin/env bash
# An operator of an application's own, with coefficient fields of its own, on the device and on the
# CPU: bits that differ, an order that is not 2, and a finest level that the host computed must
# vanish.
# sanitizers: no
set -euo pipefail
gmg=${1:?usage: test_own_fields.sh GMG GMG_GEN SOURCE_DIR}
tensor=$(dirname "$(dirname "$gmg")")/examples/tensor
"$gmg" info | grep -q "cuda: here" || { echo "skipped: there is no device"; exit 77; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
for precision in double mixed; do
  for backend in openmp cuda; do
    "$tensor" --size 8 --coarse-cells 100 --precision $precision --backend $backend \
      >"$scratch/$backend" || { cat "$scratch/$backend"; exit 1; }
  done
  cat "$scratch/cuda"
  [ "$(grep -c "cells, cuda" "$scratch/cuda")" = 2 ]
  diff <(grep bits "$scratch/openmp") <(grep bits "$scratch/cuda")
done
