/* Gas bubbles that rise in a liquid, in a closed box: incompressible flow with variable density,
 * velocities on cell faces.
 *
 *   PDE:       ρ (∂u/∂t + u·∇u) = -∇p + (ρ - 1) g e,  ∇·u = 0,  ∂d/∂t + u·∇d = 0 in (0, 1)³; e
 *              down, g = 1. The liquid's density is 1, the gas's 1/ratio; p is what is left of the
 *              pressure without that of liquid at rest
 *   Boundary:  slip walls: u·n = 0, and so ∂p/∂n = 0 on all six sides
 *   Initial:   at rest; the gas is a ball of radius 0.2 about (1/2, 1/2, 0.35). Several bubbles are
 *              equal balls that fill a tenth of the box, at random places that do not overlap
 *   Density:   ρ(d) from the distance d to the interface, d > 0 in the liquid: smooth over `width`
 *              cells, 0 for a mean over the line between two cells' centres
 *   Method:    d and u* = u - Δt (u·∇u) + Δt (1/ρ - 1) g by first-order upwind differences; then
 *              -∇·(1/ρ ∇φ) = -∇·u* and u = u* - 1/ρ ∇φ, with φ = Δt p. That is β = 1/ρ on faces
 *
 *   usage: bubble [--size 48] [--ratio 100] [--width 1] [--steps 20] [--guess 1] [--rtol 1e-10]
 *     [--bubbles 1] [--seed 1] [--NAME VALUE of any other option of gmg]
 *
 * The Poisson problem is singular and its β another one in each step: its arrays are borrowed by
 * the solver and replaced in place, and the guess is φ as it goes on from the last two steps
 * (--guess 0: none). What must vanish: ∇·u, which after each projection is at most rtol times that
 * of u* (2-norm over the cells); and the gas must rise. With MPI each rank has a slab in z with
 * a plane of ghosts on either side; the last line is a sum over the bits of all velocities, the
 * same on any number of ranks. */
#if WITH_MPI
#include <mpi.h>
#endif
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gmg.h>

enum { SOLVER_OPTIONS = 20, FIELDS = 14 };

struct bubble {
  int n, steps, guess, bubbles, seed;
  double ratio, width, rtol, radius;
  double (*centre)[3]; /* of the bubbles */
  const char *option[SOLVER_OPTIONS][2];
  int options;

  int rank, ranks, first, planes; /* of this rank's slab */
  double h, step;
  ptrdiff_t row, plane;
  double *memory;
  /* All arrays have n + 1 values a row, n + 1 rows a plane, and planes -1 ... planes of this rank.
   */
  double *distance, *moved, *velocity[3], *next[3], *beta[3];
  double *phi, *phi_before, *right_side; /* phi_before: of the step before the last one solved */
  double *flux[3];                       /* -β ∇φ on all faces */
};

#if WITH_MPI
static void start_ranks(int *count, char ***words, struct bubble *b)
{
  int provided;
  MPI_Init_thread(count, words, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &b->rank);
  MPI_Comm_size(MPI_COMM_WORLD, &b->ranks);
}

static gmg_status make_context(gmg_context **context)
{
  return gmg_context_create_mpi(MPI_COMM_WORLD, 0, context);
}

/* Planes -1 and `planes` become the neighbours' last and first. */
static void exchange(const struct bubble *b, double *field)
{
  const int below = b->rank > 0 ? b->rank - 1 : MPI_PROC_NULL,
            above = b->rank + 1 < b->ranks ? b->rank + 1 : MPI_PROC_NULL;
  const int count = (int)b->plane;
  double *last = field + (b->planes - 1) * b->plane;
  MPI_Sendrecv(field, count, MPI_DOUBLE, below, 0, last + b->plane, count, MPI_DOUBLE, above, 0,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Sendrecv(last, count, MPI_DOUBLE, above, 1, field - b->plane, count, MPI_DOUBLE, below, 1,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static double sum_of_ranks(double value)
{
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return value;
}

static double most_of_ranks(double value)
{
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return value;
}

static uint64_t bits_of_ranks(uint64_t bits)
{
  MPI_Allreduce(MPI_IN_PLACE, &bits, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
  return bits;
}

static void finish_ranks(void)
{
  MPI_Finalize();
}
#else
static void start_ranks(int *count, char ***words, struct bubble *b)
{
  (void)count;
  (void)words;
  b->ranks = 1;
}

static gmg_status make_context(gmg_context **context)
{
  return gmg_context_create(0, context);
}

static void exchange(const struct bubble *b, double *field)
{
  (void)b;
  (void)field;
}

static double sum_of_ranks(double value)
{
  return value;
}

static double most_of_ranks(double value)
{
  return value;
}

static uint64_t bits_of_ranks(uint64_t bits)
{
  return bits;
}

static void finish_ranks(void)
{
}
#endif

/* Ghost planes from the neighbours; beyond the floor and the lid as the planes at them, which makes
 * differences there 0. Of the vertical velocity plane `planes` is the lid's, 0, on the uppermost
 * rank. */
static void fill_ghosts(const struct bubble *b, double *field)
{
  const size_t bytes = (size_t)b->plane * sizeof *field;
  double *above = field + b->planes * b->plane;
  exchange(b, field);
  if (b->rank == 0)
    memcpy(field - b->plane, field, bytes);
  if (b->rank + 1 == b->ranks && field == b->velocity[2])
    memset(above, 0, bytes);
  else if (b->rank + 1 == b->ranks)
    memcpy(above, above - b->plane, bytes);
}

static ptrdiff_t at(const struct bubble *b, int i, int j, int k)
{
  return i + j * b->row + k * b->plane;
}

/* Of the values of an axis' faces (axis 3: of cells) at the place's neighbour in direction d;
 * beyond walls along them as at them. */
static double neighbour(const struct bubble *b, const double *field, int axis, const int place[3],
                        int d, int sign)
{
  const int to = place[d] + sign, most = d == axis ? b->n : b->n - 1;
  const ptrdiff_t step = d == 0 ? 1 : d == 1 ? b->row : b->plane;
  const ptrdiff_t here = at(b, place[0], place[1], place[2]);
  return field[d < 2 && (to < 0 || to > most) ? here : here + sign * step];
}

/* u·∇ of a field of an axis' faces (3: cells) at a place, by differences against the stream. */
static double carried(const struct bubble *b, const double *field, int axis, const int place[3])
{
  const ptrdiff_t step[3] = {1, b->row, b->plane}, here = at(b, place[0], place[1], place[2]);
  double sum = 0;
  for (int d = 0; d < 3; d++) {
    const double *u = b->velocity[d] + here;
    double speed = axis == d ? u[0] : 0.5 * (u[0] + u[step[d]]); /* of a cell: of its two faces */
    if (axis != 3 && axis != d) /* of a face: of the four about it */
      speed = 0.5 * (speed + 0.5 * (u[-step[axis]] + u[step[d] - step[axis]]));
    const double before = neighbour(b, field, axis, place, d, -1),
                 after = neighbour(b, field, axis, place, d, 1);
    sum += speed / b->h * (speed > 0 ? field[here] - before : after - field[here]);
  }
  return sum;
}

/* Calls visit(b, axis, place) for all of this rank's faces of an axis between two cells, or (3) for
 * all of its cells. */
static void for_all(struct bubble *b, int axis, void (*visit)(struct bubble *, int, const int[3]))
{
  for (int k = axis == 2 && b->rank == 0; k < b->planes; k++)
    for (int j = axis == 1; j < b->n; j++)
      for (int i = axis == 0; i < b->n; i++)
        visit(b, axis, (const int[3]){i, j, k});
}

static void move_distance(struct bubble *b, int axis, const int place[3])
{
  const ptrdiff_t here = at(b, place[0], place[1], place[2]);
  b->moved[here] = b->distance[here] - b->step * carried(b, b->distance, axis, place);
}

static void accelerate(struct bubble *b, int axis, const int place[3])
{
  const ptrdiff_t here = at(b, place[0], place[1], place[2]);
  const double lift = axis == 2 ? b->beta[2][here] - 1 : 0;
  b->next[axis][here] =
    b->velocity[axis][here] + b->step * (lift - carried(b, b->velocity[axis], axis, place));
}

/* How much of a face between two cells of these distances is liquid. */
static double share_of_liquid(const struct bubble *b, double one, double other)
{
  const double least = fmin(one, other), most = fmax(one, other);
  if (b->width <= 0)
    return least >= 0 ? 1 : most <= 0 ? 0 : most / (most - least);
  const double x = 0.5 * (one + other) / (0.5 * b->width * b->h);
  return x <= -1 ? 0 : x >= 1 ? 1 : 0.5 * (1 + x + sin(acos(-1.0) * x) / acos(-1.0));
}

/* 1/ρ on all faces, on walls that of the cell. The borrowed arrays take new values. */
static void find_beta(struct bubble *b)
{
  for (int axis = 0; axis < 3; axis++)
    for (int k = 0; k < b->planes + (axis == 2); k++)
      for (int j = 0; j < b->n + (axis == 1); j++)
        for (int i = 0; i < b->n + (axis == 0); i++) {
          const int place[3] = {i, j, k};
          const int before = axis == 2 || place[axis] > 0, after = axis == 2 || place[axis] < b->n;
          const ptrdiff_t here = at(b, i, j, k),
                          step = axis == 0 ? 1
            : axis == 1                    ? b->row
                                           : b->plane;
          const double high = b->distance[after ? here : here - step],
                       low = b->distance[before ? here - step : here];
          b->beta[axis][here] =
            1 / (1 / b->ratio + (1 - 1 / b->ratio) * share_of_liquid(b, low, high));
        }
}

/* -∇·u to the right side. Returns the 2-norm. */
static double divergence(struct bubble *b)
{
  double sum = 0;
  for (int k = 0; k < b->planes; k++)
    for (int j = 0; j < b->n; j++)
      for (int i = 0; i < b->n; i++) {
        const ptrdiff_t here = at(b, i, j, k);
        const double *u = b->velocity[0] + here, *v = b->velocity[1] + here,
                     *w = b->velocity[2] + here;
        const double value = ((u[1] - u[0]) + (v[b->row] - v[0]) + (w[b->plane] - w[0])) / b->h;
        b->right_side[here] = -value;
        sum += value * value;
      }
  return sqrt(sum_of_ranks(sum));
}

/* The interface moves, and the velocity without the pressure follows. */
static void predict(struct bubble *b)
{
  const size_t bytes = (size_t)(b->planes * b->plane) * sizeof(double);
  for_all(b, 3, move_distance);
  memcpy(b->distance, b->moved, bytes);
  fill_ghosts(b, b->distance);
  find_beta(b);
  for (int axis = 0; axis < 3; axis++)
    for_all(b, axis, accelerate);
  for (int axis = 0; axis < 3; axis++) {
    memcpy(b->velocity[axis], b->next[axis], bytes);
    fill_ghosts(b, b->velocity[axis]);
  }
}

static gmg_array view(const struct bubble *b, double *data)
{
  return (gmg_array){data, {1, b->row, b->plane}};
}

/* u = u* - 1/ρ ∇φ; the flux through walls is 0. */
static gmg_status correct(gmg_solver *solver, struct bubble *b)
{
  const gmg_array phi = view(b, b->phi);
  gmg_array flux[3] = {view(b, b->flux[0]), view(b, b->flux[1]), view(b, b->flux[2])};
  const gmg_status status = gmg_solver_fluxes(solver, &phi, &flux[0], &flux[1], &flux[2]);
  for (int axis = 0; axis < 3; axis++) {
    for (ptrdiff_t n = 0; n < b->planes * b->plane; n++)
      b->velocity[axis][n] += b->flux[axis][n];
    fill_ghosts(b, b->velocity[axis]);
  }
  return status;
}

/* The height of the gas's centre. */
static double height(const struct bubble *b)
{
  double sum = 0, moment = 0;
  for (int k = 0; k < b->planes; k++)
    for (int j = 0; j < b->n; j++)
      for (int i = 0; i < b->n; i++) {
        const double gas = fmin(1, fmax(0, 0.5 - b->distance[at(b, i, j, k)] / b->h));
        sum += gas;
        moment += gas * (b->first + k + 0.5) * b->h;
      }
  sum = sum_of_ranks(sum);
  return sum_of_ranks(moment) / sum;
}

/* The largest speed times Δt / h. */
static double courant(const struct bubble *b)
{
  double most = 0;
  for (int axis = 0; axis < 3; axis++)
    for (ptrdiff_t n = 0; n < b->planes * b->plane; n++)
      most = fmax(most, fabs(b->velocity[axis][n]));
  return most_of_ranks(most) * b->step / b->h;
}

static double square_sum(const struct bubble *b)
{
  double sum = 0;
  for (int axis = 0; axis < 3; axis++)
    for (ptrdiff_t n = 0; n < b->planes * b->plane; n++)
      sum += b->velocity[axis][n] * b->velocity[axis][n];
  return sum_of_ranks(sum);
}

static uint64_t bits_of_velocity(const struct bubble *b)
{
  uint64_t bits = 0, word;
  for (int axis = 0; axis < 3; axis++)
    for (ptrdiff_t n = 0; n < b->planes * b->plane; n++) {
      const double value = b->velocity[axis][n];
      memcpy(&word, &value, sizeof word);
      bits += word * (2 * ((uint64_t)(b->first * b->plane + n) * 3 + (uint64_t)axis) + 1);
    }
  return bits_of_ranks(bits);
}

/* The arrays, each with its ghost planes, in one piece of memory. */
static int make_fields(struct bubble *b)
{
  double **const field[FIELDS] = {&b->distance,    &b->moved,     &b->velocity[0], &b->velocity[1],
                                  &b->velocity[2], &b->next[0],   &b->next[1],     &b->next[2],
                                  &b->beta[0],     &b->beta[1],   &b->beta[2],     &b->phi,
                                  &b->phi_before,  &b->right_side};
  b->row = b->n + 1;
  b->plane = b->row * b->row;
  const size_t size = (size_t)((b->planes + 2) * b->plane);
  b->memory = calloc(FIELDS * size, sizeof *b->memory);
  for (int m = 0; m < FIELDS && b->memory; m++)
    *field[m] = b->memory + (size_t)m * size + b->plane;
  for (int axis = 0; axis < 3; axis++)
    b->flux[axis] = b->next[axis]; /* once the step is over */
  return b->memory == NULL;
}

/* A number in [0, 1) that depends on the arguments alone. */
static double random_number(int seed, int which)
{
  uint64_t bits = ((uint64_t)seed << 32 | (uint32_t)which) + 0x9E3779B97F4A7C15u;
  for (int round = 0; round < 3; round++)
    bits = (bits ^ bits >> 29) * 0xBF58476D1CE4E5B9u;
  return (double)(bits >> 11) / 9007199254740992.0;
}

static double square_distance(const double one[3], const double other[3])
{
  const double x = one[0] - other[0], y = one[1] - other[1], z = one[2] - other[2];
  return x * x + y * y + z * z;
}

/* Whether a ball about the place keeps a gap to those that are there. */
static int is_free(const struct bubble *b, int balls, const double place[3])
{
  const double apart = 2.2 * b->radius;
  for (int m = 0; m < balls; m++)
    if (square_distance(b->centre[m], place) < apart * apart)
      return 0;
  return 1;
}

/* Places the bubbles, each where a random place is free. Returns 0 where all found one. */
static int place_bubbles(struct bubble *b)
{
  enum { MOST_TRIES = 1000 }; /* for each; a tenth of the box leaves many places */
  b->centre = malloc((size_t)b->bubbles * sizeof *b->centre);
  if (b->bubbles == 1 && b->centre)
    memcpy(b->centre[0], (const double[3]){0.5, 0.5, 0.35}, sizeof b->centre[0]);
  int balls = b->bubbles == 1;
  for (int attempt = 0; b->centre && balls < b->bubbles && attempt / MOST_TRIES < b->bubbles;
       attempt++) {
    const double room = 1 - 2.2 * b->radius;
    for (int d = 0; d < 3; d++)
      b->centre[balls][d] = 1.1 * b->radius + room * random_number(b->seed, 3 * attempt + d);
    balls += is_free(b, balls, b->centre[balls]);
  }
  return !b->centre || balls < b->bubbles;
}

static void start(struct bubble *b)
{
  for (int k = 0; k < b->planes; k++)
    for (int j = 0; j < b->n; j++)
      for (int i = 0; i < b->n; i++) {
        const double place[3] = {(i + 0.5) * b->h, (j + 0.5) * b->h, (b->first + k + 0.5) * b->h};
        double least = INFINITY;
        for (int m = 0; m < b->bubbles; m++)
          least = fmin(least, square_distance(place, b->centre[m]));
        b->distance[at(b, i, j, k)] = sqrt(least) - b->radius;
      }
  fill_ghosts(b, b->distance);
  find_beta(b);
}

static gmg_status make_solver(gmg_context *context, struct bubble *b, gmg_grid **grid,
                              gmg_solver **solver)
{
  const int cells[3] = {b->n, b->n, b->n}, lower_cell[3] = {0, 0, b->first},
            upper_cell[3] = {b->n, b->n, b->first + b->planes};
  const double lower[3] = {0, 0, 0}, upper[3] = {1, 1, 1};
  gmg_status status = gmg_grid_create(context, cells, lower, upper, grid);
  for (int side = GMG_X_LO; side <= GMG_Z_HI && !status; side++)
    status = gmg_grid_set_boundary(*grid, (gmg_side)side, GMG_NEUMANN, 0, 0, 0);
  if (!status)
    status = gmg_grid_set_part(*grid, lower_cell, upper_cell);
  if (!status)
    status = gmg_solver_create(*grid, solver);
  for (int axis = 0; axis < 3 && !status; axis++) {
    const gmg_array beta = view(b, b->beta[axis]);
    status = gmg_solver_borrow_coefficient(*solver, (gmg_coefficient)(GMG_BETA_X + axis), &beta);
  }
  if (!status)
    status =
      gmg_solver_set_real(*solver, "rtol", 0.99 * b->rtol); /* a little less: ∇·u is rounded, too */
  for (int m = 0; m < b->options && !status; m++)
    status = gmg_solver_set_option(*solver, b->option[m][0], b->option[m][1]);
  return status;
}

struct totals {
  int cycles, most_cycles;
  double setup, solve, worst;
};

/* φ of step n as the line through those of the two steps before it has it; of step 2, that of
 * step 1. */
static void extrapolate(struct bubble *b, int n)
{
  for (ptrdiff_t m = 0; m < b->planes * b->plane; m++) {
    const double last = b->phi[m];
    if (n > 2)
      b->phi[m] += last - b->phi_before[m];
    b->phi_before[m] = last;
  }
}

/* One step. Returns 0 where the projection did what it should. */
static int advance(gmg_solver *solver, struct bubble *b, int n, struct totals *totals)
{
  const gmg_array f = view(b, b->right_side);
  gmg_array phi = view(b, b->phi);
  gmg_result result;
  predict(b);
  const double before = divergence(b);
  extrapolate(b, n);
  if (gmg_solver_setup(solver) || gmg_solver_solve(solver, &f, &phi, b->guess && n > 1, &result)
      || correct(solver, b))
    return 1;
  const double after = divergence(b);
  totals->cycles += result.cycles;
  if (n > 1 && result.cycles > totals->most_cycles)
    totals->most_cycles = result.cycles;
  totals->setup += n > 1 ? result.setup_seconds : 0;
  totals->solve += result.solve_seconds;
  totals->worst = fmax(totals->worst, after / before);
  if (b->rank == 0)
    printf("step %2d: divergence %.2e before, %.2e after the projection; %d cycles, %.4f s and "
           "%.4f s of setup\n",
           n, before, after, result.cycles, result.solve_seconds, result.setup_seconds);
  if (result.outcome != GMG_CONVERGED && b->rank == 0)
    printf("%s: %s\n", gmg_outcome_text(result.outcome), result.reason);
  return result.outcome != GMG_CONVERGED || !(after <= b->rtol * before);
}

static int run(gmg_solver *solver, struct bubble *b)
{
  struct totals totals = {0};
  const double begin = height(b);
  int failed = 0;
  for (int n = 1; n <= b->steps && !failed; n++)
    failed = advance(solver, b, n, &totals);
  const double rise = height(b) - begin, number = courant(b), squares = square_sum(b);
  const uint64_t bits = bits_of_velocity(b);
  if (b->rank == 0)
    printf(
      "%d^3 cells, density ratio %g, interface of %g cells: %d cycles, %.4f s of solves, %.4f s of "
      "setups but the first\n"
      "%d of radius %.4g cells; at most %d cycles in a step but the first\n"
      "the worst projection left %.2e of the divergence, rtol is %.0e\n"
      "the gas rose by %.12e; the last Courant number is %.12e, the sum of u^2 %.12e\n"
      "bits of the velocities: %016llx\n",
      b->n, b->ratio, b->width, totals.cycles, totals.solve, totals.setup, b->bubbles,
      b->radius / b->h, totals.most_cycles, totals.worst, b->rtol, rise, number, squares,
      (unsigned long long)bits);
  return failed || !(rise > 0);
}

/* Returns 0 where all words are known, or go to the solver. */
static int read_words(struct bubble *b, int count, char **words)
{
  for (int n = 1; n + 1 < count; n += 2) {
    const char *name = words[n] + 2, *value = words[n + 1];
    if (strncmp(words[n], "--", 2) != 0 || b->options == SOLVER_OPTIONS)
      return 1;
    if (strcmp(name, "size") == 0)
      b->n = atoi(value);
    else if (strcmp(name, "steps") == 0)
      b->steps = atoi(value);
    else if (strcmp(name, "guess") == 0)
      b->guess = atoi(value);
    else if (strcmp(name, "bubbles") == 0)
      b->bubbles = atoi(value);
    else if (strcmp(name, "seed") == 0)
      b->seed = atoi(value);
    else if (strcmp(name, "ratio") == 0)
      b->ratio = atof(value);
    else if (strcmp(name, "width") == 0)
      b->width = atof(value);
    else if (strcmp(name, "rtol") == 0)
      b->rtol = atof(value);
    else {
      b->option[b->options][0] = name;
      b->option[b->options++][1] = value;
    }
  }
  return count % 2 == 0 || b->n < 4 || b->n > 1000 || b->n < b->ranks || b->steps < 1
    || !(b->ratio > 0) || !(b->width >= 0) || b->bubbles < 1 || b->bubbles > b->n * b->n;
}

/* What follows from the options. */
static void choose(struct bubble *b)
{
  const double gas = 0.1; /* of the box, if there are several */
  b->h = 1.0 / b->n;
  b->radius = b->bubbles == 1 ? 0.2 : cbrt(0.75 * gas / (acos(-1.0) * b->bubbles));
  b->step = 0.1 * sqrt(2 * b->radius * b->h); /* a tenth of √(diameter h / g) */
  b->first = (int)((long)b->n * b->rank / b->ranks);
  b->planes = (int)((long)b->n * (b->rank + 1) / b->ranks) - b->first;
}

int main(int count, char **words)
{
  struct bubble b = {.n = 48,
                     .steps = 20,
                     .guess = 1,
                     .bubbles = 1,
                     .seed = 1,
                     .ratio = 100,
                     .width = 1,
                     .rtol = 1e-10};
  gmg_context *context = NULL;
  gmg_grid *grid = NULL;
  gmg_solver *solver = NULL;
  start_ranks(&count, &words, &b);
  int failed = read_words(&b, count, words);
  if (failed) {
    if (b.rank == 0)
      printf("usage: bubble [--size N] [--ratio R] [--width CELLS] [--steps N] [--guess 0|1] "
             "[--rtol R] [--bubbles N] [--seed N] [--NAME VALUE of an option of gmg]\n");
  } else {
    choose(&b);
    failed = most_of_ranks(make_fields(&b) || place_bubbles(&b)) > 0 || make_context(&context);
    if (!failed) {
      start(&b);
      failed = make_solver(context, &b, &grid, &solver) || run(solver, &b);
    }
    if (failed && b.rank == 0)
      printf("failed; the last message: %s\n",
             context ? gmg_context_message(context) : "too little memory or room for bubbles");
  }
  gmg_solver_destroy(&solver);
  gmg_grid_destroy(&grid);
  gmg_context_destroy(&context);
  free(b.memory);
  free(b.centre);
  finish_ranks();
  return failed;
}
