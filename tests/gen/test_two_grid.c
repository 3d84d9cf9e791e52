/* Local Fourier analysis of cycles on two grids against the solver's own cycles. Preconditions:
 * periodic grids whose coarse level LAPACK solves. What must vanish: the distance of the predicted
 * factor to the one measured, by repeated cycles on an error; of operators of the solver and of
 * operators from tests/gen/two_grid/own.c, three smoothers, cells of 1:1:1 to 1:1:10, and the
 * relaxation factors that the solver takes by itself; what one factor for all sweeps, or today's
 * search for red-black sweeps, has over these.
 * operators: tests/gen/two_grid/own.c
 * isas: baseline
 * threads: 2
 * sanitizers: no */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <gmg.h>

#include "derive/relaxation.h"
#include "job/compile.h"
#include "problem/solver.h"

GMG_OPERATORS(own_operators);

enum { MOST_CELLS = 16 * 16 * 16, CYCLES = 60, SETTLED = 40 };

struct way {
  const char *smoother, *omega; /* omega NULL: the solver's choice */
  struct gen_cycle cycle;
};

static double error[MOST_CELLS], change[MOST_CELLS];

static void set(gmg_context *context, gmg_solver *solver, const char *name, const char *value)
{
  if (gmg_solver_set_option(solver, name, value))
    fail_msg("%s", gmg_context_message(context));
}

static gmg_solver *make_solver(gmg_context *context, const char *operator_, const int cells[3],
                               const double spacing[3], const struct way *way)
{
  const double lower[3] = {0, 0, 0},
               upper[3] = {spacing[0] * cells[0], spacing[1] * cells[1], spacing[2] * cells[2]};
  gmg_grid *grid = NULL;
  gmg_solver *solver = NULL;
  assert_int_equal(gmg_grid_create(context, cells, lower, upper, &grid), GMG_OK);
  for (int side = GMG_X_LO; side <= GMG_Z_HI; side++)
    gmg_grid_set_boundary(grid, (gmg_side)side, GMG_PERIODIC, 0, 0, 0);
  assert_int_equal(gmg_solver_create(grid, &solver), GMG_OK);
  gmg_grid_destroy(&grid);
  set(context, solver, "operator", operator_);
  set(context, solver, "smoother", way->smoother);
  if (way->omega)
    set(context, solver, "omega", way->omega);
  set(context, solver, "interpolation", way->cycle.constant ? "constant" : "linear");
  set(context, solver, "cycle", "v");
  set(context, solver, "precision", "double");
  set(context, solver, "bottom", "direct");
  if (gmg_solver_setup(solver))
    fail_msg("%s", gmg_context_message(context));
  return solver;
}

static double take_size(double *values, int cells)
{
  double mean = 0, size = 0;
  for (int c = 0; c < cells; c++)
    mean += values[c] / cells;
  for (int c = 0; c < cells; c++) {
    values[c] -= mean;
    size += values[c] * values[c];
  }
  for (int c = 0; c < cells; c++)
    values[c] /= sqrt(size);
  return sqrt(size);
}

static void fill(int count)
{
  unsigned random = 1;
  for (int c = 0; c < count; c++)
    error[c] = (double)((random = random * 1664525u + 1013904223u) >> 8) / (1 << 24) - 0.5;
  take_size(error, count);
}

/* What a cycle leaves of an error in the long run. */
static double measure(gmg_context *context, const char *operator_, const int cells[3],
                      const double spacing[3], const struct way *way)
{
  gmg_solver *solver = make_solver(context, operator_, cells, spacing, way);
  const int count = cells[0] * cells[1] * cells[2];
  const ptrdiff_t plane = (ptrdiff_t)cells[0] * cells[1];
  const gmg_array from = {error, {1, cells[0], plane}};
  gmg_array to = {change, {1, cells[0], plane}};
  double logarithm = 0;
  fill(count);
  for (int cycle = 0; cycle < CYCLES; cycle++) {
    assert_int_equal(gmg_solver_apply(solver, &from, &to), GMG_OK);
    assert_int_equal(gmg_solver_precondition(solver, &to, &to, 1), GMG_OK);
    for (int c = 0; c < count; c++)
      error[c] -= change[c];
    const double size = take_size(error, count);
    logarithm += cycle >= SETTLED ? log(size) : 0;
  }
  gmg_solver_destroy(&solver);
  return exp(logarithm / (CYCLES - SETTLED));
}

/* The bound that the solver has for Chebyshev. */
static double find_bound(gmg_context *context, const char *operator_, const int cells[3],
                         const double spacing[3], const struct way *way)
{
  gmg_solver *solver = make_solver(context, operator_, cells, spacing, way);
  const double bound = solver->hierarchy.level[0].eigenvalue;
  gmg_solver_destroy(&solver);
  return bound;
}

/* Sixteen cells along axes that are merged, else eight: then LAPACK has 512 at most, as it wants.
 */
static int compare(gmg_context *context, const struct gen_operator *op, const double spacing[3],
                   const struct way *given, double tolerance)
{
  const double least = fmin(spacing[0], fmin(spacing[1], spacing[2]));
  int cells[3], steps[3];
  struct way way = *given;
  for (int a = 0; a < 3; a++) {
    cells[a] = spacing[a] > 1.5 * least ? 8 : 16;
    steps[a] = cells[a] / 4;
  }
  if (way.cycle.smoother == GEN_CHEBYSHEV)
    way.cycle.bound = find_bound(context, op->source->name, cells, spacing, &way);
  const double predicted = gen_two_grid_factor(op, spacing, &way.cycle, steps),
               measured = measure(context, op->source->name, cells, spacing, &way);
  const int bad = !(fabs(measured - predicted) <= tolerance * predicted);
  printf("%-10s %-9s %-6s %-8s %g:%g:%-3g predicted %.4f, measured %.4f%s\n", op->source->name,
         way.smoother, way.omega ? way.omega : "chosen", way.cycle.constant ? "constant" : "linear",
         spacing[0], spacing[1], spacing[2], predicted, measured, bad ? " <-" : "");
  return bad;
}

static struct gen_job *compile(void)
{
  static const char *const files[] = {"operators/constant7.c", "operators/variable7.c",
                                      "operators/constant27.c", "tests/gen/two_grid/own.c"};
  static const char *arguments[] = {"-I" GMG_SOURCE_DIR "/operators"};
  struct gen_job *job = gen_allocate(sizeof *job);
  job->single = "";
  job->arguments = arguments;
  job->argument_count = 1;
  for (int n = 0; n < 4; n++)
    job->file[job->files++].path = gen_text("%s/%s", GMG_SOURCE_DIR, files[n]);
  if (!gen_compile(job))
    fail_msg("%s", gen_diagnostics());
  return job;
}

static gmg_context *make_context(void)
{
  gmg_context *context = NULL;
  assert_int_equal(gmg_context_create(0, &context), GMG_OK);
  assert_int_equal(gmg_context_set_isa(context, "baseline"), GMG_OK);
  assert_int_equal(gmg_context_add_operators(context, own_operators), GMG_OK);
  return context;
}

static void predicted_is_measured(void **state)
{
  static const double flat[] = {1, 1.4, 3, 10};
  struct way ways[] = {
    {"gsrb", "1", gen_usual_cycle(GEN_GAUSS_SEIDEL, 1)},
    {"gsrb", "1.13", gen_usual_cycle(GEN_GAUSS_SEIDEL, 1.13)},
    {"jacobi", "0.8", gen_usual_cycle(GEN_JACOBI, 0.8)},
    {"chebyshev", "1", gen_usual_cycle(GEN_CHEBYSHEV, 1)},
    {"gsrb", "1", gen_usual_cycle(GEN_GAUSS_SEIDEL, 1)},
  };
  int failures = 0;
  ways[4].cycle.constant = true;
  (void)state;
  gmg_context *context = make_context();
  const struct gen_job *job = compile();
  for (int f = 0; f < job->files; f++)
    for (int n = 0; n < job->file[f].kernels; n++)
      for (size_t w = 0; w < sizeof ways / sizeof *ways; w++)
        for (size_t a = 0; a < sizeof flat / sizeof *flat; a++)
          failures +=
            compare(context, job->file[f].operator_[n], (double[]){1, 1, flat[a]}, &ways[w], 0.03);
  gmg_context_destroy(&context);
  gen_clear();
  assert_int_equal(failures, 0);
}

/* The least factor of all that have one omega. */
static double best_single(const struct gen_operator *op, const double spacing[3])
{
  static const int steps[3] = {4, 4, 4};
  double best = INFINITY;
  for (int n = 0; n < 16; n++) {
    const struct gen_cycle cycle = gen_usual_cycle(GEN_GAUSS_SEIDEL, 0.75 + 0.05 * n);
    best = fmin(best, gen_two_grid_factor(op, spacing, &cycle, steps));
  }
  return best;
}

/* What the solver did before it knew symbols: the factors that a search found for red-black sweeps
 * on grids of any shape. */
static double searched_before(const struct gen_operator *op, const double spacing[3])
{
  static const int steps[3] = {4, 4, 4};
  const struct gen_factors found = {.factor = {{1.38, 1.43, 1.46, 1.48}, {1.28, 1.25, 1.32, 1.0}}};
  const struct gen_cycle cycle = gen_cycle_with(op, &found);
  return op->colours == 2 ? gen_two_grid_factor(op, spacing, &cycle, steps) : INFINITY;
}

static void choice_is_best_and_taken(void **state)
{
  static const double spacing[][3] = {{1, 1, 1}, {1, 1.4, 1.4}, {3, 1, 1}, {1, 1, 3}, {1, 3, 3}};
  static const int steps[3] = {4, 4, 4};
  int failures = 0;
  (void)state;
  gmg_context *context = make_context();
  const struct gen_job *job = compile();
  for (int f = 0; f < job->files; f++)
    for (int n = 0; n < job->file[f].kernels; n++)
      for (size_t a = 0; a < sizeof spacing / sizeof *spacing; a++) {
        const struct gen_operator *op = job->file[f].operator_[n];
        struct gen_factors found;
        assert_true(gen_find_factors(op, gen_shape_of(spacing[a]), &found));
        const struct way way = {"gsrb", NULL, gen_cycle_with(op, &found)};
        const double single = best_single(op, spacing[a]), before = searched_before(op, spacing[a]),
                     chosen = gen_two_grid_factor(op, spacing[a], &way.cycle, steps);
        /* But for cubes, factors serve several spacings, and this one factor a single one. */
        const int bad = !(chosen < (a == 0 ? 0.97 : 1.25) * single && chosen < before);
        printf("%-10s %g:%g:%-3g one factor %.4f, searched %.4f, chosen %.4f%s\n", op->source->name,
               spacing[a][0], spacing[a][1], spacing[a][2], single, before, chosen,
               bad ? " <-" : "");
        failures += bad;
        if (a > 0 || op->colours == 8) /* red-black sweeps on cubes: see relaxation.c */
          failures += compare(context, op, spacing[a], &way, 0.03);
      }
  gmg_context_destroy(&context);
  gen_clear();
  assert_int_equal(failures, 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(predicted_is_measured),
                                     cmocka_unit_test(choice_is_best_and_taken)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
