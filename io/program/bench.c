#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_request.h"
#include "common/interrupt.h"
#include "common/parallel.h"
#include "common/progress.h"
#include "file/output.h"
#include "file/values.h"
#include "objects.h"
#include "plots.h"
#include "report/bench_bound.h"
#include "report/bench_data.h"
#include "report/bench_json.h"
#include "report/bench_table.h"
#include "report/room.h"
#include "report/summary.h"

struct run {
  struct bench_request request;
  struct progress progress;
  struct problem read;     /* from a file */
  struct problem *problem; /* that, or the case's */
  const char *name;
  struct case_values cases;
  struct values values;
  struct output json, plot, levels;
  int has_json;
  gmg_context *context;
  gmg_grid *grid;
  gmg_solver *solver;
  double *f, *u;
  gmg_roofs *roofs;
  struct bench bench;
  struct failure *failure;
};

static int refused(struct run *run, gmg_status status)
{
  return objects_refused(run->context, status, run->failure);
}

/* Where the JSON goes: where plots alone were asked for, beside the first of them. */
static int prepare_outputs(struct run *run)
{
  const struct bench_request *request = &run->request;
  const char *plot = request->plot ? request->plot : request->levels, *json = request->output;
  char beside[PATH_MAX];
  if (!json && plot) {
    const char *dot = strrchr(plot, '.'), *slash = strrchr(plot, '/');
    const int stem =
      dot && dot > plot && (!slash || dot > slash + 1) ? (int)(dot - plot) : (int)strlen(plot);
    snprintf(beside, sizeof beside, "%.*s.json", stem, plot);
    json = beside;
  }
  const char *path[] = {json, request->plot, request->levels, request->arguments.input};
  for (int a = 0; a < 4; a++)
    for (int b = a + 1; b < 4; b++)
      if (path[a] && path[b] && strcmp(path[a], path[b]) == 0)
        return failure_set(
          run->failure, STATUS_INPUT,
          "%s is named twice; the JSON, the plots and the problem must be different files",
          path[a]);
  run->has_json = json != NULL;
  if ((json && output_prepare(json, 1, &run->json, run->failure))
      || (request->plot && output_prepare(request->plot, 0, &run->plot, run->failure))
      || (request->levels && output_prepare(request->levels, 0, &run->levels, run->failure)))
    return run->failure->status;
  return 0;
}

/* The grid and what is given on it: of a file, or of a case. */
static int open_problem(struct run *run)
{
  const struct arguments *arguments = &run->request.arguments;
  int lower[3], upper[3];
  if (arguments->input) {
    if (problem_read(arguments->input, &run->read, run->failure))
      return run->failure->status;
    run->problem = &run->read;
    run->name = arguments->input;
  } else {
    struct make_request *make = &run->request.make;
    run->problem = &make->problem;
    run->name = make->kind->name;
    case_start(make->kind, &make->problem, &make->medium, make->noise, &run->cases, run->failure);
    if (parallel_agree(run->failure))
      return run->failure->status;
  }
  if (objects_grid(arguments, run->problem, &run->context, &run->grid, run->failure))
    return run->failure->status;
  gmg_grid_part(run->grid, lower, upper);
  if (arguments->input)
    return values_open(arguments->input, run->problem, lower, upper, &run->progress, &run->values,
                       run->failure);
  run->values = (struct values){
    .path = run->name, .problem = run->problem, .file = -1, .progress = &run->progress};
  memcpy(run->values.lower, lower, sizeof lower);
  memcpy(run->values.upper, upper, sizeof upper);
  return 0;
}

/* Room for this rank's values of a field, and the values. NULL: a failure. */
static double *load(struct run *run, enum problem_field field)
{
  double *data = values_allocate(&run->values, field);
  if (!data)
    failure_memory(run->failure, (double)values_elements(&run->values, field) * sizeof *data,
                   problem_field_name(field));
  if (parallel_agree(run->failure)) {
    free(data);
    return NULL;
  }
  if (run->request.arguments.input) {
    progress_begin(&run->progress, "reading", problem_field_name(field));
    values_read(&run->values, field, data, NULL, NULL, run->failure);
  } else {
    int upper[3], empty = 0;
    long long shape[3];
    problem_field_shape(run->problem->cells, field, shape);
    progress_begin(&run->progress, "making", problem_field_name(field));
    for (int d = 0; d < 3; d++) { /* face fields have one more along their axis */
      upper[d] = run->values.upper[d] + (int)(shape[d] - run->problem->cells[d]);
      empty |= run->values.upper[d] == run->values.lower[d];
    }
    if (!empty)
      case_fill(&run->cases, field, run->values.lower, upper, data);
  }
  progress_end(&run->progress);
  return data;
}

static int set_coefficients(struct run *run)
{
  static const struct {
    enum problem_field field;
    gmg_coefficient which;
  } all[] = {{FIELD_ALPHA, GMG_ALPHA},
             {FIELD_BETA, GMG_BETA},
             {FIELD_BETA_X, GMG_BETA_X},
             {FIELD_BETA_Y, GMG_BETA_Y},
             {FIELD_BETA_Z, GMG_BETA_Z}};
  for (size_t n = 0; n < sizeof all / sizeof *all && !run->failure->status; n++) {
    if (!run->problem->has[all[n].field])
      continue;
    double *data = load(run, all[n].field);
    const gmg_array array = values_array(&run->values, all[n].field, data);
    if (!run->failure->status)
      refused(run, gmg_solver_set_coefficient(run->solver, all[n].which, &array));
    free(data);
  }
  return run->failure->status;
}

static int measure_roofs(struct run *run)
{
  const struct arguments *arguments = &run->request.arguments;
  const char *backend = "auto";
  int found;
  for (int n = 0; n < arguments->solver_options; n++)
    if (strcmp(arguments->solver_name[n], "backend") == 0)
      backend = arguments->solver_value[n];
  if (strcmp(backend, "openmp") != 0)
    gmg_context_device(run->context, &found); /* opens it */
  run->roofs = calloc(1, sizeof *run->roofs);
  if (!run->roofs)
    failure_memory(run->failure, sizeof *run->roofs, "the roofs");
  if (parallel_agree(run->failure))
    return run->failure->status;
  progress_begin_silent(&run->progress, "measuring", "the roofs");
  refused(run, gmg_context_measure_roofs(run->context, run->request.roof_seconds, run->roofs));
  progress_end(&run->progress);
  if (!run->failure->status)
    bench_table_roofs(&run->progress, run->roofs);
  return run->failure->status;
}

/* A solver of the problem that is ready to solve. */
static int set_up(struct run *run, const char *launch)
{
  double room;
  if (objects_solver(&run->request.arguments, run->problem, run->context, run->grid, &run->solver,
                     run->failure)
      || (launch && refused(run, gmg_solver_set_option(run->solver, "launch", launch)))
      || room_check(run->context, run->solver, &run->values, NULL, &room, run->failure)
      || set_coefficients(run))
    return run->failure->status;
  progress_begin_silent(&run->progress, "setting", "up");
  refused(run, gmg_solver_setup(run->solver));
  progress_end(&run->progress);
  return run->failure->status;
}

static int solve_once(struct run *run, gmg_result *result)
{
  const gmg_array f = values_array(&run->values, FIELD_RHS, run->f);
  gmg_array u = values_array(&run->values, FIELD_RHS, run->u);
  interrupt_solver(run->solver);
  const gmg_status status = gmg_solver_solve(run->solver, &f, &u, 0, result);
  interrupt_solver(NULL);
  double times[] = {result->solve_seconds, result->kernel_seconds, result->exchange_seconds,
                    result->waiting_seconds};
  if (refused(run, status))
    return run->failure->status;
  parallel_sum(times, 4);
  result->solve_seconds = times[0] / parallel_ranks();
  result->kernel_seconds = times[1] / parallel_ranks();
  result->exchange_seconds = times[2] / parallel_ranks();
  result->waiting_seconds = times[3] / parallel_ranks();
  if (result->outcome == GMG_INTERRUPTED)
    failure_set(run->failure, STATUS_INTERRUPTED, "interrupted; nothing was written");
  return run->failure->status;
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
                          .ranks = gmg_context_ranks(run->context),
                          .threads = gmg_context_threads(run->context)};
  run->f = load(run, FIELD_RHS);
  run->u = values_allocate(&run->values, FIELD_RHS);
  if (!run->u)
    failure_memory(run->failure, (double)values_elements(&run->values, FIELD_RHS) * 8,
                   "the solution");
  if (parallel_agree(run->failure) || set_up(run, NULL))
    return run->failure->status;
  progress_begin_silent(&run->progress, "solving", run->name);
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
  const struct bench_document document = {&run->bench, run->problem, run->name, run->context,
                                          run->solver};
  bench_table_solve(&run->progress, &run->bench);
  const char *sentence;
  for (int n = 0; (sentence = gmg_solver_fallback(run->solver, n)); n++)
    progress_line(&run->progress, "note       %s", sentence);
  if (run->has_json && bench_json_write(&run->json, &document, run->failure))
    return run->failure->status;
  if (run->has_json)
    progress_line(&run->progress, "wrote      %s", run->json.path);
  if (parallel_rank() == 0 && (request->plot || request->levels)) {
    const struct plots plots = {run->json.path, request->plot ? run->plot.path : NULL,
                                request->levels ? run->levels.path : NULL};
    plots_draw(&plots, &run->progress);
  }
  const gmg_outcome outcome = run->bench.result.outcome;
  return outcome == GMG_CONVERGED || outcome == GMG_ROUNDING_LIMIT ? STATUS_CONVERGED
                                                                   : STATUS_NOT_CONVERGED;
}

static int run_steps(struct run *run)
{
  progress_start(&run->progress, run->request.arguments.quiet);
  if (prepare_outputs(run) || open_problem(run))
    return run->failure->status;
  summary_problem(&run->progress, run->name, run->problem);
  return measure_roofs(run) || measure(run) ? run->failure->status : write_all(run);
}

int bench_run(int count, char **words, struct failure *failure)
{
  struct run *run = calloc(1, sizeof *run);
  if (!run)
    return failure_memory(failure, sizeof *run, "the command line");
  run->failure = failure;
  run->values.file = -1;
  int status = bench_request_parse(count, words, &run->request, failure);
  if (!status && run->request.arguments.help && parallel_rank() == 0)
    bench_request_help();
  if (!status && !run->request.arguments.help)
    status = run_steps(run);
  values_close(&run->values);
  bench_clear(&run->bench);
  gmg_solver_destroy(&run->solver);
  gmg_grid_destroy(&run->grid);
  gmg_context_destroy(&run->context);
  case_clear(&run->cases);
  problem_clear(&run->read);
  bench_request_clear(&run->request);
  free(run->roofs);
  free(run->f);
  free(run->u);
  free(run);
  return status;
}
