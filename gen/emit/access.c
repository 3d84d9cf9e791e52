/* Names and places of what emitted C reads and stores. Field values are read through one pointer
 * per row: u_jm1[i + 1] is the value of u one row below, one cell to the right. All indices in
 * emitted text count from the first interior cell. */
#include "emit.h"
#include "index.h"

#include <string.h>

static const char axis_letter[] = "ijkb";

/* What distinguishes a row of an array from its others: "" at the loop's own j and k. */
static const char *suffix(const struct gen_emitter *emitter, const struct gen_access *access,
                          enum gen_axis axis)
{
  const struct gen_subscript *subscript = &access->subscript[axis];
  const struct gen_array *array = &emitter->kernel->array[access->array];
  int constant;
  const char *base = "";
  if (subscript->table >= 0) {
    const struct gen_array *table = &emitter->kernel->array[subscript->table];
    base = gen_text("_%s", table->given);
    constant = table->first + subscript->offset - array->first;
  } else {
    constant = gen_index_constant(emitter, array, &subscript->affine, axis);
    if (subscript->affine.coefficient[axis] != 1)
      base = gen_text("_%d%c", subscript->affine.coefficient[axis], axis_letter[axis]);
  }
  if (!constant)
    return base;
  return gen_text("%s_%c%c%d", base, axis_letter[axis], constant < 0 ? 'm' : 'p',
                  constant < 0 ? -constant : constant);
}

/* In CUDA what is stored may have another name than what is read. */
static const char *array_name(const struct gen_emitter *emitter, const struct gen_array *array)
{
  const int index = (int)(array - emitter->kernel->array);
  if (!emitter->target || !emitter->cuda || !gen_cuda_reads_before(emitter->schedule, index))
    return array->name;
  return gen_text("new_%s", array->name);
}

const char *gen_row_name(const struct gen_emitter *emitter, const struct gen_access *access)
{
  const struct gen_array *array = &emitter->kernel->array[access->array];
  if (array->rank == 1) {
    if (array->axis == GEN_I)
      return array_name(emitter, array);
    const char *where = suffix(emitter, access, array->axis);
    return gen_text("%s_at%s", array->name, where);
  }
  return gen_text("%s%s%s_row", array_name(emitter, array), suffix(emitter, access, GEN_K),
                  suffix(emitter, access, GEN_J));
}

/* An index that a stride multiplies: in parentheses where it is a sum. */
static const char *factor(const struct gen_emitter *emitter, const struct gen_access *access,
                          enum gen_axis axis)
{
  const char *text = gen_index_text(emitter, access, axis);
  return strstr(text, " + ") || strstr(text, " - ") ? gen_text("(%s)", text) : text;
}

/* The name of a neighbour's value where such are given: u_im1, u_kp1; else NULL. */
static const char *given_name(const struct gen_emitter *emitter, const struct gen_access *access)
{
  static const char *const name[3][2] = {{"im1", "ip1"}, {"jm1", "jp1"}, {"km1", "kp1"}};
  const struct gen_array *array = &emitter->kernel->array[access->array];
  if (!emitter->neighbours_given || access->array != emitter->given)
    return NULL;
  for (int a = 0; a < 3; a++) {
    const int offset =
      gen_index_constant(emitter, array, &access->subscript[a].affine, (enum gen_axis)a);
    if (offset)
      return gen_text("%s_%s", array->name, name[a][offset > 0]);
  }
  return NULL;
}

bool gen_first_time(struct gen_names *declared, const char *name)
{
  for (int n = 0; n < declared->count; n++)
    if (strcmp(declared->name[n], name) == 0)
      return false;
  if (declared->count < (int)(sizeof declared->name / sizeof *declared->name))
    declared->name[declared->count++] = name;
  return true;
}

static void declare(struct gen_emitter *emitter, const struct gen_access *access,
                    struct gen_names *declared)
{
  const struct gen_array *array = &emitter->kernel->array[access->array];
  const char *name = gen_row_name(emitter, access);
  const enum gen_declared when = array->rank > 1 ? GEN_DECLARE_ROW
    : array->axis == GEN_K                       ? GEN_DECLARE_PLANE
                                                 : GEN_DECLARE_RUN;
  if ((emitter->declares != GEN_DECLARE_ALL && emitter->declares != when)
      || (array->rank == 1 && array->axis == GEN_I) || given_name(emitter, access)
      || !gen_first_time(declared, name))
    return;
  const char *type = gen_type_name(emitter->schedule->field_precision[access->array]);
  if (array->rank == 1) {
    gen_line(emitter->writer, "const %s %s = %s[%s];", type, name, array->name,
             gen_index_text(emitter, access, array->axis));
    return;
  }
  const char *strides = array->level == GEN_OWN ? "stride" : "other_stride";
  const bool stored =
    array->written && (emitter->target || !gen_cuda_reads_before(emitter->schedule, access->array));
  const char *declared_as = emitter->cuda
    ? gen_text(stored ? "const gmg_write<%s> " : "const %s ",
               stored ? type : gen_cuda_read_type(emitter, access->array))
    : gen_text("%s%s *const ", array->written ? "" : "const ", type);
  gen_line(emitter->writer, "%s%s = %s + %s * %s_j + %s * %s_k;", declared_as, name,
           array_name(emitter, array), factor(emitter, access, GEN_J), strides,
           factor(emitter, access, GEN_K), strides);
}

void gen_declare_target(struct gen_emitter *emitter, const struct gen_access *access,
                        struct gen_names *declared)
{
  emitter->target = true;
  declare(emitter, access, declared);
  emitter->target = false;
}

const char *gen_emit_target(const struct gen_emitter *emitter, const struct gen_access *access)
{
  struct gen_emitter storing = *emitter;
  storing.target = true;
  return gen_emit_access(&storing, access);
}

void gen_declare_rows(struct gen_emitter *emitter, const struct gen_expr *expr,
                      struct gen_names *declared)
{
  if (expr->kind == GEN_ACCESS)
    declare(emitter, &expr->access, declared);
  for (int n = 0; n < gen_arity(expr); n++)
    gen_declare_rows(emitter, expr->argument[n], declared);
}

void gen_declare_outside(struct gen_emitter *emitter, const struct gen_expr *expr,
                         const struct gen_parts *parts, struct gen_names *declared)
{
  if (gen_part_of(parts, expr))
    return;
  if (expr->kind == GEN_ACCESS)
    declare(emitter, &expr->access, declared);
  for (int n = 0; n < gen_arity(expr); n++)
    gen_declare_outside(emitter, expr->argument[n], parts, declared);
}

void gen_declare_statements(struct gen_emitter *emitter, struct gen_names *declared)
{
  for (int n = 0; n < emitter->kernel->statements; n++) {
    const struct gen_statement *statement = &emitter->kernel->statement[n];
    if (statement->kind == GEN_STORE)
      gen_declare_target(emitter, &statement->target, declared);
    if (statement->kind != GEN_NORM)
      gen_declare_rows(emitter, statement->value, declared);
  }
}

bool gen_starts(const struct gen_emitter *emitter, const struct gen_expr *expr, const char *start)
{
  const char *index = gen_text("[%s + at", start);
  if (gen_line_of(emitter->lines, expr) >= 0)
    return strcmp(start, "same") == 0 && !emitter->row;
  if (expr->kind == GEN_ACCESS && strstr(gen_emit_access(emitter, &expr->access), index))
    return true;
  for (int n = 0; n < gen_arity(expr); n++)
    if (gen_starts(emitter, expr->argument[n], start))
      return true;
  return false;
}

bool gen_has_paired(const struct gen_emitter *emitter, const struct gen_expr *expr)
{
  const int table = expr->kind == GEN_ACCESS ? expr->access.subscript[GEN_I].table : -1;
  if (table >= 0 && gen_is_row(emitter->schedule, expr->access.array)
      && emitter->kernel->array[table].rule != GEN_NO_RULE)
    return true;
  for (int n = 0; n < gen_arity(expr); n++)
    if (gen_has_paired(emitter, expr->argument[n]))
      return true;
  return false;
}

const char *gen_emit_access(const struct gen_emitter *emitter, const struct gen_access *access)
{
  const struct gen_array *array = &emitter->kernel->array[access->array];
  const char *name = gen_row_name(emitter, access), *given = given_name(emitter, access);
  if (given || (array->rank == 1 && array->axis != GEN_I))
    return given ? given : name;
  if (emitter->shared && !emitter->row && gen_is_function(emitter, array))
    return gen_text("%s_%s", name, emitter->kernel->array[access->subscript[GEN_I].table].name);
  if (emitter->uniform && array->rank == 1)
    return gen_text("%s_mid", name);
  return gen_text(gen_is_function(emitter, array) ? "%s(%s)" : "%s[%s]", name,
                  gen_index_text(emitter, access, GEN_I));
}
