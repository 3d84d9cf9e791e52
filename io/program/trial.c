#include "trial.h"

#include <stdlib.h>
#include <string.h>

#include "common/interrupt.h"
#include "common/parallel.h"
#include "objects.h"
#include "report/room.h"

static int refused(struct trial *trial, gmg_context *context, gmg_status status)
{
  return parallel_refused(context, status, trial->failure);
}

/* Room for this rank's values of a field, and the values. NULL: a failure. */
static double *load(struct trial *trial, enum problem_field field)
{
  double *data = values_allocate(&trial->values, field);
  if (!data)
    failure_memory(trial->failure, (double)values_elements(&trial->values, field) * sizeof *data,
                   problem_field_name(field));
  if (parallel_agree(trial->failure)) {
    free(data);
    return NULL;
  }
  if (trial->problem == &trial->read) {
    progress_begin(trial->progress, "reading", problem_field_name(field));
    values_read(&trial->values, field, data, NULL, NULL, trial->failure);
  } else {
    int upper[3], empty = 0;
    long long shape[3];
    problem_field_shape(trial->problem->cells, field, shape);
    progress_begin(trial->progress, "making", problem_field_name(field));
    for (int d = 0; d < 3; d++) { /* face fields have one more along their axis */
      upper[d] = trial->values.upper[d] + (int)(shape[d] - trial->problem->cells[d]);
      empty |= trial->values.upper[d] == trial->values.lower[d];
    }
    if (!empty)
      case_fill(&trial->cases, field, trial->values.lower, upper, data);
  }
  progress_end(trial->progress);
  return data;
}

static int open_values(struct trial *trial)
{
  int lower[3], upper[3];
  gmg_grid_part(trial->grid, lower, upper);
  if (trial->problem == &trial->read)
    return values_open(trial->name, trial->problem, lower, upper, trial->progress, &trial->values,
                       trial->failure);
  trial->values = (struct values){
    .path = trial->name, .problem = trial->problem, .file = -1, .progress = trial->progress};
  memcpy(trial->values.lower, lower, sizeof lower);
  memcpy(trial->values.upper, upper, sizeof upper);
  return 0;
}

int trial_open(struct trial *trial, const struct arguments *arguments, struct make_request *make,
               struct progress *progress, struct failure *failure)
{
  *trial = (struct trial){.arguments = arguments, .progress = progress, .failure = failure};
  trial->values.file = -1;
  if (make) {
    trial->problem = &make->problem;
    trial->name = make->kind->name;
    case_start(make->kind, &make->problem, &make->medium, make->noise, &trial->cases, failure);
    parallel_agree(failure);
  } else {
    trial->problem = &trial->read;
    trial->name = arguments->input;
    problem_read(arguments->input, &trial->read, failure);
  }
  if (failure->status
      || objects_grid(arguments, trial->problem, &trial->context, &trial->grid, failure)
      || open_values(trial))
    return failure->status;
  trial->f = load(trial, FIELD_RHS);
  return failure->status;
}

void trial_close(struct trial *trial)
{
  if (trial->problem) /* it was opened */
    values_close(&trial->values);
  gmg_grid_destroy(&trial->grid);
  gmg_context_destroy(&trial->context);
  case_clear(&trial->cases);
  problem_clear(&trial->read);
  free(trial->f);
  *trial = (struct trial){.values = {.file = -1}};
}

double *trial_room(struct trial *trial)
{
  double *u = values_allocate(&trial->values, FIELD_RHS);
  if (!u)
    failure_memory(trial->failure, (double)values_elements(&trial->values, FIELD_RHS) * sizeof *u,
                   "the solution");
  if (parallel_agree(trial->failure)) {
    free(u);
    u = NULL;
  }
  return u;
}

static int set_coefficients(struct trial *trial, gmg_context *context, gmg_solver *solver)
{
  static const struct {
    enum problem_field field;
    gmg_coefficient which;
  } all[] = {{FIELD_ALPHA, GMG_ALPHA},
             {FIELD_BETA, GMG_BETA},
             {FIELD_BETA_X, GMG_BETA_X},
             {FIELD_BETA_Y, GMG_BETA_Y},
             {FIELD_BETA_Z, GMG_BETA_Z}};
  for (size_t n = 0; n < sizeof all / sizeof *all && !trial->failure->status; n++) {
    if (!trial->problem->has[all[n].field])
      continue;
    double *data = load(trial, all[n].field);
    const gmg_array array = values_array(&trial->values, all[n].field, data);
    if (!trial->failure->status)
      refused(trial, context, gmg_solver_set_coefficient(solver, all[n].which, &array));
    free(data);
  }
  return trial->failure->status;
}

int trial_set_up(struct trial *trial, gmg_context *context, gmg_grid *grid,
                 const char *const option[2], gmg_solver **solver)
{
  double room;
  if (objects_solver(trial->arguments, trial->problem, context, grid, solver, trial->failure)
      || (option && refused(trial, context, gmg_solver_set_option(*solver, option[0], option[1])))
      || room_check(context, *solver, &trial->values, NULL, &room, trial->failure)
      || set_coefficients(trial, context, *solver))
    return trial->failure->status;
  progress_begin(trial->progress, "setting", "up");
  refused(trial, context, gmg_solver_setup(*solver));
  progress_end(trial->progress);
  return trial->failure->status;
}

int trial_solve(struct trial *trial, gmg_context *context, gmg_solver *solver, double *u,
                gmg_result *result)
{
  const gmg_array f = values_array(&trial->values, FIELD_RHS, trial->f);
  gmg_array into = values_array(&trial->values, FIELD_RHS, u);
  interrupt_solver(solver);
  const gmg_status status = gmg_solver_solve(solver, &f, &into, 0, result);
  interrupt_solver(NULL);
  if (refused(trial, context, status))
    return trial->failure->status;
  if (result->outcome == GMG_INTERRUPTED)
    failure_set(trial->failure, STATUS_INTERRUPTED, "interrupted; nothing was written");
  return trial->failure->status;
}
