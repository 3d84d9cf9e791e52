/* Names compared. */
#ifndef GMG_TEXT_H
#define GMG_TEXT_H

#include <string.h>

/* Whether two texts are the same: most that are looked through differ in their first letter, which
 * spares the call. */
static inline int gmg_same_text(const char *a, const char *b)
{
  return a[0] == b[0] && strcmp(a, b) == 0;
}

#endif
