#include "candidates.h"

#include <math.h>
#include <string.h>

static int collect_threads(int most, int values[GMG_LEVEL_THREADS])
{
  int count = 0;
  for (int t = 1; t < most && count < GMG_LEVEL_THREADS - 1; t = t < 4 ? t + 1 : t * 3 / 2)
    values[count++] = t;
  values[count++] = most;
  return count;
}

/* The dimensions, in the order of the members of struct gmg_choice. */
int gmg_level_dimensions(int most_threads, int threads[GMG_LEVEL_THREADS],
                         struct gmg_search_dimension dimension[GMG_CHOICE_COUNT])
{
  static const int rows[] = {4, 6, 8, 10, 12, 16, 20, 24, 32, 40, 48, 64, 96, 128, 256};
  static const int planes[] = {1, 2, 4, 8, 16, 32}, stages[] = {3, 4, 6, 8, 12, 16, 24};
  static const int fetch[] = {GMG_FETCH_NEVER, GMG_FETCH_ALWAYS};
  static const int tile_rows[] = {4, 8, 16, 32, 64, 128}, tile_planes[] = {1, 2, 4, 8, 16};
  static const int passes[] = {GMG_ALONE, GMG_TOGETHER};
#define LIST(values) \
  { \
#values, values, (int)(sizeof values / sizeof *values) \
  }
  const struct gmg_search_dimension all[GMG_CHOICE_COUNT] = {
    LIST(rows),
    LIST(planes),
    LIST(stages),
    LIST(fetch),
    {"threads", threads, collect_threads(most_threads, threads)},
    LIST(tile_rows),
    LIST(tile_planes),
    LIST(passes)};
#undef LIST
  memcpy(dimension, all, sizeof all);
  return GMG_CHOICE_COUNT;
}

/* What a pass does not have, tiles, stays at its first value in passes, and the reverse: so that no
 * two candidates are the same. */
int gmg_level_legal(void *context, const int *candidate)
{
  const struct gmg_level_search *search = context;
  const struct gmg_level *level = search->solver->hierarchy.level[search->l].level;
  const struct gmg_choice c = gmg_trial_choice(candidate);
  if (c.passes == GMG_TOGETHER)
    return level->may_pass && c.tile_rows == 32 && c.tile_planes == 4
      && c.rows <= search->box[1] + 3;
  return c.rows == 4 && c.planes == 1 && c.stages == 3 && c.fetch == GMG_FETCH_NEVER
    && c.tile_rows < 2 * search->box[1];
}

/* A guess at the time of a candidate relative to others: passes that leave the cache, or share many
 * rows between strips, cost more; so do waits, and threads that are few or have little to do. */
double gmg_level_predict(void *context, const int *candidate)
{
  enum { FIELDS = 10, LAG = 9 };
  const struct gmg_level_search *search = context;
  const struct gmg_level *level = search->solver->hierarchy.level[search->l].level;
  const struct gmg_choice c = gmg_trial_choice(candidate);
  const double element = level->precision == GMG_F64 ? sizeof(double) : sizeof(float),
               row = search->row * FIELDS, whole = search->cells * element * FIELDS,
               cache = search->cache;
  const double work = search->cells, threads = c.threads, barrier = 2000;
  const double shared = work / threads + barrier * (threads - 1);
  const int large = whole > cache * threads;
  if (c.passes == GMG_ALONE)
    return shared * (large ? 2 : 1)
      * (1 + (double)c.tile_rows * c.tile_planes / search->box[2] / 64);
  const double window = row * c.rows * (LAG + 2), strips = 1 + 4.0 / c.rows,
               leaves = window > 0.8 * cache ? 1.3 : 1,
               waits = 1 + 0.02 * fabs(log2(c.planes / 8.0)), fused = 1 + 1.5 / c.stages;
  return shared * strips * leaves * waits * fused
    * (large == (c.fetch == GMG_FETCH_ALWAYS) ? 1 : 1.1);
}
