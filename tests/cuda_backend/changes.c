/* What an application changes between solves, on a GPU against the same on the CPU: guesses, good
 * and bad, tolerances, a and b, boundary values. After every change the solution must have the
 * CPU's bits, and the solve its cycles. Arrays of the GPU are refused by the CPU's solver.
 *
 *   changes [--cells N] [--variable] [OPTION VALUE]...
 *     options are gmg's; --variable: α and β vary, and are borrowed
 *
 * sanitizers: no
 *
 * Exit status: 0 good, 1 bits differ, 2 something failed, 77 no GPU. */
#include "config.h"

#if GMG_WITH_MPI
#include <mpi.h>
#endif

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gmg.h"

static struct {
  int cells, variable, options;
  const char *option[32], *value[32];
} ask = {.cells = 16};

static gmg_context *context;
static gmg_grid *grid;
static int lower[3], upper[3];
static double *alpha, *beta, *f;
static struct {
  gmg_solver *solver;
  double *u;
} on[2]; /* the CPU, the GPU */

static void check(gmg_status status, const char *what)
{
  if (status == GMG_OK)
    return;
  fprintf(stderr, "changes: %s: %s\n", what, gmg_context_message(context));
  exit(2);
}

static size_t part_cells(void)
{
  size_t cells = 1;
  for (int d = 0; d < 3; d++)
    cells *= (size_t)(upper[d] - lower[d]);
  return cells;
}

static gmg_array dense(double *data)
{
  const ptrdiff_t ni = upper[0] - lower[0], nj = upper[1] - lower[1];
  return (gmg_array){data, {1, ni, ni * nj}};
}

static double *take(void)
{
  double *data = calloc(part_cells() + 1, sizeof *data);
  if (!data)
    exit(2);
  return data;
}

static void fill(double *to, double mean, double phase)
{
  const double h = 6.28318530717958648 / ask.cells;
  for (int k = lower[2]; k < upper[2]; k++)
    for (int j = lower[1]; j < upper[1]; j++)
      for (int i = lower[0]; i < upper[0]; i++)
        *to++ = mean
          + 0.3 * sin(h * (i + 0.5) + phase) * cos(h * (j + 0.5)) * sin(2 * h * (k + 0.5) + phase);
}

static void make(int gpu)
{
  const gmg_array of_alpha = dense(alpha), of_beta = dense(beta);
  gmg_solver *solver;
  check(gmg_solver_create(grid, &solver), "gmg_solver_create");
  check(gmg_solver_set_option(solver, "backend", gpu ? "cuda" : "openmp"), "backend");
  for (int n = 0; n < ask.options; n++)
    check(gmg_solver_set_option(solver, ask.option[n], ask.value[n]), ask.option[n]);
  check(gmg_solver_set_equation(solver, 3, 1), "gmg_solver_set_equation");
  if (ask.variable) {
    check(gmg_solver_borrow_coefficient(solver, GMG_ALPHA, &of_alpha), "alpha");
    check(gmg_solver_borrow_coefficient(solver, GMG_BETA, &of_beta), "beta");
  }
  check(gmg_solver_setup(solver), "gmg_solver_setup");
  on[gpu].solver = solver;
  on[gpu].u = take();
}

/* How many values differ, and cycles. */
static int solve_both(const char *what, int use_guess)
{
  gmg_result result[2];
  int differ = 0;
  for (int gpu = 0; gpu < 2; gpu++) {
    const gmg_array right_side = dense(f);
    gmg_array u = dense(on[gpu].u);
    check(gmg_solver_solve(on[gpu].solver, &right_side, &u, use_guess, &result[gpu]),
          "gmg_solver_solve");
  }
  for (size_t n = 0; n < part_cells(); n++)
    differ += memcmp(&on[0].u[n], &on[1].u[n], sizeof(double)) != 0;
  printf("%s: %d and %d cycles, %s; %d values differ\n", what, result[0].cycles, result[1].cycles,
         gmg_outcome_text(result[1].outcome), differ);
  return differ + (result[0].cycles != result[1].cycles) + (result[1].outcome != GMG_CONVERGED);
}

/* The CPU's solver cannot read arrays of the GPU: every call says so, and nothing is read. */
static int accepted_far_arrays(void)
{
  gmg_result result;
  gmg_array far, near = dense(on[0].u);
  int accepted = 0;
  check(gmg_solver_array_create(on[1].solver, &far), "gmg_solver_array_create");
  const gmg_status status[] = {gmg_solver_solve(on[0].solver, &far, &near, 0, &result),
                               gmg_solver_solve(on[0].solver, &near, &far, 0, &result),
                               gmg_solver_apply(on[0].solver, &far, &near),
                               gmg_solver_residual(on[0].solver, &near, &near, &far),
                               gmg_solver_precondition(on[0].solver, &far, &near, 1)};
  printf("%s\n", gmg_context_message(context));
  for (size_t n = 0; n < sizeof status / sizeof *status; n++)
    accepted += status[n] != GMG_ERR_ARGUMENT;
  accepted += strstr(gmg_context_message(context), "array 1 is in the memory of a GPU") == NULL;
  gmg_solver_array_destroy(on[1].solver, &far);
  return accepted;
}

#define BOTH(call, ...) \
  do { \
    check(call(on[0].solver, __VA_ARGS__), #call); \
    check(call(on[1].solver, __VA_ARGS__), #call); \
  } while (0)

static int run(void)
{
  double *values = calloc((size_t)ask.cells * (size_t)ask.cells, sizeof *values);
  if (!values)
    exit(2);
  for (int n = 0; n < ask.cells * ask.cells; n++)
    values[n] = sin(0.1 * n);
  int bad = solve_both("from zero", 0);
  fill(f, 0.2, 0.1);
  bad += solve_both("from the last solution", 1);
  BOTH(gmg_solver_set_equation, 5, 1);
  bad += solve_both("another a", 1);
  BOTH(gmg_solver_set_equation, 5, 0.3);
  bad += solve_both("another b", 1);
  BOTH(gmg_solver_set_boundary_value, GMG_X_LO, 2.5);
  bad += solve_both("another boundary value", 1);
  BOTH(gmg_solver_set_boundary_value, GMG_Z_HI, 1);
  bad += solve_both("a side that had none", 1);
  BOTH(gmg_solver_set_boundary_values, GMG_X_LO, values);
  BOTH(gmg_solver_set_real, "rtol", 1e-7);
  BOTH(gmg_solver_set_choice, "norm", "max");
  bad += solve_both("one per face, rtol and norm", 1);
  for (int gpu = 0; gpu < 2; gpu++)
    fill(on[gpu].u, 1e6, 0.7);
  bad += solve_both("from a guess worse than zero", 1);
  BOTH(gmg_solver_set_boundary_value, GMG_Z_HI, 0);
  bad += solve_both("a side that has none any more", 0);
  free(values);
  return bad + accepted_far_arrays();
}

int main(int argc, char **argv)
{
#if GMG_WITH_MPI
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
#endif
  for (int n = 1; n < argc; n++) {
    if (strcmp(argv[n], "--variable") == 0) {
      ask.variable = 1;
    } else if (strcmp(argv[n], "--cells") == 0 && n + 1 < argc) {
      ask.cells = atoi(argv[++n]);
    } else if (n + 1 < argc && ask.options < 32) {
      ask.option[ask.options] = argv[n];
      ask.value[ask.options++] = argv[++n];
    }
  }
#if GMG_WITH_MPI
  if (gmg_context_create_mpi(MPI_COMM_WORLD, 0, &context))
    return 2;
#else
  if (gmg_context_create(0, &context))
    return 2;
#endif
  int found, status = 77;
  const char *device = gmg_context_device(context, &found);
  if (!found)
    printf("no GPU: %s\n", device);
  if (found) {
    const int cells[3] = {ask.cells, ask.cells, ask.cells};
    const double zero[3] = {0, 0, 0}, one[3] = {1, 1, 1};
    check(gmg_grid_create(context, cells, zero, one, &grid), "gmg_grid_create");
    check(gmg_grid_set_boundary(grid, GMG_X_LO, GMG_DIRICHLET, 0, 0, 1), "gmg_grid_set_boundary");
    check(gmg_grid_set_boundary(grid, GMG_Y_HI, GMG_NEUMANN, 0, 0, 0.5), "gmg_grid_set_boundary");
    gmg_grid_part(grid, lower, upper);
    alpha = take();
    beta = take();
    f = take();
    fill(alpha, 1, 0.3);
    fill(beta, 1, 0.6);
    fill(f, 0.2, 0);
    make(0);
    make(1);
    status = run() != 0;
    for (int gpu = 0; gpu < 2; gpu++) {
      gmg_solver_destroy(&on[gpu].solver);
      free(on[gpu].u);
    }
    gmg_grid_destroy(&grid);
    free(alpha);
    free(beta);
    free(f);
  }
  gmg_context_destroy(&context);
#if GMG_WITH_MPI
  MPI_Finalize();
#endif
  return status;
}
