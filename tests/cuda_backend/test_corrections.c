/* Preconditions: a device, or the CPU standing in for one. What must vanish: the difference, to the
 * last bit, between histories and solutions on the device and on the host, of plain levels that
 * take a part of each correction; solves with too large corrections that do not begin anew with
 * whole ones, and say so, or that end otherwise than one with whole ones from the start. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cycle/transfer.h"
#include "problem/solver.h"
#include "solves.h"

#include <gmg_report.h>

enum { N = 32, CELLS = N * N * N, MOST_CYCLES = 100 };

static double beta[CELLS], f[CELLS];

struct answer {
  double u[CELLS], history[MOST_CYCLES + 1];
  int cycles, anew; /* 1: it began anew with whole corrections */
};

/* A checkerboard of 4³ cells. */
static void give(gmg_solver *solver)
{
  gmg_array values = {beta, {1, N, N * N}};
  for (int n = 0; n < CELLS; n++) {
    beta[n] = (n % N / 4 + n / N % N / 4 + n / N / N / 4) % 2 ? 1e3 : 1;
    f[n] = 1 + n % 7;
  }
  assert_int_equal(gmg_solver_set_coefficient(solver, GMG_BETA, &values), GMG_OK);
}

/* Solves with that part of corrections, or where it is 0 the one that setup takes. */
static void solve(const char *backend, const char *precision, const char *coarsening, double part,
                  struct answer *answer)
{
  gmg_array right = {f, {1, N, N * N}}, u = {answer->u, {1, N, N * N}};
  gmg_solver *solver = solves_solver(
    N, SOLVES_OPTIONS("backend", backend, "precision", precision, "coarsening", coarsening));
  gmg_result result;
  give(solver);
  assert_int_equal(gmg_solver_setup(solver), GMG_OK);
  assert_string_equal(gmg_solver_option(solver, "backend"), backend);
  if (part > 0) {
    solver->problem.correction = part;
    gmg_transfer_correct(&solver->hierarchy);
  }
  assert_int_equal(gmg_solver_solve(solver, &right, &u, 0, &result), GMG_OK);
  assert_int_equal(result.outcome, GMG_CONVERGED);
  answer->cycles = result.cycles;
  memcpy(answer->history, result.residual_history,
         (size_t)(result.cycles + 1) * sizeof *answer->history);
  answer->anew = 0;
  for (int n = 0; gmg_solver_fallback(solver, n); n++)
    answer->anew |= strstr(gmg_solver_fallback(solver, n), "whole corrections from") != NULL;
  gmg_solver_destroy(&solver);
}

static int differ(const struct answer *one, const struct answer *two)
{
  return one->cycles != two->cycles || one->anew != two->anew
    || memcmp(one->u, two->u, sizeof one->u) != 0
    || memcmp(one->history, two->history, (size_t)(one->cycles + 1) * sizeof *one->history) != 0;
}

static void on_the_device(void **state)
{
  static const struct {
    const char *precision, *coarsening;
    double part;
    int anew;
  } ways[] = {{"double", "auto", 0, 0},
              {"mixed", "auto", 0, 0},
              {"double", "plain", 0.85, 0},
              {"double", "plain", 1.6, 1},
              {"mixed", "plain", 1.6, 1}};
  static struct answer here, there;
  int failures = 0;
  (void)state;
  for (size_t n = 0; n < sizeof ways / sizeof *ways; n++) {
    solve("openmp", ways[n].precision, ways[n].coarsening, ways[n].part, &here);
    solve("cuda", ways[n].precision, ways[n].coarsening, ways[n].part, &there);
    const int bad = differ(&here, &there) || here.anew != ways[n].anew;
    printf("%s, %s, part %g: %d cycles, on the device %d%s%s\n", ways[n].precision,
           ways[n].coarsening, ways[n].part, here.cycles, there.cycles, here.anew ? ", anew" : "",
           bad ? " <-" : "");
    failures += bad;
  }
  assert_int_equal(failures, 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(on_the_device)};
  return cmocka_run_group_tests(tests, solves_begin, solves_end);
}
