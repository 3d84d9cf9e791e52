#!/usr/bin/env bash
# On a machine with a GPU and nvcc: the files that gmg-gen --standalone writes of Mint's kernels, at
# every level, against the user's own file, byte by byte, and how long both take. Exit status: 0 if
# all arrays that come back have the same bits.
#   tests/cuda_gpu/standalone.sh GMG_GEN OUTPUT [STEPS]     GMG_GEN: the program; or a folder that
#                                        holds NAME_LEVEL.cu, NAME_omp.c made elsewhere by --make
#   tests/cuda_gpu/standalone.sh --make GMG_GEN FOLDER      writes these files, and compiles nothing
set -u
usage="usage: tests/cuda_gpu/standalone.sh [--make] GMG_GEN OUTPUT [STEPS]"
make=no
[ "${1:-}" = --make ] && make=yes && shift
gen=${1:?$usage} out=${2:?$usage} steps=${3:-20}
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
listed=$source/tests/gen/directives
export PATH=$PATH:/usr/local/cuda/bin
mkdir -p "$out"
failures=0

# write NAME FOLDER: its CUDA at every level, and its OpenMP
write() {
  local level
  for level in 0 1 2 3 4; do
    "$gen" "$listed/$1.c" --from mint -I "$listed" --standalone --opt $level \
      -o "$2/$1_$level.cu" || return 1
  done
  "$gen" "$listed/$1.c" --from mint -I "$listed" --standalone -o "$2/$1_omp.c"
}

# compare NAME NUMBER_OF_ARRAYS ARRAYS_THAT_COME_BACK NX NY NZ
compare() {
  local name=$1 count=$2 back=$3 size array made from=$out wanted found
  shift 3
  if [ -d "$gen" ]; then from=$gen; else write "$name" "$out" || failures=$((failures + 1)); fi
  gcc -O2 -w -std=gnu11 -ffp-contract=off -I "$listed" "$listed/$name.c" -o "$out/$name" -lm
  rm -f "$out/$name.bin"
  "$out/$name" "$out/$name.bin" "$@" "$steps"
  size=$(($(wc -c <"$out/$name.bin") / count))
  for made in 0 1 2 3 4 omp; do
    if [ $made = omp ]; then
      gcc -O3 -w -std=gnu11 -fopenmp -ffp-contract=off -I "$listed" "$from/${name}_omp.c" \
        -o "$out/${name}_omp" -lm
    else
      nvcc -O3 -arch=native -fmad=false -w -I "$listed" "$from/${name}_$made.cu" \
        -o "$out/${name}_$made"
    fi
    rm -f "$out/$name.made"
    local begin=$EPOCHREALTIME same=yes
    "$out/${name}_$made" "$out/$name.made" "$@" "$steps" || same="no: it does not run"
    local end=$EPOCHREALTIME
    for array in $back; do
      wanted=$(tail -c +$((array * size + 1)) "$out/$name.bin" | head -c "$size" | sha256sum)
      found=$(tail -c +$((array * size + 1)) "$out/$name.made" | head -c "$size" | sha256sum)
      [ "$wanted" = "$found" ] || same="no: array $array"
    done
    [ "$same" = yes ] || failures=$((failures + 1))
    printf '%-10s %3s  same bits: %-20s %6.2f s in all\n' "$name" $made "$same" \
      "$(awk "BEGIN { print ${end/,/.} - ${begin/,/.} }")"
  done
}

if [ $make = yes ]; then
  for name in heat5 heat7 variable7 poisson7 poisson19 smooth9 heart; do
    write $name "$out" || exit 1
  done
  exit 0
fi
# Mint's five, and two more
compare heat5 2 "0 1" 13 9 1
compare heat7 2 0 255 127 130
compare variable7 4 0 130 255 127
compare poisson7 3 0 200 150 100
compare poisson19 3 "0 1 2" 10 10 10
compare smooth9 2 "0 1" 11 8 1
compare heart 3 1 100 120 90
echo "$failures failures"
exit $((failures > 0))
