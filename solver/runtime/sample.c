#include "sample.h"

#include "pass.h"
#include "system/team.h"

enum { EVERY = 16, FIRST = 7, LEAST_PLANES = 4 * EVERY };

static void run_planes(const struct gmg_call *call, struct gmg_tile tile, int thread)
{
  const int end = tile.k1, lower = call->args.box[tile.box].lower[2];
  for (int k = tile.k0; k < end; k++)
    if ((lower + k) % EVERY == FIRST) {
      tile.k0 = k;
      tile.k1 = k + 1;
      call->kernel->run_tile(&call->args, &tile, thread);
    }
}

static void run_tiles(void *work, int thread, int of)
{
  const struct gmg_call *call = work;
  int from, to;
  gmg_part(call->args.tiles, thread, of, &from, &to);
  for (int t = from; t < to; t++)
    run_planes(call, call->args.tile[t], thread);
}

int gmg_call_reduce_sample(struct gmg_call *call, const double cut[GMG_SUM_BINS])
{
  const struct gmg_level *level = call->level;
  if (call->exchanges || level->axis[2].cells < LEAST_PLANES)
    return 0;
  gmg_call_reduce_clear(call, cut);
  if (call->by_device) {
    level->context->backend->sample(call, EVERY, FIRST);
    return 1;
  }
  gmg_call_wait(level->context);
  call->args.scratch = gmg_pass_scratch(level->context->pass);
  gmg_call_forget(&call->args, level->context->threads);
  gmg_team_share(level->context->team, call->args.threads, run_tiles, call);
  return 1;
}
