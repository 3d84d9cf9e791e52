#include "search.h"

#include "search_space.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
  LEAST_MEASURED = 8,
  LEAST_MOST = 48,
  DEFAULT_RESTARTS = 16,
  NEAR_PART = 6,
  MOST_WALKED = 512,
  ANNOUNCED = 32 /* two for each dimension */
};
static const double default_share = 0.03, default_most = 0.12;

struct ranked {
  double key;
  int index;
};

struct search {
  const struct gmg_search_space *space;
  const struct gmg_search_options *options;
  struct gmg_search_result *result;
  const int *start; /* the default */
  double *cost;     /* of each candidate; NAN: not measured */
  struct ranked *rank;
  int total, expected, most;             /* expected and most: how many are measured */
  int walked[MOST_WALKED], walked_count; /* where walks began and ended */
  double begin, spent;                   /* spent: seconds in measurements */
};

static double system_clock(void *context)
{
  (void)context;
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double elapsed(const struct search *s)
{
  double (*clock)(void *) = s->options->clock ? s->options->clock : system_clock;
  return clock(s->options->context) - s->begin;
}

/* Returns 1 if one more may be measured, and the budget has room for one that takes as long as the
 * others; what it takes to prepare them is not counted. */
static int may_go_on(struct search *s)
{
  if (s->result->measured >= s->most)
    return 0;
  const double so_far = elapsed(s), budget = s->options->budget;
  if (budget > 0 && so_far + s->spent / s->result->measured > budget)
    s->result->out_of_budget = 1;
  return !s->result->out_of_budget;
}

static void tell(const struct search *s)
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

static double measure_values(struct search *s, const int *candidate)
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

/* Returns the cost of a candidate, measured if it was not yet; NAN where the budget is used up. */
static double measure(struct search *s, int index)
{
  int candidate[GMG_SEARCH_DIMENSIONS];
  if (isnan(s->cost[index]) && may_go_on(s)) {
    gmg_candidate_of(s->space, index, candidate);
    s->cost[index] = measure_values(s, candidate);
  }
  return s->cost[index];
}

/* Tells of candidates that may be measured next, but for those that were. */
static void announce(const struct search *s, const int *index, int count)
{
  int candidate[ANNOUNCED * GMG_SEARCH_DIMENSIONS], told = 0;
  for (int n = 0; n < count; n++)
    if (index[n] >= 0 && isnan(s->cost[index[n]]))
      gmg_candidate_of(s->space, index[n], candidate + told++ * s->space->dimensions);
  if (s->space->prepare && told)
    s->space->prepare(s->space->context, candidate, told);
}

/* Tells of the next candidates by rank, before every ANNOUNCED-th of them. */
static void announce_ranked(const struct search *s, int n, int end)
{
  int index[ANNOUNCED], count = 0;
  for (int m = n; n % ANNOUNCED == 0 && m < end && count < ANNOUNCED; m++)
    index[count++] = s->rank[m].index;
  announce(s, index, count);
}

/* Returns the next candidate in a direction (-1 or 1) of a dimension, or -1: the nearest one that
 * is legal, or with `legal` 0 the nearest one. */
static int neighbour(const struct search *s, int index, int d, int direction, int legal)
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
static void announce_around(const struct search *s, int index)
{
  const int dimensions = s->space->dimensions;
  int around[2 * GMG_SEARCH_DIMENSIONS] = {0};
  for (int n = 0; s->space->prepare && n < 2 * dimensions; n++)
    around[n] = neighbour(s, index, n / 2, n % 2 ? 1 : -1, 1);
  if (s->space->prepare)
    announce(s, around, 2 * dimensions);
}

/* Walks by single steps, in one dimension after the other as far as the cost falls, until it falls
 * in none. Returns where it ends. */
static int walk(struct search *s, int index)
{
  const int dimensions = s->space->dimensions;
  announce_around(s, index);
  for (int d = 0, still = 0; still < dimensions; d = (d + 1) % dimensions, still++)
    for (int direction = -1; direction <= 1; direction += 2)
      for (int next = neighbour(s, index, d, direction, 1);
           next >= 0 && measure(s, next) < s->cost[index];
           next = neighbour(s, index, d, direction, 1)) {
        index = next;
        still = -1;
        announce_around(s, index);
      }
  return index;
}

/* Lists the candidates a step in dimension d and one in a later dimension away; -1: there is none.
 * Returns how many. */
static int list_pairs(const struct search *s, int index, int d, int pair[])
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
static int best_pair(struct search *s, int index)
{
  int best = index, pair[4 * GMG_SEARCH_DIMENSIONS];
  for (int d = 0; d < s->space->dimensions; d++) {
    const int count = list_pairs(s, index, d, pair);
    announce(s, pair, count < ANNOUNCED ? count : ANNOUNCED);
    for (int n = 0; n < count; n++)
      if (pair[n] >= 0 && measure(s, pair[n]) < s->cost[best])
        best = pair[n];
  }
  return best;
}

/* Walks by single steps, and where those lead no further by a pair of steps. */
static int walk_by_pairs(struct search *s, int index)
{
  for (;;) {
    const int best = best_pair(s, walk(s, index));
    if (s->cost[best] >= s->cost[index] || !may_go_on(s))
      return best;
    index = best;
  }
}

static int compare_ranked(const void *a, const void *b)
{
  const struct ranked *x = a, *y = b;
  if (x->key != y->key)
    return x->key < y->key ? -1 : 1;
  return (x->index > y->index) - (x->index < y->index);
}

/* Ranks the legal candidates: by the model, or by the steps from the default. */
static void rank_all(struct search *s)
{
  int candidate[GMG_SEARCH_DIMENSIONS];
  s->result->legal = 0;
  for (int index = 0; index < s->total; index++) {
    if (!gmg_candidate_legal(s->space, index))
      continue;
    struct ranked *ranked = &s->rank[s->result->legal++];
    ranked->index = index;
    gmg_candidate_of(s->space, index, candidate);
    ranked->key = s->space->model ? s->space->model(s->space->context, candidate)
                                  : gmg_candidate_steps(s->space, s->start, index);
    if (isnan(ranked->key))
      ranked->key = INFINITY;
  }
  qsort(s->rank, (size_t)s->result->legal, sizeof *s->rank, compare_ranked);
}

/* Returns 1 if a candidate is near one from which a walk began or at which it ended: within a part
 * of the steps that the whole space is long. */
static int is_near_a_walk(const struct search *s, int index)
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

/* Walks from the candidates in the order of their rank, until several walks in a row find nothing
 * that is better by more than the noise. */
static void walk_from_all(struct search *s)
{
  const int restarts = s->options->restarts > 0 ? s->options->restarts : DEFAULT_RESTARTS;
  const double clear = 1 - s->options->noise;
  double least = INFINITY;
  int best = -1;
  for (int n = 0, vain = 0; n < s->result->legal && vain <= restarts; n++) {
    const int begin = s->rank[n].index;
    if (is_near_a_walk(s, begin) || !(measure(s, begin) < INFINITY))
      continue;
    const int end = walk(s, begin);
    if (s->cost[end] < least)
      best = end;
    if (!may_go_on(s) || s->walked_count + 2 > MOST_WALKED)
      break;
    s->walked[s->walked_count++] = begin;
    s->walked[s->walked_count++] = end;
    vain = s->cost[end] < least * clear ? 0 : vain + 1;
    least = fmin(least, s->cost[end]);
  }
  if (best >= 0 && may_go_on(s))
    walk_by_pairs(s, best);
}

static void search_by_model(struct search *s)
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
    s->rank[n].key = measure(s, s->rank[n].index);
  }
  for (int n = 0; n < first; n++) /* those that the budget had no room for come last */
    if (isnan(s->rank[n].key))
      s->rank[n].key = INFINITY;
  qsort(s->rank, (size_t)first, sizeof *s->rank, compare_ranked);
  walk_from_all(s);
}

/* Chooses among what was measured. */
static void choose(struct search *s)
{
  struct gmg_search_result *result = s->result;
  const double noise = s->options->noise;
  double least = INFINITY;
  for (int index = 0; index < s->total; index++)
    if (!isnan(s->cost[index]))
      least = fmin(least, s->cost[index]);
  memcpy(result->candidate, s->start, (size_t)s->space->dimensions * sizeof *s->start);
  result->cost = result->default_cost;
  if (!(least < result->default_cost * (1 - noise)))
    return;
  int chosen = -1, fewest = 0;
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
  struct search s = {.space = space,
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
      if (isnan(measure(&s, s.rank[n].index)))
        break;
    }
    choose(&s);
  }
  free(s.cost);
  free(s.rank);
  return well;
}
