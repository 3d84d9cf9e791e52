/* Plots of what was measured, by the Python script that is installed with the program. */
#ifndef GMG_IO_PLOTS_H
#define GMG_IO_PLOTS_H

#include "common/progress.h"

struct plots {
  const char *json;              /* what is drawn */
  const char *roofline, *levels; /* the pictures; NULL: not wanted */
};
/* Draws on this rank, and says what was drawn; or why nothing was, and what to install, which is no
 * failure. Returns 1 where all is drawn. */
int plots_draw(const struct plots *plots, const struct progress *progress);

#endif
