/* The rising bubble of examples/bubble.c as a program with multigrid as one of its steps: what is
 * explicit is made from the formulas of rising.stencil, and its `solve pressure` is a solver that
 * is attached. With --backend cuda all arrays are on the GPU, and none leaves it in a step.
 *
 *   usage: bubble_program [--size 48] [--ratio 100] [--width 1] [--steps 20] [--rtol 1e-10]
 *     [--check 1] [--backend openmp|cuda] [--NAME VALUE of any other option of a solver]
 *
 * What must vanish: the divergence of u, which after each projection is at most rtol times that
 * before it (--check 0: not looked at); and the bubble must rise. Prints what the explicit half of
 * a step takes of its time, setup of the coefficients and the solve being the other half, and the
 * bytes that were copied to GPUs and back; with --most-share S and --most-bytes B, a larger share
 * of all steps but the first two, or more bytes in one of them, are a failure. */
#if WITH_MPI
#include <mpi.h>
#endif
#include <gmg_program.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

GMG_PROGRAM(rising);

enum { SOLVER_OPTIONS = 20, LATE = 3 }; /* LATE: the first step in which nothing is set up anew */

struct bubble {
  int n, steps, check;
  double ratio, width, rtol, most_share, most_bytes;
  const char *backend, *option[SOLVER_OPTIONS][2];
  int options, failed;

  double h, dt;
  gmg_context *context;
  gmg_grid *grid;
  gmg_program *program;
  gmg_solver *solver;
  int cycles;
  const char *outcome;
  double explicit, late_explicit, late_all, setup, solve, worst, most_copied;
};

/* Says what went wrong, the first time. */
static void need(struct bubble *b, gmg_status status)
{
  if (status && !b->failed && (!b->context || gmg_context_rank(b->context) == 0))
    printf("failed: %s\n", b->context ? gmg_context_message(b->context) : "no context");
  b->failed |= status != GMG_OK;
}

static double value(struct bubble *b, const char *name)
{
  double found = NAN;
  if (!b->failed)
    need(b, gmg_program_value(b->program, name, &found));
  return found;
}

static void set(struct bubble *b, const char *name, double number)
{
  if (!b->failed)
    need(b, gmg_program_set(b->program, name, number));
}

/* ---- the program and its solver ---- */

static void make_program(struct bubble *b)
{
  const int cells[3] = {b->n, b->n, b->n};
  const double lower[3] = {0, 0, 0}, upper[3] = {1, 1, 1};
  need(b, gmg_grid_create(b->context, cells, lower, upper, &b->grid));
  for (int side = GMG_X_LO; side <= GMG_Z_HI && !b->failed; side++)
    need(b, gmg_grid_set_boundary(b->grid, (gmg_side)side, GMG_NEUMANN, 0, 0, 0));
  if (!b->failed)
    need(b, gmg_program_create(b->grid, rising_program, 0, 0, &b->program));
  if (!b->failed)
    need(b, gmg_program_set_option(b->program, "backend", b->backend));
  if (!b->failed)
    need(b, gmg_program_place(b->program));
  set(b, "h", b->h);
  set(b, "dt", b->dt);
  set(b, "ratio", b->ratio);
  set(b, "width", b->width);
  if (!b->failed)
    need(b, gmg_program_begin(b->program));
}

static void solved(void *user, const gmg_result *result)
{
  struct bubble *b = user;
  b->cycles = result->cycles;
  b->outcome = result->outcome == GMG_CONVERGED ? NULL : result->reason;
}

/* On the parts of the grid that the program's boxes are, so that arrays need not move. */
static void make_solver(struct bubble *b)
{
  int lower[3], upper[3];
  if (!b->failed)
    need(b, gmg_program_part(b->program, lower, upper));
  if (!b->failed)
    need(b, gmg_grid_set_part(b->grid, lower, upper));
  if (!b->failed)
    need(b, gmg_solver_create(b->grid, &b->solver));
  if (!b->failed)
    need(b, gmg_solver_set_option(b->solver, "backend", b->backend));
  if (!b->failed) /* a little less: what is left of the divergence is rounded, too */
    need(b, gmg_solver_set_real(b->solver, "rtol", 0.99 * b->rtol));
  for (int m = 0; m < b->options && !b->failed; m++)
    need(b, gmg_solver_set_option(b->solver, b->option[m][0], b->option[m][1]));
  if (!b->failed)
    need(b, gmg_program_attach(b->program, "pressure", b->solver, solved, b));
}

/* ---- steps ---- */

/* Bytes that this process has copied to GPUs and back; 0 before the solver is set up. */
static double copied(const struct bubble *b)
{
  gmg_backend_info info = {.copied = {0, 0}};
  return gmg_solver_backend(b->solver, &info) ? 0 : (double)(info.copied[0] + info.copied[1]);
}

static void check_projection(struct bubble *b, int n, double share, double bytes)
{
  const double before = b->check ? sqrt(value(b, "predicted")) : 1,
               after = b->check ? sqrt(value(b, "projected")) : 0;
  if (b->failed)
    return;
  b->worst = fmax(b->worst, after / before);
  if (gmg_context_rank(b->context) == 0) {
    if (b->check)
      printf("step %2d: divergence %.2e before, %.2e after the projection; ", n, before, after);
    printf("%d cycles, explicit %.1f %% of the step, %.0f bytes to GPUs and back\n", b->cycles,
           100 * share, bytes);
    if (b->outcome)
      printf("%s\n", b->outcome);
  }
  b->failed |= b->outcome || !(after <= b->rtol * before);
}

static void advance(struct bubble *b, int n)
{
  gmg_program_info before, after;
  const double bytes = copied(b);
  set(b, "go_on", n > 2);
  gmg_program_inform(b->program, &before);
  need(b, gmg_program_run(b->program, 1));
  if (b->failed)
    return;
  gmg_program_inform(b->program, &after);
  const double moved = copied(b) - bytes, all = after.seconds - before.seconds,
               setup = after.setup_seconds - before.setup_seconds,
               solve = after.solve_seconds - before.solve_seconds, rest = all - setup - solve;
  b->explicit += rest;
  b->setup += n > 1 ? setup : 0;
  b->solve += solve;
  if (n >= LATE) {
    b->late_explicit += rest;
    b->late_all += all;
    b->most_copied = fmax(b->most_copied, moved);
  }
  check_projection(b, n, rest / all, moved);
}

/* The height of the gas's centre. */
static double height(struct bubble *b)
{
  const double volume = value(b, "volume");
  return value(b, "moment") / volume;
}

static void run(struct bubble *b)
{
  const double begin = height(b);
  for (int n = 1; n <= b->steps && !b->failed; n++)
    advance(b, n);
  const double rise = height(b) - begin, speed = value(b, "speed"), squares = value(b, "squares");
  gmg_program_info info;
  if (b->failed)
    return;
  gmg_program_inform(b->program, &info);
  const double share = b->late_all > 0 ? b->late_explicit / b->late_all : 0;
  if (gmg_context_rank(b->context) == 0)
    printf(
      "%d^3 cells, density ratio %g, interface of %g cells, on %s%s%s: %lld cycles, %.4f s of "
      "solves, %.4f s of setups but the first, %.4f s of explicit halves\n"
      "from step %d on the explicit half took %.1f %% of the time, and a step copied %.0f bytes at "
      "most to GPUs and back\n"
      "the worst projection left %.2e of the divergence, rtol is %.0e\n"
      "the bubble rose by %.12e; the last Courant number is %.12e, the sum of u^2 %.12e\n",
      b->n, b->ratio, b->width, info.backend, *info.device ? ", " : "", info.device,
      (long long)info.cycles, b->solve, b->setup, b->explicit, LATE, 100 * share, b->most_copied,
      b->worst, b->rtol, rise, speed * b->dt / b->h, squares);
  b->failed |= !(rise > 0) || !(share <= b->most_share) || !(b->most_copied <= b->most_bytes);
}

/* ---- the command line ---- */

static void read_word(struct bubble *b, const char *name, const char *word)
{
  if (strcmp(name, "size") == 0)
    b->n = atoi(word);
  else if (strcmp(name, "steps") == 0)
    b->steps = atoi(word);
  else if (strcmp(name, "check") == 0)
    b->check = atoi(word);
  else if (strcmp(name, "ratio") == 0)
    b->ratio = atof(word);
  else if (strcmp(name, "width") == 0)
    b->width = atof(word);
  else if (strcmp(name, "rtol") == 0)
    b->rtol = atof(word);
  else if (strcmp(name, "most-share") == 0)
    b->most_share = atof(word);
  else if (strcmp(name, "most-bytes") == 0)
    b->most_bytes = atof(word);
  else if (strcmp(name, "backend") == 0)
    b->backend = word;
  else {
    b->option[b->options][0] = name;
    b->option[b->options++][1] = word;
  }
}

/* Returns 0 where all words are known, or go to the solver. */
static int read_words(struct bubble *b, int count, char **words)
{
  for (int n = 1; n + 1 < count; n += 2) {
    if (strncmp(words[n], "--", 2) != 0 || b->options == SOLVER_OPTIONS)
      return 1;
    read_word(b, words[n] + 2, words[n + 1]);
  }
  return count % 2 == 0 || b->n < 4 || b->n > 1000 || b->steps < 1 || !(b->ratio > 0)
    || !(b->width > 0);
}

static gmg_status make_context(gmg_context **context)
{
#if WITH_MPI
  return gmg_context_create_mpi(MPI_COMM_WORLD, 0, context);
#else
  return gmg_context_create(0, context);
#endif
}

int main(int count, char **words)
{
  struct bubble b = {.n = 48,
                     .steps = 20,
                     .check = 1,
                     .ratio = 100,
                     .width = 1,
                     .rtol = 1e-10,
                     .most_share = 1,
                     .most_bytes = INFINITY,
                     .backend = "openmp"};
#if WITH_MPI
  int provided;
  MPI_Init_thread(&count, &words, MPI_THREAD_FUNNELED, &provided);
#endif
  need(&b, make_context(&b.context));
  const int wrong = read_words(&b, count, words);
  if (wrong && b.context && gmg_context_rank(b.context) == 0)
    printf("usage: bubble_program [--size N] [--ratio R] [--width CELLS] [--steps N] [--rtol R] "
           "[--check 0|1] [--backend openmp|cuda] [--most-share S] [--most-bytes B] [--NAME VALUE "
           "of an option of gmg]\n");
  b.failed |= wrong;
  b.h = 1.0 / b.n;
  b.dt = 0.1 * sqrt(0.4 * b.h); /* a tenth of √(diameter h / g) */
  if (!b.failed)
    make_program(&b);
  if (!b.failed)
    make_solver(&b);
  if (!b.failed)
    run(&b);
  gmg_program_destroy(&b.program);
  gmg_solver_destroy(&b.solver);
  gmg_grid_destroy(&b.grid);
  gmg_context_destroy(&b.context);
#if WITH_MPI
  MPI_Finalize();
#endif
  return b.failed;
}
