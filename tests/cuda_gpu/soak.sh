#!/usr/bin/env bash
# On a machine with a GPU: solves with a cold cache of kernels, solves that go from single to double
# precision, and random problems, settings and machines (tests/soak/soak.py), on the GPU and beside
# it on the CPU: no crash, and the CPU's bits. About four minutes with 16 cores.
#   tests/cuda_gpu/soak.sh BUILD OUTPUT      BUILD: a build folder; OUTPUT: folder for results
# GMG_SOAK_COLD (40), GMG_SOAK_CELLS (256, of the cold solves), GMG_SOAK_RAISE ("96 256": sides of
# cubes; of the second, every tenth setting), GMG_SOAK_RUNS (300, on the GPU), GMG_SOAK_CPU_RUNS
# (2000, on the CPU; 0: none), GMG_SOAK_SHARES (8, of each side by side), GMG_SOAK_SEED (2002; the
# CPU's is one less), GMG_LAUNCH: what runs a program on several ranks, before their number (default
# "mpirun --oversubscribe --allow-run-as-root -n"). Exit status: 0 good, 1 otherwise.
set -u
build=${1:?usage: tests/cuda_gpu/soak.sh BUILD OUTPUT} out=${2:?usage: tests/cuda_gpu/soak.sh \
  BUILD OUTPUT}
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
launch=${GMG_LAUNCH:-mpirun --oversubscribe --allow-run-as-root -n}
gmg=$build/bin/gmg cold=${GMG_SOAK_COLD:-40} shares=${GMG_SOAK_SHARES:-8}
seed=${GMG_SOAK_SEED:-2002}
read -r small large <<<"${GMG_SOAK_RAISE:-96 256}"
mkdir -p "$out"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export XDG_CACHE_HOME=${XDG_CACHE_HOME:-$folder/cache}
failures=0

say() {
  printf '%4d s  %s\n' "$SECONDS" "$*"
}

# soak SIDE RUNS SEED WORDS...: begins its shares.
soak() {
  local side=$1 runs=$2 from=$3 each n
  shift 3
  each=$(((runs + shares - 1) / shares))
  for ((n = 0; n < shares && runs > 0; n++)); do
    (python3 "$source/tests/soak/soak.py" "$gmg" --runs $each --seed "$from" --first $((n * each)) \
      --launch "$launch" --folder "$folder/$side-$n" "$@" >"$out/$side-$n.txt" 2>&1
    echo "status $?" >>"$out/$side-$n.txt") &
  done
}

# tell SIDE: what its shares have found.
tell() {
  local file
  for file in "$out/$1"-*.txt; do
    [ -e "$file" ] || continue
    say "$1: $(grep '^seed' "$file" | head -1), $(tail -n 1 "$file")"
    [ "$(tail -n 1 "$file")" = "status 0" ] || failures=$((failures + 1))
  done
}

rm -f "$out"/cpu-*.txt "$out"/device-*.txt
(
  soak cpu "${GMG_SOAK_CPU_RUNS:-2000}" $((seed - 1)) --ranks 4
  wait
) &
beside=$!
good=0
"$gmg" make --case sphere --cells "${GMG_SOAK_CELLS:-256}" --ratio 1e3 --quiet \
  --output "$folder/s.h5"
for ((n = 0; n < cold; n++)); do
  XDG_CACHE_HOME=$folder/cold-$n "$gmg" --input "$folder/s.h5" --backend cuda --quiet \
    --output "$folder/o.h5" >"$out/cold.txt" 2>&1 && good=$((good + 1))
  rm -rf "$folder/cold-$n"
done
say "cold cache: $good of $cold"
[ "$good" -eq "$cold" ] || failures=$((failures + 1))
for cells in $small $large; do
  words=(--cells "$cells" --long)
  [ "$cells" = "$small" ] || words+=(--every 10)
  "$build/tests/cuda_backend_raise" "${words[@]}" >"$out/raise-$cells.txt" 2>&1
  status=$?
  say "from single to double, $cells: status $status: $(tail -n 1 "$out/raise-$cells.txt")"
  [ $status -eq 0 ] || failures=$((failures + 1))
done
(
  soak device "${GMG_SOAK_RUNS:-300}" "$seed" --ranks 4 --backend device
  wait
)
tell device
wait $beside
tell cpu
say "$failures failures"
[ $failures -eq 0 ]
