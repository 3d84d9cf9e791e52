/* The arguments of `gmg bench`. */
#ifndef GMG_IO_BENCH_REQUEST_H
#define GMG_IO_BENCH_REQUEST_H

#include "trial_request.h"

struct bench_request {
  struct trial_request trial;
  const char *output, *plot, *levels; /* NULL: not given */
  int repeats;
  double roof_seconds;
};

/* words: what follows "bench". Memory: gives the request's parts. Errors: STATUS_INPUT,
 * STATUS_MACHINE. Calls: collective. */
int bench_request_parse(int count, char **words, struct bench_request *request,
                        struct failure *failure);
void bench_request_clear(struct bench_request *request);
void bench_request_help(void);

#endif
