#!/usr/bin/env bash
# On a machine with GPUs: what does the model's search reach beside the exhaustive one, on the
# dearest kernels that have choices; and does tuning undo poor choices? On one GPU an hour, on four
# with 16 cores each a quarter of one: each GPU has its share of the cores, and searches by itself.
#   tests/cuda_gpu/search.sh BUILD OUTPUT [KERNEL...]     BUILD: a build folder; OUTPUT: folder for
#                                                         results
# KERNEL: those to search (default: eight), or `poor` alone: only the second question. Writes
# OUTPUT/searches.jsonl, OUTPUT/poor.txt, OUTPUT/log, OUTPUT/candidates.tar.xz (what each candidate
# took), and a summary to the standard output. GMG_SEARCH_SECONDS (default 600): the budget of a
# search; GMG_SEARCH_CELLS (default 256); GMG_SEARCH_GPUS: the numbers of those to use, where others
# are busy (default all). Exit status 1: a step failed, an exhaustive search did not
# end in its time, the model reached less than 97 % of its speed or took more than 15 % of its time,
# or a solve tuned from poor choices is slower than the default by more than 2 % beyond doubt.
set -u
build=${1:?usage: tests/cuda_gpu/search.sh BUILD OUTPUT [KERNEL...]}
out=${2:?usage: tests/cuda_gpu/search.sh BUILD OUTPUT [KERNEL...]}
shift 2
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
budget=${GMG_SEARCH_SECONDS:-600} cells=${GMG_SEARCH_CELLS:-256}
gmg=$build/bin/gmg tuned=$build/tests/cuda_backend_tuned
mkdir -p "$out/parts"
rm -f "$out"/searches.jsonl "$out"/poor.txt "$out"/parts/*
begin=$SECONDS
all=$(nvidia-smi -L | wc -l)
read -ra devices <<<"${GMG_SEARCH_GPUS:-$(seq -s ' ' 0 $((all - 1)))}"
gpus=${#devices[@]} cores=$(($(nproc) / all))

say() {
  printf '%4d s  GPU %d: %s\n' $((SECONDS - begin)) "$gpu" "$*"
}

# The longest searches first: a GPU takes every one in so many.
searches=("$@")
[ $# -gt 0 ] || searches=(variable7_residual_norm_uniform_alpha_f64_split
  variable7_residual_restrict_norm_uniform_alpha_f64_split interpolate_linear_f64_split
  interpolate_cubic_f64_split variable7_residual_restrict_uniform_alpha_f64_split
  constant7_residual_restrict_uniform_alpha_f64_split
  variable7_gauss_seidel_uniform_alpha_f64_split constant7_gauss_seidel_uniform_alpha_f64_split
  poor)
jobs=()
for search in "${searches[@]}"; do
  if [ "$search" = poor ]; then
    jobs+=("poor smooth double" "poor smooth mixed" "poor constant double" "poor constant mixed")
  else
    jobs+=("$search")
  fi
done

# on COMMAND...: on this GPU and its cores.
on() {
  CUDA_VISIBLE_DEVICES=$gpu XDG_CACHE_HOME=$cache OMP_NUM_THREADS=$cores \
    taskset -c $((gpu * cores))-$(((gpu + 1) * cores - 1)) timeout -k 5 $((2 * budget + 60)) "$@"
}

search() {
  local constant=no
  [ "${1#constant}" = "$1" ] || constant=yes
  on "$tuned" --kernel "$1" --cells "$cells" --constant $constant --budget "$budget" \
    --record "$out/parts/$1.jsonl" passes none precision double >"$out/parts/$1.found"
}

from_poor() {
  on "$gmg" tune --cells "$cells" --case "$2" --precision "$3" --backend cuda --begin poor \
    --budget "$((budget < 300 ? budget / 2 : 150))" --dry-run >"$out/parts/$1-$2-$3.found"
}

# All that the GPU of this place in the list does. The exit status: how many steps failed.
work() {
  local gpu=${devices[$1]} failed=0 cache n job status
  cache=$(mktemp -d)
  for ((n = $1; n < ${#jobs[@]}; n += gpus)); do
    read -ra job <<<"${jobs[n]}"
    if [ "${job[0]}" = poor ]; then
      from_poor "${job[@]}"
    else
      search "${job[0]}"
    fi 2>>"$out/parts/log.$gpu"
    status=$?
    say "${jobs[n]}: exit $status"
    [ $status -eq 0 ] || failed=$((failed + 1))
  done
  rm -rf "$cache"
  return $failed
}

workers=() failures=0
for ((n = 0; n < gpus; n++)); do
  work $n &
  workers+=($!)
done
for worker in "${workers[@]}"; do
  wait "$worker"
  failures=$((failures + $?))
done
cat "$out"/parts/log.* >"$out/log"
for ((n = 0; n < ${#jobs[@]}; n++)); do
  name=${jobs[n]// /-}
  case $name in
    poor-*) grep ratio "$out/parts/$name.found" >>"$out/poor.txt" ;;
    *) cat "$out/parts/$name.found" >>"$out/searches.jsonl" ;;
  esac
done
tar -C "$out/parts" --exclude 'log.*' -cJf "$out/candidates.tar.xz" .
rm -r "$out/parts"
[ ! -f "$out/poor.txt" ] || cat "$out/poor.txt"
python3 "$source/tests/cuda_gpu/tune_summary.py" --searches "$out" || failures=$((failures + 1))
echo "$((SECONDS - begin)) s, $failures steps failed"
[ $failures -eq 0 ]
