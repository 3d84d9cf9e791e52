/* Preconditions: none. What must hold: options by type are those by text, in any locale, and a
 * wrong type is refused; several threads with contexts of their own solve at once and get the bits
 * that each gets alone; a coefficient that is borrowed is read at each setup, to the bits that a
 * copy of it gives. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gmg.h>

enum { N = 24, CELLS = N * N * N, THREADS = 4 };

static const int cells[3] = {N, N, N};
static const double zero[3] = {0, 0, 0}, one[3] = {1, 1, 1};

static gmg_array dense(double *values)
{
  return (gmg_array){values, {1, N, N * N}};
}

static void typed(void **state)
{
  (void)state;
  gmg_context *context;
  gmg_grid *grid;
  gmg_solver *s;
  assert_int_equal(gmg_context_create(1, &context), GMG_OK);
  assert_int_equal(gmg_grid_create(context, cells, zero, one, &grid), GMG_OK);
  assert_int_equal(gmg_solver_create(grid, &s), GMG_OK);
  static const char *const locales[] = {"C", "de_DE.UTF-8", "fr_FR.UTF-8"};
  for (size_t n = 0; n < sizeof locales / sizeof *locales; n++) {
    if (!setlocale(LC_ALL, locales[n]))
      continue; /* not installed */
    assert_int_equal(gmg_solver_set_real(s, "omega", 1.25), GMG_OK);
    assert_string_equal(gmg_solver_option(s, "omega"), "1.25");
    assert_int_equal(gmg_solver_set_option(s, "omega", "1.5"), GMG_OK);
    assert_string_equal(gmg_solver_option(s, "omega"), "1.5");
  }
  setlocale(LC_ALL, "C");
  assert_int_equal(gmg_solver_set_integer(s, "pre", 3), GMG_OK);
  assert_string_equal(gmg_solver_option(s, "pre"), "3");
  assert_int_equal(gmg_solver_set_real(s, "rtol", 1e-7), GMG_OK);
  assert_string_equal(gmg_solver_option(s, "rtol"), "1e-07");
  assert_int_equal(gmg_solver_set_choice(s, "cycle", "w"), GMG_OK);
  assert_string_equal(gmg_solver_option(s, "cycle"), "w");
  assert_int_equal(gmg_solver_set_choice(s, "operator", "constant27"), GMG_OK);
  assert_int_equal(gmg_solver_set_integer(s, "rtol", 1), GMG_ERR_OPTION);
  assert_non_null(strstr(gmg_context_message(context), "gmg_solver_set_real"));
  assert_int_equal(gmg_solver_set_choice(s, "pre", "3"), GMG_ERR_OPTION);
  assert_int_equal(gmg_solver_set_real(s, "pre", 3), GMG_ERR_OPTION);
  assert_int_equal(gmg_solver_set_integer(s, "pre", -1), GMG_ERR_OPTION);
  assert_int_equal(gmg_solver_set_integer(s, "prf", 1), GMG_ERR_OPTION);
  assert_non_null(strstr(gmg_context_message(context), "'pre'"));
  int named = 0;
  for (int n = 0; gmg_solver_option_name(n); n++)
    named += gmg_solver_option(s, gmg_solver_option_name(n)) != NULL;
  assert_true(named > 10);
  gmg_solver_destroy(&s);
  gmg_grid_destroy(&grid);
  gmg_context_destroy(&context);
}

struct task {
  int seed, rounds;
  gmg_status status;
  double u[CELLS], f[CELLS], beta[CELLS];
};

static gmg_status work(struct task *task)
{
  gmg_context *context = NULL;
  gmg_grid *grid = NULL;
  gmg_solver *solver = NULL;
  gmg_result result;
  gmg_status status = gmg_context_create(1, &context);
  if (!status)
    status = gmg_grid_create(context, cells, zero, one, &grid);
  if (!status)
    status = gmg_solver_create(grid, &solver);
  for (int n = 0; n < CELLS; n++) {
    task->f[n] = sin(task->seed + 0.01 * n);
    task->beta[n] = 2 + sin(0.001 * task->seed * n);
  }
  const gmg_array beta = dense(task->beta), f = dense(task->f);
  gmg_array u = dense(task->u);
  if (!status)
    status = gmg_solver_set_coefficient(solver, GMG_BETA, &beta);
  if (!status)
    status = gmg_solver_setup(solver);
  for (int n = 0; n < task->rounds && !status; n++)
    status = gmg_solver_solve(solver, &f, &u, 0, &result);
  if (!status && result.outcome != GMG_CONVERGED)
    status = GMG_ERR_INTERNAL;
  gmg_solver_destroy(&solver);
  gmg_grid_destroy(&grid);
  gmg_context_destroy(&context);
  return status;
}

static void *run(void *task)
{
  ((struct task *)task)->status = work(task);
  return NULL;
}

static void threads(void **state)
{
  (void)state;
  static struct task alone[THREADS], together[THREADS];
  pthread_t thread[THREADS];
  for (int n = 0; n < THREADS; n++) {
    alone[n].seed = together[n].seed = n + 1;
    alone[n].rounds = 1;
    together[n].rounds = 5;
    assert_int_equal(work(&alone[n]), GMG_OK);
  }
  for (int n = 0; n < THREADS; n++)
    assert_int_equal(pthread_create(&thread[n], NULL, run, &together[n]), 0);
  for (int n = 0; n < THREADS; n++)
    pthread_join(thread[n], NULL);
  for (int n = 0; n < THREADS; n++) {
    assert_int_equal(together[n].status, GMG_OK);
    assert_memory_equal(together[n].u, alone[n].u, sizeof alone[n].u);
  }
}

/* u of a solver that was set up with one β, then again with another; β (alternately spaced)
 * borrowed or copied. */
static void replace(int borrowed, double *solution, int64_t *bytes)
{
  static double beta[2 * CELLS], f[CELLS];
  gmg_context *context;
  gmg_grid *grid;
  gmg_solver *s;
  gmg_result result;
  const gmg_array values = {beta, {2, 2 * N, 2 * N * N}}, right_side = dense(f);
  gmg_array u = dense(solution);
  gmg_status (*set)(gmg_solver *, gmg_coefficient, const gmg_array *) =
    borrowed ? gmg_solver_borrow_coefficient : gmg_solver_set_coefficient;
  assert_int_equal(gmg_context_create(2, &context), GMG_OK);
  assert_int_equal(gmg_grid_create(context, cells, zero, one, &grid), GMG_OK);
  assert_int_equal(gmg_solver_create(grid, &s), GMG_OK);
  for (int n = 0; n < 2 * CELLS; n++)
    beta[n] = n % 2 ? -1 : 1;
  for (int n = 0; n < CELLS; n++)
    f[n] = 1 + cos(0.01 * n);
  assert_int_equal(set(s, GMG_BETA, &values), GMG_OK);
  *bytes = gmg_solver_bytes(s);
  assert_int_equal(gmg_solver_setup(s), GMG_OK);
  for (int n = 0; n < CELLS; n++)
    beta[2 * n] = 1.5 + sin(0.02 * n);
  if (!borrowed)
    assert_int_equal(set(s, GMG_BETA, &values), GMG_OK);
  assert_int_equal(gmg_solver_setup(s), GMG_OK);
  assert_int_equal(gmg_solver_solve(s, &right_side, &u, 0, &result), GMG_OK);
  assert_int_equal(result.outcome, GMG_CONVERGED);
  if (borrowed) { /* what became wrong since is seen by the next setup, and leaves the solver as it
                     was */
    static double again[CELLS];
    gmg_array second = dense(again);
    beta[2 * 77] = -3;
    assert_int_equal(gmg_solver_setup(s), GMG_ERR_COEFFICIENT);
    assert_non_null(strstr(gmg_context_message(context), "beta is -3 at (i, j, k) = (5, 3, 0)"));
    assert_int_equal(gmg_solver_solve(s, &right_side, &second, 0, &result), GMG_OK);
    assert_memory_equal(again, solution, sizeof again);
  }
  gmg_solver_destroy(&s);
  gmg_grid_destroy(&grid);
  gmg_context_destroy(&context);
}

static void borrow(void **state)
{
  (void)state;
  static double copied[CELLS], borrowed[CELLS];
  int64_t with_copy, without;
  replace(0, copied, &with_copy);
  replace(1, borrowed, &without);
  assert_memory_equal(copied, borrowed, sizeof copied);
  assert_true(with_copy - without >= (int64_t)sizeof copied);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(typed), cmocka_unit_test(threads),
                                     cmocka_unit_test(borrow)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
