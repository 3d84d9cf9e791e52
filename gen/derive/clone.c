/* Copies of kernels, and what derivation adds to them. */
#include "derive.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct gen_kernel *gen_clone(const struct gen_kernel *kernel, const char *name)
{
  struct gen_kernel *copy = gen_allocate(sizeof *copy);
  *copy = *kernel;
  copy->name = name;
  copy->kind = GEN_AS_WRITTEN;
  return copy;
}

static void full(const struct gen_kernel *kernel, int most, const char *what)
{
  fprintf(stderr, "%s:%d: error: '%s', which is derived, would have more than %d %s\n",
          kernel->where.file, kernel->where.line, kernel->name, most, what);
  exit(1);
}

/* The array of that name; if there is none yet, a new one that is shaped like the operator's own
 * output: interior from the lower bound of the loops. */
static int need(struct gen_kernel *kernel, const char *name, int rank, enum gen_axis axis)
{
  const int found = gen_find_array(kernel, name);
  if (found >= 0)
    return found;
  if (kernel->arrays == GEN_MAX_NAMED_ARRAYS)
    full(kernel, GEN_MAX_NAMED_ARRAYS, "arrays");
  struct gen_array *array = &kernel->array[kernel->arrays];
  *array = (struct gen_array){.name = name,
                              .where = kernel->where,
                              .type = GEN_DOUBLE,
                              .rank = rank,
                              .axis = axis,
                              .first = kernel->loop[GEN_I].lower.constant,
                              .restricted = true};
  for (int a = 0; a < GEN_AXES; a++) {
    array->extent[a] = kernel->loop[a].upper;
    array->extent[a].constant += a == GEN_BOX ? 1 : 2;
  }
  return kernel->arrays++;
}

int gen_need_array(struct gen_kernel *kernel, const char *name)
{
  return need(kernel, name, 4, GEN_I);
}

int gen_need_line(struct gen_kernel *kernel, const char *name, enum gen_axis axis)
{
  return need(kernel, name, 1, axis);
}

int gen_need_scalar(struct gen_kernel *kernel, const char *name, enum gen_scalar_role role)
{
  for (int n = 0; n < kernel->scalars; n++)
    if (strcmp(kernel->scalar[n].name, name) == 0)
      return n;
  if (kernel->scalars == GEN_MAX_SCALARS)
    full(kernel, GEN_MAX_SCALARS, "scalars");
  kernel->scalar[kernel->scalars] =
    (struct gen_scalar){.name = name, .where = kernel->where, .role = role};
  return kernel->scalars++;
}

struct gen_access gen_here(const struct gen_kernel *kernel, int array)
{
  const struct gen_array *of = &kernel->array[array];
  struct gen_access access = {.array = array};
  for (int axis = 0; axis < GEN_AXES; axis++) {
    struct gen_subscript *subscript = &access.subscript[axis];
    subscript->table = -1;
    if (of->rank == 1 && axis != (int)of->axis)
      continue;
    subscript->affine.coefficient[axis] = 1;
    if (axis != GEN_BOX)
      subscript->affine.constant = of->first - kernel->loop[axis].lower.constant;
  }
  return access;
}
