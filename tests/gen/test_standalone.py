#!/usr/bin/env python3
# timeout: 1200
# sanitizers: no
# gmg-gen --standalone: a user's file with its marked loops in CUDA, or with OpenMP. Preconditions:
# C and C++ compilers with OpenMP, NumPy. What must vanish: the bits that differ between the arrays
# that a file computes and those that its CUDA text computes, at every level, on the CPU
# (standalone/cuda_runtime.h), and its OpenMP text on four threads; kernels that NVRTC, where it is,
# does not compile, or that spill registers; lines of the user outside of the marked region that are
# not kept; wrong files and options that are not refused. With a barrier left out bits must differ.
"""usage: test_standalone.py GMG GMG_GEN SOURCE_DIR"""

import ctypes
import os
import re
import subprocess
import sys
import tempfile

import numpy as np

GEN, SOURCE = os.path.abspath(sys.argv[2]), os.path.abspath(sys.argv[3])
LISTED = os.path.join(SOURCE, "tests", "gen", "directives")
EMULATION = os.path.join(SOURCE, "tests", "gen", "standalone")
STAND_IN = os.path.join(SOURCE, "tests", "cuda_stand_in")
LEVELS = range(5)
OPTIONS = ["--fmad=false", "--ptxas-options=-v"]
# name: cells, arrays that the file saves, those of them that come back from the device, levels that
# give something new
RUNS = {
    "heat7": ((37, 21, 45), 2, [0], 5),
    "heat5": ((13, 9, 1), 2, [0, 1], 3),
    "poisson7": ((35, 18, 34), 3, [0], 5),
    "variable7": ((18, 34, 9), 4, [0], 5),
    "poisson19": ((10, 10, 10), 3, [0, 1, 2], 4),
    "smooth9": ((11, 8, 1), 2, [0, 1], 3),
    "heart": ((20, 17, 35), 3, [1], 5),
    "front": ((20, 17, 35), 3, [0, 2], 5),
    "front_float": ((20, 17, 35), 3, [0, 2], 5),
    "deep": ((20, 19, 36), 2, [0], 5),
    "panda_heart": ((13, 13, 13), 3, [0, 1, 2], 5),
    "panda_jacobi": ((9, 9, 9), 3, [0, 1, 2], 1),
}
STEPS = (4, 3)
# Of Panda's listing: with it, as C, the file is a program.
PANDA_MAIN = """
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
  const int nx = 11, ny = 7, nz = 9, count = (nx + 2) * (ny + 2) * (nz + 2);
  double *u = (double *)malloc(count * sizeof *u), *w = (double *)malloc(count * sizeof *w);
  for (int n = 0; n < count; n++)
    u[n] = (n * 37 % 101) / 7., w[n] = u[n] - n % 3;
  stencil(u, w, nx, ny, nz, 5, 0.11, 0.3);
  for (int n = 0; n < count; n++)
    printf("%.17g %.17g\\n", u[n], w[n]);
  return 0;
}
"""
faults = []

# Reach two, an array without ghosts, corners on other planes of another one, loops that begin at 0.
DEEP = """/* Two ghosts. */
#include "grid.h"
#include <math.h>
#define n 7 /* the name of other things, too */
static void steps(double *u, double *w, double ***b, const double *c, int nx, int ny, int nz,
                  int T)
{
  const double a = 1. / 16, width = 0.25;
#pragma mint copy(u, toDevice, nx + 4, ny + 4, nz + 4)
#pragma mint copy(w, toDevice, nx + 4, ny + 4, nz + 4)
#pragma mint copy(b, toDevice, nx + 2, ny + 2, nz + 2)
#pragma mint copy(c, toDevice, nx, ny, nz)
#pragma mint parallel
  {
    for (int t = 0; t < T; t++)
    {
#pragma mint for nest(all) tile(8, 6, 8) \\
      chunksize(1, 1, 8) /* a comment */
      for (int z = 0; z < nz; z++) {
        for (int y = 0; y < ny; y++) {
          for (int x = 0; x < nx; x++) {
            const int p = x + 2 + (nx + 4) * (y + 2 + (ny + 4) * (z + 2)), row = nx + 4;
            double sum = u[p - 2] + u[p + 2] + u[p - 2 * row] + u[p + 2 * row];
            sum -= -(u[p - 2 * row * (ny + 4)] - fabs(u[p + 2 * row * (ny + 4)]));
            {
              double sum = b[z][y][x] - (b[z + 2][y + 2][x + 1] - b[z][y + 1][x + 2]);
              w[p] = width * sum + 2 * a * (u[p - 1] + u[p + row] / 4);
            }
            w[p] += a * sum + c[x + nx * (y + ny * z)];
          }
        }
      }
#pragma mint single{
      double *s = u; u = w, w = s;
      }
    }
  }
#pragma mint copy(u, fromDevice, nx + 4, ny + 4, nz + 4)
}

int main(int argc, char **argv)
{
  const int nx = atoi(argv[2]), ny = atoi(argv[3]), nz = atoi(argv[4]), T = atoi(argv[5]);
  const long count = (long)(nx + 4) * (ny + 4) * (nz + 4);
  double *u = malloc(count * sizeof *u), *w = calloc(count, sizeof *u), *c = malloc(count * 8);
  double ***b = grid_new(nx + 2, ny + 2, nz + 2);
  double *row = malloc(8 * (nx + 2)); /* not in one piece with the others */
  b[1][1] = row;
  grid_fill(u, count, 1);
  grid_fill(w, count, 2);
  grid_fill(c, count, 3);
  for (int z = 0; z < nz + 2; z++)
    for (int y = 0; y < ny + 2; y++)
      grid_fill(b[z][y], nx + 2, n + z * ny + y);
  steps(u, w, b, c, nx, ny, nz, T);
  grid_save(argv[1], T % 2 ? w : u, count);
  grid_save(argv[1], T % 2 ? u : w, count);
  return 0 * argc;
}
"""


# Braces in comments and strings, pointers to arrays, several statements in a line, what C++ is not.
ODD = r"""#include <stdio.h>
#include <stdlib.h>
#define N 20 /* cells; { an open brace in a comment */
typedef double cube[N + 2][N + 2][N + 2];
struct options { int steps; char quote; };
static const char *text = "{ not \" a brace"; // nor this {
double
relax (double (*restrict u)[N + 2][N + 2], double (*v)[N + 2][N + 2], int steps)
{
  int i, j, k; double old, q = 1. / 6;
  if (steps < 0) return 0;
  /* both ways */
#pragma mint copy (u, toDevice, N + 2, N+2, N+2)
#pragma mint copy(v,toDevice,N+2,N+2,N+2)
  for (int t = 0; t < steps; t++)
#pragma mint parallel shared
    {
#pragma mint for nest(all) // first
      for (k = 1; k <= N; k++) for (j = 1; j <= N; j++) for (i = 1; i <= N; i++) {
          old = u[k][j][i]; v[k][j][i] = old - q * (6 * old - u[k][j][i-1] - u[k][j][i+1] -
              u[k][j-1][i] - u[k][j+1][i] - u[k-1][j][i] - u[k+1][j][i]) / 3; }
#pragma mint for nest(all)
      for (k = 1; k < N + 1; ++k)
        for (j = 1; j < N + 1; ++j)
          for (i = 1; i < N + 1; ++i)
            u[k][j][i] = v[k][j][i];
    } // end
#pragma mint copy(u, fromDevice, N+2, N+2, N+2)
#pragma mint copy(v, fromDevice, N+2, N+2, N+2)
  return 1;
}
int main(void)
{
  struct options o = {7, '"'};
  double (*u)[N + 2][N + 2] = malloc(sizeof(cube)), s = 0;
  double (*v)[N + 2][N + 2] = (double (*)[N + 2][N + 2])malloc(sizeof(cube));
  for (int n = 0; n < (N + 2) * (N + 2) * (N + 2); n++)
    (&u[0][0][0])[n] = (n * 37 % 101) / 7., (&v[0][0][0])[n] = 0;
  relax(u, v, o.steps);
  for (int n = 0; n < (N + 2) * (N + 2) * (N + 2); n++)
    s += (n % 13) * (&u[0][0][0])[n] + (&v[0][0][0])[n];
  printf("%.17g %s%c\n", s, text, o.quote);
  return 0;
}
"""


def run(*words):
    return subprocess.run(words, capture_output=True, text=True, check=False)


def expect(good, what):
    if not good:
        faults.append(what)


def must(*words):
    done = run(*words)
    if done.returncode:
        raise SystemExit(f"FAILED {' '.join(words)}: {done.stderr}")
    return done


def read(path):
    with open(path, encoding="utf-8") as stream:
        return stream.read()


def write(path, text):
    with open(path, "w", encoding="utf-8") as stream:
        stream.write(text)


def from_of(name):
    return ["--from", "panda" if name.startswith("panda") else "mint"]


def results(program, name, steps, leave_out=None, cells=None):
    """The arrays that come back."""
    usual, count, back, _ = RUNS[name]
    cells = cells or usual
    path = f"{program}.{steps}"
    if os.path.exists(path):
        os.remove(path)
    more = {"LEAVE_OUT": str(leave_out)} if leave_out is not None else {}
    environment = {**os.environ, "OMP_NUM_THREADS": "4", "OMP_WAIT_POLICY": "passive", **more}
    words = [program, path, *map(str, cells), str(steps)]
    done = subprocess.run(words, env=environment, check=False, capture_output=True)
    if done.returncode:
        return None
    kind = np.uint32 if name.endswith("_float") else np.uint64
    arrays = np.fromfile(path, kind).reshape(count, -1)
    return arrays[back]


def check_kept(name, own, made):
    """All lines before the first directive and after the last one are there, in their order."""
    lines = own.splitlines()
    marked = [n for n, line in enumerate(lines) if re.match(r"\s*#pragma (mint|panda)", line)]
    end = lines.index("}", marked[-1]) + 1
    for part in (lines[: marked[0]], lines[end:]):
        rest = iter(made.splitlines())
        expect(all(line in rest for line in part), f"{name}: a line of the user is gone")
    expect(not re.search("pragma (mint|panda)", made), f"{name}: a directive is left")


def kernels_of(text):
    found = re.findall(r"^(?:static __device__|__global__) .*?^}\n", text, re.M | re.S)
    return "\n".join(found)


def check_nvrtc(nvrtc, name, text):
    for target in ("sm_80", "sm_90", "sm_100") if name == "heat7" else ("sm_90",):
        made, size = ctypes.c_void_p(), ctypes.c_size_t()
        words = [option.encode() for option in [f"--gpu-architecture={target}", *OPTIONS]]
        nvrtc.nvrtcCreateProgram(ctypes.byref(made), text.encode(), b"k.cu", 0, None, None)
        status = nvrtc.nvrtcCompileProgram(made, len(words), (ctypes.c_char_p * len(words))(*words))
        nvrtc.nvrtcGetProgramLogSize(made, ctypes.byref(size))
        log = ctypes.create_string_buffer(size.value + 1)
        nvrtc.nvrtcGetProgramLog(made, log)
        said = log.value.decode()
        expect(status == 0, f"{name}: NVRTC for {target}: {said}")
        spills = [n for n in re.findall(r"(\d+) bytes spill", said) if n != "0"]
        expect(not spills, f"{name}: spills for {target}: {said}")
        nvrtc.nvrtcDestroyProgram(ctypes.byref(made))


def open_nvrtc():
    for library in ("libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"):
        try:
            return ctypes.CDLL(library)
        except OSError:
            pass
    print("there is no NVRTC: nothing is compiled by it")
    return None


def on_cpu(path, program):
    """Compiles a CUDA file for the CPU."""
    text = re.sub(
        r"(\w+)<<<(.*?)>>>\((.*?)\);",
        r"launch_on_cpu(\2, [&] { \1(\3); });",
        read(path),
        flags=re.S,
    )
    write(f"{path}.cpp", text)
    words = ["g++", "-O1", "-w", "-std=gnu++17", "-ffp-contract=off", f"-I{EMULATION}"]
    words += [f"-I{STAND_IN}", f"-I{LISTED}", f"{path}.cpp", "-o", program, "-lm", "-pthread"]
    return run(*words)


def check_cuda(nvrtc, folder, name, path, wanted):
    texts = set()
    for level in LEVELS:
        made = f"{folder}/{name}_{level}.cu"
        words = [GEN, path, *from_of(name), "-I", LISTED, "--standalone", "--opt", str(level)]
        must(*words, "-o", made)
        text = read(made)
        check_kept(name, read(path), text)
        expect(f"--opt {level}" in text and "-fmad=false" in text, f"{name}: no head in {made}")
        texts.add(re.sub(r"/\*.*?\*/", "", kernels_of(text), flags=re.S))
        done = on_cpu(made, f"{folder}/{name}_{level}")
        if done.returncode:
            expect(False, f"{name}, level {level}: {done.stderr}")
            continue
        for steps in STEPS:
            found = results(f"{folder}/{name}_{level}", name, steps)
            if found is None:
                expect(False, f"{name}, level {level}: the CUDA text does not run")
                continue
            wrong = int(np.sum(found != wanted[steps]))
            expect(not wrong, f"{name}, level {level}, {steps} steps: {wrong} bits differ")
        if nvrtc:
            check_nvrtc(nvrtc, name, kernels_of(text))
    expect(len(texts) == RUNS[name][3], f"{name}: {len(texts)} levels differ")


def check_no_cells(folder):
    """CUDA takes no launch of no threads: loops over no cells have none, and change nothing."""
    for level in LEVELS:
        program = f"{folder}/heat7_{level}"
        found, wanted = (results(program, "heat7", n, cells=(5, 0, 4)) for n in (2, 0))
        same = found is not None and np.array_equal(found, wanted)
        expect(same, f"heat7, level {level}: not right over no cells")


def check_barriers(folder, wanted):
    """Each barrier is one that some level of heat7 needs."""
    for level, barriers in ((1, [0]), (2, [0, 1]), (3, [0, 1]), (4, [0, 1])):
        for barrier in barriers:
            found = results(f"{folder}/heat7_{level}", "heat7", 4, barrier)
            same = found is not None and np.array_equal(found, wanted)
            expect(not same, f"level {level}: barrier {barrier} changes nothing")


def check_openmp(folder, name, path, wanted):
    made = f"{folder}/{name}_omp.c"
    must(GEN, path, *from_of(name), "-I", LISTED, "--standalone", "-o", made)
    text = read(made)
    check_kept(name, read(path), text)
    marked = r"#pragma (?:mint for|panda boundary|panda reduction|panda wait)"  # a nest follows
    nests = len(re.findall(marked, read(path)))
    expect(text.count("#pragma omp parallel for") == nests, f"{name}: not {nests} OpenMP nests")
    flags = ["-O2", "-Wall", "-Wextra", "-Wno-sign-conversion", "-std=gnu11", "-ffp-contract=off"]
    must("gcc", *flags, "-fopenmp", f"-I{LISTED}", made, "-o", f"{folder}/{name}_omp", "-lm")
    for steps in STEPS:
        found = results(f"{folder}/{name}_omp", name, steps)
        wrong = found is None or int(np.sum(found != wanted[steps]))
        expect(not wrong, f"{name}, OpenMP, {steps} steps: {wrong} bits differ")


def printed(program, name):
    """What a file prints whose loops sum."""
    words = [str(n) for n in (*RUNS[name][0], STEPS[0])]
    return must(program, f"{program}.out", *words).stdout


def check_runs(nvrtc, folder):
    write(f"{folder}/deep.c", DEEP)
    for name in RUNS:
        path = f"{folder}/deep.c" if name == "deep" else f"{LISTED}/{name}.c"
        own = f"{folder}/{name}_own"
        flags = ["-O2", "-w", "-std=gnu11", "-ffp-contract=off", f"-I{LISTED}"]
        write(f"{folder}/{name}_own.c", read(path).replace("single{", "single\n{"))
        must("gcc", *flags, f"{folder}/{name}_own.c", "-o", own, "-lm")
        wanted = {steps: results(own, name, steps) for steps in STEPS}
        expect(not np.array_equal(wanted[4], results(own, name, 0)), f"{name}: nothing changes")
        check_openmp(folder, name, path, wanted)
        check_cuda(nvrtc, folder, name, path, wanted)
        for made in ("omp", "0", "3") if "panda reduction" in read(path) else ():
            found, known = (printed(f"{folder}/{name}_{end}", name) for end in (made, "own"))
            expect(known and found == known, f"{name}, {made}: prints {found}, not {known}")
        if name == "heat7":
            check_barriers(folder, wanted[4])
            check_no_cells(folder)


def compile_openmp(path, stem):
    must(GEN, path, "--from", "mint", "--standalone", "-o", f"{stem}_omp.c")
    done = run("gcc", "-Wall", "-Werror", "-fopenmp", "-c", f"{stem}_omp.c", "-o", "/dev/null")
    expect(done.returncode == 0, f"{path}: {done.stderr}")


def check_users(nvrtc, folder):
    """What users write compiles, as far as it is accepted as a program, or is refused in a line."""
    names = sorted(os.listdir(f"{LISTED}/users"))
    written = 0
    for name in names:
        path, stem = f"{LISTED}/users/{name}", f"{folder}/{name[:-2]}"
        accepted = read(path).startswith("/* accepted")
        done = run(GEN, path, "--from", "mint", "--standalone", "-o", f"{stem}.cu")
        refused = re.match(rf"{re.escape(path)}:\d+:\d+: error: ", done.stderr)
        expect(done.returncode in (0, 1), f"{name}: status {done.returncode}: {done.stderr}")
        expect(done.returncode == 0 or refused, f"{name}: refused by {done.stderr!r}")
        expect(accepted or done.returncode == 1, f"{name} is written")
        if done.returncode:
            print(f"{name}: {done.stderr.split('error: ')[-1].strip()}")
        if done.returncode:
            continue
        written += 1
        write(f"{stem}_whole.cu", read(f"{stem}.cu"))
        if not re.search(r"\bmain\(", read(path)):
            write(f"{stem}_whole.cu", read(f"{stem}.cu") + "int main(void) { return 0; }\n")
        done = on_cpu(f"{stem}_whole.cu", stem)
        expect(done.returncode == 0, f"{name}: {done.stderr}")
        if nvrtc:
            check_nvrtc(nvrtc, name, kernels_of(read(f"{stem}.cu")))
        compile_openmp(path, stem)
    expect(written == 10, f"{written} of {len(names)} users' files are written")


def check_odd(folder):
    """A file with odd spacing prints the same."""
    path = f"{folder}/odd.c"
    write(path, ODD)
    must("gcc", "-O2", "-w", "-ffp-contract=off", path, "-o", f"{folder}/odd")
    wanted = must(f"{folder}/odd").stdout
    words = [GEN, path, "--from", "mint", "--standalone"]
    for level in ("0", "2", "4"):
        must(*words, "--opt", level, "-o", f"{folder}/odd.cu")
        done = on_cpu(f"{folder}/odd.cu", f"{folder}/odd_cuda")
        expect(done.returncode == 0, f"odd.c, level {level}: {done.stderr}")
        found = run(f"{folder}/odd_cuda").stdout
        expect(found == wanted, f"odd.c, level {level} prints {found!r}, not {wanted!r}")
    must(*words, "-o", f"{folder}/odd_omp.c")
    flags = ["-O2", "-w", "-fopenmp", "-ffp-contract=off"]
    must("gcc", *flags, f"{folder}/odd_omp.c", "-o", f"{folder}/odd_omp")
    found = must(f"{folder}/odd_omp").stdout
    expect(found == wanted, f"odd.c with OpenMP prints {found!r}, not {wanted!r}")


def check_example(folder):
    """The example prints the same; the paper's listing has a brace on a directive's line."""
    example = os.path.join(SOURCE, "examples", "directives", "heat_mint.c")
    made, listing = f"{folder}/example.cu", f"{folder}/listing.cu"
    must("gcc", "-O2", "-ffp-contract=off", example, "-o", f"{folder}/example_own")
    wanted = must(f"{folder}/example_own", "12").stdout
    must(GEN, example, "--from", "mint", "--standalone", "-o", made)
    done = on_cpu(made, f"{folder}/example")
    expect(done.returncode == 0, f"the example: {done.stderr}")
    found = run(f"{folder}/example", "12").stdout
    expect(found == wanted, f"the example prints {found!r}, not {wanted!r}")
    words = [GEN, f"{LISTED}/heat_listing.c", "--from", "mint", "--standalone", "-o"]
    must(*words, listing)
    write(listing, read(listing) + "int main(void) { return 0; }\n")
    done = on_cpu(listing, f"{folder}/listing")
    expect(done.returncode == 0, f"the paper's listing: {done.stderr}")
    must(*words, f"{folder}/listing.c")
    done = run(
        "gcc", "-Wall", "-Werror", "-fopenmp", "-c", f"{folder}/listing.c", "-o", "/dev/null"
    )
    expect(done.returncode == 0, f"the paper's listing: {done.stderr}")


def check_panda(folder):
    """Panda's listing, with std::swap; its example; steps without a time loop."""
    listing = f"{folder}/listing.c"
    write(listing, read(f"{LISTED}/panda7_listing.c") + PANDA_MAIN)
    write(f"{folder}/own.cpp", "#include <utility>\n" + read(listing))
    must("g++", "-O2", "-w", "-ffp-contract=off", f"{folder}/own.cpp", "-o", f"{folder}/own")
    example = os.path.join(SOURCE, "examples", "directives", "heat_panda.c")
    must("gcc", "-O2", "-ffp-contract=off", example, "-o", f"{folder}/heat")
    once = read(listing).replace("for(int t = 0; t < iterations; t++) {", "{")
    write(f"{folder}/once.c", once.replace("std::swap(u_old, u_new);", ""))
    nest = once[once.index("  for (int k") : once.index("#pragma panda wait")]
    must("gcc", "-O2", "-w", "-ffp-contract=off", f"{folder}/once.c", "-o", f"{folder}/once")
    flags = ["-O2", "-Wall", "-Werror", "-fopenmp", "-ffp-contract=off"]
    for path, own in ((listing, "own"), (example, "heat"), (f"{folder}/once.c", "once")):
        wanted = must(f"{folder}/{own}").stdout
        words = [GEN, path, "--from", "panda", "--standalone", "-o"]
        must(*words, f"{folder}/{own}_omp.c")
        must("gcc", *flags, f"{folder}/{own}_omp.c", "-o", f"{folder}/{own}_omp", "-lm")
        expect(must(f"{folder}/{own}_omp").stdout == wanted, f"{own}: OpenMP prints otherwise")
        must(*words, f"{folder}/{own}_cuda.cu")
        done = on_cpu(f"{folder}/{own}_cuda.cu", f"{folder}/{own}_cuda")
        expect(done.returncode == 0, f"{own}: {done.stderr}")
        expect(must(f"{folder}/{own}_cuda").stdout == wanted, f"{own}: CUDA prints otherwise")
    write(
        f"{folder}/twice.c",
        once.replace("std::swap(u_old, u_new);", "std::swap(u_old, u_new);\n" + nest),
    )
    done = run(GEN, f"{folder}/twice.c", *words[2:], f"{folder}/twice.cu")
    reason = "is done on the host between loops over cells that no time loop"
    expect(done.returncode == 1 and reason in done.stderr, f"a swap in no loop: {done.stderr!r}")


# (file, changes, where the refusal points to, its reason, whether OpenMP takes it)
REFUSED = [
    ("heat7", [("Unew", "new")], "new = grid_new", "'new' is a word of C++", True),
    (
        "heat7",
        [("tile(16, 16, 64)", "tile(64, 64, 64)")],
        "#pragma mint for",
        "has 4096 threads in a block; a GPU has at most 1024",
        True,
    ),
    (
        "heat7",
        [
            ("int x, y, z;", "int x, y, z, one = argc - 5;"),
            (
                "for (z = 1; z <= k; z++)\n        for",
                "for (z = one; z < k + one; z++)\n        for",
            ),
            ("[z]", "[z - one + 1]"),
            ("[z - 1]", "[z - one]"),
            ("[z + 1]", "[z - one + 2]"),
        ],
        "for (z = one",
        "begins at argc - 5, which is no known number",
        True,
    ),
]
ARGUMENTS = [
    (["heat7.c", "--from", "mint", "--standalone"], "takes -o FILE.cu or -o FILE.c"),
    (["heat7.c", "--from", "mint", "--standalone", "-o", "x.f"], "ends in .c, not 'x.f'"),
    (["heat7.c", "--from", "mint", "--standalone", "--opt", "5", "-o", "x.cu"], "not '5'"),
    (["heat7.c", "--from", "mint", "--standalone", "--opt", "1", "-o", "x.c"], "--opt is for"),
    (["heat7.c", "--from", "mint", "--opt", "1", "-o", "x.c"], "--opt is for"),
    (["heat7.stencil", "--standalone", "-o", "x.cu"], "give --from mint"),
]


def check_refused(folder):
    path = f"{folder}/wrong.c"
    for name, changes, snippet, reason, openmp in REFUSED:
        text = read(f"{LISTED}/{name}.c")
        for old, new in changes:
            expect(old in text, f"{name}: no {old!r}")
            text = text.replace(old, new)
        write(path, text)
        at = text.index(snippet)
        start = (
            f"{path}:{text.count(chr(10), 0, at) + 1}:{at - text.rfind(chr(10), 0, at)}: error: "
        )
        words = [GEN, path, "--from", "mint", "-I", LISTED, "--standalone", "-o"]
        for output, good in ((f"{folder}/w.cu", not openmp), (f"{folder}/w.c", openmp)):
            done = run(*words, output)
            if good:
                expect(done.returncode == 0, f"{reason!r}, {output}: {done.stderr}")
                continue
            refused = done.stderr.startswith(start) and reason in done.stderr
            expect(
                done.returncode == 1 and refused and not os.path.exists(output),
                f"status {done.returncode}, {done.stderr!r}, not {start}...{reason}",
            )
        for output in ("w.cu", "w.c"):
            if os.path.exists(f"{folder}/{output}"):
                os.remove(f"{folder}/{output}")
    write(path, read(f"{LISTED}/heat_listing.c"))
    done = run(GEN, path, "--from", "mint", "--standalone", "-o", f"{folder}/./wrong.c")
    expect(
        done.returncode == 2 and "is the input itself" in done.stderr and "mint" in read(path),
        f"the input as output: status {done.returncode}, {done.stderr!r}",
    )
    for words, reason in ARGUMENTS:
        done = run(GEN, f"{LISTED}/{words[0]}", *words[1:])
        expect(
            done.returncode == 2 and reason in done.stderr,
            f"{words}: status {done.returncode}, {done.stderr!r}",
        )


def main():
    nvrtc = open_nvrtc()
    with tempfile.TemporaryDirectory() as folder:
        check_refused(folder)
        check_users(nvrtc, folder)
        check_example(folder)
        check_odd(folder)
        check_panda(folder)
        check_runs(nvrtc, folder)
    for fault in faults:
        print("FAILED", fault)
    print(f"{len(RUNS)} files at {len(LEVELS)} levels and with OpenMP, {len(faults)} faults")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
