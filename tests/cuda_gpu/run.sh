#!/usr/bin/env bash
# On a machine with a GPU: is it right, is it clean, how fast is it? Under nine minutes; every step
# has its time limit, and the next one runs whatever became of it.
#   tests/cuda_gpu/run.sh BUILD OUTPUT       BUILD: a build folder, made here or elsewhere; OUTPUT:
#                                            folder for results
# GMG_LAUNCH: what runs a program on several ranks, before their number (default "mpirun
# --oversubscribe -n"). Writes OUTPUT/results.jsonl (a line for every run), OUTPUT/log, and tables
# to the standard output.
set -u
build=${1:?usage: tests/cuda_gpu/run.sh BUILD OUTPUT} out=${2:?usage: tests/cuda_gpu/run.sh BUILD \
  OUTPUT}
launch=${GMG_LAUNCH:-mpirun --oversubscribe --allow-run-as-root -n}
repeat=$build/tests/cuda_backend_repeat
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
mkdir -p "$out"
results=$out/results.jsonl log=$out/log
: >"$results"
: >"$log"
export XDG_CACHE_HOME=${XDG_CACHE_HOME:-$(mktemp -d)} OMP_NUM_THREADS=${OMP_NUM_THREADS:-$(nproc)}
export PATH=$PATH:/usr/local/cuda/bin
export LD_LIBRARY_PATH=${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}/usr/local/cuda/lib64
# it may have come with a Python package
if ! ldconfig -p | grep -q libnvrtc.so && [ ! -e /usr/local/cuda/lib64/libnvrtc.so ]; then
  nvrtc=$(find / -xdev -name 'libnvrtc.so*' 2>/dev/null | head -1)
  export LD_LIBRARY_PATH=$LD_LIBRARY_PATH:$(dirname "${nvrtc:-/none}")
fi
begin=$SECONDS
failures=0

say() {
  printf '%4d s  %s\n' $((SECONDS - begin)) "$*"
}

# step NAME SECONDS RANKS ARGUMENTS of repeat...
step() {
  local name=$1 limit=$2 ranks=$3 status line
  shift 3
  # shellcheck disable=SC2086
  line=$(OMP_NUM_THREADS=$((OMP_NUM_THREADS / ranks > 0 ? OMP_NUM_THREADS / ranks : 1)) \
    timeout -k 5 "$limit" $launch "$ranks" "$repeat" "$@" 2>>"$log")
  status=$?
  echo "== $name: $* : exit $status" >>"$log"
  if [ "${line:0:1}" = "{" ]; then
    echo "{\"step\": \"$name\", \"exit\": $status, ${line:1}" >>"$results"
    line=$(sed -E 's/, "levels".*//; s/.*("cycles": .*)/\1/; s/"//g' <<<"$line" | cut -c1-330)
    say "$name: exit $status: $line"
  else
    echo "{\"step\": \"$name\", \"exit\": $status}" >>"$results"
    say "$name: exit $status: $line $(grep -v '^==' "$log" | tail -4 | tr '\n' ' ' | cut -c1-600)"
  fi
  [ $status -eq 0 ] || failures=$((failures + 1))
}

# tool NAME SECONDS COMMAND...: anything else; its last lines are shown.
tool() {
  local name=$1 limit=$2 status
  shift 2
  timeout -k 5 "$limit" "$@" >"$out/$name.txt" 2>&1
  status=$?
  say "$name: exit $status"
  tail -n 12 "$out/$name.txt" | cut -c1-200
  [ $status -eq 0 ] || failures=$((failures + 1))
}

nvidia-smi --query-gpu=name,driver_version,memory.total,memory.used,clocks.max.sm \
  --format=csv,noheader 2>&1 | head -8

say "== right: the bits of the CPU (Must hold 4, 9)"
step first 90 1 --cells 16 --solves 2
step bits-double 60 1 --cells 33 --solves 2 precision double coarse gpu
step bits-64 60 1 --cells 64 --solves 3 precision double coarse gpu
step bits-mixed 60 1 --cells 64 --solves 3 precision mixed coarse gpu
step bits-constant 60 1 --cells 48 --solves 2 --constant coarse gpu
step bits-periodic 60 1 --cells 32 --solves 2 --periodic coarse gpu
step bits-passes 60 1 --cells 45 --solves 2 --in-passes 2 precision double coarse gpu coarse-cells \
  4000 passes all
step bits-passes-mixed 60 1 --cells 45 --solves 2 --in-passes 2 precision mixed coarse gpu \
  coarse-cells 4000 passes all
step bits-passes-constant 60 1 --cells 48 --solves 2 --constant --in-passes 2 coarse gpu \
  coarse-cells 4000 passes all
step bits-no-tail 60 1 --cells 32 --solves 2 coarse-cells 1
step bits-cpu-tail 60 1 --cells 40 --solves 2 coarse cpu coarse-cells 5000
step bits-auto 60 1 --cells 40 --solves 2 precision double
step bits-ranks-2 60 2 --cells 40 --solves 2
step bits-ranks-4 60 4 --cells 40 --solves 2 coarse gpu gather 512
# shellcheck disable=SC2086
[ ! -x "$build/tests/cuda_backend_stream" ] || tool stream 60 $launch 1 \
  "$build/tests/cuda_backend_stream" 64
setups=$build/tests/cuda_backend_setups
if [ -x "$setups" ]; then
  tool setups 120 $launch 1 "$setups" --cells 40 coarse gpu precision mixed
  tool setups-there 120 $launch 1 "$setups" --cells 40 --on-device coarse gpu precision double
  for cells in 256 512; do
    for kind in cells faces; do
      tool "setups-$cells-$kind" 120 $launch 1 "$setups" --cells $cells --on-device --times \
        --steps 5 --kind $kind coarse gpu precision double
    done
  done
fi
step bits-256 90 1 --cells 256 --solves 1 precision double

say "== clean (Must hold 9)"
if command -v compute-sanitizer >/dev/null; then
  # shellcheck disable=SC2086
  tool memcheck 60 $launch 1 compute-sanitizer --tool memcheck --error-exitcode 9 "$repeat" \
    --cells 16 --solves 1 --no-cpu
  # shellcheck disable=SC2086
  tool racecheck 60 $launch 1 compute-sanitizer --tool racecheck --error-exitcode 9 "$repeat" \
    --cells 16 --solves 1 --no-cpu \
    coarse gpu coarse-cells 600 launch timed
  for tool in racecheck synccheck memcheck; do # both colours in one pass
    # shellcheck disable=SC2086
    tool $tool-passes 60 $launch 1 compute-sanitizer --tool $tool --num-cuda-barriers 4096 \
      --error-exitcode 9 "$repeat" --cells 18 \
      --solves 1 --no-cpu --in-passes 1 coarse gpu coarse-cells 4000 launch timed passes all cycle \
      v max-cycles 1
  done
  for tool in racecheck synccheck memcheck; do # the coarse tail, in graphs
    # shellcheck disable=SC2086
    tool $tool-tail 60 $launch 1 compute-sanitizer --tool $tool --error-exitcode 9 "$repeat" \
      --cells 8 --solves 1 --no-cpu coarse gpu
  done
else
  say "compute-sanitizer is not on this machine"
fi
step many 90 1 --cells 8 --solves 10000 precision double

step full 90 1 --full --cells 400 precision double

say "== fast (Must hold 6, 7, 8)"
step v-64 30 1 --cells 64 --solves 30 --no-cpu precision double cycle v
step fmg-64 30 1 --cells 64 --solves 30 --no-cpu precision double cycle fmg max-cycles 1
step two-passes-256 60 1 --cells 256 --solves 5 --no-cpu --in-passes 0 precision double passes none
step double-256 60 1 --cells 256 --solves 5 --no-cpu precision double
step two-passes-512 100 1 --cells 512 --solves 3 --no-cpu --in-passes 0 precision double passes none
step double-512 100 1 --cells 512 --solves 3 --no-cpu precision double
step mixed-512 100 1 --cells 512 --solves 3 --no-cpu precision mixed
step timed-256 60 1 --cells 256 --solves 1 --no-cpu --times precision double cycle v launch timed \
  max-cycles 6
step timed-512 90 1 --cells 512 --solves 1 --no-cpu --times precision double cycle fmg launch \
  timed max-cycles 4
step no-tail-256 60 1 --cells 256 --solves 3 --no-cpu precision double coarse-cells 1

if [ -x "$build/bench/cuda-kernels" ]; then
  say "== every kernel by itself (Must hold 4, 5)"
  tool kernels 150 "$build/bench/cuda-kernels" --cells 256,512 --default-shapes --json \
    "$out/kernels.json"
fi

say "== tables"
python3 "$source/tests/cuda_gpu/tables.py" "$results" || say "no tables: python3 failed"
say "$failures steps failed"
[ $failures -eq 0 ]
