#!/usr/bin/env bash
# Every text of gen/templates/ compiles by itself, as C++ for the CPU with the words of
# tests/cuda_stand_in/cuda_on_cpu.h; templates/NAME.h gives its words in capitals a value and
# declares what gmg-gen emits around it. Skipped where there is no C++ compiler. What must vanish:
# texts that do not compile, and texts that still do when they are broken.
set -euo pipefail
source=${3:?usage: test_templates.sh GMG GMG_GEN SOURCE_DIR}
command -v g++ >/dev/null || { echo "skipped: no g++"; exit 77; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failed=0

# compiles NAME TEXT
compiles() {
  {
    echo '#include "cuda_on_cpu.h"'
    echo '#include "gen/templates/prelude.cuh"'
    [ ! -e "$source/tests/gen/templates/$1.h" ] || echo "#include \"tests/gen/templates/$1.h\""
    [ "$1" = prelude ] || echo "#include \"$2\""
  } >"$scratch/$1.cpp"
  g++ -fsyntax-only -std=c++17 -Wall -Wextra -Wshadow -Werror -Wno-unused-function \
    -Wno-unknown-pragmas \
    -I "$source" -I "$source/tests/cuda_stand_in" "$scratch/$1.cpp" 2>"$scratch/said"
}

for text in "$source"/gen/templates/*.cuh; do
  name=$(basename "$text" .cuh)
  if ! compiles "$name" "$text"; then
    failed=$((failed + 1))
    echo "FAILED: $text does not compile:"
    head -n 20 "$scratch/said"
  fi
  tac "$text" | sed '0,/}/s/}//' | tac >"$scratch/broken.cuh"
  if [ "$name" != prelude ] && compiles "$name" "$scratch/broken.cuh"; then
    failed=$((failed + 1))
    echo "FAILED: $text compiles without its last brace"
  fi
done
echo "$failed failures"
[ "$failed" -eq 0 ]
