/* An operator of the application's own, from a C file: skew.c beside this one.
 *
 *   PDE:       u - ∇²u - ∂²u/∂x∂y = f on the unit cube: conduction with principal axes at 45
 *              degrees to the grid
 *   Boundary:  periodic
 *   Exact:     u = sin 2π(x + y) cos 2πz, made so by f = (1 + 16 π²) u
 *
 * The build hands skew.c to gmg_add_operator (see CMakeLists.txt), which checks it, derives
 * residual, smoothers, diagonal and their kernels, and links them to this program. What must
 * vanish: the distance of the observed order from 2, up to 0.1. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <gmg.h>

GMG_OPERATORS(skew_operators);

static const double pi = 3.14159265358979323846;

static double exact(int n, int i, int j, int k)
{
  return sin(2 * pi * (i + j + 1.0) / n) * cos(2 * pi * (k + 0.5) / n);
}

static gmg_status make_solver(gmg_context *context, int n, gmg_grid **grid, gmg_solver **solver)
{
  const int cells[3] = {n, n, n};
  const double lower[3] = {0, 0, 0}, upper[3] = {1, 1, 1};
  gmg_status status = gmg_grid_create(context, cells, lower, upper, grid);
  for (int side = GMG_X_LO; side <= GMG_Z_HI && !status; side++)
    status = gmg_grid_set_boundary(*grid, (gmg_side)side, GMG_PERIODIC, 0, 0, 0);
  if (!status)
    status = gmg_solver_create(*grid, solver);
  if (!status)
    status = gmg_solver_set_equation(*solver, 1, 1);
  if (!status)
    status = gmg_solver_set_option(*solver, "operator", "skew");
  return status ? status : gmg_solver_setup(*solver);
}

/* The largest error on n³ cells; negative where there is no solution. */
static double error_on(gmg_context *context, int n)
{
  gmg_grid *grid = NULL;
  gmg_solver *solver = NULL;
  gmg_result result = {0};
  double *f = malloc((size_t)n * n * n * sizeof *f), *u = malloc((size_t)n * n * n * sizeof *u),
         most = -1;
  const gmg_array right_side = {f, {1, n, n * n}};
  gmg_array solution = {u, {1, n, n * n}};
  for (int c = 0; f && c < n * n * n; c++)
    f[c] = (1 + 16 * pi * pi) * exact(n, c % n, c / n % n, c / n / n);
  gmg_status status = f && u ? make_solver(context, n, &grid, &solver) : GMG_ERR_MEMORY;
  if (!status)
    status = gmg_solver_solve(solver, &right_side, &solution, 0, &result);
  if (status)
    printf("%s\n", gmg_context_message(context));
  else if (result.outcome != GMG_CONVERGED)
    printf("%s\n", result.reason);
  else
    for (int c = 0; c < n * n * n; c++)
      most = fmax(most, fabs(u[c] - exact(n, c % n, c / n % n, c / n / n)));
  printf("%d^3 cells: %d cycles, largest error %.3e\n", n, result.cycles, most);
  gmg_solver_destroy(&solver);
  gmg_grid_destroy(&grid);
  free(f);
  free(u);
  return most;
}

int main(void)
{
  gmg_context *context = NULL;
  if (gmg_context_create(0, &context))
    return 1;
  double order = 0;
  if (gmg_context_add_operators(context, skew_operators)) {
    printf("%s\n", gmg_context_message(context));
  } else {
    const double coarse = error_on(context, 32), fine = error_on(context, 64);
    if (coarse > 0 && fine > 0)
      order = log2(coarse / fine);
    printf("observed order %.3f\n", order);
  }
  gmg_context_destroy(&context);
  return !(fabs(order - 2) < 0.1);
}
