/* Loops that directives mark: their bounds, and whether they visit all cells. */
#ifndef GEN_NESTS_H
#define GEN_NESTS_H

#include "translation.h"

/* How many loops stand in one another, these included, with nothing but integers beside them. */
int gen_nest_depth(const struct gen_syntax *loops);
/* Whether a statement declares integers, or assigns one. */
bool gen_sets_integers(const struct gen_syntax *syntax);
/* Reads loops with their bounds; rejects those that do not go up one by one, and less loops than
 * the directive, if there is one, says are parallel. */
bool gen_read_nest(struct gen_translation *translation, const struct gen_directive *directive,
                   const struct gen_syntax *loops, struct gen_nest *nest);
/* How many elements loop l visits. */
struct gen_integer gen_nest_visits(const struct gen_nest *nest, int l);
/* Makes the nest's variables those that run where expressions are read. */
void gen_enter_nest(struct gen_translation *translation, const struct gen_nest *nest);
/* Decides of an event's nest whether it visits all cells or fills ghosts. The first one over all
 * cells decides how many there are; a later one must visit as many. */
bool gen_sort_nest(struct gen_translation *translation, struct gen_event *event);
/* Finds how far along direction d a point, which has a loop there, is from the cell that the nest
 * visits. */
bool gen_point_offset(struct gen_translation *translation, const struct gen_nest *nest,
                      const struct gen_point *point, int d, int *offset);

#endif
