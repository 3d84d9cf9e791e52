#include "cases.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "coordinates.h"
#include "file/sides.h"

static const double two_pi = 6.28318530717958647692;

#define D GMG_DIRICHLET
#define N GMG_NEUMANN
#define R GMG_ROBIN
#define P GMG_PERIODIC
#define ALL(kind) \
  { \
    kind, kind, kind, kind, kind, kind \
  }

const struct case_kind case_kinds[] = {
  {"sine", "u = sin sin sin, beta = 1, Dirichlet", ALL(D), .term = {&profile_sine}},
  {"cosine", "u = cos cos cos, beta = 1, Neumann: singular", ALL(N), .term = {&profile_cosine}},
  {"constant", "the polynomial of smooth with beta = 1, Dirichlet", ALL(D),
   .term = {&profile_polynomial}},
  {"smooth", "miniGMG's and HPGMG's smooth beta on faces, u a polynomial, a = 1, Dirichlet", ALL(D),
   .a = 1, .medium = MEDIUM_SMOOTH, .term = {&profile_polynomial}},
  {"smooth-periodic", "the same beta, u of sines, a = 1, periodic", ALL(P), .a = 1,
   .medium = MEDIUM_SMOOTH, .term = {&profile_power_2, &profile_power_6}},
  {"neumann", "the same beta, u of waves, Neumann with values: singular", ALL(N),
   .medium = MEDIUM_SMOOTH, .term = {&profile_wave}},
  {"robin", "the same beta, u of waves, Robin with values", ALL(R), .medium = MEDIUM_SMOOTH,
   .term = {&profile_wave}},
  {"mixed",
   "the same beta, u of waves: Dirichlet, Robin, Neumann with values, periodic in z",
   {D, R, N, D, P, P},
   .medium = MEDIUM_SMOOTH,
   .term = {&profile_wave}},
  {"helmholtz", "alpha on cells, a = 10, the same beta, u of waves, Neumann with values: regular",
   ALL(N), .a = 10, .alpha = 1, .medium = MEDIUM_SMOOTH, .term = {&profile_wave}},
  {"anisotropic",
   "u of waves, beta = 1, Dirichlet with values; spacing 1:3:10 unless --aspect says otherwise",
   ALL(D), .term = {&profile_wave}, .aspect = {1, 3, 10}},
  {"stretched", "u of waves, beta = 1, Dirichlet with values; --stretch 1.05 unless told otherwise",
   ALL(D), .term = {&profile_wave}, .stretch = {1.05, 1.05, 1.05}},
  {"thin", "256 x 256 x 4 cells, u of waves, beta = 1, Neumann with values: singular", ALL(N),
   .term = {&profile_wave}, .cells = {256, 256, 4}},
  {"odd", "61 x 67 x 71 cells, smooth's beta, u of waves, Dirichlet with values", ALL(D),
   .medium = MEDIUM_SMOOTH, .term = {&profile_wave}, .cells = {61, 67, 71}},
  {"plane",
   "two dimensions: 256 x 256 x 1 cells, smooth's beta, u of waves, Dirichlet with values, Neumann "
   "in z",
   {D, D, D, D, N, N},
   .medium = MEDIUM_SMOOTH,
   .term = {&profile_wave},
   .cells = {256, 256, 1}},
  {"sphere", "beta on cells: --ratio inside a sphere of --radius, 1 outside", ALL(D),
   .medium = MEDIUM_SPHERE},
  {"inclusions",
   "beta on cells: --ratio inside many cubes of --size cells at random places (--seed), 1 outside",
   ALL(D), .medium = MEDIUM_INCLUSIONS},
  {"layers", "beta on cells: 1 and --ratio in turns, in layers of --size cells in z", ALL(D),
   .medium = MEDIUM_LAYERS},
  {"checkerboard", "beta on cells: 1 and --ratio in turns, in cubes of --size cells", ALL(D),
   .medium = MEDIUM_CHECKERBOARD},
  {"rods",
   "beta on cells: --ratio inside many rods of --size cells square at random places (--seed), "
   "along "
   "all axes",
   ALL(D), .medium = MEDIUM_RODS},
  {"balls",
   "beta on cells: --ratio inside many balls of radius 1 to --size cells at random places "
   "(--seed), "
   "1 outside",
   ALL(D), .medium = MEDIUM_BALLS},
  {"noise", "beta on cells: --ratio in 3 of 10 cells, at random (--seed), 1 in the others", ALL(D),
   .medium = MEDIUM_NOISE},
  {"lognormal",
   "beta on cells: log beta Gaussian with deviation --sigma, covariance exp(-distance / --length), "
   "by --seed",
   ALL(D), .medium = MEDIUM_LOGNORMAL},
};
#undef D
#undef N
#undef R
#undef P
const int case_count = (int)(sizeof case_kinds / sizeof *case_kinds);

static int is_periodic(const struct problem *problem, int axis)
{
  return problem->side[2 * axis].kind == GMG_PERIODIC;
}

static int fixes(const struct problem_side *side)
{
  return side->kind == GMG_DIRICHLET || (side->kind == GMG_ROBIN && side->c0 != 0);
}

/* One factor of the solution; u does not vary along an axis of one cell unless its faces fix it. */
static void evaluate(const struct case_values *values, int term, int axis, double x, double out[3])
{
  const struct problem *problem = values->problem;
  const struct problem_side *side = &problem->side[2 * axis];
  const double extent = problem_extent(problem, axis);
  out[0] = 1;
  out[1] = out[2] = 0;
  if (problem->cells[axis] > 1 || fixes(&side[0]) || fixes(&side[1]))
    profile_at(values->kind->term[term], axis, is_periodic(problem, axis), x, out);
  out[1] /= extent;
  out[2] /= extent * extent;
}

static int fill_tables(struct case_values *values, int term, struct failure *failure)
{
  const struct problem *problem = values->problem;
  double out[3];
  for (int d = 0; d < 3; d++) {
    const size_t n = (size_t)problem->cells[d];
    for (int e = 0; e < 3; e++)
      if (!(values->table[term][d][e] = malloc(n * sizeof(double))))
        return failure_memory(failure, (double)n * sizeof(double), "tables of the case");
    for (size_t i = 0; i < n; i++) {
      evaluate(values, term, d, coordinate_centre(problem, d, (int)i), out);
      for (int e = 0; e < 3; e++)
        values->table[term][d][e][i] = out[e];
    }
    for (int side = 0; side < 2; side++) {
      evaluate(values, term, d, side, out);
      memcpy(values->end[term][d][side], out, sizeof values->end[term][d][side]);
    }
  }
  return 0;
}

/* c0 u + c1 ∂u/∂n of the exact solution on the faces of a side; none are kept where all are zero up
 * to rounding. */
static int fill_side(const struct case_values *values, int s, struct failure *failure)
{
  struct problem_side *side = &values->problem->side[s];
  const int d = s / 2, p = sides_axes[d][0], q = sides_axes[d][1], *cells = values->problem->cells;
  const double c0 = side->kind == GMG_ROBIN ? side->c0 : side->kind == GMG_DIRICHLET,
               c1 = side->kind == GMG_ROBIN ? side->c1 : side->kind == GMG_NEUMANN;
  double most = 0, *value;
  if (side->kind == GMG_PERIODIC)
    return 0;
  side->values = value = malloc(sides_faces(cells, s) * sizeof *value);
  if (!value)
    return failure_memory(failure, (double)sides_faces(cells, s) * sizeof *value,
                          "boundary values");
  for (int n = 0; n < cells[q]; n++)
    for (int m = 0; m < cells[p]; m++, value++) {
      *value = 0;
      for (int t = 0; t < 2 && values->kind->term[t]; t++) {
        const double *end = values->end[t][d][s % 2], outward = s % 2 ? end[1] : -end[1];
        *value +=
          (c0 * end[0] + c1 * outward) * values->table[t][p][0][m] * values->table[t][q][0][n];
      }
      most = fmax(most, fabs(*value));
    }
  side->has_values = most > 1e-13;
  if (!side->has_values) {
    free(side->values);
    side->values = NULL;
  }
  return 0;
}

int case_start(const struct case_kind *kind, struct problem *problem, struct medium *medium,
               int noise, struct case_values *values, struct failure *failure)
{
  *values = (struct case_values){
    .kind = kind, .problem = problem, .medium = medium, .noise = noise, .fixed = problem->a > 0};
  problem->has[FIELD_RHS] = 1;
  problem->has[FIELD_ALPHA] = kind->alpha;
  problem->has[FIELD_EXACT] = kind->term[0] && !noise;
  problem->has[FIELD_BETA] = medium->kind >= MEDIUM_SPHERE;
  for (int d = 0; d < 3; d++)
    problem->has[FIELD_BETA_X + d] = medium->kind == MEDIUM_SMOOTH;
  for (int s = 0; s < 6; s++)
    values->fixed |= fixes(&problem->side[s]);
  if (medium_start(medium, problem, failure))
    return failure->status;
  for (int t = 0; t < 2 && kind->term[t] && !noise; t++)
    if (fill_tables(values, t, failure))
      return failure->status;
  for (int s = 0; s < 6 && kind->term[0] && !noise; s++)
    if (fill_side(values, s, failure))
      return failure->status;
  return 0;
}

void case_clear(struct case_values *values)
{
  for (int t = 0; t < 2; t++)
    for (int d = 0; d < 3; d++)
      for (int e = 0; e < 3; e++)
        free(values->table[t][d][e]);
  if (values->medium)
    medium_clear(values->medium);
  memset(values, 0, sizeof *values);
}

/* Position of a cell's centre, or of its low face along an axis. */
static void position(const struct problem *problem, const int cell[3], int face_axis, double at[3])
{
  for (int d = 0; d < 3; d++)
    at[d] = d == face_axis ? coordinate_face(problem, d, cell[d])
                           : coordinate_centre(problem, d, cell[d]);
}

/* 1 + a wave, or a wave of mean 0; along an axis of one cell it does not vary. */
static double ripple(const struct problem *problem, const int cell[3], double mean, double height)
{
  double product = height;
  for (int d = 0; d < 3; d++)
    if (problem->cells[d] > 1)
      product *= cos(two_pi * coordinate_centre(problem, d, cell[d]));
  return mean + product;
}

static double alpha_at(const struct case_values *values, const int cell[3])
{
  return values->kind->alpha ? ripple(values->problem, cell, 1, 0.5) : 1;
}

static double exact_at(const struct case_values *values, const int cell[3])
{
  double u = 0;
  for (int t = 0; t < 2 && values->kind->term[t]; t++)
    u += values->table[t][0][0][cell[0]] * values->table[t][1][0][cell[1]]
      * values->table[t][2][0][cell[2]];
  return u;
}

/* f = a α u - b (β Δu + ∇β · ∇u); without a solution 1, or where that would be projected away, a
 * wave; or noise. */
static double rhs_at(const struct case_values *values, const int cell[3])
{
  const struct problem *problem = values->problem;
  if (values->noise)
    return (double)(random_hash((uint64_t)values->medium->seed, cell[0], cell[1], cell[2]) >> 11)
      / 4503599627370496.
      - 1;
  if (!values->kind->term[0])
    return values->fixed ? 1 : ripple(problem, cell, 0, 1);
  double at[3], gradient[3], flux = 0;
  position(problem, cell, -1, at);
  const double beta = medium_smooth(values->medium, at, gradient);
  for (int t = 0; t < 2 && values->kind->term[t]; t++)
    for (int d = 0; d < 3; d++) {
      int e = (d + 1) % 3, g = (d + 2) % 3;
      double others = values->table[t][e][0][cell[e]] * values->table[t][g][0][cell[g]];
      flux += others
        * (beta * values->table[t][d][2][cell[d]] + gradient[d] * values->table[t][d][1][cell[d]]);
    }
  return problem->a * alpha_at(values, cell) * exact_at(values, cell) - problem->b * flux;
}

static double face_beta_at(const struct case_values *values, enum problem_field field,
                           const int cell[3])
{
  double at[3], gradient[3];
  position(values->problem, cell, problem_field_axis(field), at);
  return medium_smooth(values->medium, at, gradient);
}

/* The row of a field along i that begins at a cell. */
static void fill_row(const struct case_values *values, enum problem_field field, const int first[3],
                     int to, double *row)
{
  if (field == FIELD_BETA) {
    medium_row(values->medium, first[0], to, first[1], first[2], row);
    return;
  }
  int cell[3] = {first[0], first[1], first[2]};
  for (; cell[0] < to; cell[0]++)
    *row++ = field == FIELD_RHS ? rhs_at(values, cell)
      : field == FIELD_EXACT    ? exact_at(values, cell)
      : field == FIELD_ALPHA    ? alpha_at(values, cell)
                                : face_beta_at(values, field, cell);
}

void case_fill(const struct case_values *values, enum problem_field field, const int from[3],
               const int to[3], double *block)
{
  const int rows = to[1] - from[1], length = to[0] - from[0];
#pragma omp parallel for collapse(2) schedule(static)
  for (int k = from[2]; k < to[2]; k++)
    for (int j = from[1]; j < to[1]; j++) {
      const int first[3] = {from[0], j, k};
      const ptrdiff_t row = (ptrdiff_t)(k - from[2]) * rows + (j - from[1]);
      fill_row(values, field, first, to[0], block + row * length);
    }
}
