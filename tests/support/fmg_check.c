#include "fmg_check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static struct manufactured_result solve(gmg_context *context, struct manufactured problem,
                                        const char *cycle, const char *most_cycles)
{
  manufactured_option(&problem, "cycle", cycle);
  manufactured_option(&problem, "max-cycles", most_cycles);
  return manufactured_solve(context, &problem);
}

int fmg_check(gmg_context *context, const struct manufactured *problem, double limit,
              const char *name)
{
  struct manufactured_result pass = solve(context, *problem, "fmg", "1"),
                             whole = solve(context, *problem, "v", "100"),
                             started = solve(context, *problem, "fmg", "100");
  double algebraic = 0;
  if (pass.status || whole.status || started.status)
    return 1;
  for (long n = 0; n < (long)problem->cells[0] * problem->cells[1] * problem->cells[2]; n++)
    algebraic = fmax(algebraic, fabs(pass.u[n] - whole.u[n]));
  const int bad = algebraic > limit * whole.error || started.result.outcome != GMG_CONVERGED
    || started.result.cycles > whole.result.cycles;
  printf("%s, %d x %d x %d: one pass %.2e, discretization %.2e (%.3f, at most %g); %d cycles, %d "
         "without%s\n",
         name, problem->cells[0], problem->cells[1], problem->cells[2], algebraic, whole.error,
         algebraic / whole.error, limit, started.result.cycles, whole.result.cycles,
         bad ? " <-" : "");
  free(pass.u);
  free(whole.u);
  free(started.u);
  return bad;
}

int fmg_check_all(gmg_context *context, int least, int most, const char *precision, double limit)
{
  static const gmg_boundary kinds[] = {GMG_DIRICHLET, GMG_NEUMANN, GMG_PERIODIC};
  static const char *const names[] = {"Dirichlet", "Neumann", "periodic"};
  int failures = 0;
  for (int variable = 0; variable < 2; variable++)
    for (int b = 0; b < 3; b++)
      for (int size = least; size <= most; size *= 2) {
        char name[60];
        struct manufactured problem = {.cells = {size, size, size}, .variable = variable};
        manufactured_sides(&problem, kinds[b]);
        manufactured_option(&problem, "precision", precision);
        snprintf(name, sizeof name, "%s, %s, precision %s", variable ? "smooth beta" : "constant",
                 names[b], precision);
        failures += fmg_check(context, &problem, limit, name);
      }
  return failures;
}
