/* A search under way (search.h), and its walks from candidate to candidate. */
#ifndef GMG_SEARCH_WALK_H
#define GMG_SEARCH_WALK_H

#include "search.h"

enum {
  GMG_SEARCH_WALKED = 512,  /* where walks began and ended, at most */
  GMG_SEARCH_ANNOUNCED = 32 /* candidates at a time, at most: two for each dimension */
};

struct gmg_search_ranked {
  double key;
  int index;
};

struct gmg_search_state {
  const struct gmg_search_space *space;
  const struct gmg_search_options *options;
  struct gmg_search_result *result;
  const int *start; /* the default */
  double *cost;     /* of each candidate; NAN: not measured */
  struct gmg_search_ranked *rank;
  int total, expected, most; /* expected and most: how many are measured */
  int walked[GMG_SEARCH_WALKED], walked_count;
  double begin, spent; /* spent: seconds in measurements */
};

/* Returns 1 if the budget has room for one more measurement and `kept` others; what it takes to
 * prepare them is not counted. */
int gmg_search_has_time(struct gmg_search_state *s, double kept);
/* Measures a candidate whether it was measured or not, and returns the cost. */
double gmg_search_measure_again(struct gmg_search_state *s, int index);
/* Returns 1 if one more may be measured, and the budget has room for it beside those that are
 * measured again, which have a fifth of it at most. */
int gmg_search_may_go_on(struct gmg_search_state *s);
/* Returns the cost of a candidate, measured if it was not yet; NAN where the budget is used up. */
double gmg_search_measure(struct gmg_search_state *s, int index);
/* Tells of candidates that may be measured next, but for those that were. */
void gmg_search_announce(const struct gmg_search_state *s, const int *index, int count);
/* Walks from the candidates in the order of their rank, until several walks in a row find nothing
 * that is better by more than the noise. */
void gmg_search_walk(struct gmg_search_state *s);

#endif
