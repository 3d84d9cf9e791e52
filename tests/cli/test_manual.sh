#!/usr/bin/env bash
# The manual pages name the options that --help lists, and no others. What must vanish: the difference of the two lists, and
# the warnings of groff, where it is there.
# threads: 1
# sanitizers: no
set -euo pipefail
gmg=${1:?usage: test_manual.sh GMG GMG_GEN SOURCE_DIR}
gmg_gen=${2:?usage: test_manual.sh GMG GMG_GEN SOURCE_DIR}
source_dir=${3:?usage: test_manual.sh GMG GMG_GEN SOURCE_DIR}
faults=0

# Options that start a line, and those behind "or" or a comma there.
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
    groff -man -Tutf8 -ww -K utf8 "$source_dir/man/$page" 2>warnings >/dev/null || faults=$((faults + 1))
    [ -s warnings ] && cat warnings && faults=$((faults + 1))
  fi
  return 0
}

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
{ "$gmg" --help && "$gmg" make --help; } >help
compare gmg.1 <help
"$gmg_gen" --help >help
compare gmg-gen.1 <help
[ "$faults" = 0 ]
