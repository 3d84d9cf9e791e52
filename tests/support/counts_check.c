#include "counts_check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gmg.h>

enum beta { BETA_1, BETA_SMOOTH, BETA_SPHERE, BETA_LOGNORMAL };
enum { MODES = 64 };
#define CORRELATION 0.1 /* length, of the box's */

struct hard {
  const char *name;
  gmg_boundary kind;
  double upper[3]; /* 0: 1 */
  int stretched;   /* the last axes, by 1.05 per cell */
  int thin;        /* 256 x 256 x 4 cells, of the same width */
  int odd;
  enum beta beta;
  double ratio;       /* of β in a sphere; σ */
  int most, at_large; /* cycles; those at 128^3 and more, if others */
  double rtol;        /* 0: 1e-10 */
  double within;      /* of 1e-10 that cannot be reached: the relative residual that is, at 64^3 */
};

static const struct hard list[] = {
  {.name = "constant", .most = 12},
  {.name = "smooth", .beta = BETA_SMOOTH, .most = 12},
  {.name = "aspect 4", .upper = {1, 1, 0.25}, .most = 12},
  {.name = "aspect 10", .upper = {1, 1, 0.1}, .most = 12},
  {.name = "aspect 100", .upper = {1, 1, 0.01}, .most = 16},
  {.name = "1 to 3 to 10", .upper = {1, 3, 10}, .most = 12},
  {.name = "stretched 1.05 in one direction", .stretched = 1, .most = 12},
  {.name = "stretched 1.05 in three directions", .stretched = 3, .most = 12},
  {.name = "all Neumann", .kind = GMG_NEUMANN, .most = 12},
  {.name = "Robin", .kind = GMG_ROBIN, .most = 12},
  {.name = "thin", .thin = 1, .most = 12},
  {.name = "odd", .odd = 1, .beta = BETA_SMOOTH, .most = 12},
  {.name = "log-normal, sigma 1", .beta = BETA_LOGNORMAL, .ratio = 1, .most = 12},
  {.name = "sphere of 1e3", .beta = BETA_SPHERE, .ratio = 1e3, .most = 15, .at_large = 21},
  {.name = "sphere of 1e-3", .beta = BETA_SPHERE, .ratio = 1e-3, .most = 15, .at_large = 18},
  {.name = "sphere of 1e-6", .beta = BETA_SPHERE, .ratio = 1e-6, .most = 15, .at_large = 18},
  {.name = "sphere of 1e6", .beta = BETA_SPHERE, .ratio = 1e6, .within = 3e-8},
  {.name = "sphere of 1e6, to 1e-7",
   .beta = BETA_SPHERE,
   .ratio = 1e6,
   .rtol = 1e-7,
   .most = 15,
   .at_large = 18},
};

static double uniform(uint64_t *state)
{
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return ((double)(*state >> 11) + 0.5) / 9007199254740992.0;
}

static double normal(uint64_t *state)
{
  const double radius = sqrt(-2 * log(uniform(state)));
  return radius * cos(6.283185307179586 * uniform(state));
}

/* Waves whose sum has variance 1 and covariance exp(-distance / CORRELATION), nearly: wave vectors
 * are Cauchy's. */
static void make_waves(double wave[MODES][4])
{
  uint64_t state = 88172645463325252u;
  for (int m = 0; m < MODES; m++) {
    const double scale = CORRELATION * fabs(normal(&state));
    for (int d = 0; d < 3; d++)
      wave[m][d] = normal(&state) / scale;
    wave[m][3] = 6.283185307179586 * uniform(&state);
  }
}

/* x: between 0 and 1 along all axes. */
static double beta_at(const struct hard *p, double wave[MODES][4], const double x[3])
{
  double distance = 0, sum = 0;
  for (int d = 0; d < 3; d++)
    distance += (x[d] - 0.5) * (x[d] - 0.5);
  switch (p->beta) {
  case BETA_SMOOTH:
    return 1 + 0.5 * sin(6.28 * x[0]) * sin(6.28 * x[1]) * sin(6.28 * x[2]);
  case BETA_SPHERE:
    return distance < 0.0625 ? p->ratio : 1;
  case BETA_LOGNORMAL:
    for (int m = 0; m < MODES; m++)
      sum += cos(wave[m][0] * x[0] + wave[m][1] * x[1] + wave[m][2] * x[2] + wave[m][3]);
    return exp(p->ratio * sqrt(2.0 / MODES) * sum);
  default:
    return 1;
  }
}

static gmg_grid *make_grid(gmg_context *context, const struct hard *p, const int cells[3])
{
  static const double lower[3] = {0, 0, 0};
  double upper[3];
  gmg_grid *grid = NULL;
  for (int d = 0; d < 3; d++)
    upper[d] = p->upper[d] > 0 ? p->upper[d] : p->thin ? (double)cells[d] / cells[0] : 1;
  if (gmg_grid_create(context, cells, lower, upper, &grid))
    return NULL;
  for (int d = 3 - p->stretched; d < 3; d++) {
    double *face = malloc(((size_t)cells[d] + 1) * sizeof *face), width = 1;
    face[0] = 0;
    for (int i = 0; i < cells[d]; i++, width *= 1.05)
      face[i + 1] = face[i] + width;
    const double length = face[cells[d]];
    for (int i = 0; i <= cells[d]; i++)
      face[i] = i == cells[d] ? upper[d] : face[i] / length * upper[d];
    gmg_grid_set_faces(grid, d, face);
    free(face);
  }
  for (int side = 0; side < 6; side++)
    gmg_grid_set_boundary(grid, (gmg_side)side, p->kind, 1.5, 0.7, 0);
  return grid;
}

static int check(gmg_context *context, const struct hard *p, int size)
{
  const int grown = p->thin ? 256 : size;
  const int cells[3] = {grown - p->odd, grown + 3 * p->odd, p->thin ? 4 : size - 3 * p->odd};
  const size_t count = (size_t)cells[0] * (size_t)cells[1] * (size_t)cells[2];
  double *f = malloc(count * sizeof *f), *u = malloc(count * sizeof *u), wave[MODES][4];
  gmg_grid *grid = make_grid(context, p, cells);
  gmg_solver *solver = NULL;
  gmg_result result = {.cycles = 0, .reason = ""};
  gmg_status status = grid ? gmg_solver_create(grid, &solver) : GMG_ERR_MEMORY;
  const gmg_array f_array = {f, {1, cells[0], (ptrdiff_t)cells[0] * cells[1]}};
  gmg_array u_array = {u, {1, cells[0], (ptrdiff_t)cells[0] * cells[1]}};
  make_waves(wave);
  for (size_t n = 0; n < count; n++) {
    const size_t at[3] = {n % (size_t)cells[0], n / (size_t)cells[0] % (size_t)cells[1],
                          n / (size_t)cells[0] / (size_t)cells[1]};
    const double x[3] = {((double)at[0] + 0.5) / cells[0], ((double)at[1] + 0.5) / cells[1],
                         ((double)at[2] + 0.5) / cells[2]};
    u[n] = beta_at(p, wave, x);
    f[n] = p->kind == GMG_NEUMANN
      ? sin(6.3 * x[0] + 0.3) * sin(6.2 * x[1] + 0.2) + 0.3 * sin(37.0 * (double)n)
      : 1;
  }
  if (!status && p->beta != BETA_1)
    status = gmg_solver_set_coefficient(solver, GMG_BETA, &u_array);
  if (!status && p->rtol > 0)
    status = gmg_solver_set_real(solver, "rtol", p->rtol);
  if (!status)
    status = gmg_solver_setup(solver);
  if (!status)
    status = gmg_solver_solve(solver, &f_array, &u_array, 0, &result);
  const int most = size >= 128 && p->at_large ? p->at_large : p->most;
  int bad = status != GMG_OK;
  if (p->within > 0) /* rounding of u: grows as 1 / width² */
    bad = bad || result.relative_residual > p->within * (size / 64.0) * (size / 64.0);
  else
    bad = bad || result.outcome != GMG_CONVERGED || result.cycles > most;
  printf("%s, %d x %d x %d: %d cycles (at most %d), residual %.1e%s%s%s\n", p->name, cells[0],
         cells[1], cells[2], result.cycles, most, result.relative_residual,
         p->within > 0 || bad ? ": " : "", p->within > 0 || bad ? result.reason : "",
         bad ? " <-" : "");
  gmg_solver_destroy(&solver);
  gmg_grid_destroy(&grid);
  free(f);
  free(u);
  return bad;
}

int counts_check(int size)
{
  int failures = 0;
  gmg_context *context;
  if (gmg_context_create(0, &context))
    return 1;
  for (size_t n = 0; n < sizeof list / sizeof *list; n++)
    failures += check(context, &list[n], size);
  gmg_context_destroy(&context);
  return failures;
}
