/* What the program prints while it runs. A step that takes more than two seconds shows on a
 * terminal as a line that counts in place, in a log as a line every ten seconds and one at its end;
 * a line per cycle in both. Only rank 0 prints. */
#ifndef GMG_IO_PROGRESS_H
#define GMG_IO_PROGRESS_H

#include "gmg.h"

struct progress {
  int quiet, terminal;
  const char *doing, *what; /* the running step, "reading" "/beta"; NULL between steps */
  int open;                 /* its line in the log has not ended */
  double began, shown;
  double previous_norm;
};

/* Seconds of a clock that never goes back. */
double progress_seconds(void);
void progress_start(struct progress *progress, int quiet);
/* A step, of which `fraction` (0 … 1) is done. */
void progress_begin(struct progress *progress, const char *doing, const char *what);
/* A step that cannot tell how far it is: the log says at once that it began. */
void progress_begin_silent(struct progress *progress, const char *doing, const char *what);
void progress_step(struct progress *progress, double fraction);
/* Likewise, of which the text says all. */
void progress_tell(struct progress *progress, const char *text);
void progress_end(struct progress *progress);

/* The table of cycles; a gmg_monitor whose user is the struct progress. */
void progress_cycle(void *user, int cycle, double norm, double relative, double seconds);
/* A line of text for a person, unless quiet. */
void progress_line(const struct progress *progress, const char *format, ...)
  __attribute__((format(printf, 2, 3)));

#endif
