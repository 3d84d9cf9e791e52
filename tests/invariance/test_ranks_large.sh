#!/usr/bin/env bash
# label: long
# What must vanish: any difference between ranks 1, 2, 3, 4, 5, 8 x threads 1, 2 x boxes 8, 16, 32,
# whole, in every instruction set that is built (the Must hold 7), on 64 x 60 x 52 cells.
# Preconditions: mpirun; run in the folder of the test programs.
set -eu
program=./invariance_ranks_mpi
if ! command -v mpirun >/dev/null || [ ! -x "$program" ]; then
  echo "skipped: mpirun or $program is not there"
  exit 77
fi
exec mpirun --oversubscribe --bind-to none -n 8 "$program" "${4:-64,60,52}"
