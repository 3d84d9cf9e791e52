#include "problem.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "file.h"
#include "guard.h"
#include "object.h"
#include "common/parallel.h"
#include "sides.h"

static const long long most_cells_per_axis = 1LL << 30, most_cells = 1LL << 40;
static const double coordinate_tolerance =
  1e-6; /* of the extent; single-precision coordinates are welcome */

static const char *const field_names[FIELD_COUNT] = {
  "/rhs", "/alpha", "/beta", "/beta_x", "/beta_y", "/beta_z", "/initial_guess", "/exact"};

static const char *const axes[] = {"x", "y", "z"};

const char *problem_field_name(enum problem_field field)
{
  return field_names[field];
}

int problem_field_axis(enum problem_field field)
{
  return field >= FIELD_BETA_X && field <= FIELD_BETA_Z ? (int)field - FIELD_BETA_X : -1;
}

void problem_field_shape(const int cells[3], enum problem_field field, long long shape[3])
{
  for (int d = 0; d < 3; d++)
    shape[d] = cells[d] + (d == problem_field_axis(field));
}

double problem_extent(const struct problem *problem, int axis)
{
  return problem->upper[axis] - problem->lower[axis];
}

double problem_unknowns(const struct problem *problem)
{
  return (double)problem->cells[0] * problem->cells[1] * problem->cells[2];
}

/* Says in the system's words why a path is no readable HDF5 file, or opens it. */
static hid_t open_alone(const char *path, struct failure *failure)
{
  struct stat found;
  hid_t file = -1;
  FILE *stream = fopen(path, "rb");
  if (!stream)
    failure_set(failure, STATUS_INPUT, "%s cannot be opened: %s", path, strerror(errno));
  else if (stat(path, &found) == 0 && S_ISDIR(found.st_mode))
    failure_set(failure, STATUS_INPUT, "%s is a folder, expected an HDF5 file", path);
  else if (H5Fis_hdf5(path) <= 0)
    failure_set(failure, STATUS_INPUT, "%s is not an HDF5 file", path);
  else if ((file = file_open(path)) < 0)
    failure_set(failure, STATUS_INPUT, "%s cannot be read: %s", path, file_reason());
  if (stream)
    fclose(stream);
  return file;
}

static int read_root(const struct object *root)
{
  static const char *const attributes[] = {"format", "version"};
  static const char *const links[] = {"grid",   "equation",      "boundary", "rhs",
                                      "alpha",  "beta",          "beta_x",   "beta_y",
                                      "beta_z", "initial_guess", "exact",    "user"};
  char format[64];
  long long version;
  if (object_text(root, "format", format, sizeof format, NULL))
    return root->failure->status;
  if (strcmp(format, "gmg-problem") != 0)
    return object_wrong(root, "attribute 'format' of / is '%s', expected 'gmg-problem'", format);
  if (object_integers(root, "version", &version, 1, NULL))
    return root->failure->status;
  if (version != 1)
    return object_wrong(root, "attribute 'version' of / is %lld, expected 1", version);
  if (object_known_attributes(root, attributes, 2))
    return root->failure->status;
  return object_known_links(root, links, (int)(sizeof links / sizeof *links));
}

/* Attributes cells, lower, upper. */
static int read_extents(const struct object *grid, struct problem *problem)
{
  static const char *const attributes[] = {"cells", "lower", "upper"};
  long long cells[3];
  if (object_known_attributes(grid, attributes, 3) || object_integers(grid, "cells", cells, 3, NULL)
      || object_doubles(grid, "lower", problem->lower, 3, NULL)
      || object_doubles(grid, "upper", problem->upper, 3, NULL))
    return grid->failure->status;
  double product = 1;
  for (int d = 0; d < 3; d++) {
    if (cells[d] < 1 || cells[d] > most_cells_per_axis)
      return object_wrong(
        grid,
        "attribute 'cells' of /grid is (%lld, %lld, %lld), expected 1 to 2^30 in each direction",
        cells[0], cells[1], cells[2]);
    product *= (double)cells[d];
    problem->cells[d] = (int)cells[d];
    if (!(problem->upper[d] > problem->lower[d]) || !isfinite(problem_extent(problem, d)))
      return object_wrong(
        grid, "attributes 'lower' and 'upper' of /grid are %g and %g in %c, expected lower < upper",
        problem->lower[d], problem->upper[d], "xyz"[d]);
  }
  if (product > (double)most_cells)
    return object_wrong(
      grid,
      "attribute 'cells' of /grid asks for %lld x %lld x %lld cells, expected at most 2^40 in all",
      cells[0], cells[1], cells[2]);
  return 0;
}

/* n + 1 increasing coordinates that agree with lower and upper, which they then replace. */
static int read_faces(const struct object *dataset, struct problem *problem, int axis)
{
  const long long count = problem->cells[axis] + 1LL;
  static const char *const what[3] = {"(nx + 1)", "(ny + 1)", "(nz + 1)"};
  if (object_shape(dataset, 1, &count, what[axis]))
    return dataset->failure->status;
  double *faces = problem->faces[axis] = malloc((size_t)count * sizeof *faces);
  if (!faces)
    return failure_memory(dataset->failure, (double)count * sizeof *faces, dataset->name);
  problem->stretched[axis] = 1;
  if (object_read(dataset, faces))
    return dataset->failure->status;
  for (long long n = 1; n < count; n++)
    if (!(faces[n] > faces[n - 1]))
      return object_wrong(dataset,
                          "%s has %.17g at [%lld] after %.17g, expected increasing coordinates",
                          dataset->name, faces[n], n, faces[n - 1]);
  const double ends[2] = {problem->lower[axis], problem->upper[axis]},
               found[2] = {faces[0], faces[count - 1]};
  for (int side = 0; side < 2; side++)
    if (fabs(found[side] - ends[side]) > coordinate_tolerance * problem_extent(problem, axis))
      return object_wrong(dataset, "%s %s at %.17g, expected %.17g, the attribute '%s' of /grid",
                          dataset->name, side ? "ends" : "begins", found[side], ends[side],
                          side ? "upper" : "lower");
  problem->lower[axis] = faces[0];
  problem->upper[axis] = faces[count - 1];
  return 0;
}

static int read_grid(const struct object *root, struct problem *problem)
{
  static const char *const names[] = {"/grid/x", "/grid/y", "/grid/z"};
  struct object grid;
  int present;
  if (object_open(root, "/grid", H5I_GROUP, &grid, &present))
    return root->failure->status;
  if (!present)
    return object_wrong(root, "there is no group /grid, which is required");
  if (!object_known_links(&grid, axes, 3))
    read_extents(&grid, problem);
  for (int d = 0; d < 3 && !root->failure->status; d++) {
    struct object faces;
    if (!object_open(&grid, names[d], H5I_DATASET, &faces, &present) && present
        && !object_known_attributes(&faces, NULL, 0))
      read_faces(&faces, problem, d);
    object_close(&faces);
  }
  object_close(&grid);
  return root->failure->status;
}

/* a and b. */
static int read_equation(const struct object *root, struct problem *problem)
{
  static const char *const attributes[] = {"a", "b"};
  struct object equation;
  int present, has_a = 0, has_b = 0;
  problem->a = problem->has[FIELD_ALPHA] ? 1 : 0;
  problem->b = 1;
  if (object_open(root, "/equation", H5I_GROUP, &equation, &present) || !present)
    return root->failure->status;
  if (!object_known_links(&equation, NULL, 0) && !object_known_attributes(&equation, attributes, 2)
      && !object_doubles(&equation, "a", &problem->a, 1, &has_a))
    object_doubles(&equation, "b", &problem->b, 1, &has_b);
  object_close(&equation);
  if (root->failure->status)
    return root->failure->status;
  if (!(problem->b > 0))
    return object_wrong(root, "attribute 'b' of /equation is %g, expected > 0", problem->b);
  if (problem->a < 0 && !problem->has[FIELD_ALPHA])
    return object_wrong(
      root,
      "attribute 'a' of /equation is %g and there is no /alpha (so it is 1), expected a alpha >= 0",
      problem->a);
  return 0;
}

/* The datasets on the cells and faces: presence, attributes, type and shape. */
static int check_field(const struct object *root, struct problem *problem, enum problem_field field)
{
  static const char *const what[] = {"(nz, ny, nx)", "(nz, ny, nx + 1)", "(nz, ny + 1, nx)",
                                     "(nz + 1, ny, nx)"};
  static const char *const attributes[] = {"average"};
  struct object dataset;
  int present, has_average = 0;
  if (object_open(root, field_names[field], H5I_DATASET, &dataset, &present) || !present)
    return root->failure->status;
  problem->has[field] = 1;
  long long shape[3];
  problem_field_shape(problem->cells, field, shape);
  const long long file_shape[3] = {shape[2], shape[1], shape[0]};
  char average[64];
  if (!object_known_attributes(&dataset, attributes, field == FIELD_BETA)
      && !object_shape(&dataset, 3, file_shape, what[problem_field_axis(field) + 1])
      && field == FIELD_BETA
      && !object_text(&dataset, "average", average, sizeof average, &has_average) && has_average) {
    if (strcmp(average, "arithmetic") == 0)
      problem->average = GMG_ARITHMETIC;
    else if (strcmp(average, "harmonic") != 0)
      object_wrong(
        root, "attribute 'average' of /beta is '%s', expected 'harmonic' or 'arithmetic'", average);
  }
  object_close(&dataset);
  return root->failure->status;
}

static int check_fields(const struct object *root, struct problem *problem)
{
  for (enum problem_field field = 0; field < FIELD_COUNT; field++)
    if (check_field(root, problem, field))
      return root->failure->status;
  if (!problem->has[FIELD_RHS])
    return object_wrong(root, "there is no dataset /rhs, which is required");
  int faces = problem->has[FIELD_BETA_X] + problem->has[FIELD_BETA_Y] + problem->has[FIELD_BETA_Z];
  if (faces && problem->has[FIELD_BETA])
    return object_wrong(
      root, "there are both /beta and /beta_%c, expected either /beta or /beta_x, /beta_y, /beta_z",
      problem->has[FIELD_BETA_X]     ? 'x'
        : problem->has[FIELD_BETA_Y] ? 'y'
                                     : 'z');
  for (int d = 0; d < 3 && faces; d++)
    if (!problem->has[FIELD_BETA_X + d])
      return object_wrong(
        root, "there is no dataset /beta_%c, expected all of /beta_x, /beta_y, /beta_z or none",
        "xyz"[d]);
  return 0;
}

/* Rank 0's part of problem_read. */
static int read_alone(const char *path, struct problem *problem, struct failure *failure)
{
  hid_t file = open_alone(path, failure);
  if (file < 0)
    return failure->status;
  struct object root = {path, "/", file_note(H5Oopen(file, "/", H5P_DEFAULT)), failure}, user;
  int present;
  if (root.id < 0)
    failure_set(failure, STATUS_INPUT, "%s: the root group / cannot be opened: %s", path,
                file_reason());
  else if (!read_root(&root) && !object_open(&root, "/user", H5I_GROUP, &user, &present)) {
    object_close(&user);
    if (!read_grid(&root, problem) && !check_fields(&root, problem)
        && !read_equation(&root, problem))
      sides_read(&root, problem);
  }
  object_close(&root);
  H5Fclose(file);
  return failure->status;
}

/* For guard_rehearse. */
static int read_once(const char *path, struct failure *failure)
{
  struct problem problem = {.average = GMG_HARMONIC};
  read_alone(path, &problem, failure);
  problem_clear(&problem);
  return failure->status;
}

/* An array of rank 0, to all ranks that have none. */
static int share(double **array, size_t count, const char *what, struct failure *failure)
{
  if (parallel_rank() && !(*array = malloc(count * sizeof **array)))
    failure_memory(failure, (double)count * sizeof **array, what);
  if (parallel_agree(failure))
    return failure->status;
  parallel_broadcast(*array, count * sizeof **array);
  return 0;
}

int problem_read(const char *path, struct problem *problem, struct failure *failure)
{
  *problem = (struct problem){.average = GMG_HARMONIC};
  if (parallel_rank() == 0 && !guard_rehearse(path, read_once, failure))
    read_alone(path, problem, failure);
  if (parallel_agree(failure))
    return failure->status;
  parallel_broadcast(problem, sizeof *problem);
  if (parallel_rank()) { /* the arrays are rank 0's */
    for (int d = 0; d < 3; d++)
      problem->faces[d] = NULL;
    for (int s = 0; s < 6; s++)
      problem->side[s].values = NULL;
  }
  for (int d = 0; d < 3; d++)
    if (problem->stretched[d]
        && share(&problem->faces[d], (size_t)problem->cells[d] + 1, "coordinates", failure))
      return failure->status;
  for (int s = 0; s < 6; s++)
    if (problem->side[s].has_values
        && share(&problem->side[s].values, sides_faces(problem->cells, s), "boundary values",
                 failure))
      return failure->status;
  return 0;
}

void problem_clear(struct problem *problem)
{
  for (int d = 0; d < 3; d++)
    free(problem->faces[d]);
  for (int s = 0; s < 6; s++)
    free(problem->side[s].values);
  memset(problem, 0, sizeof *problem);
}

herr_t problem_put_header(hid_t file, const char *format, const struct problem *problem)
{
  const int version = 1;
  if (file_put_text(file, "format", format) < 0
      || file_put_integers(file, "version", &version, 0) < 0)
    return -1;
  hid_t grid = file_create_group(file, "grid");
  if (grid < 0)
    return -1;
  int error = file_put_integers(grid, "cells", problem->cells, 3) < 0
    || file_put_doubles(grid, "lower", problem->lower, 3) < 0
    || file_put_doubles(grid, "upper", problem->upper, 3) < 0;
  for (int d = 0; d < 3 && !error; d++) {
    const hsize_t count = (hsize_t)problem->cells[d] + 1;
    error = problem->faces[d] && file_put_values(grid, axes[d], problem->faces[d], 1, &count) < 0;
  }
  H5Gclose(grid);
  return error ? -1 : 0;
}
