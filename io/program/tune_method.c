#include "tune_method.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/interrupt.h"
#include "common/parallel.h"
#include "tuning/timer.h"

enum { MOST_WORDS = 6, REPEATS = 3, LEAST_ROUNDS = 9, MOST_ROUNDS = 25 };
static const double hopeless = 1.2;      /* times the best: one solve is enough to know */
static const double worth = 0.98;        /* of the best: what counts as faster in the search */
static const double search_share = 0.75; /* of the seconds */
static const double least_turn = 0.05;   /* seconds, of several solves if need be */

/* What is varied, each with its default first. */
static const struct axis {
  const char *name, *word[MOST_WORDS];
} axes[] = {{"precision", {"auto", "double", "mixed"}},
            {"cycle", {"auto", "v", "w", "f", "fmg"}},
            {"krylov", {"auto", "none", "cg"}},
            {"smoother", {"gsrb", "chebyshev", "jacobi"}},
            {"degree", {"4", "2", "3", "6"}},
            {"pre", {"2", "1", "0", "3", "4"}},
            {"post", {"2", "1", "3", "4"}},
            {"interpolation", {"auto", "constant", "linear"}},
            {"bottom-cells", {"auto", "1", "8", "64", "512", "4096"}},
            {"method", {"auto", "fft"}}}; /* refused where the problem does not qualify */
enum {
  AXES = sizeof axes / sizeof *axes,
  SMOOTHER = 3,
  DEGREE = 4,
  METHOD = AXES - 1,
  CHEBYSHEV = 1,
  FFT = 1
};

/* One word of each axis. */
struct method {
  int word[AXES];
  double per_digit, digits; /* seconds, and digits of the residual, of a solve; INFINITY: fails */
};

struct search {
  struct trial trial; /* whose steps are silent, but for reading */
  struct progress *progress, silent;
  struct failure *failure;
  const struct arguments *given;
  int fixed[AXES]; /* 1: the command line says it */
  double end;
  int tried, failed; /* methods, and those that did not reach the tolerance or were refused */
  double *u;
  int default_fails;
  struct method best;
};

static const struct method standard = {.per_digit = 0};

/* Adds what of a method is no default to the options. */
static void add_options(const struct method *method, struct arguments *arguments)
{
  for (int a = 0; a < AXES; a++)
    if (method->word[a] && arguments->solver_options < MOST_SOLVER_OPTIONS) {
      arguments->solver_name[arguments->solver_options] = axes[a].name;
      arguments->solver_value[arguments->solver_options++] = axes[a].word[method->word[a]];
    }
}

/* "pre 1, post 1" */
static void describe(const struct method *method, char *text, size_t size)
{
  snprintf(text, size, "the default");
  for (int a = 0, first = 1; a < AXES; a++)
    if (method->word[a]) {
      const size_t used = first ? 0 : strlen(text);
      snprintf(text + used, size - used, "%s%s %s", first ? "" : ", ", axes[a].name,
               axes[a].word[method->word[a]]);
      first = 0;
    }
}

static double left(const struct search *search)
{
  double seconds = interrupt_asked() ? 0 : search->end - progress_seconds();
  parallel_broadcast(&seconds, sizeof seconds);
  return seconds;
}

static int set_up(struct search *search, const struct method *method, gmg_solver **solver)
{
  struct arguments arguments = *search->given;
  add_options(method, &arguments);
  search->trial.arguments = &arguments;
  trial_set_up(&search->trial, search->trial.context, search->trial.grid, NULL, solver);
  search->trial.arguments = search->given;
  return search->failure->status;
}

/* One more solve. Returns 0, or a failure; a solve that did not converge has INFINITY per digit. */
static int solve(struct search *search, gmg_solver *solver, struct method *method)
{
  gmg_result result;
  if (trial_solve(&search->trial, search->trial.context, solver, search->u, &result))
    return search->failure->status;
  const int good = result.outcome == GMG_CONVERGED || result.outcome == GMG_ROUNDING_LIMIT;
  method->digits = fmax(-log10(fmax(result.relative_residual, 1e-300)), 1e-3);
  double seconds = good ? result.solve_seconds / method->digits : INFINITY;
  parallel_broadcast(&seconds, sizeof seconds);
  method->per_digit = good ? fmin(method->per_digit, seconds) : INFINITY;
  return 0;
}

/* Measures a method: a solve to warm up, then some that count. A method that the solver refuses is
 * no failure. */
static int measure(struct search *search, struct method *method)
{
  gmg_solver *solver = NULL;
  method->per_digit = INFINITY;
  int status = set_up(search, method, &solver);
  for (int n = 0; n <= REPEATS && !status; n++) {
    status = solve(search, solver, method);
    if (method->per_digit > hopeless * search->best.per_digit)
      break;
    method->per_digit = n ? method->per_digit : INFINITY;
  }
  gmg_solver_destroy(&solver);
  search->tried++;
  search->failed += status == STATUS_INPUT || method->per_digit == INFINITY;
  if (status == STATUS_INPUT)
    search->failure->status = 0;
  return search->failure->status;
}

/* Tries all words of an axis from the best method on. Returns a failure's status. */
static int walk(struct search *search, int a)
{
  const int useless = (a == DEGREE && search->best.word[SMOOTHER] != CHEBYSHEV)
    || (a != METHOD && search->best.word[METHOD] == FFT); /* it has no cycles */
  for (int w = 0; w < MOST_WORDS && axes[a].word[w] && !search->fixed[a] && !useless; w++) {
    struct method method = a == METHOD ? standard : search->best;
    char text[200], line[300];
    if (w == search->best.word[a] || left(search) <= 0)
      continue;
    method.word[a] = w;
    describe(&method, text, sizeof text);
    snprintf(line, sizeof line, "method     %d tried, best %.3g s a digit; now %s", search->tried,
             search->best.per_digit, text);
    progress_tell(search->progress, line);
    if (measure(search, &method))
      return search->failure->status;
    if (method.per_digit < worth * search->best.per_digit)
      search->best = method;
  }
  return 0;
}

static int find(struct search *search)
{
  struct method before;
  search->best.per_digit = INFINITY;
  if (measure(search, &search->best))
    return search->failure->status;
  search->default_fails = search->best.per_digit == INFINITY;
  do {
    before = search->best;
    for (int a = 0; a < AXES; a++)
      if (walk(search, a))
        return search->failure->status;
  } while (memcmp(before.word, search->best.word, sizeof before.word) != 0 && left(search) > 0);
  return 0;
}

struct turn {
  struct search *search;
  gmg_solver *solver;
  struct method method;
  int solves;
};

static int take_turn(void *context)
{
  struct turn *turn = context;
  int status = 0;
  for (int n = 0; n < turn->solves && !status; n++)
    status = solve(turn->search, turn->solver, &turn->method);
  return status;
}

/* The best method and the default in turns; the ratio of the times per digit. */
static int compare(struct search *search, double seconds, struct gmg_timer_result *result)
{
  struct turn turn[2] = {{search, NULL, {.per_digit = INFINITY}, 1},
                         {search, NULL, search->best, 1}};
  const struct gmg_timer_call call[2] = {{take_turn, &turn[0]}, {take_turn, &turn[1]}};
  static const struct gmg_timer_clock clock;
  struct gmg_timer_result time[2];
  memset(time, 0, sizeof time);
  for (int n = 0; n < 2; n++) {
    if (!set_up(search, &turn[n].method, &turn[n].solver))
      solve(search, turn[n].solver, &turn[n].method);
    const double one = turn[n].method.per_digit * turn[n].method.digits;
    turn[n].solves = one < least_turn ? (int)ceil(least_turn / fmax(one, 1e-4)) : 1;
  }
  const double round = 2 * fmax(least_turn, turn[0].method.per_digit * turn[0].method.digits);
  int rounds = (int)fmin(MOST_ROUNDS, fmax(LEAST_ROUNDS, seconds / round));
  parallel_broadcast(&rounds, sizeof rounds);
  for (int n = 0; n < 2; n++)
    parallel_broadcast(&turn[n].solves, sizeof turn[n].solves);
  if (!search->failure->status && gmg_timer_in_turns(call, 2, rounds, &clock, time) < 0)
    failure_memory(search->failure, 0, "the times");
  parallel_agree(search->failure);
  parallel_broadcast(time, sizeof time);
  const double scale =
    turn[0].method.digits / turn[1].method.digits * turn[0].solves / turn[1].solves;
  *result = time[1];
  result->ratio *= scale;
  result->ratio_low *= scale;
  result->ratio_high *= scale;
  for (int n = 0; n < 2; n++)
    gmg_solver_destroy(&turn[n].solver);
  return search->failure->status;
}

/* What the file says: comments, and the options of the method. */
struct record {
  const struct search *search;
  const char *comment;
  int better; /* than the default */
};

static void write_record(const void *user, FILE *stream)
{
  const struct record *record = user;
  const struct search *search = record->search;
  fprintf(stream, "# gmg tune: of %d methods for %s, of which %d failed,\n# %s\n", search->tried,
          search->trial.name, search->failed, record->comment);
  for (int a = 0; a < AXES && record->better; a++)
    if (search->best.word[a])
      fprintf(stream, "%s %s\n", axes[a].name, axes[a].word[search->best.word[a]]);
}

/* Compares, says what became of it, and writes. */
static int conclude(struct search *search, double seconds, const struct output *output,
                    struct arguments *arguments)
{
  struct gmg_timer_result result = {0};
  struct record record = {.search = search};
  char text[200], comment[300];
  const int other = memcmp(search->best.word, standard.word, sizeof standard.word) != 0;
  describe(&search->best, text, sizeof text);
  if (other && !search->default_fails && compare(search, seconds, &result))
    return search->failure->status;
  record.better = other && (search->default_fails || result.ratio_high < 1);
  if (!other && search->default_fails)
    snprintf(comment, sizeof comment, "none reaches the tolerance");
  else if (!other)
    snprintf(comment, sizeof comment, "the default is the fastest");
  else if (search->default_fails)
    snprintf(comment, sizeof comment, "%s reaches the tolerance, the default does not", text);
  else
    snprintf(comment, sizeof comment,
             "%s takes %.3f [%.3f, %.3f] of the default's time per digit%s", text, result.ratio,
             result.ratio_low, result.ratio_high,
             record.better ? "" : ": in doubt, so the default stays");
  record.comment = comment;
  progress_line(search->progress, "method     of %d methods, of which %d failed, %s", search->tried,
                search->failed, comment);
  if (output && parallel_rank() == 0)
    output_text(output, write_record, &record, search->failure);
  if (!parallel_agree(search->failure) && record.better)
    add_options(&search->best, arguments);
  return search->failure->status;
}

int tune_method(const struct tune_task *task, const struct output *output,
                struct arguments *arguments, struct progress *progress, struct failure *failure)
{
  struct search search = {.progress = progress,
                          .silent = {.quiet = 1},
                          .failure = failure,
                          .given = task->arguments,
                          .end = progress_seconds() + search_share * task->seconds};
  for (int a = 0; a < AXES; a++)
    for (int n = 0; n < task->arguments->solver_options; n++)
      search.fixed[a] |= strcmp(task->arguments->solver_name[n], axes[a].name) == 0;
  if (!trial_open(&search.trial, task->arguments, task->make, progress, failure)
      && (search.u = trial_room(&search.trial))) {
    search.trial.progress = &search.silent;
    progress_begin(progress, "tuning", "the method");
    find(&search);
    progress_end(progress);
    if (!failure->status && interrupt_asked())
      failure_set(failure, STATUS_INTERRUPTED, "interrupted; no method was written");
    if (!failure->status)
      conclude(&search, (1 - search_share) * task->seconds, output, arguments);
  }
  free(search.u);
  trial_close(&search.trial);
  return failure->status;
}
