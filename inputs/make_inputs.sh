#!/usr/bin/env bash
# Makes the problems of this folder again:  make_inputs.sh path/to/gmg [folder]
set -euo pipefail
gmg=$(realpath "$1")
here=$(dirname "$(realpath "$0")")
cd "${2:-$here}"
"$gmg" make --case sine --cells 20 --output sine20.h5
"$gmg" make --case smooth --cells 16 --output smooth16.h5
"$gmg" make --case smooth-periodic --cells 16 --output smooth16-periodic.h5
"$gmg" make --case sphere --ratio 1000 --cells 20 --output sphere20.h5
"$gmg" make --case cosine --cells 19,17,15 --output neumann-odd.h5
"$gmg" make --case cosine --cells 48,40,1 --output plane.h5
"${PYTHON:-/usr/bin/python3}" "$here/make_mixed.py" mixed-stretched.h5
