#!/usr/bin/env bash
# On a machine with a GPU: the rising bubble as a program with a solve in each step
# (examples/bubble_program). Is it right, does no array leave the GPU in a step, and what share of a
# step's time does its explicit half take? About two minutes; needs neither MPI nor HDF5.
#   tests/cuda_gpu/bubble.sh BUILD [MOST_SHARE] [SIZE ...]
# BUILD: a build folder with the targets bubble and bubble_program; MOST_SHARE: 0.15 unless given;
# SIZE: 128 256 unless given.
# Exit status: 0 good, 1 otherwise.
set -u
build=${1:?usage: tests/cuda_gpu/bubble.sh BUILD [MOST_SHARE] [SIZE ...]} most=${2:-0.15}
sizes=(128 256)
[ $# -lt 3 ] || sizes=("${@:3}")
program=$build/examples/bubble_program
XDG_CACHE_HOME=${XDG_CACHE_HOME:-$(mktemp -d)}
export XDG_CACHE_HOME OMP_NUM_THREADS=${OMP_NUM_THREADS:-$(nproc)}
export LD_LIBRARY_PATH=${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}/usr/local/cuda/lib64
# it may have come with a Python package
if ! ldconfig -p | grep -q libnvrtc.so && [ ! -e /usr/local/cuda/lib64/libnvrtc.so ]; then
  nvrtc=$(find / -xdev -name 'libnvrtc.so*' 2>/dev/null | head -1)
  export LD_LIBRARY_PATH=$LD_LIBRARY_PATH:$(dirname "${nvrtc:-/none}")
fi
failures=0

# run WHAT COMMAND...: its last four lines, and whether it failed.
run() {
  echo "== $1"
  shift
  timeout -k 5 200 "$@" >"$XDG_CACHE_HOME/said" 2>&1
  local status=$?
  tail -n 4 "$XDG_CACHE_HOME/said"
  [ $status -eq 0 ] || { echo "FAILED: exit $status: $*" && failures=$((failures + 1)); }
}

nvidia-smi --query-gpu=name,driver_version,clocks.max.sm --format=csv,noheader 2>&1 | head -1
run "loops by hand on the CPU, 48^3: the numbers of the last lines agree with those below" \
  "$build/examples/bubble" --size 48
run "program on the CPU, 48^3" "$program" --size 48
run "program on the GPU, 48^3" "$program" --size 48 --backend cuda
for size in "${sizes[@]}"; do
  # Coefficients at walls come to the host for their boundaries, six planes of the grid; and tables.
  bytes=$((6 * 8 * size * size + 200000))
  run "GPU, $size^3, coarse levels there: no array leaves it ($((8 * size ** 3)) bytes each)" \
    "$program" --size $size --backend cuda --coarse gpu --most-share "$most" --most-bytes $bytes
  run "GPU, $size^3, without the check of each projection" \
    "$program" --size $size --backend cuda --coarse gpu --check 0 --most-share "$most"
  run "GPU, $size^3, coarse levels where they are faster" \
    "$program" --size $size --backend cuda --most-share "$most"
done
echo "$failures failures"
[ $failures -eq 0 ]
