/* Wisdom as text: JSON that people can read and compare. */
#ifndef GMG_WISDOM_TEXT_H
#define GMG_WISDOM_TEXT_H

#include "wisdom_entry.h"

/* Reads all entries of a text, foreign or not, into an empty list, ordered. They are well formed
 * and do not contradict each other; `sentence` (of GMG_WISDOM_SENTENCE bytes) says what is wrong,
 * and calls the text `name`. Errors: GMG_WISDOM_DAMAGED, OLDER, NEWER, CONTRADICTORY, FULL, MEMORY:
 * the list is empty. Memory: the list's, gmg_wisdom_list_clear takes it. */
enum gmg_wisdom_status gmg_wisdom_read_text(const char *name, const char *text, size_t bytes,
                                            struct gmg_wisdom_list *list, char *sentence);

/* Writes a list as text. Returns NULL if memory is short. Memory: gives the text, for free(). */
char *gmg_wisdom_write_text(const struct gmg_wisdom_list *list, size_t *bytes);

#endif
