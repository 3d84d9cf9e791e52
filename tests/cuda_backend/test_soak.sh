#!/usr/bin/env bash
# A sample of the soak on the device: its bits are the CPU's for random problems and settings
# (tests/soak/soak.py says what is good).
# label: long
# sanitizers: no
set -eu
python3 "$3/tests/soak/soak.py" "$1" --runs "${GMG_SOAK_RUNS:-60}" --seed "${GMG_SOAK_SEED:-3}" \
  --seconds 3000 --backend device --ranks 2 --large 0
