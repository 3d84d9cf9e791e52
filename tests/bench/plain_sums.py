#!/usr/bin/env python3
"""Generated kernels with plain sums, to measure what the order-fixed ones cost. usage: plain_sums.py FROM.c TO.c"""
import re
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    text = file.read()
text, sums = re.subn(r"const double part0 = \(term \+ cut0\) - cut0;", "const double part0 = term;", text)
text, extra = re.subn(r"\n *(?:const double part[12] = [^;]*|bin[12] \+= part[12]|term -= part[01]);", "", text)
text = re.sub(r"\n *const double size = fabs\(term\);\n *most_of = size > most_of \? size : most_of;", "", text)
if extra != 6 * sums or ("reduction(+ : bin0" in text) != (sums > 0):
    sys.exit(f"{sys.argv[1]}: sums are not written as expected: {sums} sums, {extra} lines of them")
with open(sys.argv[2], "w", encoding="utf-8") as file:
    file.write(text)
