/* The command line of `gmg` (solving) and `gmg make`. */
#ifndef GMG_IO_ARGUMENTS_H
#define GMG_IO_ARGUMENTS_H

#include "failure.h"

enum { MOST_SOLVER_OPTIONS = 64 };

/* Texts are views of the command line; NULL where an option was not given. */
struct arguments {
  const char *input, *output, *report, *isa;
  int threads; /* 0: the OpenMP default */
  int check, quiet, help, version;
  int solver_options; /* checked name-value pairs for gmg_solver_set_option */
  const char *solver_name[MOST_SOLVER_OPTIONS], *solver_value[MOST_SOLVER_OPTIONS];
};

/* words: what follows the program's name. Errors: STATUS_INPUT. */
int arguments_parse(int count, char **words, struct arguments *arguments, struct failure *failure);
void arguments_help(void);

/* One option of any verb. kind: a flag takes no value. */
enum option_kind { OPTION_FLAG, OPTION_VALUE, OPTION_LATER };
struct option {
  const char *name; /* without "--" */
  enum option_kind kind;
  const char *placeholder, *help;
};
/* Calls take(user, option index, value) for every word that is an option of the table, as "--name value" or
 * "--name=value"; refuses all others with the nearest known one. take returns 0, or records a failure. */
int arguments_scan(int count, char **words, const struct option *options, int option_count,
                   int (*take)(void *user, int option, const char *value, struct failure *failure), void *user,
                   struct failure *failure);
void arguments_print(const struct option *options, int option_count);
/* A whole number >= least. */
int arguments_integer(const char *name, const char *text, long least, long most, int *value, struct failure *failure);

#endif
