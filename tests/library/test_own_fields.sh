#!/usr/bin/env bash
# An operator with coefficient fields of its own: the bits of its solutions must not depend on
# ranks, boxes or passes, and the order must be 2 (which the example itself checks).
# needs: mpi
# sanitizers: no
set -euo pipefail
gmg=${1:?usage: test_own_fields.sh GMG GMG_GEN SOURCE_DIR}
tensor=$(dirname "$(dirname "$gmg")")/examples/tensor
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
for precision in double mixed; do
  "$tensor" --size 12 --precision $precision --passes none | tee "$scratch/expected"
  for way in "1 --passes all" "1 --box 5" "2 --passes all" "3 --passes all --box 12" "5 --box 4"; do
    # shellcheck disable=SC2086
    mpirun --oversubscribe -n ${way%% *} "$tensor" --size 12 --precision $precision ${way#* } \
      >"$scratch/found" || { cat "$scratch/found"; exit 1; }
    diff <(grep bits "$scratch/expected") <(grep bits "$scratch/found") || { echo "$way"; exit 1; }
  done
done
echo "10 ways, the same bits"
