#!/usr/bin/env bash
# Adding an operator touches operators/ only: a copy of the sources gets one file more there, laplace19.c, is built, and
# solves with it. What must vanish: a failure of any step, and the distance of the maximum error to second order (the error
# at 32^3 over that at 16^3 is below 0.27).
# timeout: 900
# sanitizers: no
set -euo pipefail
source_dir=${3:?usage: test_add_operator.sh GMG GMG_GEN SOURCE_DIR}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

mkdir "$folder/source"
cd "$source_dir"
cp -r CMakeLists.txt cmake gen io operators solver "$folder/source"
mkdir "$folder/source/tests"
cp -r tests/bench "$folder/source/tests"
cp tests/gen/laplace19.c "$folder/source/operators"
cmake -S "$folder/source" -B "$folder/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS_RELEASE=-O1 \
  -DGMG_BUILD_TESTS=OFF -DGMG_ISAS=baseline >"$folder/log" 2>&1 || { cat "$folder/log"; exit 1; }
cmake --build "$folder/build" --target gmg-program >"$folder/log" 2>&1 || { cat "$folder/log"; exit 1; }

gmg=$folder/build/bin/gmg
for cells in 16 32; do
  "$gmg" make --case constant --cells $cells --output "$folder/$cells.h5" --quiet
  "$gmg" --input "$folder/$cells.h5" --operator laplace19 --report "$folder/$cells.json"
done
python3 - "$folder/16.json" "$folder/32.json" <<'END'
import json
import sys

coarse, fine = (json.load(open(path, encoding="utf-8"))["error_norms"]["max"] for path in sys.argv[1:])
print(f"maximum error {coarse:.3e} at 16^3, {fine:.3e} at 32^3, ratio {fine / coarse:.3f}")
sys.exit(0 if fine / coarse < 0.27 else 1)
END
