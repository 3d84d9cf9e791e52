#!/usr/bin/env bash
# On a machine with GPUs: what do ranks of unlike speeds reach together? A program on one GPU and
# the CPU's threads at once, with parts from 0 to 100 % and with those that --weights auto finds;
# and on two GPUs of which one has 1 to 4 times the work (--work). All values of as many steps must
# be the same, to the last bit; from 512^3 on, two GPUs must reach 0.95 of the sum of what each
# reaches alone (on smaller grids messages take as long as the steps), and a GPU with the CPU 0.98
# of the GPU alone. About five minutes.
#   tests/cuda_gpu/unlike.sh BUILD [SIZE ...]      BUILD: a build folder; SIZE: 256 512 unless given
# GMG_LAUNCH: what runs a program on several ranks, before their number (default "mpirun
# --oversubscribe --bind-to none -n"); GMG_PROGRAM: heat3d.stencil compiled elsewhere (gmg run
# --compile), where there is no C compiler. Needs python3, which reads reports, without h5py.
# Exit status: 0 good, 1 otherwise.
set -u
build=${1:?usage: tests/cuda_gpu/unlike.sh BUILD [SIZE ...]}
sizes=(256 512)
[ $# -lt 2 ] || sizes=("${@:2}")
launch=${GMG_LAUNCH:-mpirun --oversubscribe --bind-to none --allow-run-as-root -n}
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
program=${GMG_PROGRAM:-$source/examples/programs/heat3d.stencil}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export XDG_CACHE_HOME=${XDG_CACHE_HOME:-$folder/cache}
gpus=$(nvidia-smi -L | wc -l) cores=$(nproc)
failures=0

# What each rank runs: the first ones, with a GPU, on one core, the last one on all others.
cat >"$folder/rank" <<'END'
#!/usr/bin/env bash
rank=${OMPI_COMM_WORLD_RANK:-0}
export OMP_NUM_THREADS=1
[ "$rank" -lt "$GPU_RANKS" ] || export OMP_NUM_THREADS=$HOST_THREADS
exec "$@"
END
chmod +x "$folder/rank"

# steps COUNT ARGUMENTS...: runs so many, in $launch's $ranks; the report is left in $folder/COUNT.
steps() {
  local count=$1
  shift
  # shellcheck disable=SC2086
  timeout -k 5 150 $launch "$ranks" "$folder/rank" "$build/bin/gmg" run "$program" --cells "$size" \
    --steps "$count" --output "$folder/u.h5" --report "$folder/$count" "$@" >"$folder/said" 2>&1 ||
    { tail -n 4 "$folder/said" && failures=$((failures + 1)); }
}

# further COUNT: of the run of so many steps, those after the first call, in which arrays go to a
# GPU: how many, and their seconds.
further() {
  python3 -c "
import json
said = json.load(open('$folder/$1'))
print(said['further_steps'], said['further_seconds'])"
}

# run NAME RANKS GPU_RANKS SIZE ARGUMENTS...: the rate of the further steps of a run, in millions of
# cells a second, in $rate.
run() {
  local name=$1 ranks=$2 size=$4 total=$((100000000 / ($4 * $4))) more found
  local same=yes count seconds
  export GPU_RANKS=$3 HOST_THREADS=$((cores - $3))
  shift 4
  [ $total -le 1000 ] || total=1000
  steps $total "$@"
  found=$(values "$size")
  read -r count seconds <<<"$(further $total)"
  rate=$(python3 -c "print($size**3 * $count / $seconds / 1e6)") || rate=0
  more=$(python3 -c "
import json
said = json.load(open('$folder/$total'))
all = sum(w or 0 for w in said['weights'])
parts = ['%.4g' % (100 * w / all) for w in said['weights']] if all else ['alike']
beside = ', messages beside kernels' if said['overlapped_ranks'] else ''
print('parts', ' '.join(parts) + beside, 'waits',
      ' '.join('%.3f' % w for w in said['wait_seconds']), 'of %.3f s' % said['run_seconds'])")
  wanted=${wanted:-$found}
  [ -n "$found" ] && [ "$found" = "$wanted" ] || { same=NO && failures=$((failures + 1)); }
  printf '%4d^3  %-28s %10.1f million cells/s  %s; bits of the first run: %s\n' \
    "$size" "$name" "$rate" "$more" "$same"
  rm -f "$folder/$total" "$folder/u.h5"
}

# A hash of the values in the result.
values() {
  python3 -c "
import hashlib, sys
sys.path.insert(0, '$source/tests/soak')
from soak import solution_of
print(hashlib.sha1(solution_of('$folder/u.h5', ($1, $1, $1), [])).hexdigest())"
}

# holds WHAT FOUND LEAST
holds() {
  if python3 -c "import sys; sys.exit(not $2 >= $3)"; then
    printf '       %s: %.3f, at least %s is asked: holds\n' "$1" "$(python3 -c "print($2)")" "$3"
  else
    printf '       %s: %.3f, at least %s is asked: FAILED\n' "$1" "$(python3 -c "print($2)")" "$3"
    failures=$((failures + 1))
  fi
}

nvidia-smi --query-gpu=name --format=csv,noheader 2>&1 | head -1
echo "$gpus GPUs, $cores cores"
for size in "${sizes[@]}"; do
  wanted=
  run "one GPU" 1 1 "$size" --backend cuda
  gpu=$rate
  run "the CPU" 1 0 "$size" --backend openmp
  for part in 0,100 50,50 95,5 99,1 100,0; do
    run "GPU,CPU $part" 2 1 "$size" --backend cuda,openmp --weights $part
  done
  run "GPU,CPU auto" 2 1 "$size" --backend cuda,openmp --weights auto
  holds "GPU and CPU over the GPU alone" "$rate / $gpu" 0.98
  [ "$gpus" -ge 2 ] || continue
  for work in 1 2 4; do
    run "one GPU, work $work" 1 1 "$size" --backend cuda --work $work
    slow=$rate
    run "two GPUs, work 1,$work, auto" 2 2 "$size" --backend cuda --work 1,$work --weights auto
    holds "two GPUs over the sum of both" "$rate / ($gpu + $slow)" "$([ "$size" -lt 512 ] &&
      echo 0 || echo 0.95)"
  done
done
echo "$failures failures"
[ $failures -eq 0 ]
