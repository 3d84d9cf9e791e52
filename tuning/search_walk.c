#include "search_walk.h"

#include "search_space.h"

#include <math.h>
#include <stdlib.h>

enum { DEFAULT_RESTARTS = 16, NEAR_PART = 6 };

/* Returns the next candidate in a direction (-1 or 1) of a dimension, or -1: the nearest one that
 * is legal, or with `legal` 0 the nearest one. */
static int neighbour(const struct gmg_search_state *s, int index, int d, int direction, int legal)
{
  int stride = 1;
  for (int e = s->space->dimensions - 1; e > d; e--)
    stride *= s->space->dimension[e].count;
  const int count = s->space->dimension[d].count;
  for (int place = index / stride % count + direction; place >= 0 && place < count;
       place += direction) {
    index += direction * stride;
    if (!legal || gmg_candidate_legal(s->space, index))
      return index;
  }
  return -1;
}

/* Tells of the neighbours of a candidate. */
static void announce_around(const struct gmg_search_state *s, int index)
{
  const int dimensions = s->space->dimensions;
  int around[2 * GMG_SEARCH_DIMENSIONS] = {0};
  for (int n = 0; s->space->prepare && n < 2 * dimensions; n++)
    around[n] = neighbour(s, index, n / 2, n % 2 ? 1 : -1, 1);
  if (s->space->prepare)
    gmg_search_announce(s, around, 2 * dimensions);
}

/* Walks by single steps, in one dimension after the other as far as the cost falls, until it falls
 * in none. Returns where it ends. */
static int walk(struct gmg_search_state *s, int index)
{
  const int dimensions = s->space->dimensions;
  announce_around(s, index);
  for (int d = 0, still = 0; still < dimensions; d = (d + 1) % dimensions, still++)
    for (int direction = -1; direction <= 1; direction += 2)
      for (int next = neighbour(s, index, d, direction, 1);
           next >= 0 && gmg_search_measure(s, next) < s->cost[index];
           next = neighbour(s, index, d, direction, 1)) {
        index = next;
        still = -1;
        announce_around(s, index);
      }
  return index;
}

/* Lists the candidates a step in dimension d and one in a later dimension away; -1: there is none.
 * Returns how many. */
static int list_pairs(const struct gmg_search_state *s, int index, int d, int pair[])
{
  int count = 0;
  for (int e = d + 1; e < s->space->dimensions; e++)
    for (int way = 0; way < 4; way++) {
      const int first = neighbour(s, index, d, way & 1 ? 1 : -1, 0);
      pair[count++] = first < 0 ? -1 : neighbour(s, first, e, way & 2 ? 1 : -1, 1);
    }
  return count;
}

/* Returns the best of a candidate and those a step in each of two dimensions away. */
static int best_pair(struct gmg_search_state *s, int index)
{
  int best = index, pair[4 * GMG_SEARCH_DIMENSIONS];
  for (int d = 0; d < s->space->dimensions; d++) {
    const int count = list_pairs(s, index, d, pair);
    gmg_search_announce(s, pair, count < GMG_SEARCH_ANNOUNCED ? count : GMG_SEARCH_ANNOUNCED);
    for (int n = 0; n < count; n++)
      if (pair[n] >= 0 && gmg_search_measure(s, pair[n]) < s->cost[best])
        best = pair[n];
  }
  return best;
}

/* Walks by single steps, and where those lead no further by a pair of steps. */
static int walk_by_pairs(struct gmg_search_state *s, int index)
{
  for (;;) {
    const int best = best_pair(s, walk(s, index));
    if (s->cost[best] >= s->cost[index] || !gmg_search_may_go_on(s))
      return best;
    index = best;
  }
}

/* Returns 1 if a candidate is near one from which a walk began or at which it ended: within a part
 * of the steps that the whole space is long. */
static int is_near_a_walk(const struct gmg_search_state *s, int index)
{
  int length = 0;
  for (int d = 0; d < s->space->dimensions; d++)
    length += s->space->dimension[d].count - 1;
  for (int n = 0; n < s->walked_count; n++) {
    int steps = 0, a = index, b = s->walked[n];
    for (int d = s->space->dimensions - 1; d >= 0; d--) {
      const int count = s->space->dimension[d].count;
      steps += abs(a % count - b % count);
      a /= count;
      b /= count;
    }
    if (steps <= length / NEAR_PART)
      return 1;
  }
  return 0;
}

void gmg_search_walk(struct gmg_search_state *s)
{
  const int restarts = s->options->restarts > 0 ? s->options->restarts : DEFAULT_RESTARTS;
  const double clear = 1 - s->options->noise;
  double least = INFINITY;
  int best = -1;
  for (int n = 0, vain = 0; n < s->result->legal && vain <= restarts; n++) {
    const int begin = s->rank[n].index;
    if (is_near_a_walk(s, begin) || !(gmg_search_measure(s, begin) < INFINITY))
      continue;
    const int end = walk(s, begin);
    if (s->cost[end] < least)
      best = end;
    if (!gmg_search_may_go_on(s) || s->walked_count + 2 > GMG_SEARCH_WALKED)
      break;
    s->walked[s->walked_count++] = begin;
    s->walked[s->walked_count++] = end;
    vain = s->cost[end] < least * clear ? 0 : vain + 1;
    least = fmin(least, s->cost[end]);
  }
  if (best >= 0 && gmg_search_may_go_on(s))
    walk_by_pairs(s, best);
}
