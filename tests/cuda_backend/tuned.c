/* What tuning is worth. Prints a line of JSON. Without HDF5 and cmocka: it runs on a bare machine
 * with a GPU too.
 *
 *   tuned --kernel SYMBOL [--record FILE] [--budget SECONDS]
 *     how fast is what the model's search finds for one kernel, and how long does it take, beside a
 *     search over all candidates; FILE: what each candidate took; SECONDS: of each of the two
 *   tuned --wisdom FILE [--rounds N]
 *     solves with a file's wisdom and without in turns: ratio of times (95 %), are bits the same?
 *   tuned --levels yes [--rounds N] [--budget SECONDS]
 *     how fast is what the model's search finds for all levels, beside a search over all candidates
 *
 * and with each [--cells N] [--constant yes] [--backend openmp] [OPTION VALUE]..., gmg's options.
 * Exit status: 0 done, 1 other bits, 2 failure, 77 no GPU. in_time false: a search ended early. */
#include "config.h"

#if GMG_WITH_MPI
#include <mpi.h>
#endif

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gmg.h"
#include "gmg_report.h"

#include "problem/choices.h"
#include "problem/solver.h"
#include "runtime/backend.h"
#include "runtime/tune.h"
#include "runtime/tuned.h"
#include "system/threads.h"
#include "tuning/timer.h"

static struct {
  int cells, rounds, constant, levels, options;
  double budget;
  const char *kernel, *wisdom, *record, *backend, *option[32], *value[32];
} ask = {.cells = 128, .rounds = 15, .budget = 60, .backend = "cuda"};

static gmg_context *context;

static void check(gmg_status status, const char *what)
{
  if (status == GMG_OK)
    return;
  fprintf(stderr, "tuned: %s: %s\n", what, gmg_context_message(context));
  exit(2);
}

/* A smooth β, so that the operator has variable coefficients. */
static void set_beta(gmg_solver *solver)
{
  const size_t n = (size_t)ask.cells, count = n * n * n;
  double *values = malloc(count * sizeof *values);
  if (!values)
    exit(2);
  for (size_t c = 0; c < count; c++)
    values[c] = 1 + 0.5 * sin(0.01 * (double)c);
  const gmg_array beta = {values, {1, (ptrdiff_t)n, (ptrdiff_t)(n * n)}};
  check(gmg_solver_set_coefficient(solver, GMG_BETA, &beta), "beta");
  free(values);
}

static const struct gmg_wisdom_entry *entry_of(const char *subject)
{
  const struct gmg_wisdom *wisdom = context->tuned->wisdom;
  for (int n = 0; n < gmg_wisdom_count(wisdom); n++)
    if (strcmp(gmg_wisdom_at(wisdom, n)->subject, subject) == 0)
      return gmg_wisdom_at(wisdom, n);
  return NULL;
}

static void print_choices(const struct gmg_wisdom_entry *entry)
{
  printf("\"");
  for (int c = 0; c < entry->choices; c++) {
    const struct gmg_wisdom_choice *choice = &entry->choice[c];
    if (choice->word[0])
      printf("%s%s=%s", c ? " " : "", choice->name, choice->word);
    else
      printf("%s%s=%d", c ? " " : "", choice->name, choice->number);
  }
  printf("%s\"", entry->choices ? "" : "the default");
}

static void record(void *user, const gmg_tuning_candidate *candidate)
{
  fprintf(user, "{\"subject\": \"%s\", \"seconds\": %.6g", candidate->subject,
          isfinite(candidate->seconds) ? candidate->seconds : -1);
  for (int d = 0; d < candidate->choices; d++)
    fprintf(user, ", \"%s\": %d", candidate->name[d], candidate->value[d]);
  fprintf(user, "}\n");
}

/* Returns the least seconds that a search found. */
static double search(gmg_solver *solver, const char *subject, int exhaustive)
{
  const double begin = gmg_seconds();
  FILE *file = exhaustive && ask.record ? fopen(ask.record, "w") : NULL;
  struct gmg_tune tune = {.exhaustive = exhaustive, .only = subject, .end = begin + ask.budget};
  tune.record = file ? record : NULL;
  tune.user = file;
  check(solver->placement.backend->tune(&solver->placement, &tune), "tune");
  const double took = gmg_seconds() - begin;
  const struct gmg_wisdom_entry *entry = entry_of(subject);
  if (file)
    fclose(file);
  printf("\"%s\": {\"search_seconds\": %.2f, \"timed\": %d, \"other_bits\": %d, \"in_time\": %s",
         exhaustive ? "exhaustive" : "model", took, tune.measured, tune.discarded,
         tune.unfinished ? "false" : "true");
  if (entry) {
    printf(", \"microseconds\": %.3f, \"default_microseconds\": %.3f, \"choice\": ",
           1e6 * entry->seconds, 1e6 * entry->default_seconds);
    print_choices(entry);
  }
  printf("}, ");
  return entry ? entry->seconds : NAN;
}

static void run(gmg_solver *solver)
{
  char subject[GMG_WISDOM_SUBJECT];
  snprintf(subject, sizeof subject, "kernel %s", ask.kernel);
  printf("{\"kernel\": \"%s\", \"cells\": %d, ", ask.kernel, ask.cells);
  const double model = search(solver, subject, 0), all = search(solver, subject, 1);
  printf("\"speed_of_model\": %.4f}\n", all / model);
}

/* A solver in a context of its own, and what it solves. */
struct side {
  gmg_context *context;
  gmg_grid *grid;
  gmg_solver *solver;
  gmg_array f, u;
  struct gmg_choice choice[64]; /* of the levels that the host computes */
  struct side *all;             /* on the CPU: that solves with the choices of either */
};

static size_t count_cells(void)
{
  return (size_t)ask.cells * (size_t)ask.cells * (size_t)ask.cells;
}

static int is_there(const char *file)
{
  FILE *stream = fopen(file, "r");
  if (stream)
    fclose(stream);
  return stream != NULL;
}

static int is_on_gpu(void)
{
  return strcmp(ask.backend, "cuda") == 0;
}

static void open_side(struct side *side, const char *wisdom)
{
  const int cells[3] = {ask.cells, ask.cells, ask.cells};
  const double zero[3] = {0, 0, 0}, one[3] = {1, 1, 1};
#if GMG_WITH_MPI
  check(gmg_context_create_mpi(MPI_COMM_WORLD, 0, &side->context), "a context");
#else
  check(gmg_context_create(0, &side->context), "a context");
#endif
  context = side->context;
  check(gmg_context_load_wisdom(context, NULL), "wisdom");
  int found = 0;
  gmg_context_device(context, &found);
  if (wisdom)
    check(gmg_context_load_wisdom(context, wisdom), wisdom);
  check(gmg_grid_create(context, cells, zero, one, &side->grid), "the grid");
  check(gmg_solver_create(side->grid, &side->solver), "gmg_solver_create");
  if (!ask.constant)
    set_beta(side->solver);
  check(gmg_solver_set_option(side->solver, "backend", ask.backend), "backend");
  if (is_on_gpu())
    check(gmg_solver_set_option(side->solver, "coarse", "gpu"), "coarse");
  for (int n = 0; n < ask.options; n++)
    check(gmg_solver_set_option(side->solver, ask.option[n], ask.value[n]), ask.option[n]);
  check(gmg_solver_setup(side->solver), "gmg_solver_setup");
}

static void close_side(struct side *side)
{
  gmg_solver_destroy(&side->solver);
  gmg_grid_destroy(&side->grid);
  gmg_context_destroy(&side->context);
}

/* On the CPU one solver takes the choices of either side in turn: where the memory of two lies
 * makes a difference of several percent by itself. */
static int take_turn(void *user)
{
  struct side *side = user;
  gmg_result result;
  if (side->all) {
    for (int l = 0; l < gmg_solver_levels(side->all->solver); l++)
      if (gmg_choices_set(side->all->solver, l, &side->choice[l]))
        exit(2);
    side = side->all;
  }
  context = side->context;
  check(gmg_solver_solve(side->solver, &side->f, &side->u, 0, &result), "gmg_solver_solve");
  return 0;
}

static int count_chosen(const gmg_solver *solver)
{
  int chosen = 0;
  for (int l = 0; l < gmg_solver_levels(solver); l++) {
    gmg_level_info level;
    chosen += gmg_solver_level_info(solver, l, &level) == GMG_OK && level.choice;
    for (int n = 0; n < gmg_solver_kernels(solver, l); n++) {
      gmg_kernel_info info;
      chosen += gmg_solver_kernel_info(solver, l, n, &info) == GMG_OK && info.choice;
    }
  }
  return chosen;
}

/* Arrays where the solver computes, f the same on both sides. Notes what the solver chose. */
static void take_arrays(struct side *side, struct side *all, double *values)
{
  const struct gmg_hierarchy *h = &side->solver->hierarchy;
  for (int l = 0; l < h->levels; l++)
    side->choice[l] = h->level[l].choice;
  side->all = is_on_gpu() ? NULL : all;
  const ptrdiff_t n = ask.cells;
  const gmg_array host = {values, {1, n, n * n}};
  context = side->context;
  check(gmg_solver_array_create(side->solver, &side->f), "an array on the device");
  check(gmg_solver_array_create(side->solver, &side->u), "an array on the device");
  check(gmg_solver_array_copy(side->solver, &host, &side->f), "f to the device");
}

static double *get_u(struct side *side)
{
  const ptrdiff_t n = ask.cells;
  double *values = malloc(count_cells() * sizeof *values);
  if (!values)
    exit(2);
  gmg_array host = {values, {1, n, n * n}};
  context = side->context;
  check(gmg_solver_array_copy(side->solver, &side->u, &host), "u from the device");
  return values;
}

static double *make_f(void)
{
  double *f = malloc(count_cells() * sizeof *f);
  if (!f)
    exit(2);
  for (size_t c = 0; c < count_cells(); c++)
    f[c] = sin(1e-3 * (double)c * (double)(c % 977));
  return f;
}

/* Solves with both in turns, and prints what became of it. Returns 1 for other bits. */
static int compare(struct side side[2], const char *first, const char *second)
{
  const struct gmg_timer_call call[2] = {{take_turn, &side[0]}, {take_turn, &side[1]}};
  static const struct gmg_timer_clock clock;
  struct gmg_timer_result time[2];
  gmg_result result;
  double *u[2];
  for (int n = 0; n < 2; n++) { /* each by what it was set up with */
    context = side[n].context;
    check(gmg_solver_solve(side[n].solver, &side[n].f, &side[n].u, 0, &result), "a solve");
    u[n] = get_u(&side[n]);
  }
  if (gmg_timer_in_turns(call, 2, ask.rounds, &clock, time))
    exit(2);
  const int same = memcmp(u[0], u[1], count_cells() * sizeof *u[0]) == 0;
  printf("\"cells\": %d, \"beta\": \"%s\", \"options\": \"", ask.cells,
         ask.constant ? "constant" : "variable");
  for (int n = 0; n < ask.options; n++)
    printf("%s%s=%s", n ? " " : "", ask.option[n], ask.value[n]);
  printf("\", \"%s_seconds\": %.6f, \"%s_seconds\": %.6f, \"ratio\": %.4f, \"low\": %.4f, "
         "\"high\": %.4f, \"chosen\": %d, \"bits\": \"%s\"}\n",
         first, time[0].median, second, time[1].median, time[1].ratio, time[1].ratio_low,
         time[1].ratio_high, count_chosen(side[1].solver), same ? "the same" : "differ");
  for (int n = 0; n < 2; n++) {
    context = side[n].context;
    gmg_solver_array_destroy(side[n].solver, &side[n].f);
    gmg_solver_array_destroy(side[n].solver, &side[n].u);
    close_side(&side[n]);
    free(u[n]);
  }
  return !same;
}

static int run_pairs(void)
{
  struct side side[2] = {{NULL}, {NULL}};
  double *f = make_f();
  for (int n = 0; n < 2; n++) {
    open_side(&side[n], n ? ask.wisdom : NULL);
    take_arrays(&side[n], side, f);
  }
  free(f);
  printf("{");
  return compare(side, "default", "tuned");
}

static int run_levels(void)
{
  static const char *const names[2] = {"exhaustive", "model"};
  struct side side[2] = {{NULL}, {NULL}};
  double *f = make_f();
  printf("{");
  for (int n = 0; n < 2; n++) {
    open_side(&side[n], NULL);
    const gmg_tuning tuning = {.budget = ask.budget, .exhaustive = !n};
    gmg_tuning_result found;
    const double begin = gmg_seconds();
    check(gmg_solver_tune(side[n].solver, &tuning, &found), "gmg_solver_tune");
    printf("\"%s\": {\"search_seconds\": %.2f, \"timed\": %d, \"other_bits\": %d}, ", names[n],
           gmg_seconds() - begin, found.measured, found.discarded);
    fflush(stdout);
    take_arrays(&side[n], side, f);
  }
  free(f);
  return compare(side, names[0], names[1]);
}

static int run_search(void)
{
  struct side side;
  open_side(&side, NULL);
  run(side.solver);
  close_side(&side);
  return 0;
}

static int has_device(void)
{
  int found = 0;
#if GMG_WITH_MPI
  if (gmg_context_create_mpi(MPI_COMM_WORLD, 0, &context))
    return 0;
#else
  if (gmg_context_create(0, &context))
    return 0;
#endif
  const char *device = gmg_context_device(context, &found);
  if (!found)
    printf("skipped: %s\n", device);
  gmg_context_destroy(&context);
  return found;
}

static void parse(int count, char **words)
{
  for (int n = 1; n + 1 < count; n += 2) {
    if (strcmp(words[n], "--cells") == 0) {
      ask.cells = atoi(words[n + 1]);
    } else if (strcmp(words[n], "--kernel") == 0) {
      ask.kernel = words[n + 1];
    } else if (strcmp(words[n], "--wisdom") == 0) {
      ask.wisdom = words[n + 1];
    } else if (strcmp(words[n], "--record") == 0) {
      ask.record = words[n + 1];
    } else if (strcmp(words[n], "--backend") == 0) {
      ask.backend = words[n + 1];
    } else if (strcmp(words[n], "--rounds") == 0) {
      ask.rounds = atoi(words[n + 1]);
    } else if (strcmp(words[n], "--levels") == 0) {
      ask.levels = strcmp(words[n + 1], "yes") == 0;
    } else if (strcmp(words[n], "--constant") == 0) {
      ask.constant = strcmp(words[n + 1], "yes") == 0;
    } else if (strcmp(words[n], "--budget") == 0) {
      ask.budget = atof(words[n + 1]);
    } else if (ask.options < 32) {
      ask.option[ask.options] = words[n];
      ask.value[ask.options++] = words[n + 1];
    }
  }
}

int main(int count, char **words)
{
  int status = 77;
  parse(count, words);
#if GMG_WITH_MPI
  MPI_Init(&count, &words);
#endif
  if (!ask.kernel && !ask.levels && !(ask.wisdom && is_there(ask.wisdom))) {
    fprintf(stderr, "tuned: expected --kernel SYMBOL, --levels yes or --wisdom with a file\n");
    status = 2;
  } else if (!is_on_gpu() || has_device()) {
    status = ask.kernel ? run_search() : ask.levels ? run_levels() : run_pairs();
  }
#if GMG_WITH_MPI
  MPI_Finalize();
#endif
  return status;
}
