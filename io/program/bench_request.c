#include "bench_request.h"

#include <stdio.h>
#include <string.h>

enum bench_option {
  BENCH_OUTPUT,
  BENCH_PLOT,
  BENCH_LEVELS,
  BENCH_REPEATS,
  BENCH_SECONDS,
  BENCH_WISDOM,
  BENCH_OPTIONS
};
static const struct option bench_options[BENCH_OPTIONS] = {
  [BENCH_OUTPUT] = {"output", OPTION_VALUE, "FILE.json", "write all that is printed, and more"},
  [BENCH_PLOT] = {"plot", OPTION_VALUE, "FILE.png",
                  "draw the kernels under the roofs; needs Python with matplotlib"},
  [BENCH_LEVELS] = {"levels", OPTION_VALUE, "FILE.png", "draw the time of each level by kernel"},
  [BENCH_REPEATS] = {"repeats", OPTION_VALUE, "N",
                     "solves, of which the fastest is told of; default 3, after one to warm up"},
  [BENCH_SECONDS] = {"seconds", OPTION_VALUE, "N", "to measure the roofs for; default 5"},
  [BENCH_WISDOM] = {"wisdom", OPTION_VALUE, "FILE", ARGUMENTS_WISDOM_HELP},
};

static int take_numbers(const char *const given[BENCH_OPTIONS], struct bench_request *request,
                        struct failure *failure)
{
  const char *repeats = given[BENCH_REPEATS], *seconds = given[BENCH_SECONDS];
  int whole = 5;
  request->repeats = 3;
  if ((repeats && arguments_integer("repeats", repeats, 1, 10000, &request->repeats, failure))
      || (seconds && arguments_integer("seconds", seconds, 1, 3600, &whole, failure)))
    return failure->status;
  request->roof_seconds = whole;
  return 0;
}

int bench_request_parse(int count, char **words, struct bench_request *request,
                        struct failure *failure)
{
  const char *given[BENCH_OPTIONS];
  struct trial_request *trial = &request->trial;
  memset(request, 0, sizeof *request);
  if (trial_request_parse(count, words, bench_options, BENCH_OPTIONS, given, trial, failure))
    return failure->status;
  request->output = given[BENCH_OUTPUT];
  request->plot = given[BENCH_PLOT];
  request->levels = given[BENCH_LEVELS];
  trial->arguments.wisdom = given[BENCH_WISDOM];
  if (trial->arguments.help || take_numbers(given, request, failure))
    return failure->status;
  if (!trial->arguments.input && !trial->has_make)
    failure_set(failure, STATUS_INPUT,
                "gmg bench needs a problem: a file, or --cells N; gmg bench --help says more");
  return failure->status;
}

void bench_request_clear(struct bench_request *request)
{
  trial_request_clear(&request->trial);
}

void bench_request_help(void)
{
  printf(
    "gmg bench measures how fast this machine can move data and compute, solves a problem, and "
    "says for\neach level and kernel how near it comes.\n\n"
    "  gmg bench problem.h5 [options]\n"
    "  gmg bench --cells 256 [options]\n\n");
  trial_request_print(bench_options, BENCH_OPTIONS);
  printf(
    "\nExit status: 0 also where plots could not be drawn (a line says why), 1 a solve did not "
    "converge,\n2 bad arguments or input, 3 a failure of the machine while running.\n");
}
