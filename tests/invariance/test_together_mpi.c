/* ranks: 4
 * together: 2 4
 * needs: mpi */
/* Preconditions: none. What must vanish: the difference, to the last bit, between what ranks compute together and each by itself,
 * whatever part of the grid each hands over and however its arrays lie in memory; what changes between two solves of the same
 * solver; and what differs between a rank that may run on one core and one that may run on all, afterwards. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gmg.h>

enum { NI = 37, NJ = 30, NK = 26, RANKS = 4, CYCLES = 4 };
enum way { DENSE, PADDED, SPARSE, WAYS };
enum part { SLABS, QUARTERS, ONE, PARTS };

static gmg_context *context;
static int rank, ranks, lower[3], upper[3];
static const int cells[3] = {NI, NJ, NK};

static void find_part(enum part part)
{
  const int half[2] = {17, 11};
  for (int d = 0; d < 3; d++) {
    lower[d] = 0;
    upper[d] = cells[d];
  }
  if (part == SLABS || ranks < RANKS) {
    lower[2] = NK * rank / ranks;
    upper[2] = NK * (rank + 1) / ranks;
  } else if (part == QUARTERS) { /* cut across x at an odd cell */
    for (int d = 0; d < 2; d++) {
      const int side = d ? rank / 2 : rank % 2;
      lower[d] = side ? half[d] : 0;
      upper[d] = side ? cells[d] : half[d];
    }
  } else if (rank != 2) { /* one hands all over, and it leads no group */
    upper[2] = 0;
  }
}

/* An array of this rank's part, on faces along an axis, or on cells (-1). */
static gmg_array make_array(enum way way, int axis)
{
  const int step = way == SPARSE ? 2 : 1, pad = way == PADDED ? 5 : 0;
  gmg_array array = {NULL, {step, 0, 0}};
  array.stride[1] = (ptrdiff_t)(upper[0] - lower[0] + (axis == 0) + pad) * step;
  array.stride[2] = array.stride[1] * (upper[1] - lower[1] + (axis == 1) + pad / 2);
  array.data = calloc((size_t)(array.stride[2] * (upper[2] - lower[2] + (axis == 2)) + 1), sizeof *array.data);
  return array;
}

static double *at(const gmg_array *array, int i, int j, int k)
{
  return array->data + (i - lower[0]) * array->stride[0] + (j - lower[1]) * array->stride[1]
    + (k - lower[2]) * array->stride[2];
}

static void fill(const gmg_array *array, int axis, int seed)
{
  for (int k = lower[2]; k < upper[2] + (axis == 2); k++)
    for (int j = lower[1]; j < upper[1] + (axis == 1); j++)
      for (int i = lower[0]; i < upper[0] + (axis == 0); i++)
        *at(array, i, j, k) = 1.05 + 0.95 * sin(seed * (0.3 + i + 1.7 * j + 2.9 * k));
}

/* u and A u of a solve, both on this rank's part, dense. */
static void solve(enum way way, const char *together, const char *precision, double *values, gmg_result *result,
                  double history[CYCLES + 1])
{
  const double low[3] = {0, 0, 0}, high[3] = {1, 0.8, 0.7};
  const int extent[3] = {upper[0] - lower[0], upper[1] - lower[1], upper[2] - lower[2]};
  gmg_grid *grid;
  gmg_solver *solver;
  assert_int_equal(gmg_grid_create(context, cells, low, high, &grid), GMG_OK);
  assert_int_equal(gmg_grid_set_part(grid, lower, upper), GMG_OK);
  assert_int_equal(gmg_solver_create(grid, &solver), GMG_OK);
  gmg_grid_destroy(&grid);
  if (together)
    assert_int_equal(gmg_solver_set_option(solver, "together", together), GMG_OK);
  assert_int_equal(gmg_solver_set_option(solver, "passes", "all"), GMG_OK);
  assert_int_equal(gmg_solver_set_option(solver, "precision", precision), GMG_OK);
  assert_int_equal(gmg_solver_set_integer(solver, "max-cycles", CYCLES), GMG_OK);
  assert_int_equal(gmg_solver_set_equation(solver, 0.5, 1), GMG_OK);
  for (int which = GMG_ALPHA; which <= GMG_BETA_Z; which++) {
    const int axis = which - (int)GMG_BETA_X;
    gmg_array array = make_array(way, axis >= 0 ? axis : -1);
    fill(&array, axis, 2 + which);
    if (which != GMG_BETA)
      assert_int_equal(gmg_solver_set_coefficient(solver, (gmg_coefficient)which, &array), GMG_OK);
    free(array.data);
  }
  assert_int_equal(gmg_solver_setup(solver), GMG_OK);
  gmg_array f = make_array(way, -1), u = make_array(way, -1), w = make_array(way, -1);
  fill(&f, -1, 7);
  for (int turn = 0; turn < 2; turn++) /* from the solution of the first one */
    assert_int_equal(gmg_solver_solve(solver, &f, &u, turn, result), GMG_OK);
  assert_int_equal(gmg_solver_apply(solver, &u, &w), GMG_OK);
  for (int c = 0; c <= result->cycles; c++)
    history[c] = result->residual_history[c];
  for (int k = lower[2]; k < upper[2]; k++)
    for (int j = lower[1]; j < upper[1]; j++)
      for (int i = lower[0]; i < upper[0]; i++) {
        const size_t n = ((size_t)(k - lower[2]) * (size_t)extent[1] + (size_t)(j - lower[1])) * (size_t)extent[0]
          + (size_t)(i - lower[0]);
        values[2 * n] = *at(&u, i, j, k);
        values[2 * n + 1] = *at(&w, i, j, k);
      }
  free(f.data);
  free(u.data);
  free(w.data);
  gmg_solver_destroy(&solver);
}

static void gives_the_same_bits(void **state)
{
  static const char *const precision[] = {"double", "mixed"};
  (void)state;
  int different = 0;
  for (int part = SLABS; part < PARTS; part++)
    for (int way = DENSE; way < WAYS; way++) {
      find_part((enum part)part);
      size_t count = 2;
      for (int d = 0; d < 3; d++)
        count *= (size_t)(upper[d] - lower[d]);
      double *values[2], history[2][CYCLES + 1] = {{0}};
      gmg_result result[2];
      for (int n = 0; n < 2; n++) {
        values[n] = calloc(count + 1, sizeof *values[n]);
        solve((enum way)way, n ? NULL : "1", precision[(part + way) % 2], values[n], &result[n], history[n]);
      }
      assert_true(result[0].relative_residual < 1e-3);
      assert_int_equal(result[1].cycles, result[0].cycles);
      different += memcmp(history[0], history[1], sizeof history[0]) != 0;
      different += memcmp(values[0], values[1], count * sizeof *values[0]) != 0;
      free(values[0]);
      free(values[1]);
    }
  assert_int_equal(different, 0);
}

/* As a launcher binds ranks: each to a core of its own. */
static void leaves_cores_as_they_were(void **state)
{
  (void)state;
  cpu_set_t all, own, after;
  assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
  int core = -1;
  for (int n = 0, place = rank % CPU_COUNT(&all); n < CPU_SETSIZE && core < 0; n++)
    if (CPU_ISSET(n, &all) && place-- == 0)
      core = n;
  CPU_ZERO(&own);
  CPU_SET(core, &own);
  assert_int_equal(sched_setaffinity(0, sizeof own, &own), 0);
  gmg_context *unbound = context;
  assert_int_equal(gmg_context_create_mpi(MPI_COMM_WORLD, 1, &context), GMG_OK);
  find_part(SLABS);
  double *values = calloc(2 * NI * NJ * NK, sizeof *values), history[CYCLES + 1];
  gmg_result result;
  solve(DENSE, NULL, "double", values, &result, history);
  assert_true(result.relative_residual < 1e-3);
  free(values);
  gmg_context_destroy(&context);
  context = unbound;
  assert_int_equal(sched_getaffinity(0, sizeof after, &after), 0);
  assert_true(CPU_EQUAL(&after, &own));
  sched_setaffinity(0, sizeof all, &all);
}

int main(int argc, char **argv)
{
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (gmg_context_create_mpi(MPI_COMM_WORLD, 1, &context)) {
    fprintf(stderr, "no context\n");
    return 1;
  }
  const struct CMUnitTest tests[] = {cmocka_unit_test(gives_the_same_bits),
                                     cmocka_unit_test(leaves_cores_as_they_were)};
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  gmg_context_destroy(&context);
  MPI_Finalize();
  return failed;
}
