/* What gmg-gen is asked to do with a program: prints and files. */
#ifndef GEN_PROGRAM_COMMAND_H
#define GEN_PROGRAM_COMMAND_H

#include "program_job.h"

struct gen_program_request {
  const char *target, *dump, *output; /* dump, output: NULL, not asked for */
  bool explain;
  bool standalone; /* the file itself, translated; level: --opt */
  int level;
  const char *backends; /* the file itself, its loops run by the library on these; NULL: no */
};

/* What is wrong with the options of --standalone, or NULL; level: what --opt says, or NULL. */
const char *gen_standalone_fault(bool standalone, const char *path, const char *from,
                                 const char *target, const char *output, const char *level);
/* The back ends of an option -mpi, -gpu or -hybrid; NULL: it is none of them. */
const char *gen_backends_of(const char *option);
/* What is wrong with options beside these, or NULL. */
const char *gen_backends_fault(const char *path, const char *from, const char *target,
                               const char *output, bool standalone);
/* Reads how many steps are to be composed; text NULL: 0. Returns what is wrong with it, or with
 * what else is asked for; NULL: nothing. */
const char *gen_read_compose(const char *text, const struct gen_program_request *request,
                             int *steps);
/* Compiles the job's file, and prints or saves what is asked for; what is refused goes to stderr.
 * Returns the exit status: 0; 1, the file was rejected; 3, the output cannot be written. */
int gen_run_program_request(struct gen_program_job *job, const struct gen_program_request *request);

#endif
