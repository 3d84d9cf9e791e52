#!/usr/bin/env python3
# timeout: 600
# sanitizers: no
# Kernels of programs that store past the caches (--stores streaming), on CPUs. Preconditions: a C
# compiler, h5py. What must vanish: the differences, bit by bit, between the arrays of the
# sequential C that gmg-gen emits and those of runs with either way to store, in rows shorter than
# the parts that are kept, as long, and longer by any rest; of doubles and floats, with one array or
# several, with boxes whose rows begin anywhere; by each instruction set that there is.
"""usage: test_stores.py GMG GMG_GEN SOURCE_DIR"""
import os
import re
import subprocess
import sys
import tempfile

import test_bits as bits

# Two arrays that are stored apart, and one in place.
SEVERAL = """stencil 1; dimensions 3; type float; array u, v, w;
boundary all mirror;
initial u = sin(3 * x + 5 * y) - z;
initial v = x * y + cos(4 * z);
initial w = z;
u[i][j][k] = 0.5 * u[i-1][j][k] + 0.25 * u[i][j+1][k];
v[i][j][k] = v[i+1][j][k] - 0.125 * v[i][j][k-1];
w[i][j][k] = 0.5 * w[i][j][k];
"""


def sets():
    with open("/proc/cpuinfo", encoding="utf-8") as stream:
        flags = re.search(r"^flags\s*:(.*)$", stream.read(), re.M)
    known = flags.group(1).split() if flags else []
    return ["auto", "baseline"] + (["x86-64-v3"] if "avx2" in known and "fma" in known else [])


def run(path, cells, folder, *more):
    output = f"{folder}/out.h5"
    words = [bits.GMG, "run", path, "--cells", ",".join(map(str, cells)), "--steps"]
    words += [str(bits.STEPS), "--steps-per-pass", "1", "--wisdom", "none", "--cache"]
    words += [f"{folder}/cache", "--output", output, "--quiet", *more]
    done = bits.run(words, 2)
    bits.expect(done.returncode == 0, f"{path}, {more}: {done.returncode}: {done.stderr}")
    return bits.contents(output) if done.returncode == 0 else {}


def check(path, cells, folder):
    wanted = bits.serial(path, cells, folder)
    for isa in sets():
        for stores in ("streaming", "plain"):
            for box in ("0", "7"):
                more = ("--isa", isa, "--stores", stores, "--box", box, "--threads", "2")
                found = run(path, cells, folder, *(more if box != "0" else more[:4] + more[6:]))
                for array, values in wanted.items():
                    bits.expect(
                        array in found and bits.same_bits(found[array], values),
                        f"{os.path.basename(path)}, {cells}, {more}: '{array}' has other bits",
                    )


def count_streaming(folder):
    """Non-temporal stores in the code of a program for this machine."""
    made = f"{folder}/heat.so"
    words = [bits.GMG, "run", f"{bits.PROGRAMS}/heat3d.stencil", "--compile", made]
    bits.run(words)
    text = subprocess.run(["objdump", "-d", made], capture_output=True, text=True, check=False)
    return len(re.findall(r"\bv?movnt", text.stdout))


def main():
    with tempfile.TemporaryDirectory() as folder:
        several = f"{folder}/several.stencil"
        with open(several, "w", encoding="utf-8") as stream:
            stream.write(SEVERAL)
        check(several, (131, 5, 6), folder)
        check(several, (128, 4, 3), folder)
        check(f"{bits.PROGRAMS}/heat3d.stencil", (67, 9, 8), folder)
        check(f"{bits.PROGRAMS}/heat2d.stencil", (150, 23, 1), folder)
        check(f"{bits.PROGRAMS}/wave.stencil", (64, 10, 9), folder)
        check(f"{bits.PROGRAMS}/smooth27.stencil", (21, 8, 7), folder)
        if os.uname().machine == "x86_64":
            bits.expect(count_streaming(folder) > 0, "no store of heat goes past the caches")
        bits.expect_refusal("--stores", "slow", "stores: found 'slow', expected auto, plain or")
    return bits.finish()


if __name__ == "__main__":
    sys.exit(main())
