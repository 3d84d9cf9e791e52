#include "run_request.h"

#include "prebuilt.h"
#include "rank_list.h"
#include "run_values.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum run_option {
  RUN_PROGRAM,
  RUN_FROM,
  RUN_PLAIN,
  RUN_CELLS,
  RUN_STEPS,
  RUN_SET,
  RUN_INPUT,
  RUN_RESTART,
  RUN_OUTPUT,
  RUN_CHECKPOINT,
  RUN_SERIES,
  RUN_VALUES,
  RUN_REPORT,
  RUN_BOX,
  RUN_WEIGHTS,
  RUN_WORK,
  RUN_TOGETHER,
  RUN_COMPOSE,
  RUN_METHOD,
  RUN_WISDOM,
  RUN_THREADS,
  RUN_ISA,
  RUN_BACKEND,
  RUN_LAUNCH,
  RUN_MESSAGES,
  RUN_OVERLAP,
  RUN_STORES,
  RUN_PER_PASS,
  RUN_COMPILE,
  RUN_CACHE,
  RUN_FILE,
  RUN_QUIET,
  RUN_HELP,
  RUN_OPTIONS
};
static const struct option run_options[RUN_OPTIONS] = {
  [RUN_PROGRAM] = {"program", OPTION_WORD, "FILE.stencil",
                   "the formula file, or what --compile made of it; --program may be left out"},
  [RUN_FROM] = {"from", OPTION_VALUE, "mint|panda",
                "the program is FILE.c, serial C with these directives, and no formula file"},
  [RUN_PLAIN] = {"plain-arithmetic", OPTION_FLAG, "",
                 "operations as they are written, without fma: the bits of a C compiler that does "
                 "not contract"},
  [RUN_CELLS] = {"cells", OPTION_VALUE, "NX,NY,NZ",
                 "cells; one number for a square or cube; default: the file's grid"},
  [RUN_STEPS] = {"steps", OPTION_VALUE, "N",
                 "steps from the start, those before a restart included; default: the file's"},
  [RUN_SET] = {"set", OPTION_VALUE, "A=1,B=2", "values of parameters, in place of the file's"},
  [RUN_INPUT] = {"input", OPTION_VALUE, "FILE.h5", "initial values of arrays, by their names"},
  [RUN_RESTART] = {"restart", OPTION_VALUE, "FILE.h5",
                   "go on from a result or checkpoint of this program"},
  [RUN_OUTPUT] = {"output", OPTION_VALUE, "FILE.h5",
                  "the result; default PROGRAM.result.h5, beside PROGRAM.stencil"},
  [RUN_CHECKPOINT] = {"checkpoint", OPTION_VALUE, "N",
                      "every N steps, write RESULT.checkpoint.h5 anew"},
  [RUN_SERIES] = {"series", OPTION_VALUE, "N",
                  "every N steps, keep a RESULT.STEP.h5; RESULT.xdmf lists them for ParaView"},
  [RUN_VALUES] = {"values", OPTION_VALUE, "N",
                  "every N steps, print and keep what reductions find; default: at the end alone"},
  [RUN_REPORT] = {"report", OPTION_VALUE, "FILE.json", "what was run, and how fast"},
  [RUN_BOX] = {"box", OPTION_VALUE, "N",
               "cells of a box in each direction, about; default: one box per rank, or what wisdom "
               "says"},
  [RUN_WEIGHTS] = {"weights", OPTION_VALUE, "W,W,...",
                   "the ranks' parts of the grid are in these proportions, one rank after the "
                   "other, from the first one anew where there are more; auto: as fast as each is, "
                   "found by trial; default: alike"},
  [RUN_WORK] = {"work", OPTION_VALUE, "N,N,...",
                "for benchmarks: each rank runs every kernel so often, as one that is so much "
                "slower; default 1"},
  [RUN_TOGETHER] = {"steps-per-exchange", OPTION_VALUE, "N",
                    "steps between two exchanges of ghosts, which are deeper then; default 1, or "
                    "what wisdom says"},
  [RUN_COMPOSE] =
    {"compose", OPTION_VALUE, "M",
     "M steps of a linear program as one larger stencil: other rounding, and often faster; on GPUs "
     "where walls only continue arrays (periodic, mirror, value 0); auto: as many as gmg tune "
     "--compose auto has found to be the fastest; default: "
     "none"},
  [RUN_METHOD] =
    {"method", OPTION_VALUE, "NAME",
     "how steps are taken: steps, one after the other; fft, all at once by transforms, "
     "where they are linear with constant weights: other rounding; default steps"},
  [RUN_WISDOM] = {"wisdom", OPTION_VALUE, "FILE",
                  "what gmg tune FILE.stencil has found, to use besides the user's own file; none "
                  "(or off): that of no file"},
  [RUN_THREADS] = {"threads", OPTION_VALUE, "N", "OpenMP threads per rank; default: OpenMP's"},
  [RUN_ISA] = {"isa", OPTION_VALUE, "NAME", "instruction set of the kernels; default auto"},
  [RUN_BACKEND] =
    {"backend", OPTION_VALUE, "NAME",
     "where it runs: auto, openmp, cuda; several, such as cuda,openmp: one rank after "
     "the other; default auto: on a GPU, where there is one"},
  [RUN_LAUNCH] = {"launch", OPTION_VALUE, "NAME",
                  "how a GPU gets its kernels: graphs, or timed: one by one, with their times in "
                  "the report; default graphs"},
  [RUN_MESSAGES] =
    {"device-messages", OPTION_VALUE, "NAME",
     "how ghosts travel between GPUs: auto, host, direct; none, for benchmarks: they do "
     "not, and values are wrong; default auto"},
  [RUN_OVERLAP] = {"overlap", OPTION_VALUE, "NAME",
                   "on GPUs, messages travel while what they do not need is computed: auto (in "
                   "boxes of four million cells and more), always, none; default auto"},
  [RUN_STORES] = {"stores", OPTION_VALUE, "NAME",
                  "on CPUs, one step at a time, what kernels store goes past the caches: auto "
                  "(where arrays are more than those hold), plain, streaming; default auto"},
  [RUN_PER_PASS] = {"steps-per-pass", OPTION_VALUE, "N",
                    "steps that are taken in one pass over memory, with the same bits: 1 to 16, on "
                    "a GPU 1 or 2, or auto: 8 on CPUs, for three dimensions and arrays that are "
                    "more than the caches hold, 2 on a GPU in two dimensions; default auto"},
  [RUN_COMPILE] = {"compile", OPTION_VALUE, "FILE.so",
                   "only compile the program, to a file that gmg run takes in its place"},
  [RUN_CACHE] = {"cache", OPTION_VALUE, "FOLDER",
                 "where compiled programs are kept; default gmg/programs in the user's cache"},
  [RUN_FILE] = {"options", OPTION_FILE, "FILE",
                "more options: \"name value\" on each line; # begins a comment"},
  [RUN_QUIET] = {"quiet", OPTION_FLAG, "", "print nothing but errors"},
  [RUN_HELP] = {"help", OPTION_FLAG, "", "this text"},
};

static int take(void *user, int option, const char *value, struct failure *failure)
{
  const char **given = user;
  (void)failure;
  given[option] = value ? value : "";
  return 0;
}

static int parse_weights(const char *list, struct run_request *request, struct failure *failure)
{
  char word[RANK_LIST_WORD], *end;
  request->find_weights = strcmp(list, "auto") == 0;
  if (request->find_weights)
    return 0;
  for (int n = 0; n < rank_list_count(list); n++) {
    const double weight = strtod(rank_list_item(list, n, word), &end);
    if (end == word || *end || !isfinite(weight) || weight < 0)
      return failure_set(failure, STATUS_INPUT,
                         "--weights: found '%s', expected numbers of at least 0, W,W,..., or auto",
                         list);
    if (n == rank_list_own(list))
      request->weight = weight;
  }
  return rank_list_check("weights", list, failure);
}

/* What --compose asks of the numbers of steps. */
static int check_compose(const struct run_request *request, struct failure *failure)
{
  const struct {
    const char *name;
    int steps;
  } every[] = {
    {"checkpoint", request->checkpoint}, {"series", request->series}, {"values", request->values}};
  if (request->together && request->together != request->compose)
    return failure_set(failure, STATUS_INPUT,
                       "--compose %d exchanges ghosts once in as many steps: found "
                       "--steps-per-exchange %d, expected none, or %d",
                       request->compose, request->together, request->compose);
  for (int n = 0; n < 3; n++)
    if (every[n].steps % request->compose)
      return failure_set(failure, STATUS_INPUT,
                         "--%s: found %d steps, and --compose %d takes so many at a time: expected "
                         "a multiple of %d",
                         every[n].name, every[n].steps, request->compose, request->compose);
  return 0;
}

/* What --method says, and that nothing else contradicts it. */
static int parse_method(const char *method, struct run_request *request, struct failure *failure)
{
  request->leap = strcmp(method, "fft") == 0;
  if (!request->leap && strcmp(method, "steps") != 0)
    return failure_set(failure, STATUS_INPUT, "--method: found '%s', expected steps or fft",
                       method);
  if (request->leap && request->compose)
    return failure_set(failure, STATUS_INPUT,
                       "--method fft takes all steps at once: found --compose %d, expected one of "
                       "them",
                       request->compose);
  if (request->leap && request->backend && strcmp(request->backend, "auto") != 0
      && strcmp(request->backend, "openmp") != 0)
    return failure_set(failure, STATUS_INPUT,
                       "--method fft computes on CPUs: found --backend %s, expected openmp or none",
                       request->backend);
  request->backend = request->leap ? "openmp" : request->backend;
  return 0;
}

/* The ending of what a program is made of. */
static const char *wanted_ending(const struct run_request *request)
{
  return request->from ? ".c" : ".stencil";
}

static int is_source(const struct run_request *request)
{
  const char *wanted = wanted_ending(request);
  const size_t length = strlen(request->program), ending = strlen(wanted);
  return length > ending && strcmp(request->program + length - ending, wanted) == 0;
}

int run_request_check_program(const struct run_request *request, const char *verb,
                              struct failure *failure)
{
  if (!request->program)
    return failure_set(failure, STATUS_INPUT,
                       "%s needs a program: %s FILE.stencil; %s --help says more", verb, verb,
                       verb);
  if (!is_source(request) && (request->from || !prebuilt_named(request->program)))
    return failure_set(
      failure, STATUS_INPUT,
      request->from
        ? "%s: found '%s', expected the name of a C file with directives, NAME.c, as --from "
          "is given"
        : "%s: found '%s', expected the name of a formula file, NAME.stencil, or of a C file, "
          "NAME.c and --from mint, or of what --compile made of either, NAME.so",
      verb, request->program);
  return 0;
}

static int check(const struct run_request *request, struct failure *failure)
{
  if (run_request_check_program(request, "gmg run", failure))
    return failure->status;
  const char *wanted = wanted_ending(request);
  const int formulas = is_source(request);
  if (request->compile && (!formulas || !prebuilt_named(request->compile)))
    return failure_set(failure, STATUS_INPUT,
                       "--compile: found '%s' of %s, expected a name NAME.so for what is made of "
                       "NAME%s",
                       request->compile, request->program, wanted);
  if (request->compose_auto && request->compile)
    return failure_set(failure, STATUS_INPUT,
                       "--compose auto chooses for a grid, and --compile makes a program for any: "
                       "expected --compose M, or none");
  if (request->compose_auto && request->backend && strstr(request->backend, "cuda"))
    return failure_set(failure, STATUS_INPUT,
                       "--compose auto: found --backend %s, and GPUs take steps one by one: "
                       "expected openmp",
                       request->backend);
  if (request->compose_auto && !formulas)
    return failure_set(failure, STATUS_INPUT,
                       "--compose auto: found %s, which is compiled: expected the file that it was "
                       "made of",
                       request->program);
  if (request->restart && request->input)
    return failure_set(failure, STATUS_INPUT,
                       "--restart and --input both give the values to begin with: expected one");
  if (request->restart && request->sets)
    return failure_set(failure, STATUS_INPUT,
                       "--set changes parameters, and those of a run that --restart goes on with "
                       "stand in %s: expected one of them",
                       request->restart);
  if (request->restart && request->directions)
    return failure_set(failure, STATUS_INPUT,
                       "--cells is said by the file that --restart goes on with, %s: expected one "
                       "of them",
                       request->restart);
  return 0;
}

void run_request_compose(struct run_request *request, int compose)
{
  const char **option = request->generator_options;
  memset(request->generator_options, 0, sizeof request->generator_options);
  request->compose = compose;
  if (request->from) {
    *option++ = "--from";
    *option++ = request->from;
  }
  if (request->plain)
    *option++ = "--plain-arithmetic";
  if (!compose)
    return;
  snprintf(request->compose_text, sizeof request->compose_text, "%d", compose);
  *option++ = "--compose";
  *option = request->compose_text;
  request->together = compose;
}

/* A number, or "auto". */
static int parse_compose(const char *text, struct run_request *request, struct failure *failure)
{
  request->compose_auto = text && strcmp(text, "auto") == 0;
  if (request->compose_auto && request->restart)
    return failure_set(failure, STATUS_INPUT,
                       "--compose auto chooses at the start of a run, and --restart goes on with "
                       "one: expected --compose M as in that run, or none");
  if (request->compose_auto && (request->box || request->together))
    return failure_set(failure, STATUS_INPUT,
                       "--compose auto chooses how steps are taken: found --box or "
                       "--steps-per-exchange, expected none of them, or --compose M");
  return request->compose_auto
    ? 0
    : arguments_integer("compose", text, 2, 16, &request->compose, failure);
}

int run_request_parse(int count, char **words, struct run_request *request, struct failure *failure)
{
  const char *given[RUN_OPTIONS] = {NULL};
  memset(request, 0, sizeof *request);
  request->steps = -1;
  request->weight = -1;
  if (arguments_scan(count, words, run_options, RUN_OPTIONS, take, given, &request->file, failure))
    return failure->status;
  request->help = given[RUN_HELP] != NULL;
  if (request->help)
    return 0;
  request->program = given[RUN_PROGRAM];
  request->input = given[RUN_INPUT];
  request->restart = given[RUN_RESTART];
  request->output = given[RUN_OUTPUT];
  request->report = given[RUN_REPORT];
  request->cache = given[RUN_CACHE];
  request->isa = given[RUN_ISA];
  request->backend = given[RUN_BACKEND];
  request->launch = given[RUN_LAUNCH];
  request->messages = given[RUN_MESSAGES];
  request->overlap = given[RUN_OVERLAP];
  request->stores = given[RUN_STORES];
  request->per_pass = given[RUN_PER_PASS];
  request->work = given[RUN_WORK];
  request->compile = given[RUN_COMPILE];
  request->from = given[RUN_FROM];
  request->wisdom = given[RUN_WISDOM];
  request->plain = given[RUN_PLAIN] != NULL;
  request->quiet = given[RUN_QUIET] != NULL;
  if ((given[RUN_CELLS] && run_values_cells(given[RUN_CELLS], request, failure))
      || (given[RUN_WEIGHTS] && parse_weights(given[RUN_WEIGHTS], request, failure))
      || (given[RUN_BACKEND] && rank_list_check("backend", given[RUN_BACKEND], failure))
      || (given[RUN_WORK] && rank_list_check("work", given[RUN_WORK], failure))
      || (given[RUN_SET] && run_values_sets(given[RUN_SET], request, failure))
      || arguments_integer("steps", given[RUN_STEPS], 0, RUN_MOST_STEPS, &request->steps, failure)
      || arguments_integer("checkpoint", given[RUN_CHECKPOINT], 1, RUN_MOST_STEPS,
                           &request->checkpoint, failure)
      || arguments_integer("series", given[RUN_SERIES], 1, RUN_MOST_STEPS, &request->series,
                           failure)
      || arguments_integer("values", given[RUN_VALUES], 1, RUN_MOST_STEPS, &request->values,
                           failure)
      || arguments_integer("box", given[RUN_BOX], 1, 1 << 30, &request->box, failure)
      || arguments_integer("steps-per-exchange", given[RUN_TOGETHER], 1, 16, &request->together,
                           failure)
      || parse_compose(given[RUN_COMPOSE], request, failure)
      || arguments_integer("threads", given[RUN_THREADS], 1, 4096, &request->threads, failure)
      || (request->compose && check_compose(request, failure))
      || (given[RUN_METHOD] && parse_method(given[RUN_METHOD], request, failure)))
    return failure->status;
  run_request_compose(request, request->compose);
  return check(request, failure);
}

void run_request_clear(struct run_request *request)
{
  options_file_clear(&request->file);
}

void run_request_help(void)
{
  printf("gmg run steps a program that a formula file describes (docs/programs.md): it compiles "
         "the file,\nfills the arrays, takes the steps, and writes the arrays.\n\n"
         "  gmg run heat.stencil --cells 256 --steps 1000 [options]\n"
         "  gmg run heat.c --from mint --input u.h5 [options]\n"
         "  mpirun -n N gmg run heat.stencil --restart heat.checkpoint.h5 [options]\n\n");
  arguments_print(run_options, RUN_OPTIONS);
  printf("\nThe environment variables GMG_GEN and CC may name gmg-gen and the compiler.\n"
         "Exit status: 0 done, 1 the values are not finite any more, 2 bad arguments or input, "
         "3 a failure of\nthe machine while running, 130 interrupted (the result is as of the "
         "last step taken).\n");
}
