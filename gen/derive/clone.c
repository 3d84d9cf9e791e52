/* Copies of kernels, and what derivation adds to them. */
#include "derive.h"

#include <stdio.h>
#include <stdlib.h>

struct gen_kernel *gen_clone(const struct gen_kernel *kernel, const char *name)
{
  struct gen_kernel *copy = gen_allocate(sizeof *copy);
  *copy = *kernel;
  copy->name = name;
  copy->kind = GEN_AS_WRITTEN;
  return copy;
}

static void full(const char *what)
{
  fprintf(stderr, "gmg-gen: a derived kernel has more %s than the tree holds\n", what);
  exit(3);
}

/* A new array that is shaped like the operator's own output: interior from the lower bound of the
 * loops. */
static int add_array(struct gen_kernel *kernel, const char *name, int rank)
{
  if (kernel->arrays == GEN_MAX_ARRAYS)
    full("arrays");
  struct gen_array *array = &kernel->array[kernel->arrays];
  *array = (struct gen_array){
    .name = name, .where = kernel->where, .type = GEN_DOUBLE, .rank = rank, .restricted = true};
  array->first = kernel->loop[GEN_I].lower.constant;
  for (int a = 0; a < GEN_BOX; a++) {
    array->extent[a] = kernel->loop[a].upper;
    array->extent[a].constant += 2;
  }
  array->extent[GEN_BOX] = kernel->loop[GEN_BOX].upper;
  array->extent[GEN_BOX].constant += 1;
  return kernel->arrays++;
}

int gen_need_array(struct gen_kernel *kernel, const char *name, enum gen_place place)
{
  const int found = gen_find_array(kernel, name);
  if (found >= 0)
    return found;
  const int array = add_array(kernel, name, 4);
  kernel->array[array].place = place;
  return array;
}

int gen_need_line(struct gen_kernel *kernel, const char *name, enum gen_axis axis)
{
  const int found = gen_find_array(kernel, name);
  if (found >= 0)
    return found;
  const int array = add_array(kernel, name, 1);
  kernel->array[array].axis = axis;
  return array;
}

int gen_need_scalar(struct gen_kernel *kernel, const char *name, enum gen_scalar_role role)
{
  const int found = gen_find_scalar(kernel, name);
  if (found >= 0)
    return found;
  if (kernel->scalars == GEN_MAX_SCALARS)
    full("scalars");
  kernel->scalar[kernel->scalars] =
    (struct gen_scalar){.name = name, .where = kernel->where, .role = role};
  return kernel->scalars++;
}

static struct gen_subscript at_loop(const struct gen_kernel *kernel, const struct gen_array *array,
                                    enum gen_axis axis)
{
  struct gen_subscript subscript = {.table = -1};
  subscript.affine.coefficient[axis] = 1;
  if (axis != GEN_BOX)
    subscript.affine.constant = array->first - kernel->loop[axis].lower.constant;
  return subscript;
}

struct gen_access gen_here(const struct gen_kernel *kernel, int array)
{
  struct gen_access access = {.array = array};
  for (int a = 0; a < GEN_AXES; a++)
    access.subscript[a] = at_loop(kernel, &kernel->array[array], a);
  return access;
}

struct gen_access gen_here_line(const struct gen_kernel *kernel, int line)
{
  struct gen_access access = {.array = line};
  for (int a = 0; a < GEN_AXES; a++)
    access.subscript[a].table = -1;
  const enum gen_axis axis = kernel->array[line].axis;
  access.subscript[axis] = at_loop(kernel, &kernel->array[line], axis);
  return access;
}
