#include "tune.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/interrupt.h"
#include "common/parallel.h"
#include "common/progress.h"
#include "file/output.h"
#include "file/wisdom_place.h"
#include "objects.h"
#include "plots.h"
#include "run/tune_run.h"
#include "tune_method.h"
#include "tune_problem.h"
#include "tune_request.h"

/* What people have, the largest first: a level of another problem's may have the extents of a
 * finest one, and what was found last stays. */
static const struct {
  const char *kind, *word;
} kinds[] = {{"smooth", "variable"}, {"constant", "constant"}};
static const char *const precisions[] = {"double", "mixed"};
static const int sizes[] = {256, 128, 64};
enum { KINDS = 2, PRECISIONS = 2, SIZES = 3 };

struct run {
  struct tune_request request;
  struct progress progress;
  struct wisdom_place place;
  int records;
  struct output json, plot;
  struct tune_record record;
  struct failure *failure;
};

static int prepare_file(struct run *run)
{
  if (run->request.dry_run) {
    progress_line(&run->progress, "nothing will be saved%s",
                  run->request.poor ? ": all begins with poor choices" : "");
    return 0;
  }
  return wisdom_place_prepare(run->request.wisdom, &run->place, run->failure);
}

/* Where candidates go: where a plot alone was asked for, beside it. */
static int prepare_record(struct run *run)
{
  const struct tune_request *request = &run->request;
  const char *json = request->record, *plot = request->plot;
  char beside[PATH_MAX];
  if (!json && plot) {
    plots_name_json(plot, beside);
    json = beside;
  }
  const char *const path[] = {json, plot, request->wisdom, request->trial.arguments.input};
  run->records = json != NULL;
  if (plots_check_names(path, 4, "candidates, the plot, wisdom and the problem", run->failure)
      || (json && output_prepare(json, 1, &run->json, run->failure))
      || (plot && output_prepare(plot, 0, &run->plot, run->failure)))
    return run->failure->status;
  return 0;
}

/* Also of a search that was interrupted. */
static int write_record(struct run *run)
{
  struct failure failure = {.status = 0};
  if (!run->records)
    return 0;
  if (tune_record_write(&run->record, &run->json, &failure))
    return failure_set(run->failure, failure.status, "%s", failure.text);
  progress_line(&run->progress, "wrote      %s", run->json.path);
  if (parallel_rank() == 0 && run->request.plot) {
    const struct plots plots = {"plot_surface.py", run->json.path, {"--output"}, {run->plot.path}};
    plots_draw(&plots, &run->progress);
  }
  return 0;
}

static struct tune_task task_of(struct run *run, const struct arguments *arguments)
{
  return (struct tune_task){.arguments = arguments,
                            .exhaustive = run->request.exhaustive,
                            .poor = run->request.poor,
                            .seconds = run->request.budget,
                            .path = run->place.saves ? run->place.path : NULL,
                            .record = run->records ? &run->record : NULL};
}

/* The method first, where it is asked for, with half of the budget, then the levels of that. */
static int tune_one(struct run *run)
{
  struct arguments arguments = run->request.trial.arguments;
  struct output output;
  arguments.wisdom = ARGUMENTS_NO_WISDOM;
  struct tune_task task = task_of(run, &arguments);
  task.make = run->request.trial.has_make ? &run->request.trial.make : NULL;
  if (run->request.method) {
    const struct arguments given = arguments;
    const double began = progress_seconds();
    task.arguments = &given;
    task.seconds /= 2;
    if (output_prepare(run->request.method, 0, &output, run->failure)
        || tune_method(&task, run->request.dry_run ? NULL : &output, &arguments, &run->progress,
                       run->failure))
      return run->failure->status;
    if (!run->request.dry_run)
      progress_line(&run->progress, "method     wrote %s", run->request.method);
    task.arguments = &arguments;
    task.seconds = fmax(1, run->request.budget - (progress_seconds() - began));
  }
  return tune_problem(&task, &run->progress, run->failure);
}

static int gives(const struct arguments *arguments, const char *name)
{
  for (int n = 0; n < arguments->solver_options; n++)
    if (strcmp(arguments->solver_name[n], name) == 0)
      return 1;
  return 0;
}

/* One of the problems that people have. precision: NULL: as the command line says. */
static int tune_case(struct run *run, int kind, const char *precision, int cells, double seconds)
{
  struct arguments arguments = run->request.trial.arguments;
  struct make_request make;
  char title[80];
  arguments.wisdom = ARGUMENTS_NO_WISDOM;
  if (precision && arguments.solver_options < MOST_SOLVER_OPTIONS) {
    arguments.solver_name[arguments.solver_options] = "precision";
    arguments.solver_value[arguments.solver_options++] = precision;
  }
  snprintf(title, sizeof title, "%s%s%s %d^3", kinds[kind].word, precision ? " " : "",
           precision ? precision : "", cells);
  struct tune_task task = task_of(run, &arguments);
  task.make = &make;
  task.title = title;
  task.may_be_left_out = 1;
  task.seconds = seconds;
  if (!trial_request_cube(kinds[kind].kind, cells, &make, run->failure))
    tune_problem(&task, &run->progress, run->failure);
  make_request_clear(&make);
  return run->failure->status;
}

/* All of them; what is left of the budget is divided by the cells along an axis. */
static int tune_all(struct run *run)
{
  const double began = progress_seconds();
  const int given = gives(&run->request.trial.arguments, "precision"),
            precision_count = given ? 1 : PRECISIONS;
  double weight = 0;
  for (int s = 0; s < SIZES; s++)
    weight += sizes[s] * KINDS * precision_count;
  for (int s = 0; s < SIZES; s++)
    for (int k = 0; k < KINDS; k++)
      for (int p = 0; p < precision_count; p++) {
        double left = run->request.budget - (progress_seconds() - began);
        left = left > 1 ? left * sizes[s] / weight : 1;
        parallel_broadcast(&left, sizeof left);
        weight -= sizes[s];
        if (tune_case(run, k, given ? NULL : precisions[p], sizes[s], left))
          return run->failure->status;
      }
  return 0;
}

static int run_steps(struct run *run)
{
  const struct trial_request *asked = &run->request.trial;
  progress_start(&run->progress, asked->arguments.quiet);
  if (prepare_record(run) || prepare_file(run))
    return run->failure->status;
  interrupt_keep("gmg: interrupted: tuning ends, and what was found so far is saved; once more "
                 "ends all at once\n");
  if (asked->arguments.input || asked->has_make)
    tune_one(run);
  else
    tune_all(run);
  interrupt_keep(NULL);
  if (!run->failure->status)
    wisdom_place_finish(&run->place, run->failure);
  if (run->place.saves && (!run->failure->status || run->failure->status == STATUS_INTERRUPTED))
    progress_line(&run->progress, "wisdom     what was found is in %s", run->place.path);
  if (!run->failure->status || run->failure->status == STATUS_INTERRUPTED)
    write_record(run);
  return run->failure->status;
}

int tune_run(int count, char **words, struct failure *failure)
{
  if (tune_run_is_program(count, words))
    return tune_run_program(count, words, failure);
  struct run *run = calloc(1, sizeof *run);
  if (!run)
    return failure_memory(failure, sizeof *run, "the command line");
  run->failure = failure;
  int status = tune_request_parse(count, words, &run->request, failure);
  if (!status && run->request.trial.arguments.help && parallel_rank() == 0)
    tune_request_help();
  if (!status && !run->request.trial.arguments.help)
    status = run_steps(run);
  tune_request_clear(&run->request);
  tune_record_clear(&run->record);
  free(run);
  return status;
}
