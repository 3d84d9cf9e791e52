#!/usr/bin/env bash
# Adding an operator touches operators/ only: a copy of the sources gets one file more there,
# laplace19.c, is built, and solves with it. What must vanish: a failure of any step, the distance
# of the maximum error to second order (the error at 32^3 over that at 16^3 is below 0.27), and a
# finest level that does not run in passes, or not with the bits of single kernels.
# label: long
# sanitizers: no
set -euo pipefail
source_dir=${3:?usage: test_add_operator.sh GMG GMG_GEN SOURCE_DIR}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

mkdir "$folder/source"
cd "$source_dir"
cp -r CMakeLists.txt bindings cmake gen io operators solver tuning "$folder/source"
mkdir "$folder/source/tests"
cp -r tests/bench tests/cuda_text "$folder/source/tests"
cp tests/gen/laplace19.c "$folder/source/operators"
cmake -S "$folder/source" -B "$folder/build" -G Ninja -DCMAKE_BUILD_TYPE=Release \
  -DCMAKE_C_FLAGS_RELEASE=-O1 \
  -DGMG_BUILD_TESTS=OFF -DGMG_ISAS=baseline >"$folder/log" 2>&1 || { cat "$folder/log"; exit 1; }
cmake --build "$folder/build" --target gmg-program >"$folder/log" 2>&1 || { cat "$folder/log"; \
  exit 1; }

gmg=$folder/build/bin/gmg
for cells in 16 32; do
  "$gmg" make --case constant --cells $cells --output "$folder/$cells.h5" --quiet
  "$gmg" --input "$folder/$cells.h5" --operator laplace19 --report "$folder/$cells.json"
done
python3 - "$folder/16.json" "$folder/32.json" <<'END'
import json
import sys

reports = [json.load(open(path, encoding="utf-8")) for path in sys.argv[1:]]
coarse, fine = (report["error_norms"]["max"] for report in reports)
print(f"maximum error {coarse:.3e} at 16^3, {fine:.3e} at 32^3, ratio {fine / coarse:.3f}")
sys.exit(0 if fine / coarse < 0.27 else 1)
END

# Walls of every kind, whose ghosts 19 points read across edges, and periodic images: in passes and
# kernel by kernel.
n=0
for case in 32,34,30:periodic 33,31,35:dirichlet \
  33,31,32:dirichlet,robin,neumann,robin,periodic,periodic; do
  "$gmg" make --case constant --cells ${case%:*} --boundary ${case#*:} --noise \
    --output "$folder/noise.h5" --quiet 2>"$folder/log" \
    || { cat "$folder/log"; exit 1; }
  for passes in all none; do
    "$gmg" --input "$folder/noise.h5" --operator laplace19 --passes $passes --report \
      "$folder/$passes-$n.json" --quiet
  done
  n=$((n + 1))
done
python3 - "$folder" $n <<'END'
import json
import sys

good = True
for n in range(int(sys.argv[2])):
    paths = [f"{sys.argv[1]}/{passes}-{n}.json" for passes in ("all", "none")]
    fused, single = (json.load(open(path, encoding="utf-8")) for path in paths)
    passes = [report["levels"][0]["passes"] for report in (fused, single)]
    print(f"the finest level runs in passes: {passes[0]}, with passes turned off {passes[1]}")
    alike = fused["residual_history"] == single["residual_history"]
    print(f"residuals of {fused['cycles']} cycles: {'the same bits' if alike else 'other bits'}")
    good = good and passes == [True, False] and alike
sys.exit(0 if good else 1)
END
