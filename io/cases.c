#include "cases.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

/* A function of one coordinate, 0 … 1: its value and first two derivatives. */
struct case_profile {
  void (*evaluate)(double x, double parameter, double out[3]);
  double parameter;
};

static void sine(double x, double frequency, double out[3])
{
  double c = frequency * pi;
  out[0] = sin(c * x);
  out[1] = c * cos(c * x);
  out[2] = -c * c * sin(c * x);
}

static void cosine(double x, double frequency, double out[3])
{
  double c = frequency * pi;
  out[0] = cos(c * x);
  out[1] = -c * sin(c * x);
  out[2] = -c * c * cos(c * x);
}

/* 2 x^6 - 6 x^5 + 5 x^4 - x^2: zero with its first derivative at 0 and 1. */
static void polynomial(double x, double unused, double out[3])
{
  (void)unused;
  out[0] = x * x * (-1 + x * x * (5 + x * (-6 + 2 * x)));
  out[1] = x * (-2 + x * x * (20 + x * (-30 + 12 * x)));
  out[2] = -2 + x * x * (60 + x * (-120 + 60 * x));
}

/* sin^13 (frequency π x): smooth enough for fourth order, periodic for even frequencies. */
static void power(double x, double frequency, double out[3])
{
  const double p = 13;
  double c = frequency * pi, s = sin(c * x), t = cos(c * x), s11 = pow(s, p - 2);
  out[0] = s11 * s * s;
  out[1] = c * p * t * s11 * s;
  out[2] = c * c * p * s11 * ((p - 1) * t * t - s * s);
}

static const struct case_profile profile_sine = {sine, 1}, profile_cosine = {cosine, 1},
                                 profile_polynomial = {polynomial, 0}, profile_power_2 = {power, 2},
                                 profile_power_6 = {power, 6};

const struct case_kind case_kinds[] = {
  {"sine", "u = sin sin sin, beta = 1, Dirichlet", GMG_DIRICHLET, 0, BETA_ONE, 1, {&profile_sine, NULL}},
  {"cosine", "u = cos cos cos, beta = 1, Neumann: singular", GMG_NEUMANN, 0, BETA_ONE, 1, {&profile_cosine, NULL}},
  {"constant",
   "the polynomial of smooth with beta = 1, Dirichlet",
   GMG_DIRICHLET,
   0,
   BETA_ONE,
   1,
   {&profile_polynomial, NULL}},
  {"smooth",
   "miniGMG's and HPGMG's smooth beta on faces, u a polynomial, a = 1, Dirichlet",
   GMG_DIRICHLET,
   1,
   BETA_SMOOTH,
   1,
   {&profile_polynomial, NULL}},
  {"smooth-periodic",
   "the same beta, u of sines, a = 1, periodic",
   GMG_PERIODIC,
   1,
   BETA_SMOOTH,
   2,
   {&profile_power_2, &profile_power_6}},
  {"sphere",
   "beta on cells, --ratio inside a sphere of --radius, 1 outside, f = 1, Dirichlet",
   GMG_DIRICHLET,
   0,
   BETA_SPHERE,
   0,
   {NULL, NULL}},
};
const int case_count = (int)(sizeof case_kinds / sizeof *case_kinds);

/* A position in cells from the low corner, as a part of the box. */
static double relative(const struct problem *problem, int axis, double position)
{
  return position / problem->cells[axis];
}

int case_start(const struct case_kind *kind, struct problem *problem, struct case_values *values,
               struct failure *failure)
{
  static const double constant[3] = {1, 0, 0};
  memset(values, 0, sizeof *values);
  values->kind = kind;
  values->problem = problem;
  problem->has[FIELD_RHS] = 1;
  problem->has[FIELD_EXACT] = kind->terms > 0;
  problem->has[FIELD_BETA] = kind->coefficient == BETA_SPHERE;
  for (int d = 0; d < 3; d++)
    problem->has[FIELD_BETA_X + d] = kind->coefficient == BETA_SMOOTH;
  for (int s = 0; s < 6; s++)
    problem->side[s].kind = kind->boundary;
  for (int t = 0; t < kind->terms; t++)
    for (int d = 0; d < 3; d++) {
      double extent = problem->upper[d] - problem->lower[d];
      size_t n = (size_t)problem->cells[d];
      for (int e = 0; e < 3; e++)
        if (!(values->table[t][d][e] = malloc(n * sizeof(double))))
          return failure_memory(failure, (double)n * sizeof(double), "tables of the case");
      for (size_t i = 0; i < n; i++) {
        double out[3];
        if (n == 1 && kind->boundary != GMG_DIRICHLET) /* u does not vary along an axis of one cell */
          memcpy(out, constant, sizeof out);
        else
          kind->term[t]->evaluate(relative(problem, d, (double)i + 0.5), kind->term[t]->parameter, out);
        values->table[t][d][0][i] = out[0];
        values->table[t][d][1][i] = out[1] / extent;
        values->table[t][d][2][i] = out[2] / (extent * extent);
      }
    }
  return 0;
}

void case_clear(struct case_values *values)
{
  for (int t = 0; t < 2; t++)
    for (int d = 0; d < 3; d++)
      for (int e = 0; e < 3; e++)
        free(values->table[t][d][e]);
  memset(values, 0, sizeof *values);
}

/* β and its gradient at a point given in cells from the low corner. */
static double beta_at(const struct case_values *values, const double position[3], double gradient[3])
{
  const struct problem *problem = values->problem;
  gradient[0] = gradient[1] = gradient[2] = 0;
  double square = 0, offset[3], extent[3];
  for (int d = 0; d < 3; d++) {
    extent[d] = problem->upper[d] - problem->lower[d];
    offset[d] = relative(problem, d, position[d]) - 0.5;
    double length = values->kind->coefficient == BETA_SPHERE ? extent[d] * offset[d] : offset[d];
    square += length * length;
  }
  double r = sqrt(square);
  if (values->kind->coefficient == BETA_SPHERE)
    return r < values->radius ? values->ratio : 1;
  if (values->kind->coefficient == BETA_ONE)
    return 1;
  double t = tanh(10 * (r - 0.25));
  for (int d = 0; d < 3 && r > 0; d++)
    gradient[d] = 45 * (1 - t * t) * offset[d] / (r * extent[d]);
  return 5.5 + 4.5 * t;
}

static double exact_at(const struct case_values *values, const int cell[3])
{
  double u = 0;
  for (int t = 0; t < values->kind->terms; t++)
    u += values->table[t][0][0][cell[0]] * values->table[t][1][0][cell[1]] * values->table[t][2][0][cell[2]];
  return u;
}

/* f = a u - b (β Δu + ∇β · ∇u) */
static double rhs_at(const struct case_values *values, const int cell[3])
{
  if (!values->kind->terms)
    return 1;
  const double centre[3] = {cell[0] + 0.5, cell[1] + 0.5, cell[2] + 0.5};
  double gradient[3], beta = beta_at(values, centre, gradient), flux = 0;
  for (int t = 0; t < values->kind->terms; t++)
    for (int d = 0; d < 3; d++) {
      int e = (d + 1) % 3, g = (d + 2) % 3;
      double others = values->table[t][e][0][cell[e]] * values->table[t][g][0][cell[g]];
      flux += others * (beta * values->table[t][d][2][cell[d]] + gradient[d] * values->table[t][d][1][cell[d]]);
    }
  return values->problem->a * exact_at(values, cell) - values->problem->b * flux;
}

void case_fill(const struct case_values *values, enum problem_field field, const int from[3], const int to[3],
               double *block)
{
  int cell[3];
  for (cell[2] = from[2]; cell[2] < to[2]; cell[2]++)
    for (cell[1] = from[1]; cell[1] < to[1]; cell[1]++)
      for (cell[0] = from[0]; cell[0] < to[0]; cell[0]++) {
        double at[3], gradient[3];
        for (int d = 0; d < 3; d++)
          at[d] = cell[d] + (field == FIELD_BETA_X + (unsigned)d ? 0 : 0.5);
        *block++ = field == FIELD_RHS ? rhs_at(values, cell)
          : field == FIELD_EXACT      ? exact_at(values, cell)
                                      : beta_at(values, at, gradient);
      }
}
