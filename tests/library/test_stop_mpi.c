/* ranks: 1 3 */
/* Preconditions: none. What must vanish: solves that go on more than one cycle after
 * gmg_solver_stop, ranks that disagree on the outcome, the distance of the residual that an
 * interrupted solve reports from that of its u, and what a request leaves for the next solve. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "ranks.h"

#include <gmg.h>

enum { N = 24, CELLS = N * N * N };

static struct gmg_comm comm;
static gmg_context *context;
static gmg_solver *solver;
static double f[CELLS], u[CELLS], r[CELLS];
static gmg_array of_f, of_u, of_r;

/* When the monitor asks, on which rank (-1: all), and how. */
static int ask_at, ask_on, ask_by_signal;

static void handle(int number)
{
  (void)number;
  gmg_solver_stop(solver);
}

static void watch(void *user, int cycle, double norm, double relative, double seconds)
{
  (void)user, (void)norm, (void)relative, (void)seconds;
  /* Who computes for others may be cycles ahead of them: it waits for them to hear them in time. */
  if (ask_on > 0 && comm.rank == 0)
    nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
  if (cycle != ask_at || (ask_on >= 0 && ask_on != comm.rank))
    return;
  if (ask_by_signal)
    raise(SIGUSR1);
  else
    gmg_solver_stop(solver);
}

static void make(const char *const options[])
{
  static const int cells[3] = {N, N, N};
  static const double zero[3] = {0, 0, 0}, one[3] = {1, 1, 1};
  gmg_grid *grid;
  int lower[3], upper[3];
  assert_int_equal(gmg_grid_create(context, cells, zero, one, &grid), GMG_OK);
  assert_int_equal(gmg_solver_create(grid, &solver), GMG_OK);
  gmg_grid_part(grid, lower, upper);
  gmg_grid_destroy(&grid);
  for (int n = 0; options[n]; n += 2)
    assert_int_equal(gmg_solver_set_option(solver, options[n], options[n + 1]), GMG_OK);
  assert_int_equal(gmg_solver_setup(solver), GMG_OK);
  assert_int_equal(gmg_solver_set_monitor(solver, watch, NULL), GMG_OK);
  for (int c = 0; c < CELLS; c++)
    f[c] = sin(0.7 * (c % N) * (c % N)) + cos(0.31 * c);
  const gmg_array all = {f + (ptrdiff_t)lower[2] * N * N, {1, N, N * N}};
  of_f = of_u = of_r = all;
  of_u.data = u;
  of_r.data = r;
}

static gmg_result solve(int at, int on, int by_signal)
{
  gmg_result result;
  ask_at = at;
  ask_on = on;
  ask_by_signal = by_signal;
  assert_int_equal(gmg_solver_solve(solver, &of_f, &of_u, 0, &result), GMG_OK);
  int found[4] = {(int)result.outcome, -(int)result.outcome, result.cycles, -result.cycles};
  gmg_comm_max_int(&comm, found, 4);
  assert_true(found[0] == -found[1] && found[2] == -found[3]);
  return result;
}

/* ‖f - A u‖ over the part of this rank's cells, over all ranks. */
static double norm_of(const double *values)
{
  double sum = 0;
  int cells = N * N * (int)(N * (comm.rank + 1) / comm.ranks - N * comm.rank / comm.ranks);
  for (int c = 0; c < cells; c++)
    sum += values[c] * values[c];
  gmg_comm_sum(&comm, &sum, 1);
  return sqrt(sum);
}

static const struct setting {
  const char *name;
  const char *option[9];
} settings[] = {
  {"double", {"precision", "double", "cycle", "v", "omega", "0.5", "krylov", "none", NULL}},
  {"mixed", {"precision", "mixed", "cycle", "v", "omega", "0.5", "krylov", "none", NULL}},
  {"full multigrid", {"cycle", "fmg", "omega", "0.5", "krylov", "none", NULL}},
  {"conjugate gradients", {"cycle", "v", "omega", "0.5", "krylov", "cg", NULL}},
};

static void ends_after_a_cycle(void **state)
{
  (void)state;
  for (size_t s = 0; s < sizeof settings / sizeof *settings; s++) {
    make(settings[s].option);
    const gmg_result whole = solve(-1, -1, 0);
    double history[100];
    assert_int_equal(whole.outcome, GMG_CONVERGED);
    assert_true(whole.cycles >= 6 && whole.cycles < 100);
    memcpy(history, whole.residual_history, (size_t)(whole.cycles + 1) * sizeof *history);
    for (int way = 0; way < 4; way++) {
      const int on = way == 1 ? comm.ranks - 1 : way == 2 ? 0 : -1;
      const gmg_result stopped = solve(2, on, way == 3);
      assert_int_equal(stopped.outcome, GMG_INTERRUPTED);
      assert_int_equal(stopped.cycles, 3);
      assert_non_null(strstr(stopped.reason, "asked to stop"));
      assert_memory_equal(stopped.residual_history, history,
                          (size_t)stopped.cycles * sizeof *history);
      assert_int_equal(gmg_solver_residual(solver, &of_f, &of_u, &of_r), GMG_OK);
      const double relative = norm_of(r) / norm_of(of_f.data);
      if (comm.rank == 0)
        printf("%s: %d cycles, residual %.6e, of u %.6e\n", settings[s].name, stopped.cycles,
               stopped.relative_residual, relative);
      assert_true(fabs(relative - stopped.relative_residual) <= 1e-9 * relative);
    }
    const gmg_result again = solve(-1, -1, 0); /* nothing is left */
    assert_int_equal(again.outcome, GMG_CONVERGED);
    assert_int_equal(again.cycles, whole.cycles);
    assert_memory_equal(again.residual_history, history,
                        (size_t)(again.cycles + 1) * sizeof *history);
    gmg_solver_destroy(&solver);
  }
}

/* A request before a solve ends that one at once; one in the last cycle of a solve, none. */
static void counts_for_one_solve(void **state)
{
  (void)state;
  make(settings[0].option);
  if (comm.rank == 0)
    gmg_solver_stop(solver);
  const gmg_result none = solve(-1, -1, 0);
  assert_int_equal(none.outcome, GMG_INTERRUPTED);
  assert_int_equal(none.cycles, 0);
  assert_true(none.relative_residual == 1);
  for (int c = 0; c < 10; c++)
    assert_true(u[c] == 0);
  const gmg_result whole = solve(-1, -1, 0);
  assert_int_equal(whole.outcome, GMG_CONVERGED);
  assert_int_equal(solve(whole.cycles, -1, 0).outcome, GMG_CONVERGED);
  assert_int_equal(solve(-1, -1, 0).outcome, GMG_CONVERGED);
  gmg_solver_stop(NULL);
  gmg_solver_destroy(&solver);
}

int main(int argc, char **argv)
{
  if (ranks_start(&argc, &argv, &comm))
    return 1;
  signal(SIGUSR1, handle);
#if GMG_WITH_MPI
  int failed = gmg_context_create_mpi(comm.mpi, 1, &context) != GMG_OK;
#else
  int failed = gmg_context_create(1, &context) != GMG_OK;
#endif
  const struct CMUnitTest tests[] = {cmocka_unit_test(ends_after_a_cycle),
                                     cmocka_unit_test(counts_for_one_solve)};
  failed = failed || cmocka_run_group_tests(tests, NULL, NULL);
  gmg_context_destroy(&context);
  return ranks_finish(&comm, failed);
}
