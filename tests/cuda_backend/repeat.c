/* Solves on a GPU, again and again, against the same on the CPU: every one must have its bits, and
 * none may leave memory behind. Prints a line of JSON with the times.
 *
 *   repeat [--cells N] [--each] [--solves N] [--no-cpu] [--constant] [--periodic] [--times]
 *          [--way TEXT] [--chosen TEXT] [--in-passes N] [OPTION VALUE]...
 *     options are gmg's
 *     --each: N^3 cells a rank, along z, not in all
 *     --way: TEXT must be in what is said of how ghosts travel
 *     --chosen: TEXT must be how the GPU was chosen
 *     --in-passes: so many levels must have passes for both colours
 *
 *   repeat --large --cells N   N^3 values must be too many for a box on a GPU
 *
 *   repeat --full [--cells N]   fills the GPU's memory: then no solver may be had, twice with the
 *                               same sentence; and one again after it is freed
 *
 * sanitizers: no
 *
 * Exit status: 0 good, 1 bits differ, memory grows, ghosts travel, the GPU was chosen or levels run
 * otherwise, 2 something failed, 77 no GPU. */
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
  int cells, each, solves, no_cpu, constant, periodic, times, full, large, in_passes;
  int options;
  const char *option[32], *value[32], *way, *chosen;
} ask = {.cells = 32, .solves = 3, .in_passes = -1};

static gmg_context *context;
static gmg_grid *grid;
static int part_lower[3], part_upper[3];

static void check(gmg_status status, const char *what)
{
  if (status == GMG_OK)
    return;
  fprintf(stderr, "repeat: %s: %s\n", what, gmg_context_message(context));
  exit(2);
}

static size_t part_cells(void)
{
  size_t cells = 1;
  for (int d = 0; d < 3; d++)
    cells *= (size_t)(part_upper[d] - part_lower[d]);
  return cells;
}

static gmg_array dense(double *data)
{
  const ptrdiff_t ni = part_upper[0] - part_lower[0], nj = part_upper[1] - part_lower[1];
  return (gmg_array){data, {1, ni, ni * nj}};
}

/* A value between -1 and 1 that depends on the cell alone. */
static double noise(int i, int j, int k)
{
  uint64_t x = (uint64_t)i * 0x9E3779B97F4A7C15u;
  x = (x ^ x >> 29 ^ (uint64_t)j) * 0xBF58476D1CE4E5B9u;
  x = (x ^ x >> 31 ^ (uint64_t)k) * 0x94D049BB133111EBu;
  return (double)(x >> 11) / 4503599627370496.0 - 1;
}

static double smooth(int i, int j, int k)
{
  const double h = 6.28318530717958648 / ask.cells;
  return 1 + 0.5 * sin(h * (i + 0.5)) * cos(h * (j + 0.5)) * sin(2 * h * (k + 0.5));
}

static double *values_of(double (*value)(int i, int j, int k))
{
  double *data = malloc((part_cells() + 1) * sizeof *data);
  if (!data)
    exit(2);
  const int ni = part_upper[0] - part_lower[0], nj = part_upper[1] - part_lower[1];
#pragma omp parallel for
  for (int k = part_lower[2]; k < part_upper[2]; k++)
    for (int j = part_lower[1]; j < part_upper[1]; j++)
      for (int i = part_lower[0]; i < part_upper[0]; i++)
        data[((size_t)(k - part_lower[2]) * (size_t)nj + (size_t)(j - part_lower[1])) * (size_t)ni
             + (size_t)(i - part_lower[0])] = value(i, j, k);
  return data;
}

/* Setup's status is left to the caller where it is wanted. */
static gmg_solver *try_solver(const char *backend, gmg_status *status)
{
  gmg_solver *solver = NULL;
  check(gmg_solver_create(grid, &solver), "gmg_solver_create");
  if (!ask.constant) {
    double *beta = values_of(smooth);
    const gmg_array array = dense(beta);
    check(gmg_solver_set_coefficient(solver, GMG_BETA, &array), "beta");
    free(beta);
  }
  check(gmg_solver_set_option(solver, "backend", backend), "backend");
  for (int n = 0; n < ask.options; n++)
    check(gmg_solver_set_option(solver, ask.option[n], ask.value[n]), ask.option[n]);
  *status = gmg_solver_setup(solver);
  return solver;
}

static gmg_solver *make_solver(const char *backend)
{
  gmg_status status;
  gmg_solver *solver = try_solver(backend, &status);
  check(status, "gmg_solver_setup");
  return solver;
}

/* A box of more values than kernels for GPUs count: refused, with both numbers, before any memory
 * is asked for. */
static int run_large(void)
{
  gmg_solver *solver = NULL;
  gmg_memory_info memory;
  check(gmg_solver_create(grid, &solver), "gmg_solver_create");
  check(gmg_solver_set_option(solver, "backend", "cuda"), "backend");
  const gmg_status status = gmg_solver_predict(solver, 0, 0, &memory);
  const char *message = gmg_context_message(context);
  const int good = status == GMG_ERR_UNSUPPORTED && strstr(message, "more than the 2147483647");
  printf("{\"cells\": %d, \"message\": \"%s\", \"good\": %d}\n", ask.cells, status ? message : "",
         good);
  gmg_solver_destroy(&solver);
  return !good;
}

/* Too little memory on the GPU, and what is left behind then: nothing. */
static int run_full(void)
{
  enum { MOST = 100000 };
  static gmg_array taken[MOST];
  char message[2][600];
  gmg_status status[3];
  int arrays = 0;
  gmg_solver *first = make_solver("cuda"), *solver;
  while (arrays < MOST && gmg_solver_array_create(first, &taken[arrays]) == GMG_OK)
    arrays++;
  for (int n = 0; n < 2; n++) {
    solver = try_solver("cuda", &status[n]);
    snprintf(message[n], sizeof message[n], "%s", gmg_context_message(context));
    gmg_solver_destroy(&solver);
  }
  for (int n = 0; n < arrays; n++)
    gmg_solver_array_destroy(first, &taken[n]);
  solver = try_solver("cuda", &status[2]);
  const int good = status[0] == GMG_ERR_MEMORY && status[1] == GMG_ERR_MEMORY && status[2] == GMG_OK
    && strcmp(message[0], message[1]) == 0;
  printf("{\"cells\": %d, \"arrays\": %d, \"message\": \"%s\", \"again\": \"%s\", \"cycles\": "
         "\"none\", \"good\": %d}\n",
         ask.cells, arrays, message[0], message[1], good);
  gmg_solver_destroy(&solver);
  gmg_solver_destroy(&first);
  return !good;
}

/* What a solve gave. */
struct outcome {
  int cycles;
  double seconds, cycle_seconds; /* of the solve, and of its fastest cycle */
  double setup_seconds;
  double residual;
  double history[1001];
};

static struct outcome solve(gmg_solver *solver, const gmg_array *f, gmg_array *u)
{
  gmg_result result;
  struct outcome outcome = {.cycle_seconds = INFINITY};
  check(gmg_solver_solve(solver, f, u, 0, &result), "gmg_solver_solve");
  outcome.cycles = result.cycles < 1000 ? result.cycles : 1000;
  outcome.seconds = result.solve_seconds;
  outcome.setup_seconds = result.setup_seconds;
  outcome.residual = result.relative_residual;
  for (int c = 0; c <= outcome.cycles; c++) {
    outcome.history[c] = result.residual_history[c];
    const double seconds = c ? result.seconds_history[c] - result.seconds_history[c - 1] : INFINITY;
    outcome.cycle_seconds = fmin(outcome.cycle_seconds, seconds);
  }
  return outcome;
}

static double largest(double value)
{
#if GMG_WITH_MPI
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
#endif
  return value;
}

static int differs(const struct outcome *a, const struct outcome *b)
{
  return a->cycles != b->cycles
    || memcmp(a->history, b->history, (size_t)(a->cycles + 1) * sizeof *a->history) != 0;
}

/* The levels' kernels by time, where they were timed. */
static void print_times(const gmg_solver *solver)
{
  printf(", \"levels\": [");
  for (int l = 0; l < gmg_solver_levels(solver); l++) {
    gmg_level_info level;
    gmg_solver_level_info(solver, l, &level);
    printf("%s{\"cells\": [%d, %d, %d], \"backend\": \"%s\", \"tail\": %d, \"kernels\": [",
           l ? ", " : "", level.cells[0], level.cells[1], level.cells[2], level.backend,
           level.tail);
    for (int n = 0, printed = 0; n < gmg_solver_kernels(solver, l); n++) {
      gmg_kernel_info kernel;
      gmg_solver_kernel_info(solver, l, n, &kernel);
      if (kernel.calls > 0 && kernel.seconds > 0)
        printf("%s{\"name\": \"%s\", \"calls\": %lld, \"microseconds\": %.3f, "
               "\"gigabytes_per_second\": %.1f}",
               printed++ ? ", " : "", kernel.name, (long long)kernel.calls,
               1e6 * kernel.seconds / (double)kernel.calls, 1e-9 * kernel.bytes / kernel.seconds);
    }
    printf("]}");
  }
  printf("]");
}

static int levels_in_passes(const gmg_solver *solver)
{
  int count = 0;
  for (int l = 0; l < gmg_solver_levels(solver); l++) {
    gmg_level_info level;
    gmg_solver_level_info(solver, l, &level);
    count += strcmp(level.backend, "cuda") == 0 && !level.unfused_reason;
  }
  return count;
}

static int run(void)
{
  double *right_side = values_of(noise), *expected = NULL,
         *found = malloc((part_cells() + 1) * sizeof *found);
  const gmg_array f = dense(right_side);
  gmg_array u = dense(found), d_f, d_u;
  static struct outcome cpu, gpu, best;
  double first_seconds = 0;
  if (!ask.no_cpu) {
    expected = malloc((part_cells() + 1) * sizeof *expected);
    gmg_array want = dense(expected);
    gmg_solver *solver = make_solver("openmp");
    cpu = solve(solver, &f, &want);
    gmg_solver_destroy(&solver);
  }
  gmg_solver *solver = make_solver("cuda");
  check(gmg_solver_array_create(solver, &d_f), "an array on the device");
  check(gmg_solver_array_create(solver, &d_u), "an array on the device");
  check(gmg_solver_array_copy(solver, &f, &d_f), "f to the device");
  gmg_backend_info first, last;
  int bad = 0;
  int64_t bytes = 0;
  for (int n = 0; n < ask.solves; n++) {
    gpu = solve(solver, &d_f, &d_u);
    if (n == 0)
      first_seconds = gpu.seconds;
    if (n == 0 || gpu.seconds < best.seconds)
      best.seconds = gpu.seconds;
    if (n == 0 || gpu.cycle_seconds < best.cycle_seconds)
      best.cycle_seconds = gpu.cycle_seconds;
    check(gmg_solver_array_copy(solver, &d_u, &u), "u from the device");
    if (!ask.no_cpu)
      bad |= differs(&cpu, &gpu) | 2 * (memcmp(expected, found, part_cells() * sizeof *found) != 0);
    gmg_solver_backend(solver, n == 0 ? &first : &last);
    if (n == 0)
      bytes = gmg_solver_bytes(solver);
  }
  if (ask.solves > 1 && (first.memory.now != last.memory.now || gmg_solver_bytes(solver) != bytes))
    bad |= 4;
  if (ask.way && !strstr(first.exchanges, ask.way))
    bad |= 8;
  if (ask.chosen && strcmp(first.chosen, ask.chosen) != 0)
    bad |= 8;
  const int in_passes = levels_in_passes(solver);
  if (ask.in_passes >= 0 && gmg_context_rank(context) == 0 && in_passes != ask.in_passes)
    bad |= 8;
  bad = (int)largest(bad);
  const double cells = (double)ask.cells * ask.cells * ask.cells
    * (ask.each ? gmg_context_ranks(context) : 1),
               seconds = largest(best.seconds);
  if (gmg_context_rank(context) == 0) {
    printf("{\"cells\": %d, \"ranks\": %d, \"options\": \"", ask.cells, gmg_context_ranks(context));
    for (int n = 0; n < ask.options; n++)
      printf("%s%s=%s", n ? " " : "", ask.option[n], ask.value[n]);
    printf("\", \"coefficients\": \"%s\", \"device\": \"%s\", \"chosen\": \"%s\", \"exchanges\": "
           "\"%s\", \"cycles\": %d, \"relative_residual\": "
           "%.3e, \"setup_seconds\": %.3f, \"first_seconds\": %.6f, \"solve_seconds\": %.6f, "
           "\"cycle_milliseconds\": %.4f, \"million_unknowns_per_second\": %.1f, "
           "\"device_bytes_per_unknown\": %.2f, \"levels_in_passes\": %d, \"bits\": \"%s\", "
           "\"memory\": \"%s\", \"solves\": %d, "
           "\"attach_seconds\": %.2f, \"compiled\": %d, \"cached\": %d",
           ask.constant ? "constant" : "variable", first.device, first.chosen, first.exchanges,
           gpu.cycles, gpu.residual, gpu.setup_seconds, first_seconds, seconds,
           1e3 * best.cycle_seconds, 1e-6 * cells / seconds,
           (double)first.memory.peak / (double)part_cells(), in_passes,
           ask.no_cpu  ? "not compared"
             : bad & 1 ? "the history differs"
             : bad & 2 ? "the solution differs"
                       : "the CPU's",
           bad & 4 ? "grows" : "constant", ask.solves, first.attach_seconds, first.compiled,
           first.cached);
    if (ask.times)
      print_times(solver);
    printf("}\n");
  }
  gmg_solver_array_destroy(solver, &d_f);
  gmg_solver_array_destroy(solver, &d_u);
  gmg_solver_destroy(&solver);
  free(right_side);
  free(expected);
  free(found);
  return bad != 0;
}

static void parse(int count, char **words)
{
  for (int n = 1; n < count; n++) {
    const char *next = n + 1 < count ? words[n + 1] : "";
    if (strcmp(words[n], "--cells") == 0)
      ask.cells = atoi(next), n++;
    else if (strcmp(words[n], "--each") == 0)
      ask.each = 1;
    else if (strcmp(words[n], "--solves") == 0)
      ask.solves = atoi(next), n++;
    else if (strcmp(words[n], "--no-cpu") == 0)
      ask.no_cpu = 1;
    else if (strcmp(words[n], "--constant") == 0)
      ask.constant = 1;
    else if (strcmp(words[n], "--periodic") == 0)
      ask.periodic = 1;
    else if (strcmp(words[n], "--large") == 0)
      ask.large = 1;
    else if (strcmp(words[n], "--full") == 0)
      ask.full = 1;
    else if (strcmp(words[n], "--way") == 0)
      ask.way = next, n++;
    else if (strcmp(words[n], "--chosen") == 0)
      ask.chosen = next, n++;
    else if (strcmp(words[n], "--in-passes") == 0)
      ask.in_passes = atoi(next), n++;
    else if (strcmp(words[n], "--times") == 0)
      ask.times = 1;
    else if (ask.options < 32)
      ask.option[ask.options] = words[n], ask.value[ask.options++] = next, n++;
  }
}

int main(int count, char **words)
{
  int status = 77, found = 0;
  parse(count, words);
#if GMG_WITH_MPI
  MPI_Init(&count, &words);
  if (gmg_context_create_mpi(MPI_COMM_WORLD, 0, &context))
    return 2;
#else
  if (gmg_context_create(0, &context))
    return 2;
#endif
  const char *device = gmg_context_device(context, &found);
  if (!found && gmg_context_rank(context) == 0)
    printf("skipped: %s\n", device);
  if (found) {
    const int ranks = ask.each ? gmg_context_ranks(context) : 1;
    const int cells[3] = {ask.cells, ask.cells, ranks * ask.cells};
    const double lower[3] = {0}, upper[3] = {1, 1, ranks};
    check(gmg_grid_create(context, cells, lower, upper, &grid), "the grid");
    for (int side = 0; side < 6 && ask.periodic; side++)
      check(gmg_grid_set_boundary(grid, (gmg_side)side, GMG_PERIODIC, 0, 0, 0), "the sides");
    gmg_grid_part(grid, part_lower, part_upper);
    status = ask.large ? run_large() : ask.full ? run_full() : run();
  }
  gmg_grid_destroy(&grid);
  gmg_context_destroy(&context);
#if GMG_WITH_MPI
  MPI_Finalize();
#endif
  return status;
}
