/* The arguments of `gmg bench`. */
#ifndef GMG_IO_BENCH_REQUEST_H
#define GMG_IO_BENCH_REQUEST_H

#include "common/arguments.h"
#include "make/make_request.h"

struct bench_request {
  struct arguments arguments; /* input, threads, isa, quiet, help, and the solver's options */
  const char *output, *plot, *levels; /* NULL: not given */
  int repeats;
  double roof_seconds;
  int has_make; /* 1: the problem is a case of gmg make, of which `make` has all but the fields */
  struct make_request make;
};

/* words: what follows "bench". Memory: gives the request's parts. Errors: STATUS_INPUT,
 * STATUS_MACHINE. Calls: collective. */
int bench_request_parse(int count, char **words, struct bench_request *request,
                        struct failure *failure);
void bench_request_clear(struct bench_request *request);
void bench_request_help(void);

#endif
