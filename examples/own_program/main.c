/* A program of one's own in an application: a plate, of which two sides are held at 1 and 0,
 *
 *   ∂u/∂t = κ ∇²u   on the unit square,   u = 1 at x = 0,   u = 0 at x = 1,
 *
 * with no flow through the other two, on any number of ranks, four steps per exchange; on a GPU for
 * each of them with the argument `cuda`. The steps are those of examples/programs/heat2d.stencil,
 * which the build has compiled (gmg_add_program), as is the sum of all u. Exact: u tends to 1 - x,
 * whose sum is half the number of cells. */
#if WITH_MPI
#include <mpi.h>
#endif
#include <gmg_program.h>
#include <math.h>
#include <stdio.h>

GMG_PROGRAM(heat2d);

enum { CELLS = 32, STEPS = 3000, ROUNDS = 5 };
static const double MOST_ERROR = 1e-8;

static int failed(gmg_context *context, gmg_status status)
{
  if (status)
    fprintf(stderr, "own_program: %s\n", context ? gmg_context_message(context) : "no context");
  return status != GMG_OK;
}

/* The largest |u - (1 - x)|, over all ranks: u comes in an array of this rank's rows. */
static double error_of(gmg_program *program, const gmg_grid *grid)
{
  static double values[CELLS * CELLS];
  gmg_array u = {values, {1, CELLS, CELLS * CELLS}};
  int lower[3], upper[3];
  double most = 0;
  gmg_grid_part(grid, lower, upper);
  if (gmg_program_store(program, "u", &u))
    return INFINITY;
  for (int n = 0; n < (upper[1] - lower[1]) * (upper[2] - lower[2]) * CELLS; n++)
    most = fmax(most, fabs(values[n] - (1 - (n % CELLS + 0.5) / CELLS)));
#if WITH_MPI
  MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
#endif
  return most;
}

/* Starts from u = y, which no formula of the file says. */
static gmg_status start(gmg_program *program, const gmg_grid *grid)
{
  static double values[CELLS];
  int lower[3], upper[3];
  gmg_grid_part(grid, lower, upper);
  for (int j = lower[1]; j < upper[1]; j++)
    values[j - lower[1]] = (j + 0.5) / CELLS;
  const gmg_array y = {values, {0, 1, 0}};
  const gmg_status status = gmg_program_begin(program);
  return status ? status : gmg_program_load(program, "u", &y);
}

/* Each rank hands over its share of rows. */
static gmg_status share_rows(gmg_grid *grid, int rank, int ranks)
{
  const int lower[3] = {0, CELLS * rank / ranks, 0},
            upper[3] = {CELLS, CELLS * (rank + 1) / ranks, 1};
  return gmg_grid_set_part(grid, lower, upper);
}

/* On a GPU, or where the word says. */
static gmg_status place(gmg_program *program, const char *backend)
{
  const gmg_status status = gmg_program_set_option(program, "backend", backend);
  return status ? status : gmg_program_place(program);
}

static int run(gmg_context *context, const char *backend)
{
  const int cells[3] = {CELLS, CELLS, 1}, rank = gmg_context_rank(context),
            ranks = gmg_context_ranks(context);
  const double lower[3] = {0, 0, 0}, upper[3] = {1, 1, 1};
  gmg_grid *grid = NULL;
  gmg_program *program = NULL;
  double error = INFINITY, heat = INFINITY;
  int bad = failed(context, gmg_grid_create(context, cells, lower, upper, &grid))
    || failed(context, share_rows(grid, rank, ranks))
    || failed(context, gmg_program_create(grid, heat2d_program, 0, 4, &program))
    || failed(context, place(program, backend))
    || failed(context, gmg_program_set(program, "r", 0.24))
    || failed(context, start(program, grid));
  for (int n = 1; n <= ROUNDS && !bad; n++) {
    bad = failed(context, gmg_program_run(program, STEPS));
    bad = bad || failed(context, gmg_program_value(program, "heat", &heat));
    error = error_of(program, grid);
    if (rank == 0)
      printf("after %5d steps u is %.2e from 1 - x, its sum %.2e from %d\n", n * STEPS, error,
             fabs(heat - CELLS * CELLS / 2), CELLS * CELLS / 2);
  }
  gmg_program_destroy(&program);
  gmg_grid_destroy(&grid);
  return bad || !(error < MOST_ERROR) || !(fabs(heat / (CELLS * CELLS / 2) - 1) < MOST_ERROR);
}

int main(int count, char **words)
{
  gmg_context *context = NULL;
  const char *backend = count > 1 ? words[1] : "openmp";
#if WITH_MPI
  int provided;
  MPI_Init_thread(&count, &words, MPI_THREAD_FUNNELED, &provided);
  int bad = failed(NULL, gmg_context_create_mpi(MPI_COMM_WORLD, 0, &context));
#else
  int bad = failed(NULL, gmg_context_create(0, &context));
#endif
  bad = bad || run(context, backend);
  gmg_context_destroy(&context);
#if WITH_MPI
  MPI_Finalize();
#endif
  return bad;
}
