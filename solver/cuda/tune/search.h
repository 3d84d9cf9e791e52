/* The search for the fastest form and shape of a kernel on a level. */
#ifndef GMG_CUDA_SEARCH_H
#define GMG_CUDA_SEARCH_H

#include "runtime/placement.h"
#include "runtime/tune.h"
#include "tuning/wisdom.h"

/* A kernel on a level. */
struct gmg_subject {
  struct gmg_call *call;
  struct gmg_wisdom_entry entry;
  double weight; /* of its default's time: how often it ran, at least once */
  double seconds;
};

/* Searches for so many seconds. The entry has seconds afterwards if anything is known. */
void gmg_search_kernel(struct gmg_placement *placement, struct gmg_subject *subject,
                       struct gmg_tune *tune, double budget);

/* Returns whether this rank was asked to stop. */
static inline int gmg_search_stopped(const struct gmg_tune *tune)
{
  return tune->stop && atomic_load(tune->stop);
}

#endif
