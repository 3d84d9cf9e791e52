/* The arrays of directives: their extents, and the points of them that nests read and write. */
#ifndef GEN_ARRAYS_H
#define GEN_ARRAYS_H

#include "translation.h"

/* Whether a variable is a pointer that may be exchanged: double *a, and the argument double a[]. */
bool gen_is_pointer(const struct gen_syntax *variable);
/* The number of the array that a name stands for, which is added if its declaration says its
 * extents; rejects one that is used without a copy. -1 after a rejection. */
int gen_data_of(struct gen_translation *translation, const struct gen_syntax *name);
/* Reads a call (arrays, 0, extents) that stands for a copy; false after a rejection. */
bool gen_read_copy(struct gen_translation *translation, const struct gen_syntax *call,
                   const struct gen_directive *directive);
/* Reads a[z][y][x + 1], or a[x + nx * (y + ny * z)], as a point; rejects one outside of the array,
 * as far as the nest goes. */
bool gen_read_point(struct gen_translation *translation, const struct gen_nest *nest,
                    const struct gen_syntax *syntax, struct gen_point *point);
/* Finds where the array's cells lie: as many elements stand before as after them. what: where it
 * is used. */
bool gen_place_data(struct gen_translation *translation, struct gen_data *data,
                    const struct gen_syntax *what);

#endif
