#include "tune_run_request.h"

#include <stdio.h>
#include <string.h>

#include "choice.h"
#include "run_values.h"

enum { MOST_SECONDS = 1000000, SECONDS = 120 };
enum tune_run_option {
  TUNE_PROGRAM,
  TUNE_FROM,
  TUNE_PLAIN,
  TUNE_CELLS,
  TUNE_SET,
  TUNE_THREADS,
  TUNE_ISA,
  TUNE_BACKEND,
  TUNE_COMPOSE,
  TUNE_BUDGET,
  TUNE_WISDOM,
  TUNE_DRY_RUN,
  TUNE_CACHE,
  TUNE_FILE,
  TUNE_QUIET,
  TUNE_HELP,
  TUNE_OPTIONS
};
static const struct option tune_options[TUNE_OPTIONS] = {
  [TUNE_PROGRAM] = {"program", OPTION_WORD, "FILE.stencil",
                    "the formula file, or what gmg run --compile made of it"},
  [TUNE_FROM] = {"from", OPTION_VALUE, "mint|panda",
                 "the program is FILE.c, serial C with these directives, and no formula file"},
  [TUNE_PLAIN] = {"plain-arithmetic", OPTION_FLAG, "", "as of gmg run"},
  [TUNE_CELLS] = {"cells", OPTION_VALUE, "NX,NY,NZ",
                  "cells; one number for a square or cube; default: the file's grid"},
  [TUNE_SET] = {"set", OPTION_VALUE, "A=1,B=2", "values of parameters, in place of the file's"},
  [TUNE_THREADS] = {"threads", OPTION_VALUE, "N", "OpenMP threads per rank; default: OpenMP's"},
  [TUNE_ISA] = {"isa", OPTION_VALUE, "NAME", "instruction set of the kernels; default auto"},
  [TUNE_BACKEND] = {"backend", OPTION_VALUE, "NAME",
                    "where it runs: auto, openmp, cuda; default auto, as of gmg run"},
  [TUNE_COMPOSE] = {"compose", OPTION_VALUE, "auto",
                    "on CPUs, try several steps as one, too, whose values differ by rounding; gmg "
                    "run takes that choice with --compose auto alone"},
  [TUNE_BUDGET] = {"budget", OPTION_VALUE, "N", "seconds, at most, roughly; default 120"},
  [TUNE_WISDOM] = {"wisdom", OPTION_VALUE, "FILE",
                   "where what is found goes; default: the user's own file (gmg info names it)"},
  [TUNE_DRY_RUN] = {"dry-run", OPTION_FLAG, "", "save nothing"},
  [TUNE_CACHE] = {"cache", OPTION_VALUE, "FOLDER",
                  "where compiled programs are kept; default gmg/programs in the user's cache"},
  [TUNE_FILE] = {"options", OPTION_FILE, "FILE",
                 "more options: \"name value\" on each line; # begins a comment"},
  [TUNE_QUIET] = {"quiet", OPTION_FLAG, "", "print nothing but errors"},
  [TUNE_HELP] = {"help", OPTION_FLAG, "", "this text"},
};

static int take(void *user, int option, const char *value, struct failure *failure)
{
  const char **given = user;
  (void)failure;
  given[option] = value ? value : "";
  return 0;
}

static int check(const char *const *given, const struct tune_run_request *request,
                 struct failure *failure)
{
  const char *compose = given[TUNE_COMPOSE], *backend = given[TUNE_BACKEND];
  if (compose && strcmp(compose, "auto") != 0)
    return failure_set(failure, STATUS_INPUT,
                       "--compose: found '%s', expected auto: gmg tune finds the number of steps",
                       compose);
  if (backend && strchr(backend, ','))
    return failure_set(failure, STATUS_INPUT,
                       "--backend: found '%s', expected one back end: ranks on unlike ones are "
                       "not tuned",
                       backend);
  if (choice_is_off(request->wisdom))
    return failure_set(failure, STATUS_INPUT,
                       "--wisdom: expected a file to save to; --dry-run saves nothing");
  return run_request_check_program(&request->run, "gmg tune", failure);
}

int tune_run_request_parse(int count, char **words, struct tune_run_request *request,
                           struct failure *failure)
{
  const char *given[TUNE_OPTIONS] = {NULL};
  struct run_request *run = &request->run;
  memset(request, 0, sizeof *request);
  if (arguments_scan(count, words, tune_options, TUNE_OPTIONS, take, given, &run->file, failure))
    return failure->status;
  run->help = given[TUNE_HELP] != NULL;
  if (run->help)
    return 0;
  run->program = given[TUNE_PROGRAM];
  run->from = given[TUNE_FROM];
  run->plain = given[TUNE_PLAIN] != NULL;
  run->isa = given[TUNE_ISA];
  run->backend = given[TUNE_BACKEND];
  run->cache = given[TUNE_CACHE];
  run->quiet = given[TUNE_QUIET] != NULL;
  run->weight = -1;
  run->wisdom = ARGUMENTS_NO_WISDOM;
  request->wisdom = given[TUNE_WISDOM];
  request->dry_run = given[TUNE_DRY_RUN] != NULL;
  request->compose = given[TUNE_COMPOSE] != NULL;
  request->budget = SECONDS;
  if ((given[TUNE_CELLS] && run_values_cells(given[TUNE_CELLS], run, failure))
      || (given[TUNE_SET] && run_values_sets(given[TUNE_SET], run, failure))
      || arguments_integer("threads", given[TUNE_THREADS], 1, 4096, &run->threads, failure)
      || arguments_integer("budget", given[TUNE_BUDGET], 1, MOST_SECONDS, &request->budget,
                           failure))
    return failure->status;
  run_request_compose(run, 0);
  return check(given, request, failure);
}

void tune_run_request_clear(struct tune_run_request *request)
{
  run_request_clear(&request->run);
}

void tune_run_request_help(void)
{
  printf("gmg tune FILE.stencil finds out how the steps of a program are taken the fastest on this "
         "machine, with\nthe same bits, and saves what it finds for gmg run.\n\n"
         "  gmg tune heat.stencil --cells 256 [options]\n"
         "  mpirun -n N gmg tune heat.stencil --cells 256 [options]\n\n");
  arguments_print(tune_options, TUNE_OPTIONS);
  printf("\nThe environment variables GMG_GEN and CC may name gmg-gen and the compiler.\n"
         "Exit status: 0 tuned, 2 bad arguments or input, or the file cannot be written, 3 a "
         "failure of the\nmachine, 130 interrupted (what was found is saved).\n");
}
