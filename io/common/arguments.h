/* The command line of `gmg` (solving) and `gmg make`. */
#ifndef GMG_IO_ARGUMENTS_H
#define GMG_IO_ARGUMENTS_H

#include "failure.h"
#include "options_file.h"

enum { MOST_SOLVER_OPTIONS = 64 };
#define ARGUMENTS_NO_WISDOM "none"
#define ARGUMENTS_WISDOM_HELP \
  "choices of gmg tune to use besides the user's own file; none: those of no file"

/* Texts are views of the command line; NULL where an option was not given. */
struct arguments {
  const char *input, *output, *report, *save_problem, *isa;
  const char *wisdom; /* a file, or ARGUMENTS_NO_WISDOM */
  int threads;        /* 0: the OpenMP default */
  int check, strict, quiet, help, version;
  int solver_options; /* checked name-value pairs for gmg_solver_set_option */
  const char *solver_name[MOST_SOLVER_OPTIONS], *solver_value[MOST_SOLVER_OPTIONS];
  struct options_file file; /* whose texts they may be */
};

/* words: what follows the program's name. Errors: STATUS_INPUT. Calls: collective. */
int arguments_parse(int count, char **words, struct arguments *arguments, struct failure *failure);
void arguments_clear(struct arguments *arguments);
void arguments_help(void);

/* One option of any verb. kind: a flag takes no value; a file holds more options; the name of
 * OPTION_WORD may be left out. */
enum option_kind { OPTION_FLAG, OPTION_VALUE, OPTION_WORD, OPTION_FILE };
struct option {
  const char *name; /* without "--" */
  enum option_kind kind;
  const char *placeholder, *help;
};
typedef int option_take(void *user, int option, const char *value, struct failure *failure);
/* Calls take(user, option index, value) for every word that is an option of the table, as "--name
 * value" or
 * "--name=value" ("-h" is "--help"; a word that is none is the value of the first option of kind
 * OPTION_WORD), after those of a file that one of them names; refuses all others with the nearest
 * known one. take returns 0, or records a failure. Memory: gives file, which holds the texts of its
 * options. Calls: collective. */
int arguments_scan(int count, char **words, const struct option *options, int option_count,
                   option_take *take, void *user, struct options_file *file,
                   struct failure *failure);
void arguments_print(const struct option *options, int option_count);
/* A whole number from `least` to `most`; text: NULL leaves the value as it is. */
int arguments_integer(const char *name, const char *text, long least, long most, int *value,
                      struct failure *failure);

#endif
