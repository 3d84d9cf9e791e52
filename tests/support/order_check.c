#include "order_check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "fourier/line_fft.h"
#include "manufactured.h"

enum { D = GMG_DIRICHLET, N = GMG_NEUMANN, R = GMG_ROBIN, P = GMG_PERIODIC };

static const struct order_case {
  const char *name;
  int kind[6];
  const char *operator_;
  int variable;
  double a;
  int map_axes; /* directions stretched by the smooth map of ratio 1.05 at 32 cells */
  double order; /* 0: second */
  const char *method;
} cases[] = {
  {"Dirichlet, constant", {D, D, D, D, D, D}, .operator_ = "constant7"},
  {"Neumann, constant", {N, N, N, N, N, N}, .operator_ = "constant7"},
  {"periodic, constant", {P, P, P, P, P, P}, .operator_ = "constant7"},
  {"mixed, constant", {D, N, P, P, N, D}, .operator_ = "constant7"},
  {"Robin and others, constant", {R, D, N, R, R, N}, .operator_ = "constant7"},
  {"Dirichlet, variable", {D, D, D, D, D, D}, "variable7", .variable = 1},
  {"Neumann, variable", {N, N, N, N, N, N}, "variable7", .variable = 1},
  {"periodic, variable", {P, P, P, P, P, P}, "variable7", .variable = 1},
  {"mixed, variable, alpha", {N, D, D, N, P, P}, "variable7", .variable = 1, .a = 2},
  {"Dirichlet, beta on cells", {D, D, D, D, D, D}, "variable7", .variable = 2},
  {"Robin, variable", {R, R, R, R, R, R}, "variable7", .variable = 1},
  {"Robin and others, variable", {R, D, N, R, P, P}, "variable7", .variable = 1},
  {"stretched in z, constant", {D, D, D, D, D, D}, "constant7", .map_axes = 1},
  {"stretched, constant", {D, N, R, D, N, D}, "constant7", .map_axes = 3},
  {"stretched, variable, alpha",
   {R, N, D, R, N, D},
   "variable7",
   .variable = 1,
   .a = 2,
   .map_axes = 3},
  /* A wall's face takes the value of the cell, h / 2 away, times a slope that is given: the
     documented first order. */
  {"Neumann, beta on cells", {N, N, D, D, D, D}, "variable7", .variable = 2, .order = 1},
  {"Robin, beta on cells", {D, D, R, R, D, D}, "variable7", .variable = 2, .order = 1},
  {"Dirichlet, 27 points", {D, D, D, D, D, D}, .operator_ = "constant27"},
  {"Neumann, 27 points", {N, N, N, N, N, N}, .operator_ = "constant27"},
  {"mixed, 27 points, alpha", {D, N, P, P, N, R}, "constant27", .a = 1},
  {"Dirichlet, by transforms", {D, D, D, D, D, D}, "constant7", .method = "fft"},
  {"Neumann, by transforms", {N, N, N, N, N, N}, "constant7", .method = "fft"},
  {"mixed, by transforms", {D, N, P, P, N, D}, "constant7", .method = "fft"},
  {"27 points, by transforms", {N, D, N, N, P, P}, "constant27", .method = "fft"},
};

static double solve(const struct order_case *c, int size)
{
  struct manufactured problem = {.cells = {size, size, size},
                                 .a = c->a,
                                 .variable = c->variable,
                                 .variable_alpha = c->a > 0,
                                 .map = c->map_axes ? 1.05 : 0,
                                 .map_axes = c->map_axes};
  for (int s = 0; s < 6; s++)
    problem.kind[s] = (gmg_boundary)c->kind[s];
  manufactured_option(&problem, "operator", c->operator_);
  if (c->method)
    manufactured_option(&problem, "method", c->method);
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
    const struct order_case *c = &cases[n];
    double error[3];
    if (c->method && !gmg_line_fft_available())
      continue;
    for (int s = 0; s < 3; s++)
      error[s] = solve(c, sizes[s]);
    printf("%-28s %11.3e %11.3e %11.3e  ", c->name, error[0], error[1], error[2]);
    for (int s = 0; s < 2; s++) {
      const double order = log(error[s] / error[s + 1]) / log((double)sizes[s + 1] / sizes[s]);
      const int good =
        fabs(order - (c->order > 0 ? c->order : 2)) <= (c->order > 0 ? 2 : 1) * tolerance;
      printf(" %.3f%s", order, good ? "" : " <-");
      failures += !good;
    }
    printf("\n");
  }
  return failures;
}
