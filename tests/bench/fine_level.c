/* What one V(2,2) costs on the finest level: interpolation, two iterations after the coarse
 * correction and two before the next one, and the restriction of the residual with its norm.
 * Target bench-fine-level.
 *
 * usage: fine-level [--cells N] [--repeats R] [--problem constant|variable] [--precision
 * double|mixed]
 *
 * Per problem (−Δu = f; u − ∇·(β∇u) = f, β a smooth step from 1 to 10) and precision of the
 * cycles, in ns per fine cell, the minimum and the median of R turns:
 *   pass    all of it, as a solve runs it
 *   stage   a kernel by its share of the pass; alone, over all of memory; and from cache, each
 *           thread on a few rows of its own
 * and compulsory bytes per fine cell: each field that is read, once, and each that is written,
 * once. */
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cycle/cycle.h"
#include "system/threads.h"
#include "problem/solver.h"
#include "cycle/smooth.h"
#include "cycle/transfer.h"

enum { MOST_STAGES = 8, MOST_REPEATS = 64, MOST_SEEN = 64 };

struct request {
  int cells, repeats;
  const char *problem, *precision; /* NULL: both */
};

struct stage {
  const char *name;
  struct gmg_call *call;
  int calls; /* in a pass */
};

static void check(gmg_context *context, gmg_status status)
{
  if (!status)
    return;
  fprintf(stderr, "fine-level: %s\n", gmg_context_message(context));
  exit(2);
}

static double distance(double x, double y, double z)
{
  return sqrt((x - 0.5) * (x - 0.5) + (y - 0.5) * (y - 0.5) + (z - 0.5) * (z - 0.5));
}

static gmg_solver *make_solver(gmg_context *context, int n, int variable, const char *precision)
{
  const int cells[3] = {n, n, n};
  const double lower[3] = {0, 0, 0}, upper[3] = {1, 1, 1};
  gmg_grid *grid = NULL;
  gmg_solver *solver = NULL;
  check(context, gmg_grid_create(context, cells, lower, upper, &grid));
  check(context, gmg_solver_create(grid, &solver));
  gmg_grid_destroy(&grid);
  check(context, gmg_solver_set_option(solver, "precision", precision));
  check(context, gmg_solver_set_option(solver, "interpolation", "linear"));
  double *beta = variable ? malloc((size_t)n * (size_t)n * (size_t)n * sizeof *beta) : NULL;
  if (variable && !beta) {
    fprintf(stderr, "fine-level: out of memory for %d cubed cells\n", n);
    exit(3);
  }
#pragma omp parallel for
  for (int k = 0; k < (beta ? n : 0); k++)
    for (int j = 0; j < n; j++)
      for (int i = 0; i < n; i++)
        beta[((size_t)k * (size_t)n + (size_t)j) * (size_t)n + (size_t)i] =
          5.5 + 4.5 * tanh(10 * (distance((i + 0.5) / n, (j + 0.5) / n, (k + 0.5) / n) - 0.25));
  if (beta) {
    const gmg_array values = {beta, {1, n, (ptrdiff_t)n * n}};
    check(context, gmg_solver_set_equation(solver, 1, 1));
    check(context, gmg_solver_set_coefficient(solver, GMG_BETA, &values));
  }
  check(context, gmg_solver_setup(solver));
  free(beta);
  return solver;
}

static void start(gmg_solver *solver)
{
  for (int l = 0; l < 2; l++) {
    gmg_fill_noise(solver->hierarchy.level[l].level,
                   gmg_level_find(solver->hierarchy.level[l].level, GMG_NAME_U)->box);
    gmg_fill_noise(solver->hierarchy.level[l].level,
                   gmg_level_find(solver->hierarchy.level[l].level, GMG_NAME_F)->box);
  }
}

/* As a cycle that ends with the next one's way down (solver/method/solve.c). Returns seconds. */
static double run_pass(gmg_solver *solver)
{
  double most;
  struct gmg_reducer *norm = solver->hierarchy.precision == GMG_F64
    ? &solver->hierarchy.norm
    : &solver->hierarchy.level[0].norm;
  const double begin = gmg_seconds();
  gmg_interpolate(&solver->hierarchy, 0);
  gmg_smooth_after(&solver->hierarchy, 0);
  gmg_cycle_down(&solver->hierarchy, 0, norm, 0);
  gmg_reduce(norm, &most);
  return gmg_seconds() - begin;
}

static double run_alone(struct gmg_call *call, int first)
{
  static const double cut[GMG_SUM_BINS] = {0x1.8p60, 0x1.8p20};
  struct gmg_reduction total;
  const double begin = gmg_seconds();
  gmg_call_set(call, GMG_SCALAR_COLOUR, first);
  gmg_call_reduce_begin(call, cut);
  gmg_call_reduce_end(call, &total);
  return gmg_seconds() - begin;
}

/* Two planes of some rows per thread, away from walls: u, f and the coefficients around them stay
 * in its second-level cache. */
static double run_in_cache(struct gmg_call *call, double *cells)
{
  enum { ROWS = 8, PLANES = 2, TURNS = 100 };
  static const double cut[GMG_SUM_BINS] = {0x1.8p60, 0x1.8p20};
  const int threads = call->level->threads;
  struct gmg_reduction total;
  gmg_call_set(call, GMG_SCALAR_COLOUR, 0);
  gmg_call_reduce_begin(call, cut); /* sets the cuts */
  gmg_call_reduce_end(call, &total);
  double seconds = 0;
#pragma omp parallel num_threads(threads)
  {
    const int thread = omp_get_thread_num(),
              plane = call->level->box[0].cells[2] * thread / threads + 4;
    const struct gmg_tile tile = {0, ROWS, 2 * ROWS, plane, plane + PLANES, NULL};
    for (int turn = 0; turn <= TURNS; turn++) {
      if (turn == 1) {
#pragma omp barrier
#pragma omp master
        seconds = -gmg_seconds();
      }
      call->kernel->run_tile(&call->args, &tile, thread);
    }
#pragma omp barrier
#pragma omp master
    seconds += gmg_seconds();
  }
  *cells = (double)ROWS * PLANES * TURNS * threads * call->level->box[0].cells[0];
  return seconds;
}

static int by_value(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

static void print_times(double *seconds, int count, double cells)
{
  qsort(seconds, (size_t)count, sizeof *seconds, by_value);
  printf(" %8.3f %8.3f", 1e9 * seconds[0] / cells, 1e9 * seconds[count / 2] / cells);
}

/* Bytes per cell of the finest level of all fields that the stages read or write, each counted once
 * either way. */
static double count_bytes(const struct stage *stage, int stages, const struct gmg_level *finest)
{
  struct {
    const void *field;
    int read, written;
  } seen[MOST_SEEN];
  int fields = 0;
  double bytes = 0;
  for (int s = 0; s < stages; s++)
    for (int f = 0; f < stage[s].call->kernel->fields; f++) {
      const struct gmg_call *call = stage[s].call;
      const struct gmg_field_descriptor *field = &call->kernel->field[f];
      if (field->kind != GMG_FIELD)
        continue;
      int at = 0;
      while (at < fields && seen[at].field != call->args.field[f])
        at++;
      if (at == fields)
        seen[fields++].field = call->args.field[f], seen[at].read = seen[at].written = 0;
      const struct gmg_level *level = field->level == GMG_OWN ? call->level : call->other;
      const double each = (field->precision == GMG_F64 ? 8.0 : 4.0) * (double)level->local_cells
        / (double)finest->local_cells;
      bytes += each * ((field->read && !seen[at].read) + (field->written && !seen[at].written));
      seen[at].read |= field->read;
      seen[at].written |= field->written;
    }
  return bytes;
}

static void measure(gmg_context *context, const struct request *request, int variable,
                    const char *precision)
{
  gmg_solver *solver = make_solver(context, request->cells, variable, precision);
  struct gmg_cycle_level *level = &solver->hierarchy.level[0];
  const double cells = (double)level->level->local_cells;
  const int sweeps =
    (solver->problem.options.pre + solver->problem.options.post) * solver->problem.op->colours;
  struct stage stage[MOST_STAGES] = {{"interpolation", level->interpolation, 1},
                                     {"half-sweep", level->smooth[0], sweeps},
                                     {"restriction", level->restrict_norm, 1}};
  const int stages = 3;
  double seconds[MOST_REPEATS], share[MOST_STAGES] = {0};
  start(solver);
  run_pass(solver);
  for (int s = 0; s < stages; s++)
    share[s] = -stage[s].call->stat->seconds;
  for (int r = 0; r < request->repeats; r++)
    seconds[r] = run_pass(solver);
  for (int s = 0; s < stages; s++)
    share[s] = (share[s] + stage[s].call->stat->seconds) / request->repeats;
  printf("%s, %s: %d³ cells, %d threads, %s, %.0f bytes per cell compulsory\n",
         variable ? "variable" : "constant", precision, request->cells, level->level->threads,
         gmg_context_isa(context), count_bytes(stage, stages, level->level));
  printf("  pass            ");
  print_times(seconds, request->repeats, cells);
  printf("  (ms: %.1f)\n", 1e3 * seconds[0]);
  printf("  %-15s %6s %8s %8s %8s %8s %8s\n", "stage", "calls", "in pass", "alone", "median",
         "cached", "bytes");
  for (int s = 0; s < stages; s++) {
    struct gmg_call *call = stage[s].call;
    for (int r = 0; r < request->repeats; r++)
      seconds[r] = run_alone(call, r % 2);
    printf("  %-15s %6d %8.3f", stage[s].name, stage[s].calls, 1e9 * share[s] / cells);
    print_times(seconds, request->repeats, cells);
    double visited = 1, best = INFINITY;
    for (int r = 0; r < request->repeats; r++)
      best = fmin(best, run_in_cache(call, &visited));
    printf(" %8.3f %8.1f\n", 1e9 * best / visited * (double)call->level->local_cells / cells,
           count_bytes(&stage[s], 1, level->level));
  }
  gmg_solver_destroy(&solver);
}

static int read_request(int count, char **word, struct request *request)
{
  for (int n = 1; n < count; n += 2) {
    const char *value = n + 1 < count ? word[n + 1] : "";
    if (strcmp(word[n], "--cells") == 0)
      request->cells = atoi(value);
    else if (strcmp(word[n], "--repeats") == 0)
      request->repeats = atoi(value);
    else if (strcmp(word[n], "--problem") == 0)
      request->problem = value;
    else if (strcmp(word[n], "--precision") == 0)
      request->precision = value;
    else
      return -1;
  }
  return request->cells < 32 || request->repeats < 1 || request->repeats > MOST_REPEATS ? -1 : 0;
}

int main(int count, char **word)
{
  static const char *const problem[] = {"constant", "variable"},
                           *const precision[] = {"double", "mixed"};
  struct request request = {.cells = 256, .repeats = 7};
  if (read_request(count, word, &request)) {
    fprintf(stderr,
            "usage: %s [--cells N] [--repeats R] [--problem constant|variable] [--precision "
            "double|mixed]\n",
            word[0]);
    return 2;
  }
  gmg_context *context = NULL;
  if (gmg_context_create(0, &context)) {
    fprintf(stderr, "fine-level: no context\n");
    return 3;
  }
  for (int v = 0; v < 2; v++)
    for (int p = 0; p < 2; p++)
      if ((!request.problem || strcmp(request.problem, problem[v]) == 0)
          && (!request.precision || strcmp(request.precision, precision[p]) == 0))
        measure(context, &request, v, precision[p]);
  gmg_context_destroy(&context);
  return 0;
}
