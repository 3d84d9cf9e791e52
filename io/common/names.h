/* Lists of known names: finding one, listing them, suggesting one for a misspelt one. */
#ifndef GMG_IO_NAMES_H
#define GMG_IO_NAMES_H

#include <stddef.h>

/* Index of `name` among `count` known ones, or -1. */
int names_find(const char *name, const char *const *known, int count);
/* Writes "a, b, c" into text. */
void names_list(const char *const *known, int count, char *text, size_t size);
/* Writes "; the nearest is 'x'" into text, or nothing where none is near. */
void names_suggest(const char *name, const char *const *known, int count, char *text, size_t size);

#endif
