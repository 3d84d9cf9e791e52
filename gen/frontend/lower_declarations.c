#include "lower_values.h"

#include "frontend_notes.h"

#include <string.h>

struct gen_name *gen_declare_name(struct gen_lowering *lowering, const struct gen_syntax *variable)
{
  if (lowering->names == GEN_MAX_NAMES) {
    gen_reject(variable->where, "more than %d names are declared", GEN_MAX_NAMES);
    return NULL;
  }
  struct gen_name *name = &lowering->name[lowering->names++];
  *name = (struct gen_name){.declaration = variable};
  return name;
}

static bool read_note(const struct gen_syntax *variable, struct gen_array *array)
{
  const char *note = variable->variable.note;
  if (!note)
    return gen_reject(array->where,
                      "array '%s' has no centring note: write CELL(first), FACE_I(first), "
                      "LINE_I(first), ... after it",
                      array->name);
  if (variable->variable.notes > 1)
    return gen_reject(array->where, "array '%s' has two centring notes", array->name);
  if (!gen_read_note(note, array))
    return gen_reject(array->where, "array '%s': the note '%s' is none of stencil.h", array->name,
                      note);
  if (array->rank != variable->variable.rank)
    return gen_reject(array->where, "array '%s' has %d dimensions; with the note '%s' it has %d%s",
                      array->name, variable->variable.rank, note + strlen("gmg: "), array->rank,
                      array->rank == 4 ? ": [box][k][j][i]" : "");
  return true;
}

static bool read_type(const struct gen_syntax *variable, struct gen_array *array)
{
  const enum gen_type type = variable->variable.type;
  if (array->table ? type != GEN_INT : type != GEN_FLOAT && type != GEN_DOUBLE)
    return gen_reject(array->where, "array '%s' must hold %s", array->name,
                      array->table ? "int, as a table"
                                   : "double or float (int subscripts are a TABLE)");
  array->type = type;
  array->constant = variable->variable.constant;
  array->restricted = variable->variable.restricted || !variable->variable.argument;
  return true;
}

static bool read_extents(struct gen_lowering *lowering, const struct gen_syntax *variable,
                         struct gen_array *array)
{
  if (variable->count != array->rank || variable->variable.initial)
    return gen_reject(
      array->where, "array '%s': write the length of every dimension, and no values", array->name);
  for (int d = 0; d < array->rank; d++) {
    const struct gen_syntax *length = variable->part[d];
    struct gen_affine *extent = &array->extent[array->rank == 1 ? (int)array->axis : d];
    if (!gen_lower_affine(lowering, length, extent) || gen_uses_loops(extent))
      return gen_reject(length->where, "length '%s' of '%s' is not affine in the integer arguments",
                        length->text, array->name);
  }
  return true;
}

static bool declare_array(struct gen_lowering *lowering, const struct gen_syntax *variable)
{
  struct gen_kernel *kernel = lowering->kernel;
  struct gen_array array = {.name = variable->name, .where = variable->where};
  if (lowering->in_loops)
    return gen_reject(array.where, "array '%s' is declared inside the loops", array.name);
  if (!read_note(variable, &array) || !read_type(variable, &array)
      || !read_extents(lowering, variable, &array))
    return false;
  if (kernel->arrays == GEN_MAX_NAMED_ARRAYS)
    return gen_reject(array.where, "more than %d arrays", GEN_MAX_NAMED_ARRAYS);
  struct gen_name *name = gen_declare_name(lowering, variable);
  if (!name)
    return false;
  name->meaning = GEN_NAME_ARRAY;
  name->index = kernel->arrays;
  kernel->array[kernel->arrays++] = array;
  return true;
}

static bool declare_scalar(struct gen_lowering *lowering, const struct gen_syntax *variable)
{
  struct gen_kernel *kernel = lowering->kernel;
  if (kernel->scalars == GEN_MAX_SCALARS)
    return gen_reject(variable->where, "more than %d scalars", GEN_MAX_SCALARS);
  struct gen_name *name = gen_declare_name(lowering, variable);
  if (!name)
    return false;
  name->meaning = GEN_NAME_SCALAR;
  name->index = kernel->scalars++;
  kernel->scalar[name->index] =
    (struct gen_scalar){.name = variable->name,
                        .where = variable->where,
                        .role = variable->variable.argument ? GEN_PARAMETER : GEN_PRIVATE};
  return true;
}

/* An integer argument is a symbol; a local integer is what it is set to, or a loop variable to be.
 */
static bool declare_integer(struct gen_lowering *lowering, const struct gen_syntax *variable)
{
  struct gen_kernel *kernel = lowering->kernel;
  const struct gen_syntax *initial = variable->variable.initial;
  struct gen_name *name = gen_declare_name(lowering, variable);
  if (!name)
    return false;
  if (variable->variable.argument) {
    if (kernel->symbols == GEN_MAX_SYMBOLS)
      return gen_reject(variable->where, "more than %d integer arguments",
                        GEN_MAX_SYMBOLS - GEN_AXES);
    kernel->symbol[kernel->symbols].name = variable->name;
    name->value.coefficient[kernel->symbols++] = 1;
    name->meaning = GEN_NAME_AFFINE;
  } else if (initial) {
    if (!gen_lower_affine(lowering, initial, &name->value))
      return gen_reject(initial->where,
                        "'%s', the value of the integer '%s', is not affine in loop variables and "
                        "integer arguments",
                        initial->text, variable->name);
    name->meaning = GEN_NAME_AFFINE;
  }
  return true;
}

bool gen_lower_declaration(struct gen_lowering *lowering, const struct gen_syntax *variable)
{
  if (variable->variable.rank)
    return declare_array(lowering, variable);
  if (variable->variable.type == GEN_DOUBLE)
    return declare_scalar(lowering, variable);
  if (variable->variable.type == GEN_INT)
    return declare_integer(lowering, variable);
  return gen_reject(variable->where,
                    "'%s' is a '%s'; kernels have int, double, and arrays with declared lengths",
                    variable->name, variable->variable.type_text);
}
