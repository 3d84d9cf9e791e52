#include "tune_ways.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/interrupt.h"
#include "common/parallel.h"
#include "objects.h"
#include "report/room.h"

enum { LEAST_ROUNDS = 9, MOST_ROUNDS = 25 };
static const double least_turn = 0.05;     /* seconds of a turn, of several solves if need be */
static const double compared_share = 0.25; /* of the budget, for comparing, at most; and as much for
                                              leaving out what the solve does not gain from */
static const double least_share = 0.3;     /* of the budget, for the search */

static void make_title(struct tune_ways *run)
{
  const int *n = run->trial.problem->cells;
  if (run->task->title)
    snprintf(run->title, sizeof run->title, "%s", run->task->title);
  else
    snprintf(run->title, sizeof run->title, "%.120s %d x %d x %d", run->trial.name, n[0], n[1],
             n[2]);
}

/* Whether memory has room for the two solvers that are compared. */
static int has_room(struct tune_ways *run)
{
  struct failure why = {.status = 0};
  gmg_solver *solver = NULL;
  objects_solver(run->task->arguments, run->trial.problem, run->context, run->grid, &solver, &why);
  if (!why.status)
    room_check_two(run->context, solver, &run->trial.values, &why);
  gmg_solver_destroy(&solver);
  if (!why.status)
    return 1;
  if (run->task->may_be_left_out && why.status == STATUS_MACHINE)
    progress_line(run->progress, "%-28s left out: %s", run->title, why.text);
  else
    failure_set(run->failure, why.status, "%s", why.text);
  return 0;
}

static int open_problem(struct tune_ways *run)
{
  const struct tune_task *task = run->task;
  run->began = progress_seconds();
  if (trial_open(&run->trial, task->arguments, task->make, run->progress, run->failure))
    return run->failure->status;
  make_title(run);
  return objects_grid(task->arguments, run->trial.problem, &run->context, &run->grid, run->failure);
}

/* Divides the budget, on all ranks alike. */
static double plan(struct tune_ways *run)
{
  const double share = compared_share * run->task->seconds, seconds = run->solve_seconds;
  double left;
  run->solves = seconds < least_turn ? (int)ceil(least_turn / fmax(seconds, 1e-4)) : 1;
  const double round = run->ways * run->solves * seconds;
  run->rounds = (int)fmin(MOST_ROUNDS, fmax(LEAST_ROUNDS, share / round));
  left = (1 - compared_share) * run->task->seconds - (progress_seconds() - run->began)
    - run->rounds * round - run->ways * run->setup_seconds;
  left = fmax(left, least_share * run->task->seconds);
  parallel_broadcast(&run->solves, sizeof run->solves);
  parallel_broadcast(&run->rounds, sizeof run->rounds);
  parallel_broadcast(&left, sizeof left);
  return left;
}

static void tell(void *user, const char *subject, int measured, int of, double seconds_left)
{
  struct tune_ways *run = user;
  char text[400];
  snprintf(text, sizeof text, "tuning %s: %s, %d of about %d candidates, %.0f s left", run->title,
           subject, measured, of, seconds_left);
  progress_tell(run->progress, text);
}

static void note(void *user, const gmg_tuning_candidate *candidate)
{
  const struct tune_ways *run = user;
  if (parallel_rank() == 0)
    tune_record_take(run->task->record, run->title, candidate);
}

/* Poor choices for all levels, which the solver then has from its setup. */
static int spoil(struct tune_ways *run)
{
  if (tune_ways_refused(run, gmg_choices_spoil(run->solver[TUNED])) || tune_ways_set_up(run, TUNED)
      || tune_ways_set_up(run, POOR))
    return run->failure->status;
  run->ways = WAYS;
  return 0;
}

static int search(struct tune_ways *run)
{
  gmg_result result;
  run->ways = POOR;
  for (int way = 0; way < (run->task->poor ? WAYS : POOR); way++)
    if (!(run->u[way] = trial_room(&run->trial)))
      return run->failure->status;
  if (tune_ways_set_up(run, TUNED) || (run->task->poor && spoil(run))
      || tune_ways_solve(run, TUNED, &result))
    return run->failure->status;
  run->solve_seconds = result.solve_seconds;
  run->setup_seconds = result.setup_seconds;
  const gmg_tuning how = {.budget = plan(run),
                          .exhaustive = run->task->exhaustive,
                          .progress = tell,
                          .record = run->task->record ? note : NULL,
                          .user = run};
  progress_begin(run->progress, "tuning", run->title);
  interrupt_solver(run->solver[TUNED]);
  const gmg_status status = gmg_solver_tune(run->solver[TUNED], &how, &run->found);
  interrupt_solver(NULL);
  progress_end(run->progress);
  return tune_ways_refused(run, status);
}

/* Returns whether the tuned solve may be slower; where nothing but the rules' choices was found
 * both solves are the same, and what differs is noise. */
static int print_times(struct tune_ways *run, const struct gmg_timer_result time[WAYS])
{
  const int slower = time[TUNED].ratio_high >= 1 && run->differing > 0;
  char discarded[60] = "";
  if (run->found.discarded)
    snprintf(discarded, sizeof discarded, ", %d discarded", run->found.discarded);
  progress_line(
    run->progress,
    "%-28s default %.4g s   tuned %.4g s   ratio %.3f [%.3f, %.3f]   same bits   (%d candidates%s, "
    "%d better)%s",
    run->title, time[BY_RULES].median / run->solves, time[TUNED].median / run->solves,
    time[TUNED].ratio, time[TUNED].ratio_low, time[TUNED].ratio_high, run->found.measured,
    discarded, run->differing, slower ? "; not faster beyond doubt: it is not saved" : "");
  if (run->ways > POOR)
    progress_line(run->progress, "%-28s poor %.4g s, of which it began: ratio %.3f [%.3f, %.3f]",
                  run->title, time[POOR].median / run->solves, time[POOR].ratio,
                  time[POOR].ratio_low, time[POOR].ratio_high);
  return slower;
}

static int save(struct tune_ways *run)
{
  return run->task->path
    ? tune_ways_refused(run, gmg_context_save_wisdom(run->context, run->task->path))
    : 0;
}

static int compare(struct tune_ways *run)
{
  struct gmg_timer_result time[WAYS];
  if (tune_ways_set_up(run, TUNED) || tune_ways_set_up(run, BY_RULES)
      || tune_ways_compare_bits(run))
    return run->failure->status;
  if (tune_ways_compare_times(run, time))
    return run->failure->status;
  run->compared = 1;
  return print_times(run, time) ? 0 : save(run);
}

/* What an interrupt leaves: a problem that is done, or the levels that were tuned, each of which
 * was compared by itself. */
static int end_early(struct tune_ways *run)
{
  run->failure->status = 0;
  if (run->compared)
    return failure_set(run->failure, STATUS_INTERRUPTED, "interrupted; this problem was done");
  progress_line(run->progress,
                "%-28s interrupted: %d candidates, %d better; each level was compared by itself, "
                "the solve was not",
                run->title, run->found.measured, run->found.better);
  if (save(run))
    return run->failure->status;
  return failure_set(run->failure, STATUS_INTERRUPTED, "interrupted; what was found so far was %s",
                     run->task->path ? "saved" : "not saved, as was asked");
}

int tune_problem(const struct tune_task *task, struct progress *progress, struct failure *failure)
{
  struct tune_ways *run = calloc(1, sizeof *run);
  if (!run)
    failure_memory(failure, sizeof *run, "a problem");
  if (parallel_agree(failure)) {
    free(run);
    return failure->status;
  }
  *run = (struct tune_ways){.task = task, .progress = progress, .failure = failure};
  if (!open_problem(run) && has_room(run)) {
    if (!search(run) && !interrupt_asked())
      compare(run);
    if (interrupt_asked() && (!failure->status || failure->status == STATUS_INTERRUPTED))
      end_early(run);
  }
  tune_ways_close(run);
  free(run);
  return failure->status;
}
