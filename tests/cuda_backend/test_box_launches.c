/* How many kernels a cycle launches, by the number of boxes that levels are cut into. A launch is
 * on all boxes of a level, and one fills all their ghosts: what must vanish is growth with the
 * number of boxes. Levels may be gathered in one box earlier or later, which costs the launches of
 * a move there. On one rank; counted by the driver that the CPU stands in for.
 * ranks: 1
 * sanitizers: no */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include <gmg.h>

enum { N = 24, CELLS = N * N * N, GATHERED = 6 };

static double f[CELLS], u[CELLS], beta[CELLS];

static int count_launches(void)
{
  static int (*launches)(void);
  if (!launches) {
    void *driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
    assert_non_null(driver);
    *(void **)&launches = dlsym(driver, "stand_in_launches");
    assert_non_null(launches);
  }
  return launches();
}

struct way {
  const char *box, *coarse_cells, *interpolation;
};

static gmg_solver *make_solver(gmg_context *context, const struct way *way)
{
  static const int cells[3] = {N, N, N};
  static const double lower[3] = {0, 0, 0}, upper[3] = {1, 1, 1};
  const gmg_array betas = {beta, {1, N, N * N}};
  const char *const option[][2] = {{"backend", "cuda"},
                                   {"coarse", "gpu"},
                                   {"precision", "double"},
                                   {"krylov", "none"},
                                   {"gather", "1"},
                                   {"box", way->box},
                                   {"coarse-cells", way->coarse_cells},
                                   {"interpolation", way->interpolation}};
  gmg_grid *grid;
  gmg_solver *solver;
  assert_int_equal(gmg_grid_create(context, cells, lower, upper, &grid), GMG_OK);
  assert_int_equal(gmg_solver_create(grid, &solver), GMG_OK);
  gmg_grid_destroy(&grid);
  for (size_t n = 0; n < sizeof option / sizeof *option; n++)
    assert_int_equal(gmg_solver_set_option(solver, option[n][0], option[n][1]), GMG_OK);
  assert_int_equal(gmg_solver_set_coefficient(solver, GMG_BETA, &betas), GMG_OK);
  const gmg_status status = gmg_solver_setup(solver);
  if (status)
    printf("%s\n", gmg_context_message(context));
  assert_int_equal(status, GMG_OK);
  return solver;
}

/* Kernels of a cycle: those of three less those of two. */
static int launches_of(gmg_context *context, const struct way *way)
{
  const gmg_array right_side = {f, {1, N, N * N}};
  gmg_array solution = {u, {1, N, N * N}};
  gmg_solver *solver = make_solver(context, way);
  int count[3];
  count[0] = count_launches();
  for (int n = 0; n < 2; n++) {
    assert_int_equal(gmg_solver_precondition(solver, &right_side, &solution, 2 + n), GMG_OK);
    count[n + 1] = count_launches();
  }
  const int launches = count[2] - count[1] - (count[1] - count[0]);
  gmg_solver_destroy(&solver);
  printf("%d^3 in boxes of %s^3, coarse tail from %s cells on, interpolation %s: %d launches\n", N,
         way->box, way->coarse_cells, way->interpolation, launches);
  return launches;
}

static void boxes_cost_no_launches(void **state)
{
  static const char *const coarse_cells[] = {"1", "2000"},
                           *const interpolation[] = {"constant", "linear"};
  gmg_context *context = *state;
  for (int n = 0; n < CELLS; n++) {
    f[n] = n % 7 - 3;
    beta[n] = 1 + n % 5;
  }
  for (int n = 0; n < 4; n++) {
    struct way way = {.coarse_cells = coarse_cells[n % 2], .interpolation = interpolation[n / 2]};
    way.box = "24";
    const int one = launches_of(context, &way);
    way.box = "12";
    const int eight = launches_of(context, &way);
    way.box = "5"; /* 125, not all alike */
    const int many = launches_of(context, &way);
    assert_true(one > 0 && eight > 0);
    assert_true(many <= eight + GATHERED);
    assert_true(eight <= 3 * one + GATHERED); /* ghosts: of neighbours, and beyond walls */
  }
}

static int create(void **state)
{
  gmg_context *context;
  if (gmg_context_create(2, &context))
    return -1;
  *state = context;
  return 0;
}

static int destroy(void **state)
{
  gmg_context *context = *state;
  gmg_context_destroy(&context);
  return 0;
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(boxes_cost_no_launches, create, destroy)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
