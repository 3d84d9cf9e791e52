/* Pressure projection of an incompressible flow in a plane, with velocities on cell faces.
 *
 *   PDE:       ∂u/∂t + ∇·(u u) = ν ∇²u - ∇p,  ∇·u = 0
 *   Method:    u* = u + Δt (ν ∇²u - ∇·(u u)), explicit and centred; then  -∇²φ = -∇·u*  and  u =
 *              u* - ∇φ, with φ = Δt p (Harlow and Welch, Phys. Fluids 8, 2182 (1965)). The grid
 *              has one cell in z, insulated (Neumann, 0).
 *   Taylor-Green vortex: periodic on (0, 2π)², ν = 0.05. Exact: u = cos x sin y exp(-2νt), v =
 *     -sin x cos y exp(-2νt).
 *   Lid-driven box: (0, 1)², ν = 0.01, u = 1 on the wall y = 1, no slip; ∂φ/∂n = 0. No exact
 *     solution.
 *
 * Either Poisson problem is singular: φ is known up to a constant. Every solve starts from the
 * last step's φ, and has a tolerance of its own: what is left of ∇·u is to be the same in all
 * steps, however large ∇·u* is. What must vanish: ∇·u, which after each of the 100 projections is
 * at most `allowed` times ∇·u* of the first (2-norm over the cells); for the vortex also the
 * distance from the exact solution, below 0.005 (second order in space, first in time). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <gmg.h>

enum { N = 64, STEPS = 100 };

static const double allowed = 1e-8;

struct flow {
  int periodic;
  double width, step, viscosity, lid;
  double velocity[2][N + 1][N + 1]; /* u on faces in x, v on faces in y, at [j][i]; periodic: of the
                                       first N */
  double next[2][N + 1][N + 1];
  double phi[N][N], right_side[N][N];
  double flux[2][N + 1][N + 1], flux_z[2][N][N]; /* -∇φ on all faces */
};

/* A velocity component, beyond walls so that the mean is the wall's. */
static double component(const struct flow *flow, int axis, int i, int j)
{
  if (flow->periodic)
    return flow->velocity[axis][(j + N) % N][(i + N) % N];
  const int across = axis ? i : j;
  if (across >= 0 && across < N)
    return flow->velocity[axis][j][i];
  const double wall = axis == 0 && across == N ? flow->lid : 0;
  const int mirror = across < 0 ? 0 : N - 1;
  return 2 * wall - (axis ? flow->velocity[axis][j][mirror] : flow->velocity[axis][mirror][i]);
}

/* ν ∇²u - ∇·(u u) of a component on its face (i, j). di, dj: one step along it; ci, cj: across. */
static double rate(const struct flow *flow, int axis, int i, int j)
{
  const int di = axis == 0, dj = axis == 1, ci = dj, cj = di, other = 1 - axis;
  const double here = component(flow, axis, i, j);
  const double ahead = component(flow, axis, i + di, j + dj),
               behind = component(flow, axis, i - di, j - dj);
  const double left = component(flow, axis, i - ci, j - cj),
               right = component(flow, axis, i + ci, j + cj);
  const double through_right = 0.5
    * (component(flow, other, i + ci - di, j + cj - dj) + component(flow, other, i + ci, j + cj));
  const double through_left =
    0.5 * (component(flow, other, i - di, j - dj) + component(flow, other, i, j));
  const double convection =
    0.25 * ((ahead + here) * (ahead + here) - (here + behind) * (here + behind))
    + 0.5 * ((right + here) * through_right - (here + left) * through_left);
  const double width = flow->width;
  return flow->viscosity * (ahead + behind + left + right - 4 * here) / (width * width)
    - convection / width;
}

/* u + Δt (ν ∇²u - ∇·(u u)); faces on walls stay as they are. */
static void predict(struct flow *flow)
{
  for (int axis = 0; axis < 2; axis++)
    for (int j = axis == 1 && !flow->periodic; j < N; j++)
      for (int i = axis == 0 && !flow->periodic; i < N; i++)
        flow->next[axis][j][i] = flow->velocity[axis][j][i] + flow->step * rate(flow, axis, i, j);
  for (int axis = 0; axis < 2; axis++)
    for (int j = axis == 1 && !flow->periodic; j < N; j++)
      for (int i = axis == 0 && !flow->periodic; i < N; i++)
        flow->velocity[axis][j][i] = flow->next[axis][j][i];
}

/* Writes -∇·u to the right side. Returns the 2-norm. */
static double divergence(struct flow *flow)
{
  double sum = 0;
  for (int j = 0; j < N; j++)
    for (int i = 0; i < N; i++) {
      const int right = flow->periodic ? (i + 1) % N : i + 1,
                up = flow->periodic ? (j + 1) % N : j + 1;
      const double here = (flow->velocity[0][j][right] - flow->velocity[0][j][i]
                           + flow->velocity[1][up][i] - flow->velocity[1][j][i])
        / flow->width;
      flow->right_side[j][i] = -here;
      sum += here * here;
    }
  return sqrt(sum);
}

/* u = u* - ∇φ on all faces, on walls too, where ∂φ/∂n is 0. */
static gmg_status correct(gmg_solver *solver, struct flow *flow)
{
  const ptrdiff_t row = N + 1;
  const gmg_array phi = {&flow->phi[0][0], {1, N, N * N}};
  gmg_array flux_x = {&flow->flux[0][0][0], {1, row, row * row}},
            flux_y = {&flow->flux[1][0][0], {1, row, row * row}};
  gmg_array flux_z = {&flow->flux_z[0][0][0], {1, N, N * N}};
  const gmg_status status = gmg_solver_fluxes(solver, &phi, &flux_x, &flux_y, &flux_z);
  for (int axis = 0; axis < 2; axis++)
    for (int j = 0; j < N + axis; j++)
      for (int i = 0; i < N + 1 - axis; i++)
        flow->velocity[axis][j][i] += flow->flux[axis][j][i];
  return status;
}

/* Values of the exact vortex on the faces; returns the largest distance from it. */
static double vortex(struct flow *flow, double time, int write)
{
  double most = 0;
  for (int j = 0; j < N; j++)
    for (int i = 0; i < N; i++) {
      const double decay = exp(-2 * flow->viscosity * time), h = flow->width;
      const double exact[2] = {cos(i * h) * sin((j + 0.5) * h) * decay,
                               -sin((i + 0.5) * h) * cos(j * h) * decay};
      for (int axis = 0; axis < 2; axis++) {
        most = fmax(most, fabs(flow->velocity[axis][j][i] - exact[axis]));
        if (write)
          flow->velocity[axis][j][i] = exact[axis];
      }
    }
  return most;
}

static gmg_status make_solver(gmg_context *context, const struct flow *flow, gmg_grid **grid,
                              gmg_solver **solver)
{
  const int cells[3] = {N, N, 1};
  const double lower[3] = {0, 0, 0}, upper[3] = {N * flow->width, N * flow->width, flow->width};
  gmg_status status = gmg_grid_create(context, cells, lower, upper, grid);
  for (int side = GMG_X_LO; side <= GMG_Z_HI && !status; side++)
    status = gmg_grid_set_boundary(*grid, (gmg_side)side,
                                   flow->periodic && side < GMG_Z_LO ? GMG_PERIODIC : GMG_NEUMANN,
                                   0, 0, 0);
  if (!status)
    status = gmg_solver_create(*grid, solver);
  return status ? status : gmg_solver_setup(*solver);
}

/* The steps; returns 0 where every projection did what it should. */
static int run(gmg_solver *solver, struct flow *flow, const char *name)
{
  const gmg_array f = {&flow->right_side[0][0], {1, N, N * N}};
  gmg_array phi = {&flow->phi[0][0], {1, N, N * N}};
  gmg_result result = {0};
  double first = 0, worst = 0;
  int cycles = 0;
  for (int n = 1; n <= STEPS; n++) {
    predict(flow);
    const double before = divergence(flow);
    first = n == 1 ? before : first;
    /* A little less: ∇·u is rounded, too. */
    if (gmg_solver_set_real(solver, "rtol", fmin(0.99 * allowed * first / before, 1)))
      return 1;
    if (gmg_solver_solve(solver, &f, &phi, n > 1, &result))
      return 1;
    if (result.outcome != GMG_CONVERGED) {
      printf("%s, step %d: %s\n", name, n, result.reason);
      return 1;
    }
    if (correct(solver, flow))
      return 1;
    const double after = divergence(flow);
    worst = fmax(worst, after / first);
    cycles += result.cycles;
    if (n % 20 == 0)
      printf("%s, step %3d: divergence %.3e before, %.3e after the projection, %d cycles\n", name,
             n, before, after, result.cycles);
  }
  printf("%s: %d steps, %d cycles; the worst projection left %.2e of the first divergence; allowed "
         "is %.0e\n",
         name, STEPS, cycles, worst, allowed);
  return !(worst <= allowed);
}

static int flow_of(gmg_context *context, int lid_driven)
{
  gmg_grid *grid = NULL;
  gmg_solver *solver = NULL;
  struct flow *flow = calloc(1, sizeof *flow);
  if (!flow)
    return 1;
  flow->periodic = !lid_driven;
  flow->width = (lid_driven ? 1 : 2 * acos(-1.0)) / N;
  flow->step = lid_driven ? 0.004 : 0.01;
  flow->viscosity = lid_driven ? 0.01 : 0.05;
  flow->lid = lid_driven;
  if (!lid_driven)
    vortex(flow, 0, 1);
  int failed = make_solver(context, flow, &grid, &solver)
    || run(solver, flow, lid_driven ? "lid-driven box" : "Taylor-Green vortex");
  if (failed) {
    printf("failed; the last message: %s\n", gmg_context_message(context));
  } else if (!lid_driven) {
    const double distance = vortex(flow, STEPS * flow->step, 0);
    printf("distance from the exact vortex: %.2e\n", distance);
    failed = !(distance < 0.005);
  }
  gmg_solver_destroy(&solver);
  gmg_grid_destroy(&grid);
  free(flow);
  return failed;
}

int main(void)
{
  gmg_context *context = NULL;
  if (gmg_context_create(0, &context))
    return 1;
  const int failed = flow_of(context, 0) + flow_of(context, 1);
  gmg_context_destroy(&context);
  return failed != 0;
}
