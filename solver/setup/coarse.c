#include "coarse.h"

#include "placement.h"

#include "cycle/cycle.h"
#include "cycle/measure.h"
#include "system/memory.h"
#include "system/threads.h"
#include "cycle/transfer.h"

#include <math.h>
#include <string.h>

enum { TURNS = 4 }; /* the first of each way warms up */

/* What the levels from `from` on take, from the residual of the level before to the correction that
 * it gets, the fastest of some turns. */
static double time_of(struct gmg_hierarchy *h, int from)
{
  double best = INFINITY;
  for (int n = 0; n < TURNS; n++) {
    gmg_call_wait(h->context);
    const double begin = gmg_seconds();
    gmg_restrict_residual(h, from - 1, NULL, 0);
    gmg_cycle_from_zero(h, from, h->cycle);
    gmg_interpolate(h, from - 1);
    gmg_call_wait(h->context);
    best = n > 0 ? fmin(best, gmg_seconds() - begin) : best;
  }
  return best;
}

/* Something for the coarse levels to do: one value in each box, as more of them would have to
 * travel to the device. */
static void start(struct gmg_level *fine)
{
  void **u = gmg_level_open(fine, GMG_NAME_U, GMG_REPLACE)->box;
  for (int b = 0; b < fine->layout->local_count; b++)
    gmg_level_put(fine, u[b], gmg_offset(&fine->box[b], 0, 0, 0), 1);
}

/* Copies what the kernels of some levels have counted, or sets it back. */
static void keep_counts(const struct gmg_hierarchy *h, int from, struct gmg_kernel_stat *kept,
                        int back)
{
  for (int l = from; l < h->levels; l++)
    for (int n = 0; n < gmg_level_stats(h->level[l].level); n++, kept++) {
      struct gmg_kernel_stat *stat = gmg_level_stat(h->level[l].level, n);
      char *choice = stat->choice; /* as it is now */
      *(back ? stat : kept) = *(back ? kept : stat);
      stat->choice = choice;
    }
}

/* Both ways; what the kernels have counted until then stays as it was. */
static gmg_status measure(gmg_solver *s, int from, double seconds[2])
{
  struct gmg_hierarchy *h = &s->hierarchy;
  size_t all = 1;
  for (int l = from - 1; l < h->levels; l++)
    all += (size_t)gmg_level_stats(h->level[l].level);
  struct gmg_kernel_stat *kept = gmg_malloc(all * sizeof *kept);
  gmg_status status = gmg_agree(
    s->context, kept ? GMG_OK : gmg_no_memory(s->context, "while coarse levels were timed"));
  if (!status) {
    keep_counts(h, from - 1, kept, 0);
    struct gmg_level *fine = h->level[from - 1].level;
    for (int way = 0; way < 2; way++) {
      gmg_placement_divide(s, way == 0 ? h->levels : from);
      start(fine);
      seconds[way] = time_of(h, from);
    }
    gmg_measure_forget(h, from - 1);
    keep_counts(h, from - 1, kept, 1);
  }
  gmg_free(kept);
  return status;
}

gmg_status gmg_coarse_choose(gmg_solver *s)
{
  struct gmg_placement *p = &s->placement;
  const int from = gmg_placement_coarse_from(s);
  if (!p->attached || p->coarse_settled || s->problem.options.coarse != GMG_COARSE_AUTO
      || from >= s->hierarchy.levels)
    return GMG_OK;
  double seconds[2] = {0, 0};
  gmg_status status = measure(s, from, seconds);
  if (!status && gmg_comm_max(&s->context->comm, seconds, 2))
    status = gmg_mpi_failed(s->context);
  if (!status)
    status = gmg_agree(s->context, gmg_device_status(s->context));
  if (status)
    return status;
  p->coarse_settled = 1;
  p->coarse_from = from;
  memcpy(p->coarse_seconds, seconds, sizeof p->coarse_seconds);
  gmg_placement_divide(s, seconds[0] <= seconds[1] ? s->hierarchy.levels : from);
  return GMG_OK;
}
