#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_request.h"
#include "common/parallel.h"
#include "common/progress.h"
#include "file/output.h"
#include "objects.h"
#include "plots.h"
#include "report/bench_bound.h"
#include "report/bench_data.h"
#include "report/bench_json.h"
#include "report/bench_table.h"
#include "report/summary.h"
#include "trial.h"

struct run {
  struct bench_request request;
  struct progress progress;
  struct trial trial;
  struct output json, plot, levels;
  int has_json;
  gmg_solver *solver;
  double *u;
  gmg_roofs *roofs;
  struct bench bench;
  struct failure *failure;
};

static int refused(struct run *run, gmg_status status)
{
  return parallel_refused(run->trial.context, status, run->failure);
}

/* Where the JSON goes: where plots alone were asked for, beside the first of them. */
static int prepare_outputs(struct run *run)
{
  const struct bench_request *request = &run->request;
  const char *plot = request->plot ? request->plot : request->levels, *json = request->output;
  char beside[PATH_MAX];
  if (!json && plot) {
    plots_name_json(plot, beside);
    json = beside;
  }
  const char *path[] = {json, request->plot, request->levels, request->trial.arguments.input};
  if (plots_check_names(path, 4, "the JSON, the plots and the problem", run->failure))
    return run->failure->status;
  run->has_json = json != NULL;
  if ((json && output_prepare(json, 1, &run->json, run->failure))
      || (request->plot && output_prepare(request->plot, 0, &run->plot, run->failure))
      || (request->levels && output_prepare(request->levels, 0, &run->levels, run->failure)))
    return run->failure->status;
  return 0;
}

static int measure_roofs(struct run *run)
{
  const struct arguments *arguments = &run->request.trial.arguments;
  const char *backend = "auto";
  int found;
  for (int n = 0; n < arguments->solver_options; n++)
    if (strcmp(arguments->solver_name[n], "backend") == 0)
      backend = arguments->solver_value[n];
  if (strcmp(backend, "openmp") != 0)
    gmg_context_device(run->trial.context, &found); /* opens it */
  run->roofs = calloc(1, sizeof *run->roofs);
  if (!run->roofs)
    failure_memory(run->failure, sizeof *run->roofs, "the roofs");
  if (parallel_agree(run->failure))
    return run->failure->status;
  progress_begin_silent(&run->progress, "measuring", "the roofs");
  refused(run,
          gmg_context_measure_roofs(run->trial.context, run->request.roof_seconds, run->roofs));
  progress_end(&run->progress);
  if (!run->failure->status)
    bench_table_roofs(&run->progress, run->roofs);
  return run->failure->status;
}

static int set_up(struct run *run, const char *launch)
{
  const char *const option[] = {"launch", launch};
  return trial_set_up(&run->trial, run->trial.context, run->trial.grid, launch ? option : NULL,
                      &run->solver);
}

/* The times are the means over the ranks. */
static int solve_once(struct run *run, gmg_result *result)
{
  if (trial_solve(&run->trial, run->trial.context, run->solver, run->u, result))
    return run->failure->status;
  double times[] = {result->solve_seconds, result->kernel_seconds, result->exchange_seconds,
                    result->waiting_seconds};
  parallel_sum(times, 4);
  result->solve_seconds = times[0] / parallel_ranks();
  result->kernel_seconds = times[1] / parallel_ranks();
  result->exchange_seconds = times[2] / parallel_ranks();
  result->waiting_seconds = times[3] / parallel_ranks();
  return 0;
}

static int by_size(const void *a, const void *b)
{
  const double one = *(const double *)a, other = *(const double *)b;
  return (one > other) - (one < other);
}

/* Solves again and again, and keeps the counters around the fastest solve. */
static int repeat(struct run *run, int repeats, struct bench_sample kept[2], gmg_result *fastest)
{
  struct bench_sample now = {0}, before = {0};
  double *seconds = calloc((size_t)repeats, sizeof *seconds);
  gmg_result result;
  if (!seconds || bench_sample_take(run->solver, &before))
    failure_memory(run->failure, 8. * repeats, "the times");
  for (int n = 0; n < repeats && !parallel_agree(run->failure); n++) {
    progress_step(&run->progress, (double)n / repeats);
    if (solve_once(run, &result))
      break;
    seconds[n] = result.solve_seconds;
    if (bench_sample_take(run->solver, &now))
      failure_memory(run->failure, 0, "the counters");
    if (n == 0 || result.solve_seconds < fastest->solve_seconds) {
      *fastest = result;
      bench_sample_clear(&kept[0]);
      bench_sample_clear(&kept[1]);
      kept[0] = before;
      kept[1] = now;
      if (bench_sample_take(run->solver, &before))
        failure_memory(run->failure, 0, "the counters");
      now = (struct bench_sample){0};
    } else {
      bench_sample_clear(&before);
      before = now;
      now = (struct bench_sample){0};
    }
  }
  if (!run->failure->status) {
    qsort(seconds, (size_t)repeats, sizeof *seconds, by_size);
    run->bench.median_seconds = seconds[repeats / 2];
    run->bench.slowest_seconds = seconds[repeats - 1];
  }
  bench_sample_clear(&before);
  bench_sample_clear(&now);
  free(seconds);
  return run->failure->status;
}

/* On a GPU graphs have no times of single kernels: another solver launches them one by one. */
static int time_kernels(struct run *run, struct bench_sample kept[2])
{
  gmg_backend_info backend;
  gmg_result ignored;
  if (gmg_solver_backend(run->solver, &backend) != GMG_OK || !backend.device)
    return 0;
  const double median = run->bench.median_seconds, slowest = run->bench.slowest_seconds;
  gmg_solver_destroy(&run->solver);
  bench_sample_clear(&kept[0]);
  bench_sample_clear(&kept[1]);
  if (set_up(run, "timed") || solve_once(run, &ignored) || repeat(run, 1, kept, &ignored))
    return run->failure->status;
  run->bench.timed_apart = 1;
  run->bench.median_seconds = median;
  run->bench.slowest_seconds = slowest;
  return 0;
}

static int measure(struct run *run)
{
  struct bench *bench = &run->bench;
  struct bench_sample kept[2] = {{0}, {0}};
  const int repeats = run->request.repeats;
  gmg_result warm;
  *bench = (struct bench){.repeats = repeats,
                          .roofs = run->roofs,
                          .ranks = gmg_context_ranks(run->trial.context),
                          .threads = gmg_context_threads(run->trial.context)};
  run->u = trial_room(&run->trial);
  if (!run->u || set_up(run, NULL))
    return run->failure->status;
  progress_begin_silent(&run->progress, "solving", run->trial.name);
  if (!solve_once(run, &warm) && !repeat(run, repeats, kept, &bench->result))
    time_kernels(run, kept);
  progress_end(&run->progress);
  if (!run->failure->status && !bench_gather(run->solver, &kept[0], &kept[1], bench, run->failure))
    bench_bounds(bench);
  bench_sample_clear(&kept[0]);
  bench_sample_clear(&kept[1]);
  return run->failure->status;
}

static int write_all(struct run *run)
{
  const struct bench_request *request = &run->request;
  const struct bench_document document = {&run->bench, run->trial.problem, run->trial.name,
                                          run->trial.context, run->solver};
  bench_table_solve(&run->progress, &run->bench);
  const char *sentence;
  for (int n = 0; (sentence = gmg_solver_fallback(run->solver, n)); n++)
    progress_line(&run->progress, "note       %s", sentence);
  if (run->has_json && bench_json_write(&run->json, &document, run->failure))
    return run->failure->status;
  if (run->has_json)
    progress_line(&run->progress, "wrote      %s", run->json.path);
  if (parallel_rank() == 0 && (request->plot || request->levels)) {
    const struct plots plots = {
      "plot.py",
      run->json.path,
      {"--roofline", "--levels"},
      {request->plot ? run->plot.path : NULL, request->levels ? run->levels.path : NULL}};
    plots_draw(&plots, &run->progress);
  }
  const gmg_outcome outcome = run->bench.result.outcome;
  return outcome == GMG_CONVERGED || outcome == GMG_ROUNDING_LIMIT ? STATUS_CONVERGED
                                                                   : STATUS_NOT_CONVERGED;
}

static int run_steps(struct run *run)
{
  progress_start(&run->progress, run->request.trial.arguments.quiet);
  struct trial_request *asked = &run->request.trial;
  if (prepare_outputs(run)
      || trial_open(&run->trial, &asked->arguments, asked->has_make ? &asked->make : NULL,
                    &run->progress, run->failure))
    return run->failure->status;
  summary_problem(&run->progress, run->trial.name, run->trial.problem);
  return measure_roofs(run) || measure(run) ? run->failure->status : write_all(run);
}

int bench_run(int count, char **words, struct failure *failure)
{
  struct run *run = calloc(1, sizeof *run);
  if (!run)
    return failure_memory(failure, sizeof *run, "the command line");
  run->failure = failure;
  int status = bench_request_parse(count, words, &run->request, failure);
  if (!status && run->request.trial.arguments.help && parallel_rank() == 0)
    bench_request_help();
  if (!status && !run->request.trial.arguments.help)
    status = run_steps(run);
  bench_clear(&run->bench);
  gmg_solver_destroy(&run->solver);
  trial_close(&run->trial);
  bench_request_clear(&run->request);
  free(run->roofs);
  free(run->u);
  free(run);
  return status;
}
