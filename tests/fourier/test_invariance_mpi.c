/* ranks: 6
 * needs: mpi */
/* Preconditions: 6 ranks, a build with KissFFT. What must vanish, to the last bit: the difference
 * of the residuals and the solution by method fft between one rank, one thread, one box and the
 * baseline instruction set, and any other number of ranks and threads, size of boxes, instruction
 * set, and parts of the caller's. */
#include <mpi.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <math.h>

#include "transforms.h"

#ifndef GMG_TEST_BACKEND /* another test includes this one with its own */
#define GMG_TEST_BACKEND "openmp"
#define TOLERANCE 0 /* of the largest value */
#define TURNS 6
#endif

struct way {
  int ranks, threads, parts; /* parts: the axis along which the caller's are cut; -1: the default */
  const char *box, *isa, *backend;
};

struct solution {
  double *u; /* of the whole grid, on rank 0 */
  double residual[2];
};

static size_t count(const struct transforms_case *c)
{
  return (size_t)c->cells[0] * (size_t)c->cells[1] * (size_t)c->cells[2];
}

static void set_parts(gmg_grid *grid, const struct transforms_case *c, int axis, int rank,
                      int ranks)
{
  int lower[3] = {0, 0, 0}, upper[3] = {c->cells[0], c->cells[1], c->cells[2]};
  if (axis < 0)
    return;
  lower[axis] = c->cells[axis] * rank / ranks; /* where ranks are many some parts are empty */
  upper[axis] = c->cells[axis] * (rank + 1) / ranks;
  assert_int_equal(gmg_grid_set_part(grid, lower, upper), GMG_OK);
}

/* This rank's part in its place, zeros elsewhere: sums over the ranks are exact. */
static void gather(MPI_Comm comm, const gmg_grid *grid, const struct transforms_case *c,
                   const gmg_array *u, double *whole)
{
  int lower[3], upper[3];
  gmg_grid_part(grid, lower, upper);
  double *own = calloc(count(c), sizeof *own);
  assert_non_null(own);
  for (int k = lower[2]; k < upper[2]; k++)
    for (int j = lower[1]; j < upper[1]; j++)
      for (int i = lower[0]; i < upper[0]; i++)
        own[(size_t)i + (size_t)c->cells[0] * ((size_t)j + (size_t)c->cells[1] * (size_t)k)] =
          u->data[(i - lower[0]) + (j - lower[1]) * u->stride[1] + (k - lower[2]) * u->stride[2]];
  MPI_Reduce(own, whole, (int)count(c), MPI_DOUBLE, MPI_SUM, 0, comm);
  free(own);
}

static void solve(MPI_Comm comm, const struct transforms_case *c, const struct way *way,
                  struct solution *solution)
{
  const char *const options[] = {"box", way->box, "backend", way->backend, NULL};
  gmg_context *context;
  assert_int_equal(gmg_context_create_mpi(comm, way->threads, &context), GMG_OK);
  assert_int_equal(gmg_context_set_isa(context, way->isa), GMG_OK);
  gmg_grid *grid = transforms_grid(context, c);
  set_parts(grid, c, way->parts, gmg_context_rank(context), gmg_context_ranks(context));
  gmg_solver *solver = transforms_solver(grid, c, "fft", options);
  assert_string_equal(gmg_solver_option(solver, "backend"), way->backend);
  gmg_array f = transforms_array(grid, c, 1), u = transforms_array(grid, c, 2);
  gmg_result result;
  if (gmg_solver_solve(solver, &f, &u, 0, &result) != GMG_OK)
    fail_msg("%s", gmg_context_message(context));
  assert_int_equal(result.outcome, GMG_CONVERGED);
  assert_int_equal(result.cycles, 1);
  memcpy(solution->residual, result.residual_history, sizeof solution->residual);
  gather(comm, grid, c, &u, solution->u);
  free(f.data);
  free(u.data);
  gmg_solver_destroy(&solver);
  gmg_grid_destroy(&grid);
  gmg_context_destroy(&context);
}

/* Whether there are other bits, or values that differ by more than the tolerance. */
static int is_off(const struct transforms_case *c, const struct solution *s,
                  const struct solution *reference)
{
  double off = 0, largest = 0;
  if (TOLERANCE == 0)
    return memcmp(s->u, reference->u, count(c) * sizeof(double)) != 0
      || memcmp(s->residual, reference->residual, sizeof s->residual) != 0;
  for (size_t n = 0; n < count(c); n++) {
    off = fmax(off, fabs(s->u[n] - reference->u[n]));
    largest = fmax(largest, fabs(reference->u[n]));
  }
  return !(off <= TOLERANCE * largest);
}

/* One way on its number of ranks. Returns whether its solution is off, on rank 0. */
static int differs(const struct transforms_case *c, const struct way *way,
                   const struct solution *reference)
{
  int rank, different = 0;
  MPI_Comm comm;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_split(MPI_COMM_WORLD, rank < way->ranks ? 0 : MPI_UNDEFINED, rank, &comm);
  if (comm != MPI_COMM_NULL) {
    struct solution s = {.u = malloc(count(c) * sizeof(double))};
    assert_non_null(s.u);
    solve(comm, c, way, &s);
    different = rank == 0 && is_off(c, &s, reference);
    free(s.u);
    MPI_Comm_free(&comm);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  return different;
}

static int has_isa(const char *isa)
{
  gmg_context *context;
  assert_int_equal(gmg_context_create(1, &context), GMG_OK);
  const int has = gmg_context_set_isa(context, isa) == GMG_OK;
  gmg_context_destroy(&context);
  return has;
}

static void same_bits(void **state)
{
  /* Slabs, pencils of 2 x 2 and 2 x 3 blocks, and ranks that have no lines. */
  static const struct transforms_case cases[] = {
    {{31, 40, 27}, "dnppnn", 0, 1, "constant7", 0}, {{40, 33, 2}, "nnpppp", 0, 1, "constant27", 0},
    {{16, 16, 16}, "dddddd", 1, 1, "constant7", 0}, {{24, 24, 3}, "ndnndn", 0, 2, "constant7", 0},
    {{3, 5, 2}, "ppdddn", 0, 1, "constant27", 0},
  };
  static const int ranks[] = {1, 2, 3, 4, 6};
  static const char *const boxes[] = {"auto", "8", "16"},
                           *const isas[] = {"baseline", "x86-64-v3", "x86-64-v4"};
  int rank, runs = 0, failures = 0;
  (void)state;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
    const struct transforms_case *c = &cases[n];
    struct solution reference = {.u = malloc(count(c) * sizeof(double))};
    assert_non_null(reference.u);
    solve(MPI_COMM_SELF, c, &(struct way){1, 1, -1, "auto", "baseline", "openmp"}, &reference);
    for (int r = 0; r < 5; r++)
      for (int turn = 0; turn < TURNS; turn++) {
        const char *isa = isas[turn % 3];
        const struct way way = {ranks[r],
                                1 + turn % 2,
                                (turn + r) % 4 - 1,
                                boxes[turn % 3],
                                has_isa(isa) ? isa : "baseline",
                                GMG_TEST_BACKEND};
        const int off = differs(c, &way, &reference);
        runs++;
        failures += off;
        if (off)
          printf("%d x %d x %d, %d ranks, %d threads, parts %d, box %s, %s: off\n", c->cells[0],
                 c->cells[1], c->cells[2], way.ranks, way.threads, way.parts, way.box, way.isa);
      }
    free(reference.u);
  }
  if (rank == 0)
    printf("%d runs, %d off\n", runs, failures);
  assert_int_equal(failures, 0);
}

static int has_backend(void)
{
  gmg_context *context;
  int found = strcmp(GMG_TEST_BACKEND, "openmp") == 0;
  if (!found && gmg_context_create(0, &context) == GMG_OK) {
    gmg_context_device(context, &found);
    gmg_context_destroy(&context);
  }
  return found;
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(same_bits)};
  MPI_Init(&argc, &argv);
  int failed =
        transforms_available() && has_backend() ? cmocka_run_group_tests(tests, NULL, NULL) : 77,
      worst;
  MPI_Allreduce(&failed, &worst, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  MPI_Finalize();
  return worst;
}
