#!/usr/bin/env bash
# A sample of the soak: random problems, settings and arrangements of ranks, threads and boxes on
# the CPU (soak.py says what is good).
# label: long
# sanitizers: no
set -eu
python3 "$3/tests/soak/soak.py" "$1" --runs "${GMG_SOAK_RUNS:-400}" --seed "${GMG_SOAK_SEED:-1}" \
  --seconds 3000
