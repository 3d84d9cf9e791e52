/* Preconditions: none. What must vanish: kernels that are bound although their ghosts are not
 * exchanged as deep, or for as many fields, as they read them, or although the level has no place
 * left for their times. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "runtime/bind.h"
#include "problem/solver.h"
#include "solves.h"

static const char *const names[] = {"u", "w", "f", "r", "work_2", "work_3"};

/* A kernel as written that reads so many fields so deep. It is not run. */
static gmg_status bind(gmg_solver *solver, int fields, int halo, int filled, struct gmg_call **call)
{
  static struct gmg_field_descriptor field[6];
  static struct gmg_kernel_descriptor kernel;
  for (int f = 0; f < fields; f++)
    field[f] = (struct gmg_field_descriptor){.name = names[f],
                                             .read = 1,
                                             .halo_lower = {f == 1 ? 0 : halo, 0, 0},
                                             .halo_upper = {0, 0, f == 1 ? halo : 0}};
  kernel = (struct gmg_kernel_descriptor){.name = "made_up",
                                          .variant = "",
                                          .rows_stored = solver->problem.rows,
                                          .fields = fields,
                                          .field = field};
  *call = NULL;
  return (filled ? gmg_call_keep_filled : gmg_call_bind)(&kernel, solver->hierarchy.finest, NULL,
                                                         NULL, call);
}

static void ghosts(void **state)
{
  struct gmg_call *call;
  (void)state;
  gmg_solver *solver = solves_solver(8, SOLVES_OPTIONS("operator", "constant27"));
  assert_int_equal(gmg_solver_setup(solver), GMG_OK);
  assert_int_equal(bind(solver, 4, 1, 0, &call), GMG_OK);
  assert_int_equal(call->exchanges, 4);
  gmg_call_destroy(&call);
  assert_int_equal(bind(solver, 5, 1, 0, &call), GMG_ERR_UNSUPPORTED);
  printf("%s\n", gmg_context_message(solves_context));
  assert_non_null(strstr(gmg_context_message(solves_context), "more than 4 fields"));
  assert_null(call);
  assert_int_equal(bind(solver, 1, 2, 0, &call), GMG_ERR_UNSUPPORTED);
  printf("%s\n", gmg_context_message(solves_context));
  assert_non_null(strstr(gmg_context_message(solves_context), "reads 'u' 2 cells away"));
  assert_int_equal(bind(solver, 2, 2, 0, &call), GMG_ERR_UNSUPPORTED);
  assert_int_equal(bind(solver, 1, 2, 1, &call), GMG_OK); /* the level keeps it */
  assert_int_equal(call->exchanges, 0);
  gmg_solver_destroy(&solver);
}

static void times(void **state)
{
  enum { MANY = 200 };
  static struct gmg_kernel_descriptor kernel[MANY];
  struct gmg_call *call;
  (void)state;
  gmg_solver *solver = solves_solver(8, SOLVES_OPTIONS("operator", "constant27"));
  assert_int_equal(gmg_solver_setup(solver), GMG_OK);
  struct gmg_level *level = solver->hierarchy.finest;
  const int before = level->stats;
  struct gmg_kernel_stat *const first = level->stat[0];
  for (int n = 0; n < MANY; n++) {
    kernel[n] = (struct gmg_kernel_descriptor){
      .name = "made_up", .variant = "", .rows_stored = solver->problem.rows};
    assert_int_equal(gmg_call_bind(&kernel[n], level, NULL, NULL, &call), GMG_OK);
    assert_ptr_equal(call->stat->kernel, &kernel[n]);
    gmg_call_destroy(&call);
  }
  assert_ptr_equal(level->stat[0], first); /* calls keep pointers to them */
  assert_ptr_equal(gmg_exchange_stat(level)->kernel, NULL);
  assert_int_equal(level->stats, before + MANY);
  for (int n = 0; n < gmg_level_stats(level); n++)
    for (int m = 0; m < n; m++)
      assert_ptr_not_equal(gmg_level_stat(level, n)->kernel, gmg_level_stat(level, m)->kernel);
  gmg_solver_destroy(&solver);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(ghosts), cmocka_unit_test(times)};
  return cmocka_run_group_tests(tests, solves_begin, solves_end);
}
