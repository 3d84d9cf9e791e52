#!/usr/bin/env bash
# Installs this build, and uses it from outside the tree: with four lines of CMake, with pkg-config
# and the shared library, with pkg-config and the static one; each solves on 3 ranks with a
# decomposition of its own. What must vanish: a failure of any step, an exported name that gmg.h
# does not declare or the reverse, a private header among what is installed.
# sanitizers: no
# threads: 1
set -euo pipefail
gmg=${1:?usage: test_installed.sh GMG GMG_GEN SOURCE_DIR}
source_dir=${3:?usage: test_installed.sh GMG GMG_GEN SOURCE_DIR}
build=$(dirname "$(dirname "$gmg")")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
prefix=$folder/prefix

fail() {
  echo "$1"
  exit 1
}
quietly() {
  "$@" >"$folder/log" 2>&1 || { echo "failed: $*"; cat "$folder/log"; exit 1; }
}
cached() {
  sed -n "s/^$1:[^=]*=//p" "$build/CMakeCache.txt"
}
CMAKE_GENERATOR=$(cached CMAKE_GENERATOR) # the one that this machine has: make may be missing
export CMAKE_GENERATOR
[ "$(cached GMG_WITH_MPI)" = ON ] || { echo "skipped: built without MPI"; exit 77; }
launch=("$(cached MPIEXEC_EXECUTABLE)")
if "${launch[0]}" --version 2>&1 | grep -qi "open.\?mpi\|open.\?rte"; then
  launch+=(--oversubscribe --bind-to none)
fi
launch+=(-n 3)

for library in libgmg.so libgmg.a; do
  [ -e "$build/$library" ] || fail "$library is not built"
done
quietly cmake --install "$build" --prefix "$prefix"
mv "$prefix" "$folder/moved" # an installation may be moved
prefix=$folder/moved
lib=$(dirname "$(find "$prefix" -name libgmg.so)")
for file in bin/gmg bin/gmg-gen share/man/man1/gmg.1 share/man/man1/gmg-gen.1 share/gmg/plot.py \
  share/gmg/plot_surface.py; do
  [ -s "$prefix/$file" ] || fail "$file is not installed"
done

expected="include/gmg.h include/gmg_io.h include/gmg_program.h include/gmg_report.h "
expected+="share/gmg/operators/cuda/runtime/cuda_kernel.h "
expected+="share/gmg/operators/kernel.h share/gmg/operators/program_table.h "
expected+="share/gmg/operators/relaxation_table.h share/gmg/operators/stencil.h "
headers=$(find "$prefix" -name '*.h' -printf '%P\n' | sort | tr '\n' ' ')
[ "$headers" = "$expected" ] || fail "headers: $headers"
# Functions start a line of the headers, or stand after their type; comments do not count.
sed 's:/\*.*\*/::; /^ \*/d; /^\/\*/d; /define/d' "$prefix/include/gmg.h" \
  "$prefix/include/gmg_report.h" "$prefix/include/gmg_program.h" |
  grep -o '\bgmg_[a-z_]*(' | tr -d '(' \
  | grep -Ev '^gmg_(monitor|program_solved)$' | sort -u >"$folder/declared"
nm -D --defined-only "$lib/libgmg.so" | sed -n 's/.* T \(.*\)@@GMG_0\.2$/\1/p' | sort \
  >"$folder/exported"
diff "$folder/declared" "$folder/exported" || fail "gmg.h (<) and the exported names (>) differ"
[ "$(nm -D --defined-only "$lib/libgmg.so" | grep -c ' [A-Z] ')" = $(($(wc -l <"$folder/exported") \
  + 1)) ] \
  || \
  fail "more than versioned functions is exported: $(nm -D --defined-only "$lib/libgmg.so")"

mkdir "$folder/outside"
cp "$source_dir"/tests/library/installed/* "$folder/outside"
cd "$folder/outside"
quietly cmake -Wno-dev -S . -B build -DCMAKE_PREFIX_PATH="$prefix"
quietly cmake --build build
echo "CMake, shared:"
"${launch[@]}" build/outside

export PKG_CONFIG_PATH=$lib/pkgconfig
[ "$(pkg-config --modversion gmg)" = "$(cached CMAKE_PROJECT_VERSION)" ] || \
  fail "gmg.pc has the wrong version"
compiler=$(cached MPI_C_COMPILER)
read -ra flags < <(pkg-config --cflags --libs gmg)
quietly "$compiler" outside.c "${flags[@]}" -lm -o shared
echo "pkg-config, shared:"
LD_LIBRARY_PATH=$lib "${launch[@]}" ./shared
read -ra flags < <(pkg-config --static --cflags --libs gmg | sed 's/-lgmg\b/-l:libgmg.a/')
quietly "$compiler" outside.c "${flags[@]}" -o static
echo "pkg-config, static:"
"${launch[@]}" ./static

# What records problem files, by its own gmg-io.pc.
[ "$(pkg-config --modversion gmg-io)" = "$(cached CMAKE_PROJECT_VERSION)" ] || \
  fail "gmg-io.pc has the wrong version"
read -ra flags < <(pkg-config --cflags --libs gmg-io)
quietly "$compiler" "$source_dir/examples/record.c" "${flags[@]}" -lm -o record
echo "pkg-config, gmg-io:"
LD_LIBRARY_PATH=$lib "${launch[@]}" ./record recorded.h5
[ -s recorded.h5 ] || fail "nothing was recorded"

# An operator's target may use either signature of target_link_libraries; the examples use the one
# with PRIVATE.
mkdir plain
cp "$source_dir"/examples/own_operator/*.c plain
cat >plain/CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.25)
project(plain C)
find_package(gmg 0.2 REQUIRED)
add_executable(plain main.c)
gmg_add_operator(plain skew.c)
target_link_libraries(plain gmg::gmg m)
END
quietly cmake -S plain -B plain/build -DCMAKE_PREFIX_PATH="$prefix"
# One with a line that the solver does not have is refused before anything is compiled.
mkdir wrong
sed "s/plain/wrong/" plain/CMakeLists.txt >wrong/CMakeLists.txt
cp plain/main.c wrong
sed 's/\bh_i\b/rho/g' plain/skew.c >wrong/skew.c
quietly cmake -S wrong -B wrong/build -DCMAKE_PREFIX_PATH="$prefix"
if cmake --build wrong/build >"$folder/log" 2>&1; then
  fail "an operator with an unknown line was built"
fi
grep -q \
  "asks for 'rho', which the solver does not have; the solver supplies the fields u, w, alpha" \
  "$folder/log" \
  || { cat "$folder/log"; fail "the unknown line is not named"; }
if grep -q "Building C object.*skew" "$folder/log"; then
  fail "kernels of a wrong operator were compiled"
fi

# The examples, as a project on the installation; one of them compiles an operator of its own, here
# without optimization, which takes a third of the time.
quietly cmake -S "$source_dir/examples" -B examples -DCMAKE_BUILD_TYPE=Debug \
  -DCMAKE_PREFIX_PATH="$prefix"
quietly cmake --build examples
quietly ctest --test-dir examples
echo "examples: $(grep "tests passed" "$folder/log")"

# The stencil compiler reads the stencil.h that was installed with it.
quietly "$prefix/bin/gmg-gen" "$prefix/share/gmg/operators/restrict_cell.c" --explain
echo '#error the installed file' >"$prefix/share/gmg/operators/stencil.h"
cp "$prefix/share/gmg/operators/restrict_cell.c" .
if "$prefix/bin/gmg-gen" restrict_cell.c --explain >"$folder/log" 2>&1; then
  fail "gmg-gen reads another stencil.h than the one beside it"
fi
grep -q "the installed file" "$folder/log"
