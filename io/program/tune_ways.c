#include "tune_ways.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/parallel.h"

enum {
  MOST_TURNS = 3, /* in which levels are left out */
  FEW_ROUNDS = 9
};

int tune_ways_refused(struct tune_ways *run, gmg_status status)
{
  return parallel_refused(run->context, status, run->failure);
}

static void displace(struct tune_ways *run, int way)
{
  for (int n = 0; n < 2; n++)
    if (run->solver[way] && run->on_device[way][n].data)
      gmg_solver_array_destroy(run->solver[way], &run->on_device[way][n]);
  memset(run->on_device[way], 0, sizeof run->on_device[way]);
}

int tune_ways_set_up(struct tune_ways *run, int way)
{
  const int by_rules = way == BY_RULES;
  displace(run, way);
  gmg_solver_destroy(&run->solver[way]);
  return trial_set_up(&run->trial, by_rules ? run->trial.context : run->context,
                      by_rules ? run->trial.grid : run->grid, NULL, &run->solver[way]);
}

int tune_ways_solve(struct tune_ways *run, int way, gmg_result *result)
{
  return trial_solve(&run->trial, way == BY_RULES ? run->trial.context : run->context,
                     run->solver[way], run->u[way], result);
}

/* On a GPU solves are timed on arrays there: else copies of f and u would be most of the time. */
static int place(struct tune_ways *run, int way)
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

static int solve_in_place(struct tune_ways *run, int way, gmg_result *result)
{
  gmg_array *array = run->on_device[way];
  if (!array[0].data)
    return tune_ways_solve(run, way, result);
  gmg_context *context = way == BY_RULES ? run->trial.context : run->context;
  return parallel_refused(
    context, gmg_solver_solve(run->solver[way], &array[0], &array[1], 0, result), run->failure);
}

int tune_ways_compare_bits(struct tune_ways *run)
{
  const size_t bytes = values_elements(&run->trial.values, FIELD_RHS) * sizeof(double);
  gmg_result result;
  for (int way = 0; way < run->ways; way++)
    if (tune_ways_solve(run, way, &result))
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
  struct tune_ways *run;
  int way;
  const struct gmg_choice *choices; /* of the levels on the CPU */
};

static int take_choices(gmg_solver *solver, const struct gmg_choice *choice)
{
  int failed = 0;
  for (int l = 0; l < solver->hierarchy.levels; l++)
    failed |= gmg_choices_set(solver, l, &choice[l]);
  return failed;
}

/* What each way chose on each level, which its solver was made with. */
static int keep_choices(struct tune_ways *run)
{
  for (int n = 0; n <= WAYS; n++) {
    const int way = n < run->ways ? n : TUNED;
    const struct gmg_hierarchy *h = &run->solver[way]->hierarchy;
    const size_t bytes = (size_t)h->levels * sizeof *run->choices[n];
    if (!(run->choices[n] = malloc(bytes)))
      failure_memory(run->failure, bytes, "the choices of levels");
    for (int l = 0; l < h->levels && run->choices[n]; l++)
      run->choices[n][l] = h->level[l].choice;
  }
  return parallel_agree(run->failure);
}

/* On a GPU each way has a solver of its own, whose kernels it was made with. On the CPU the solver
 * of the rules takes the choices of each in turn: where the memory of two solvers lies makes a
 * difference of several percent by itself. */
static int take_turn(void *context)
{
  const struct turn *turn = context;
  struct tune_ways *run = turn->run;
  gmg_solver *all = run->solver[BY_RULES];
  const int here = !run->on_device[turn->way][0].data;
  gmg_result result;
  int status = here ? take_choices(all, turn->choices) : 0;
  for (int n = 0; n < run->solves && !status; n++)
    status = solve_in_place(run, here ? BY_RULES : turn->way, &result);
  return status;
}

static int time_turns(struct tune_ways *run, const struct turn *turn, int turns, int rounds,
                      struct gmg_timer_result time[WAYS])
{
  struct gmg_timer_call call[WAYS];
  for (int n = 0; n < turns; n++)
    call[n] = (struct gmg_timer_call){take_turn, (void *)&turn[n]};
  static const struct gmg_timer_clock clock;
  if (gmg_timer_in_turns(call, turns, rounds, &clock, time) < 0)
    failure_memory(run->failure, 0, "the times");
  parallel_agree(run->failure);
  parallel_broadcast(time, (size_t)turns * sizeof *time); /* all ranks decide by rank 0's */
  return run->failure->status;
}

static int is_by_rules(const struct tune_ways *run, int l)
{
  return memcmp(&run->choices[TUNED][l], &run->choices[BY_RULES][l], sizeof(struct gmg_choice))
    == 0;
}

static int compare_times(struct tune_ways *run, struct gmg_timer_result time[WAYS])
{
  struct turn turn[WAYS];
  for (int way = 0; way < run->ways; way++)
    turn[way] = (struct turn){run, way, run->choices[way]};
  return time_turns(run, turn, run->ways, run->rounds, time);
}

static int is_in_time(const struct tune_ways *run)
{
  int in_time = progress_seconds() - run->began < run->task->seconds;
  parallel_broadcast(&in_time, sizeof in_time);
  return in_time;
}

static int leave_out(struct tune_ways *run, int l)
{
  run->choices[TUNED][l] = run->choices[BY_RULES][l];
  run->differing--;
  return tune_ways_refused(run, gmg_choices_leave_out(run->solver[TUNED], l));
}

/* Leaves a level out where the whole solve is faster without its choices. */
static int try_without(struct tune_ways *run, int l)
{
  const int levels = run->solver[BY_RULES]->hierarchy.levels;
  struct gmg_choice *now = run->choices[TUNED], *without = run->choices[WAYS];
  const struct turn turn[2] = {{run, TUNED, now}, {run, TUNED, without}};
  struct gmg_timer_result time[WAYS];
  for (int n = 0; n < levels; n++)
    without[n] = n == l ? run->choices[BY_RULES][n] : now[n];
  if (time_turns(run, turn, 2, FEW_ROUNDS, time))
    return run->failure->status;
  return time[1].ratio < 1 ? leave_out(run, l) : 0;
}

/* Leaves levels out, and compares the solve anew: all, or one by one those without which it is
 * faster. */
static int leave_out_levels(struct tune_ways *run, int all, struct gmg_timer_result time[WAYS])
{
  const int levels = run->solver[BY_RULES]->hierarchy.levels;
  for (int l = 0; l < levels && (all || is_in_time(run)); l++)
    if (!is_by_rules(run, l) && (all ? leave_out(run, l) : try_without(run, l)))
      return run->failure->status;
  return compare_times(run, time);
}

int tune_ways_compare_times(struct tune_ways *run, struct gmg_timer_result time[WAYS])
{
  for (int way = 0; way < run->ways; way++)
    if (place(run, way))
      return run->failure->status;
  if (keep_choices(run) || compare_times(run, time))
    return run->failure->status;
  run->differing = run->found.better;
  if (run->on_device[TUNED][0].data)
    return 0;
  run->differing = 0;
  for (int l = 0; l < run->solver[BY_RULES]->hierarchy.levels; l++)
    run->differing += !is_by_rules(run, l);
  /* What is gained on a level by itself can be lost in the solve, with other levels and elsewhere
   * in memory. */
  for (int turn = 0;
       turn < MOST_TURNS && time[TUNED].ratio_high >= 1 && run->differing > 0 && is_in_time(run);
       turn++)
    if (leave_out_levels(run, 0, time))
      return run->failure->status;
  return time[TUNED].ratio_low > 1 && run->differing > 0 ? leave_out_levels(run, 1, time) : 0;
}

void tune_ways_close(struct tune_ways *run)
{
  for (int way = 0; way < WAYS; way++) {
    displace(run, way);
    gmg_solver_destroy(&run->solver[way]);
    free(run->u[way]);
  }
  for (int n = 0; n <= WAYS; n++)
    free(run->choices[n]);
  gmg_grid_destroy(&run->grid);
  gmg_context_destroy(&run->context);
  trial_close(&run->trial);
}
