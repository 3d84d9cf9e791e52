#include "trial.h"

#include "cycle/transfer.h"
#include "mesh/merge.h"
#include "setup/intake.h"
#include "system/memory.h"
#include "system/order.h"

#include <math.h>
#include <string.h>

/* Cycles that are run, and those whose factor counts: beside many bodies the last ones of six have
 * the factor that the twelfth has, to two digits, on 32³ cells as on 64³. */
enum { CYCLES = 6, COUNTED = 2 };
/* Cycles are not slow, and no more are run, where so much of the residual is left at once, or after
 * some cycles so much of what was left before. */
#define GONE 1e-4
#define FAST_FACTOR 0.35
enum { FIRST_COUNTED = 3 };
/* What cycles leave of the residual where owners pay: measured on 32³ and 64³ cells, bodies,
 * layers, checkerboards and log-normal fields of many sizes (docs/performance/owners.md). On
 * stretched grids cycles have more sweeps; in the trial, and not on the grid, where colours clash
 * there. */
#define SLOW_FACTOR 0.87
#define SLOW_FACTOR_STRETCHED 0.75
#define SLOW_FACTOR_CLASHING 0.6
/* Below that other corrections are tried, and the best is taken where it gains so much more in a
 * cycle: less of them beside bodies that touch along edges, more in rough fields. */
#define CLEARLY_MORE 1.5
static const double corrections[] = {0.7, 0.85, 1.2};
/* Where none of them is better, and the factor is no small one and still grows by so much from a
 * cycle to the next, more cycles are run: with blocks that the coarse cells cut, it comes late.
 * From such a factor on in the end they are slow. */
enum { MORE_CYCLES = 18 };
#define GROWS_FROM 0.6
#define GROWS 1.015
#define SLOW_IN_THE_END 0.8

/* A box of cells of the grid. */
struct cut {
  int lower[3], upper[3];
};

/* Where the box ends inside the grid, bodies and layers that go on there are held by a value, as by
 * the grid's side beyond; or by none, where that side holds none. */
static gmg_status set_side(const gmg_grid *whole, gmg_grid *grid, int side)
{
  const struct gmg_grid_side *given = &whole->side[side];
  if (grid->cells[side / 2] == whole->cells[side / 2])
    return gmg_grid_set_boundary(grid, (gmg_side)side, given->kind, given->c0, given->c1, 0);
  if (given->kind == GMG_NEUMANN || given->kind == GMG_PERIODIC)
    return gmg_grid_set_boundary(grid, (gmg_side)side, GMG_NEUMANN, 0, 1, 0);
  return GMG_OK; /* Dirichlet's */
}

static gmg_status make_grid(const gmg_grid *whole, const struct cut *box, struct cut *part,
                            gmg_grid **grid)
{
  int cells[3];
  double lower[3], upper[3];
  for (int d = 0; d < 3; d++) {
    const double width = (whole->upper[d] - whole->lower[d]) / whole->cells[d];
    const double *faces = whole->faces[d];
    cells[d] = box->upper[d] - box->lower[d];
    lower[d] = faces ? faces[box->lower[d]] : whole->lower[d] + box->lower[d] * width;
    upper[d] = faces ? faces[box->upper[d]] : whole->lower[d] + box->upper[d] * width;
    part->lower[d] = gmg_larger(box->lower[d], whole->part_lower[d]);
    part->upper[d] = gmg_smaller(box->upper[d], whole->part_upper[d]);
  }
  gmg_status status = gmg_grid_create(whole->context, cells, lower, upper, grid);
  for (int d = 0; d < 3 && !status; d++)
    if (whole->faces[d])
      status = gmg_grid_set_faces(*grid, d, whole->faces[d] + box->lower[d]);
  for (int side = 0; side < 6 && !status; side++)
    status = set_side(whole, *grid, side);
  int from[3], to[3], some = 1;
  for (int d = 0; d < 3; d++)
    some &= part->upper[d] > part->lower[d];
  for (int d = 0; d < 3; d++) {
    if (!some)
      part->lower[d] = part->upper[d] = box->lower[d];
    from[d] = part->lower[d] - box->lower[d];
    to[d] = part->upper[d] - box->lower[d];
  }
  return status ? status : gmg_grid_set_part(*grid, from, to);
}

/* The coefficients of this rank's part of the box, from those of its part of the grid. */
static gmg_status set_coefficients(gmg_solver *s, const gmg_solver *whole, const struct cut *part)
{
  const struct gmg_problem *p = &whole->problem;
  gmg_status status = gmg_solver_set_average(s, p->average);
  if (!status)
    status = gmg_solver_set_equation(s, p->uniform_alpha ? p->alpha : p->a, p->b);
  for (int c = GMG_ALPHA; c <= GMG_BETA_Z && !status; c++) {
    const double *data = gmg_given_data(&p->given[c]);
    gmg_array values = p->given[c].values;
    if (c == GMG_ALPHA ? p->uniform_alpha : !p->has[c])
      continue;
    for (int d = 0; d < 3 && part->upper[0] > part->lower[0]; d++)
      data += (part->lower[d] - p->grid->part_lower[d]) * values.stride[d];
    values.data = (double *)data;
    status = gmg_solver_set_coefficient(s, (gmg_coefficient)c, &values);
  }
  return status;
}

/* A number from −1 to 1 that belongs to a cell of the grid. */
static double noise(int i, int j, int k)
{
  uint32_t x = (uint32_t)i * 2654435761u ^ (uint32_t)j * 2246822519u ^ (uint32_t)k * 3266489917u;
  x ^= x >> 15;
  x *= 2654435761u;
  x ^= x >> 13;
  x *= 2246822519u;
  x ^= x >> 16;
  return (double)x / (double)UINT32_MAX * 2 - 1;
}

struct watch {
  gmg_solver *solver;
  double before;
  int cycle, since; /* since: cycles since the solve began, or began anew */
};

static void end_early(void *user, int cycle, double norm, double relative, double seconds)
{
  struct watch *watch = user;
  (void)relative;
  (void)seconds;
  watch->since = cycle > watch->cycle ? watch->since + 1 : 0;
  watch->cycle = cycle;
  if (watch->since >= FIRST_COUNTED && norm < FAST_FACTOR * watch->before)
    gmg_solver_stop(watch->solver);
  watch->before = norm;
}

/* Slow is also what had to begin anew so late that little is known of what came then. */
static double factor_of(const gmg_result *result, const struct watch *watch)
{
  const double *history = result->residual_history;
  if (result->outcome == GMG_NOT_FINITE || result->outcome == GMG_DIVERGED)
    return 1;
  const int last = result->cycles;
  if (last < watch->solver->problem.options.max_cycles || history[last] == 0)
    return 0;
  if (watch->since <= COUNTED)
    return 1;
  return fmin(1, pow(history[last] / history[last - COUNTED], 1.0 / COUNTED));
}

/* Of the last cycle's factor over that of the one before. */
static double growth_of(const gmg_result *result)
{
  const double *last = result->residual_history + result->cycles;
  return result->cycles > 1 && last[-1] > 0 ? last[0] * last[-2] / (last[-1] * last[-1]) : 1;
}

/* Cycles that take so much of corrections. growth: NULL, or gets that of the factor. */
static gmg_status run(gmg_solver *s, const gmg_array *f, gmg_array *u, double correction,
                      double *factor, double *growth)
{
  struct watch watch = {.solver = s, .cycle = -1, .since = -1};
  gmg_result result;
  s->problem.correction = correction;
  gmg_transfer_correct(&s->hierarchy);
  gmg_status status = gmg_solver_set_monitor(s, end_early, &watch);
  if (!status)
    status = gmg_solver_solve(s, f, u, 0, &result);
  if (!status) /* a solve in which they grow goes on with whole ones */
    *factor = s->problem.correction == correction ? factor_of(&result, &watch) : 1;
  if (!status && growth)
    *growth = growth_of(&result);
  return status;
}

/* More cycles: whether they are slow in the end. */
static gmg_status run_more(gmg_solver *s, const gmg_array *f, gmg_array *u,
                           struct gmg_coarsening_found *trial)
{
  double factor = 0;
  s->problem.options.max_cycles = MORE_CYCLES;
  const gmg_status status = run(s, f, u, 1, &factor, NULL);
  trial->slow = factor >= SLOW_IN_THE_END;
  trial->factor = trial->slow ? factor : trial->factor;
  return status;
}

/* Whether an odd number of cells lies along a periodic axis. */
static int clashes(const gmg_grid *grid)
{
  int clash = 0;
  for (int d = 0; d < 3; d++)
    clash |= grid->side[2 * d].kind == GMG_PERIODIC && grid->cells[d] % 2;
  return clash;
}

static double slow_factor(const gmg_solver *s, int clash)
{
  if (s->hierarchy.merge == GMG_MERGE_WIDTH)
    return SLOW_FACTOR;
  return clash ? SLOW_FACTOR_CLASHING : SLOW_FACTOR_STRETCHED;
}

/* Cycles from noise on this rank's part of the box. clash: whether colours do on the whole grid. */
static gmg_status run_all(gmg_solver *s, const struct cut *part, int clash,
                          struct gmg_coarsening_found *trial)
{
  size_t size[3], count = 1;
  for (int d = 0; d < 3; d++) {
    size[d] = (size_t)(part->upper[d] - part->lower[d]);
    count *= size[d];
  }
  double *f = gmg_malloc((2 * count + 1) * sizeof *f);
  gmg_status status = f ? GMG_OK : gmg_no_memory(s->context, "for a trial of cycles");
  status = gmg_agree(s->context, status);
  const ptrdiff_t row = (ptrdiff_t)size[0], plane = (ptrdiff_t)(size[0] * size[1]);
  for (size_t n = 0; n < count && !status; n++)
    f[n] = noise(part->lower[0] + (int)(n % size[0]), part->lower[1] + (int)(n / size[0] % size[1]),
                 part->lower[2] + (int)(n / size[0] / size[1]));
  gmg_array values = {f, {1, row, plane}}, u = {f ? f + count : NULL, {1, row, plane}};
  double growth = 1;
  s->problem.options.max_cycles = CYCLES;
  if (!status)
    status = run(s, &values, &u, 1, &trial->factor, &growth);
  trial->slow = trial->factor >= slow_factor(s, clash);
  double least = trial->slow ? 0 : pow(trial->factor, CLEARLY_MORE);
  for (size_t n = 0; n < GMG_LENGTH(corrections) && least > 0 && !status; n++) {
    double factor = 1;
    status = run(s, &values, &u, corrections[n], &factor, NULL);
    if (factor < least) {
      trial->correction = corrections[n];
      least = factor;
    }
  }
  if (!status && least > 0 && trial->correction == 1 && trial->factor > GROWS_FROM
      && growth > GROWS)
    status = run_more(s, &values, &u, trial);
  gmg_free(f);
  return status;
}

gmg_status gmg_trial(gmg_solver *solver, const int lower[3], const int upper[3],
                     struct gmg_coarsening_found *trial)
{
  const struct cut box = {{lower[0], lower[1], lower[2]}, {upper[0], upper[1], upper[2]}};
  struct cut part;
  gmg_grid *grid = NULL;
  gmg_solver *s = NULL;
  *trial = (struct gmg_coarsening_found){.factor = 0, .correction = 1};
  gmg_status status =
    gmg_agree(solver->context, make_grid(solver->problem.grid, &box, &part, &grid));
  if (!status)
    status = gmg_solver_create(grid, &s);
  if (!status) {
    struct gmg_options *options = &s->problem.options;
    *options = solver->problem.options;
    options->coarsening = GMG_COARSENING_PLAIN;
    memcpy(options->anisotropy, solver->problem.strength, sizeof options->anisotropy);
    options->krylov = GMG_KRYLOV_NONE;
    options->precision = GMG_PRECISION_DOUBLE;
    options->backend = GMG_BACKEND_OPENMP;
    options->max_cycles = MORE_CYCLES; /* room for them */
    options->rtol = GONE;
    options->atol = 0;
    s->report.undiagnosed = 1;
    status = gmg_agree(s->context, set_coefficients(s, solver, &part));
  }
  if (!status)
    status = gmg_solver_setup(s);
  if (!status)
    status = run_all(s, &part, clashes(solver->problem.grid), trial);
  gmg_solver_destroy(&s);
  gmg_grid_destroy(&grid);
  return status;
}
