/* A program outside the tree: - ∇·∇u = f on the unit cube, u = 0 on its surface, with a
 * decomposition of its own. f = 3 π² u for the exact solution u = sin πx sin πy sin πz. Parts: a
 * slab in x, and the rest cut in y among the other ranks. Exit status 0: converged, and the largest
 * error is below 1e-3 (to leading order it is π² h² / 12 = 8.0e-4). */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include <gmg.h>

enum { N = 32 };

static const double pi = 3.14159265358979323846;

static void my_part(int rank, int ranks, int lower[3], int upper[3])
{
  lower[0] = lower[1] = lower[2] = 0;
  upper[0] = upper[1] = upper[2] = N;
  if (ranks == 1)
    return;
  lower[0] = rank ? 12 : 0;
  upper[0] = rank ? N : 12;
  if (rank) {
    lower[1] = N * (rank - 1) / (ranks - 1);
    upper[1] = N * rank / (ranks - 1);
  }
}

static double exact(const int lower[3], int i, int j, int k)
{
  return sin(pi * (lower[0] + i + 0.5) / N) * sin(pi * (lower[1] + j + 0.5) / N)
    * sin(pi * (lower[2] + k + 0.5) / N);
}

static int solve(gmg_context *context, double *most)
{
  const int cells[3] = {N, N, N};
  const double zero[3] = {0, 0, 0}, one[3] = {1, 1, 1};
  int lower[3], upper[3];
  gmg_grid *grid = NULL;
  gmg_solver *solver = NULL;
  gmg_result result = {.outcome = GMG_STALLED};
  my_part(gmg_context_rank(context), gmg_context_ranks(context), lower, upper);
  const int ni = upper[0] - lower[0], nj = upper[1] - lower[1], nk = upper[2] - lower[2];
  double *f = malloc(sizeof *f * (size_t)(ni * nj * nk)),
         *u = malloc(sizeof *u * (size_t)(ni * nj * nk));
  for (int k = 0; k < nk; k++)
    for (int j = 0; j < nj; j++)
      for (int i = 0; i < ni; i++)
        f[i + ni * (j + nj * k)] = 3 * pi * pi * exact(lower, i, j, k);
  const gmg_array right_side = {f, {1, ni, ni * nj}};
  gmg_array solution = {u, {1, ni, ni * nj}};
  gmg_status status = gmg_grid_create(context, cells, zero, one, &grid);
  if (!status)
    status = gmg_grid_set_part(grid, lower, upper);
  if (!status)
    status = gmg_solver_create(grid, &solver);
  if (!status)
    status = gmg_solver_setup(solver);
  if (!status)
    status = gmg_solver_solve(solver, &right_side, &solution, 0, &result);
  if (status)
    printf("%s: %s\n", gmg_status_text(status), gmg_context_message(context));
  *most = 0;
  for (int k = 0; k < nk && !status; k++)
    for (int j = 0; j < nj; j++)
      for (int i = 0; i < ni; i++)
        *most = fmax(*most, fabs(u[i + ni * (j + nj * k)] - exact(lower, i, j, k)));
  const int good = !status && result.outcome == GMG_CONVERGED;
  if (good && gmg_context_rank(context) == 0)
    printf("%s\n", result.reason);
  gmg_solver_destroy(&solver);
  gmg_grid_destroy(&grid);
  free(f);
  free(u);
  return good;
}

int main(int argc, char **argv)
{
  MPI_Init(&argc, &argv);
  gmg_context *context = NULL;
  double most = 0;
  int good = gmg_context_create_mpi(MPI_COMM_WORLD, 1, &context) == GMG_OK && solve(context, &most);
  MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  good = good && most < 1e-3;
  if (context && gmg_context_rank(context) == 0)
    printf("%d ranks, largest error %.3e: %s\n", gmg_context_ranks(context), most,
           good ? "good" : "wrong");
  gmg_context_destroy(&context);
  MPI_Finalize();
  return good ? 0 : 1;
}
