/* Implicit heat conduction in a body of two materials.
 *
 *   PDE:       ρc ∂T/∂t - ∇·(k ∇T) = 0 in a cube of side 0.1 m; steel where x < 0.05 m, aluminium
 *              where x > 0.05 m
 *   Boundary:  T = 20 °C at x = 0; at x = 0.1 m 20 °C, which over the first 10 steps rise to 100
 *              °C (Dirichlet); the other four sides are insulated (Neumann, 0)
 *   Initial:   20 °C with a warm and a cold region
 *   Time:      backward Euler, ρc/Δt T - ∇·(k ∇T) = ρc/Δt T_old, that is a = 1/Δt, α = ρc, β = k;
 *              100 steps, in either half from one minute on each half as long again as the one
 *              before, up to 15 minutes
 *   Half-way:  the aluminium is exchanged for glass
 *   Calls:     one solver for all of it. a and the boundary value change between solves; ρc and k
 *              are borrowed, and where they change the solver is set up again, which reads them.
 *              Every step starts from the last one's temperature
 *   Exact:     the steady state is linear in each material, with one heat flux q = 80 K / (0.05 m
 *              / k₁ + 0.05 m / k₂). β on cells is averaged harmonically, and the interface lies on
 *              cell faces: then the discrete steady state is exact
 *
 * What must vanish: in every step, the change of the heat content less what came in through the
 * sides; and at the end of either half, the distance from the steady state. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <gmg.h>

enum { N = 24, CELLS = N * N * N, STEPS = 50 };

static const double side = 0.1, cold = 20, warm = 100, first_step = 60, longest_step = 900;

struct material {
  const char *name;
  double rho_c, k; /* J/(m³ K), W/(m K) */
};
static const struct material steel = {"steel", 3.9e6, 50}, aluminium = {"aluminium", 2.4e6, 237},
                             glass = {"glass", 2.1e6, 1};

struct body {
  struct material half[2];
  double step, warm; /* now */
  double rho_c[CELLS], k[CELLS], temperature[CELLS], right_side[CELLS];
};

static int cell(int i, int j, int k)
{
  return i + N * (j + N * k);
}

static gmg_array view(double *data)
{
  return (gmg_array){data, {1, N, N * N}};
}

static void fill(struct body *body, struct material low, struct material high)
{
  body->half[0] = low;
  body->half[1] = high;
  for (int n = 0; n < CELLS; n++) {
    body->rho_c[n] = body->half[n % N >= N / 2].rho_c;
    body->k[n] = body->half[n % N >= N / 2].k;
  }
}

static void start(struct body *body)
{
  for (int k = 0; k < N; k++)
    for (int j = 0; j < N; j++)
      for (int i = 0; i < N; i++) {
        const double x = (i + 0.5) / N, y = (j + 0.5) / N, z = (k + 0.5) / N;
        body->temperature[cell(i, j, k)] = cold + 50 * sin(6.3 * x) * cos(3.1 * y) * cos(6.2 * z);
      }
}

/* Heat content in J, and in W what flows in through the two sides that are not insulated. */
static double heat(const struct body *body)
{
  const double volume = pow(side / N, 3);
  double sum = 0;
  for (int n = 0; n < CELLS; n++)
    sum += volume * body->rho_c[n] * body->temperature[n];
  return sum;
}

static double inflow(const struct body *body)
{
  const double width = side / N, per_kelvin = width * width / (width / 2);
  double sum = 0;
  for (int k = 0; k < N; k++)
    for (int j = 0; j < N; j++) {
      const int low = cell(0, j, k), high = cell(N - 1, j, k);
      sum += per_kelvin
        * (body->k[low] * (cold - body->temperature[low])
           + body->k[high] * (body->warm - body->temperature[high]));
    }
  return sum;
}

static double steady(const struct body *body, double x)
{
  const double k0 = body->half[0].k, k1 = body->half[1].k;
  const double flux = (warm - cold) / (0.5 * side / k0 + 0.5 * side / k1);
  return x < 0.5 * side ? cold + flux * x / k0 : warm - flux * (side - x) / k1;
}

static double distance_from_steady(const struct body *body)
{
  double most = 0;
  for (int n = 0; n < CELLS; n++)
    most = fmax(most, fabs(body->temperature[n] - steady(body, (n % N + 0.5) * side / N)));
  return most;
}

/* The temperature of the warm wall: from the last step of the rise on it stays. */
static gmg_status heat_wall(gmg_solver *solver, struct body *body)
{
  enum { RISE = 10 };
  if (body->warm == warm)
    return GMG_OK;
  body->warm = fmin(warm, body->warm + (warm - cold) / RISE);
  return gmg_solver_set_boundary_value(solver, GMG_X_HI, body->warm);
}

static gmg_status set_step(gmg_solver *solver, struct body *body, double step)
{
  body->step = step;
  return gmg_solver_set_equation(solver, 1 / step, 1);
}

/* The steps of one half. Returns 0 where all went well. */
static int run(gmg_solver *solver, struct body *body)
{
  const gmg_array f = view(body->right_side);
  gmg_array temperature = view(body->temperature);
  gmg_result result = {0};
  double worst = 0;
  int cycles = 0;
  for (int n = 0; n < STEPS; n++) {
    const double step = n ? fmin(1.5 * body->step, longest_step) : first_step;
    if ((step != body->step && set_step(solver, body, step)) || heat_wall(solver, body))
      return 1;
    const double before = heat(body);
    for (int c = 0; c < CELLS; c++)
      body->right_side[c] = body->rho_c[c] / step * body->temperature[c];
    if (gmg_solver_solve(solver, &f, &temperature, 1, &result))
      return 1;
    if (result.outcome != GMG_CONVERGED) {
      printf("%s and %s, step %d: %s\n", body->half[0].name, body->half[1].name, n + 1,
             result.reason);
      return 1;
    }
    cycles += result.cycles;
    worst = fmax(worst, fabs(heat(body) - before - step * inflow(body)) / before);
  }
  const double distance = distance_from_steady(body);
  printf("%s and %s: %d steps, %d cycles; heat balance %.1e of the content; %.1e K from the steady "
         "state\n",
         body->half[0].name, body->half[1].name, STEPS, cycles, worst, distance);
  return !(worst < 1e-8 && distance < 1e-5);
}

static gmg_status borrow_materials(gmg_solver *solver, struct body *body)
{
  const gmg_array rho_c = view(body->rho_c), k = view(body->k);
  gmg_status status = gmg_solver_borrow_coefficient(solver, GMG_ALPHA, &rho_c);
  if (!status)
    status = gmg_solver_borrow_coefficient(solver, GMG_BETA, &k);
  return status ? status : gmg_solver_setup(solver);
}

static gmg_status make_solver(gmg_context *context, gmg_grid **grid, gmg_solver **solver)
{
  const int cells[3] = {N, N, N};
  const double lower[3] = {0, 0, 0}, upper[3] = {side, side, side};
  gmg_status status = gmg_grid_create(context, cells, lower, upper, grid);
  for (int s = GMG_X_LO; s <= GMG_Z_HI && !status; s++)
    status = s <= GMG_X_HI ? gmg_grid_set_boundary(*grid, (gmg_side)s, GMG_DIRICHLET, 0, 0, cold)
                           : gmg_grid_set_boundary(*grid, (gmg_side)s, GMG_NEUMANN, 0, 0, 0);
  if (!status)
    status = gmg_solver_create(*grid, solver);
  if (!status)
    status = gmg_solver_set_equation(*solver, 1 / first_step, 1);
  /* The boundary values make most of the right side, so that the heat content needs more than the
   * default 1e-10. */
  return status ? status : gmg_solver_set_option(*solver, "rtol", "1e-12");
}

int main(void)
{
  gmg_context *context = NULL;
  gmg_grid *grid = NULL;
  gmg_solver *solver = NULL;
  struct body *body = malloc(sizeof *body);
  if (!body || gmg_context_create(0, &context))
    return 1;
  body->step = first_step;
  body->warm = cold;
  start(body);
  fill(body, steel, aluminium);
  int failed =
    make_solver(context, &grid, &solver) || borrow_materials(solver, body) || run(solver, body);
  if (!failed) {
    fill(body, steel, glass);
    failed = gmg_solver_setup(solver) || run(solver, body);
  }
  if (failed)
    printf("failed; the last message: %s\n", gmg_context_message(context));
  gmg_solver_destroy(&solver);
  gmg_grid_destroy(&grid);
  gmg_context_destroy(&context);
  free(body);
  return failed;
}
