/* The arguments of `gmg make`: a case, its grid, faces and coefficient. */
#ifndef GMG_IO_MAKE_REQUEST_H
#define GMG_IO_MAKE_REQUEST_H

#include "cases.h"
#include "common/failure.h"
#include "medium.h"
#include "common/options_file.h"
#include "file/problem.h"

struct make_request {
  int quiet, help, noise;
  const char *output; /* NULL: not given; a view of the command line or of the file */
  struct options_file file;
  const struct case_kind *kind;
  struct problem problem; /* all but its fields and boundary values */
  struct medium medium;   /* its kind and parameters */
};

/* Where help is asked for, nothing else is looked at. Memory: gives the request's parts,
 * make_request_clear frees them. Errors: STATUS_INPUT, STATUS_MACHINE. Calls: collective. */
int make_request_parse(int count, char **words, struct make_request *request,
                       struct failure *failure);
void make_request_clear(struct make_request *request);
void make_request_help(void);

#endif
