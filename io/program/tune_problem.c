#include "tune_problem.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/interrupt.h"
#include "common/parallel.h"
#include "objects.h"
#include "report/room.h"
#include "problem/choices.h"
#include "tuning/timer.h"

enum { BY_RULES, TUNED, POOR, WAYS };
enum { LEAST_ROUNDS = 9, MOST_ROUNDS = 25 };
static const double least_turn = 0.05;     /* seconds of a turn, of several solves if need be */
static const double compared_share = 0.25; /* of the budget, for comparing, at most */
static const double least_share = 0.3;     /* of the budget, for the search */

struct run {
  const struct tune_task *task;
  struct progress *progress;
  struct failure *failure;
  struct trial trial; /* its context has no wisdom */
  char title[200];
  gmg_context *context; /* of the tuned solver, with what was found */
  gmg_grid *grid;
  gmg_solver *solver[WAYS];
  double *u[WAYS];
  gmg_array on_device[WAYS][2]; /* f and u where the solver computes on a GPU; no data: elsewhere */
  struct gmg_choice *choices[WAYS];
  int ways;     /* that are compared */
  int compared; /* 1: whole solves were, and what is not slower is saved */
  double began, solve_seconds, setup_seconds;
  int rounds, solves; /* of a comparison, and of one of its turns */
  gmg_tuning_result found;
};

static int refused(struct run *run, gmg_status status)
{
  return parallel_refused(run->context, status, run->failure);
}

static void make_title(struct run *run)
{
  const int *n = run->trial.problem->cells;
  if (run->task->title)
    snprintf(run->title, sizeof run->title, "%s", run->task->title);
  else
    snprintf(run->title, sizeof run->title, "%.120s %d x %d x %d", run->trial.name, n[0], n[1],
             n[2]);
}

/* Whether memory has room for the two solvers that are compared. */
static int has_room(struct run *run)
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

static int open_problem(struct run *run)
{
  const struct tune_task *task = run->task;
  run->began = progress_seconds();
  if (trial_open(&run->trial, task->arguments, task->make, run->progress, run->failure))
    return run->failure->status;
  make_title(run);
  return objects_grid(task->arguments, run->trial.problem, &run->context, &run->grid, run->failure);
}

static void displace(struct run *run, int way)
{
  for (int n = 0; n < 2; n++)
    if (run->solver[way] && run->on_device[way][n].data)
      gmg_solver_array_destroy(run->solver[way], &run->on_device[way][n]);
  memset(run->on_device[way], 0, sizeof run->on_device[way]);
}

/* A solver that is set up in the context of wisdom, with what there is of it. */
static int set_up(struct run *run, int way)
{
  const int by_rules = way == BY_RULES;
  displace(run, way);
  gmg_solver_destroy(&run->solver[way]);
  return trial_set_up(&run->trial, by_rules ? run->trial.context : run->context,
                      by_rules ? run->trial.grid : run->grid, NULL, &run->solver[way]);
}

static int solve(struct run *run, int way, gmg_result *result)
{
  return trial_solve(&run->trial, way == BY_RULES ? run->trial.context : run->context,
                     run->solver[way], run->u[way], result);
}

/* On a GPU solves are timed on arrays there: else copies of f and u would be most of the time. */
static int place(struct run *run, int way)
{
  gmg_backend_info info;
  const gmg_array f = {run->trial.f, {1, 0, 0}};
  gmg_solver *solver = run->solver[way];
  gmg_context *context = way == BY_RULES ? run->trial.context : run->context;
  if (gmg_solver_backend(solver, &info) != GMG_OK || !info.device)
    return 0;
  gmg_array *array = run->on_device[way], from = f;
  for (int n = 0; n < 2; n++)
    if (parallel_refused(context, gmg_solver_array_create(solver, &array[n]), run->failure))
      return run->failure->status;
  memcpy(from.stride, array[0].stride, sizeof from.stride);
  return parallel_refused(context, gmg_solver_array_copy(solver, &from, &array[0]), run->failure);
}

static int solve_in_place(struct run *run, int way, gmg_result *result)
{
  gmg_array *array = run->on_device[way];
  if (!array[0].data)
    return solve(run, way, result);
  gmg_context *context = way == BY_RULES ? run->trial.context : run->context;
  return parallel_refused(
    context, gmg_solver_solve(run->solver[way], &array[0], &array[1], 0, result), run->failure);
}

/* Divides the budget, on all ranks alike. */
static double plan(struct run *run)
{
  const double share = compared_share * run->task->seconds, seconds = run->solve_seconds;
  double left;
  run->solves = seconds < least_turn ? (int)ceil(least_turn / fmax(seconds, 1e-4)) : 1;
  const double round = run->ways * run->solves * seconds;
  run->rounds = (int)fmin(MOST_ROUNDS, fmax(LEAST_ROUNDS, share / round));
  left = run->task->seconds - (progress_seconds() - run->began) - run->rounds * round
    - run->ways * run->setup_seconds;
  left = fmax(left, least_share * run->task->seconds);
  parallel_broadcast(&run->solves, sizeof run->solves);
  parallel_broadcast(&run->rounds, sizeof run->rounds);
  parallel_broadcast(&left, sizeof left);
  return left;
}

static void tell(void *user, const char *subject, int measured, int of, double seconds_left)
{
  struct run *run = user;
  char text[400];
  snprintf(text, sizeof text, "tuning %s: %s, %d of about %d candidates, %.0f s left", run->title,
           subject, measured, of, seconds_left);
  progress_tell(run->progress, text);
}

static void note(void *user, const gmg_tuning_candidate *candidate)
{
  const struct run *run = user;
  if (parallel_rank() == 0)
    tune_record_take(run->task->record, run->title, candidate);
}

/* Poor choices for all levels, which the solver then has from its setup. */
static int spoil(struct run *run)
{
  if (refused(run, gmg_choices_spoil(run->solver[TUNED])) || set_up(run, TUNED)
      || set_up(run, POOR))
    return run->failure->status;
  run->ways = WAYS;
  return 0;
}

static int search(struct run *run)
{
  gmg_result result;
  run->ways = POOR;
  for (int way = 0; way < (run->task->poor ? WAYS : POOR); way++)
    if (!(run->u[way] = trial_room(&run->trial)))
      return run->failure->status;
  if (set_up(run, TUNED) || (run->task->poor && spoil(run)) || solve(run, TUNED, &result))
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
  return refused(run, status);
}

/* Solves once each way, and compares the bits. */
static int compare_bits(struct run *run)
{
  const size_t bytes = values_elements(&run->trial.values, FIELD_RHS) * sizeof(double);
  gmg_result result;
  for (int way = 0; way < run->ways; way++)
    if (solve(run, way, &result))
      return run->failure->status;
  for (int way = 1; way < run->ways; way++)
    if (memcmp(run->u[way], run->u[BY_RULES], bytes) != 0)
      failure_set(run->failure, STATUS_MACHINE,
                  "%s: the tuned solve gives other bits than the default one; nothing of it was "
                  "saved; please report this",
                  run->title);
  return parallel_agree(run->failure);
}

struct turn {
  struct run *run;
  int way;
};

static int take_choices(gmg_solver *solver, const struct gmg_choice *choice)
{
  int failed = 0;
  for (int l = 0; l < solver->hierarchy.levels; l++)
    failed |= gmg_choices_set(solver, l, &choice[l]);
  return failed;
}

/* What each way chose on each level, which its solver was made with. */
static int keep_choices(struct run *run)
{
  for (int way = 0; way < run->ways; way++) {
    const struct gmg_hierarchy *h = &run->solver[way]->hierarchy;
    const size_t bytes = (size_t)h->levels * sizeof *run->choices[way];
    if (!(run->choices[way] = malloc(bytes)))
      failure_memory(run->failure, bytes, "the choices of levels");
    for (int l = 0; l < h->levels && run->choices[way]; l++)
      run->choices[way][l] = h->level[l].choice;
  }
  return parallel_agree(run->failure);
}

/* On a GPU each way has a solver of its own, whose kernels it was made with. On the CPU the solver
 * of the rules takes the choices of each in turn: where the memory of two solvers lies makes a
 * difference of several percent by itself. */
static int take_turn(void *context)
{
  const struct turn *turn = context;
  struct run *run = turn->run;
  gmg_solver *all = run->solver[BY_RULES];
  const int here = !run->on_device[turn->way][0].data;
  gmg_result result;
  int status = here ? take_choices(all, run->choices[turn->way]) : 0;
  for (int n = 0; n < run->solves && !status; n++)
    status = solve_in_place(run, here ? BY_RULES : turn->way, &result);
  return status;
}

static int compare_times(struct run *run, struct gmg_timer_result time[WAYS])
{
  struct turn turn[WAYS];
  struct gmg_timer_call call[WAYS];
  for (int way = 0; way < run->ways; way++) {
    turn[way] = (struct turn){run, way};
    call[way] = (struct gmg_timer_call){take_turn, &turn[way]};
  }
  static const struct gmg_timer_clock clock;
  if (gmg_timer_in_turns(call, run->ways, run->rounds, &clock, time) < 0)
    failure_memory(run->failure, 0, "the times");
  parallel_agree(run->failure);
  parallel_broadcast(time, (size_t)run->ways * sizeof *time); /* all ranks decide by rank 0's */
  return run->failure->status;
}

/* Returns whether the tuned solve may be slower; where nothing but the rules' choices was found
 * both solves are the same, and what differs is noise. */
static int print_times(struct run *run, const struct gmg_timer_result time[WAYS])
{
  const int slower = time[TUNED].ratio_high >= 1 && run->found.better > 0;
  char discarded[60] = "";
  if (run->found.discarded)
    snprintf(discarded, sizeof discarded, ", %d discarded", run->found.discarded);
  progress_line(
    run->progress,
    "%-28s default %.4g s   tuned %.4g s   ratio %.3f [%.3f, %.3f]   same bits   (%d candidates%s, "
    "%d better)%s",
    run->title, time[BY_RULES].median / run->solves, time[TUNED].median / run->solves,
    time[TUNED].ratio, time[TUNED].ratio_low, time[TUNED].ratio_high, run->found.measured,
    discarded, run->found.better, slower ? "; not faster beyond doubt: it is not saved" : "");
  if (run->ways > POOR)
    progress_line(run->progress, "%-28s poor %.4g s, of which it began: ratio %.3f [%.3f, %.3f]",
                  run->title, time[POOR].median / run->solves, time[POOR].ratio,
                  time[POOR].ratio_low, time[POOR].ratio_high);
  return slower;
}

static int save(struct run *run)
{
  return run->task->path ? refused(run, gmg_context_save_wisdom(run->context, run->task->path)) : 0;
}

static int compare(struct run *run)
{
  struct gmg_timer_result time[WAYS];
  if (set_up(run, TUNED) || set_up(run, BY_RULES) || compare_bits(run))
    return run->failure->status;
  for (int way = 0; way < run->ways; way++)
    if (place(run, way))
      return run->failure->status;
  if (keep_choices(run) || compare_times(run, time))
    return run->failure->status;
  run->compared = 1;
  return print_times(run, time) ? 0 : save(run);
}

/* What an interrupt leaves: a problem that is done, or the levels that were tuned, each of which
 * was compared by itself. */
static int end_early(struct run *run)
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
  struct run *run = calloc(1, sizeof *run);
  if (!run)
    failure_memory(failure, sizeof *run, "a problem");
  if (parallel_agree(failure)) {
    free(run);
    return failure->status;
  }
  *run = (struct run){.task = task, .progress = progress, .failure = failure};
  if (!open_problem(run) && has_room(run)) {
    if (!search(run) && !interrupt_asked())
      compare(run);
    if (interrupt_asked() && (!failure->status || failure->status == STATUS_INTERRUPTED))
      end_early(run);
  }
  for (int way = 0; way < WAYS; way++) {
    displace(run, way);
    gmg_solver_destroy(&run->solver[way]);
    free(run->u[way]);
    free(run->choices[way]);
  }
  gmg_grid_destroy(&run->grid);
  gmg_context_destroy(&run->context);
  trial_close(&run->trial);
  free(run);
  return failure->status;
}
