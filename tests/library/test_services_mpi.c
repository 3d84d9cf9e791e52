/* ranks: 1 3 */
/* Preconditions: none. What must vanish, to rounding: the difference of A u, of the residual and of
 * the outflow of the fluxes from sums over faces written out here; what a preconditioner of a few
 * cycles lacks of being linear and, where promised, symmetric, and (to the last bit) repeatable.
 * The fluxes of solutions converge of second order, on walls too, but near edges. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ranks.h"

#include <gmg.h>

enum { MOST = 40, MOST_VALUES = (MOST + 1) * (MOST + 1) * (MOST + 1) };

struct problem {
  const char *name;
  int n[3];
  gmg_boundary kind[6];
  int variable, alpha; /* β on faces; α */
  double stretch;
  const char *option[6];
};

static struct gmg_comm comm;
static gmg_context *context;
static double face[3][MOST + 1]; /* coordinates */
static double u[MOST_VALUES], f[MOST_VALUES], w[MOST_VALUES], r[MOST_VALUES], flux[3][MOST_VALUES];
static double x[MOST_VALUES], y[MOST_VALUES], z[MOST_VALUES], bx[MOST_VALUES], by[MOST_VALUES],
  bz[MOST_VALUES];
static int lower[3], upper[3];

static const double c0 = 2, c1 = 0.5; /* of Robin */

static size_t at(int i, int j, int k)
{
  return (size_t)i + (MOST + 1) * ((size_t)j + (MOST + 1) * (size_t)k);
}

/* A global array with room for faces; the view starts at this rank's part. */
static gmg_array view(double *values)
{
  return (gmg_array){values + at(lower[0], lower[1], lower[2]),
                     {1, MOST + 1, (MOST + 1) * (MOST + 1)}};
}

static double beta(const struct problem *p, int d, const int c[3])
{
  double place[3], sum = 0;
  for (int e = 0; e < 3; e++) {
    const int wrapped = p->kind[2 * e] == GMG_PERIODIC ? c[e] % p->n[e] : c[e];
    place[e] = e == d ? face[e][wrapped] : 0.5 * (face[e][wrapped] + face[e][wrapped + 1]);
    sum += cos(2 * acos(-1.0) * place[e]);
  }
  return p->variable ? 1.5 + 0.3 * sum : 1;
}

static double alpha(const struct problem *p, int i, int j, int k)
{
  return p->alpha ? 1 + 0.5 * sin(i + 2 * j + 3 * k) : 0;
}

static double width(int d, int i)
{
  return face[d][i + 1] - face[d][i];
}

static double side_value(const struct problem *p, int side)
{
  return p->kind[side] == GMG_PERIODIC ? 0 : 0.3 + 0.2 * side;
}

/* The flux through face c of axis d, from u, by the contract's formulas. */
static double expected_flux(const struct problem *p, int d, const int c[3])
{
  const int n = p->n[d];
  int low[3] = {c[0], c[1], c[2]}, high[3] = {c[0], c[1], c[2]};
  low[d]--;
  const int wall = c[d] == 0 ? 0 : c[d] == n ? 1 : -1;
  const double b = 1.25 * beta(p, d, c);
  if (wall >= 0 && p->kind[2 * d] == GMG_PERIODIC) {
    low[d] = n - 1;
    high[d] = 0;
    const double distance = 0.5 * (width(d, 0) + width(d, n - 1));
    return -b * (u[at(high[0], high[1], high[2])] - u[at(low[0], low[1], low[2])]) / distance;
  }
  if (wall < 0) {
    const double distance = 0.5 * (width(d, c[d]) + width(d, c[d] - 1));
    return -b * (u[at(high[0], high[1], high[2])] - u[at(low[0], low[1], low[2])]) / distance;
  }
  const int side = 2 * d + wall, *inner = wall ? low : high;
  const double h = width(d, wall ? n - 1 : 0), here = u[at(inner[0], inner[1], inner[2])],
               value = side_value(p, side);
  double ghost = 2 * value - here;
  if (p->kind[side] == GMG_NEUMANN)
    ghost = here + h * value;
  if (p->kind[side] == GMG_ROBIN) /* c0 (here + ghost) / 2 + c1 (ghost - here) / h = value */
    ghost = (value - (0.5 * c0 - c1 / h) * here) / (0.5 * c0 + c1 / h);
  return (wall ? -1 : 1) * b * (ghost - here) / h;
}

static void make_faces(const struct problem *p)
{
  for (int d = 0; d < 3; d++) {
    double sum = 0, step = 1;
    for (int i = 0; i <= p->n[d]; i++) {
      face[d][i] = sum;
      sum += step;
      step *= d == 2 && p->stretch > 0 ? p->stretch : 1;
    }
    for (int i = 0; i < p->n[d]; i++)
      face[d][i] /= face[d][p->n[d]];
    face[d][p->n[d]] = 1;
  }
}

static gmg_solver *make(const struct problem *p)
{
  static const double zero[3] = {0, 0, 0}, one[3] = {1, 1, 1};
  gmg_grid *grid;
  gmg_solver *solver;
  make_faces(p);
  assert_int_equal(gmg_grid_create(context, p->n, zero, one, &grid), GMG_OK);
  if (p->stretch > 0)
    assert_int_equal(gmg_grid_set_faces(grid, 2, face[2]), GMG_OK);
  for (int side = 0; side < 6; side++)
    assert_int_equal(
      gmg_grid_set_boundary(grid, (gmg_side)side, p->kind[side], c0, c1, side_value(p, side)),
      GMG_OK);
  gmg_grid_part(grid, lower, upper);
  assert_int_equal(gmg_solver_create(grid, &solver), GMG_OK);
  gmg_grid_destroy(&grid);
  assert_int_equal(gmg_solver_set_equation(solver, p->alpha ? 1 : 0, 1.25), GMG_OK);
  for (int n = 0; n < 6 && p->option[n]; n += 2)
    assert_int_equal(gmg_solver_set_option(solver, p->option[n], p->option[n + 1]), GMG_OK);
  for (int which = GMG_ALPHA; which <= GMG_BETA_Z; which++) {
    if (which == GMG_BETA || (which == GMG_ALPHA ? !p->alpha : !p->variable))
      continue;
    const int d = which - GMG_BETA_X;
    for (int k = 0; k < p->n[2] + (d == 2); k++)
      for (int j = 0; j < p->n[1] + (d == 1); j++)
        for (int i = 0; i < p->n[0] + (d == 0); i++)
          w[at(i, j, k)] = d < 0 ? alpha(p, i, j, k) : beta(p, d, (const int[]){i, j, k});
    const gmg_array values = view(w);
    assert_int_equal(gmg_solver_set_coefficient(solver, (gmg_coefficient)which, &values), GMG_OK);
  }
  assert_int_equal(gmg_solver_setup(solver), GMG_OK);
  return solver;
}

static void fill(const struct problem *p, double *values, double seed)
{
  for (int k = 0; k < p->n[2]; k++)
    for (int j = 0; j < p->n[1]; j++)
      for (int i = 0; i < p->n[0]; i++)
        values[at(i, j, k)] = sin(seed * (1 + i + 3.1 * j + 7.3 * k));
}

/* Largest difference of A u (per volume, boundary values in it) and of the fluxes, over their size.
 */
static void compare(const struct problem *p, double error[3])
{
  double size = 0, flux_size = 0, difference[3] = {0, 0, 0};
  for (int k = lower[2]; k < upper[2]; k++)
    for (int j = lower[1]; j < upper[1]; j++)
      for (int i = lower[0]; i < upper[0]; i++) {
        double sum = alpha(p, i, j, k) * u[at(i, j, k)], outflow = sum;
        for (int d = 0; d < 3; d++)
          for (int high = 0; high < 2; high++) {
            int c[3] = {i, j, k};
            c[d] += high;
            const double expected = expected_flux(p, d, c), found = flux[d][at(c[0], c[1], c[2])];
            const double h = width(d, d == 0 ? i : d == 1 ? j : k);
            difference[2] = fmax(difference[2], fabs(found - expected));
            flux_size = fmax(flux_size, fabs(expected));
            sum += (high ? 1 : -1) * expected / h;
            outflow += (high ? 1 : -1) * found / h;
          }
        const double residual = f[at(i, j, k)] - r[at(i, j, k)]; /* A u */
        size = fmax(size, fabs(sum));
        difference[0] = fmax(difference[0], fabs(residual - sum));
        difference[1] = fmax(difference[1], fabs(residual - outflow));
      }
  double sizes[2] = {size, flux_size};
  gmg_comm_max(&comm, sizes, 2);
  gmg_comm_max(&comm, difference, 3);
  for (int n = 0; n < 3; n++)
    error[n] = difference[n] / sizes[n == 2];
}

static const struct problem problems[] = {
  {"Dirichlet, constant", {20, 17, 13}, {0, 0, 0, 0, 0, 0}, 0, 0, 0, {0}},
  {"mixed, variable",
   {16, 20, 18},
   {GMG_DIRICHLET, GMG_NEUMANN, GMG_ROBIN, GMG_NEUMANN, 3, 3},
   1,
   1,
   0,
   {0}},
  {"stretched",
   {15, 16, 24},
   {GMG_ROBIN, GMG_ROBIN, 3, 3, GMG_NEUMANN, GMG_DIRICHLET},
   1,
   0,
   1.05,
   {0}},
  {"boxes",
   {24, 20, 16},
   {3, 3, GMG_DIRICHLET, GMG_NEUMANN, GMG_NEUMANN, GMG_DIRICHLET},
   1,
   1,
   0,
   {"box", "7"}},
  {"mixed",
   {24, 20, 16},
   {3, 3, GMG_DIRICHLET, 0, GMG_NEUMANN, 0},
   1,
   1,
   0,
   {"precision", "mixed"}},
  {"plain rows",
   {16, 16, 16},
   {3, 3, GMG_DIRICHLET, 0, GMG_NEUMANN, 0},
   1,
   1,
   0,
   {"rows", "plain"}},
  {"a plane",
   {24, 20, 1},
   {3, 3, GMG_DIRICHLET, GMG_ROBIN, GMG_NEUMANN, GMG_NEUMANN},
   1,
   1,
   0,
   {0}},
  {"periodic", {16, 12, 20}, {3, 3, 3, 3, 3, 3}, 1, 0, 0, {0}},
};

static void operator_and_fluxes(void **state)
{
  (void)state;
  for (size_t n = 0; n < sizeof problems / sizeof *problems; n++) {
    const struct problem *p = &problems[n];
    gmg_solver *solver = make(p);
    double error[3], linear = 0, size = 0;
    fill(p, u, 0.7);
    fill(p, f, 0.3);
    memset(x, 0, sizeof x);
    const gmg_array of_u = view(u), of_f = view(f), of_x = view(x);
    gmg_array of_w = view(w), of_r = view(r), of_z = view(z),
              faces[3] = {view(flux[0]), view(flux[1]), view(flux[2])};
    assert_int_equal(gmg_solver_apply(solver, &of_u, &of_w), GMG_OK);
    assert_int_equal(gmg_solver_residual(solver, &of_f, &of_u, &of_r), GMG_OK);
    assert_int_equal(gmg_solver_residual(solver, &of_f, &of_x, &of_z), GMG_OK);
    assert_int_equal(gmg_solver_fluxes(solver, &of_u, &faces[0], &faces[1], &faces[2]), GMG_OK);
    compare(p, error);
    for (int k = lower[2]; k < upper[2]; k++)
      for (int j = lower[1]; j < upper[1]; j++)
        for (int i = lower[0]; i < upper[0]; i++) {
          const size_t c = at(i, j, k);
          linear =
            fmax(linear, fabs(z[c] - r[c] - w[c])); /* f - A 0 - (f - A u) = the linear part */
          size = fmax(size, fabs(w[c]));
        }
    if (comm.rank == 0)
      printf("%-20s A u %.1e, outflow %.1e, fluxes %.1e, linear part %.1e\n", p->name, error[0],
             error[1], error[2], linear / size);
    for (int m = 0; m < 3; m++)
      assert_true(error[m] < 1e-13);
    assert_true(linear <= 1e-13 * size);
    gmg_solver_destroy(&solver);
  }
}

static double exact(int d, const double place[3]) /* d: -1 u, 0 … 2 its derivatives */
{
  const double s[3] = {sin(1 + place[0]), sin(0.5 + 2 * place[1]), sin(2 + 1.5 * place[2])};
  const double c[3] = {cos(1 + place[0]), 2 * cos(0.5 + 2 * place[1]),
                       1.5 * cos(2 + 1.5 * place[2])};
  return (d == 0 ? c[0] : s[0]) * (d == 1 ? c[1] : s[1]) * (d == 2 ? c[2] : s[2]);
}

/* Largest error of the fluxes of the solution of a Dirichlet problem with n cells per direction; on
 * walls, and elsewhere. */
static void flux_error(int n, double error[2])
{
  const struct problem p = {"", {n, n, n}, {0, 0, 0, 0, 0, 0}, 0, 0, 0, {0}};
  static const double zero[3] = {0, 0, 0}, one[3] = {1, 1, 1};
  static double values[MOST * MOST];
  gmg_grid *grid;
  gmg_solver *solver;
  gmg_result result;
  make_faces(&p);
  assert_int_equal(gmg_grid_create(context, p.n, zero, one, &grid), GMG_OK);
  for (int side = 0; side < 6; side++) {
    for (int q = 0; q < n; q++)
      for (int m = 0; m < n; m++) {
        double place[3];
        place[side / 2] = side % 2;
        place[side / 2 == 0 ? 1 : 0] = (m + 0.5) / n;
        place[side / 2 == 2 ? 1 : 2] = (q + 0.5) / n;
        values[m + n * q] = exact(-1, place);
      }
    assert_int_equal(gmg_grid_set_boundary_values(grid, (gmg_side)side, values), GMG_OK);
  }
  gmg_grid_part(grid, lower, upper);
  assert_int_equal(gmg_solver_create(grid, &solver), GMG_OK);
  assert_int_equal(gmg_solver_setup(solver), GMG_OK);
  for (int k = 0; k < n; k++)
    for (int j = 0; j < n; j++)
      for (int i = 0; i < n; i++)
        f[at(i, j, k)] =
          7.25 * exact(-1, (const double[]){(i + 0.5) / n, (j + 0.5) / n, (k + 0.5) / n});
  const gmg_array of_f = view(f);
  gmg_array of_u = view(u), faces[3] = {view(flux[0]), view(flux[1]), view(flux[2])};
  assert_int_equal(gmg_solver_solve(solver, &of_f, &of_u, 0, &result), GMG_OK);
  assert_int_equal(gmg_solver_fluxes(solver, &of_u, &faces[0], &faces[1], &faces[2]), GMG_OK);
  error[0] = error[1] = 0;
  for (int d = 0; d < 3; d++)
    for (int k = lower[2]; k < upper[2] + (d == 2); k++)
      for (int j = lower[1]; j < upper[1] + (d == 1); j++)
        for (int i = lower[0]; i < upper[0] + (d == 0); i++) {
          const int c[3] = {i, j, k}, inside = c[d] > 0 && c[d] < n;
          double place[3];
          int near_walls = 0;
          for (int e = 0; e < 3; e++)
            place[e] = (c[e] + (e == d ? 0 : 0.5)) / n;
          for (int e = 0; e < 3; e++)
            near_walls += place[e] < 0.2 || place[e] > 0.8;
          if (near_walls < 2)
            error[inside] = fmax(error[inside], fabs(flux[d][at(i, j, k)] + exact(d, place)));
        }
  gmg_comm_max(&comm, error, 2);
  gmg_solver_destroy(&solver);
  gmg_grid_destroy(&grid);
}

static void fluxes_converge(void **state)
{
  (void)state;
  double coarse[2], fine[2];
  flux_error(20, coarse);
  flux_error(40, fine);
  for (int n = 0; n < 2; n++) {
    const double order = log2(coarse[n] / fine[n]);
    if (comm.rank == 0)
      printf("fluxes %s: error %.2e at 20, %.2e at 40: order %.2f\n", n ? "inside" : "on walls",
             coarse[n], fine[n], order);
    assert_true(order > 1.8);
  }
}

static double product(const struct problem *p, const double *a, const double *b)
{
  double sum = 0;
  for (int k = lower[2]; k < upper[2]; k++)
    for (int j = lower[1]; j < upper[1]; j++)
      for (int i = lower[0]; i < upper[0]; i++)
        sum += width(0, i) * width(1, j) * width(2, k) * a[at(i, j, k)] * b[at(i, j, k)];
  (void)p;
  gmg_comm_sum(&comm, &sum, 1);
  return sum;
}

/* Returns what B lacks of being linear, symmetric, repeatable; relative. */
static void examine(const struct problem *p, int cycles, double lacks[3])
{
  gmg_solver *solver = make(p);
  fill(p, x, 0.9);
  fill(p, y, 0.41);
  for (int n = 0; n < MOST_VALUES; n++)
    z[n] = x[n] - 2 * y[n];
  const gmg_array of_x = view(x), of_y = view(y), of_z = view(z);
  gmg_array of_bx = view(bx), of_by = view(by), of_bz = view(bz), of_w = view(w);
  assert_int_equal(gmg_solver_precondition(solver, &of_x, &of_bx, cycles), GMG_OK);
  assert_int_equal(gmg_solver_precondition(solver, &of_y, &of_by, cycles), GMG_OK);
  assert_int_equal(gmg_solver_precondition(solver, &of_z, &of_bz, cycles), GMG_OK);
  assert_int_equal(gmg_solver_precondition(solver, &of_x, &of_w, cycles), GMG_OK);
  double size = 0;
  lacks[0] = lacks[2] = 0;
  for (int k = lower[2]; k < upper[2]; k++)
    for (int j = lower[1]; j < upper[1]; j++)
      for (int i = lower[0]; i < upper[0]; i++) {
        const size_t c = at(i, j, k);
        size = fmax(size, fabs(bx[c]));
        lacks[0] = fmax(lacks[0], fabs(bz[c] - bx[c] + 2 * by[c]));
        lacks[2] += memcmp(&w[c], &bx[c], sizeof *w) != 0;
      }
  lacks[0] /= size;
  const double xby = product(p, x, by), ybx = product(p, y, bx), xbx = product(p, x, bx),
               yby = product(p, y, by);
  lacks[1] = fabs(xby - ybx) / sqrt(xbx * yby);
  gmg_comm_max(&comm, lacks, 3);
  gmg_solver_destroy(&solver);
}

static void precondition(void **state)
{
  (void)state;
  static const struct problem of[] = {
    {"defaults", {20, 24, 18}, {0, 0, GMG_NEUMANN, GMG_ROBIN, 3, 3}, 1, 1, 0, {0}},
    {"singular", {20, 16, 18}, {3, 3, GMG_NEUMANN, GMG_NEUMANN, 3, 3}, 1, 0, 0, {0}},
    {"jacobi",
     {20, 24, 18},
     {0, 0, GMG_NEUMANN, 0, 3, 3},
     1,
     1,
     1.05,
     {"smoother", "jacobi", "interpolation", "constant"}},
    {"chebyshev, W",
     {17, 24, 18},
     {0, 0, 0, 0, 3, 3},
     1,
     1,
     0,
     {"smoother", "chebyshev", "interpolation", "constant", "cycle", "w"}},
    {"mixed", {20, 24, 18}, {0, 0, GMG_NEUMANN, GMG_ROBIN, 3, 3}, 1, 1, 0, {"precision", "mixed"}}};
  for (size_t n = 0; n < sizeof of / sizeof *of; n++) {
    double lacks[3];
    examine(&of[n], 1 + (int)n % 2, lacks);
    if (comm.rank == 0)
      printf("%-13s not linear %.1e, not symmetric %.1e, not repeated %.0f values\n", of[n].name,
             lacks[0], lacks[1], lacks[2]);
    const int symmetric = n == 2 || n == 3, mixed = n == 4;
    assert_true(lacks[0] < (mixed ? 1e-5 : 1e-13));
    assert_true(lacks[2] == 0);
    assert_true(!symmetric || lacks[1] < 1e-13);
  }
}

static void refusals(void **state)
{
  (void)state;
  const struct problem p = {"", {8, 8, 8}, {0}, 0, 0, 0, {"operator", "constant27"}};
  gmg_solver *solver = make(&p);
  const gmg_array of_u = view(u), none = {NULL, {1, 1, 1}};
  gmg_array of_w = view(w);
  assert_int_equal(gmg_solver_fluxes(solver, &of_u, &of_w, &of_w, &of_w), GMG_ERR_UNSUPPORTED);
  assert_non_null(strstr(gmg_context_message(context), "constant27"));
  assert_int_equal(gmg_solver_apply(solver, &none, &of_w), GMG_ERR_ARGUMENT);
  assert_int_equal(gmg_solver_precondition(solver, &of_u, &of_w, 0), GMG_ERR_ARGUMENT);
  assert_int_equal(gmg_solver_apply(solver, &of_u, &of_w), GMG_OK);
  gmg_solver_destroy(&solver);
}

int main(int argc, char **argv)
{
  if (ranks_start(&argc, &argv, &comm))
    return 1;
#if GMG_WITH_MPI
  int failed = gmg_context_create_mpi(comm.mpi, 2, &context) != GMG_OK;
#else
  int failed = gmg_context_create(2, &context) != GMG_OK;
#endif
  const struct CMUnitTest tests[] = {cmocka_unit_test(operator_and_fluxes),
                                     cmocka_unit_test(fluxes_converge),
                                     cmocka_unit_test(precondition), cmocka_unit_test(refusals)};
  failed = failed || cmocka_run_group_tests(tests, NULL, NULL);
  gmg_context_destroy(&context);
  return ranks_finish(&comm, failed);
}
