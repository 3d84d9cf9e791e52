#include "solve.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/arguments.h"
#include "common/parallel.h"
#include "common/progress.h"
#include "common/interrupt.h"
#include "file/output.h"
#include "file/problem.h"
#include "file/solution.h"
#include "file/values.h"
#include "file/xdmf.h"
#include "gmg.h"
#include "objects.h"
#include "report/errors.h"
#include "report/report.h"
#include "report/room.h"
#include "report/summary.h"
#include "system/bytes.h"

struct run {
  const struct arguments *arguments;
  struct progress progress;
  struct problem problem;
  struct output solution, xdmf, report;
  struct values values;
  gmg_context *context;
  gmg_grid *grid;
  gmg_solver *solver;
  gmg_io_record *record;
  /* bytes that are needed on all ranks, as far as it is known before the values are read */
  double room;
  int arrays_there; /* 1: f and u were on the GPU in the solve */
  double *f, *u;    /* this rank's cells; the same array where there is no initial guess */
  gmg_result result;
  struct error_norms norms;
  struct failure *failure;
};

static int refused(struct run *run, gmg_status status)
{
  return parallel_refused(run->context, status, run->failure);
}

/* Whether two paths lead to the same file. */
static int same_file(const char *a, const char *b)
{
  struct stat first, second;
  if (stat(a, &first) != 0 || stat(b, &second) != 0)
    return strcmp(a, b) == 0;
  return first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

/* Finds paths that cannot be written before anything is computed. */
static int prepare_outputs(struct run *run)
{
  const struct arguments *arguments = run->arguments;
  const char *report = arguments->report;
  char solution[PATH_MAX], xdmf[PATH_MAX];
  if (output_name(arguments->input, ".solution.h5", solution, sizeof solution, run->failure))
    return run->failure->status;
  const char *path = arguments->output ? arguments->output : solution;
  if (output_name(path, ".xdmf", xdmf, sizeof xdmf, run->failure))
    return run->failure->status;
  if (same_file(path, arguments->input) || same_file(xdmf, arguments->input))
    failure_set(run->failure, STATUS_INPUT,
                "%s is the problem itself; --output must name another file", arguments->input);
  if (report
      && (same_file(report, arguments->input) || same_file(report, path)
          || same_file(report, xdmf)))
    failure_set(run->failure, STATUS_INPUT,
                "%s is the problem or the solution; --report must name another file", report);
  if (parallel_agree(run->failure) || output_prepare(path, 0, &run->solution, run->failure)
      || output_prepare(xdmf, 0, &run->xdmf, run->failure))
    return run->failure->status;
  return report ? output_prepare(report, 1, &run->report, run->failure) : 0;
}

/* This rank's part of a field. A failure is recorded. Memory: gives it. */
static double *read_field(struct run *run, enum problem_field field)
{
  double *data = values_allocate(&run->values, field);
  if (!data)
    failure_memory(run->failure, (double)values_elements(&run->values, field) * sizeof *data,
                   problem_field_name(field));
  if (!parallel_agree(run->failure))
    values_read(&run->values, field, data, NULL, NULL, run->failure);
  return data;
}

static int read_coefficients(struct run *run)
{
  for (gmg_coefficient which = GMG_ALPHA; which <= GMG_BETA_Z && !run->failure->status; which++) {
    const enum problem_field field = FIELD_ALPHA + (enum problem_field)which;
    if (!run->problem.has[field])
      continue;
    progress_begin(&run->progress, "reading", problem_field_name(field));
    double *data = read_field(run, field);
    const gmg_array array = values_array(&run->values, field, data);
    if (!run->failure->status)
      refused(run, gmg_solver_set_coefficient(run->solver, which, &array));
    progress_end(&run->progress);
    free(data);
  }
  return run->failure->status;
}

/* The right side, the initial guess, and a look at the exact solution: bad values are found before
 * the solve. */
static int read_sides(struct run *run)
{
  progress_begin(&run->progress, "reading", "the right side");
  run->u = run->f = read_field(run, FIELD_RHS);
  if (!run->failure->status && run->problem.has[FIELD_GUESS])
    run->u = read_field(run, FIELD_GUESS);
  if (!run->failure->status && run->problem.has[FIELD_EXACT])
    values_read(&run->values, FIELD_EXACT, NULL, NULL, NULL, run->failure);
  progress_end(&run->progress);
  return run->failure->status;
}

/* --save-problem: what the solver is called with goes to a file of its own, too. */
static int start_record(struct run *run)
{
  const char *path = run->arguments->save_problem;
  gmg_status status = path ? parallel_record(path, run->solver, &run->record) : GMG_OK;
  if (status)
    failure_set(run->failure, status > 0 ? STATUS_INPUT : STATUS_MACHINE, "%s",
                gmg_io_record_message(run->record));
  return parallel_agree(run->failure);
}

static int write_results(struct run *run, const struct report *report)
{
  if (solution_write(&run->solution, &run->problem, &run->result, run->u, run->values.lower,
                     run->values.upper, &run->progress, run->failure))
    return run->failure->status;
  if (parallel_rank() == 0)
    xdmf_write(&run->xdmf, run->solution.path, &run->problem, run->failure);
  if (parallel_agree(run->failure))
    return run->failure->status;
  return run->arguments->report ? report_write(&run->report, report, run->failure) : 0;
}

/* The solve, with f and u on the GPU where one computes and has room for them: it is then without
 * their way there. What is recorded is on the CPU. */
static gmg_status solve_there(struct run *run)
{
  const gmg_array f = values_array(&run->values, FIELD_RHS, run->f);
  gmg_array u = values_array(&run->values, FIELD_RHS, run->u),
            there[2] = {{.data = NULL}, {.data = NULL}};
  gmg_backend_info backend;
  const int same = run->u == run->f;
  gmg_status status = GMG_OK;
  run->arrays_there =
    gmg_solver_backend(run->solver, &backend) == GMG_OK && backend.device && !run->record;
  for (int n = 0; n < 2 - same && run->arrays_there; n++)
    run->arrays_there = gmg_solver_array_create(run->solver, &there[n]) == GMG_OK;
  run->arrays_there = !parallel_max(!run->arrays_there); /* on all ranks, or on none */
  if (!run->arrays_there) {
    status = gmg_solver_solve(run->solver, &f, &u, run->problem.has[FIELD_GUESS], &run->result);
  } else {
    gmg_array *d_u = &there[same ? 0 : 1];
    status = gmg_solver_array_copy(run->solver, &f, &there[0]);
    if (!status && !same)
      status = gmg_solver_array_copy(run->solver, &u, d_u);
    if (!status)
      status =
        gmg_solver_solve(run->solver, &there[0], d_u, run->problem.has[FIELD_GUESS], &run->result);
    if (!status)
      status = gmg_solver_array_copy(run->solver, d_u, &u);
  }
  for (int n = 0; n < 2; n++)
    gmg_solver_array_destroy(run->solver, &there[n]);
  return status;
}

/* Under --quiet too: what was solved is not what was given, or is not as exact as was asked for. */
static void warn(const struct run *run, const struct report *report)
{
  const double part = report_projected(report);
  const char *rtol = gmg_solver_option(run->solver, "rtol");
  if (!run->arguments->quiet || parallel_rank() != 0)
    return;
  if (rtol && part > fmax(strtod(rtol, NULL), 1e-12))
    fprintf(stderr,
            "gmg: the right side does not fit the boundary, which leaves u free up to a constant: "
            "its mean %.3g, %.2g of its norm, was taken off\n",
            run->result.projected, part);
  if (run->result.outcome == GMG_ROUNDING_LIMIT)
    fprintf(stderr, "gmg: %s\n", run->result.reason);
}

static int exit_status(const struct run *run)
{
  switch (run->result.outcome) {
  case GMG_CONVERGED:
    return STATUS_CONVERGED;
  case GMG_ROUNDING_LIMIT:
    return run->arguments->strict ? STATUS_NOT_CONVERGED : STATUS_CONVERGED;
  case GMG_INTERRUPTED:
    return STATUS_INTERRUPTED;
  default:
    return STATUS_NOT_CONVERGED;
  }
}

static int solve(struct run *run)
{
  const struct report report = {&run->problem, run->context, run->solver,
                                &run->result,  &run->norms,  &run->arrays_there};
  progress_begin_silent(&run->progress, "setting", "up");
  refused(run, gmg_solver_setup(run->solver));
  progress_end(&run->progress);
  if (run->failure->status)
    return run->failure->status;
  summary_setup(&run->progress, &report);
  interrupt_solver(run->solver);
  const gmg_status status = solve_there(run);
  interrupt_solver(NULL);
  if (refused(run, status))
    return run->failure->status;
  warn(run, &report);
  if (run->problem.has[FIELD_EXACT]) {
    progress_begin(&run->progress, "comparing with", problem_field_name(FIELD_EXACT));
    errors_measure(&run->values, run->u, run->result.singular, &run->norms, run->failure);
    progress_end(&run->progress);
  }
  if (run->failure->status || write_results(run, &report))
    return run->failure->status;
  summary_result(&run->progress, &report);
  progress_line(&run->progress, "wrote      %s, %s%s%s%s%s", run->solution.path, run->xdmf.path,
                run->arguments->report ? ", " : "", run->arguments->report ? run->report.path : "",
                run->record ? ", " : "", run->record ? run->arguments->save_problem : "");
  return exit_status(run);
}

/* --check */
static int check_problem(struct run *run)
{
  struct room_found found;
  char text[40];
  if (room_look(&run->values, &found, run->failure)
      || room_check(run->context, run->solver, &run->values, &found, &run->room, run->failure))
    return run->failure->status;
  gmg_bytes_text(run->room, text, sizeof text);
  progress_line(&run->progress, "memory     %s to solve it, %.1f bytes per unknown", text,
                run->room / problem_unknowns(&run->problem));
  progress_line(&run->progress, "the problem is valid; nothing was solved or written");
  return 0;
}

static int solve_steps(struct run *run)
{
  const struct arguments *arguments = run->arguments;
  int lower[3], upper[3];
  progress_start(&run->progress, arguments->quiet);
  if (problem_read(arguments->input, &run->problem, run->failure) || prepare_outputs(run)
      || objects_grid(arguments, &run->problem, &run->context, &run->grid, run->failure))
    return run->failure->status;
  gmg_grid_part(run->grid, lower, upper);
  if (values_open(arguments->input, &run->problem, lower, upper, &run->progress, &run->values,
                  run->failure))
    return run->failure->status;
  summary_problem(&run->progress, arguments->input, &run->problem);
  if (objects_solver(arguments, &run->problem, run->context, run->grid, &run->solver, run->failure)
      || refused(run, gmg_solver_set_monitor(run->solver, progress_cycle, &run->progress)))
    return run->failure->status;
  if (arguments->check)
    return check_problem(run);
  if (room_check(run->context, run->solver, &run->values, NULL, &run->room, run->failure)
      || start_record(run) || read_coefficients(run) || read_sides(run))
    return run->failure->status;
  return solve(run);
}

int solve_problem(const struct arguments *arguments, struct failure *failure)
{
  struct run run = {.arguments = arguments, .failure = failure, .values = {.file = -1}};
  int status = solve_steps(&run);
  values_close(&run.values);
  gmg_io_record_finish(&run.record);
  gmg_solver_destroy(&run.solver);
  gmg_grid_destroy(&run.grid);
  gmg_context_destroy(&run.context);
  problem_clear(&run.problem);
  if (run.u != run.f)
    free(run.u);
  free(run.f);
  return status;
}
