/* The arguments that `gmg bench` and `gmg tune` share: a problem, of a file or made in memory, and
 * how it is solved. */
#ifndef GMG_IO_TRIAL_REQUEST_H
#define GMG_IO_TRIAL_REQUEST_H

#include "common/arguments.h"
#include "make/make_request.h"

struct trial_request {
  struct arguments arguments; /* input, threads, isa, quiet, help, and the solver's options */
  int has_make; /* 1: the problem is a case of gmg make, of which `make` has all but the fields */
  struct make_request make;
};

/* words: what follows the verb. own: the verb's options besides, whose values go to given[] ("" of
 * a flag; NULL: not given). Where there is neither an input nor a case, that is no error here.
 * Memory: gives the request's parts. Errors: STATUS_INPUT, STATUS_MACHINE. Calls: collective. */
int trial_request_parse(int count, char **words, const struct option *own, int own_count,
                        const char **given, struct trial_request *request, struct failure *failure);
void trial_request_clear(struct trial_request *request);
/* The case of gmg make on a cube of so many cells. Memory: gives the request's parts. Errors:
 * STATUS_INPUT, STATUS_MACHINE. Calls: collective. */
int trial_request_cube(const char *kind, int cells, struct make_request *make,
                       struct failure *failure);
/* Prints the verb's options, then those that are shared. */
void trial_request_print(const struct option *own, int own_count);

#endif
