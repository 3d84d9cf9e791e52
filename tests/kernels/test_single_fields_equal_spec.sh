#!/usr/bin/env bash
# Kernels in double that hold some fields in float (gmg-gen --single) equal their specs to rounding
# in double: precision is a property of each field. Runs the test of small boxes on kernels
# generated so; of the two constant operators the one with few points stands for both. What must
# vanish: its failures.
# sanitizers: no
#   tests/kernels/test_single_fields_equal_spec.sh GMG GMG_GEN SOURCE_DIR
set -euo pipefail
gen=${2:?usage: test_single_fields_equal_spec.sh GMG GMG_GEN SOURCE_DIR} source=${3:?}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
shopt -s extglob
"$gen" "$source"/operators/!(constant27).c --target openmp --isas baseline --single \
  alpha,beta_i,beta_j,beta_k,dinv,f,h_j,x,single \
  -o "$scratch"
for field in alpha beta_k dinv f h_j; do
  grep -q "const float \*const a_$field = " "$scratch/variable7.c"
done
grep -q "const double \*const a_u = " "$scratch/variable7.c"
"${CC:-cc}" -std=gnu11 -O1 -ffp-contract=off -fno-math-errno -fopenmp -DGMG_ISA=baseline \
  '-DGMG_ISA_NAME="baseline"' \
  -I "$source/solver" -I "$source/operators" -I "$source/tests/support" "$scratch"/*.c \
  "$source"/operators/*.c \
  "$source"/tests/support/{spec_calls,kernel_{boxes,reference,runs,libraries,plan}}.c \
  "$source/tests/kernels/test_small_boxes_equal_spec.c" "$source/solver/system/isa.c" -lcmocka -lm \
  -o "$scratch/small_boxes"
"$scratch/small_boxes"
