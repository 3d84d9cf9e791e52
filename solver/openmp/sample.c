#include "sample.h"

#include "../cuda/backend.h"

#include <string.h>

#ifdef _OPENMP
#include <omp.h>
#endif

enum { EVERY = 16, FIRST = 7, LEAST_PLANES = 4 * EVERY };

static int thread_number(void)
{
#ifdef _OPENMP
  return omp_get_thread_num();
#else
  return 0;
#endif
}

static void run_planes(const struct gmg_call *call, struct gmg_tile tile)
{
  const int end = tile.k1, lower = call->args.box[tile.box].lower[2];
  for (int k = tile.k0; k < end; k++)
    if ((lower + k) % EVERY == FIRST) {
      tile.k0 = k;
      tile.k1 = k + 1;
      call->kernel->run_tile(&call->args, &tile, thread_number());
    }
}

int gmg_call_reduce_sample(struct gmg_call *call, const double cut[GMG_SUM_BINS])
{
  const struct gmg_level *level = call->level;
  if (call->exchanges || level->axis[2].cells < LEAST_PLANES)
    return 0;
  gmg_call_reduce_clear(call, cut);
  if (call->ready) {
    gmg_device_sample(call, EVERY, FIRST);
    return 1;
  }
  gmg_call_wait(level->context);
  gmg_call_forget(call);
#pragma omp parallel for schedule(static) num_threads(call->args.threads) if (call->args.threads > 1)
  for (int t = 0; t < call->args.tiles; t++)
    run_planes(call, call->args.tile[t]);
  return 1;
}
