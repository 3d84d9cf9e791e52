/* Coefficient fields of the application's own: a diagonal tensor κ on cells, which the operator in
 * tensor.c reads.
 *
 *   PDE:       u - ∇·(κ ∇u) = f on the unit cube
 *   Boundary:  u given on the sides in x; no flux in y; periodic in z
 *   Exact:     u = (1 + x + x²) cos πy (1 + sin(2πz) / 2)
 *   κ:         κx = 3/2 + sin(2πx) / 2; κy = 2 + x / 2 + cos(πy) / 2; κz = 3/2 + y cos(2πz) / 2
 *
 *   usage: tensor [--size 24] [--NAME VALUE of any option of gmg]
 *
 * The build hands tensor.c to gmg_add_operator, which makes its kernels for CPUs and GPUs; with MPI
 * each rank has a slab in z. What must vanish: the distance of the observed order from 2, up to
 * 0.1. The last line is a sum over the bits of the solution, the same on any number of ranks. */
#if WITH_MPI
#include <mpi.h>
#endif
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gmg.h>

GMG_OPERATORS(tensor_operators);

static const double pi = 3.14159265358979323846;

enum field { KAPPA_X, KAPPA_Y, KAPPA_Z, RIGHT_SIDE, EXACT, SOLUTION, FIELDS };

struct run {
  int n, rank, ranks, lower, upper; /* this rank's cells along z */
  int options;
  char **option;
  gmg_array field[FIELDS];
};

static double value_at(enum field which, double x, double y, double z)
{
  const double p = 1 + x + x * x, c = cos(pi * y), s = 1 + 0.5 * sin(2 * pi * z);
  const double kx = 1.5 + 0.5 * sin(2 * pi * x), ky = 2 + 0.5 * x + 0.5 * c,
               kz = 1.5 + 0.5 * y * cos(2 * pi * z);
  const double in_x = pi * cos(2 * pi * x) * (1 + 2 * x) * c * s + kx * 2 * c * s,
               in_y = 0.5 * pi * pi * sin(pi * y) * sin(pi * y) * p * s - ky * pi * pi * c * p * s,
               in_z = -pi * pi * y * sin(2 * pi * z) * p * c * cos(2 * pi * z)
    - kz * 2 * pi * pi * sin(2 * pi * z) * p * c;
  const double value[] = {kx, ky, kz, p * c * s - in_x - in_y - in_z, p * c * s, 0};
  return value[which];
}

static gmg_status make_grid(gmg_context *context, struct run *run, gmg_grid **grid)
{
  const int n = run->n, cells[3] = {n, n, n}, lower_cell[3] = {0, 0, run->lower},
            upper_cell[3] = {n, n, run->upper};
  const double lower[3] = {0, 0, 0}, upper[3] = {1, 1, 1};
  double *values = malloc((size_t)n * (size_t)n * sizeof *values);
  gmg_status status = values ? gmg_grid_create(context, cells, lower, upper, grid) : GMG_ERR_MEMORY;
  for (int side = GMG_X_LO; side <= GMG_Z_HI && !status; side++)
    status = gmg_grid_set_boundary(*grid, (gmg_side)side,
                                   side < GMG_Y_LO     ? GMG_DIRICHLET
                                     : side < GMG_Z_LO ? GMG_NEUMANN
                                                       : GMG_PERIODIC,
                                   0, 0, 0);
  for (int side = GMG_X_LO; side <= GMG_X_HI && !status; side++) {
    for (int face = 0; face < n * n; face++)
      values[face] = value_at(EXACT, side, (face % n + 0.5) / n, (face / n + 0.5) / n);
    status = gmg_grid_set_boundary_values(*grid, (gmg_side)side, values);
  }
  free(values);
  return status ? status : gmg_grid_set_part(*grid, lower_cell, upper_cell);
}

static gmg_status make_solver(gmg_grid *grid, struct run *run, gmg_solver **solver)
{
  static const char *const name[] = {"kappa_x", "kappa_y", "kappa_z"};
  gmg_status status = gmg_solver_create(grid, solver);
  if (!status)
    status = gmg_solver_set_equation(*solver, 1, 1);
  if (!status)
    status = gmg_solver_set_option(*solver, "operator", "tensor");
  for (int n = 0; n + 1 < run->options && !status; n += 2)
    if (strcmp(run->option[n], "--size") != 0)
      status = gmg_solver_set_option(*solver, run->option[n] + 2, run->option[n + 1]);
  for (int d = 0; d < 3 && !status; d++)
    status = gmg_solver_set_field(*solver, name[d], GMG_ON_CELLS, GMG_COARSEN_ARITHMETIC,
                                  &run->field[KAPPA_X + d]);
  return status ? status : gmg_solver_setup(*solver);
}

static int fill(struct run *run)
{
  const ptrdiff_t n = run->n;
  for (int which = 0; which < FIELDS; which++) {
    double *value = malloc((size_t)(n * n * (run->upper - run->lower) + 1) * sizeof *value);
    run->field[which] = (gmg_array){value, {1, n, n * n}};
    for (int k = run->lower; value && k < run->upper; k++)
      for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
          *value++ =
            value_at((enum field)which, (i + 0.5) / run->n, (j + 0.5) / run->n, (k + 0.5) / run->n);
    if (!value)
      return -1;
  }
  return 0;
}

/* The largest error and a sum over the bits of the solution, over all ranks. */
static void compare(const struct run *run, double *most, uint64_t *bits)
{
  const size_t plane = (size_t)run->n * (size_t)run->n,
               count = plane * (size_t)(run->upper - run->lower);
  *most = 0;
  *bits = 0;
  for (size_t c = 0; c < count; c++) {
    uint64_t word;
    memcpy(&word, &run->field[SOLUTION].data[c], sizeof word);
    *bits += word * (2 * (c + plane * (size_t)run->lower) + 1);
    *most = fmax(*most, fabs(run->field[SOLUTION].data[c] - run->field[EXACT].data[c]));
  }
#if WITH_MPI
  MPI_Allreduce(MPI_IN_PLACE, most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, bits, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
#endif
}

/* The largest error on n³ cells; negative where there is no solution. */
static double error_on(gmg_context *context, struct run *run, int n)
{
  gmg_grid *grid = NULL;
  gmg_solver *solver = NULL;
  gmg_result result = {0};
  double most = -1;
  uint64_t bits = 0;
  run->n = n;
  run->lower = n * run->rank / run->ranks;
  run->upper = n * (run->rank + 1) / run->ranks;
  gmg_status status = fill(run) ? GMG_ERR_MEMORY : make_grid(context, run, &grid);
  if (!status)
    status = make_solver(grid, run, &solver);
  if (!status)
    status = gmg_solver_solve(solver, &run->field[RIGHT_SIDE], &run->field[SOLUTION], 0, &result);
  if (!status && result.outcome == GMG_CONVERGED)
    compare(run, &most, &bits);
  if (run->rank == 0 && status)
    printf("%s\n", gmg_context_message(context));
  gmg_level_info finest;
  if (run->rank == 0 && !status && gmg_solver_level_info(solver, 0, &finest) == GMG_OK)
    printf("%d^3 cells, %s: %d cycles, %s, largest error %.3e\nbits of the solution: %016llx\n", n,
           finest.backend, result.cycles, result.reason, most, (unsigned long long)bits);
  gmg_solver_destroy(&solver);
  gmg_grid_destroy(&grid);
  for (int which = 0; which < FIELDS; which++)
    free(run->field[which].data);
  return most;
}

static gmg_status create_context(struct run *run, int *count, char ***words, gmg_context **context)
{
  run->ranks = 1;
#if WITH_MPI
  int provided;
  MPI_Init_thread(count, words, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &run->rank);
  MPI_Comm_size(MPI_COMM_WORLD, &run->ranks);
  const gmg_status status = gmg_context_create_mpi(MPI_COMM_WORLD, 0, context);
#else
  const gmg_status status = gmg_context_create(0, context);
#endif
  run->options = *count - 1;
  run->option = *words + 1;
  return status ? status : gmg_context_add_operators(*context, tensor_operators);
}

int main(int count, char **words)
{
  gmg_context *context = NULL;
  struct run run = {.rank = 0};
  double order = 0;
  if (create_context(&run, &count, &words, &context)) {
    printf("%s\n", gmg_context_message(context));
  } else {
    int size = 24;
    for (int n = 0; n + 1 < run.options; n += 2)
      size = strcmp(run.option[n], "--size") == 0 ? atoi(run.option[n + 1]) : size;
    const double coarse = error_on(context, &run, size), fine = error_on(context, &run, 2 * size);
    if (coarse > 0 && fine > 0)
      order = log2(coarse / fine);
    if (run.rank == 0)
      printf("observed order %.3f\n", order);
  }
  gmg_context_destroy(&context);
#if WITH_MPI
  MPI_Finalize();
#endif
  return !(fabs(order - 2) < 0.1);
}
