#include "supplied.h"

#include <string.h>

/* As operators/stencil.h lists them. */
static const struct supplied {
  const char *name;
  int rank;           /* 4: a field; 1: a line along `axis` */
  enum gen_axis axis; /* of a line */
  enum gen_place place;
} supplied[] = {
  {"u", 4, GEN_I, GEN_CELL},        {"w", 4, GEN_I, GEN_CELL},
  {"alpha", 4, GEN_I, GEN_CELL},    {"beta_i", 4, GEN_I, GEN_FACE_I},
  {"beta_j", 4, GEN_I, GEN_FACE_J}, {"beta_k", 4, GEN_I, GEN_FACE_K},
  {"h_i", 1, GEN_I, GEN_CELL},      {"h_j", 1, GEN_J, GEN_CELL},
  {"h_k", 1, GEN_K, GEN_CELL},      {"g_i", 1, GEN_I, GEN_FACE_I},
  {"g_j", 1, GEN_J, GEN_FACE_J},    {"g_k", 1, GEN_K, GEN_FACE_K},
  {"anchor", 4, GEN_I, GEN_CELL},
};
/* The names of link fields: this, and a number. */
static const char link_stem[] = "link_";
static const struct supplied link_field = {link_stem, 4, GEN_I, GEN_CELL};
enum { SUPPLIED = sizeof supplied / sizeof *supplied };

static const char *const known =
  "the solver supplies the fields u, w, alpha, beta_i, beta_j, beta_k, the lines h_i, h_j, h_k, "
  "g_i, g_j, g_k and the number b, the application fields that are only read, on cells or faces";

/* As it is declared: "FACE_I", "LINE_J", "LINE_FACE_K". */
static const char *centring(int rank, enum gen_axis axis, enum gen_place place)
{
  static const char *const face[] = {"", "FACE_I", "FACE_J", "FACE_K"},
                           *const line[] = {"LINE_I", "LINE_J", "LINE_K"};
  if (rank == 4)
    return place == GEN_CELL ? "CELL" : face[place];
  return place == GEN_CELL ? line[axis] : gen_text("LINE_%s", face[place]);
}

bool gen_is_link(const struct gen_array *array)
{
  return array->rank == 4 && strncmp(array->name, link_stem, sizeof link_stem - 1) == 0;
}

bool gen_is_own_field(const struct gen_array *array)
{
  if (gen_is_link(array))
    return false;
  for (int n = 0; n < SUPPLIED; n++)
    if (strcmp(array->name, supplied[n].name) == 0)
      return false;
  return array->rank == 4 && array->level == GEN_OWN && !array->table;
}

/* Whether an array on faces normal to an axis is read on other faces than the two of the cell. */
static bool reads_beyond(const struct gen_kernel *kernel, const struct gen_expr *expr, int array)
{
  bool beyond = false;
  for (int a = 0; a < 3 && expr->kind == GEN_ACCESS && expr->access.array == array; a++) {
    const int at = gen_offset(kernel, &expr->access, a);
    beyond = beyond || at < 0
      || at > (kernel->array[array].place == (enum gen_place)(GEN_FACE_I + a) ? 1 : 0);
  }
  for (int n = 0; n < gen_arity(expr); n++)
    beyond = beyond || reads_beyond(kernel, expr->argument[n], array);
  return beyond;
}

/* The solver fills ghosts of such fields on cells alone. */
static bool check_own(const struct gen_kernel *source, int index)
{
  const struct gen_array *array = &source->array[index];
  if (array->written)
    return gen_reject(array->where, "operator '%s' writes '%s': an operator writes w alone",
                      source->name, array->name);
  for (int n = 0; n < source->statements && array->place != GEN_CELL; n++)
    if (reads_beyond(source, source->statement[n].value, index))
      return gen_reject(
        array->where,
        "operator '%s' reads '%s', a field of its own, on other faces than those of the cell",
        source->name, array->name);
  return true;
}

static bool check_array(const struct gen_kernel *source, int index)
{
  const struct gen_array *array = &source->array[index];
  const struct supplied *found = gen_is_link(array) ? &link_field : NULL;
  for (int n = 0; n < SUPPLIED; n++)
    if (strcmp(array->name, supplied[n].name) == 0)
      found = &supplied[n];
  if (gen_is_own_field(array))
    return check_own(source, index);
  if (!found)
    return gen_reject(array->where,
                      "operator '%s' asks for '%s', which the solver does not have; %s",
                      source->name, array->name, known);
  if (array->level != GEN_OWN || array->table || array->rank != found->rank
      || array->place != found->place || (found->rank == 1 && array->axis != found->axis))
    return gen_reject(array->where,
                      "operator '%s': the solver has '%s' as %s, on the operator's own level",
                      source->name, array->name, centring(found->rank, found->axis, found->place));
  return true;
}

bool gen_check_supplied(const struct gen_kernel *source)
{
  for (int n = 0; n < source->arrays; n++)
    if (!check_array(source, n))
      return false;
  for (int n = 0; n < source->scalars; n++) {
    const struct gen_scalar *scalar = &source->scalar[n];
    if (scalar->role == GEN_PARAMETER && strcmp(scalar->name, "b") != 0)
      return gen_reject(scalar->where,
                        "operator '%s' asks for '%s', which the solver does not have; %s",
                        source->name, scalar->name, known);
  }
  return true;
}
