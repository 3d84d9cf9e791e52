#include "search_space.h"

#include <stdlib.h>

void gmg_candidate_of(const struct gmg_search_space *space, int index, int *candidate)
{
  for (int d = space->dimensions - 1; d >= 0; d--) {
    const struct gmg_search_dimension *dimension = &space->dimension[d];
    candidate[d] = dimension->values[index % dimension->count];
    index /= dimension->count;
  }
}

int gmg_candidate_legal(const struct gmg_search_space *space, int index)
{
  int candidate[GMG_SEARCH_DIMENSIONS];
  gmg_candidate_of(space, index, candidate);
  return !space->legal || space->legal(space->context, candidate);
}

/* Returns where a value of the candidate stands in a dimension: the last value that is not above
 * it, where it is none of them. */
static int place_of(const struct gmg_search_space *space, const int *candidate, int d)
{
  const struct gmg_search_dimension *dimension = &space->dimension[d];
  int place = 0;
  for (int n = 0; n < dimension->count; n++) {
    if (dimension->values[n] == candidate[d])
      return n;
    if (dimension->values[n] < candidate[d])
      place = n;
  }
  return place;
}

int gmg_candidate_steps(const struct gmg_search_space *space, const int *from, int index)
{
  int steps = 0;
  for (int d = space->dimensions - 1; d >= 0; d--) {
    steps += abs(index % space->dimension[d].count - place_of(space, from, d));
    index /= space->dimension[d].count;
  }
  return steps;
}

int gmg_candidate_find(const struct gmg_search_space *space, const int *candidate)
{
  int index = 0;
  for (int d = 0; d < space->dimensions; d++) {
    const int place = place_of(space, candidate, d);
    if (space->dimension[d].values[place] != candidate[d])
      return -1;
    index = index * space->dimension[d].count + place;
  }
  return index;
}
