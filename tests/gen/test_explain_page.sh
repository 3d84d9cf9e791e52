#!/usr/bin/env bash
# What docs/operators.md shows of gmg-gen --explain is what gmg-gen says today. With --renew as
# fourth argument the page is brought up to date instead.
#   test_explain_page.sh GMG GMG_GEN SOURCE_DIR [--renew]
set -euo pipefail
generator=$2
source=$3
cd "$source"
begin='<!-- gmg-gen --explain: begin -->'
end='<!-- gmg-gen --explain: end -->'
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

{
  for operator in variable7 constant7 constant27; do
    echo
    echo "    gmg-gen operators/$operator.c --restriction operators/restrict_cell.c --explain"
    echo
    ASAN_OPTIONS=detect_leaks=0 "$generator" "operators/$operator.c" --restriction \
      operators/restrict_cell.c --explain |
      sed -e 's/^/    /' -e 's/ *$//' -e '${/^$/d}'
  done
} >"$folder/now"

if [ "${4:-}" = --renew ]; then
  awk -v begin="$begin" -v end="$end" -v file="$folder/now" '
    $0 == begin { print; while ((getline line < file) > 0) print line; skip = 1 }
    $0 == end { skip = 0 }
    !skip { print }' docs/operators.md >"$folder/page"
  cp "$folder/page" docs/operators.md
  exit 0
fi

awk -v begin="$begin" -v end="$end" \
  '$0 == end { inside = 0 } inside { print } $0 == begin { inside = 1 }' docs/operators.md \
  >"$folder/shown"
if [ -s "$folder/shown" ] && diff -u "$folder/shown" "$folder/now"; then
  echo "1 passed, 0 failed"
else
  echo "docs/operators.md shows something else than gmg-gen --explain says; renew it:" \
    "tests/gen/test_explain_page.sh GMG GMG_GEN . --renew"
  echo "0 passed, 1 failed"
  exit 1
fi
