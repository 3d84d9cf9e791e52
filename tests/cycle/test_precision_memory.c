/* sanitizers: no
 * Preconditions: the system limits the data of a process. What must vanish: the choice of mixed
 * precision by `auto` where the limit leaves room for double alone, and that of double where it
 * leaves room for both. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <gmg.h>

static gmg_context *context;

/* A solver of 96^3 cells with a varying coefficient. */
static gmg_solver *large(const char *precision)
{
  enum { N = 96, CELLS = N * N * N };
  static const int cells[3] = {N, N, N};
  static const double lower[3] = {0, 0, 0}, upper[3] = {1, 1, 1};
  static double *beta;
  gmg_grid *grid;
  gmg_solver *solver;
  if (!beta && (beta = malloc(CELLS * sizeof *beta)))
    for (int n = 0; n < CELLS; n++)
      beta[n] = 2 + sin(1e-4 * n);
  const gmg_array values = {beta, {1, N, N * N}};
  assert_int_equal(gmg_grid_create(context, cells, lower, upper, &grid), GMG_OK);
  assert_int_equal(gmg_solver_create(grid, &solver), GMG_OK);
  gmg_grid_destroy(&grid);
  assert_int_equal(gmg_solver_set_option(solver, "precision", precision), GMG_OK);
  assert_int_equal(gmg_solver_borrow_coefficient(solver, GMG_BETA, &values), GMG_OK);
  return solver;
}

static int64_t predicted(const char *precision)
{
  gmg_memory_info memory;
  gmg_solver *solver = large(precision);
  assert_int_equal(gmg_solver_predict(solver, 0, 0, &memory), GMG_OK);
  gmg_solver_destroy(&solver);
  return memory.predicted;
}

/* The limit leaves room for half of what the two precisions differ by. */
static void little_memory(void **state)
{
  (void)state;
  const int64_t mixed = predicted("mixed"), in_double = predicted("double");
  assert_true(mixed > in_double);
  struct rlimit before, limit;
  long pages;
  gmg_solver *solver = large("double"); /* threads start, and their stacks are there */
  assert_int_equal(gmg_solver_setup(solver), GMG_OK);
  gmg_solver_destroy(&solver);
  solver = large("auto");
  FILE *file = fopen("/proc/self/statm", "r");
  const int known = file && fscanf(file, "%*s %*s %*s %*s %*s %ld", &pages) == 1;
  if (file)
    fclose(file);
  if (!known)
    skip();
  getrlimit(RLIMIT_DATA, &before);
  limit = before;
  limit.rlim_cur = (rlim_t)(pages * sysconf(_SC_PAGESIZE) + (mixed + in_double) / 2);
  assert_int_equal(setrlimit(RLIMIT_DATA, &limit), 0);
  const gmg_status status = gmg_solver_setup(solver);
  setrlimit(RLIMIT_DATA, &before);
  assert_int_equal(status, GMG_OK);
  printf("%.1f MB in mixed precision, %.1f in double: %s\n", 1e-6 * (double)mixed,
         1e-6 * (double)in_double, gmg_solver_fallback(solver, 0));
  assert_string_equal(gmg_solver_option(solver, "precision"), "double");
  assert_non_null(strstr(gmg_solver_fallback(solver, 0), "for want of memory"));
  gmg_solver_destroy(&solver);

  solver = large("auto");
  assert_int_equal(gmg_solver_setup(solver), GMG_OK);
  assert_string_equal(gmg_solver_option(solver, "precision"), "mixed");
  gmg_solver_destroy(&solver);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(little_memory)};
  if (gmg_context_create(0, &context))
    return 1;
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  gmg_context_destroy(&context);
  return failed;
}
