/* Plots of what was measured, by the Python scripts that are installed with the program. */
#ifndef GMG_IO_PLOTS_H
#define GMG_IO_PLOTS_H

#include <limits.h>

#include "common/failure.h"
#include "common/progress.h"

enum { PLOTS_MOST = 2 };
struct plots {
  const char *script; /* the name of its file */
  const char *json;   /* what is drawn */
  /* the script's options, and the pictures that they ask for; NULL: not wanted */
  const char *option[PLOTS_MOST], *picture[PLOTS_MOST];
};
/* The name of a JSON beside a picture. */
void plots_name_json(const char *picture, char name[PATH_MAX]);
/* Refuses paths of which two are the same; those that are NULL are left out. `what` are all of
 * them, for the message. Errors: STATUS_INPUT. */
int plots_check_names(const char *const *path, int count, const char *what,
                      struct failure *failure);
/* Draws on this rank, and says what was drawn; or why nothing was, and what to install, which is no
 * failure. Returns 1 where all is drawn. */
int plots_draw(const struct plots *plots, const struct progress *progress);

#endif
