#include "history.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/parallel.h"
#include "file/file.h"
#include "report/json.h"

enum { LINE = 1000, NAME = 200 };

/* Room for so many rows. Returns -1 out of memory. */
static int grow(struct history *history, int reductions, int rows)
{
  if (rows <= history->room)
    return 0;
  const int room = rows + rows / 2 + 16;
  int *step = realloc(history->step, (size_t)room * sizeof *step);
  if (step)
    history->step = step;
  double *value = realloc(history->value, (size_t)room * (size_t)reductions * sizeof *value);
  if (value)
    history->value = value;
  double *list = realloc(history->list, (size_t)room * sizeof *list);
  if (list)
    history->list = list;
  if (!step || !value || !list)
    return -1;
  history->room = room;
  return 0;
}

static int no_memory(struct failure *failure)
{
  return failure_set(failure, STATUS_MACHINE, "out of memory for the values of reductions");
}

static void tell(const struct gmg_program_descriptor *made, int step, const double *value,
                 const struct progress *progress)
{
  char text[LINE] = "";
  for (int r = 0; r < made->reductions; r++) {
    const size_t length = strlen(text);
    snprintf(text + length, sizeof text - length, "%s%s %.17g", r ? ", " : "",
             made->reduction[r].name, value[r]);
  }
  progress_line(progress, "values     step %d: %s", step, text);
}

int history_add(struct history *history, gmg_program *program,
                const struct gmg_program_descriptor *made, int step,
                const struct progress *progress, struct failure *failure)
{
  gmg_context *context = gmg_program_context(program);
  if (!made->reductions || (history->rows && history->step[history->rows - 1] == step))
    return 0;
  if (grow(history, made->reductions, history->rows + 1))
    no_memory(failure);
  if (parallel_agree(failure))
    return failure->status;
  double *value = history->value + (size_t)history->rows * (size_t)made->reductions;
  for (int r = 0; r < made->reductions; r++)
    if (parallel_refused(context, gmg_program_value(program, made->reduction[r].name, &value[r]),
                         failure))
      return failure->status;
  history->step[history->rows++] = step;
  tell(made, step, value, progress);
  return 0;
}

int history_are_finite(const struct history *history, const struct gmg_program_descriptor *made)
{
  for (int r = 0; r < made->reductions && history->rows; r++)
    if (!isfinite(
          history->value[(size_t)(history->rows - 1) * (size_t)made->reductions + (size_t)r]))
      return 0;
  return 1;
}

/* ---- reading ---- */

/* How long a list is; 0 where the dataset is none, which object_shape tells. */
static long long length_of(const struct object *dataset)
{
  hsize_t length[H5S_MAX_RANK] = {0};
  const hid_t space = H5Dget_space(dataset->id);
  if (space >= 0 && H5Sget_simple_extent_ndims(space) == 1)
    H5Sget_simple_extent_dims(space, length, NULL);
  if (space >= 0)
    H5Sclose(space);
  return (long long)length[0];
}

/* A list of numbers, which need not be finite. rows: how many there are to be; less than 0: as many
 * as there are. Memory: gives it; NULL after a failure. */
static double *read_list(const struct object *group, const char *name, long long *rows)
{
  char path[NAME];
  struct object dataset = {.id = -1};
  int present = 0;
  double *list = NULL;
  snprintf(path, sizeof path, "/values/%s", name);
  if (object_open(group, path, H5I_DATASET, &dataset, &present))
    return NULL;
  if (!present) {
    object_wrong(group, "there is no %s, which belongs to /values", path);
    return NULL;
  }
  *rows = *rows < 0 ? length_of(&dataset) : *rows;
  if (!object_shape(&dataset, 1, rows, "(rows of /values)")) {
    list = malloc(((size_t)*rows + 1) * sizeof *list);
    if (!list)
      no_memory(group->failure);
    else if (*rows
             && file_note(
                  H5Dread(dataset.id, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, list))
               < 0)
      object_wrong(group, "%s cannot be read: %s", path, file_reason());
  }
  object_close(&dataset);
  return list;
}

/* The steps of a file's rows, up to one of them. */
static int read_steps(struct history *history, const struct object *group, int reductions, int last,
                      long long *rows)
{
  double *step = read_list(group, "step", rows);
  if (step && !group->failure->status && *rows > 1 << 30)
    object_wrong(group, "/values/step has %lld rows", *rows);
  if (step && !group->failure->status && grow(history, reductions, (int)*rows))
    no_memory(group->failure);
  for (int n = 0; n < *rows && !group->failure->status; n++) {
    const double least = n ? history->step[n - 1] + 1 : 0;
    if (!(step[n] >= least && step[n] <= 1 << 30 && step[n] == floor(step[n])))
      object_wrong(group, "/values/step is %g in row %d, expected whole numbers that increase",
                   step[n], n);
    else if (step[n] <= last)
      history->step[history->rows++] = (int)step[n];
    else
      break;
  }
  free(step);
  return group->failure->status;
}

int history_read(struct history *history, const struct object *root,
                 const struct gmg_program_descriptor *made, int step)
{
  struct object group;
  int present = 0;
  long long rows = -1;
  if (!made->reductions || object_open(root, "/values", H5I_GROUP, &group, &present) || !present)
    return root->failure->status;
  read_steps(history, &group, made->reductions, step, &rows);
  for (int r = 0; r < made->reductions && !root->failure->status; r++) {
    double *list = read_list(&group, made->reduction[r].name, &rows);
    for (int n = 0; n < history->rows && !root->failure->status; n++)
      history->value[(size_t)n * (size_t)made->reductions + (size_t)r] = list[n];
    free(list);
  }
  object_close(&group);
  return root->failure->status;
}

int history_share(struct history *history, const struct gmg_program_descriptor *made,
                  struct failure *failure)
{
  int rows = history->rows;
  parallel_broadcast(&rows, sizeof rows);
  if (rows && grow(history, made->reductions, rows))
    no_memory(failure);
  if (parallel_agree(failure) || !rows)
    return failure->status;
  parallel_broadcast(history->step, (size_t)rows * sizeof *history->step);
  parallel_broadcast(history->value,
                     (size_t)rows * (size_t)made->reductions * sizeof *history->value);
  history->rows = rows;
  return 0;
}

/* ---- writing ---- */

int history_write(const struct history *history, hid_t file,
                  const struct gmg_program_descriptor *made)
{
  const hsize_t shape[1] = {(hsize_t)history->rows};
  if (!history->rows)
    return 0;
  double *const list = history->list;
  hid_t group = file_create_group(file, "values");
  int error = group < 0;
  for (int r = -1; r < made->reductions && !error; r++) {
    for (int n = 0; n < history->rows; n++)
      list[n] =
        r < 0 ? history->step[n] : history->value[(size_t)n * (size_t)made->reductions + (size_t)r];
    error = file_put_values(group, r < 0 ? "step" : made->reduction[r].name, list, 1, shape) < 0;
  }
  if (group >= 0)
    error = H5Gclose(group) < 0 || error;
  return error;
}

json_t *history_json(const struct history *history, const struct gmg_program_descriptor *made)
{
  json_t *all = json_object();
  for (int r = -1; r < made->reductions && made->reductions; r++) {
    json_t *list = json_array();
    for (int n = 0; n < history->rows; n++)
      json_array_append_new(
        list,
        r < 0 ? json_integer(history->step[n])
              : json_number(history->value[(size_t)n * (size_t)made->reductions + (size_t)r]));
    put(all, r < 0 ? "step" : made->reduction[r].name, list);
  }
  return all;
}

void history_clear(struct history *history)
{
  free(history->step);
  free(history->value);
  free(history->list);
  memset(history, 0, sizeof *history);
}
