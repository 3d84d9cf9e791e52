#include "arrays_file.h"

#include <stdio.h>
#include <string.h>

#include "box_values.h"
#include "common/parallel.h"
#include "file/file.h"
#include "file/guard.h"
#include "file/object.h"

enum { VERSION = 1, NAME = 200 };
static const char format[] = "gmg-arrays";

/* Whether a dataset is of the values to come, which files do not hold. */
static int is_next(const struct gmg_program_descriptor *made, int array)
{
  return made->array[array].age == GMG_AGE_NEXT;
}

/* ---- reading ---- */

/* Opens a file, and its root group. */
static int open_root(const char *path, struct object *root, hid_t *file, struct failure *failure)
{
  *root = (struct object){path, "/", -1, failure};
  guard_enter(path);
  *file = file_open(path);
  if (*file >= 0)
    root->id = file_note(H5Oopen(*file, "/", H5P_DEFAULT));
  if (root->id < 0)
    failure_set(failure, STATUS_INPUT, "%s cannot be opened: %s", path, file_reason());
  return failure->status;
}

static void close_root(struct object *root, hid_t file)
{
  object_close(root);
  if (file >= 0)
    H5Fclose(file);
  guard_leave();
}

static int read_parameters(const struct object *root, const struct gmg_program_descriptor *made,
                           struct arrays_header *header)
{
  struct object group;
  int present = 0;
  if (object_open(root, "/parameters", H5I_GROUP, &group, &present))
    return root->failure->status;
  if (!present)
    return object_wrong(root, "there is no group /parameters, which results of gmg run have");
  for (int n = 0; n < made->parameters && !root->failure->status; n++)
    object_doubles(&group, made->parameter[n].name, &header->parameter[n], 1, NULL);
  object_close(&group);
  return root->failure->status;
}

static int read_header(const struct object *root, const struct gmg_program_descriptor *made,
                       struct arrays_header *header)
{
  char text[NAME];
  long long cells[3], step = 0, version = 0;
  if (object_text(root, "format", text, sizeof text, NULL))
    return root->failure->status;
  if (strcmp(text, format) != 0)
    return object_wrong(root, "attribute 'format' of / is '%s', expected '%s'", text, format);
  if (object_integers(root, "version", &version, 1, NULL))
    return root->failure->status;
  if (version != VERSION)
    return object_wrong(root, "attribute 'version' of / is %lld, expected %d", version, VERSION);
  if (object_text(root, "source_hash", text, sizeof text, NULL))
    return root->failure->status;
  if (strcmp(text, made->source_hash) != 0)
    return object_wrong(root,
                        "it was written by another program than %s, or before that was changed: "
                        "found source_hash %s, expected %s",
                        made->source, text, made->source_hash);
  if (object_integers(root, "cells", cells, 3, NULL)
      || object_integers(root, "step", &step, 1, NULL))
    return root->failure->status;
  if (step < 0 || step > 1 << 30)
    return object_wrong(root, "attribute 'step' of / is %lld, expected one from 0 to 2^30", step);
  header->step = (int)step;
  for (int d = 0; d < 3; d++) {
    if (cells[d] < 1 || cells[d] > 1 << 30)
      return object_wrong(root, "attribute 'cells' of / has %lld, expected 1 to 2^30", cells[d]);
    header->cells[d] = (int)cells[d];
  }
  long long composed = 1;
  int present;
  if (object_integers(root, "composed", &composed, 1, &present))
    return root->failure->status;
  if (composed != header->composed)
    return object_wrong(root,
                        header->composed > 1
                          ? "the run that wrote it took steps %lld at a time, and --compose takes "
                            "%lld: the values would be those of neither run"
                          : "the run that wrote it took steps %lld at a time: expected --compose "
                            "%lld, without which the values would be those of neither run",
                        composed, header->composed > 1 ? (long long)header->composed : composed);
  return read_parameters(root, made, header);
}

int arrays_file_header(const char *path, const struct gmg_program_descriptor *made,
                       struct arrays_header *header, struct history *history,
                       struct failure *failure)
{
  struct object root;
  hid_t file = -1;
  if (parallel_rank() == 0) {
    if (!open_root(path, &root, &file, failure) && !read_header(&root, made, header))
      history_read(history, &root, made, header->step);
    close_root(&root, file);
  }
  if (parallel_agree(failure))
    return failure->status;
  parallel_broadcast(header, sizeof *header);
  return history_share(history, made, failure);
}

/* Opens the first dataset of two names that is there, and checks its shape. */
static int find_dataset(const struct object *root, const char *const name[2],
                        const struct box_values *values, struct object *dataset, int *present)
{
  hsize_t expected[3];
  long long shape[3];
  char what[80];
  *present = 0;
  for (int n = 0; n < 2 && !*present; n++)
    if (object_open(root, name[n], H5I_DATASET, dataset, present))
      return root->failure->status;
  if (!*present)
    return 0;
  box_values_shape(values, expected);
  for (int d = 0; d < 3; d++)
    shape[d] = (long long)expected[d];
  snprintf(what, sizeof what, "(nz, ny, nx)%s", values->with_ghosts ? " with ghosts" : "");
  return object_shape(dataset, 3, shape, what);
}

/* An array's cells from a group, or its ghosts. `group` is "" or "/ghosts". */
static int read_array(const struct object *root, const char *group, struct box_values *values,
                      const struct gmg_program_descriptor *made, int *has, struct failure *failure)
{
  char own[NAME], base[NAME];
  const char *const names[2] = {own, base};
  struct object dataset = {.id = -1};
  int present = 0;
  snprintf(own, sizeof own, "%s/%s", group, made->array[values->array].shown);
  snprintf(base, sizeof base, "%s/%s", group, made->array[made->array[values->array].of].shown);
  find_dataset(root, names, values, &dataset, &present);
  if (!parallel_agree(failure) && present) {
    values->dataset = dataset.id;
    values->file = root->file;
    values->name = dataset.name;
    guard_at(dataset.name);
    box_values_read(values, failure);
    *has |= 1;
  }
  object_close(&dataset);
  return parallel_agree(failure);
}

static int check_links(const struct object *root, const struct gmg_program_descriptor *made)
{
  const char *known[40];
  int count = 0;
  for (int a = 0; a < made->arrays; a++)
    if (!is_next(made, a))
      known[count++] = made->array[a].shown;
  known[count++] = "ghosts";
  known[count++] = "parameters";
  known[count++] = "user";
  known[count++] = "values";
  return object_known_links(root, known, count);
}

int arrays_file_read(const char *path, gmg_program *program,
                     const struct gmg_program_descriptor *made, const int cells[3], int *has,
                     struct progress *progress, struct failure *failure)
{
  struct object root, group = {.id = -1};
  hid_t file = -1;
  int present = 0;
  progress_begin(progress, "reading", path);
  if (!open_root(path, &root, &file, failure) && !check_links(&root, made))
    object_open(&root, "/ghosts", H5I_GROUP, &group, &present);
  parallel_agree(failure);
  /* Ghosts first: what they hold of cells is replaced by the cells. */
  for (int deep = 1; deep >= 0; deep--)
    for (int a = 0; a < made->arrays && !failure->status; a++) {
      struct box_values values = {
        .program = program, .array = a, .with_ghosts = deep, .cells = cells};
      int found = 0;
      if (deep ? present && gmg_program_array_kept(program, a) == 2 : !is_next(made, a))
        read_array(deep ? &group : &root, deep ? "/ghosts" : "", &values, made, &found, failure);
      has[a] |= found && !deep;
      progress_step(progress, (a + 1. + (1 - deep) * made->arrays) / (2. * made->arrays));
    }
  object_close(&group);
  close_root(&root, file);
  progress_end(progress);
  return parallel_agree(failure);
}

/* ---- writing ---- */

static int put_header(hid_t file, const struct gmg_program_descriptor *made,
                      const struct arrays_header *header)
{
  const int version = VERSION;
  if (file_put_text(file, "format", format) < 0
      || file_put_integers(file, "version", &version, 0) < 0
      || file_put_text(file, "program", made->name) < 0
      || file_put_text(file, "source_hash", made->source_hash) < 0
      || file_put_integers(file, "cells", header->cells, 3) < 0
      || file_put_integers(file, "step", &header->step, 0) < 0
      || (header->composed > 1 && file_put_integers(file, "composed", &header->composed, 0) < 0))
    return -1;
  hid_t group = file_create_group(file, "parameters");
  int error = group < 0;
  for (int n = 0; n < made->parameters && !error; n++)
    error = file_put_doubles(group, made->parameter[n].name, &header->parameter[n], 0) < 0;
  if (group >= 0)
    H5Gclose(group);
  return error ? -1 : 0;
}

static int write_array(hid_t place, const char *path, const char *name, struct box_values *values)
{
  hsize_t shape[3];
  box_values_shape(values, shape);
  values->dataset = file_create_dataset(place, name, 3, shape);
  if (values->dataset < 0)
    return 1;
  const int error = file_reserve(values->dataset, path) < 0 || box_values_write(values);
  return file_note(H5Dclose(values->dataset)) < 0 || error;
}

static int write_all(hid_t file, const char *path, gmg_program *program,
                     const struct gmg_program_descriptor *made, const struct arrays_header *header,
                     const struct history *history, struct progress *progress)
{
  int error = put_header(file, made, header) != 0 || history_write(history, file, made);
  hid_t ghosts = error ? -1 : file_create_group(file, "ghosts");
  error = error || ghosts < 0;
  for (int a = 0; a < made->arrays && !error; a++) {
    struct box_values values = {.program = program, .array = a, .cells = header->cells};
    const int kept = gmg_program_array_kept(program, a);
    if (kept && !is_next(made, a))
      error = write_array(file, path, made->array[a].shown, &values);
    values.with_ghosts = 1;
    if (kept == 2 && !error)
      error = write_array(ghosts, path, made->array[a].shown, &values);
    progress_step(progress, (a + 1.) / made->arrays);
  }
  if (ghosts >= 0)
    error = H5Gclose(ghosts) < 0 || error;
  return error;
}

/* About so many bytes. */
static double bytes_of(const gmg_program *program, const struct gmg_program_descriptor *made,
                       const int cells[3])
{
  double bytes = 0;
  for (int a = 0; a < made->arrays; a++)
    for (int deep = 0; deep < gmg_program_array_kept(program, a); deep++) {
      double part = sizeof(double);
      for (int d = 0; d < 3; d++)
        part *= cells[d] + 2. * deep * gmg_program_ghosts(program, d);
      bytes += part;
    }
  return bytes;
}

int arrays_file_write(const struct output *output, gmg_program *program,
                      const struct gmg_program_descriptor *made, const struct arrays_header *header,
                      const struct history *history, struct progress *progress,
                      struct failure *failure)
{
  progress_begin(progress, "writing", output->path);
  hid_t file = file_create(output, bytes_of(program, made, header->cells), failure);
  const int error =
    file < 0 || write_all(file, output->temporary, program, made, header, history, progress);
  file_finish(file, error, output, failure);
  progress_end(progress);
  return failure->status;
}
