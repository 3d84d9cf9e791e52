/* The arguments of `gmg tune`. */
#ifndef GMG_IO_TUNE_REQUEST_H
#define GMG_IO_TUNE_REQUEST_H

#include "trial_request.h"

struct tune_request {
  struct trial_request trial;
  const char *wisdom;        /* the file that what is found goes to; NULL: the user's */
  const char *method;        /* that the fastest method goes to; NULL: it is not searched */
  const char *record, *plot; /* where candidates, and a picture of them, go; NULL: nowhere */
  int exhaustive, dry_run;
  int poor;      /* 1: all begins with poor choices, and nothing is saved: for tests of the tuner */
  double budget; /* seconds, of all problems */
};

/* words: what follows "tune". Memory: gives the request's parts. Errors: STATUS_INPUT,
 * STATUS_MACHINE. Calls: collective. */
int tune_request_parse(int count, char **words, struct tune_request *request,
                       struct failure *failure);
void tune_request_clear(struct tune_request *request);
void tune_request_help(void);

#endif
