/* The command line of `gmg tune FILE.stencil`. */
#ifndef GMG_IO_TUNE_RUN_REQUEST_H
#define GMG_IO_TUNE_RUN_REQUEST_H

#include "run_request.h"

struct tune_run_request {
  struct run_request run; /* the program on its grid, as by default */
  int budget;             /* seconds */
  int dry_run;
  int compose;        /* numbers of steps that are taken as one are candidates, too */
  const char *wisdom; /* the file that what is found goes to; NULL: the user's own */
};

/* words: what follows "tune". Errors: STATUS_INPUT. Calls: collective. */
int tune_run_request_parse(int count, char **words, struct tune_run_request *request,
                           struct failure *failure);
void tune_run_request_clear(struct tune_run_request *request);
void tune_run_request_help(void);

#endif
