#include "contraction_check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "manufactured.h"

static const struct {
  const char *name;
  gmg_boundary kind;
} sides[] = {{"Dirichlet", GMG_DIRICHLET}, {"Neumann", GMG_NEUMANN}, {"periodic", GMG_PERIODIC}};

static struct manufactured_result solve(const struct manufactured *problem)
{
  struct manufactured_result r = {.status = GMG_ERR_INTERNAL};
  gmg_context *context;
  if (gmg_context_create(0, &context))
    return r;
  r = manufactured_solve(context, problem);
  free(r.u);
  gmg_context_destroy(&context);
  return r;
}

static double contraction(int size, gmg_boundary kind, const char *omega)
{
  struct manufactured problem = {.cells = {size, size, size}, .random_f = 1};
  manufactured_sides(&problem, kind);
  manufactured_option(&problem, "omega", omega);
  manufactured_option(&problem, "rtol", "1e-12");
  const struct manufactured_result r = solve(&problem);
  const int last = r.result.cycles;
  if (r.status || r.result.outcome != GMG_CONVERGED || last < 6)
    return NAN;
  return pow(r.history[last] / r.history[last - 5], 0.2);
}

int contraction_check(const int *sizes)
{
  static const char *const omegas[] = {"1", "auto"};
  static const double bounds[] = {0.125, 0.03};
  int failures = 0;
  for (int o = 0; o < 2; o++)
    for (int kind = 0; kind < 3; kind++) {
      double least = 1, most = 0;
      int bad = 0;
      printf("omega %-4s %-9s ", omegas[o], sides[kind].name);
      for (const int *size = sizes; *size; size++) {
        const double factor = contraction(*size, sides[kind].kind, omegas[o]);
        printf("  %d: %.4f", *size, factor);
        bad |= !(factor <= bounds[o]);
        least = fmin(least, factor);
        most = fmax(most, factor);
      }
      bad |= most - least >= 0.02;
      printf("  (at most %.3f, varying by less than 0.02)%s\n", bounds[o], bad ? " <-" : "");
      failures += bad;
    }
  return failures;
}

static int check_cycles(const int cells[3], int kind)
{
  struct manufactured problem = {.random_f = 1};
  int odd = 0, most = 10;
  manufactured_sides(&problem, sides[kind].kind);
  for (int d = 0; d < 3; d++) {
    problem.cells[d] = cells[d];
    problem.upper[d] = cells[d];
    odd |= cells[d] % 2;
  }
  if (cells[2] == 1)
    problem.kind[GMG_Z_LO] = problem.kind[GMG_Z_HI] = GMG_NEUMANN;
  if (odd && sides[kind].kind == GMG_PERIODIC)
    most = 13;
  const struct manufactured_result r = solve(&problem);
  const int bad = r.status || r.result.outcome != GMG_CONVERGED || r.result.cycles > most;
  printf("%4d x %3d x %3d  %-9s  %2d cycles (at most %d)%s\n", cells[0], cells[1], cells[2],
         sides[kind].name, r.result.cycles, most, bad ? " <-" : "");
  return bad;
}

int cycles_check(long most_cells)
{
  static const int shapes[][3] = {{64, 64, 64}, {63, 63, 63}, {127, 127, 127}, {100, 75, 33},
                                  {31, 37, 29}, {250, 2, 97}, {2, 3, 40},      {128, 128, 1}};
  int failures = 0;
  for (size_t n = 0; n < sizeof shapes / sizeof *shapes; n++)
    for (int kind = 0; kind < 3; kind++)
      if ((long)shapes[n][0] * shapes[n][1] * shapes[n][2] <= most_cells)
        failures += check_cycles(shapes[n], kind);
  return failures;
}
