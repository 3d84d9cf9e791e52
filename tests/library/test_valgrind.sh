# label: long
# sanitizers: no
# Preconditions: valgrind. It knows no AVX-512, so that the x86-64-v3 kernels run. What must vanish:
# valgrind's errors and lost memory in every example, on two threads, and in the one with MPI on
# three ranks, but for what MPI and HDF5 lose (tests/support/valgrind.supp). Usage: test_valgrind.sh
# GMG GMG_GEN SOURCE
set -u
gmg=$1 source=$3
build=$(dirname "$(dirname "$gmg")")
export OMP_NUM_THREADS=2
command -v valgrind >/dev/null || { echo "valgrind is not installed"; exit 77; }

suppressions=(--suppressions="$source/tests/support/valgrind.supp")
[ -e /usr/share/openmpi/openmpi-valgrind.supp ] && \
  suppressions+=(--suppressions=/usr/share/openmpi/openmpi-valgrind.supp)
under=(valgrind --quiet --keep-debuginfo=yes --error-exitcode=9 --leak-check=full \
  --show-leak-kinds=definite,possible
  --errors-for-leak-kinds=definite,possible "${suppressions[@]}")

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
failed=0
run() { # name, command …
  local name=$1 start=$SECONDS
  shift
  if "$@" >"$name.log" 2>&1 && ! grep -q '^==[0-9]*==' "$name.log"; then
    echo "$name: clean, $((SECONDS - start)) s"
  else
    echo "FAILED $name:"
    head -60 "$name.log"
    failed=1
  fi
}

run info "${under[@]}" "$gmg" info
if grep -q 'built:.* x86-64-v3' info.log && ! grep -q 'in use: x86-64-v3' info.log; then
  echo "FAILED: the kernels in use are not those of x86-64-v3:"
  grep 'instruction sets' info.log
  failed=1
fi
for example in heat projection own_operator; do
  run "$example" "${under[@]}" "$build/examples/$example"
done
if [ -x "$build/examples/record" ] && command -v mpirun >/dev/null; then
  run record mpirun --oversubscribe --bind-to none -n 3 "${under[@]}" "$build/examples/record" \
    recorded.h5
fi
exit $failed
