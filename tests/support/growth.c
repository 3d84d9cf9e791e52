#include "growth.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <gmg.h>

enum { N = 12, CELLS = N * N * N, FACES = (N + 1) * (N + 1) * (N + 1) };

/* What malloc keeps and gives back varies by some pages; a leak of 64 bytes in a solve is 600 KB in
 * ten thousand. */
static const long allowed_bytes = 384 * 1024;

static double f[CELLS], u[2 * CELLS], values[FACES], flux[3][FACES];

static long resident_bytes(void)
{
  long pages = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (!file || fscanf(file, "%*d %ld", &pages) != 1)
    pages = 0;
  if (file)
    fclose(file);
  return pages * sysconf(_SC_PAGESIZE);
}

static gmg_array cells_of(double *data, int step)
{
  return (gmg_array){data, {step, step * N, step * N * N}};
}

static gmg_status set_beta(gmg_solver *solver, int round)
{
  for (int n = 0; n < FACES; n++)
    values[n] = 1.5 + sin(0.1 * n + round);
  gmg_status status = GMG_OK;
  for (int d = 0; d < 3 && !status; d++) {
    const gmg_array faces = {values, {1, N + (d == 0), (N + (d == 0)) * (N + (d == 1))}};
    status = gmg_solver_set_coefficient(solver, (gmg_coefficient)(GMG_BETA_X + d), &faces);
  }
  return status;
}

static gmg_status make(gmg_context *context, int round, gmg_grid **grid, gmg_solver **solver)
{
  static const int cells[3] = {N, N, N};
  static const double zero[3] = {0, 0, 0}, one[3] = {1, 1, 1};
  static const char *const cycle[] = {"v", "w", "fmg"}, *const box[] = {"auto", "5"},
                           *const krylov[] = {"none", "cg"};
  gmg_status status = gmg_grid_create(context, cells, zero, one, grid);
  if (!status)
    status =
      gmg_grid_set_boundary(*grid, GMG_Z_LO, round % 2 ? GMG_NEUMANN : GMG_DIRICHLET, 0, 0, 1);
  if (!status)
    status = gmg_solver_create(*grid, solver);
  if (!status)
    status = gmg_solver_set_choice(*solver, "cycle", cycle[round % 3]);
  if (!status)
    status = gmg_solver_set_option(*solver, "box", box[round / 3 % 2]);
  if (!status)
    status = gmg_solver_set_choice(*solver, "krylov", krylov[round / 6 % 2]);
  if (!status)
    status = set_beta(*solver, 0);
  return status ? status : gmg_solver_setup(*solver);
}

/* Dense arrays or every second value, in turns. */
static gmg_status solve_once(gmg_solver *solver, int round)
{
  const gmg_array right_side = cells_of(f, 1);
  gmg_array solution = cells_of(u, 1 + round % 2);
  gmg_result result;
  const gmg_status status =
    gmg_solver_solve(solver, &right_side, &solution, round % 3 == 2, &result);
  return !status && result.outcome != GMG_CONVERGED ? GMG_ERR_INTERNAL : status;
}

static int report(const char *what, int rounds, long grown, long long counted)
{
  printf("%d %s: the process grew by %ld bytes, the library's count by %lld\n", rounds, what, grown,
         counted);
  return grown > allowed_bytes || counted != 0;
}

static gmg_status solve_many(gmg_context *context, int solves, int *grew)
{
  gmg_grid *grid = NULL;
  gmg_solver *solver = NULL;
  gmg_array faces[3];
  long before = 0;
  int64_t count = 0;
  for (int d = 0; d < 3; d++)
    faces[d] = (gmg_array){flux[d], {1, N + 1, (N + 1) * (N + 1)}};
  gmg_status status = make(context, 0, &grid, &solver);
  for (int n = 0; n < solves && !status; n++) {
    if (n
        == solves / 10 + 2 - solves / 10 % 2) { /* an even round, as the last one is followed by */
      before = resident_bytes();
      count = gmg_solver_bytes(solver);
    }
    if (n % 100 == 50) {
      status = set_beta(solver, n);
      if (!status)
        status = gmg_solver_setup(solver);
    }
    if (!status)
      status = solve_once(solver, n);
    const gmg_array solution = cells_of(u, 1 + n % 2);
    if (!status)
      status = gmg_solver_fluxes(solver, &solution, &faces[0], &faces[1], &faces[2]);
  }
  *grew |= report("solves", solves, resident_bytes() - before,
                  (long long)(gmg_solver_bytes(solver) - count));
  gmg_solver_destroy(&solver);
  gmg_grid_destroy(&grid);
  return status;
}

static gmg_status make_many(int setups, int *grew)
{
  long before = 0;
  gmg_status status = GMG_OK;
  for (int n = 0; n < setups && !status; n++) {
    gmg_context *context = NULL;
    gmg_grid *grid = NULL;
    gmg_solver *solver = NULL;
    if (n == setups / 10 + 12)
      before = resident_bytes();
    status = gmg_context_create(1 + n % 2, &context);
    if (!status)
      status = make(context, n, &grid, &solver);
    if (!status)
      status = solve_once(solver, 0);
    if (status)
      printf("round %d: %s\n", n, gmg_context_message(context));
    gmg_solver_destroy(&solver);
    gmg_grid_destroy(&grid);
    gmg_context_destroy(&context);
  }
  *grew |= report("setups", setups, resident_bytes() - before, 0);
  return status;
}

int growth_check(int solves, int setups)
{
  gmg_context *context;
  int grew = 0;
  if (gmg_context_create(2, &context))
    return 1;
  for (int n = 0; n < CELLS; n++)
    f[n] = cos(0.2 * n);
  gmg_status status = solve_many(context, solves, &grew);
  if (status)
    printf("%s\n", gmg_context_message(context));
  gmg_context_destroy(&context);
  /* What leaks grows by as much each time; what malloc keeps of threads that ended does not. */
  int again = 1;
  for (int attempt = 0; attempt < 3 && again && !status; attempt++) {
    again = 0;
    status = make_many(setups, &again);
  }
  return status != GMG_OK || grew || again;
}
