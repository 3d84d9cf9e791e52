/* ranks: 1 2 3 8
 * threads: 1 */
/* Preconditions: none. What must vanish: the number of singular problems, of every kind, compatible
 * or not, that need more cycles (or iterations of conjugate gradients) than their regular neighbour
 * and one, the same problem with a Dirichlet wall or, where all is periodic, a small alpha; wrong
 * or missing reports of how much was projected; means of the solution. */
#include "config.h"

#if GMG_WITH_MPI
#include <mpi.h>
#endif

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <gmg.h>

static gmg_context *context;

struct kind {
  const char *name;
  gmg_boundary side[3]; /* of both sides of an axis */
};

struct problem {
  int cells[3];
  struct kind kind;
  int regular;    /* the neighbour */
  double excess;  /* the mean of f */
  double stretch; /* of cells along z */
  const char *krylov;
};

/* Sides of a kind; Robin with c0 = 0 is Neumann. The neighbour has one Dirichlet wall. */
static gmg_grid *make_grid(const struct problem *p)
{
  static const double lower[3] = {0, 0, 0};
  const double upper[3] = {1, (double)p->cells[1] / p->cells[0], (double)p->cells[2] / p->cells[0]};
  gmg_grid *grid;
  assert_int_equal(gmg_grid_create(context, p->cells, lower, upper, &grid), GMG_OK);
  if (p->stretch > 0) {
    double *face = malloc(((size_t)p->cells[2] + 1) * sizeof *face), width = 1;
    face[0] = 0;
    for (int k = 1; k <= p->cells[2]; k++, width *= p->stretch)
      face[k] = face[k - 1] + width;
    const double whole = face[p->cells[2]];
    for (int k = 1; k < p->cells[2]; k++)
      face[k] *= upper[2] / whole;
    face[p->cells[2]] = upper[2];
    assert_int_equal(gmg_grid_set_faces(grid, 2, face), GMG_OK);
    free(face);
  }
  for (int side = 0; side < 6; side++) {
    const gmg_boundary kind = p->kind.side[side / 2];
    assert_int_equal(gmg_grid_set_boundary(grid, (gmg_side)side, kind, 0, 1, 0), GMG_OK);
  }
  for (int d = 2; d >= 0 && p->regular; d--)
    if (p->kind.side[d] != GMG_PERIODIC && p->cells[d] > 1) {
      assert_int_equal(gmg_grid_set_boundary(grid, (gmg_side)(2 * d), GMG_DIRICHLET, 1, 0, 0),
                       GMG_OK);
      break;
    }
  return grid;
}

static int all_periodic(const struct kind *kind)
{
  return kind->side[0] == GMG_PERIODIC && kind->side[1] == GMG_PERIODIC
    && kind->side[2] == GMG_PERIODIC;
}

/* A number in [-1, 1) from the cell, so that the same on any number of ranks. */
static double noise(int i, int j, int k)
{
  const unsigned x =
    (unsigned)i * 2654435761u ^ (unsigned)j * 2246822519u ^ (unsigned)k * 3266489917u;
  return (double)((x ^ x >> 15) * 2654435761u >> 8) / 8388608.0 - 1;
}

static gmg_result run(const struct problem *p, double *mean)
{
  gmg_grid *grid = make_grid(p);
  gmg_solver *solver;
  gmg_result result;
  int lower[3], upper[3], n[3];
  assert_int_equal(gmg_solver_create(grid, &solver), GMG_OK);
  gmg_grid_part(grid, lower, upper);
  gmg_grid_destroy(&grid);
  for (int d = 0; d < 3; d++)
    n[d] = upper[d] - lower[d];
  const size_t cells = (size_t)n[0] * (size_t)n[1] * (size_t)n[2];
  double *f = malloc((cells + 1) * sizeof *f), *u = malloc((cells + 1) * sizeof *u);
  for (size_t c = 0; c < cells; c++) {
    const int i = lower[0] + (int)(c % (size_t)n[0]),
              j = lower[1] + (int)(c / (size_t)n[0] % (size_t)n[1]),
              k = lower[2] + (int)(c / ((size_t)n[0] * (size_t)n[1]));
    f[c] = noise(i, j, k) + p->excess;
  }
  const gmg_array f_array = {f, {1, n[0], (ptrdiff_t)n[0] * n[1]}};
  gmg_array u_array = {u, {1, n[0], (ptrdiff_t)n[0] * n[1]}};
  if (p->regular && all_periodic(&p->kind))
    assert_int_equal(gmg_solver_set_equation(solver, 1, 1), GMG_OK);
  assert_int_equal(gmg_solver_set_option(solver, "krylov", p->krylov), GMG_OK);
  assert_int_equal(gmg_solver_setup(solver), GMG_OK);
  assert_int_equal(gmg_solver_solve(solver, &f_array, &u_array, 0, &result), GMG_OK);
  double sum = 0;
  for (size_t c = 0; c < cells; c++)
    sum += u[c];
#if GMG_WITH_MPI
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
#endif
  *mean = sum / ((double)p->cells[0] * p->cells[1] * p->cells[2]);
  free(f);
  free(u);
  gmg_solver_destroy(&solver);
  return result;
}

/* The singular problem with two right sides that differ by a constant: the projections must differ
 * by it. */
static int check(const struct problem *given)
{
  struct problem p = *given;
  double mean, shifted_mean, unused;
  p.regular = 1;
  const gmg_result regular = run(&p, &unused);
  p.regular = 0;
  const gmg_result singular = run(&p, &mean);
  p.excess = 0.75;
  const gmg_result shifted = run(&p, &shifted_mean);
  const double by = shifted.projected - singular.projected;
  const int bad = regular.singular || !singular.singular || !shifted.singular
    || regular.outcome != GMG_CONVERGED || singular.outcome != GMG_CONVERGED
    || shifted.outcome != GMG_CONVERGED || singular.cycles > regular.cycles + 1
    || shifted.cycles != singular.cycles || fabs(by - 0.75) > 1e-12
    || (p.stretch == 0 && (fabs(mean) > 1e-12 || fabs(shifted_mean) > 1e-12));
  if (gmg_context_rank(context) == 0)
    printf("%s, %d x %d x %d, krylov %s: %d cycles, regular %d; projected %.3g and %.3g more%s\n",
           p.kind.name, p.cells[0], p.cells[1], p.cells[2], p.krylov, singular.cycles,
           regular.cycles, singular.projected, by, bad ? " <-" : "");
  return bad;
}

static void all_kinds(void **state)
{
  static const struct kind kinds[] = {
    {"Neumann", {GMG_NEUMANN, GMG_NEUMANN, GMG_NEUMANN}},
    {"periodic", {GMG_PERIODIC, GMG_PERIODIC, GMG_PERIODIC}},
    {"periodic and Neumann", {GMG_PERIODIC, GMG_NEUMANN, GMG_PERIODIC}},
    {"Robin with c0 = 0", {GMG_ROBIN, GMG_ROBIN, GMG_NEUMANN}},
  };
  static const int sizes[][3] = {{16, 16, 16}, {31, 17, 22}, {15, 24, 9}, {20, 20, 1}};
  (void)state;
  int failures = 0;
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
      for (int krylov = 0; krylov < 2; krylov++) {
        struct problem p = {.kind = kinds[k], .krylov = krylov ? "cg" : "none"};
        for (int d = 0; d < 3; d++)
          p.cells[d] = sizes[s][d];
        p.stretch = s == 1 && kinds[k].side[2] != GMG_PERIODIC ? 1.05 : 0;
        failures += check(&p);
      }
  assert_int_equal(failures, 0);
}

int main(int argc, char **argv)
{
#if GMG_WITH_MPI
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  if (gmg_context_create_mpi(MPI_COMM_WORLD, 0, &context))
    return 1;
#else
  (void)argc, (void)argv;
  if (gmg_context_create(0, &context))
    return 1;
#endif
  const struct CMUnitTest tests[] = {cmocka_unit_test(all_kinds)};
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  gmg_context_destroy(&context);
#if GMG_WITH_MPI
  MPI_Finalize();
#endif
  return failed != 0;
}
