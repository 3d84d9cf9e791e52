#include "begin.h"

#include <string.h>

#include "choice.h"
#include "common/parallel.h"
#include "prebuilt.h"
#include "rank_list.h"
#include "weights.h"

/* From the command line, or else the formula file. */
static int find_cells(const struct run_request *request, struct beginning *b,
                      struct failure *failure)
{
  const struct gmg_program_descriptor *made = b->made;
  int *cells = b->header.cells;
  const int given = request->directions;
  if (!given && !made->cells[0])
    return failure_set(failure, STATUS_INPUT,
                       "%s says no grid: expected --cells, or a line such as 'grid 64 64 64;'",
                       request->program);
  if (given > made->dimensions && !(given == 3 && request->cells[2] == 1))
    return failure_set(failure, STATUS_INPUT, "--cells: found %d numbers, and %s has %d dimensions",
                       given, request->program, made->dimensions);
  if (given == 2 && made->dimensions == 3)
    return failure_set(failure, STATUS_INPUT,
                       "--cells: found 2 numbers, and %s has 3 dimensions: expected 1 or 3",
                       request->program);
  for (int d = 0; d < 3; d++)
    cells[d] = d >= made->dimensions ? 1
      : !given                       ? made->cells[d]
                                     : request->cells[given == 1 ? 0 : d];
  return 0;
}

static int find_steps(const struct run_request *request, struct beginning *b,
                      struct failure *failure)
{
  b->steps = request->steps >= 0 ? request->steps : b->made->times;
  if (request->steps < 0 && !b->made->times)
    return failure_set(failure, STATUS_INPUT,
                       "%s says no number of steps: expected --steps, or a line such as 'steps "
                       "100;'",
                       request->program);
  if (b->steps < b->header.step)
    return failure_set(failure, STATUS_INPUT,
                       "%s is of step %d already: expected --steps of at least so many, found %d",
                       request->restart, b->header.step, b->steps);
  if (request->compose && (b->steps - b->header.step) % request->compose)
    return failure_set(failure, STATUS_INPUT,
                       "--compose %d takes so many steps at a time: found %d steps from step %d to "
                       "%d, expected a multiple of %d",
                       request->compose, b->steps - b->header.step, b->header.step, b->steps,
                       request->compose);
  return 0;
}

static gmg_status set_parameters(const struct run_request *request, struct beginning *b,
                                 gmg_program *program)
{
  gmg_status status = GMG_OK;
  for (int n = 0; n < request->sets && !status; n++)
    status = gmg_program_set(program, request->set[n].name, request->set[n].value);
  for (int n = 0; n < b->made->parameters && !status; n++) {
    const char *name = b->made->parameter[n].name;
    if (request->restart)
      status = gmg_program_set(program, name, b->header.parameter[n]);
    b->header.parameter[n] = gmg_program_parameter(program, name);
  }
  return status;
}

/* The program, from a formula file or compiled before. */
static int load(const struct run_request *request, struct beginning *b, struct failure *failure)
{
  return prebuilt_named(request->program)
    ? prebuilt_load(request->program, &b->compiled, failure)
    : compiled_load(request->program, request->generator_options, gmg_context_isa(b->context),
                    request->cache, &b->compiled, failure);
}

/* One back end for all ranks, or a list; all ranks look at all of it, so that all refuse the same.
 */
static gmg_status set_backends(const struct run_request *request, gmg_program *program)
{
  const char *const list = request->backend;
  const int count = list ? rank_list_count(list) : 0;
  char word[RANK_LIST_WORD];
  gmg_status status = GMG_OK;
  for (int n = 0; n < count && !status; n++)
    status = gmg_program_set_option(program, "backend", rank_list_item(list, n, word));
  if (status || count <= 1)
    return status;
  status = gmg_program_set_option(program, "backends", "unlike");
  return status
    ? status
    : gmg_program_set_option(program, "backend", rank_list_item(list, rank_list_own(list), word));
}

/* Of a list as well. */
static gmg_status set_work(const char *list, gmg_program *program)
{
  const int count = list ? rank_list_count(list) : 0;
  char word[RANK_LIST_WORD];
  gmg_status status = GMG_OK;
  for (int n = 0; n < count && !status; n++)
    status = gmg_program_set_option(program, "work", rank_list_item(list, n, word));
  return status || !count
    ? status
    : gmg_program_set_option(program, "work", rank_list_item(list, rank_list_own(list), word));
}

/* Puts it where the command line says. */
static gmg_status place(const struct run_request *request, const struct beginning *b,
                        gmg_program *program)
{
  const char *const option[][2] = {{"launch", request->launch},
                                   {"device-messages", request->messages},
                                   {"overlap", b->overlap ? b->overlap : request->overlap},
                                   {"stores", request->stores},
                                   {"steps-per-pass", request->per_pass},
                                   {"compose", request->compose ? request->compose_text : NULL}};
  gmg_status status = set_backends(request, program);
  if (!status)
    status = set_work(request->work, program);
  for (int n = 0; n < (int)(sizeof option / sizeof *option) && !status; n++)
    if (option[n][1])
      status = gmg_program_set_option(program, option[n][0], option[n][1]);
  return status ? status : gmg_program_place(program);
}

int begin_compile(const struct run_request *request, struct beginning *b, struct failure *failure)
{
  gmg_status status = parallel_context(request->threads, &b->context);
  if (!status && request->isa)
    status = gmg_context_set_isa(b->context, request->isa);
  if (parallel_refused(b->context, status, failure) || load(request, b, failure))
    return failure->status;
  b->made = b->compiled.made[0];
  return 0;
}

gmg_status begin_make(const struct run_request *request, struct beginning *b, double weight,
                      gmg_program **program)
{
  gmg_status status = weight < 0
    ? gmg_program_create(b->grid, b->compiled.made, request->box, request->together, program)
    : gmg_program_create_weighted(b->grid, b->compiled.made, request->box, request->together,
                                  weight, program);
  if (!status)
    status = set_parameters(request, b, *program);
  return status ? status : place(request, b, *program);
}

int begin_grid(const struct run_request *request, struct beginning *b, struct failure *failure)
{
  const double lower[3] = {0, 0, 0}, upper[3] = {1, 1, 1};
  gmg_status status;
  if (begin_compile(request, b, failure))
    return failure->status;
  if (b->made->solves)
    return failure_set(failure, STATUS_INPUT,
                       "%s: 'solve %s' is a step by a solver that an application attaches "
                       "(gmg_program_attach), and gmg run has none: expected a program without",
                       request->program, b->made->solve[0].name);
  if (request->values && !b->made->reductions)
    return failure_set(failure, STATUS_INPUT,
                       "--values: %s reduces nothing: expected a line such as 'reduce mass = sum "
                       "u%s;'",
                       request->program, b->made->dimensions == 3 ? "[i][j][k]" : "[i][j]");
  b->header.composed = request->compose ? request->compose : 1;
  if (request->restart
        ? arrays_file_header(request->restart, b->made, &b->header, &b->history, failure)
        : find_cells(request, b, failure))
    return failure->status;
  if (find_steps(request, b, failure))
    return failure->status;
  status = gmg_grid_create(b->context, b->header.cells, lower, upper, &b->grid);
  return parallel_refused(b->context, status, failure);
}

int begin_program(const struct run_request *request, struct beginning *b, struct progress *progress,
                  struct failure *failure)
{
  if (begin_grid(request, b, failure))
    return failure->status;
  b->weight = request->weight;
  if (request->find_weights && weights_find(request, b, progress, failure))
    return failure->status;
  return choice_make(request, b, failure);
}

/* Which array the first round of steps reads before anything has stored it, or reductions read and
 * nothing ever stores; -1: none. has: by array, 1 where it holds values at first. */
static int find_missing(const struct gmg_program_descriptor *made, int *has)
{
  for (int s = 0; s < made->steps; s++) {
    const struct gmg_program_step *step = &made->step[s];
    const int first = has[step->cycle[0]];
    for (int n = 0; n < step->count; n++)
      has[step->cycle[n]] = n + 1 < step->count ? has[step->cycle[n + 1]] : first;
    if (step->kind != GMG_STEP_RUN)
      continue;
    const struct gmg_program_kernel *bound = &made->kernel[step->which];
    for (int f = 0; f < bound->kernel->fields; f++)
      if (bound->kernel->field[f].read && !has[bound->array[f]])
        return bound->array[f];
    for (int f = 0; f < bound->kernel->fields; f++)
      has[bound->array[f]] |= bound->kernel->field[f].written;
  }
  for (int r = 0; r < made->reductions; r++) {
    const struct gmg_program_kernel *bound = &made->reduction[r].kernel;
    for (int f = 0; f < bound->kernel->fields; f++)
      if (!has[bound->array[f]])
        return bound->array[f];
  }
  return -1;
}

int begin_values(const struct run_request *request, struct beginning *b, struct progress *progress,
                 struct failure *failure)
{
  const char *path = request->restart ? request->restart : request->input;
  int has[32] = {0};
  if (parallel_refused(b->context, gmg_program_begin(b->program), failure)
      || (path
          && arrays_file_read(path, b->program, b->made, b->header.cells, has, progress, failure)))
    return failure->status;
  for (int a = 0; a < b->made->arrays; a++)
    has[a] |= b->made->array[a].age != GMG_AGE_NEXT && b->made->array[a].initial != NULL;
  const int missing = find_missing(b->made, has);
  if (missing >= 0 && request->from)
    return failure_set(failure, STATUS_INPUT,
                       "array '%s' of %s has no values to begin with: expected a dataset /%s in "
                       "--input, since what fills arrays in the C file is not read",
                       b->made->array[missing].shown, request->program,
                       b->made->array[missing].shown);
  if (missing >= 0)
    return failure_set(failure, STATUS_INPUT,
                       "array '%s' of %s has no values to begin with: expected a dataset /%s in "
                       "--input, or a line such as 'initial %s = 0;'",
                       b->made->array[missing].shown, request->program,
                       b->made->array[missing].shown,
                       b->made->array[b->made->array[missing].of].name);
  return 0;
}

void begin_clear(struct beginning *b)
{
  gmg_program_destroy(&b->program);
  gmg_grid_destroy(&b->grid);
  gmg_context_destroy(&b->context);
  compiled_unload(&b->compiled);
  history_clear(&b->history);
}
