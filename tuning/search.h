/* Searches a space of candidates for the one with the least cost, whatever a candidate is. */
#ifndef GMG_SEARCH_H
#define GMG_SEARCH_H

enum {
  GMG_SEARCH_DIMENSIONS = 16,
  GMG_SEARCH_CANDIDATES = 1 << 20,
  GMG_SEARCH_FINALISTS = 10,
  GMG_SEARCH_AGAIN = 64
};

struct gmg_search_dimension {
  const char *name;
  const int *values; /* in an order in which neighbours behave alike */
  int count;
};

/* A candidate is an array of values, one for each dimension. */
struct gmg_search_space {
  const struct gmg_search_dimension *dimension;
  int dimensions;
  int (*legal)(void *context, const int *candidate); /* NULL: all are legal */
  /* Measures: returns seconds, or INFINITY for a candidate that is discarded. */
  double (*cost)(void *context, const int *candidate);
  double (*model)(void *context, const int *candidate); /* predicts the cost; NULL: nothing does */
  /* Told of candidates, one after the other, that may be measured next; NULL: nobody is. */
  void (*prepare)(void *context, const int *candidates, int count);
  void *context;
};

enum gmg_search_mode { GMG_SEARCH_EXHAUSTIVE, GMG_SEARCH_MODEL };

struct gmg_search_options {
  enum gmg_search_mode mode;
  double budget; /* seconds; 0: no limit */
  double noise;  /* candidates whose costs differ by less than this fraction cannot be told apart */
  double share;  /* of the legal candidates that are measured because of the model; 0: 0.03 */
  double most;   /* of the legal candidates that are measured in all by the model; 0: 0.12 */
  int restarts;  /* walks in a row that may end with nothing better beyond noise; 0: 16 */
  /* Measurements at the end, of the best candidates, where noise makes others look as fast; up to
   * GMG_SEARCH_AGAIN */
  int again;
  double (*clock)(void *context); /* seconds; NULL: the system's */
  void (*progress)(void *context, int measured, int of, double seconds_left); /* or NULL */
  /* Told of each candidate that was measured; its cost is INFINITY if it was discarded. Or NULL. */
  void (*record)(void *context, const int *candidate, double cost);
  void *context;
};

struct gmg_search_result {
  int candidate[GMG_SEARCH_DIMENSIONS];
  double cost, default_cost;
  /* The candidate and those with the least cost beside it, for who can time them better: fewer
   * where fewer were measured. */
  int finalist[GMG_SEARCH_FINALISTS][GMG_SEARCH_DIMENSIONS], finalists;
  int legal, measured, discarded;
  int out_of_budget; /* 1: it ended before it had looked at all that it wanted to */
};

/* Searches. The default candidate is measured first and whatever the budget; it need not be in the
 * space, and is the result unless another one is faster by more than the noise. Of the candidates
 * that cannot be told from the best one, the result is the one nearest to the default, counted in
 * steps. No candidate is measured twice but those with the least cost, if `again` says so. Model:
 * measures the share of the legal candidates, at least 8, for which the model predicts the least
 * cost (without a model those nearest to the default), and of each value of each dimension the
 * first by the model that can be measured; then walks from the best of them by single steps (over
 * candidates that are not legal), in one dimension after the other as far as the cost falls, and so
 * from the next best ones that are not near where a walk has been, at last from those that only the
 * model knows. From the best candidate of all, pairs of steps are tried, too. Returns 1; 0 if
 * memory is short or the space is empty or has more than GMG_SEARCH_CANDIDATES. */
int gmg_search(const struct gmg_search_space *space, const struct gmg_search_options *options,
               const int *default_candidate, struct gmg_search_result *result);

#endif
