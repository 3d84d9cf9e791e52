#include "manufactured.h"

#include "problem/choices.h"
#include "problem/solver.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TWO_PI 6.283185307179586

void manufactured_option(struct manufactured *problem, const char *name, const char *value)
{
  int n = 0;
  while (problem->option[n])
    n += 2;
  problem->option[n] = name;
  problem->option[n + 1] = value;
}

void manufactured_sides(struct manufactured *problem, gmg_boundary kind)
{
  for (int s = 0; s < 6; s++)
    problem->kind[s] = kind;
}

/* Value, first and second derivative of the solution's factor along axis d. */
static void factor(const struct manufactured *problem, int d, double x, double value[3])
{
  const double k =
                 problem->kind[2 * d] == GMG_PERIODIC ? TWO_PI / problem->upper[d] : 1.7 - 0.3 * d,
               phase = 0.4 + 0.5 * d;
  value[0] = 1.3 + sin(k * x + phase);
  value[1] = k * cos(k * x + phase);
  value[2] = -k * k * sin(k * x + phase);
}

static double exact(const struct manufactured *problem, const double x[3])
{
  double u = 1, value[3];
  for (int d = 0; d < 3; d++) {
    factor(problem, d, x[d], value);
    u *= value[0];
  }
  return u;
}

static double slope(const struct manufactured *problem, const double x[3], int axis)
{
  double u = 1, value[3];
  for (int d = 0; d < 3; d++) {
    factor(problem, d, x[d], value);
    u *= value[d == axis];
  }
  return u;
}

static double wave(const struct manufactured *problem, const double x[3], int axis)
{
  double product = 0.3;
  for (int d = 0; d < 3; d++) {
    const double angle = TWO_PI * x[d] / problem->upper[d] + 0.2 * d;
    product *= d == axis ? TWO_PI / problem->upper[d] * cos(angle) : sin(angle);
  }
  return product;
}

static double beta(const struct manufactured *problem, const double x[3])
{
  return problem->variable ? 1 + wave(problem, x, -1) : 1;
}

static double ball(const struct manufactured *problem, const double x[3])
{
  double distance = 0;
  for (int d = 0; d < 3; d++)
    distance += (x[d] / problem->upper[d] - 0.5) * (x[d] / problem->upper[d] - 0.5);
  return distance < 0.0625 ? problem->ball : 1;
}

static double alpha(const struct manufactured *problem, const double x[3])
{
  return problem->variable_alpha ? 2 + wave(problem, x, -1) : 1;
}

static double right_side(const struct manufactured *problem, const double x[3])
{
  const double b = problem->b > 0 ? problem->b : 1;
  double sum = problem->a * alpha(problem, x) * exact(problem, x);
  for (int d = 0; d < 3; d++) {
    double second = 1, value[3];
    for (int e = 0; e < 3; e++) {
      factor(problem, e, x[e], value);
      second *= value[e == d ? 2 : 0];
    }
    sum -= b * beta(problem, x) * second;
    if (problem->variable)
      sum -= b * wave(problem, x, d) * slope(problem, x, d);
  }
  return sum;
}

static double one(const struct manufactured *problem, const double x[3])
{
  (void)problem;
  (void)x;
  return 1;
}

/* A number in [-1, 1) that depends on the cell alone. */
static double from_index(int64_t index)
{
  uint64_t x = (uint64_t)index * 0x9E3779B97F4A7C15u + 0x7F4A7C15u;
  x ^= x >> 31;
  x *= 0xBF58476D1CE4E5B9u;
  x ^= x >> 27;
  return (double)(x >> 12) / 2251799813685248.0 - 1;
}

struct geometry {
  double *face[3], *centre[3];
};

/* Width of a cell over that of the one before, along axis d. */
static double stretch_of(const struct manufactured *problem, int d)
{
  if (problem->map > 0 && d >= 3 - problem->map_axes)
    return pow(problem->map, 32.0 / problem->cells[d]);
  return d == 2 && problem->stretch > 0 ? problem->stretch : 1;
}

static struct geometry make_geometry(const struct manufactured *problem)
{
  struct geometry g;
  for (int d = 0; d < 3; d++) {
    const int n = problem->cells[d];
    g.face[d] = malloc(((size_t)n + 1) * sizeof(double));
    g.centre[d] = malloc((size_t)n * sizeof(double));
    const double ratio = stretch_of(problem, d);
    double width = 1, total = 0;
    for (int i = 0; i <= n; i++, total += width, width *= ratio)
      g.face[d][i] = total;
    const double scale = problem->upper[d] / g.face[d][n];
    for (int i = 0; i <= n; i++)
      g.face[d][i] = i == n ? problem->upper[d] : scale * g.face[d][i];
    for (int i = 0; i < n; i++)
      g.centre[d][i] = 0.5 * (g.face[d][i] + g.face[d][i + 1]);
  }
  return g;
}

static void free_geometry(struct geometry *g)
{
  for (int d = 0; d < 3; d++) {
    free(g->face[d]);
    free(g->centre[d]);
  }
}

/* c0 u + c1 ∂u/∂n on each face of a side. */
static void set_side(gmg_grid *grid, const struct manufactured *problem, const struct geometry *g,
                     int side)
{
  const int d = side / 2, p = d == 0 ? 1 : 0, q = d == 2 ? 1 : 2;
  const gmg_boundary kind = problem->kind[side];
  const double c0 = 1.5, c1 = 0.7;
  gmg_grid_set_boundary(grid, (gmg_side)side, kind, c0, c1, 0);
  if (kind == GMG_PERIODIC || problem->random_f || problem->constant_f)
    return;
  double *values = malloc((size_t)problem->cells[p] * (size_t)problem->cells[q] * sizeof *values),
         x[3];
  x[d] = side % 2 ? problem->upper[d] : 0;
  for (int n = 0; n < problem->cells[p] * problem->cells[q]; n++) {
    x[p] = g->centre[p][n % problem->cells[p]];
    x[q] = g->centre[q][n / problem->cells[p]];
    const double u = exact(problem, x), outward = (side % 2 ? 1 : -1) * slope(problem, x, d);
    values[n] = kind == GMG_DIRICHLET ? u : kind == GMG_NEUMANN ? outward : c0 * u + c1 * outward;
  }
  gmg_grid_set_boundary_values(grid, (gmg_side)side, values);
  free(values);
}

typedef double field_function(const struct manufactured *problem, const double x[3]);

/* A function on this rank's cells, or on its faces along an axis. */
static gmg_array sample(const struct manufactured *problem, const struct geometry *g,
                        const int lower[3], const int upper[3], int face_axis,
                        field_function *function)
{
  int n[3];
  for (int d = 0; d < 3; d++)
    n[d] = upper[d] - lower[d] + (d == face_axis);
  double *data = malloc(((size_t)n[0] * (size_t)n[1] * (size_t)n[2] + 1) * sizeof *data), x[3];
  for (int k = 0; k < n[2]; k++)
    for (int j = 0; j < n[1]; j++)
      for (int i = 0; i < n[0]; i++) {
        const int at[3] = {lower[0] + i, lower[1] + j, lower[2] + k};
        if (upper[0] == lower[0] || upper[1] == lower[1] || upper[2] == lower[2])
          continue;
        for (int d = 0; d < 3; d++)
          x[d] = d == face_axis ? g->face[d][at[d]] : g->centre[d][at[d]];
        data[i + (ptrdiff_t)n[0] * (j + (ptrdiff_t)n[1] * k)] = function
          ? function(problem, x)
          : from_index(at[0]
                       + (int64_t)problem->cells[0] * (at[1] + (int64_t)problem->cells[1] * at[2]));
      }
  return (gmg_array){.data = data, .stride = {1, n[0], (ptrdiff_t)n[0] * n[1]}};
}

static gmg_status set_coefficient(gmg_solver *solver, gmg_coefficient which, gmg_array values)
{
  const gmg_status status = gmg_solver_set_coefficient(solver, which, &values);
  free(values.data);
  return status;
}

static gmg_status configure(gmg_solver *solver, const struct manufactured *problem,
                            const struct geometry *g, const struct manufactured_result *r)
{
  gmg_status status = gmg_solver_set_equation(solver, problem->a, problem->b > 0 ? problem->b : 1);
  if (!status && problem->variable_alpha)
    status = set_coefficient(solver, GMG_ALPHA, sample(problem, g, r->lower, r->upper, -1, alpha));
  if (!status && problem->variable == 2)
    status = set_coefficient(solver, GMG_BETA, sample(problem, g, r->lower, r->upper, -1, beta));
  if (!status && problem->ball > 0)
    status = set_coefficient(solver, GMG_BETA, sample(problem, g, r->lower, r->upper, -1, ball));
  for (int d = 0; d < 3 && !status && problem->variable == 1; d++)
    status = set_coefficient(solver, (gmg_coefficient)((int)GMG_BETA_X + d),
                             sample(problem, g, r->lower, r->upper, d, beta));
  for (int n = 0; n < MANUFACTURED_OPTIONS && problem->option[n] && !status; n += 2)
    status = gmg_solver_set_option(solver, problem->option[n], problem->option[n + 1]);
  return status ? status : gmg_solver_setup(solver);
}

static double max_error(const struct manufactured *problem, const struct geometry *g,
                        const struct manufactured_result *r)
{
  double error = 0, mean = 0, volume = 1;
  int n[3];
  for (int d = 0; d < 3; d++) {
    double integral = 0, value[3];
    for (int i = 0; i < problem->cells[d]; i++) {
      factor(problem, d, g->centre[d][i], value);
      integral += value[0] * (g->face[d][i + 1] - g->face[d][i]);
    }
    volume *= integral / problem->upper[d];
    n[d] = r->upper[d] - r->lower[d];
  }
  if (r->result.singular)
    mean = volume;
  const double *u = r->u;
  for (int k = 0; k < n[2]; k++)
    for (int j = 0; j < n[1]; j++)
      for (int i = 0; i < n[0]; i++) {
        const double x[3] = {g->centre[0][r->lower[0] + i], g->centre[1][r->lower[1] + j],
                             g->centre[2][r->lower[2] + k]};
        error = fmax(error, fabs(*u++ - (exact(problem, x) - mean)));
      }
  return error;
}

static void count_half_sweeps(const gmg_solver *solver, int64_t calls[2])
{
  gmg_kernel_info kernel;
  for (int n = 0; n < gmg_solver_kernels(solver, 0); n++)
    if (!gmg_solver_kernel_info(solver, 0, n, &kernel) && strstr(kernel.name, "_gauss_seidel"))
      calls[strstr(kernel.name, "_sums") != NULL] += kernel.calls;
}

static void count_from_zero(const gmg_solver *solver, int64_t calls[3])
{
  gmg_kernel_info kernel;
  for (int n = 0; gmg_solver_levels(solver) > 1 && n < gmg_solver_kernels(solver, 1); n++)
    if (!gmg_solver_kernel_info(solver, 1, n, &kernel) && strstr(kernel.name, "_gauss_seidel"))
      calls[strstr(kernel.name, "_zero_first")      ? 0
              : strstr(kernel.name, "_zero_second") ? 1
                                                    : 2] += kernel.calls;
}

static gmg_status cut_strips(gmg_solver *solver, int l, int rows)
{
  const struct gmg_choice choice = {.passes = GMG_TOGETHER, .rows = rows, .stages = 12};
  return gmg_choices_set(solver, l, &choice) ? GMG_ERR_MEMORY : GMG_OK;
}

struct manufactured_result manufactured_solve(gmg_context *context,
                                              const struct manufactured *given)
{
  struct manufactured problem = *given;
  struct manufactured_result r = {0};
  gmg_grid *grid = NULL;
  gmg_solver *solver = NULL;
  const double lower[3] = {0, 0, 0};
  for (int d = 0; d < 3; d++)
    problem.upper[d] = problem.upper[d] > 0 ? problem.upper[d] : 1;
  r.status = gmg_grid_create(context, problem.cells, lower, problem.upper, &grid);
  if (r.status)
    return r;
  struct geometry g = make_geometry(&problem);
  for (int d = 0; d < 3; d++)
    if (stretch_of(&problem, d) != 1)
      gmg_grid_set_faces(grid, d, g.face[d]);
  for (int side = 0; side < 6; side++)
    set_side(grid, &problem, &g, side);
  gmg_grid_part(grid, r.lower, r.upper);
  r.status = gmg_solver_create(grid, &solver);
  gmg_grid_destroy(&grid);
  if (!r.status)
    r.status = configure(solver, &problem, &g, &r);
  if (!r.status) {
    for (int l = 0; l + 1 < solver->hierarchy.levels; l++) {
      solver->hierarchy.level[l].active_colour =
        problem.whole ? 0 : solver->hierarchy.level[l].active_colour;
      r.shortcuts += solver->hierarchy.level[l].active_colour != 0;
    }
    field_function *values = problem.random_f ? NULL : problem.constant_f ? one : right_side;
    gmg_array f = sample(&problem, &g, r.lower, r.upper, -1, values);
    for (int l = 0; l < solver->hierarchy.levels && problem.strip_rows && !r.status; l++)
      r.status = cut_strips(solver, l, problem.strip_rows);
    gmg_array u = sample(&problem, &g, r.lower, r.upper, -1, NULL); /* overwritten */
    r.status = gmg_solver_solve(solver, &f, &u, 0, &r.result);
    r.u = u.data;
    free(f.data);
    gmg_level_info info;
    r.passes = gmg_solver_level_info(solver, 0, &info) == GMG_OK && !info.unfused_reason;
    count_half_sweeps(solver, r.half_sweeps);
    count_from_zero(solver, r.from_zero);
    const int entries = r.result.cycles + 1 < 400 ? r.result.cycles + 1 : 400;
    for (int n = 0; gmg_solver_fallback(solver, n); n++)
      if (strncmp(gmg_solver_fallback(solver, n), "precision", 9) == 0)
        snprintf(r.fallback, sizeof r.fallback, "%s", gmg_solver_fallback(solver, n));
    if (!r.status) {
      memcpy(r.history, r.result.residual_history, (size_t)entries * sizeof *r.history);
      r.error = problem.random_f || problem.constant_f ? 0 : max_error(&problem, &g, &r);
    }
  }
  if (r.status)
    fprintf(stderr, "%s: %s\n", gmg_status_text(r.status), gmg_context_message(context));
  gmg_solver_destroy(&solver);
  free_geometry(&g);
  return r;
}
