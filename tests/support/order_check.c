#include "order_check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "manufactured.h"

enum { D = GMG_DIRICHLET, N = GMG_NEUMANN, R = GMG_ROBIN, P = GMG_PERIODIC };

static const struct order_case {
  const char *name;
  int kind[6];
  const char *operator_;
  int variable;
  double a, stretch;
} cases[] = {
  {"Dirichlet, constant", {D, D, D, D, D, D}, "constant7", 0, 0, 0},
  {"Neumann, constant", {N, N, N, N, N, N}, "constant7", 0, 0, 0},
  {"periodic, constant", {P, P, P, P, P, P}, "constant7", 0, 0, 0},
  {"mixed, constant", {D, N, P, P, N, D}, "constant7", 0, 0, 0},
  {"Robin and others, constant", {R, D, N, R, R, N}, "constant7", 0, 0, 0},
  {"Dirichlet, variable", {D, D, D, D, D, D}, "variable7", 1, 0, 0},
  {"Neumann, variable", {N, N, N, N, N, N}, "variable7", 1, 0, 0},
  {"periodic, variable", {P, P, P, P, P, P}, "variable7", 1, 0, 0},
  {"mixed, variable, alpha", {N, D, D, N, P, P}, "variable7", 1, 2, 0},
  {"Dirichlet, beta on cells", {D, D, D, D, D, D}, "variable7", 2, 0, 0},
  {"Dirichlet, 27 points", {D, D, D, D, D, D}, "constant27", 0, 0, 0},
  {"Neumann, 27 points", {N, N, N, N, N, N}, "constant27", 0, 0, 0},
  {"mixed, 27 points, alpha", {D, N, P, P, N, R}, "constant27", 0, 1, 0},
};

static double solve(const struct order_case *c, int size)
{
  struct manufactured problem = {
    .cells = {size, size, size}, .a = c->a, .variable = c->variable, .variable_alpha = c->a > 0, .stretch = c->stretch};
  for (int s = 0; s < 6; s++)
    problem.kind[s] = (gmg_boundary)c->kind[s];
  manufactured_option(&problem, "operator", c->operator_);
  gmg_context *context;
  if (gmg_context_create(0, &context))
    return NAN;
  struct manufactured_result r = manufactured_solve(context, &problem);
  free(r.u);
  gmg_context_destroy(&context);
  return r.status || r.result.outcome != GMG_CONVERGED ? NAN : r.error;
}

int order_check(const int sizes[3], double tolerance)
{
  int failures = 0;
  printf("%-28s %11d %11d %11d   orders\n", "error in the max norm", sizes[0], sizes[1], sizes[2]);
  for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
    double error[3];
    for (int s = 0; s < 3; s++)
      error[s] = solve(&cases[n], sizes[s]);
    printf("%-28s %11.3e %11.3e %11.3e  ", cases[n].name, error[0], error[1], error[2]);
    for (int s = 0; s < 2; s++) {
      const double order = log(error[s] / error[s + 1]) / log((double)sizes[s + 1] / sizes[s]);
      const int good = fabs(order - 2) <= tolerance;
      printf(" %.3f%s", order, good ? "" : " <-");
      failures += !good;
    }
    printf("\n");
  }
  return failures;
}
