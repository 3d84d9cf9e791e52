#include "search_again.h"

#include <math.h>

enum { TIMES = 3 };

/* A candidate's costs in ascending order. */
struct again {
  int index, count;
  double cost[TIMES];
};

/* The candidate with the least cost of those that may be measured again; -1: there is none, or as
 * many as are wanted come before it. */
static int find_next(const struct gmg_search_state *s, const struct again *again, int count)
{
  int best = -1, ahead = 0;
  for (int index = 0; index < s->total; index++) {
    int settled = !isfinite(s->cost[index]);
    for (int n = 0; n < count && !settled; n++)
      settled = again[n].index == index && again[n].count == TIMES;
    if (!settled && (best < 0 || s->cost[index] < s->cost[best]))
      best = index;
  }
  for (int n = 0; n < count && best >= 0; n++)
    ahead += again[n].count == TIMES && s->cost[again[n].index] <= s->cost[best];
  return ahead < GMG_SEARCH_FINALISTS ? best : -1;
}

static void add(struct again *again, double cost)
{
  int place = again->count++;
  for (; place > 0 && again->cost[place - 1] > cost; place--)
    again->cost[place] = again->cost[place - 1];
  again->cost[place] = cost;
}

void gmg_search_again(struct gmg_search_state *s)
{
  struct again again[GMG_SEARCH_AGAIN];
  int count = 0;
  for (int n = 0; n < s->options->again && n < GMG_SEARCH_AGAIN; n++) {
    const int index = find_next(s, again, count);
    int of = 0;
    if (index < 0 || !gmg_search_has_time(s, 0))
      return;
    while (of < count && again[of].index != index)
      of++;
    if (of == count)
      again[count++] = (struct again){index, 1, {s->cost[index]}};
    add(&again[of], gmg_search_measure_again(s, index));
    s->cost[index] = again[of].cost[again[of].count / 2];
  }
}
