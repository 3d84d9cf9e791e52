#include "arguments.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "names.h"
#include "options.h"

enum { MOST_OPTIONS = 64, LONGEST_OPTION = 80 };

enum program_option {
  TAKE_INPUT,
  TAKE_OUTPUT,
  TAKE_REPORT,
  TAKE_CHECK,
  TAKE_QUIET,
  TAKE_THREADS,
  TAKE_ISA,
  TAKE_WISDOM,
  TAKE_HELP,
  TAKE_VERSION,
  PROGRAM_OPTIONS
};
static const struct option program_options[PROGRAM_OPTIONS] = {
  [TAKE_INPUT] = {"input", OPTION_VALUE, "FILE.h5", "the problem to solve"},
  [TAKE_OUTPUT] = {"output", OPTION_VALUE, "FILE.h5",
                   "where the solution goes; default: the input's name with .solution.h5"},
  [TAKE_REPORT] = {"report", OPTION_VALUE, "FILE.json", "write what was done, as JSON"},
  [TAKE_CHECK] = {"check", OPTION_FLAG, "", "read and validate the problem, solve nothing"},
  [TAKE_QUIET] = {"quiet", OPTION_FLAG, "", "print nothing but errors"},
  [TAKE_THREADS] = {"threads", OPTION_VALUE, "N", "OpenMP threads per rank; default: OpenMP's"},
  [TAKE_ISA] = {"isa", OPTION_VALUE, "NAME", "instruction set of the kernels; default auto, see gmg info"},
  [TAKE_WISDOM] = {"wisdom", OPTION_LATER, "", "--wisdom is not available in this version: kernels are not tuned yet"},
  [TAKE_HELP] = {"help", OPTION_FLAG, "", "this text"},
  [TAKE_VERSION] = {"version", OPTION_FLAG, "", "print the version"},
};

static int unknown_option(const char *word, const struct option *options, int option_count, struct failure *failure)
{
  const char *known[MOST_OPTIONS];
  char nearest[LONGEST_OPTION + 40], name[LONGEST_OPTION];
  int count = option_count < MOST_OPTIONS ? option_count : MOST_OPTIONS;
  for (int n = 0; n < count; n++)
    known[n] = options[n].name;
  snprintf(name, sizeof name, "%.*s", (int)strcspn(word + 2, "="), word + 2);
  int found = gmg_nearest_name(name, known, count, sizeof *known);
  if (found < 0)
    return failure_set(failure, STATUS_INPUT, "unknown option --%s; gmg --help lists all", name);
  snprintf(nearest, sizeof nearest, "--%s", known[found]);
  return failure_set(failure, STATUS_INPUT, "unknown option --%s; the nearest is %s", name, nearest);
}

int arguments_scan(int count, char **words, const struct option *options, int option_count,
                   int (*take)(void *user, int option, const char *value, struct failure *failure), void *user,
                   struct failure *failure)
{
  for (int w = 0; w < count; w++) {
    const char *word = words[w];
    if (strncmp(word, "--", 2) != 0 || !word[2])
      return failure_set(failure, STATUS_INPUT, "'%s' is not an option%s", word,
                         strstr(word, ".h5") ? "; a file is given by --input FILE" : "; gmg --help lists them");
    size_t length = strcspn(word + 2, "=");
    int found = -1;
    for (int n = 0; n < option_count && found < 0; n++)
      if (strlen(options[n].name) == length && strncmp(options[n].name, word + 2, length) == 0)
        found = n;
    if (found < 0)
      return unknown_option(word, options, option_count, failure);
    const char *value = word[2 + length] ? word + 3 + length : NULL;
    if (options[found].kind == OPTION_LATER)
      return failure_set(failure, STATUS_INPUT, "%s", options[found].help);
    if (options[found].kind == OPTION_FLAG && value)
      return failure_set(failure, STATUS_INPUT, "option --%s takes no value", options[found].name);
    if (options[found].kind == OPTION_VALUE && !value) {
      if (w + 1 == count)
        return failure_set(failure, STATUS_INPUT, "option --%s needs a value", options[found].name);
      value = words[++w];
    }
    if (take(user, found, value, failure))
      return failure->status;
  }
  return 0;
}

int arguments_integer(const char *name, const char *text, long least, long most, int *value, struct failure *failure)
{
  char *end;
  errno = 0;
  long found = strtol(text, &end, 10);
  if (end == text || *end || errno || found < least || found > most)
    return failure_set(failure, STATUS_INPUT, "--%s: '%s' is not a whole number from %ld to %ld", name, text, least,
                       most);
  *value = (int)found;
  return 0;
}

struct taker {
  struct arguments *arguments;
  struct gmg_options checked; /* the solver's options, to find bad values before anything is read */
};

static int take_solver_option(struct taker *taker, const struct gmg_option *option, const char *value,
                              struct failure *failure)
{
  struct arguments *arguments = taker->arguments;
  char message[500];
  if (gmg_options_set(&taker->checked, option->name, value, message, sizeof message) != GMG_OK)
    return failure_set(failure, STATUS_INPUT, "--%s", message);
  if (arguments->solver_options == MOST_SOLVER_OPTIONS)
    return failure_set(failure, STATUS_INPUT, "more than %d options", MOST_SOLVER_OPTIONS);
  arguments->solver_name[arguments->solver_options] = option->name;
  arguments->solver_value[arguments->solver_options++] = value;
  return 0;
}

static int take_option(void *user, int option, const char *value, struct failure *failure)
{
  struct taker *taker = user;
  struct arguments *arguments = taker->arguments;
  if (option >= PROGRAM_OPTIONS)
    return take_solver_option(taker, &gmg_option_table[option - PROGRAM_OPTIONS], value, failure);
  switch ((enum program_option)option) {
  case TAKE_INPUT:
    arguments->input = value;
    break;
  case TAKE_OUTPUT:
    arguments->output = value;
    break;
  case TAKE_REPORT:
    arguments->report = value;
    break;
  case TAKE_CHECK:
    arguments->check = 1;
    break;
  case TAKE_QUIET:
    arguments->quiet = 1;
    break;
  case TAKE_THREADS:
    return arguments_integer("threads", value, 1, 4096, &arguments->threads, failure);
  case TAKE_ISA:
    arguments->isa = value;
    break;
  case TAKE_HELP:
    arguments->help = 1;
    break;
  case TAKE_VERSION:
    arguments->version = 1;
    break;
  case TAKE_WISDOM:
  case PROGRAM_OPTIONS:
    break;
  }
  return 0;
}

/* The program's options, then the solver's. */
static int all_options(struct option *options)
{
  int count = 0;
  for (; count < PROGRAM_OPTIONS; count++)
    options[count] = program_options[count];
  for (int n = 0; n < gmg_option_count && count < MOST_OPTIONS; n++)
    options[count++] = (struct option){gmg_option_table[n].name, OPTION_VALUE, "", gmg_option_table[n].help};
  return count;
}

int arguments_parse(int count, char **words, struct arguments *arguments, struct failure *failure)
{
  struct option options[MOST_OPTIONS];
  int option_count = all_options(options);
  struct taker taker = {.arguments = arguments};
  memset(arguments, 0, sizeof *arguments);
  gmg_options_default(&taker.checked);
  return arguments_scan(count, words, options, option_count, take_option, &taker, failure);
}

void arguments_print(const struct option *options, int option_count)
{
  for (int n = 0; n < option_count; n++) {
    char left[LONGEST_OPTION];
    snprintf(left, sizeof left, "--%s %s", options[n].name, options[n].placeholder);
    if (options[n].kind != OPTION_LATER)
      printf("  %-22s %s\n", left, options[n].help);
  }
}

/* Words of a choice that this version has: "v", "none|cg". */
static void choices(const char *allowed, char *text, size_t size)
{
  size_t used = 0;
  text[0] = 0;
  while (*allowed && used < size) {
    size_t length = strcspn(allowed, "|");
    if (*allowed != '!')
      used += (size_t)snprintf(text + used, size - used, "%s%.*s", used ? "|" : "", (int)length, allowed);
    allowed += length + (allowed[length] == '|');
  }
}

void arguments_help(void)
{
  printf("gmg %s solves  a alpha u - b div(beta grad u) = f  on a box by geometric multigrid.\n\n"
         "  gmg --input problem.h5 [options]     solve; writes problem.solution.h5 and .xdmf\n"
         "  gmg make --case NAME --cells N       make a problem file; gmg make --help\n"
         "  gmg info                             what this build has and uses\n"
         "  mpirun -n N gmg ...                  the same on N ranks\n\n",
         GMG_VERSION);
  arguments_print(program_options, PROGRAM_OPTIONS);
  printf("\nThe solver:\n");
  for (int n = 0; n < gmg_option_count; n++) {
    const struct gmg_option *option = &gmg_option_table[n];
    char left[LONGEST_OPTION], words[LONGEST_OPTION] = "";
    if (option->type == GMG_OPTION_CHOICE)
      choices(option->allowed, words, sizeof words);
    snprintf(left, sizeof left, "--%s %.60s", option->name,
             option->type == GMG_OPTION_CHOICE     ? words
               : option->type == GMG_OPTION_NAME   ? "NAME"
               : option->type == GMG_OPTION_TRIPLE ? "X,Y,Z"
                                                   : "N");
    printf("  %-38s %s [%s]\n", left, option->help, option->initial);
  }
  printf("\nExit status: 0 converged, 1 not converged (the solution is written and marked), 2 bad arguments or input,\n"
         "3 a failure of the machine while running.\n");
}
