/* The values of a program's reductions as time goes on: found every so many steps and at the end,
 * printed, and kept in the files of a run, so that a restart goes on with them. */
#ifndef GMG_IO_RUN_HISTORY_H
#define GMG_IO_RUN_HISTORY_H

#include <jansson.h>

#include "common/progress.h"
#include "file/object.h"
#include "gmg_program.h"
#include "program_table.h"

struct history {
  int rows, room;
  int *step;     /* by row, in increasing order */
  double *value; /* by row, then by reduction */
  double *list;  /* room for one number of each row */
};

/* Finds all values after a step, unless the last row is of it, and prints them. Errors:
 * STATUS_MACHINE. Calls: collective. */
int history_add(struct history *history, gmg_program *program,
                const struct gmg_program_descriptor *made, int step,
                const struct progress *progress, struct failure *failure);
/* Whether all values of the last row are finite. */
int history_are_finite(const struct history *history, const struct gmg_program_descriptor *made);
/* Reads the group /values of a file, where it has one: rows up to a step. Calls: this rank alone.
 */
int history_read(struct history *history, const struct object *root,
                 const struct gmg_program_descriptor *made, int step);
/* Gives all ranks what rank 0 has. Errors: STATUS_MACHINE. Calls: collective. */
int history_share(struct history *history, const struct gmg_program_descriptor *made,
                  struct failure *failure);
/* Writes the group, where there are rows. Returns not 0 after a failure, which file_reason tells.
 * Calls: collective. */
int history_write(const struct history *history, hid_t file,
                  const struct gmg_program_descriptor *made);
/* A list for each reduction, and one of steps. */
json_t *history_json(const struct history *history, const struct gmg_program_descriptor *made);
void history_clear(struct history *history);

#endif
