/* The candidates of a search by number: the last dimension runs fastest. */
#ifndef GMG_SEARCH_SPACE_H
#define GMG_SEARCH_SPACE_H

#include "search.h"

/* Writes the values of the candidate of that number. */
void gmg_candidate_of(const struct gmg_search_space *space, int index, int *candidate);
int gmg_candidate_legal(const struct gmg_search_space *space, int index);
/* Counts the steps between values that are neighbours, from one candidate, which need not be in the
 * space, to the one of that number. */
int gmg_candidate_steps(const struct gmg_search_space *space, const int *from, int index);
/* Returns the number of a candidate, or -1 if it is not in the space. */
int gmg_candidate_find(const struct gmg_search_space *space, const int *candidate);

#endif
