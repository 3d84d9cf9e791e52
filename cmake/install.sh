# For demo, check and .ci/run: installs the packages of cmake/packages.txt that are missing. To be
# sourced.

# gmg_install NEED...: makes sure that every package listed for these needs is there.
gmg_install() {
  local need package missing=() root=() pattern
  pattern="^($(IFS='|'; echo "$*")) "
  while read -r need package; do
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || \
      missing+=("$package")
  done < <(grep -E "$pattern" cmake/packages.txt | sort -u -k2,2)
  [ ${#missing[@]} -gt 0 ] || return 0
  if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
      echo "missing packages, and neither root nor sudo to install them: ${missing[*]}" >&2
      return 1
    fi
    root=(sudo)
  fi
  echo "installing ${missing[*]}"
  "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update -q
  "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends \
    "${missing[@]}"
}

# gmg_build PRESET [TARGET...]: configures once, then builds what is new. Options of the first time:
# gmg_cmake_options.
gmg_build() {
  local preset=$1
  shift
  if [ ! -f "build/$preset/build.ninja" ]; then
    cmake --preset "$preset" ${gmg_cmake_options:-}
  fi
  cmake --build --preset "$preset" --parallel "$(nproc)" ${1:+--target "$@"}
  sed -n 's/^GMG_CUDA_TEXT:INTERNAL=//p' "build/$preset/CMakeCache.txt"
}
