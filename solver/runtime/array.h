/* The entries of a level's list of fields, lines and tables. */
#ifndef GMG_ARRAY_H
#define GMG_ARRAY_H

#include "level.h"

/* Adds an entry with room for its boxes' pointers, and of a line or table for its values, which are
 * zero. NULL: out of memory, or `name` is not a name's number. */
struct gmg_level_array *gmg_array_add(struct gmg_level *level, int name, enum gmg_field_kind kind,
                                      size_t bytes);
/* Adds a line that has all its values in the lender's line of that name. NULL: out of memory. */
struct gmg_level_array *gmg_array_add_lent(struct gmg_level *level,
                                           const struct gmg_level_array *lender, size_t bytes);
/* What the level's lender has under the name; NULL: nothing. */
const struct gmg_level_array *gmg_array_lender(const struct gmg_level *level, int name);
/* Gives up a table's own values where the lender's table holds the same. Returns whether it did. */
int gmg_array_borrow(struct gmg_level *level, struct gmg_level_array *table);
void gmg_array_remove(struct gmg_level *level, struct gmg_level_array *array);
/* Frees all of a level's. */
void gmg_arrays_destroy(struct gmg_level *level);
/* How far after its allocation a field begins. All but small fields start some cache lines apart,
 * so that the same cell of several does not fall into one cache set; large ones so far that rows of
 * several planes of them do not either: by a fifth of what one way of the second-level cache
 * holds. */
size_t gmg_array_stagger(const struct gmg_level *level, const struct gmg_level_array *array);

#endif
