#include "bench_request.h"

#include <stdio.h>
#include <string.h>

#include "problem/options.h"

enum bench_option {
  BENCH_INPUT,
  BENCH_OUTPUT,
  BENCH_PLOT,
  BENCH_LEVELS,
  BENCH_REPEATS,
  BENCH_SECONDS,
  BENCH_THREADS,
  BENCH_ISA,
  BENCH_FILE,
  BENCH_QUIET,
  BENCH_HELP,
  BENCH_CELLS, /* from here on: those of gmg make */
  BENCH_CASE,
  BENCH_BOUNDARY,
  BENCH_ASPECT,
  BENCH_STRETCH,
  BENCH_RATIO,
  BENCH_SEED,
  BENCH_OPTIONS
};
static const struct option bench_options[BENCH_OPTIONS] = {
  [BENCH_INPUT] = {"input", OPTION_WORD, "FILE.h5", "the problem; --input may be left out"},
  [BENCH_OUTPUT] = {"output", OPTION_VALUE, "FILE.json", "write all that is printed, and more"},
  [BENCH_PLOT] = {"plot", OPTION_VALUE, "FILE.png",
                  "draw the kernels under the roofs; needs Python with matplotlib"},
  [BENCH_LEVELS] = {"levels", OPTION_VALUE, "FILE.png", "draw the time of each level by kernel"},
  [BENCH_REPEATS] = {"repeats", OPTION_VALUE, "N",
                     "solves, of which the fastest is told of; default 3, after one to warm up"},
  [BENCH_SECONDS] = {"seconds", OPTION_VALUE, "N", "to measure the roofs for; default 5"},
  [BENCH_THREADS] = {"threads", OPTION_VALUE, "N", "OpenMP threads per rank; default: OpenMP's"},
  [BENCH_ISA] = {"isa", OPTION_VALUE, "NAME", "instruction set of the kernels; default auto"},
  [BENCH_FILE] = {"options", OPTION_FILE, "FILE",
                  "more options: \"name value\" on each line; # begins a comment"},
  [BENCH_QUIET] = {"quiet", OPTION_FLAG, "", "print nothing but errors"},
  [BENCH_HELP] = {"help", OPTION_FLAG, "", "this text"},
  [BENCH_CELLS] = {"cells", OPTION_VALUE, "NX,NY,NZ",
                   "a problem of so many cells, made in memory; one number for a cube"},
  [BENCH_CASE] = {"case", OPTION_VALUE, "NAME", "which one; default smooth"},
  [BENCH_BOUNDARY] = {"boundary", OPTION_VALUE, "KIND", "this and those below: as in gmg make"},
  [BENCH_ASPECT] = {"aspect", OPTION_VALUE, "X,Y,Z", "ratio of the spacings"},
  [BENCH_STRETCH] = {"stretch", OPTION_VALUE, "X,Y,Z", "each cell's width over the one before"},
  [BENCH_RATIO] = {"ratio", OPTION_VALUE, "R", "of a beta that jumps"},
  [BENCH_SEED] = {"seed", OPTION_VALUE, "N", "of random numbers"},
};

struct taker {
  struct bench_request *request;
  const char *given[BENCH_OPTIONS];
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
  if (option >= BENCH_OPTIONS)
    return take_solver_option(&taker->request->arguments,
                              gmg_option_table[option - BENCH_OPTIONS].name, value, failure);
  taker->given[option] = value ? value : "";
  return 0;
}

/* The problem that gmg make would write. */
static int parse_make(const struct taker *taker, struct failure *failure)
{
  enum { WORDS = 2 * (BENCH_OPTIONS - BENCH_CELLS), LONGEST = 40 };
  static char name[WORDS][LONGEST], smooth[] = "smooth";
  char *words[WORDS];
  int count = 0;
  for (int option = BENCH_CELLS; option < BENCH_OPTIONS; option++) {
    const char *value = taker->given[option];
    if (!value && option != BENCH_CASE)
      continue;
    snprintf(name[count], LONGEST, "--%s", bench_options[option].name);
    words[count] = name[count];
    words[count + 1] = value ? (char *)value : smooth; /* it is only read */
    count += 2;
  }
  taker->request->has_make = 1;
  return make_request_parse(count, words, &taker->request->make, failure);
}

static int check_problem(const struct taker *taker, struct failure *failure)
{
  const char *input = taker->given[BENCH_INPUT];
  if (!input && !taker->given[BENCH_CELLS] && !taker->given[BENCH_CASE])
    return failure_set(
      failure, STATUS_INPUT,
      "gmg bench needs a problem: a file, or --cells N; gmg bench --help says more");
  for (int option = BENCH_CELLS; option < BENCH_OPTIONS && input; option++)
    if (taker->given[option])
      return failure_set(failure, STATUS_INPUT,
                         "--%s makes a problem, and there is one already, %s; expected one of them",
                         bench_options[option].name, input);
  if (!input)
    return parse_make(taker, failure);
  return 0;
}

static int take_numbers(const struct taker *taker, struct failure *failure)
{
  struct bench_request *request = taker->request;
  const char *repeats = taker->given[BENCH_REPEATS], *seconds = taker->given[BENCH_SECONDS],
             *threads = taker->given[BENCH_THREADS];
  int whole = 5;
  request->repeats = 3;
  if ((repeats && arguments_integer("repeats", repeats, 1, 10000, &request->repeats, failure))
      || (seconds && arguments_integer("seconds", seconds, 1, 3600, &whole, failure))
      || (threads
          && arguments_integer("threads", threads, 1, 4096, &request->arguments.threads, failure)))
    return failure->status;
  request->roof_seconds = whole;
  return 0;
}

int bench_request_parse(int count, char **words, struct bench_request *request,
                        struct failure *failure)
{
  enum { MOST = 80 };
  struct option options[MOST];
  int known = 0;
  struct taker taker = {.request = request};
  memset(request, 0, sizeof *request);
  for (; known < BENCH_OPTIONS; known++)
    options[known] = bench_options[known];
  for (int n = 0; n < gmg_option_count && known < MOST; n++)
    options[known++] =
      (struct option){gmg_option_table[n].name, OPTION_VALUE, "", gmg_option_table[n].help};
  if (arguments_scan(count, words, options, known, take, &taker, &request->arguments.file, failure))
    return failure->status;
  request->output = taker.given[BENCH_OUTPUT];
  request->plot = taker.given[BENCH_PLOT];
  request->levels = taker.given[BENCH_LEVELS];
  request->arguments.input = taker.given[BENCH_INPUT];
  request->arguments.isa = taker.given[BENCH_ISA];
  request->arguments.quiet = taker.given[BENCH_QUIET] != NULL;
  request->arguments.help = taker.given[BENCH_HELP] != NULL;
  if (!request->arguments.help && !take_numbers(&taker, failure))
    check_problem(&taker, failure);
  return failure->status;
}

void bench_request_clear(struct bench_request *request)
{
  if (request->has_make)
    make_request_clear(&request->make);
  arguments_clear(&request->arguments);
}

void bench_request_help(void)
{
  printf("gmg bench measures how fast this machine can move data and compute, solves a problem, "
         "and says for\neach level and kernel how near it comes.\n\n"
         "  gmg bench problem.h5 [options]\n"
         "  gmg bench --cells 256 [options]\n\n");
  arguments_print(bench_options, BENCH_OPTIONS);
  printf("\nThe options of the solver, as gmg --help lists them, are taken too.\n"
         "\nExit status: 0 also where plots could not be drawn (a line says why), 1 a solve did "
         "not converge,\n2 bad arguments or input, 3 a failure of the machine while running.\n");
}
