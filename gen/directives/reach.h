/* What a nest over cells reads and writes, and that its iterations do not depend on each other. */
#ifndef GEN_REACH_H
#define GEN_REACH_H

#include "translation.h"

/* Fills an event's reach. Rejects elements that are written elsewhere than at the visited cell,
 * read along other directions, or written by one iteration and read by another. */
bool gen_read_reach(struct gen_translation *translation, struct gen_event *event);
/* Reads an element of a nest over cells, and how far it is from the visited cell. */
bool gen_read_cell(struct gen_translation *translation, const struct gen_nest *nest,
                   const struct gen_syntax *syntax, struct gen_point *point,
                   int offset[GEN_MOST_SPACE]);

#endif
