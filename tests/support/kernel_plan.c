#include "kernel_plan.h"

#include <stdio.h>
#include <string.h>

enum {
  EXTENTS = 13,
  COMBINATIONS = EXTENTS * EXTENTS * EXTENTS,
  STEP = 1013 /* no factor in common */
};

static const int extent[EXTENTS] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 17, 32, 33};

/* Combination n in an order that mixes small and large boxes. */
static void combination(int n, int cells[3])
{
  const int c = (int)((long)n * STEP % COMBINATIONS);
  cells[0] = extent[c % EXTENTS];
  cells[1] = extent[c / EXTENTS % EXTENTS];
  cells[2] = extent[c / EXTENTS / EXTENTS];
}

static int report(const struct test_tally *tally, const char *what)
{
  static const char *const role[TEST_ROLES] = {[GMG_AS_WRITTEN] = "as written",
                                               [GMG_APPLY] = "apply",
                                               [GMG_RESIDUAL] = "residual",
                                               [GMG_INVERSE_DIAGONAL] = "inverse diagonal",
                                               [GMG_JACOBI] = "jacobi",
                                               [GMG_GAUSS_SEIDEL] = "gauss-seidel",
                                               [GMG_GAUSS_SEIDEL_SUMS] = "by sums",
                                               [GMG_GAUSS_SEIDEL_ROWS] = "both of rows",
                                               [GMG_ZERO_FIRST] = "from zero, first",
                                               [GMG_ZERO_SECOND] = "from zero, second",
                                               [GMG_CHEBYSHEV] = "chebyshev",
                                               [GMG_RESIDUAL_RESTRICT] = "residual-restrict",
                                               [GMG_RESIDUAL_NORM] = "residual norm",
                                               [GMG_RESIDUAL_SINGLE] = "residual single",
                                               [GMG_RESTRICT_NORM] = "restrict norm",
                                               [GMG_RESIDUAL_PART] = "residual part",
                                               [GMG_NORM_PART] = "norm part",
                                               [GMG_TERMS_NORM] = "terms norm"};
  printf("%s: %ld runs of a kernel, %ld failures; largest errors in roundings, double and float:\n",
         what, tally->runs, tally->failures);
  for (int r = 0; r < TEST_ROLES; r++)
    printf("  %-17s %6.2f %6.2f\n", role[r], tally->worst[r][GMG_F64], tally->worst[r][GMG_F32]);
  if (tally->skipped)
    printf("  %ld kernels skipped\n", tally->skipped);
  return tally->failures > 1000000 ? 1000000 : (int)tally->failures;
}

int test_plan_extents(int every)
{
  const struct gmg_kernel_library *library[TEST_LIBRARIES];
  const int libraries = test_libraries(library), calls = (COMBINATIONS + 1) / TEST_BOXES;
  struct test_tally total = {0};
#pragma omp parallel for schedule(dynamic)
  for (int n = 0; n < calls; n += every) {
    struct test_runs runs = {.libraries = libraries, .seed = (uint64_t)n + 1, .threads = 1};
    struct test_tally tally = {0};
    memcpy(runs.library, library, sizeof library);
    combination(TEST_BOXES * n, runs.cells[0]);
    combination(TEST_BOXES * n + 1, runs.cells[1]); /* the last: combination 0 once more */
    test_kernels_run(&runs, &tally);
#pragma omp critical
    test_tally_add(&total, &tally);
  }
  return report(&total, "extents 1...9, 16, 17, 32, 33");
}

int test_plan_literal(void)
{
  struct test_tally tally = {0};
  struct test_runs runs = {.threads = 1, .literal = 1};
  runs.libraries = test_libraries(runs.library);
  for (int c = 0; c < 27; c++) {
    const int one[3] = {1 + c % 3, 1 + c / 3 % 3, 1 + c / 9}, two[3] = {one[2], one[0], one[1]};
    memcpy(runs.cells[0], one, sizeof one);
    memcpy(runs.cells[1], two, sizeof two);
    runs.seed = 2000 + (uint64_t)c;
    test_kernels_run(&runs, &tally);
  }
  return report(&tally, "extents 1, 2, 3, Gauss-Seidel point by point");
}

int test_plan_threads(void)
{
  static const int sample[][TEST_BOXES][3] = {{{5, 4, 3}, {1, 9, 6}},     {{17, 8, 9}, {16, 1, 7}},
                                              {{33, 17, 16}, {8, 32, 5}}, {{2, 33, 2}, {9, 9, 9}},
                                              {{70, 4, 3}, {97, 5, 2}},   {{64, 5, 2}, {100, 4, 3}},
                                              {{35, 4, 3}, {69, 5, 2}},   {{66, 5, 2}, {99, 4, 3}}};
  struct test_tally tally = {0};
  struct test_runs runs = {.threads = 2};
  runs.libraries = test_libraries(runs.library);
  for (size_t c = 0; c < sizeof sample / sizeof *sample; c++) {
    memcpy(runs.cells, sample[c], sizeof runs.cells);
    runs.seed = 3000 + c;
    test_kernels_run(&runs, &tally);
  }
  return report(&tally, "two threads");
}
