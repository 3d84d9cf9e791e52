#!/usr/bin/env python3
"""Generated kernels with plain sums, to measure what the order-fixed ones cost. usage:
plain_sums.py FROM.c TO.c

The maximum is found as before, but as that of floating-point numbers. At the end of a tile the sum
is made a multiple of the quantum, since that is what the program expects.
"""
import re
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    text = file.read()
text, sums = re.subn(
    r"const double shifted = term \+ cut0;\s*bin0(\[lane\])? \+= gmg_bits\(shifted\)[^;]*;\s*"
    r"term -= shifted - cut0;\s*bin1(\[lane\])? \+= gmg_bits\(term \+ cut1\)[^;]*;",
    r"bin0\1 += term;",
    text,
)
changes = (
    (
        r"uint64_t bin0(\[GMG_LANES\])? = ([^;]*), bin1(\[GMG_LANES\])? = \2;",
        r"double bin0\1 = \2;",
    ),
    (r"reduction\(\+ : bin0, bin1\)", "reduction(+ : bin0)"),
    (
        r"total->bin\[0\] \+= bin0(\[lane\])?[^;]*;\s*total->bin\[1\] \+= bin1(\[lane\])?[^;]*;",
        r"total->bin[0] += (uint64_t)llrint(bin0\1 / ldexp(cut0 / 1.5, -52));",
    ),
    (
        r"const double cut0 = args->reduction->cut\[0\], cut1 = args->reduction->cut\[1\];",
        "const double cut0 = args->reduction->cut[0];",
    ),
)
rest = [re.subn(pattern, by, text)[1] for pattern, by in changes]
for pattern, by in changes:
    text = re.sub(pattern, by, text)
text = re.sub(r"total->bin\[[01]\] -= terms \* gmg_bits\(cut[01]\);\s*", "", text)
text = re.sub(r"bin[01] \+= \(uint64_t\)[^;]*gmg_bits\(cut[01]\);\s*", "", text)
text = re.sub(r"const uint64_t terms = [^;]*;\s*", "", text)
text = re.sub(r"int64_t most_of(\[GMG_LANES\])? = ", r"double most_of\1 = ", text)
text = re.sub(r"int32_t most_of = 0;", "float most_of = 0;", text)
text = re.sub(r"const int64_t size = gmg_size\(", "const double size = fabs(", text)
text = re.sub(r"const int32_t size = gmg_size_single\(", "const float size = fabsf(", text)
text = re.sub(r"gmg_size\(gmg_sized_single\(most_of\)\)", "gmg_size((double)most_of)", text)
text = re.sub(
    r"total->most = (most_of(?:\[lane\])?) > total->most \? \1 : total->most;",
    r"total->most = gmg_size(\1) > total->most ? gmg_size(\1) : total->most;",
    text,
)
if any(count < min(sums, 1) for count in rest) or "bin1" in text or len({rest[0], *rest[2:]}) > 1:
    sys.exit(
        f"{sys.argv[1]}: sums are not written as expected: {sums} sums, {rest} of what "
        f"goes with them"
    )
with open(sys.argv[2], "w", encoding="utf-8") as file:
    file.write(text)
