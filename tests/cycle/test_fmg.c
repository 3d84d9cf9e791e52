/* Preconditions: none. What must vanish: the number of problems on which one pass of full multigrid
 * with V(2,2) leaves more than the discretization error, in the max norm, or on which a solve that
 * starts so needs more cycles than without. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "fmg_check.h"
#include "solves.h"

static void one_pass(void **state)
{
  (void)state;
  assert_int_equal(fmg_check_all(solves_context, 16, 64, "auto", 0.2), 0);
}

static void other_grids(void **state)
{
  (void)state;
  int failures = 0;
  const struct manufactured mixed = {
    .cells = {33, 40, 27},
    .kind = {GMG_DIRICHLET, GMG_NEUMANN, GMG_PERIODIC, GMG_PERIODIC, GMG_NEUMANN, GMG_DIRICHLET}};
  const struct manufactured stretched = {.cells = {24, 24, 48}, .variable = 1, .stretch = 1.04};
  const struct manufactured with_alpha = {
    .cells = {32, 32, 32}, .variable = 2, .variable_alpha = 1, .a = 10};
  const struct manufactured thin = {.cells = {48, 48, 3}, .upper = {1, 1, 0.0625}};
  const struct manufactured full = {.cells = {32, 32, 32}, .option = {"operator", "constant27"}};
  failures += fmg_check(solves_context, &mixed, 1, "mixed sides, odd");
  failures += fmg_check(solves_context, &stretched, 1, "stretched");
  failures += fmg_check(solves_context, &with_alpha, 1, "with alpha");
  failures += fmg_check(solves_context, &thin, 1, "thin");
  failures += fmg_check(solves_context, &full, 1, "27 points");
  assert_int_equal(failures, 0);
}

/* A jump turns conjugate gradients on after the start. */
static void with_krylov(void **state)
{
  (void)state;
  const struct manufactured problem = {.cells = {32, 32, 32}, .constant_f = 1, .ball = 1e3};
  const int by_itself = solves_cycles(problem, SOLVES_OPTIONS("cycle", "fmg")),
            told = solves_cycles(problem, SOLVES_OPTIONS("cycle", "fmg", "krylov", "cg"));
  printf("ball of 1e3: %d cycles by itself, %d with cg\n", by_itself, told);
  assert_true(by_itself <= 15 && told <= 15);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(one_pass), cmocka_unit_test(other_grids),
                                     cmocka_unit_test(with_krylov)};
  return cmocka_run_group_tests(tests, solves_begin, solves_end);
}
