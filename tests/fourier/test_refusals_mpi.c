/* ranks: 1 3 */
/* Preconditions: none. What must vanish: problems that method fft cannot solve and that it does not
 * refuse, alike on all ranks, with what was found and what is needed; and solvers that another
 * method cannot have after that. Without KissFFT: a refusal that does not name the package. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ranks.h"
#include "solver_notes.h"
#include "transforms.h"

static gmg_context *context;
static struct gmg_comm comm;

static const struct transforms_case cube = {{8, 6, 12}, "dddddd", 1, 1, "auto", 0};

enum { STRETCHED = 1, ROBIN = 2, BETA = 4, VARYING = 8, UNIFORM = 16 };

static const struct refusal {
  const char *option[2];
  int set;
  const char *words[2];
} refusals[] = {
  {{"operator", "variable7"}, 0, {"needs operator constant7 or constant27", "'variable7'"}},
  {{NULL, NULL}, BETA, {"found operator 'variable7', for which beta was given", "goes into b"}},
  {{NULL, NULL}, VARYING, {"needs one value of a alpha in all cells", "an alpha that varies"}},
  {{NULL, NULL}, ROBIN, {"needs sides that are periodic, dirichlet or neumann", "robin at y_hi"}},
  {{NULL, NULL},
   STRETCHED,
   {"needs constant spacing along each axis", "cells of width 0.1 to 0.3 along x"}},
};

static void has(const char *words)
{
  const char *message = gmg_context_message(context);
  int missing = !strstr(message, words);
  gmg_comm_max_int(&comm, &missing, 1);
  if (missing)
    fail_msg("'%s' lacks '%s'", message, words);
}

static gmg_grid *make_grid(int set)
{
  static const double faces[] = {0, 0.1, 0.2, 0.3, 0.4, 0.7, 0.8, 0.9, 1};
  gmg_grid *grid = transforms_grid(context, &cube);
  if (set & STRETCHED)
    assert_int_equal(gmg_grid_set_faces(grid, 0, faces), GMG_OK);
  if (set & ROBIN)
    assert_int_equal(gmg_grid_set_boundary(grid, GMG_Y_HI, GMG_ROBIN, 1, 2, 3), GMG_OK);
  return grid;
}

static void give(gmg_solver *solver, const gmg_grid *grid, gmg_coefficient which, int varies)
{
  gmg_array values = transforms_array(grid, &cube, 5);
  const int cells = cube.cells[0] * cube.cells[1] * cube.cells[2] / gmg_context_ranks(context);
  for (int n = 0; n < cells; n++)
    values.data[n] = varies ? 2 + values.data[n] : 2;
  assert_int_equal(gmg_solver_set_coefficient(solver, which, &values), GMG_OK);
  free(values.data);
}

static gmg_solver *make_solver(gmg_grid *grid, const char *method, const char *const option[2],
                               int set)
{
  gmg_solver *solver;
  assert_int_equal(gmg_solver_create(grid, &solver), GMG_OK);
  assert_int_equal(gmg_solver_set_option(solver, "method", method), GMG_OK);
  if (option[0])
    assert_int_equal(gmg_solver_set_option(solver, option[0], option[1]), GMG_OK);
  assert_int_equal(gmg_solver_set_equation(solver, 1, 1), GMG_OK);
  if (set & BETA)
    give(solver, grid, GMG_BETA, 1);
  if (set & (VARYING | UNIFORM))
    give(solver, grid, GMG_ALPHA, set & VARYING);
  return solver;
}

static void refused(void **state)
{
  (void)state;
  for (size_t n = 0; n < sizeof refusals / sizeof *refusals; n++) {
    const struct refusal *r = &refusals[n];
    gmg_memory_info memory;
    gmg_grid *grid = make_grid(r->set);
    gmg_solver *solver = make_solver(grid, "fft", r->option, r->set);
    const int64_t bytes = gmg_solver_bytes(solver);
    assert_int_equal(gmg_solver_predict(solver, 0, 0, &memory), GMG_ERR_UNSUPPORTED);
    has(r->words[0]);
    assert_int_equal(gmg_solver_bytes(solver), bytes);
    assert_int_equal(gmg_solver_setup(solver), GMG_ERR_UNSUPPORTED);
    has(r->words[0]);
    has(r->words[1]);
    if (r->option[0] && strcmp(r->option[0], "backend") == 0)
      assert_int_equal(gmg_solver_set_option(solver, "backend", "auto"), GMG_OK);
    assert_int_equal(gmg_solver_set_option(solver, "method", "multigrid"), GMG_OK);
    if (r->set & BETA)
      give(solver, grid, GMG_BETA, 1);
    if (r->set & VARYING)
      give(solver, grid, GMG_ALPHA, 1);
    assert_int_equal(gmg_solver_setup(solver), GMG_OK);
    gmg_solver_destroy(&solver);
    gmg_grid_destroy(&grid);
  }
}

/* Coordinates that were rounded, and a Robin side that is one of Dirichlet, qualify. */
static void accepted(void **state)
{
  static const char *const host[2] = {"backend", "openmp"};
  double faces[9];
  (void)state;
  for (int n = 0; n < 9; n++)
    faces[n] = n / 8.0 + n % 3 * 1e-15 * (n < 8);
  gmg_grid *grid = transforms_grid(context, &cube);
  assert_int_equal(gmg_grid_set_faces(grid, 0, faces), GMG_OK);
  assert_int_equal(gmg_grid_set_boundary(grid, GMG_Y_HI, GMG_ROBIN, 2, 0, 3), GMG_OK);
  gmg_solver *solver = make_solver(grid, "fft", host, UNIFORM);
  assert_int_equal(gmg_solver_setup(solver), GMG_OK);
  gmg_array f = transforms_array(grid, &cube, 1), u = transforms_array(grid, &cube, 2);
  gmg_result result;
  assert_int_equal(gmg_solver_solve(solver, &f, &u, 0, &result), GMG_OK);
  assert_int_equal(result.outcome, GMG_CONVERGED);
  assert_int_equal(result.cycles, 1);
  assert_string_equal(gmg_solver_option(solver, "method"), "fft");
  assert_string_equal(gmg_solver_option(solver, "backend"), "openmp");
  assert_null(solver_note(solver, 0));
  free(f.data);
  free(u.data);
  gmg_solver_destroy(&solver);
  gmg_grid_destroy(&grid);
}

/* An alpha that varies comes after a setup. */
static void refused_later(void **state)
{
  static const char *const host[2] = {"backend", "openmp"};
  gmg_grid *grid = make_grid(0);
  gmg_solver *solver = make_solver(grid, "fft", host, UNIFORM);
  gmg_array f = transforms_array(grid, &cube, 1), u = transforms_array(grid, &cube, 2);
  gmg_result before, after;
  (void)state;
  assert_int_equal(gmg_solver_setup(solver), GMG_OK);
  assert_int_equal(gmg_solver_solve(solver, &f, &u, 0, &before), GMG_OK);
  give(solver, grid, GMG_ALPHA, 1);
  assert_int_equal(gmg_solver_setup(solver), GMG_ERR_UNSUPPORTED);
  has("an alpha that varies");
  assert_int_equal(gmg_solver_solve(solver, &f, &u, 0, &after), GMG_OK);
  assert_true(after.relative_residual == before.relative_residual);
  free(f.data);
  free(u.data);
  gmg_solver_destroy(&solver);
  gmg_grid_destroy(&grid);
}

/* Options that only cycles have are said to be without effect. */
static void unused(void **state)
{
  static const char *const mixed[2] = {"precision", "mixed"};
  (void)state;
  gmg_grid *grid = make_grid(0);
  gmg_solver *solver = make_solver(grid, "fft", mixed, 0);
  assert_int_equal(gmg_solver_set_option(solver, "krylov", "cg"), GMG_OK);
  assert_int_equal(gmg_solver_set_option(solver, "bottom", "direct"), GMG_OK);
  assert_int_equal(gmg_solver_setup(solver), GMG_OK);
  assert_non_null(solver_note(solver, 0));
  assert_string_equal(solver_note(solver, 0),
                      "method fft has no cycles and computes in double: krylov, bottom, precision "
                      "have no effect");
  assert_null(solver_note(solver, 1));
  gmg_solver_destroy(&solver);
  gmg_grid_destroy(&grid);
}

static void absent(void **state)
{
  static const char *const none[2] = {NULL, NULL};
  (void)state;
  gmg_grid *grid = make_grid(0);
  gmg_solver *solver = make_solver(grid, "fft", none, 0);
  assert_int_equal(gmg_solver_setup(solver), GMG_ERR_UNSUPPORTED);
  has("install libkissfft-dev");
  gmg_solver_destroy(&solver);
  gmg_grid_destroy(&grid);
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(refused), cmocka_unit_test(accepted),
                                     cmocka_unit_test(refused_later), cmocka_unit_test(unused)};
  const struct CMUnitTest without[] = {cmocka_unit_test(absent)};
  if (ranks_start(&argc, &argv, &comm))
    return 1;
#if GMG_WITH_MPI
  int failed = gmg_context_create_mpi(comm.mpi, 2, &context) != GMG_OK;
#else
  int failed = gmg_context_create(2, &context) != GMG_OK;
#endif
  failed = failed
    || (transforms_available() ? cmocka_run_group_tests(tests, NULL, NULL)
                               : cmocka_run_group_tests(without, NULL, NULL));
  gmg_context_destroy(&context);
  return ranks_finish(&comm, failed);
}
