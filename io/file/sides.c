#include "sides.h"

#include <stdlib.h>

#include "common/names.h"

#define SIDE_NAMES(before, after) \
  before "x_lo" after, before "x_hi" after, before "y_lo" after, before "y_hi" after, \
    before "z_lo" after, before "z_hi" after

const char *const problem_side_names[6] = {SIDE_NAMES("", "")};
const char *const problem_boundary_names[4] = {"dirichlet", "neumann", "robin", "periodic"};
static const char *const value_names[6] = {SIDE_NAMES("", "_value")},
                         *const value_paths[6] = {SIDE_NAMES("/boundary/", "_value")},
                         *const c0_names[6] = {SIDE_NAMES("", "_c0")},
                         *const c1_names[6] = {SIDE_NAMES("", "_c1")};
static const char *const attribute_names[] = {SIDE_NAMES("", ""), SIDE_NAMES("", "_value"),
                                              SIDE_NAMES("", "_c0"), SIDE_NAMES("", "_c1")};

const int sides_axes[3][2] = {{1, 2}, {0, 2}, {0, 1}};

size_t sides_faces(const int cells[3], int side)
{
  const int *along = sides_axes[side / 2];
  return (size_t)cells[along[0]] * (size_t)cells[along[1]];
}

static int read_kind(const struct object *boundary, int s, gmg_boundary *kind)
{
  char text[64], nearest[100];
  int present;
  *kind = GMG_DIRICHLET;
  if (object_text(boundary, problem_side_names[s], text, sizeof text, &present) || !present)
    return boundary->failure->status;
  int found = names_find(text, problem_boundary_names, 4);
  names_suggest(text, problem_boundary_names, 4, nearest, sizeof nearest);
  if (found < 0)
    return object_wrong(
      boundary,
      "attribute '%s' of /boundary is '%s', expected one of dirichlet, neumann, robin, periodic%s",
      problem_side_names[s], text, nearest);
  *kind = (gmg_boundary)found;
  return 0;
}

/* The factors of c0 u + c1 ∂u/∂n = value, on Robin faces alone. */
static int read_robin(const struct object *boundary, struct problem *problem, int s)
{
  const gmg_boundary kind = problem->side[s].kind;
  double c0 = 0, c1 = 0;
  int has_c0, has_c1;
  if (object_doubles(boundary, c0_names[s], &c0, 1, &has_c0)
      || object_doubles(boundary, c1_names[s], &c1, 1, &has_c1))
    return boundary->failure->status;
  if (kind != GMG_ROBIN) {
    if (!has_c0 && !has_c1)
      return 0;
    return object_wrong(
      boundary, "/boundary has the attribute '%s' but %s is '%s', expected 'robin'",
      has_c0 ? c0_names[s] : c1_names[s], problem_side_names[s], problem_boundary_names[kind]);
  }
  if (!has_c0 || !has_c1)
    return object_wrong(boundary, "/boundary has no attribute '%s', which %s = 'robin' requires",
                        has_c0 ? c1_names[s] : c0_names[s], problem_side_names[s]);
  if ((c0 < 0 && c1 > 0) || (c0 > 0 && c1 < 0) || (c0 == 0 && c1 == 0))
    return object_wrong(
      boundary,
      "attributes '%s' and '%s' of /boundary are %g and %g, expected the same sign and not both 0",
      c0_names[s], c1_names[s], c0, c1);
  problem->side[s].c0 = c0;
  problem->side[s].c1 = c1;
  return 0;
}

static int read_values(const struct object *boundary, struct problem *problem, int s)
{
  struct problem_side *side = &problem->side[s];
  static const char *const what[3] = {"(nz, ny)", "(nz, nx)", "(ny, nx)"};
  const int *cells = problem->cells, *along = sides_axes[s / 2];
  int has_scalar, has_dataset;
  struct object dataset;
  if (object_doubles(boundary, value_names[s], &side->value, 1, &has_scalar)
      || object_open(boundary, value_paths[s], H5I_DATASET, &dataset, &has_dataset))
    return boundary->failure->status;
  if (has_dataset && has_scalar)
    object_wrong(boundary,
                 "/boundary has '%s' both as an attribute and as a dataset, expected one of them",
                 value_names[s]);
  else if (side->kind == GMG_PERIODIC && (has_dataset || (has_scalar && side->value != 0)))
    object_wrong(boundary, "/boundary has '%s' but %s is 'periodic', expected no value",
                 value_names[s], problem_side_names[s]);
  else if (has_dataset && !object_known_attributes(&dataset, NULL, 0)) {
    const long long shape[2] = {cells[along[1]], cells[along[0]]};
    size_t count = sides_faces(cells, s);
    if (!object_shape(&dataset, 2, shape, what[s / 2])) {
      side->has_values = 1;
      side->values = malloc(count * sizeof *side->values);
      if (!side->values)
        failure_memory(boundary->failure, (double)count * sizeof *side->values, value_paths[s]);
      else
        object_read(&dataset, side->values);
    }
  }
  object_close(&dataset);
  return boundary->failure->status;
}

int sides_read(const struct object *root, struct problem *problem)
{
  struct object boundary;
  int present;
  if (object_open(root, "/boundary", H5I_GROUP, &boundary, &present) || !present)
    return root->failure->status;
  if (!object_known_attributes(&boundary, attribute_names, 24))
    object_known_links(&boundary, value_names, 6);
  for (int s = 0; s < 6 && !root->failure->status; s++)
    read_kind(&boundary, s, &problem->side[s].kind);
  for (int s = 0; s < 6 && !root->failure->status; s += 2)
    if ((problem->side[s].kind == GMG_PERIODIC) != (problem->side[s + 1].kind == GMG_PERIODIC))
      object_wrong(root,
                   "attributes '%s' and '%s' of /boundary are '%s' and '%s', expected both or "
                   "neither 'periodic'",
                   problem_side_names[s], problem_side_names[s + 1],
                   problem_boundary_names[problem->side[s].kind],
                   problem_boundary_names[problem->side[s + 1].kind]);
  for (int s = 0; s < 6 && !root->failure->status; s++)
    read_robin(&boundary, problem, s);
  for (int s = 0; s < 6 && !root->failure->status; s++)
    read_values(&boundary, problem, s);
  object_close(&boundary);
  return root->failure->status;
}
