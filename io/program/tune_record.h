/* The candidates that `gmg tune` timed, as JSON: what --record writes and --plot draws. */
#ifndef GMG_IO_TUNE_RECORD_H
#define GMG_IO_TUNE_RECORD_H

#include <jansson.h>

#include "common/failure.h"
#include "file/output.h"
#include "gmg.h"

/* Empty: all members NULL. */
struct tune_record {
  json_t *searches;
  json_t *running; /* one of them, to which candidates are added until one is chosen */
};

/* Adds what the library tells of a candidate, for a problem; or notes which one was chosen. */
void tune_record_take(struct tune_record *record, const char *problem,
                      const gmg_tuning_candidate *candidate);
/* Writes all on rank 0. Errors: STATUS_MACHINE. Calls: collective. */
int tune_record_write(const struct tune_record *record, const struct output *output,
                      struct failure *failure);
void tune_record_clear(struct tune_record *record);

#endif
