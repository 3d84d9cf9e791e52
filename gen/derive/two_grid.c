#include "two_grid.h"

#include <math.h>
#include <string.h>

/* A value of the analysis. */
struct number {
  double real, imaginary;
};

struct gen_frequency {
  int axes, merged; /* that couple, and those of them along which cells merge: a bit each */
  double theta[3], value[GEN_HARMONICS]; /* symbols of the fine operator over its diagonal */
  /* of a harmonic: how much of it the coarse grid sees, and how much of what it holds comes back */
  struct number down[GEN_HARMONICS], up[GEN_HARMONICS];
  /* Of the harmonics that the coarse grid sees as one, by the first of them: the fine diagonal over
   * the coarse symbol, which is no number to divide by where the constant is among them: 0. */
  double solve[GEN_HARMONICS];
};

struct gen_cycle gen_usual_cycle(enum gen_smoother smoother, double omega)
{
  struct gen_cycle cycle = {.smoother = smoother, .before = 2, .after = 2, .degree = 4, .bound = 2};
  for (int n = 0; n < GEN_MAX_SWEEPS * GEN_MAX_COLOURS; n++)
    cycle.omega_before[n / GEN_MAX_COLOURS][n % GEN_MAX_COLOURS] =
      cycle.omega_after[n / GEN_MAX_COLOURS][n % GEN_MAX_COLOURS] = omega;
  return cycle;
}

int gen_merged_axes(const struct gen_stencil *stencil, const double spacing[3])
{
  const double most = 1.5 * (1 + 1e-9);
  const int axes = gen_coupled_axes(stencil);
  double least = INFINITY;
  int merged = 0;
  for (int a = 0; a < 3; a++)
    if (axes >> a & 1)
      least = fmin(least, spacing[a]);
  for (int a = 0; a < 3; a++)
    merged |= (axes >> a & 1 && spacing[a] <= most * least) << a;
  return merged;
}

/* ---- transfers ---- */

static struct number times(struct number a, struct number b)
{
  return (struct number){a.real * b.real - a.imaginary * b.imaginary,
                         a.real * b.imaginary + a.imaginary * b.real};
}

/* The sum of two cells that merge: 1 + exp(i theta), or 1 - exp(i theta) of the harmonic. */
static struct number sum_of_pair(double theta, int high)
{
  const int sign = high ? -1 : 1;
  return (struct number){1 + sign * cos(theta), sign * sin(theta)};
}

/* The coarse grid's exp(2 i theta cell), interpolated to the first and the second cell of a pair,
 * over exp(i theta cell): the harmonics have half their sum and half their difference. */
static struct number interpolated(double theta, int high, bool constant)
{
  const double own = constant ? 1 : 0.75, other = 1 - own;
  const struct number first = {own + other * cos(2 * theta), -other * sin(2 * theta)},
                      second = times((struct number){first.real, -first.imaginary},
                                     (struct number){cos(theta), -sin(theta)});
  const double half = high ? -0.5 : 0.5;
  return (struct number){0.5 * first.real + half * second.real,
                         0.5 * first.imaginary + half * second.imaginary};
}

static void make_transfers(struct gen_frequency *f, bool constant)
{
  for (int h = 0; h < GEN_HARMONICS; h++) {
    f->down[h] = f->up[h] = (struct number){1, 0};
    for (int a = 0; a < 3; a++)
      if (f->merged >> a & 1) {
        f->down[h] = times(f->down[h], sum_of_pair(f->theta[a], h >> a & 1));
        f->up[h] = times(f->up[h], interpolated(f->theta[a], h >> a & 1, constant));
      }
  }
}

static void make_coarse(struct gen_frequency *f, const struct gen_stencil *coarse, double diagonal)
{
  for (int group = 0; group < GEN_HARMONICS; group++) {
    double there[3];
    for (int a = 0; a < 3; a++)
      there[a] = f->merged >> a & 1 ? 2 * f->theta[a] : f->theta[a] + acos(-1) * (group >> a & 1);
    const double symbol = gen_symbol(coarse, there);
    f->solve[group] = fabs(symbol) < 1e-9 || group & (f->merged | ~f->axes)
      ? 0
      : diagonal / (symbol * gen_stencil_diagonal(coarse));
  }
}

/* m becomes (1 - P inverse-of-coarse R A) m in the harmonics of a group: its first and what differs
 * from it along merged axes. */
static void correct_group(const struct gen_frequency *f, int group, struct gen_matrix *m)
{
  for (int n = 0; n < GEN_HARMONICS; n++) {
    struct number seen = {0, 0};
    for (int h = 0; h < GEN_HARMONICS; h++)
      if ((h & ~f->merged) == group) {
        const struct number part =
          times(f->down[h], (struct number){m->real[h][n], m->imaginary[h][n]});
        seen.real += f->solve[group] * f->value[h] * part.real;
        seen.imaginary += f->solve[group] * f->value[h] * part.imaginary;
      }
    for (int h = 0; h < GEN_HARMONICS; h++)
      if ((h & ~f->merged) == group) {
        const struct number back = times(f->up[h], seen);
        m->real[h][n] -= back.real;
        m->imaginary[h][n] -= back.imaginary;
      }
  }
}

/* ---- sweeps ---- */

/* What a Chebyshev sweep leaves of an error whose A / diagonal is `value`: the recurrence of
 * solver/cycle/smooth.c. */
static double chebyshev(const struct gen_cycle *cycle, double value)
{
  const double upper = cycle->bound, lower = upper / 8, centre = (upper + lower) / 2,
               radius = (upper - lower) / 2;
  double rho = radius / centre, error = 1, before = 1, c1 = 0, c2 = 1 / centre;
  for (int step = 0; step < cycle->degree; step++) {
    if (step > 0) {
      const double next = 1 / (2 * centre / radius - rho);
      c1 = next * rho;
      c2 = 2 * next / radius;
      rho = next;
    }
    const double next = error + c1 * (error - before) - c2 * value * error;
    before = error;
    error = next;
  }
  return error;
}

static void scale_row(struct gen_matrix *m, int row, double factor)
{
  for (int n = 0; n < GEN_HARMONICS; n++) {
    m->real[row][n] *= factor;
    m->imaginary[row][n] *= factor;
  }
}

static void sweep(const struct gen_frequency *f, const struct gen_cycle *cycle,
                  const struct gen_cell_colours *colours, const double omega[],
                  struct gen_matrix *m)
{
  if (cycle->smoother == GEN_GAUSS_SEIDEL)
    gen_sweep_colours(colours, f->value, omega, m);
  for (int h = 0; h < GEN_HARMONICS && cycle->smoother != GEN_GAUSS_SEIDEL; h++)
    scale_row(m, h,
              cycle->smoother == GEN_JACOBI ? 1 - omega[0] * f->value[h]
                                            : chebyshev(cycle, f->value[h]));
}

/* ---- the cycle ---- */

double gen_factor_at(const struct gen_two_grids *grids, int number, const struct gen_cycle *cycle,
                     int squarings, double enough)
{
  const struct gen_frequency *f = grids->frequency + number;
  struct gen_matrix m = {0};
  const bool constant = fabs(f->value[0]) < 1e-9;
  for (int h = 0; h < GEN_HARMONICS; h++)
    m.real[h][h] = !(h & ~f->axes);
  for (int n = 0; n < cycle->before; n++)
    sweep(f, cycle, &grids->colours, cycle->omega_before[n], &m);
  for (int group = 0; group < GEN_HARMONICS; group++)
    if (f->solve[group] != 0)
      correct_group(f, group, &m);
  for (int n = 0; n < cycle->after; n++)
    sweep(f, cycle, &grids->colours, cycle->omega_after[n], &m);
  for (int n = 0; n < GEN_HARMONICS && constant; n++)
    m.real[0][n] = m.imaginary[0][n] = m.real[n][0] = m.imaginary[n][0] = 0;
  return gen_spectral_radius(m, squarings, enough);
}

/* Coefficients of the application's own may have any values: the analysis says nothing of them. */
static bool has_own_fields(const struct gen_kernel *kernel)
{
  static const char *const known[] = {"u", "w", "alpha", "beta_i", "beta_j", "beta_k"};
  for (int n = 0; n < kernel->arrays; n++) {
    bool is_known = kernel->array[n].rank == 1;
    for (size_t k = 0; k < sizeof known / sizeof *known && !is_known; k++)
      is_known = strcmp(kernel->array[n].name, known[k]) == 0;
    if (!is_known)
      return true;
  }
  return false;
}

bool gen_make_two_grids(const struct gen_operator *op, const double spacing[3],
                        bool constant_interpolation, const int steps[3],
                        struct gen_two_grids *grids)
{
  struct gen_stencil fine, coarse;
  double wide[3];
  if (has_own_fields(op->source) || !gen_unit_stencil(op, spacing, &fine))
    return false;
  const int axes = gen_coupled_axes(&fine), merged = gen_merged_axes(&fine, spacing),
            first = gen_frequencies(steps) / 2;
  for (int a = 0; a < 3; a++)
    wide[a] = merged >> a & 1 ? 2 * spacing[a] : spacing[a];
  if (!gen_unit_stencil(op, wide, &coarse)
      || !gen_colour_cells(&op->colouring, axes, &grids->colours))
    return false;
  grids->frequencies = gen_frequencies(steps) - first;
  grids->frequency = gen_allocate((size_t)grids->frequencies * sizeof *grids->frequency);
  for (int n = 0; n < grids->frequencies; n++) {
    struct gen_frequency *f = grids->frequency + n;
    f->axes = axes;
    f->merged = merged;
    gen_frequency(axes, steps, first + n, f->theta);
    gen_symbols_at(&fine, f->theta, f->value);
    make_transfers(f, constant_interpolation);
    make_coarse(f, &coarse, gen_stencil_diagonal(&fine));
  }
  return true;
}

double gen_two_grid_factor(const struct gen_operator *op, const double spacing[3],
                           const struct gen_cycle *cycle, const int steps[3])
{
  struct gen_two_grids grids = {0};
  double most = 0;
  if (!gen_make_two_grids(op, spacing, cycle->constant, steps, &grids))
    return NAN;
  for (int n = 0; n < grids.frequencies; n++)
    most = fmax(most, gen_factor_at(&grids, n, cycle, GEN_SQUARINGS, most));
  return most;
}
