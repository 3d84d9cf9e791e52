/* Preconditions: none. What must vanish: the number of problems on which one pass of full multigrid with V(2,2) leaves more
 * than the discretization error, in the max norm, or on which a solve that starts so needs more cycles than without. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "manufactured.h"

static gmg_context *context;

static struct manufactured_result solve(struct manufactured problem, const char *cycle, const char *most_cycles)
{
  manufactured_option(&problem, "cycle", cycle);
  manufactured_option(&problem, "max-cycles", most_cycles);
  struct manufactured_result r = manufactured_solve(context, &problem);
  assert_int_equal(r.status, GMG_OK);
  return r;
}

/* limit: of the algebraic error of one pass over the discretization error. Returns 1 on failure. */
static int check(const struct manufactured *problem, double limit, const char *name)
{
  struct manufactured_result pass = solve(*problem, "fmg", "1"), whole = solve(*problem, "v", "100"),
                             started = solve(*problem, "fmg", "100");
  double algebraic = 0;
  for (int n = 0; n < problem->cells[0] * problem->cells[1] * problem->cells[2]; n++)
    algebraic = fmax(algebraic, fabs(pass.u[n] - whole.u[n]));
  const int bad = algebraic > limit * whole.error || started.result.outcome != GMG_CONVERGED
    || started.result.cycles > whole.result.cycles;
  printf("%s, %d x %d x %d: one pass %.2e, discretization %.2e (%.2f, at most %g); %d cycles, %d without%s\n", name,
         problem->cells[0], problem->cells[1], problem->cells[2], algebraic, whole.error, algebraic / whole.error,
         limit, started.result.cycles, whole.result.cycles, bad ? " <-" : "");
  free(pass.u);
  free(whole.u);
  free(started.u);
  return bad;
}

static void one_pass(void **state)
{
  static const gmg_boundary kinds[] = {GMG_DIRICHLET, GMG_NEUMANN, GMG_PERIODIC};
  static const char *const names[] = {"Dirichlet", "Neumann", "periodic"};
  (void)state;
  int failures = 0;
  for (int variable = 0; variable < 2; variable++)
    for (int b = 0; b < 3; b++)
      for (int size = 16; size <= 64; size *= 2) {
        char name[60];
        struct manufactured problem = {.cells = {size, size, size}, .variable = variable};
        manufactured_sides(&problem, kinds[b]);
        snprintf(name, sizeof name, "%s, %s", variable ? "variable" : "constant", names[b]);
        failures += check(&problem, 0.8, name);
      }
  assert_int_equal(failures, 0);
}

static void other_grids(void **state)
{
  (void)state;
  int failures = 0;
  const struct manufactured mixed = {
    .cells = {33, 40, 27},
    .kind = {GMG_DIRICHLET, GMG_NEUMANN, GMG_PERIODIC, GMG_PERIODIC, GMG_NEUMANN, GMG_DIRICHLET}};
  const struct manufactured stretched = {.cells = {24, 24, 48}, .variable = 1, .stretch = 1.04};
  const struct manufactured with_alpha = {.cells = {32, 32, 32}, .variable = 2, .variable_alpha = 1, .a = 10};
  const struct manufactured thin = {.cells = {48, 48, 3}, .upper = {1, 1, 0.0625}};
  const struct manufactured full = {.cells = {32, 32, 32}, .option = {"operator", "constant27"}};
  failures += check(&mixed, 1, "mixed sides, odd");
  failures += check(&stretched, 1, "stretched");
  failures += check(&with_alpha, 1, "with alpha");
  failures += check(&thin, 1, "thin");
  failures += check(&full, 1, "27 points");
  assert_int_equal(failures, 0);
}

/* A guess is a start of its own, and a jump turns conjugate gradients on after it. */
static void with_krylov(void **state)
{
  (void)state;
  struct manufactured problem = {.cells = {32, 32, 32}, .constant_f = 1, .ball = 1e3};
  struct manufactured_result by_itself = solve(problem, "fmg", "100");
  manufactured_option(&problem, "krylov", "cg");
  struct manufactured_result told = solve(problem, "fmg", "100");
  printf("ball of 1e3: %d cycles by itself, %d with cg\n", by_itself.result.cycles, told.result.cycles);
  assert_int_equal(by_itself.result.outcome, GMG_CONVERGED);
  assert_int_equal(told.result.outcome, GMG_CONVERGED);
  assert_true(by_itself.result.cycles <= 15 && told.result.cycles <= 15);
  free(by_itself.u);
  free(told.u);
}

static int begin(void **state)
{
  (void)state;
  return gmg_context_create(0, &context);
}

static int end(void **state)
{
  (void)state;
  gmg_context_destroy(&context);
  return 0;
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(one_pass), cmocka_unit_test(other_grids),
                                     cmocka_unit_test(with_krylov)};
  return cmocka_run_group_tests(tests, begin, end);
}
