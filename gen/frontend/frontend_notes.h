/* The parts of the front end that need text alone: notes on declarations, the comment above a
 * function, the words for the C compiler's errors. */
#ifndef GEN_FRONTEND_NOTES_H
#define GEN_FRONTEND_NOTES_H

#include "ir/tree.h"

/* Reads the text of an annotation, such as "gmg: fine cell 1", into a new array's centring, level,
 * first subscript, axis, rank and table. False if it is not a note on an array. */
bool gen_read_note(const char *note, struct gen_array *array);

/* The comment that ends last before `offset` with no code between, without its marks; "" if there
 * is none. */
const char *gen_comment_before(const char *text, size_t length, size_t offset);

/* The text from start to end on one line without comments, shortened if it is long. */
const char *gen_one_line(const char *text, size_t start, size_t end);

/* An error of the C compiler in our words. */
const char *gen_compiler_error(const char *spelling);

#endif
