/* ranks: 1 3
 * needs: mpi */
/* Preconditions: none. What must vanish: the values whose last bit depends on what levels choose,
 * whether tuning found it or the test did; choices that differ between ranks; candidates with
 * other bits that tuning takes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <gmg.h>

#include "problem/solver.h"
#include "runtime/tuned.h"

enum { NI = 40, NJ = 44, NK = 36 };

struct run {
  gmg_context *context;
  gmg_grid *grid;
  gmg_solver *solver;
  gmg_array f, u;
  size_t count;
};

static double *numbers(struct run *run, gmg_array *array, const int lower[3], const int upper[3])
{
  const ptrdiff_t n[3] = {upper[0] - lower[0], upper[1] - lower[1], upper[2] - lower[2]};
  run->count = (size_t)(n[0] * n[1] * n[2]);
  double *data = calloc(run->count + 1, sizeof *data);
  assert_non_null(data);
  *array = (gmg_array){data, {1, n[0], n[0] * n[1]}};
  return data;
}

/* A smooth β by global index; f of ones. */
static void open_run(struct run *run, const char *precision, const char *wisdom)
{
  const int cells[3] = {NI, NJ, NK};
  const double zero[3] = {0, 0, 0}, one[3] = {1, 1, 1};
  int lower[3], upper[3];
  gmg_array beta;
  memset(run, 0, sizeof *run);
  assert_int_equal(gmg_context_create_mpi(MPI_COMM_WORLD, 2, &run->context), GMG_OK);
  assert_int_equal(gmg_context_load_wisdom(run->context, NULL), GMG_OK);
  if (wisdom)
    assert_int_equal(gmg_context_load_wisdom(run->context, wisdom), GMG_OK);
  assert_int_equal(gmg_grid_create(run->context, cells, zero, one, &run->grid), GMG_OK);
  assert_int_equal(gmg_solver_create(run->grid, &run->solver), GMG_OK);
  assert_int_equal(gmg_solver_set_option(run->solver, "precision", precision), GMG_OK);
  assert_int_equal(gmg_solver_set_option(run->solver, "backend", "openmp"), GMG_OK);
  gmg_grid_part(run->grid, lower, upper);
  double *f = numbers(run, &run->f, lower, upper);
  numbers(run, &run->u, lower, upper);
  double *b = numbers(run, &beta, lower, upper);
  size_t n = 0;
  for (int k = lower[2]; k < upper[2]; k++)
    for (int j = lower[1]; j < upper[1]; j++)
      for (int i = lower[0]; i < upper[0]; i++, n++) {
        f[n] = 1;
        b[n] = 1 + 0.5 * sin(0.2 * i + 0.1 * j) * cos(0.15 * k);
      }
  assert_int_equal(gmg_solver_set_coefficient(run->solver, GMG_BETA, &beta), GMG_OK);
  free(b);
}

static void solve(struct run *run)
{
  gmg_result result;
  memset(run->u.data, 0, run->count * sizeof *run->u.data);
  assert_int_equal(gmg_solver_solve(run->solver, &run->f, &run->u, 0, &result), GMG_OK);
  assert_int_equal(result.outcome, GMG_CONVERGED);
}

static void close_run(struct run *run)
{
  free(run->f.data);
  free(run->u.data);
  gmg_solver_destroy(&run->solver);
  gmg_grid_destroy(&run->grid);
  gmg_context_destroy(&run->context);
}

static int differs(const struct run *a, const struct run *b)
{
  return memcmp(a->u.data, b->u.data, a->count * sizeof *a->u.data) != 0;
}

static void path_of(char path[200])
{
  int number = (int)getpid();
  MPI_Bcast(&number, 1, MPI_INT, 0, MPI_COMM_WORLD);
  snprintf(path, 200, "levels_wisdom_%d.json", number);
}

static void remove_file(const char *path)
{
  char lock[220];
  int rank;
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  snprintf(lock, sizeof lock, "%s.lock", path);
  if (rank == 0) {
    remove(path);
    remove(lock);
  }
}

static void tuned_bits(const char *precision)
{
  char path[200];
  path_of(path);
  struct run plain, tuned, after;
  gmg_tuning_result result;
  const gmg_tuning tuning = {.budget = 4};
  open_run(&plain, precision, NULL);
  assert_int_equal(gmg_solver_setup(plain.solver), GMG_OK);
  solve(&plain);
  open_run(&tuned, precision, NULL);
  assert_int_equal(gmg_solver_tune(tuned.solver, &tuning, &result), GMG_ERR_ORDER);
  assert_int_equal(gmg_solver_setup(tuned.solver), GMG_OK);
  assert_int_equal(gmg_solver_tune(tuned.solver, &tuning, &result), GMG_OK);
  assert_true(result.measured >= 2); /* more where the machine is idle */
  assert_int_equal(result.discarded, 0);
  solve(&tuned);
  assert_int_equal(gmg_context_save_wisdom(tuned.context, path), GMG_OK);
  MPI_Barrier(MPI_COMM_WORLD);
  open_run(&after, precision, path);
  assert_int_equal(gmg_solver_setup(after.solver), GMG_OK);
  solve(&after);
  int wrong = differs(&plain, &tuned) + differs(&plain, &after);
  struct gmg_choice a = tuned.solver->hierarchy.level[0].choice,
                    b = after.solver->hierarchy.level[0].choice, first = b;
  MPI_Bcast(&first, (int)sizeof first, MPI_BYTE, 0, MPI_COMM_WORLD);
  wrong += memcmp(&a, &b, sizeof a) != 0;
  wrong += memcmp(&first, &b, sizeof b) != 0;
  printf("%s: %d candidates timed, %d discarded, better on %d levels; %d wrong\n", precision,
         result.measured, result.discarded, result.better, wrong);
  assert_int_equal(wrong, 0);
  close_run(&plain);
  close_run(&tuned);
  close_run(&after);
  remove_file(path);
}

static void tuned_bits_double(void **state)
{
  (void)state;
  tuned_bits("double");
}

static void tuned_bits_mixed(void **state)
{
  (void)state;
  tuned_bits("mixed");
}

/* Choices far from any rule, by wisdom of the test's own on all levels. */
static void forced_bits(void **state)
{
  (void)state;
  static const struct gmg_choice forced[] = {
    {.passes = GMG_TOGETHER, .rows = 1, .planes = 1, .stages = 2, .fetch = GMG_FETCH_ALWAYS},
    {.passes = GMG_TOGETHER, .rows = 3, .planes = 5, .stages = 5, .threads = 1},
    {.passes = GMG_TOGETHER, .rows = 300, .planes = 256, .fetch = GMG_FETCH_NEVER},
    {.passes = GMG_ALONE, .tile_rows = 1, .tile_planes = 1, .threads = 4096},
    {.passes = GMG_ALONE, .tile_rows = 7, .tile_planes = 3},
  };
  struct run plain;
  int wrong = 0;
  open_run(&plain, "double", NULL);
  assert_int_equal(gmg_solver_setup(plain.solver), GMG_OK);
  solve(&plain);
  for (size_t n = 0; n < sizeof forced / sizeof *forced; n++) {
    struct run run;
    open_run(&run, "double", NULL);
    for (int l = 0; l < plain.solver->hierarchy.levels; l++) {
      struct gmg_wisdom_entry entry = {
        .seconds = 1, .default_seconds = 2, .subject = "levels variable7 double split gsrb 2 2"};
      if (l == 0)
        strcat(entry.subject, " finest");
      gmg_tuned_extents(plain.solver->hierarchy.layout[l], entry.cells);
      gmg_tuned_put(&entry, &forced[n]);
      assert_int_equal(gmg_tuned_add(run.context, GMG_TARGET_CPU, &entry), GMG_OK);
    }
    assert_int_equal(gmg_solver_setup(run.solver), GMG_OK);
    assert_int_equal(run.solver->hierarchy.level[0].choice.passes, forced[n].passes);
    solve(&run);
    wrong += differs(&plain, &run);
    close_run(&run);
  }
  printf("%zu forced choices, %d with other bits\n", sizeof forced / sizeof *forced, wrong);
  assert_int_equal(wrong, 0);
  close_run(&plain);
}

int main(int argc, char **argv)
{
  MPI_Init(&argc, &argv);
  const struct CMUnitTest tests[] = {cmocka_unit_test(tuned_bits_double),
                                     cmocka_unit_test(tuned_bits_mixed),
                                     cmocka_unit_test(forced_bits)};
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  MPI_Finalize();
  return failed;
}
