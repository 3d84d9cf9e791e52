#!/usr/bin/env bash
# On a machine with a GPU: what does tuning find, and what is it worth? Under eight minutes; every
# step has its time limit, and the next one runs whatever became of it.
#   tests/cuda_gpu/tune.sh BUILD OUTPUT      BUILD: a build folder with bin/gmg; OUTPUT: folder for
#                                            results
# Writes OUTPUT/wisdom.json, OUTPUT/pairs.jsonl (solves with the wisdom and without, in turns),
# OUTPUT/searches.jsonl (the model's search beside the exhaustive one), OUTPUT/log, and a summary to
# the standard output. GMG_TUNE_SECONDS (default 460) is the time of all; GMG_TUNE_CELLS (default
# "128 256") what is tuned, 512 too where time is left; GMG_TUNE_COARSE the cells of coarse levels,
# which are not tuned. Exit status 1: other bits, a step that
# failed, or a problem that is slower by more than 2 % beyond doubt.
set -u
build=${1:?usage: tests/cuda_gpu/tune.sh BUILD OUTPUT} out=${2:?usage: tests/cuda_gpu/tune.sh \
  BUILD OUTPUT}
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
seconds=${GMG_TUNE_SECONDS:-460} sizes=${GMG_TUNE_CELLS:-128 256}
others=${GMG_TUNE_OTHERS:-100 160 256}
coarse=${GMG_TUNE_COARSE:-262144}
gmg=$build/bin/gmg tuned=$build/tests/cuda_backend_tuned
mkdir -p "$out"
out=$(cd "$out" && pwd)
wisdom=$out/wisdom.json log=$out/log
rm -f "$wisdom" "$out"/*.jsonl
: >"$log"
XDG_CACHE_HOME=${XDG_CACHE_HOME:-$(mktemp -d)}
export XDG_CACHE_HOME OMP_NUM_THREADS=${OMP_NUM_THREADS:-$(nproc)}
begin=$SECONDS failures=0

say() {
  printf '%4d s  %s\n' $((SECONDS - begin)) "$*"
}

left() {
  echo $((seconds - (SECONDS - begin)))
}

# step NAME LIMIT FILE COMMAND...: FILE gets what it prints.
step() {
  local name=$1 limit=$2 file=$3 status
  shift 3
  timeout -k 5 "$limit" "$@" >"$out/step" 2>>"$log"
  status=$?
  cat "$out/step" >>"$file"
  echo "== $name: $* : exit $status" >>"$log"
  say "$name: exit $status: $(tail -n 1 "$out/step" | tr -d '"' | cut -c1-300)"
  [ $status -eq 0 ] || failures=$((failures + 1))
}

for program in "$gmg" "$tuned"; do
  [ -x "$program" ] || {
    echo "tune.sh: there is no $program: build gmg-program and test-cuda-backend-tuned" >&2
    exit 2
  }
done
nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv,noheader 2>&1 | head -1

# 45 % of the time; a size has a share by its cells along an axis.
say "== tune: variable and constant beta, double and mixed precision"
all=0
for cells in $sizes; do
  all=$((all + cells))
done
for cells in $sizes; do
  budget=$((seconds * 45 * cells / (400 * all)))
  for kind in smooth constant; do
    for precision in double mixed; do
      step "tune-$kind-$precision-$cells" $((2 * budget + 30)) "$out/tune.txt" "$gmg" tune \
        --cells "$cells" --case "$kind" --precision "$precision" --backend cuda --coarse gpu \
        --coarse-cells "$coarse" --wisdom "$wisdom" --budget $((budget > 0 ? budget : 1))
    done
  done
done

say "== twelve problems, with that wisdom and without, in turns"
for cells in $others; do
  for constant in no yes; do
    for precision in double mixed; do
      step "pair-$cells-$constant-$precision" 60 "$out/pairs.jsonl" "$tuned" --wisdom "$wisdom" \
        --cells "$cells" --constant "$constant" --rounds "${GMG_TUNE_ROUNDS:-301}" precision \
        "$precision" coarse-cells "$coarse"
    done
  done
done

say "== the program, with files"
file_bits() {
  "$gmg" make --case smooth --cells "${others%% *}" --output "$out/problem.h5" --quiet || return
  for way in none "$wisdom"; do
    timeout -k 5 60 "$gmg" "$out/problem.h5" --backend cuda --coarse gpu --coarse-cells "$coarse" \
      --wisdom "$way" --output "$out/$(basename "$way" .json).h5" --quiet || return
  done
  cmp "$out/none.h5" "$out/wisdom.h5"
}
if file_bits 2>>"$log"; then
  say "files: the same bytes"
else
  say "files: a run failed, or the bytes differ: see the log"
  failures=$((failures + 1))
fi

say "== two kernels: the model's search beside the exhaustive one"
for searched in $sizes; do # the first that is not all coarse levels
  [ "$searched" -lt 128 ] || break
done
for kernel in variable7_gauss_seidel_uniform_alpha_f64_split \
  variable7_residual_restrict_uniform_alpha_f64_split; do
  budget=$(($(left) / 5))
  step "search-$kernel" $((3 * budget + 30)) "$out/searches.jsonl" "$tuned" --kernel "$kernel" \
    --cells "$searched" --budget $((budget > 5 ? budget : 5)) passes none precision double \
    coarse-cells "$coarse"
done

if [ "$(left)" -gt 90 ]; then
  step tune-smooth-double-512 90 "$out/tune.txt" "$gmg" tune --cells 512 --case smooth \
    --precision double --backend cuda --coarse gpu --wisdom "$wisdom" --budget 40
else
  say "512^3 is left out: too little time is left"
fi

say "== summary"
python3 "$source/tests/cuda_gpu/tune_summary.py" "$out" || failures=$((failures + 1))
say "$failures steps failed"
[ $failures -eq 0 ]
