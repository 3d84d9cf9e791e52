#!/usr/bin/env bash
# sanitizers: no
# Fields, lines, private scalars and arguments may be called what emitted code calls its own
# variables, and by words of C++ and CUDA. Preconditions: kernels with such names, and the same ones
# with plain names, for OpenMP compiled as C and for CUDA as C++ for the CPU
# (tests/cuda_stand_in/cuda_on_cpu.h; without g++ only as C). What must vanish: names with which the
# kernels do not compile, and differences between the machine code of the two.
set -euo pipefail
gen=$(realpath "${2:?usage: test_names.sh GMG GMG_GEN SOURCE_DIR}") source=$(realpath "${3:?}")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
names=(args tile thread parity at same next odd to start other_odd row_odd scratch stride_j
  stride_k most_of other_stride_j other_stride_k total bin0 bin1 bin2 known count from end cells
  regular partial done first last uniform middle before behind slot lane line0 row0 value part half
  box0 colour child inside here above below own stages place on j0 k0 k1 end_k
  new class template this operator threadIdx blockIdx gmg_at real)
cd "$scratch"

# kernel NAME FIELD LINE PRIVATE ARGUMENT: one that stores in cells of a colour, one that sums
kernel() {
  local extents="[nk + 2][nj + 2][ni + 2]"
  local loops="for (int box = 0; box < boxes; box++) for (int k = 1; k <= nk; k++)
    for (int j = 1; j <= nj; j++) for (int i = 1; i <= ni; i++)"
  cat <<TEXT
GMG_KERNEL void $1(int boxes, int nk, int nj, int ni, double $5,
  double w[restrict boxes]$extents CELL(1), const double $2[boxes]$extents CELL(1),
  const double $3[ni + 2] LINE_I(1))
{ $loops if ((i + j + k) % 2 == 1) {
  double $4 = $5 * $2[box][k][j][i - 1]; w[box][k][j][i] = $4 + $3[i] * $2[box][k + 1][j][i]; } }
GMG_KERNEL double $1_sum(int boxes, int nk, int nj, int ni, double $5,
  const double $2[boxes]$extents CELL(1),
  const double $3[ni + 2] LINE_I(1))
{ double sum_of_all = 0; $loops sum_of_all += $5 * $2[box][k][j][i] * $3[i];
  return sum_of_all; }
TEXT
}

count=${#names[@]}
split_at=40 # names in a file
# Every second name opens a kernel, so that each is in two places.
for ((n = 0; n < count; n += split_at)); do
  for kind in odd plain; do
    {
      echo '#include "stencil.h"'
      for ((m = n; m < n + split_at && m < count; m += 2)); do
        if [ $kind = odd ]; then
          kernel "kernel_$m" "${names[m]}" "${names[(m + 1) % count]}" \
            "${names[(m + 2) % count]}" "${names[(m + 3) % count]}"
        else
          kernel "kernel_$m" field line private argument
        fi
      done
    } >names.c
    "$gen" names.c --target openmp -o $kind.c
    "${CC:-cc}" -std=gnu11 -O1 -fopenmp -Wall -Werror -Wno-unused -I "$source/solver" \
      -c $kind.c -o $kind.o
    objdump -d --no-show-raw-insn $kind.o | tail -n +4 >$kind.code
    if command -v g++ >/dev/null; then
      { echo '#include "cuda_on_cpu.h"'; "$gen" names.c --target cuda; } >$kind.cpp
      g++ -std=c++17 -O1 -w -I "$source/tests/cuda_stand_in" -c $kind.cpp -o $kind.cuda.o
      objdump -d --no-show-raw-insn $kind.cuda.o | tail -n +4 >>$kind.code
    fi
  done
  cmp odd.code plain.code
done
echo "$count names in two places each, 0 differences"
