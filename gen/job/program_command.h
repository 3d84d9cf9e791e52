/* What gmg-gen is asked to do with a program: prints and files. */
#ifndef GEN_PROGRAM_COMMAND_H
#define GEN_PROGRAM_COMMAND_H

#include "program_job.h"

struct gen_program_request {
  const char *target, *dump, *output; /* dump, output: NULL, not asked for */
  bool explain;
};

/* Compiles the job's file, and prints or saves what is asked for; what is refused goes to stderr.
 * Returns the exit status: 0; 1, the file was rejected; 3, the output cannot be written. */
int gen_run_program_request(struct gen_program_job *job, const struct gen_program_request *request);

#endif
