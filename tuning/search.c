#include "search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LEAST_MEASURED = 8, DEFAULT_RESTARTS = 3 };
static const double default_share = 0.03;

struct ranked {
  double key;
  int index;
};

/* Candidates are numbered, the last dimension fastest. */
struct search {
  const struct gmg_search_space *space;
  const struct gmg_search_options *options;
  struct gmg_search_result *result;
  const int *start; /* the default */
  double *cost;     /* of each candidate; NAN: not measured */
  struct ranked *rank;
  int total, expected;
  double begin;
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

static void candidate_of(const struct search *s, int index, int *candidate)
{
  for (int d = s->space->dimensions - 1; d >= 0; d--) {
    const struct gmg_search_dimension *dimension = &s->space->dimension[d];
    candidate[d] = dimension->values[index % dimension->count];
    index /= dimension->count;
  }
}

static int is_legal(const struct search *s, int index)
{
  int candidate[GMG_SEARCH_DIMENSIONS];
  candidate_of(s, index, candidate);
  return !s->space->legal || s->space->legal(s->space->context, candidate);
}

/* Returns where the value of the default stands in a dimension: the last value that is not above
 * it, where it is none of them. */
static int default_place(const struct search *s, int d)
{
  const struct gmg_search_dimension *dimension = &s->space->dimension[d];
  int place = 0;
  for (int n = 0; n < dimension->count; n++) {
    if (dimension->values[n] == s->start[d])
      return n;
    if (dimension->values[n] < s->start[d])
      place = n;
  }
  return place;
}

/* Counts the steps from the default to a candidate. */
static int steps_from_default(const struct search *s, int index)
{
  int steps = 0;
  for (int d = s->space->dimensions - 1; d >= 0; d--) {
    steps += abs(index % s->space->dimension[d].count - default_place(s, d));
    index /= s->space->dimension[d].count;
  }
  return steps;
}

/* Returns the number of the default, or -1 if it is not in the space. */
static int default_index(const struct search *s)
{
  int index = 0;
  for (int d = 0; d < s->space->dimensions; d++) {
    const int place = default_place(s, d);
    if (s->space->dimension[d].values[place] != s->start[d])
      return -1;
    index = index * s->space->dimension[d].count + place;
  }
  return index;
}

/* Returns 1 if the budget has room for one more measurement that takes as long as the others. */
static int may_go_on(struct search *s)
{
  const double so_far = elapsed(s), budget = s->options->budget;
  if (budget > 0 && so_far + so_far / s->result->measured > budget)
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
  double cost = s->space->cost(s->space->context, candidate);
  if (!(cost >= 0)) /* NAN is no cost */
    cost = INFINITY;
  s->result->measured++;
  s->result->discarded += isinf(cost) != 0;
  tell(s);
  return cost;
}

/* Returns the cost of a candidate, measured if it was not yet; NAN where the budget is used up. */
static double measure(struct search *s, int index)
{
  int candidate[GMG_SEARCH_DIMENSIONS];
  if (isnan(s->cost[index]) && may_go_on(s)) {
    candidate_of(s, index, candidate);
    s->cost[index] = measure_values(s, candidate);
  }
  return s->cost[index];
}

/* Returns the nearest legal candidate in a direction (-1 or 1) of a dimension, or -1. */
static int neighbour(const struct search *s, int index, int d, int direction)
{
  int stride = 1;
  for (int e = s->space->dimensions - 1; e > d; e--)
    stride *= s->space->dimension[e].count;
  const int count = s->space->dimension[d].count;
  for (int place = index / stride % count + direction; place >= 0 && place < count;
       place += direction) {
    index += direction * stride;
    if (is_legal(s, index))
      return index;
  }
  return -1;
}

/* Walks from a candidate to its best neighbour while that is better. Returns where it ends. */
static int walk(struct search *s, int index)
{
  for (int best = index;; index = best) {
    for (int d = 0; d < s->space->dimensions; d++)
      for (int direction = -1; direction <= 1; direction += 2) {
        const int other = neighbour(s, index, d, direction);
        if (other >= 0 && measure(s, other) < s->cost[best])
          best = other;
      }
    if (best == index || s->result->out_of_budget)
      return best;
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
    if (!is_legal(s, index))
      continue;
    struct ranked *ranked = &s->rank[s->result->legal++];
    ranked->index = index;
    candidate_of(s, index, candidate);
    ranked->key = s->space->model ? s->space->model(s->space->context, candidate)
                                  : steps_from_default(s, index);
    if (isnan(ranked->key))
      ranked->key = INFINITY;
  }
  qsort(s->rank, (size_t)s->result->legal, sizeof *s->rank, compare_ranked);
}

static void search_by_model(struct search *s)
{
  const double share = s->options->share > 0 ? s->options->share : default_share;
  const int restarts = s->options->restarts > 0 ? s->options->restarts : DEFAULT_RESTARTS;
  int first = (int)ceil(fmin(1, share) * s->result->legal);
  first = first < LEAST_MEASURED ? LEAST_MEASURED : first;
  first = first > s->result->legal ? s->result->legal : first;
  s->expected = first + 4 * restarts * s->space->dimensions;
  for (int n = 0; n < first; n++)
    s->rank[n].key = measure(s, s->rank[n].index);
  for (int n = 0; n < first; n++) /* those that the budget had no room for come last */
    if (isnan(s->rank[n].key))
      s->rank[n].key = INFINITY;
  qsort(s->rank, (size_t)first, sizeof *s->rank, compare_ranked);
  double least = INFINITY;
  for (int n = 0, vain = 0; n < first && vain < restarts && !s->result->out_of_budget; n++) {
    if (isinf(s->rank[n].key))
      break;
    const double end = s->cost[walk(s, s->rank[n].index)];
    vain = end < least ? 0 : vain + 1;
    least = fmin(least, end);
  }
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
    const int steps = steps_from_default(s, index);
    if (chosen < 0 || steps < fewest || (steps == fewest && s->cost[index] < s->cost[chosen])) {
      chosen = index;
      fewest = steps;
    }
  }
  candidate_of(s, chosen, result->candidate);
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
                     .total = size_of(space)};
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
    s.expected = result->legal;
    const int known = default_index(&s);
    result->default_cost = measure_values(&s, default_candidate);
    if (known >= 0)
      s.cost[known] = result->default_cost;
    if (options->mode == GMG_SEARCH_MODEL)
      search_by_model(&s);
    for (int n = 0; n < result->legal && options->mode == GMG_SEARCH_EXHAUSTIVE; n++)
      if (isnan(measure(&s, s.rank[n].index)))
        break;
    choose(&s);
  }
  free(s.cost);
  free(s.rank);
  return well;
}
