#include "arguments.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "problem/options.h"

enum { MOST_OPTIONS = 64, LONGEST_OPTION = 80 };

enum program_option {
  TAKE_INPUT,
  TAKE_OUTPUT,
  TAKE_REPORT,
  TAKE_OPTIONS,
  TAKE_SAVE,
  TAKE_CHECK,
  TAKE_STRICT,
  TAKE_QUIET,
  TAKE_THREADS,
  TAKE_ISA,
  TAKE_WISDOM,
  TAKE_HELP,
  TAKE_VERSION,
  PROGRAM_OPTIONS
};
static const struct option program_options[PROGRAM_OPTIONS] = {
  [TAKE_INPUT] = {"input", OPTION_WORD, "FILE.h5", "the problem to solve; --input may be left out"},
  [TAKE_OUTPUT] = {"output", OPTION_VALUE, "FILE.h5",
                   "where the solution goes; default: the input's name with .solution.h5"},
  [TAKE_REPORT] = {"report", OPTION_VALUE, "FILE.json", "write what was done, as JSON"},
  [TAKE_OPTIONS] = {"options", OPTION_FILE, "FILE",
                    "more options: \"name value\" on each line; # begins a comment"},
  [TAKE_SAVE] = {"save-problem", OPTION_VALUE, "FILE.h5",
                 "write what the solver was called with: replays the solve"},
  [TAKE_CHECK] = {"check", OPTION_FLAG, "", "read and validate the problem, solve nothing"},
  [TAKE_STRICT] = {"strict", OPTION_FLAG, "",
                   "exit with 1 too where the tolerance is beyond what double precision holds"},
  [TAKE_QUIET] = {"quiet", OPTION_FLAG, "", "print nothing but errors"},
  [TAKE_THREADS] = {"threads", OPTION_VALUE, "N", "OpenMP threads per rank; default: OpenMP's"},
  [TAKE_ISA] = {"isa", OPTION_VALUE, "NAME",
                "instruction set of the kernels; default auto, see gmg info"},
  [TAKE_WISDOM] = {"wisdom", OPTION_VALUE, "FILE", ARGUMENTS_WISDOM_HELP},
  [TAKE_HELP] = {"help", OPTION_FLAG, "", "this text"},
  [TAKE_VERSION] = {"version", OPTION_FLAG, "", "print the version"},
};

struct table {
  const struct option *option;
  int count;
  option_take *take;
  void *user;
};

/* Index of the option of this name; value (may be NULL) must be there if and only if it takes one,
 * or follow. */
static int find_option(const struct table *table, const char *name, const char *value, int follows,
                       struct failure *failure)
{
  int found = 0;
  while (found < table->count && strcmp(table->option[found].name, name) != 0)
    found++;
  const struct option *option = &table->option[found];
  if (found == table->count) {
    const int nearest =
      gmg_nearest_name(name, &table->option->name, table->count, sizeof *table->option);
    if (nearest < 0)
      failure_set(failure, STATUS_INPUT, "unknown option --%s; gmg --help lists all", name);
    else
      failure_set(failure, STATUS_INPUT, "unknown option --%s; the nearest is --%s", name,
                  table->option[nearest].name);
  } else if (option->kind == OPTION_FLAG && value)
    failure_set(failure, STATUS_INPUT, "option --%s takes no value", name);
  else if (option->kind != OPTION_FLAG && !value && !follows)
    failure_set(failure, STATUS_INPUT, "option --%s needs a value", name);
  return failure->status ? -1 : found;
}

static int take_file(const struct table *table, const char *path, struct options_file *file,
                     struct failure *failure)
{
  if (options_file_read(path, file, failure))
    return failure->status;
  for (int n = 0; n < file->count; n++) {
    const struct options_line *line = &file->line[n];
    const int found = find_option(table, line->name, line->value, 0, failure);
    if (found >= 0 && table->option[found].kind == OPTION_FILE)
      failure_set(failure, STATUS_INPUT, "a file of options names no other");
    else if (found >= 0)
      table->take(table->user, found, line->value, failure);
    if (failure->status) {
      failure_place(failure, path, line->number);
      return failure->status;
    }
  }
  return 0;
}

/* Name and value of a word: what it stands for where it is no option by name. */
static int name_word(const struct table *table, const char *word, char name[LONGEST_OPTION],
                     const char **value, struct failure *failure)
{
  const char *equals = strchr(word, '=');
  *value = equals ? equals + 1 : NULL;
  if (strncmp(word, "--", 2) == 0 && word[2]) {
    snprintf(name, LONGEST_OPTION, "%.*s", (int)strcspn(word + 2, "="), word + 2);
    return 0;
  }
  *value = NULL;
  if (strcmp(word, "-h") == 0) {
    snprintf(name, LONGEST_OPTION, "help");
    return 0;
  }
  for (int n = 0; n < table->count && word[0] != '-'; n++)
    if (table->option[n].kind == OPTION_WORD) {
      snprintf(name, LONGEST_OPTION, "%s", table->option[n].name);
      *value = word;
      return 0;
    }
  return failure_set(failure, STATUS_INPUT, "'%s' is not an option; gmg --help lists them", word);
}

/* One pass over the words: the options of kind OPTION_FILE, or all the others. */
static int scan(int count, char **words, const struct table *table, int files,
                struct options_file *file, struct failure *failure)
{
  int seen = 0;
  for (int w = 0; w < count && !failure->status; w++) {
    char name[LONGEST_OPTION];
    const char *value;
    if (name_word(table, words[w], name, &value, failure))
      return failure->status;
    const int found = find_option(table, name, value, w + 1 < count, failure);
    if (found < 0)
      return failure->status;
    if (!value && table->option[found].kind != OPTION_FLAG)
      value = words[++w];
    if ((table->option[found].kind == OPTION_FILE) != files)
      continue;
    if ((files || table->option[found].kind == OPTION_WORD) && seen++)
      return failure_set(failure, STATUS_INPUT, "option --%s is there twice%s", name,
                         files ? "" : ", once perhaps as a word without it");
    if (files)
      take_file(table, value, file, failure);
    else
      table->take(table->user, found, value, failure);
  }
  return failure->status;
}

int arguments_scan(int count, char **words, const struct option *options, int option_count,
                   option_take *take, void *user, struct options_file *file,
                   struct failure *failure)
{
  const struct table table = {options, option_count, take, user};
  *file = (struct options_file){0};
  return scan(count, words, &table, 1, file, failure)
      || scan(count, words, &table, 0, file, failure)
    ? failure->status
    : 0;
}

int arguments_integer(const char *name, const char *text, long least, long most, int *value,
                      struct failure *failure)
{
  char *end;
  if (!text)
    return 0;
  errno = 0;
  long found = strtol(text, &end, 10);
  if (end == text || *end || errno || found < least || found > most)
    return failure_set(failure, STATUS_INPUT, "--%s: '%s' is not a whole number from %ld to %ld",
                       name, text, least, most);
  *value = (int)found;
  return 0;
}

struct taker {
  struct arguments *arguments;
  const struct option *options;
  const char *given[PROGRAM_OPTIONS]; /* "" for a flag */
  struct gmg_options checked; /* the solver's options, to find bad values before anything is read */
};

static int take_option(void *user, int option, const char *value, struct failure *failure)
{
  struct taker *taker = user;
  struct arguments *arguments = taker->arguments;
  const char *name = taker->options[option].name;
  char message[500];
  if (option < PROGRAM_OPTIONS) {
    taker->given[option] = value ? value : "";
    return option == TAKE_THREADS
      ? arguments_integer(name, value, 1, 4096, &arguments->threads, failure)
      : 0;
  }
  if (option < PROGRAM_OPTIONS + gmg_option_count
      && gmg_options_set(&taker->checked, name, value, message, sizeof message) != GMG_OK)
    return failure_set(failure, STATUS_INPUT, "--%s", message);
  if (arguments->solver_options == MOST_SOLVER_OPTIONS)
    return failure_set(failure, STATUS_INPUT, "more than %d options", MOST_SOLVER_OPTIONS);
  arguments->solver_name[arguments->solver_options] = name;
  arguments->solver_value[arguments->solver_options++] = value;
  return 0;
}

/* The program's options, then the solver's, then those that were withdrawn. */
static int all_options(struct option *options)
{
  int count = 0;
  for (; count < PROGRAM_OPTIONS; count++)
    options[count] = program_options[count];
  for (int n = 0; n < gmg_option_count && count < MOST_OPTIONS; n++)
    options[count++] =
      (struct option){gmg_option_table[n].name, OPTION_VALUE, "", gmg_option_table[n].help};
  for (int n = 0; n < gmg_withdrawn_option_count && count < MOST_OPTIONS; n++)
    options[count++] = (struct option){gmg_withdrawn_options[n].name, OPTION_VALUE, "", ""};
  return count;
}

int arguments_parse(int count, char **words, struct arguments *arguments, struct failure *failure)
{
  struct option options[MOST_OPTIONS];
  int option_count = all_options(options);
  struct taker taker = {.arguments = arguments, .options = options};
  const char *const *given = taker.given;
  memset(arguments, 0, sizeof *arguments);
  gmg_options_default(&taker.checked);
  arguments_scan(count, words, options, option_count, take_option, &taker, &arguments->file,
                 failure);
  arguments->input = given[TAKE_INPUT];
  arguments->output = given[TAKE_OUTPUT];
  arguments->report = given[TAKE_REPORT];
  arguments->save_problem = given[TAKE_SAVE];
  arguments->check = given[TAKE_CHECK] != NULL;
  arguments->strict = given[TAKE_STRICT] != NULL;
  arguments->quiet = given[TAKE_QUIET] != NULL;
  arguments->isa = given[TAKE_ISA];
  arguments->wisdom = given[TAKE_WISDOM];
  arguments->help = given[TAKE_HELP] != NULL;
  arguments->version = given[TAKE_VERSION] != NULL;
  return failure->status;
}

void arguments_clear(struct arguments *arguments)
{
  options_file_clear(&arguments->file);
}

void arguments_print(const struct option *options, int option_count)
{
  for (int n = 0; n < option_count; n++) {
    char left[LONGEST_OPTION];
    snprintf(left, sizeof left, "--%s %s", options[n].name, options[n].placeholder);
    printf("  %-22s %s\n", left, options[n].help);
  }
}

void arguments_help(void)
{
  printf("gmg %s solves  a alpha u - b div(beta grad u) = f  on a box by geometric multigrid.\n\n"
         "  gmg problem.h5 [options]             solve; writes problem.solution.h5 and .xdmf\n"
         "  gmg make --case NAME --cells N       make a problem file; gmg make --help\n"
         "  gmg tune [problem.h5]                find the fastest choices here; gmg tune --help\n"
         "  gmg bench --cells N                  how near the machine's limits; gmg bench --help\n"
         "  gmg info                             what this build has and uses\n"
         "  mpirun -n N gmg ...                  the same on N ranks\n\n",
         GMG_VERSION);
  arguments_print(program_options, PROGRAM_OPTIONS);
  printf("\nThe solver:\n");
  for (int n = 0; n < gmg_option_count; n++) {
    const struct gmg_option *option = &gmg_option_table[n];
    char left[LONGEST_OPTION];
    snprintf(left, sizeof left, "--%s %.60s", option->name,
             option->type == GMG_OPTION_CHOICE     ? option->allowed
               : option->type == GMG_OPTION_NAME   ? "NAME"
               : option->type == GMG_OPTION_TRIPLE ? "X,Y,Z"
                                                   : "N");
    printf("  %-38s %s [%s]\n", left, option->help, option->initial);
  }
  printf("\nExit status: 0 converged, 1 not converged (the solution is written and marked), 2 bad "
         "arguments or input,\n"
         "3 a failure of the machine while running, 130 interrupted (the solution as it is then is "
         "written and marked).\n"
         "The first interrupt or request to terminate, without mpirun, ends the solve after its "
         "cycle, the second at once.\n");
}
