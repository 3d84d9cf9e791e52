#include "tune_request.h"

#include <stdio.h>
#include <string.h>

enum { MOST_SECONDS = 1000000, ALL_SECONDS = 600, ONE_SECONDS = 120 };
enum tune_option {
  TUNE_SEARCH,
  TUNE_BUDGET,
  TUNE_WISDOM,
  TUNE_METHOD,
  TUNE_DRY_RUN,
  TUNE_RECORD,
  TUNE_PLOT,
  TUNE_TOLD, /* so many of them are told of */
  TUNE_BEGIN = TUNE_TOLD,
  TUNE_OPTIONS
};
static const struct option tune_options[TUNE_OPTIONS] = {
  [TUNE_SEARCH] = {"search", OPTION_VALUE, "HOW",
                   "model (default): times what a model thinks fast; exhaustive: all there is"},
  [TUNE_BUDGET] = {"budget", OPTION_VALUE, "N",
                   "seconds, at most; default 600, of one problem 120"},
  [TUNE_WISDOM] = {"wisdom", OPTION_VALUE, "FILE",
                   "where what is found goes; default: the user's own file (gmg info names it)"},
  [TUNE_METHOD] = {"method", OPTION_VALUE, "FILE",
                   "searches the method too (cycle, sweeps, smoother, precision), for this "
                   "problem; the fastest goes to FILE, for --options"},
  [TUNE_DRY_RUN] = {"dry-run", OPTION_FLAG, "", "save nothing"},
  [TUNE_RECORD] = {"record", OPTION_VALUE, "FILE.json", "write every candidate and its time"},
  [TUNE_PLOT] = {"plot", OPTION_VALUE, "FILE.png",
                 "draw them, and what was chosen; needs Python with matplotlib"},
  [TUNE_BEGIN] = {"begin", OPTION_VALUE, "poor", ""},
};

static int take(const char *const given[TUNE_OPTIONS], struct tune_request *request,
                struct failure *failure)
{
  const char *search = given[TUNE_SEARCH], *begin = given[TUNE_BEGIN];
  const struct trial_request *trial = &request->trial;
  int budget = trial->arguments.input || trial->has_make ? ONE_SECONDS : ALL_SECONDS;
  if (search && strcmp(search, "model") != 0 && strcmp(search, "exhaustive") != 0)
    return failure_set(failure, STATUS_INPUT, "--search: '%s' is not one of model, exhaustive",
                       search);
  if (begin && strcmp(begin, "poor") != 0)
    return failure_set(failure, STATUS_INPUT, "--begin: '%s' is not poor", begin);
  if (given[TUNE_WISDOM] && strcmp(given[TUNE_WISDOM], ARGUMENTS_NO_WISDOM) == 0)
    return failure_set(failure, STATUS_INPUT,
                       "--wisdom: expected a file to save to; --dry-run saves nothing");
  if (given[TUNE_METHOD] && !trial->arguments.input && !trial->has_make)
    return failure_set(failure, STATUS_INPUT,
                       "--method: expected a problem: one method is not the fastest for all");
  if (given[TUNE_BUDGET]
      && arguments_integer("budget", given[TUNE_BUDGET], 1, MOST_SECONDS, &budget, failure))
    return failure->status;
  request->budget = budget;
  request->exhaustive = search && strcmp(search, "exhaustive") == 0;
  request->poor = begin != NULL;
  request->wisdom = given[TUNE_WISDOM];
  request->method = given[TUNE_METHOD];
  request->record = given[TUNE_RECORD];
  request->plot = given[TUNE_PLOT];
  request->dry_run = given[TUNE_DRY_RUN] || request->poor;
  return 0;
}

int tune_request_parse(int count, char **words, struct tune_request *request,
                       struct failure *failure)
{
  const char *given[TUNE_OPTIONS];
  memset(request, 0, sizeof *request);
  if (trial_request_parse(count, words, tune_options, TUNE_OPTIONS, given, &request->trial, failure)
      || request->trial.arguments.help)
    return failure->status;
  return take(given, request, failure);
}

void tune_request_clear(struct tune_request *request)
{
  trial_request_clear(&request->trial);
}

void tune_request_help(void)
{
  printf(
    "gmg tune finds out which of several ways to compute the same bits is the fastest on this "
    "machine, and\nsaves what it finds for later runs.\n\n"
    "  gmg tune [options]                   for smooth and constant beta, double and mixed, 64^3 "
    "to 256^3\n"
    "  gmg tune problem.h5 [options]        for this problem\n"
    "  gmg tune --cells 256 [options]       for one that is made in memory\n"
    "  gmg tune FILE.stencil [options]      for the steps of gmg run: gmg tune FILE.stencil "
    "--help\n\n");
  trial_request_print(tune_options, TUNE_TOLD);
  printf(
    "\nExit status: 0 tuned (a plot that could not be drawn is no failure: a line says why), 2 bad "
    "arguments or\ninput, or the file cannot be written, 3 a failure of the machine, or a tuned "
    "solve "
    "that gave other bits,\n130 interrupted (what was found is saved).\n");
}
