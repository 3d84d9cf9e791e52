/* Preconditions: a device, or the CPU standing in for one; a build with KissFFT. What must vanish,
 * to 1e-12 of the largest value: the difference between solutions by method fft on the device and
 * on the host, for all kinds of sides, both operators, singular problems, guesses and other a and
 * b; exactly: iterations but one, solves on the host where the device was asked for, and devices'
 * memory that solvers keep. What must not happen: a solve that goes on after a product failed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "solves.h"
#include "transforms.h"

enum { MOST_CELLS = 16 * 12 * 9, KINDS = 5 };
#define TOLERANCE 1e-12

static const char *const axis_sides[KINDS] = {"dd", "nn", "pp", "dn", "nd"};
static const int sizes[][3] = {{16, 12, 9}, {7, 16, 10}, {1, 12, 3}, {9, 1, 30}};

struct answer {
  double u[MOST_CELLS];
  gmg_result result;
};

static size_t count(const struct transforms_case *c)
{
  return (size_t)c->cells[0] * (size_t)c->cells[1] * (size_t)c->cells[2];
}

/* From zero, then with a guess and another equation, whose solution is kept. */
static void solve(const struct transforms_case *c, const char *backend, struct answer answer[2])
{
  gmg_grid *grid = transforms_grid(solves_context, c);
  gmg_array f = transforms_array(grid, c, 1), u = transforms_array(grid, c, -1), own;
  gmg_solver *solver =
    transforms_solver(grid, c, "fft", SOLVES_OPTIONS("backend", backend, "rtol", "1e-12"));
  assert_string_equal(gmg_solver_option(solver, "backend"), backend);
  assert_int_equal(gmg_solver_array_create(solver, &own), GMG_OK);
  assert_int_equal(gmg_solver_array_copy(solver, &f, &own), GMG_OK);
  for (int n = 0; n < 2; n++) {
    assert_int_equal(gmg_solver_solve(solver, &own, &u, n > 0, &answer[n].result), GMG_OK);
    assert_int_equal(answer[n].result.outcome, GMG_CONVERGED);
    memcpy(answer[n].u, u.data, count(c) * sizeof *answer[n].u);
    if (c->a != 0)
      assert_int_equal(gmg_solver_set_equation(solver, 0.5 * c->a, 2 * c->b), GMG_OK);
  }
  gmg_solver_array_destroy(solver, &own);
  gmg_solver_destroy(&solver);
  gmg_grid_destroy(&grid);
  free(f.data);
  free(u.data);
}

static void as_on_the_host(void **state)
{
  static struct answer there[2], here[2];
  double worst = 0;
  (void)state;
  for (int n = 0; n < 2 * KINDS * KINDS; n++) {
    char sides[7];
    snprintf(sides, sizeof sides, "%s%s%s", axis_sides[n % KINDS], axis_sides[n / KINDS % KINDS],
             axis_sides[(n + n / KINDS) % KINDS]);
    const int *size = sizes[n % 4];
    const struct transforms_case c = {.cells = {size[0], size[1], size[2]},
                                      .sides = sides,
                                      .a = n < KINDS * KINDS ? 0 : 3.5,
                                      .b = 1.7,
                                      .operator_ = n % 2 ? "constant27" : "constant7",
                                      .no_values = strcmp(sides, "nnnnnn") == 0};
    solve(&c, "cuda", there);
    solve(&c, "openmp", here);
    for (int m = 0; m < 2; m++) {
      double off = 0, largest = 1e-300;
      for (size_t i = 0; i < count(&c); i++) {
        off = fmax(off, fabs(there[m].u[i] - here[m].u[i]));
        largest = fmax(largest, fabs(here[m].u[i]));
      }
      if (!(off <= TOLERANCE * largest) || there[m].result.cycles != here[m].result.cycles)
        fail_msg("%s, %d x %d x %d, a = %g, sides %s: off by %.2e of %.2e, %d and %d iterations",
                 c.operator_, size[0], size[1], size[2], c.a, sides, off, largest,
                 there[m].result.cycles, here[m].result.cycles);
      worst = fmax(worst, off / largest);
    }
  }
  printf("off by %.1e of the largest value at most\n", worst);
}

/* Another alpha, when the device has no room any more (which a stand-in can say): the host goes on.
 */
static void no_room(void **state)
{
  const struct transforms_case c = {{16, 12, 9}, "dnppnn", 1, 1, "constant27", 0};
  gmg_grid *grid = transforms_grid(solves_context, &c);
  gmg_array f = transforms_array(grid, &c, 1), u = transforms_array(grid, &c, -1),
            alpha = transforms_array(grid, &c, -1);
  gmg_result result;
  (void)state;
  for (size_t n = 0; n < count(&c); n++)
    alpha.data[n] = 2;
  gmg_solver *solver;
  assert_int_equal(gmg_solver_create(grid, &solver), GMG_OK);
  assert_int_equal(gmg_solver_set_option(solver, "method", "fft"), GMG_OK);
  assert_int_equal(gmg_solver_set_option(solver, "operator", c.operator_), GMG_OK);
  assert_int_equal(gmg_solver_set_equation(solver, c.a, c.b), GMG_OK);
  assert_int_equal(gmg_solver_set_coefficient(solver, GMG_ALPHA, &alpha), GMG_OK);
  assert_int_equal(gmg_solver_setup(solver), GMG_OK);
  assert_string_equal(gmg_solver_option(solver, "backend"), "cuda");
  setenv("GMG_STAND_IN_MEMORY", "1000", 1);
  for (size_t n = 0; n < count(&c); n++)
    alpha.data[n] = 3;
  assert_int_equal(gmg_solver_set_coefficient(solver, GMG_ALPHA, &alpha), GMG_OK);
  assert_int_equal(gmg_solver_setup(solver), GMG_OK);
  unsetenv("GMG_STAND_IN_MEMORY");
  printf("afterwards by %s\n", gmg_solver_option(solver, "backend"));
  assert_int_equal(gmg_solver_solve(solver, &f, &u, 0, &result), GMG_OK);
  assert_int_equal(result.outcome, GMG_CONVERGED);
  gmg_solver_destroy(&solver);
  gmg_grid_destroy(&grid);
  free(f.data);
  free(u.data);
  free(alpha.data);
}

static int has_device(void)
{
  gmg_context *context;
  int found = 0;
  if (gmg_context_create(0, &context) == GMG_OK)
    gmg_context_device(context, &found);
  gmg_context_destroy(&context);
  return found;
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(as_on_the_host), cmocka_unit_test(no_room)};
  return has_device() && transforms_available()
    ? cmocka_run_group_tests(tests, solves_begin, solves_end)
    : 77;
}
