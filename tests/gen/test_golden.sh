#!/usr/bin/env bash
# sanitizers: no
# What every stage of gmg-gen prints, and the CUDA text. For the two small kernels of golden/ the
# text is the one that is kept there as NAME.STAGE; for every file of operators/ the last stages
# print something, for one of them every stage; schedules for GPUs agree with the CUDA text. What
# must vanish: differences, and failures. The texts are renewed, after a look at the differences, by
#   tests/gen/test_golden.sh - path/to/gmg-gen . --renew
set -euo pipefail
gen=$(realpath "${2:?usage: test_golden.sh GMG GMG_GEN SOURCE_DIR [--renew]}") source=${3:?} \
  renew=${4:-}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
stages=(tree derived schedule emitted)
failed=0

cd "$source/tests/gen/golden" # so that the texts say NAME.c
for name in axpy second_difference; do
  for stage in "${stages[@]}" cu cuda_schedule; do
    if [ "$stage" = cu ]; then
      "$gen" "$name.c" --target cuda >"$scratch/text"
    elif [ "$stage" = cuda_schedule ]; then
      "$gen" "$name.c" --target cuda --dump schedule >"$scratch/text"
    else # the hash also tells versions of the generator apart
      "$gen" "$name.c" --dump "$stage" | sed 's/\(source_hash = "\)[0-9a-f]*"/\1"/' >"$scratch/text"
    fi
    if [ "$renew" = --renew ]; then
      cp "$scratch/text" "$name.$stage"
    elif ! diff -u "$name.$stage" "$scratch/text" >"$scratch/diff"; then
      failed=$((failed + 1))
      echo "FAILED: the text of stage $stage for $name.c differs from golden/$name.$stage:"
      head -n 40 "$scratch/diff"
      echo "If the new text is right:  tests/gen/test_golden.sh - path/to/gmg-gen . --renew"
    fi
  done
done

cd "$source"
for file in operators/*.c; do
  shown=(emitted "schedule --target cuda") # which come after all others
  [ "$file" != operators/variable7.c ] || shown=("${stages[@]}" "schedule --target cuda")
  for stage in "${shown[@]}"; do
    # shellcheck disable=SC2086
    if ! "$gen" "$file" --restriction operators/restrict_cell.c --dump $stage >"$scratch/text" \
      2>&1 \
      || [ ! -s "$scratch/text" ]; then
      failed=$((failed + 1))
      echo "FAILED: --dump $stage of $file: $(head -n 3 "$scratch/text")"
    fi
  done
done

# What a schedule for GPUs lists, forms and stages, are functions of the text; and the text has no
# kernel that is not listed.
for name in variable7 interpolate_linear interpolate_cubic; do
  with=("operators/$name.c" --restriction operators/restrict_cell.c --target cuda)
  "$gen" "${with[@]}" | grep -oE '[a-z0-9_]+\((const|int)' | sed 's/(.*//' |
    sort -u >"$scratch/text"
  "$gen" "${with[@]}" --dump schedule | awk '$1 == "schedule" { symbol = $2 }
    $1 == "form" || $1 == "stage" { sub("[(:].*", "", $2); print symbol "_" $2 }' |
    sort -u >"$scratch/listed"
  {
    comm -13 "$scratch/text" "$scratch/listed"
    comm -23 "$scratch/text" "$scratch/listed" |
      grep -E '_(march|queue|between|around|linear|staged)$' || true
  } >"$scratch/diff"
  if [ -s "$scratch/diff" ] || [ "$(wc -l <"$scratch/listed")" -lt 10 ]; then
    failed=$((failed + 1))
    echo "FAILED: schedule and text of $name, $(wc -l <"$scratch/listed") functions, differ in:"
    head -n 10 "$scratch/diff"
  fi
done
echo "$failed failures"
[ "$failed" -eq 0 ]
