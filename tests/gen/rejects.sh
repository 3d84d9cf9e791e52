#!/usr/bin/env bash
# Inputs that gmg-gen must reject. Each file of rejects/ says  reject: REGEX  in its first comment
# and marks the line at fault by the comment  here;  required: exit status 1, a line FILE:LINE:
# error: ... that matches REGEX, and no output file. What must vanish: the number of files that
# fail.
#   tests/gen/rejects.sh path/to/gmg-gen
set -u
gen=${1:?usage: rejects.sh path/to/gmg-gen}
folder=$(cd "$(dirname "$0")" && pwd)/rejects
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export ASAN_OPTIONS=${ASAN_OPTIONS:-}:detect_leaks=0 # isl and libclang keep caches until exit
passed=0 failed=0

# Prints why the file fails; nothing if it is rejected as it should be.
fault_of() {
  local file=$1 line regex status
  line=$(grep -n -m 1 '/[*] here' "$file" | cut -d: -f1)
  regex=$(sed -n 's|^ [*] reject: \(.*\) [*]/$|\1|p' "$file")
  [ -n "$line" ] && [ -n "$regex" ] || { echo "no line or no pattern is marked"; return; }
  timeout 60 "$gen" "$file" --target openmp -o "$scratch/out/generated.c" >"$scratch/said" 2>&1
  status=$?
  [ "$status" -eq 1 ] || { echo "exit status $status, not 1"; return; }
  [ -z "$(ls -A "$scratch/out")" ] || { echo "an output file is left"; return; }
  grep -F "$file:$line: error: " "$scratch/said" | grep -qE -- "$regex" || echo \
    "line $line: no message matches  $regex"
}

for file in "$folder"/*.c; do
  rm -rf "$scratch/out" && mkdir "$scratch/out"
  fault=$(fault_of "$file")
  if [ -z "$fault" ]; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAILED $(basename "$file"): $fault"
    sed 's/^/  said: /' "$scratch/said"
  fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
