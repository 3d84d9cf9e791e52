/* What the front end reads, what check proves and explain counts of it. Preconditions: the sources'
 * folder. What must vanish: differences between the trees of two spellings of one kernel;
 * rejections of the operators, of the kernels derived from them and of the paper's listings; the
 * distance of colours, flops and bytes to those found by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "job/compile.h"
#include "check/conflict.h"
#include "explain/explain.h"
#include "frontend/frontend.h"

static const char *const arguments[] = {"-I" GMG_SOURCE_DIR "/operators"};

static struct gen_kernel **parse(const char *path, int *count)
{
  struct gen_kernel **kernels = NULL;
  if (!gen_parse(path, arguments, 1, &kernels, count))
    fail_msg("%s", gen_diagnostics());
  return kernels;
}

/* The kernel of a text that is written to a file and read back. */
static struct gen_kernel *parse_text(const char *text)
{
  char path[] = "/tmp/gmg-accepts-XXXXXX.c";
  const int file = mkstemps(path, 2);
  assert_true(file >= 0);
  assert_int_equal(write(file, text, strlen(text)), (ssize_t)strlen(text));
  close(file);
  int count;
  struct gen_kernel *kernel = parse(path, &count)[0];
  unlink(path);
  return kernel;
}

static struct gen_kernel *parse_operator(const char *name)
{
  int count;
  return parse(gen_text("%s/%s.c", GMG_SOURCE_DIR, name), &count)[0];
}

#define FIELDS \
  "double w[restrict boxes][nk + 2][nj + 2][ni + 2] CELL(1), const double u[boxes][nk + 2][nj + " \
  "2][ni + 2] CELL(1)"

static void two_spellings_are_one_kernel(void **state)
{
  (void)state;
  const struct gen_kernel *plain = parse_text(
    "#include \"stencil.h\"\nGMG_KERNEL void f(int boxes, int nk, int nj, int ni, int c, double "
    "h, " FIELDS ")\n{ for (int box = 0; box < boxes; box++) for (int k = 1; k <= nk; k++)\n"
    "for (int j = 1; j <= nj; j++) for (int i = 1; i <= ni; i++) if ((i + j + k + c) % 2 == 1) {\n"
    "double s = 1 / (h * h); double t = 0.5 * s; t = t + u[box][k][j][i - 1];\n"
    "w[box][k][j][i] = w[box][k][j][i] - t; } }\n");
  const struct gen_kernel *other = parse_text(
    "#include \"stencil.h\"\nenum { ONE = 1 };\n#define SUM(x, y) ((x) + (y))\n"
    "GMG_KERNEL void f(int boxes, int nk, int nj, int ni, int c, double h, " FIELDS ")\n{\n"
    "int i, j, k, box; int colour = c; double unused = h, s, t; s = 1.0 / (h * h);\n"
    "for (box = ONE - 1; box <= -1 + boxes; ++box) { for (k = 1; k < nk + 1; k += 1) {\n"
    "for (j = 4 / 3; j < ONE + nj; j++) for (i = 1; i <= 2 * ni - ni; i++) {\n"
    "if (1 == (k + SUM(j, i) + (colour)) % 2) { int west = i - ONE; ; t = (2 - 1.5) * s; t += "
    "u[box][k][j][west];\n"
    "w[box][k][j][i] -= (t); } } } } }\n");
  assert_string_equal(gen_kernel_text(plain), gen_kernel_text(other));
  gen_clear();
}

/* Whether the in-place form of the operator has no conflict under the colouring. */
static bool keeps_apart(const struct gen_kernel *op, const struct gen_guard *colouring)
{
  struct gen_conflict conflict;
  return !gen_find_conflict(gen_in_place(op), colouring, &conflict);
}

static void check_colours(const char *name, enum gen_guard_kind kind, int expected, int modulus)
{
  const struct gen_kernel *kernel = parse_operator(name);
  const struct gen_guard parity = {.kind = GEN_PARITY, .global = true};
  struct gen_guard colouring;
  struct gen_proof proof = {0};
  int colours;
  assert_true(gen_find_colouring(kernel, &colouring, &colours, &proof));
  printf("%s: %s\n", name, gen_colouring_text(&colouring));
  assert_int_equal(colouring.kind, kind);
  assert_int_equal(colours, expected);
  assert_true(keeps_apart(kernel, &colouring));
  assert_int_equal(keeps_apart(kernel, &parity), expected == 2);
  for (int axis = 0; kind == GEN_LATTICE && axis < 3; axis++)
    assert_int_equal(colouring.modulus[axis], modulus);
  gen_clear();
}

static void colours_are_the_fewest(void **state)
{
  (void)state;
  check_colours("operators/variable7", GEN_PARITY, 2, 0);
  check_colours("operators/constant7", GEN_PARITY, 2, 0);
  check_colours("operators/constant27", GEN_LATTICE, 8, 2);
  check_colours("tests/gen/laplace19", GEN_LATTICE, 8, 2);
}

static void counts_are_those_by_hand(void **state)
{
  (void)state;
  const struct gen_kernel *variable7 = parse_operator("operators/variable7");
  /* The volume term, of whose products two are of lines alone; six fluxes; their sum; the
   * difference. */
  assert_int_equal(gen_flops(variable7), 4 - 2 + 6 * 2 + 5 + 1);
  assert_true(gen_bytes(variable7, 8) == 8 * 6); /* w, u, alpha and three betas */
  assert_true(gen_bytes(parse_operator("operators/restrict_cell"), 4) == 4 * (1 + 8));
  assert_true(gen_bytes(parse_operator("operators/interpolate_linear"), 8) == 8 * (2 + 0.125));
  assert_int_equal(gen_flops(parse_operator("operators/sum")), 2);
  gen_clear();
}

static void listings_of_the_paper_are_parallel(void **state)
{
  (void)state;
  static const char *const names[] = {"gsrb", "jacobi", "restriction", "interpolation"};
  for (int n = 0; n < 4; n++) {
    struct gen_proof proof = {0};
    const struct gen_kernel *kernel = parse_operator(gen_text("tests/gen/listings/%s", names[n]));
    if (!gen_check(kernel, &proof))
      fail_msg("%s", gen_diagnostics());
    const char *text = gen_explain(kernel, &proof);
    assert_int_equal(kernel->guard.kind, n == 0 ? GEN_PARITY : GEN_EVERYWHERE);
    assert_int_equal(strstr(text, "without the colour, iteration (box 0") != NULL, n == 0);
  }
  gen_clear();
}

static void derived_kernels_are_parallel(void **state)
{
  (void)state;
  static const char *const names[] = {"operators/restrict_cell", "operators/variable7",
                                      "operators/constant7", "operators/constant27",
                                      "tests/gen/laplace19"};
  struct gen_job *job = gen_allocate(sizeof *job);
  job->arguments = arguments;
  job->argument_count = 1;
  for (job->files = 0; job->files < 5; job->files++)
    job->file[job->files].path = gen_text("%s/%s.c", GMG_SOURCE_DIR, names[job->files]);
  if (!gen_compile(job))
    fail_msg("%s", gen_diagnostics());
  int checked = 0;
  for (int f = 1; f < job->files; f++) {
    const struct gen_operator *op = job->file[f].operator_[0];
    for (int d = 0; d < op->count; d++, checked++)
      if (!gen_check(op->derived[d].kernel, NULL))
        fail_msg("%s: %s", op->derived[d].kernel->name, gen_diagnostics());
  }
  printf("%d derived kernels checked\n", checked);
  assert_true(checked >= 4 * 8);
  gen_clear();
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(two_spellings_are_one_kernel),
    cmocka_unit_test(colours_are_the_fewest),
    cmocka_unit_test(counts_are_those_by_hand),
    cmocka_unit_test(listings_of_the_paper_are_parallel),
    cmocka_unit_test(derived_kernels_are_parallel),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
