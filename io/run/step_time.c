#include "step_time.h"

#include "common/parallel.h"
#include "tuning/timer.h"

gmg_status step_time_take(gmg_program *program, int64_t steps, double *seconds)
{
  gmg_program_info before, after;
  gmg_program_inform(program, &before);
  const gmg_status status = gmg_program_run(program, steps);
  gmg_program_inform(program, &after);
  *seconds = after.seconds - before.seconds;
  parallel_max_values(seconds, 1);
  return status;
}

/* A clock that goes on only while steps are taken, as the slowest rank takes them, so that all
 * ranks read the same times. */
struct turn {
  gmg_program *program;
  int64_t steps;
  double *clock;
  gmg_status status;
};

static int run_turn(void *context)
{
  struct turn *turn = context;
  double seconds = 0;
  turn->status = step_time_take(turn->program, turn->steps, &seconds);
  *turn->clock += seconds;
  return turn->status != GMG_OK;
}

static double read_clock(void *context)
{
  return *(double *)context;
}

gmg_status step_time_compare(gmg_program *standard, gmg_program *other, int64_t steps, int rounds,
                             struct step_time *time)
{
  double seconds = 0;
  struct turn turn[2] = {{standard, steps, &seconds, GMG_OK}, {other, steps, &seconds, GMG_OK}};
  const struct gmg_timer_call call[2] = {{run_turn, &turn[0]}, {run_turn, &turn[1]}};
  const struct gmg_timer_clock clock = {read_clock, &seconds};
  struct gmg_timer_result result[2] = {{0}};
  const int64_t failed = gmg_timer_in_turns(call, 2, rounds, &clock, result);
  if (turn[0].status || turn[1].status)
    return turn[0].status ? turn[0].status : turn[1].status;
  if (parallel_max(failed != 0))
    return GMG_ERR_MEMORY;
  *time = (struct step_time){.seconds = result[1].median / (double)steps,
                             .default_seconds = result[0].median / (double)steps,
                             .ratio = result[1].ratio,
                             .low = result[1].ratio_low,
                             .high = result[1].ratio_high};
  return GMG_OK;
}
