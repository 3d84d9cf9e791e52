/* What may be chosen on a level, as a space to search (tuning/search.h). */
#ifndef GMG_SETUP_CANDIDATES_H
#define GMG_SETUP_CANDIDATES_H

#include "trial.h"
#include "tuning/search.h"

enum { GMG_LEVEL_THREADS = 16 };

/* The dimensions, in the order of the members of struct gmg_choice; `threads` has the values of
 * one of them. Returns how many. */
int gmg_level_dimensions(int most_threads, int threads[GMG_LEVEL_THREADS],
                         struct gmg_search_dimension dimension[GMG_CHOICE_COUNT]);
/* Whether the level can have it, and no other candidate is the same. */
int gmg_level_legal(void *search, const int *candidate);
/* A guess at the time of a candidate relative to others. */
double gmg_level_predict(void *search, const int *candidate);

#endif
