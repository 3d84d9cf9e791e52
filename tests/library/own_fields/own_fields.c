/* Coefficient fields of an operator's own (gmg_solver_set_field), on faces, against variable7 with
 * β on the same faces. Preconditions: none. What must vanish: the difference of the solutions, up
 * to what the tolerance leaves; more than two cycles beyond variable7's, for each rule of
 * coarsening; the difference to the last bit between replaced values and a new solver's; a peak of
 * memory above what was predicted; calls that are wrong and not refused. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gmg.h>

GMG_OPERATORS(faces_operators);

enum { N = 24, VALUES = (N + 1) * (N + 1) * (N + 1) };
static double kappa[3][VALUES], f[VALUES], u[VALUES], expected[VALUES];
static int failures;

static void check(int good, const char *what, gmg_context *context)
{
  printf("%s %s%s%s\n", good ? "ok" : "FAILED", what, good ? "" : ": ",
         good ? "" : gmg_context_message(context));
  failures += !good;
}

static gmg_array face_array(int d)
{
  const ptrdiff_t row = N + (d == 0), rows = N + (d == 1);
  return (gmg_array){kappa[d], {1, row, row * rows}};
}

static void fill(double phase)
{
  for (int d = 0; d < 3; d++) {
    const int row = N + (d == 0), rows = N + (d == 1), planes = N + (d == 2);
    for (int k = 0; k < planes; k++)
      for (int j = 0; j < rows; j++)
        for (int i = 0; i < row; i++)
          kappa[d][((size_t)k * (size_t)rows + (size_t)j) * (size_t)row + (size_t)i] =
            1.5 + 0.5 * d + sin(0.3 * i + phase) * cos(0.2 * j) * sin(0.25 * k + 0.5 * d);
  }
  for (int c = 0; c < N * N * N; c++)
    f[c] = cos(0.01 * c) + 0.5;
}

static gmg_solver *make(gmg_grid *grid, const char *operator_)
{
  gmg_solver *solver = NULL;
  if (gmg_solver_create(grid, &solver) || gmg_solver_set_option(solver, "operator", operator_)
      || gmg_solver_set_equation(solver, 1, 1))
    exit(1);
  return solver;
}

static gmg_status set_fields(gmg_solver *solver, gmg_coarsening rule)
{
  static const char *const name[] = {"kappa_x", "kappa_y", "kappa_z"};
  gmg_status status = GMG_OK;
  for (int d = 0; d < 3 && !status; d++) {
    const gmg_array values = face_array(d);
    status =
      gmg_solver_set_field(solver, name[d], (gmg_centring)(GMG_ON_FACES_X + d), rule, &values);
  }
  return status;
}

static int solve(gmg_solver *solver, double *to)
{
  gmg_result result = {0};
  const gmg_array right_side = {f, {1, N, N * N}};
  gmg_array solution = {to, {1, N, N * N}};
  memset(to, 0, sizeof u);
  const gmg_status status = gmg_solver_solve(solver, &right_side, &solution, 0, &result);
  return status || result.outcome != GMG_CONVERGED ? 1000 : result.cycles;
}

static double largest_difference(void)
{
  double most = 0, size = 0;
  for (int c = 0; c < N * N * N; c++) {
    most = fmax(most, fabs(u[c] - expected[c]));
    size = fmax(size, fabs(expected[c]));
  }
  return most / size;
}

static void compare_rules(gmg_context *context, gmg_grid *grid)
{
  gmg_solver *reference = make(grid, "variable7");
  for (int d = 0; d < 3; d++) {
    const gmg_array values = face_array(d);
    gmg_solver_set_coefficient(reference, (gmg_coefficient)(GMG_BETA_X + d), &values);
  }
  check(gmg_solver_setup(reference) == GMG_OK, "variable7 is set up", context);
  const int cycles = solve(reference, expected);
  gmg_solver_destroy(&reference);
  for (int rule = GMG_COARSEN_ARITHMETIC; rule <= GMG_COARSEN_NONE; rule++) {
    gmg_solver *solver = make(grid, "faces");
    gmg_memory_info memory;
    check(set_fields(solver, (gmg_coarsening)rule) == GMG_OK, "fields are set", context);
    check(gmg_solver_setup(solver) == GMG_OK, "the solver is set up", context);
    const int own = solve(solver, u);
    printf("rule %d: %d cycles, variable7 %d, difference %.1e\n", rule, own, cycles,
           largest_difference());
    check(own <= cycles + 2 && largest_difference() < 1e-8, "as variable7", context);
    check(gmg_solver_memory(solver, &memory) == GMG_OK && memory.peak <= memory.predicted,
          "memory as predicted", context);
    gmg_solver_destroy(&solver);
  }
}

static void replace(gmg_context *context, gmg_grid *grid)
{
  gmg_solver *old = make(grid, "faces"), *new = make(grid, "faces");
  fill(0);
  set_fields(old, GMG_COARSEN_HARMONIC);
  check(gmg_solver_setup(old) == GMG_OK, "first values", context);
  solve(old, u);
  fill(1);
  check(set_fields(old, GMG_COARSEN_HARMONIC) == GMG_OK && gmg_solver_setup(old) == GMG_OK
          && solve(old, u) < 100,
        "replaced values", context);
  set_fields(new, GMG_COARSEN_HARMONIC);
  check(gmg_solver_setup(new) == GMG_OK && solve(new, expected) < 100, "a new solver", context);
  check(memcmp(u, expected, sizeof u) == 0, "the bits of a new solver", context);
  const gmg_array values = face_array(0);
  check(gmg_solver_set_field(old, "kappa_x", GMG_ON_CELLS, GMG_COARSEN_HARMONIC, &values)
          == GMG_ERR_ORDER,
        "another centring is refused", context);
  check(gmg_solver_set_field(old, "more", GMG_ON_CELLS, GMG_COARSEN_NONE, &values) == GMG_ERR_ORDER,
        "a new field after the setup is refused", context);
  gmg_solver_destroy(&old);
  gmg_solver_destroy(&new);
}

static void refuse(gmg_context *context, gmg_grid *grid)
{
  const gmg_array values = face_array(0), none = {NULL, {1, N, N * N}};
  gmg_solver *solver = make(grid, "faces");
  check(gmg_solver_setup(solver) == GMG_ERR_COEFFICIENT
          && strstr(gmg_context_message(context), "kappa_x"),
        "a field that was not set is named", context);
  check(gmg_solver_set_field(solver, "beta", GMG_ON_CELLS, GMG_COARSEN_NONE, &values)
          == GMG_ERR_ARGUMENT,
        "a name of the library's is refused", context);
  check(gmg_solver_set_field(solver, "", GMG_ON_CELLS, GMG_COARSEN_NONE, &values)
          == GMG_ERR_ARGUMENT,
        "no name is refused", context);
  check(gmg_solver_set_field(solver, "kappa_x", GMG_ON_CELLS, GMG_COARSEN_NONE, &none)
          == GMG_ERR_ARGUMENT,
        "no values are refused", context);
  kappa[0][5] = -1;
  check(gmg_solver_set_field(solver, "kappa_x", GMG_ON_FACES_X, GMG_COARSEN_HARMONIC, &values)
            == GMG_ERR_COEFFICIENT
          && strstr(gmg_context_message(context), "(5, 0, 0)"),
        "a value that has no harmonic mean is named with its place", context);
  kappa[0][5] = NAN;
  check(gmg_solver_set_field(solver, "kappa_x", GMG_ON_FACES_X, GMG_COARSEN_NONE, &values)
          == GMG_ERR_COEFFICIENT,
        "a value that is not finite is refused", context);
  fill(0);
  set_fields(solver, GMG_COARSEN_NONE);
  check(gmg_solver_set_field(solver, "unused", GMG_ON_CELLS, GMG_COARSEN_NONE, &values) == GMG_OK
          && gmg_solver_setup(solver) == GMG_ERR_COEFFICIENT
          && strstr(gmg_context_message(context), "unused"),
        "a field that the operator does not read is named", context);
  gmg_solver_destroy(&solver);
  solver = make(grid, "faces");
  set_fields(solver, GMG_COARSEN_NONE);
  gmg_solver_destroy(&solver);
  solver = make(grid, "faces");
  check(gmg_solver_set_field(solver, "kappa_x", GMG_ON_CELLS, GMG_COARSEN_NONE, &values) == GMG_OK
          && gmg_solver_setup(solver) == GMG_ERR_COEFFICIENT
          && strstr(gmg_context_message(context), "faces along x"),
        "a field in other places is refused", context);
  gmg_solver_destroy(&solver);
}

int main(void)
{
  gmg_context *context = NULL;
  gmg_grid *grid = NULL;
  const int cells[3] = {N, N, N};
  const double lower[3] = {0, 0, 0}, upper[3] = {1, 1, 1};
  if (gmg_context_create(2, &context) || gmg_context_add_operators(context, faces_operators)
      || gmg_grid_create(context, cells, lower, upper, &grid))
    return 1;
  fill(0);
  compare_rules(context, grid);
  replace(context, grid);
  refuse(context, grid);
  gmg_grid_destroy(&grid);
  gmg_context_destroy(&context);
  return failures != 0;
}
