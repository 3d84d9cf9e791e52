/* What a run writes: the result, checkpoints, a series in time, a report. */
#ifndef GMG_IO_OUTPUTS_H
#define GMG_IO_OUTPUTS_H

#include "arrays_file.h"
#include "run_request.h"

struct outputs {
  char path[PATH_MAX]; /* of the result; the other names follow from it */
  struct output result, checkpoint, series, report;
};

/* Finds paths that cannot be written before anything is computed. Errors: STATUS_INPUT. Calls:
 * collective. */
int outputs_prepare(const struct run_request *request, struct outputs *outputs,
                    struct failure *failure);
/* The file of a series for a step. */
int outputs_name_step(const struct outputs *outputs, int step, char name[PATH_MAX],
                      struct failure *failure);
/* The XDMF file of a series: all its files that there are, up to a step. Errors: STATUS_MACHINE.
 * Calls: this rank alone. */
int outputs_write_series(const struct outputs *outputs, const struct gmg_program_descriptor *made,
                         const struct arrays_header *header, int every, struct failure *failure);

#endif
