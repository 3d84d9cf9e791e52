#!/usr/bin/env python3
# sanitizers: no
# CUDA of formula files. Preconditions: C and C++ compilers. What must vanish: the differences, bit
# by bit, between the arrays and reductions of every program of examples/programs in sequential C,
# and with its kernels in place of those from the CUDA text that gmg-gen emits, run on the CPU
# (tests/cuda_stand_in/cuda_on_cpu.h), in thread blocks that do not divide the cells; kernels that
# NVRTC, where it is, does not compile for sm_80, sm_90 and sm_100, or that spill registers.
"""usage: test_cuda.py GMG GMG_GEN SOURCE_DIR"""
import ctypes
import os
import re
import subprocess
import sys
import tempfile

import numpy as np

GEN, SOURCE = os.path.abspath(sys.argv[2]), os.path.abspath(sys.argv[3])
PROGRAMS = os.path.join(SOURCE, "examples", "programs")
STAND_IN = os.path.join(SOURCE, "tests", "cuda_stand_in")
STEPS = 5
SHAPE = {"BLOCK_I": 4, "BLOCK_J": 3, "ROWS": 2, "PLANES": 3, "UNROLL": 1, "BLOCKS": 1}
# Thread blocks that reduce have whole warps.
REDUCING = {**SHAPE, "BLOCK_I": 8, "BLOCK_J": 8, "ROWS": 1}
OPTIONS = ["--fmad=false", "--prec-div=true", "--prec-sqrt=true", "--ftz=false"]
OPTIONS += ["--ptxas-options=-v"]
faults = []

# Shared memory of kernels is a section of the library, which is there if something is in it.
SHARED = '__attribute__((section("on_cpu_shared"), used)) static char nothing_shared[64];\n'
# Reductions of all kinds, whose values have one sign or the other.
ALL_KINDS = """stencil 1; dimensions 3; type %s; array u, v; parameter a = 0.3;
reduce least = min v[i][j+1][k] - 9; reduce most = max u[i][j][k-1] * v[i][j][k] - 7;
reduce high = max 3 - a * u[i][j][k]; reduce low = min 3 + u[i][j][k];
reduce nan = max sqrt(-v[i][j][k]);
reduce total = sum a * u[i+1][j][k] - v[i][j][k]; reduce size = sum fabs(u[i][j][k]);
boundary all mirror; initial u = sin(9 * x + 5 * y + z); initial v = x * y + z;
u[i][j][k] = 0.2 * u[i-1][j][k] + 0.7 * u[i][j][k]; v[i][j][k] *= 1.01;
"""
# A kernel of a program as its sequential text calls it; and what reductions begin with.
ENTRY = """
extern "C" void {function}(const int cells[3], {real} *const *array, const double *parameter{more})
{{
  static const int bound[] = {arrays}, given[] = {parameters};
  const ptrdiff_t row = cells[0] + 2 * {ghosts}, plane = row * (cells[1] + 2 * {ghosts});
  struct gmg_cuda_args args = {{}};
  for (int d = 0; d < 3; d++)
    args.box.cells[d] = cells[d];
  args.box.stride[0] = row;
  args.box.stride[1] = plane;
  for (int f = 0; bound[f] >= 0; f++)
    args.field[f] = array[bound[f]] + {along_k} * plane + {ghosts} * row + {ghosts};
  for (int s = 0; given[s] >= 0; s++)
    args.scalar[s] = parameter[given[s]];
  {begin}
  struct fiber_launch launch = {{}};
  const int covered[] = {{{BLOCK_I}, {BLOCK_J} * {ROWS}, {PLANES}}};
  for (int d = 0; d < 3; d++)
    launch.grid[d] = (unsigned)((cells[d] + covered[d] - 1) / covered[d]);
  launch.block[0] = {BLOCK_I};
  launch.block[1] = {BLOCK_J};
  launch.block[2] = 1;
  launch.threads = FIBERS_SHUFFLED;
  launch.blocks = FIBERS_BACKWARD;
  launch.leave_out = -1;
  cpu::run(&launch, [](const void *at) {{ {form}(*(const struct gmg_cuda_args *)at); }}, &args);
}}
"""


def run(*words):
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"FAILED {' '.join(words)}: {done.stderr}")
    return done.stdout


def expect(good, what):
    if not good:
        faults.append(what)


def describe(path):
    said = run(GEN, path, "--dump", "program")
    values = re.findall(r"^  parameter \w+(?: = (.*))?", said, re.M)
    return {
        "arrays": len(re.findall(r"^  array ", said, re.M)),
        "ghosts": max([int(n) for n in re.findall(r"ghosts (\d) deep", said)] + [0]),
        "parameters": [float(value) for value in values],
        "dimensions": int(re.search(r"(\d) dimensions", said)[1]),
        "reductions": re.findall(r"^  reduce (\w+)", said, re.M),
        "real": "float" if ", float" in said.splitlines()[0] else "double",
    }


def write(path, text):
    with open(path, "w", encoding="utf-8") as stream:
        stream.write(text)


def defines(shape):
    lines = "".join(f"#define {name} {value}\n" for name, value in shape.items())
    return f"{lines}#ifndef BLOCK_I"


def on_cpu(path, cuda, of, folder):
    """A library of the program whose kernels are those of the CUDA text."""
    name = os.path.basename(path)[: -len(".stencil")]
    library = f"{folder}/{name}_library.c"
    run(GEN, path, "--target", "library", "-o", library)
    with open(library, encoding="utf-8") as stream:
        table = stream.read()
    with open(f"{folder}/{name}.c", encoding="utf-8") as stream:
        plain = stream.read()
    bound = dict(re.findall(r"int gmg_made_(arrays_\w+|parameters_\w+)\[\] = (\{.*?\});", table))
    symbols = re.findall(r"\.kernel = &GMG_SYMBOL\(gmg_kernel_(\w+)\)", table)
    kernels = [symbol for symbol in symbols if not symbol.endswith("_value")]
    reductions = [symbol for symbol in symbols if symbol.endswith("_value")]
    end = cuda.index(f"{reductions[0]}_cell(") if reductions else len(cuda)
    text = '#include "cuda_on_cpu.h"\n' + SHARED
    text += cuda[:end].replace("#ifndef BLOCK_I", defines(SHAPE))
    text += cuda[end:].replace("#ifndef BLOCK_I", defines(REDUCING))
    declared = "struct pass;\n"
    for n, symbol in enumerate(kernels + reductions):
        reduces = n >= len(kernels)
        word = re.fullmatch(rf"{name}_(\w+)_f(?:64|32)(?:_value)?", symbol)[1]
        function = f"pass_{word}" if reduces else f"kernel_{word}"
        at = f"value_{n - len(kernels)}" if reduces else f"{n}"
        body = plain[plain.find(f"pass_{word}(") :]
        least = "0" if "double term" in body[: body.find("}")] else "1ll << 63"
        text += ENTRY.format(
            function=function,
            more=", struct gmg_reduction *found" if reduces else "",
            begin=f"*found = {{{{found->cut[0], found->cut[1]}}, {{}}, (int64_t)({least})}};\n"
            "  args.reduction = found;"
            if reduces
            else "",
            real=of["real"],
            ghosts=of["ghosts"],
            along_k=of["ghosts"] if of["dimensions"] == 3 else 0,
            arrays=bound[f"arrays_{at}"],
            parameters=bound[f"parameters_{at}"],
            form=f"{symbol}_march",
            **(REDUCING if reduces else SHAPE),
        )
        arguments = f"const int cells[3], {of['real']} *const *array, const double *parameter"
        arguments += ", struct pass *found" if reduces else ""
        declared += f"void {function}({arguments});\n"
        plain = plain.replace(f"static void {function}(", f"static void plain_{function}(")
    write(f"{folder}/{name}_cuda.cpp", text)
    write(f"{folder}/{name}_calls.c", declared + plain)
    flags = ["-O1", "-ffp-contract=off", "-fPIC", "-w", "-c"]
    more = ["-fno-strict-aliasing", f"-I{STAND_IN}", "-std=gnu++17"]
    run("g++", *flags, *more, f"{folder}/{name}_cuda.cpp", "-o", f"{folder}/{name}_cuda.o")
    run("cc", *flags, f"{folder}/{name}_calls.c", "-o", f"{folder}/{name}_calls.o")
    parts = [f"{folder}/{name}_cuda.o", f"{folder}/{name}_calls.o"]
    run("g++", "-shared", *parts, "-o", f"{folder}/{name}_cuda.so", "-lm")
    return f"{folder}/{name}_cuda.so"


def steps(name, library, of, cells):
    """All arrays, ghosts too, after STEPS steps."""
    deep = [of["ghosts"] if n < of["dimensions"] else 0 for n in range(3)]
    shape = [cells[d] + 2 * deep[d] for d in (2, 1, 0)]
    kind = np.float32 if of["real"] == "float" else np.float64
    arrays = [np.zeros(shape, kind) for _ in range(of["arrays"])]
    pointers = (ctypes.c_void_p * len(arrays))(*[array.ctypes.data for array in arrays])
    values = (ctypes.c_double * len(of["parameters"]))(*of["parameters"])
    extents, loaded = (ctypes.c_int * 3)(*cells), ctypes.CDLL(library)
    getattr(loaded, f"{name}_initial")(extents, pointers, values)
    before = [array.copy() for array in arrays]
    getattr(loaded, f"{name}_steps")(extents, ctypes.c_long(STEPS), pointers, values)
    expect(any((a != b).any() for a, b in zip(arrays, before)), f"{name}: nothing changes")
    found = []
    for reduction in of["reductions"]:
        function = getattr(loaded, f"{name}_value_{reduction}")
        function.restype = ctypes.c_double
        found.append(np.float64(function(extents, pointers, values)).tobytes())
    return [array.tobytes() for array in arrays] + found


def check_nvrtc(nvrtc, name, cuda):
    for target in ("sm_80", "sm_90", "sm_100"):
        made, size = ctypes.c_void_p(), ctypes.c_size_t()
        words = [option.encode() for option in [f"--gpu-architecture={target}", *OPTIONS]]
        nvrtc.nvrtcCreateProgram(ctypes.byref(made), cuda.encode(), b"k.cu", 0, None, None)
        status = nvrtc.nvrtcCompileProgram(made, len(words), (ctypes.c_char_p * len(words))(*words))
        nvrtc.nvrtcGetProgramLogSize(made, ctypes.byref(size))
        log = ctypes.create_string_buffer(size.value + 1)
        nvrtc.nvrtcGetProgramLog(made, log)
        said = log.value.decode()
        expect(status == 0, f"{name}: NVRTC for {target}: {said}")
        spills = [n for n in re.findall(r"(\d+) bytes spill", said) if n != "0"]
        expect(not spills, f"{name}: spills for {target}: {said}")
        registers = re.findall(r"Used (\d+) registers", said)
        expect(registers or status, f"{name}: NVRTC says nothing of registers: {said}")
        print(f"{name}, {target}: {', '.join(registers)} registers")
        nvrtc.nvrtcDestroyProgram(ctypes.byref(made))


def open_nvrtc():
    for library in ("libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"):
        try:
            return ctypes.CDLL(library)
        except OSError:
            pass
    print("there is no NVRTC: nothing is compiled by it")
    return None


def main():
    nvrtc = open_nvrtc()
    paths = sorted(f"{PROGRAMS}/{f}" for f in os.listdir(PROGRAMS) if f.endswith(".stencil"))
    with tempfile.TemporaryDirectory() as folder:
        for kind in ("double", "float"):
            paths.append(f"{folder}/reduced_{kind}.stencil")
            write(paths[-1], ALL_KINDS % kind)
        for path in paths:
            name = os.path.basename(path)[: -len(".stencil")]
            of, cuda = describe(path), run(GEN, path, "--target", "cuda")
            cells = (9, 7, 8) if of["dimensions"] == 3 else (13, 11, 1)
            run(GEN, path, "--target", "serial", "-o", f"{folder}/{name}.c")
            flags = ["-O2", "-ffp-contract=off", "-shared", "-fPIC"]
            run("cc", *flags, f"{folder}/{name}.c", "-o", f"{folder}/{name}.so", "-lm")
            expect(
                steps(name, f"{folder}/{name}.so", of, cells)
                == steps(name, on_cpu(path, cuda, of, folder), of, cells),
                f"{name}: the CUDA text has other bits",
            )
            if nvrtc:
                check_nvrtc(nvrtc, name, cuda)
    for fault in faults:
        print("FAILED", fault)
    print(f"{len(paths)} programs, {len(faults)} faults")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
