#!/usr/bin/env bash
# The manual pages name the options that --help lists, and no others; they and docs/problem-file.md
# all that a solution file holds. What must vanish: the difference of the two lists, the names that
# are missing, and the warnings of groff, where it is there.
# threads: 1
# sanitizers: no
set -euo pipefail
gmg=${1:?usage: test_manual.sh GMG GMG_GEN SOURCE_DIR}
gmg_gen=${2:?usage: test_manual.sh GMG GMG_GEN SOURCE_DIR}
source_dir=${3:?usage: test_manual.sh GMG GMG_GEN SOURCE_DIR}
faults=0

# Options that start a line, and those after "or" or a comma there.
in_help() {
  grep -oE '^ +(-{1,2}[A-Za-z][a-z-]*(, )?)+' | grep -oE -- '-{1,2}[A-Za-z][a-z-]*' | sort -u
}
in_page() {
  sed -n '/^\.SH OPTIONS/,/^\.SH "EXIT/p' "$1" | grep -A1 '^\.TP' | grep '^\.B' | sed 's/\\-/-/g' \
    | grep -oE -- '(^|[ "])-{1,2}[A-Za-z][a-z-]*' | grep -oE -- '-{1,2}[A-Za-z][a-z-]*' | sort -u
}
compare() {
  local page=$1
  if ! diff <(in_help) <(in_page "$source_dir/man/$page") >difference; then
    echo "options in --help (<) and in man/$page (>) differ:"
    cat difference
    faults=$((faults + 1))
  fi
  echo "man/$page: $(in_page "$source_dir/man/$page" | wc -l) options"
  if command -v groff >/dev/null; then
    groff -man -Tutf8 -ww -K utf8 "$source_dir/man/$page" 2>warnings >/dev/null || \
      faults=$((faults + 1))
    [ -s warnings ] && cat warnings && faults=$((faults + 1))
  fi
  return 0
}

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
{ "$gmg" --help && "$gmg" make --help && "$gmg" bench --help && \
  "$gmg" tune --help && "$gmg" run --help; } >help
compare gmg.1 <help
"$gmg_gen" --help >help
compare gmg-gen.1 <help
# The ways a solve can end are where the solution file is described.
"$gmg" make --case sine --cells 4 --output sine.h5 --quiet
outcomes=$(sed -n '/^typedef enum {$/,/^} gmg_outcome;/p' "$source_dir/solver/gmg.h" |
  sed -n '/GMG_CONVERGED/,$p' \
  | grep -oE '\bGMG_[A-Z_]+' | sed 's/GMG_//' | tr '[:upper:]' '[:lower:]')
[ "$(wc -w <<<"$outcomes")" -ge 7 ] || faults=$((faults + 1))
for outcome in $outcomes; do
  for page in man/gmg.1 docs/problem-file.md; do
    grep -q "\b$outcome\b" "$source_dir/$page" || { echo "$page does not have $outcome"; \
      faults=$((faults + 1)); }
  done
done
# What a solution file holds is described.
for name in $("$gmg" sine.h5 --quiet && /usr/bin/python3 -c 'import h5py
file, names = h5py.File("sine.solution.h5"), []
file.visititems(lambda name, item: names.extend([name, *item.attrs]))
print(*names, *file.attrs)'); do
  for page in man/gmg.1 docs/problem-file.md; do
    grep -q "\b$name\b" "$source_dir/$page" || { echo "$page does not have $name"; \
      faults=$((faults + 1)); }
  done
done
[ "$faults" = 0 ]
