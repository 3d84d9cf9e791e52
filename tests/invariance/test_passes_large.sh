#!/usr/bin/env bash
# label: long
# What must vanish: any difference between kernels in passes over memory on 2, 3, 4, 5, 8 ranks x
# threads 1, 2 x rows plain, split, and kernels one by one on one rank, in every variant of
# test_passes_mpi.c. Preconditions: mpirun; run in the folder of the test programs.
set -eu
program=./invariance_passes_mpi
if ! command -v mpirun >/dev/null || [ ! -x "$program" ]; then
  echo "skipped: mpirun or $program is not there"
  exit 77
fi
exec mpirun --oversubscribe --bind-to none -n 8 "$program" all
