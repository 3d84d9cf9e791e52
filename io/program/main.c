/* The program gmg: solves a problem file, or does what a verb says. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"
#include "common/arguments.h"
#include "common/interrupt.h"
#include "common/names.h"
#include "common/parallel.h"
#include "config.h"
#include "file/file.h"
#include "info.h"
#include "make/make.h"
#include "run/run.h"
#include "solve.h"
#include "tune.h"

static int solve_file(int count, char **words, struct failure *failure)
{
  struct arguments arguments;
  int status = arguments_parse(count, words, &arguments, failure);
  if (!status && (arguments.help || arguments.version)) {
    if (parallel_rank() == 0 && arguments.help)
      arguments_help();
    else if (parallel_rank() == 0)
      printf("gmg %s\n", GMG_VERSION);
  } else if (!status && !arguments.input)
    status =
      failure_set(failure, STATUS_INPUT, "no problem was given: gmg FILE.h5; gmg --help says more");
  else if (!status)
    status = solve_problem(&arguments, failure);
  arguments_clear(&arguments);
  return status;
}

static int run_verb(int count, char **words, struct failure *failure)
{
  enum { VERBS = 5 };
  static const char *const verbs[] = {"make", "info", "tune", "bench", "run"};
  static int (*const runs[])(int, char **, struct failure *) = {make_run, info_run, tune_run,
                                                                bench_run, run_run};
  char nearest[60];
  if (count < 2 || words[1][0] == '-')
    return solve_file(count - 1, words + 1, failure);
  const int verb = names_find(words[1], verbs, VERBS);
  if (verb >= 0)
    return runs[verb](count - 2, words + 2, failure);
  if (strstr(words[1], ".h5") || strchr(words[1], '/') || parallel_max(access(words[1], F_OK) == 0))
    return solve_file(count - 1, words + 1, failure);
  names_suggest(words[1], verbs, VERBS, nearest, sizeof nearest);
  return failure_set(
    failure, STATUS_INPUT,
    "'%s' is neither a verb (make, info, tune, bench, run) nor an option or a file%s", words[1],
    nearest);
}

int main(int count, char **words)
{
  static struct failure failure;
  int status = parallel_start(&count, &words, &failure);
  file_silence();
  interrupt_start();
  signal(SIGXFSZ, SIG_IGN); /* a file over the limit is an error of its write */
  status = status ? status : run_verb(count, words, &failure);
  interrupt_stop();
  if (failure.status && parallel_rank() == 0)
    fprintf(stderr, "gmg: %s\n", failure.text);
  if ((fflush(stdout) != 0 || ferror(stdout)) && status == 0) {
    fprintf(stderr, "gmg: the standard output could not be written: %s\n", strerror(errno));
    status = STATUS_MACHINE;
  }
  if (parallel_max(file_is_lost()))
    parallel_leave(status);
  parallel_finish();
  return status;
}
