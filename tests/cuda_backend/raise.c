/* Solves on a GPU that single precision is too low for, and that therefore go on in double, among
 * others: every one must have the bits of the same on the CPU, and a solver whose precision was
 * raised those of a second solve, and of one with other coefficients. Prints a line for each, and
 * how many went from single to double, and how many did not.
 *
 *   raise [--cells N] [--few] [--long] [--every N]
 *     --few: one cycle and Krylov method each; --long: all precisions, cycles and methods;
 *     --every: one of so many
 *
 * Exit status: 0 good, 1 bits differ or there are none of a kind, 2 something failed, 77 no GPU. */
#include "config.h"

#if GMG_WITH_MPI
#include <mpi.h>
#endif

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gmg.h"

static gmg_context *context;
static int cells = 20, raised, kept, bad;

static void check(gmg_status status, const char *what)
{
  if (status == GMG_OK)
    return;
  fprintf(stderr, "raise: %s: %s\n", what, gmg_context_message(context));
  exit(2);
}

/* A solve's settings: β is `ratio` in a ball around a corner of the box, which walls cut, and 1
 * outside. */
struct setting {
  double ratio;
  const char *precision, *krylov, *cycle;
};

/* What three solves of one solver gave: two alike, and one with a gentler β. */
enum { SOLVES = 3, MOST_CYCLES = 60 };
struct answer {
  gmg_result result[SOLVES];
  double history[SOLVES][MOST_CYCLES + 1];
  double *u[SOLVES];
  int raised; /* in the first solve */
};

static size_t count(void)
{
  return (size_t)cells * (size_t)cells * (size_t)cells;
}

static double *make(void)
{
  double *values = malloc(count() * sizeof *values);
  if (!values)
    exit(2);
  return values;
}

static void fill_beta(double *beta, double ratio)
{
  const double middle = 0.4 * cells, radius = 0.3 * cells;
  for (size_t n = 0; n < count(); n++) {
    const double x = (double)(n % (size_t)cells) - middle,
                 y = (double)(n / (size_t)cells % (size_t)cells) - middle,
                 z = (double)(n / (size_t)cells / (size_t)cells) - middle;
    beta[n] = x * x + y * y + z * z < radius * radius ? ratio : 1;
  }
}

static int went_to_double(const gmg_solver *solver)
{
  for (int n = 0; gmg_solver_fallback(solver, n); n++)
    if (strstr(gmg_solver_fallback(solver, n), "where single precision"))
      return 1;
  return 0;
}

static void run(gmg_grid *grid, const struct setting *setting, const char *backend, double *beta,
                double *f, struct answer *answer)
{
  const ptrdiff_t n = cells;
  const gmg_array betas = {beta, {1, n, n * n}}, right_side = {f, {1, n, n * n}};
  gmg_solver *solver;
  check(gmg_solver_create(grid, &solver), "gmg_solver_create");
  check(gmg_solver_set_option(solver, "backend", backend), "backend");
  check(gmg_solver_set_option(solver, "precision", setting->precision), "precision");
  check(gmg_solver_set_option(solver, "krylov", setting->krylov), "krylov");
  check(gmg_solver_set_option(solver, "cycle", setting->cycle), "cycle");
  check(gmg_solver_set_integer(solver, "max-cycles", MOST_CYCLES), "max-cycles");
  check(gmg_solver_set_option(solver, "coarse", "gpu"), "coarse");
  for (int turn = 0; turn < SOLVES; turn++) {
    if (turn != 1) {
      fill_beta(beta, turn ? sqrt(setting->ratio) : setting->ratio);
      check(gmg_solver_set_coefficient(solver, GMG_BETA, &betas), "beta");
      check(gmg_solver_setup(solver), "gmg_solver_setup");
    }
    answer->u[turn] = make();
    gmg_array u = {answer->u[turn], {1, n, n * n}};
    check(gmg_solver_solve(solver, &right_side, &u, 0, &answer->result[turn]), "gmg_solver_solve");
    memcpy(answer->history[turn], answer->result[turn].residual_history,
           sizeof(double) * (size_t)(answer->result[turn].cycles + 1));
    if (turn == 0)
      answer->raised = went_to_double(solver);
  }
  gmg_solver_destroy(&solver);
}

static int same(const struct answer *a, const struct answer *b)
{
  int same = a->raised == b->raised;
  for (int n = 0; n < SOLVES; n++)
    same = same && a->result[n].cycles == b->result[n].cycles
      && a->result[n].outcome == b->result[n].outcome
      && memcmp(a->history[n], b->history[n], sizeof(double) * (size_t)(a->result[n].cycles + 1))
        == 0
      && memcmp(a->u[n], b->u[n], count() * sizeof(double)) == 0;
  return same;
}

static void compare(gmg_grid *grid, const struct setting *setting, double *beta, double *f)
{
  struct answer cpu, gpu;
  memset(&cpu, 0, sizeof cpu);
  memset(&gpu, 0, sizeof gpu);
  run(grid, setting, "openmp", beta, f, &cpu);
  run(grid, setting, "cuda", beta, f, &gpu);
  const int good = same(&cpu, &gpu);
  raised += gpu.raised;
  kept += !gpu.raised;
  bad += !good;
  printf(
    "%d^3, ratio %g, %s, krylov %s, cycle %s: %s after %d cycles, %s after %d, %s after %d%s%s\n",
    cells, setting->ratio, setting->precision, setting->krylov, setting->cycle,
    gmg_outcome_text(gpu.result[0].outcome), gpu.result[0].cycles,
    gmg_outcome_text(gpu.result[1].outcome), gpu.result[1].cycles,
    gmg_outcome_text(gpu.result[2].outcome), gpu.result[2].cycles,
    gpu.raised ? ", went to double" : "", good ? "" : ": NOT the CPU's bits");
  fflush(stdout);
  for (int n = 0; n < SOLVES; n++) {
    free(cpu.u[n]);
    free(gpu.u[n]);
  }
}

static int has_gpu(gmg_grid *grid)
{
  gmg_solver *solver;
  check(gmg_solver_create(grid, &solver), "gmg_solver_create");
  check(gmg_solver_set_option(solver, "backend", "cuda"), "backend");
  const gmg_status status = gmg_solver_setup(solver);
  gmg_solver_destroy(&solver);
  if (status != GMG_ERR_UNSUPPORTED)
    check(status, "gmg_solver_setup");
  return status == GMG_OK;
}

int main(int argc, char **argv)
{
  static const char *const precisions[] = {"mixed", "double", "auto"},
                           *const cycles[] = {"v", "w", "fmg"},
                           *const methods[] = {"auto", "none", "cg", "bicgstab"};
  static const double ratios[] = {1e2, 1e4, 1e6, 1e60};
  int few = 0, all = 0, every = 1, settings = 0;
  for (int n = 1; n < argc; n++) {
    few |= strcmp(argv[n], "--few") == 0;
    all |= strcmp(argv[n], "--long") == 0;
    if (strcmp(argv[n], "--cells") == 0 && n + 1 < argc)
      cells = atoi(argv[++n]);
    else if (strcmp(argv[n], "--every") == 0 && n + 1 < argc)
      every = atoi(argv[++n]);
  }
#if GMG_WITH_MPI
  MPI_Init(&argc, &argv);
#endif
  const int extent[3] = {cells, cells, cells};
  const double lower[3] = {0, 0, 0}, upper[3] = {1, 1, 1};
  gmg_grid *grid;
#if GMG_WITH_MPI
  const gmg_status status = gmg_context_create_mpi(MPI_COMM_SELF, 0, &context);
#else
  const gmg_status status = gmg_context_create(0, &context);
#endif
  check(status, "the context");
  check(gmg_grid_create(context, extent, lower, upper, &grid), "gmg_grid_create");
  check(gmg_grid_set_boundary(grid, GMG_Z_HI, GMG_DIRICHLET, 0, 0, 1.5), "gmg_grid_set_boundary");
  const int gpu = has_gpu(grid);
  double *beta = make(), *f = make();
  for (size_t n = 0; n < count(); n++)
    f[n] = 1;
  for (size_t r = 0; r < sizeof ratios / sizeof *ratios && gpu; r++)
    for (int p = 0; p < (all ? 3 : 1); p++)
      for (int m = 0; m < (few ? 1 : 4); m++)
        for (int c = few ? 2 : 0; c < 3; c++)
          if (settings++ % every == 0)
            compare(grid,
                    &(struct setting){ratios[r], precisions[p], methods[few ? 1 : m], cycles[c]},
                    beta, f);
  free(beta);
  free(f);
  gmg_grid_destroy(&grid);
  gmg_context_destroy(&context);
#if GMG_WITH_MPI
  MPI_Finalize();
#endif
  if (!gpu) {
    printf("skipped: no GPU\n");
    return 77;
  }
  printf("%d went from single to double, %d did not, %d not the CPU's bits\n", raised, kept, bad);
  return bad > 0 || raised == 0 || kept == 0;
}
