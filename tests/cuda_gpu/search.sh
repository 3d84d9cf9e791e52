#!/usr/bin/env bash
# On a machine with a GPU: what does the model's search reach beside the exhaustive one, on the
# dearest kernels that have choices; and does tuning undo poor choices? Up to 20 minutes.
#   tests/cuda_gpu/search.sh BUILD OUTPUT [KERNEL...]     BUILD: a build folder; OUTPUT: folder for
#                                                         results
# KERNEL: those to search (default: eight), or `poor` alone: only the second question. Writes
# OUTPUT/searches.jsonl, OUTPUT/poor.txt, OUTPUT/log, and a summary to the standard output.
# GMG_SEARCH_SECONDS (default 100): the budget of a search; GMG_SEARCH_CELLS (default 256). Exit
# status 1: a step failed, an exhaustive search did not end in its time, the model reached less than
# 97 % of its speed or took more than 15 % of its time, or a solve tuned from poor choices is slower
# than the default by more than 2 % beyond doubt.
set -u
build=${1:?usage: tests/cuda_gpu/search.sh BUILD OUTPUT [KERNEL...]}
out=${2:?usage: tests/cuda_gpu/search.sh BUILD OUTPUT [KERNEL...]}
shift 2
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
budget=${GMG_SEARCH_SECONDS:-100} cells=${GMG_SEARCH_CELLS:-256}
gmg=$build/bin/gmg tuned=$build/tests/cuda_backend_tuned
mkdir -p "$out"
rm -f "$out"/searches.jsonl "$out"/poor.txt
: >"$out/log"
XDG_CACHE_HOME=${XDG_CACHE_HOME:-$(mktemp -d)}
export XDG_CACHE_HOME OMP_NUM_THREADS=${OMP_NUM_THREADS:-$(nproc)}
begin=$SECONDS failures=0

say() {
  printf '%4d s  %s\n' $((SECONDS - begin)) "$*"
}

kernels=("$@")
[ $# -gt 0 ] || kernels=(variable7_gauss_seidel_uniform_alpha_f64_split
  variable7_residual_restrict_uniform_alpha_f64_split
  variable7_residual_restrict_norm_uniform_alpha_f64_split
  variable7_residual_norm_uniform_alpha_f64_split interpolate_linear_f64_split
  interpolate_cubic_f64_split constant7_gauss_seidel_uniform_alpha_f64_split
  constant7_residual_restrict_uniform_alpha_f64_split)
for kernel in "${kernels[@]}"; do
  [ "$kernel" != poor ] || continue
  constant=no
  [ "${kernel#constant}" = "$kernel" ] || constant=yes
  timeout -k 5 $((2 * budget + 60)) "$tuned" --kernel "$kernel" --cells "$cells" --constant \
    $constant --budget "$budget" --record "$out/$kernel.jsonl" passes none precision double \
    >"$out/step" 2>>"$out/log"
  status=$?
  cat "$out/step" >>"$out/searches.jsonl"
  say "$kernel: exit $status"
  [ $status -eq 0 ] || failures=$((failures + 1))
done

if [ $# -eq 0 ] || [ "${kernels[0]}" = poor ]; then
  : >"$out/poor.txt"
  for kind in smooth constant; do
    for precision in double mixed; do
      timeout -k 5 $((2 * budget)) "$gmg" tune --cells "$cells" --case "$kind" --precision \
        "$precision" --backend cuda --begin poor --budget "$((budget / 2))" --dry-run \
        >"$out/step" 2>>"$out/log"
      status=$?
      grep ratio "$out/step" | tee -a "$out/poor.txt"
      say "from poor choices, $kind, $precision: exit $status"
      [ $status -eq 0 ] || failures=$((failures + 1))
    done
  done
fi
python3 "$source/tests/cuda_gpu/tune_summary.py" --searches "$out" || failures=$((failures + 1))
say "$failures steps failed"
[ $failures -eq 0 ]
