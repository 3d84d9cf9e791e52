# sanitizers: no
# Preconditions: CMake, Ninja, a C compiler. A build without MPI, LAPACK and KissFFT, warnings
# as errors, solves; what it does not have it says when asked. What must vanish: calls of MPI,
# LAPACK and C++ in the library, and what is said otherwise than expected. Usage:
# test_serial_build.sh GMG GMG_GEN SOURCE
set -u
source=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
failed=0
fail() {
  echo "FAILED: $*"
  failed=1
}

{ cmake -G Ninja -S "$source" -B build -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG=-O0 \
  -DGMG_WITH_MPI=OFF \
    -DGMG_WITH_LAPACK=OFF -DGMG_WITH_KISSFFT=OFF -DGMG_WERROR=ON -DGMG_ISAS=baseline \
    -DGMG_BUILD_TESTS=OFF \
    && ninja -C build bin/gmg; } >log 2>&1 || { tail -40 log; exit 1; }
gmg=$folder/build/bin/gmg

# Names of its own that the library wants from elsewhere.
nm -u build/libgmg.a | grep -E ' (MPI_|ompi_|dget|_Z)' && \
  fail "the library calls what it was built without"

# expect STATUS TEXT COMMAND…
expect() {
  local status=$1 text=$2
  shift 2
  "$@" >out 2>&1
  local found=$?
  [ $found = "$status" ] || { fail "$*: exit status $found, expected $status"; cat out; }
  if [ -n "$text" ]; then
    grep -qF -- "$text" out || { fail "$*: does not say '$text':"; cat out; }
  else
    [ -s out ] && { fail "$*: speaks:"; cat out; }
  fi
}
expect 0 "none (this build runs on one rank)" "$gmg" info
expect 0 "wrote" "$gmg" make --case smooth --cells 16,13,9 --output small.h5
expect 0 "converged" "$gmg" --input small.h5
expect 2 "'direct' needs LAPACK" "$gmg" --input small.h5 --bottom direct
expect 2 "install libkissfft-dev" "$gmg" --input small.h5 --method fft
rm small.solution.*
expect 2 "started on 3 ranks, but this build has no MPI" \
  env OMPI_COMM_WORLD_SIZE=3 OMPI_COMM_WORLD_RANK=0 "$gmg" --input small.h5
expect 2 "" env OMPI_COMM_WORLD_SIZE=3 OMPI_COMM_WORLD_RANK=1 "$gmg" --input small.h5
[ -e small.solution.h5 ] && fail "one of several ranks has written a solution"
expect 0 "converged" env OMPI_COMM_WORLD_SIZE=1 OMPI_COMM_WORLD_RANK=0 "$gmg" --input small.h5

# An application
cc -std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -fopenmp -I"$source/solver" \
  "$source/examples/heat.c" build/libgmg.a -ljansson -lm \
  -o heat || fail "examples/heat.c does not link with the library alone"
expect 0 "from the steady state" ./heat
exit $failed
