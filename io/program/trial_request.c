#include "trial_request.h"

#include <stdio.h>
#include <string.h>

#include "problem/options.h"

enum trial_option {
  TRIAL_INPUT,
  TRIAL_THREADS,
  TRIAL_ISA,
  TRIAL_FILE,
  TRIAL_QUIET,
  TRIAL_HELP,
  TRIAL_CELLS, /* from here on: those of gmg make */
  TRIAL_CASE,
  TRIAL_BOUNDARY,
  TRIAL_ASPECT,
  TRIAL_STRETCH,
  TRIAL_RATIO,
  TRIAL_SEED,
  TRIAL_OPTIONS
};
static const struct option trial_options[TRIAL_OPTIONS] = {
  [TRIAL_INPUT] = {"input", OPTION_WORD, "FILE.h5", "the problem; --input may be left out"},
  [TRIAL_THREADS] = {"threads", OPTION_VALUE, "N", "OpenMP threads per rank; default: OpenMP's"},
  [TRIAL_ISA] = {"isa", OPTION_VALUE, "NAME", "instruction set of the kernels; default auto"},
  [TRIAL_FILE] = {"options", OPTION_FILE, "FILE",
                  "more options: \"name value\" on each line; # begins a comment"},
  [TRIAL_QUIET] = {"quiet", OPTION_FLAG, "", "print nothing but errors"},
  [TRIAL_HELP] = {"help", OPTION_FLAG, "", "this text"},
  [TRIAL_CELLS] = {"cells", OPTION_VALUE, "NX,NY,NZ",
                   "a problem of so many cells, made in memory; one number for a cube"},
  [TRIAL_CASE] = {"case", OPTION_VALUE, "NAME", "which one; default smooth"},
  [TRIAL_BOUNDARY] = {"boundary", OPTION_VALUE, "KIND", "this and those below: as in gmg make"},
  [TRIAL_ASPECT] = {"aspect", OPTION_VALUE, "X,Y,Z", "ratio of the spacings"},
  [TRIAL_STRETCH] = {"stretch", OPTION_VALUE, "X,Y,Z", "each cell's width over the one before"},
  [TRIAL_RATIO] = {"ratio", OPTION_VALUE, "R", "of a beta that jumps"},
  [TRIAL_SEED] = {"seed", OPTION_VALUE, "N", "of random numbers"},
};

struct taker {
  struct trial_request *request;
  int own_count;
  const char **own;
  const char *given[TRIAL_OPTIONS];
};

static int take_solver_option(struct arguments *arguments, const char *name, const char *value,
                              struct failure *failure)
{
  struct gmg_options checked;
  char message[500];
  gmg_options_default(&checked);
  if (gmg_options_set(&checked, name, value, message, sizeof message) != GMG_OK)
    return failure_set(failure, STATUS_INPUT, "--%s", message);
  if (arguments->solver_options == MOST_SOLVER_OPTIONS)
    return failure_set(failure, STATUS_INPUT, "more than %d options", MOST_SOLVER_OPTIONS);
  arguments->solver_name[arguments->solver_options] = name;
  arguments->solver_value[arguments->solver_options++] = value;
  return 0;
}

static int take(void *user, int option, const char *value, struct failure *failure)
{
  struct taker *taker = user;
  const int shared = option - taker->own_count;
  if (shared >= TRIAL_OPTIONS)
    return take_solver_option(&taker->request->arguments,
                              gmg_option_table[shared - TRIAL_OPTIONS].name, value, failure);
  if (shared >= 0)
    taker->given[shared] = value ? value : "";
  else
    taker->own[option] = value ? value : "";
  return 0;
}

/* The problem that gmg make would write. */
static int parse_make(const struct taker *taker, struct failure *failure)
{
  enum { WORDS = 2 * (TRIAL_OPTIONS - TRIAL_CELLS), LONGEST = 40 };
  static char name[WORDS][LONGEST], smooth[] = "smooth";
  char *words[WORDS];
  int count = 0;
  for (int option = TRIAL_CELLS; option < TRIAL_OPTIONS; option++) {
    const char *value = taker->given[option];
    if (!value && option != TRIAL_CASE)
      continue;
    snprintf(name[count], LONGEST, "--%s", trial_options[option].name);
    words[count] = name[count];
    words[count + 1] = value ? (char *)value : smooth; /* it is only read */
    count += 2;
  }
  taker->request->has_make = 1;
  return make_request_parse(count, words, &taker->request->make, failure);
}

int trial_request_cube(const char *kind, int cells, struct make_request *make,
                       struct failure *failure)
{
  char number[20], case_option[] = "--case", cells_option[] = "--cells";
  snprintf(number, sizeof number, "%d", cells);
  char *words[] = {case_option, (char *)kind, cells_option, number}; /* they are only read */
  return make_request_parse(4, words, make, failure);
}

static int find_problem(const struct taker *taker, struct failure *failure)
{
  const char *input = taker->given[TRIAL_INPUT];
  int any = 0;
  for (int option = TRIAL_CELLS; option < TRIAL_OPTIONS; option++) {
    any |= taker->given[option] != NULL;
    if (taker->given[option] && input)
      return failure_set(failure, STATUS_INPUT,
                         "--%s makes a problem, and there is one already, %s; expected one of them",
                         trial_options[option].name, input);
  }
  return any ? parse_make(taker, failure) : 0;
}

int trial_request_parse(int count, char **words, const struct option *own, int own_count,
                        const char **given, struct trial_request *request, struct failure *failure)
{
  enum { MOST = 80 };
  struct option options[MOST];
  int known = 0;
  struct taker taker = {.request = request, .own_count = own_count, .own = given};
  struct arguments *arguments = &request->arguments;
  memset(request, 0, sizeof *request);
  for (int n = 0; n < own_count; n++) {
    given[n] = NULL;
    options[known++] = own[n];
  }
  for (int n = 0; n < TRIAL_OPTIONS; n++)
    options[known++] = trial_options[n];
  for (int n = 0; n < gmg_option_count && known < MOST; n++)
    options[known++] =
      (struct option){gmg_option_table[n].name, OPTION_VALUE, "", gmg_option_table[n].help};
  if (arguments_scan(count, words, options, known, take, &taker, &arguments->file, failure))
    return failure->status;
  arguments->input = taker.given[TRIAL_INPUT];
  arguments->isa = taker.given[TRIAL_ISA];
  arguments->quiet = taker.given[TRIAL_QUIET] != NULL;
  arguments->help = taker.given[TRIAL_HELP] != NULL;
  if (arguments->help
      || (taker.given[TRIAL_THREADS]
          && arguments_integer("threads", taker.given[TRIAL_THREADS], 1, 4096, &arguments->threads,
                               failure)))
    return failure->status;
  return find_problem(&taker, failure);
}

void trial_request_clear(struct trial_request *request)
{
  if (request->has_make)
    make_request_clear(&request->make);
  arguments_clear(&request->arguments);
}

void trial_request_print(const struct option *own, int own_count)
{
  arguments_print(own, own_count);
  arguments_print(trial_options, TRIAL_OPTIONS);
  printf("\nThe options of the solver, as gmg --help lists them, are taken too.\n");
}
