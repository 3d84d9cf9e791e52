#!/usr/bin/env bash
# The paper's loop nests (listings/) go through gmg-gen, and what it emits agrees with the same text
# compiled as sequential C and with the kernels derived from operators/. What must vanish:
# differences beyond rounding.
#   tests/gen/test_listings.sh GMG GMG_GEN SOURCE_DIR
set -euo pipefail
gen=${2:?usage: test_listings.sh GMG GMG_GEN SOURCE_DIR} source=${3:?}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export ASAN_OPTIONS=${ASAN_OPTIONS:-}:detect_leaks=0 # isl and libclang keep caches until exit
compile=("${CC:-cc}" -std=gnu11 -O1 -ffp-contract=off -fopenmp -I "$source/solver" -I \
  "$source/operators")
native=(-DGMG_ISA=native '-DGMG_ISA_NAME="native"')

"$gen" "$source"/operators/{variable7,restrict_cell,interpolate_constant}.c --target openmp --isas \
  native -o "$scratch"
for file in "$source"/tests/gen/listings/*.c; do
  name=$(basename "$file" .c)
  "$gen" "$file" --target openmp -o "$scratch/listing_$name.c"
  # The text as sequential C: its local arrays become the driver's, and are fewer.
  sed -e 's/^  double\( *_[a-z_]*\[\)/  extern double \1/' -e \
    's/define NUM_BOXS 64/define NUM_BOXS 2/' "$file" \
    >"$scratch/sequential_$name.c"
  grep -q 'extern double' "$scratch/sequential_$name.c"
done
"${compile[@]}" "${native[@]}" "$scratch"/*.c "$source/tests/gen/listings_agree.c" -lm -o \
  "$scratch/listings_agree"
"$scratch/listings_agree"
