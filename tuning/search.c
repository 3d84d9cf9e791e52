#include "search.h"

#include "search_again.h"
#include "search_space.h"
#include "search_walk.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
  LEAST_MEASURED = 8,
  LEAST_MOST = 48,
  SEEN = 64, /* values of a dimension that are told apart */
  MOST_SPREAD = 128,
  SPREAD_ROUNDS = 4
};
#define MOST_KEPT 0.2 /* of the budget, for what is measured again */
static const double default_share = 0.03, default_most = 0.12;

static double system_clock(void *context)
{
  (void)context;
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double elapsed(const struct gmg_search_state *s)
{
  double (*clock)(void *) = s->options->clock ? s->options->clock : system_clock;
  return clock(s->options->context) - s->begin;
}

int gmg_search_has_time(struct gmg_search_state *s, double kept)
{
  const double each = s->spent / s->result->measured, budget = s->options->budget;
  return !(budget > 0) || elapsed(s) + each + fmin(kept * each, MOST_KEPT * budget) <= budget;
}

int gmg_search_may_go_on(struct gmg_search_state *s)
{
  if (s->result->measured >= s->most)
    return 0;
  if (!gmg_search_has_time(s, s->options->again))
    s->result->out_of_budget = 1;
  return !s->result->out_of_budget;
}

static void tell(const struct gmg_search_state *s)
{
  if (!s->options->progress)
    return;
  const double so_far = elapsed(s);
  const int measured = s->result->measured;
  const int of = s->expected > measured ? s->expected : measured;
  double left = so_far / measured * (of - measured);
  if (s->options->budget > 0)
    left = fmin(left, fmax(0, s->options->budget - so_far));
  s->options->progress(s->options->context, measured, of, left);
}

static double measure_values(struct gmg_search_state *s, const int *candidate)
{
  const double begin = elapsed(s);
  double cost = s->space->cost(s->space->context, candidate);
  s->spent += elapsed(s) - begin;
  if (!(cost >= 0)) /* NAN is no cost */
    cost = INFINITY;
  s->result->measured++;
  s->result->discarded += isinf(cost) != 0;
  if (s->options->record)
    s->options->record(s->options->context, candidate, cost);
  tell(s);
  return cost;
}

double gmg_search_measure_again(struct gmg_search_state *s, int index)
{
  int candidate[GMG_SEARCH_DIMENSIONS];
  gmg_candidate_of(s->space, index, candidate);
  return measure_values(s, candidate);
}

double gmg_search_measure(struct gmg_search_state *s, int index)
{
  if (isnan(s->cost[index]) && gmg_search_may_go_on(s))
    s->cost[index] = gmg_search_measure_again(s, index);
  return s->cost[index];
}

void gmg_search_announce(const struct gmg_search_state *s, const int *index, int count)
{
  int candidate[GMG_SEARCH_ANNOUNCED * GMG_SEARCH_DIMENSIONS], told = 0;
  for (int n = 0; n < count; n++)
    if (index[n] >= 0 && isnan(s->cost[index[n]]))
      gmg_candidate_of(s->space, index[n], candidate + told++ * s->space->dimensions);
  if (s->space->prepare && told)
    s->space->prepare(s->space->context, candidate, told);
}

/* Tells of the next candidates by rank, before every GMG_SEARCH_ANNOUNCED-th of them. */
static void announce_ranked(const struct gmg_search_state *s, int n, int end)
{
  int index[GMG_SEARCH_ANNOUNCED], count = 0;
  for (int m = n; n % GMG_SEARCH_ANNOUNCED == 0 && m < end && count < GMG_SEARCH_ANNOUNCED; m++)
    index[count++] = s->rank[m].index;
  gmg_search_announce(s, index, count);
}

static int compare_ranked(const void *a, const void *b)
{
  const struct gmg_search_ranked *x = a, *y = b;
  if (x->key != y->key)
    return x->key < y->key ? -1 : 1;
  return (x->index > y->index) - (x->index < y->index);
}

/* Ranks the legal candidates: by the model, or by the steps from the default. */
static void rank_all(struct gmg_search_state *s)
{
  int candidate[GMG_SEARCH_DIMENSIONS];
  s->result->legal = 0;
  for (int index = 0; index < s->total; index++) {
    if (!gmg_candidate_legal(s->space, index))
      continue;
    struct gmg_search_ranked *ranked = &s->rank[s->result->legal++];
    ranked->index = index;
    gmg_candidate_of(s->space, index, candidate);
    ranked->key = s->space->model ? s->space->model(s->space->context, candidate)
                                  : gmg_candidate_steps(s->space, s->start, index);
    if (isnan(ranked->key))
      ranked->key = INFINITY;
  }
  qsort(s->rank, (size_t)s->result->legal, sizeof *s->rank, compare_ranked);
}

/* Which values of each dimension a candidate has: adds them to `values`. Returns whether one is
 * new.
 */
static int add_values(const struct gmg_search_state *s, int index, uint64_t values[])
{
  int news = 0;
  for (int d = s->space->dimensions - 1; d >= 0; d--) {
    const int count = s->space->dimension[d].count;
    const uint64_t value = (uint64_t)1 << index % count % SEEN;
    news |= !(values[d] & value);
    values[d] |= value;
    index /= count;
  }
  return news;
}

/* Whatever the model says of a value, it is tried beside what the model likes: measures the first
 * by rank of those with a value that nothing has yet which was measured and not discarded, a few
 * times over. */
static void spread(struct gmg_search_state *s)
{
  uint64_t seen[GMG_SEARCH_DIMENSIONS] = {0}, covered[GMG_SEARCH_DIMENSIONS];
  for (int round = 0, count = 1; round < SPREAD_ROUNDS && count > 0; round++) {
    int index[MOST_SPREAD];
    count = 0;
    memcpy(covered, seen, sizeof seen);
    for (int n = 0; n < s->result->legal && count < MOST_SPREAD; n++)
      if (isnan(s->cost[s->rank[n].index]) && add_values(s, s->rank[n].index, covered))
        index[count++] = s->rank[n].index;
    for (int n = 0; n < count; n++) {
      if (n % GMG_SEARCH_ANNOUNCED == 0)
        gmg_search_announce(s, index + n,
                            count - n < GMG_SEARCH_ANNOUNCED ? count - n : GMG_SEARCH_ANNOUNCED);
      if (isfinite(gmg_search_measure(s, index[n])))
        add_values(s, index[n], seen);
    }
  }
}

/* Ranks what was measured before the others, by the cost. */
static void rank_measured(struct gmg_search_state *s)
{
  int measured = 0;
  for (int n = 0; n < s->result->legal; n++) {
    struct gmg_search_ranked ranked = s->rank[n];
    ranked.key = s->cost[ranked.index];
    if (isnan(ranked.key))
      continue;
    memmove(s->rank + measured + 1, s->rank + measured, (size_t)(n - measured) * sizeof ranked);
    s->rank[measured++] = ranked;
  }
  qsort(s->rank, (size_t)measured, sizeof *s->rank, compare_ranked);
}

static void search_by_model(struct gmg_search_state *s)
{
  const int legal = s->result->legal;
  const double share = s->options->share > 0 ? s->options->share : default_share;
  const double most = s->options->most > 0 ? s->options->most : default_most;
  int first = (int)ceil(fmin(1, share) * legal);
  first = first < LEAST_MEASURED ? LEAST_MEASURED : first;
  first = first > legal ? legal : first;
  s->most = (int)fmin(fmax(most * legal, LEAST_MOST), legal + 1);
  s->expected = s->most;
  for (int n = 0; n < first; n++) {
    announce_ranked(s, n, first);
    gmg_search_measure(s, s->rank[n].index);
  }
  spread(s);
  rank_measured(s);
  gmg_search_walk(s);
}

/* After the chosen one, those with the least cost. */
static void list_finalists(struct gmg_search_state *s, int chosen)
{
  struct gmg_search_result *result = s->result;
  int taken[GMG_SEARCH_FINALISTS] = {chosen};
  memcpy(result->finalist[0], result->candidate, sizeof result->candidate);
  for (result->finalists = 1; result->finalists < GMG_SEARCH_FINALISTS; result->finalists++) {
    int best = -1;
    for (int index = 0; index < s->total; index++) {
      int known = !isfinite(s->cost[index]);
      for (int n = 0; n < result->finalists; n++)
        known |= index == taken[n];
      if (!known && (best < 0 || s->cost[index] < s->cost[best]))
        best = index;
    }
    if (best < 0)
      break;
    taken[result->finalists] = best;
    gmg_candidate_of(s->space, best, result->finalist[result->finalists]);
  }
}

/* Chooses among what was measured. */
static void choose(struct gmg_search_state *s)
{
  struct gmg_search_result *result = s->result;
  const double noise = s->options->noise;
  double least = INFINITY;
  for (int index = 0; index < s->total; index++)
    if (!isnan(s->cost[index]))
      least = fmin(least, s->cost[index]);
  memcpy(result->candidate, s->start, (size_t)s->space->dimensions * sizeof *s->start);
  result->cost = result->default_cost;
  int chosen = -1, fewest = 0;
  if (!(least < result->default_cost * (1 - noise))) {
    list_finalists(s, gmg_candidate_find(s->space, s->start));
    return;
  }
  for (int index = 0; index < s->total; index++) {
    if (isnan(s->cost[index]) || s->cost[index] * (1 - noise) > least
        || s->cost[index] >= result->default_cost * (1 - noise))
      continue;
    const int steps = gmg_candidate_steps(s->space, s->start, index);
    if (chosen < 0 || steps < fewest || (steps == fewest && s->cost[index] < s->cost[chosen])) {
      chosen = index;
      fewest = steps;
    }
  }
  gmg_candidate_of(s->space, chosen, result->candidate);
  result->cost = s->cost[chosen];
  list_finalists(s, chosen);
}

/* Returns how many candidates the space has, or 0 if that is not allowed. */
static int size_of(const struct gmg_search_space *space)
{
  int total = 1;
  if (space->dimensions < 1 || space->dimensions > GMG_SEARCH_DIMENSIONS)
    return 0;
  for (int d = 0; d < space->dimensions; d++) {
    const int count = space->dimension[d].count;
    if (count < 1 || count > GMG_SEARCH_CANDIDATES / total)
      return 0;
    total *= count;
  }
  return total;
}

int gmg_search(const struct gmg_search_space *space, const struct gmg_search_options *options,
               const int *default_candidate, struct gmg_search_result *result)
{
  struct gmg_search_state s = {.space = space,
                               .options = options,
                               .result = result,
                               .start = default_candidate,
                               .total = size_of(space),
                               .walked_count = 0};
  *result = (struct gmg_search_result){0};
  s.cost = malloc((size_t)s.total * sizeof *s.cost + 1);
  s.rank = malloc((size_t)s.total * sizeof *s.rank + 1);
  const int well = s.total > 0 && s.cost && s.rank;
  if (well) {
    s.begin = 0;
    s.begin = elapsed(&s);
    for (int index = 0; index < s.total; index++)
      s.cost[index] = NAN;
    rank_all(&s);
    s.expected = s.most = result->legal + 1; /* with a default that is not in the space */
    const int known = gmg_candidate_find(space, default_candidate);
    result->default_cost = measure_values(&s, default_candidate);
    if (known >= 0)
      s.cost[known] = result->default_cost;
    if (options->mode == GMG_SEARCH_MODEL)
      search_by_model(&s);
    for (int n = 0; n < result->legal && options->mode == GMG_SEARCH_EXHAUSTIVE; n++) {
      announce_ranked(&s, n, result->legal);
      if (isnan(gmg_search_measure(&s, s.rank[n].index)))
        break;
    }
    gmg_search_again(&s);
    if (known >= 0)
      result->default_cost = s.cost[known];
    choose(&s);
  }
  free(s.cost);
  free(s.rank);
  return well;
}
