/* Names and places of what emitted C reads and stores. Field values are read through one pointer
 * per row: u_jm1[i + 1] is the value of u one row below, one cell to the right. All indices in
 * emitted text count from the first interior cell. */
#include "emit.h"

#include <string.h>

static const char axis_letter[] = "ijkb";

const char *gen_type_name(enum gen_type type)
{
  return type == GEN_DOUBLE ? "double" : type == GEN_FLOAT ? "float" : "int";
}

bool gen_is_row(const struct gen_schedule *schedule, int array)
{
  for (int n = 0; n < schedule->rows; n++)
    if (schedule->row[n].array == array)
      return true;
  return false;
}

/* The constant of an affine subscript when loop variable and array both count from their first
 * interior element. */
static int constant_from_first(const struct gen_emitter *emitter, const struct gen_array *array,
                               const struct gen_affine *affine, enum gen_axis axis)
{
  const int lower = emitter->in_row && axis == GEN_I
    ? emitter->row_first
    : emitter->schedule->kernel->loop[axis].lower.constant;
  return affine->constant + affine->coefficient[axis] * lower - array->first;
}

static const char *plus(struct gen_session *session, const char *text, int constant)
{
  if (!constant)
    return text;
  return gen_text(session, "%s %c %d", text, constant < 0 ? '-' : '+',
                  constant < 0 ? -constant : constant);
}

static const struct gen_row *row_of(const struct gen_schedule *schedule, int array)
{
  for (int n = 0; n < schedule->rows; n++)
    if (schedule->row[n].array == array)
      return &schedule->row[n];
  return NULL;
}

/* CUDA has no row buffers: what the OpenMP kernel reads from one is there a function of i. */
static bool is_function(const struct gen_emitter *emitter, const struct gen_array *array)
{
  return emitter->cuda
    && row_of(emitter->schedule, (int)(array - emitter->schedule->kernel->array));
}

/* Where the element with that index along i lies in its row. */
static const char *place_in_row(const struct gen_emitter *emitter, const struct gen_array *array,
                                const char *index)
{
  if (emitter->schedule->layout == GEN_PLAIN || is_function(emitter, array))
    return index;
  return gen_text(emitter->session, "gmg_at(%s, %s)", index,
                  array->level == GEN_OWN ? "odd" : "other_odd");
}

/* The loop's own level: that of the arrays which it visits element by element. */
static bool visited(const struct gen_emitter *emitter, const struct gen_array *array)
{
  return (array->level == GEN_OWN) != emitter->in_row;
}

static int floor_half(int n)
{
  return n >= 0 ? n / 2 : -((1 - n) / 2);
}

/* The same in the loop over one parity of a split row: coefficient i + constant, i = 2 at + parity.
 * NULL: no simpler than by place_in_row. */
static const char *place_in_half(const struct gen_emitter *emitter, const struct gen_array *array,
                                 int coefficient, int constant)
{
  struct gen_session *session = emitter->session;
  const struct gen_row *row =
    row_of(emitter->schedule, (int)(array - emitter->schedule->kernel->array));
  if (row) /* the buffer of another part of the value */
    return row->level == GEN_FINER ? "to + at" : "2 * at + parity";
  const int half = floor_half(constant);
  const bool odd = constant != 2 * half;
  if (coefficient == 1 && visited(emitter, array))
    return plus(session, odd ? "next + at" : "same + at", half);
  if (coefficient == 2 && !visited(emitter, array))
    return plus(session, gen_text(session, "%s2 * at + parity", odd ? "other_odd + " : ""), half);
  return NULL;
}

static const char *affine_text(const struct gen_emitter *emitter, enum gen_axis axis,
                               int coefficient, int constant)
{
  struct gen_session *session = emitter->session;
  if (coefficient == 0)
    return gen_text(session, "%d", constant);
  const char *name = axis == GEN_J && emitter->declares == GEN_DECLARE_RUN
    ? "first"
    : gen_text(session, "%c", axis_letter[axis]);
  const char *variable = coefficient == 1 ? name : gen_text(session, "%d * %s", coefficient, name);
  return plus(session, variable, constant);
}

/* Where element coefficient i + constant lies in its row. */
static const char *affine_in_row(const struct gen_emitter *emitter, const struct gen_array *array,
                                 int coefficient, int constant)
{
  const char *half = emitter->halves ? place_in_half(emitter, array, coefficient, constant) : NULL;
  if (half)
    return half;
  const char *index = emitter->halves && coefficient
    ? plus(emitter->session, gen_text(emitter->session, "%d * (2 * at + parity)", coefficient),
           constant)
    : affine_text(emitter, GEN_I, coefficient, constant);
  return place_in_row(emitter, array, index);
}

/* What a table holds at the loop's i, where rows are regular; NULL if that is not known. */
static const char *regular_value(const struct gen_emitter *emitter, const struct gen_array *table,
                                 bool split)
{
  if (!emitter->regular || !emitter->halves)
    return NULL;
  switch (table->regular) {
  case GEN_EVEN_CHILD:
    return split ? "2 * at + parity" : NULL;
  case GEN_ODD_CHILD:
    return split ? "row_odd + 2 * at + parity" : NULL;
  case GEN_PARENT:
    return split ? NULL : "at";
  case GEN_BESIDE:
    return split ? NULL : "at + 2 * parity - 1";
  case GEN_AROUND_0:
    return split ? NULL : "at + parity - 2";
  case GEN_AROUND_1:
    return split ? NULL : "at + parity - 1";
  case GEN_AROUND_2:
    return split ? NULL : "at + parity";
  case GEN_AROUND_3:
    return split ? NULL : "at + parity + 1";
  default:
    return NULL;
  }
}

/* Index along i of an element that a table picks. Row buffers over a finer level are split as
 * fields are, those over a coarser one are plain. */
static const char *picked(const struct gen_emitter *emitter, const struct gen_access *access,
                          const char *value, const struct gen_array *table, int constant)
{
  const struct gen_array *array = &emitter->schedule->kernel->array[access->array];
  const struct gen_row *row = row_of(emitter->schedule, access->array);
  struct gen_session *session = emitter->session;
  if (!row)
    return place_in_row(emitter, array, plus(session, value, constant));
  if (emitter->cuda) /* a constant holds the table's value: gen/emit/cuda/children.c */
    return plus(session, gen_text(session, "%s_at", table->name), constant);
  const bool split = emitter->schedule->layout == GEN_SPLIT && row->level == GEN_FINER;
  const char *regular = constant == 0 ? regular_value(emitter, table, split) : NULL;
  if (regular)
    return regular;
  value = plus(session, value, constant);
  return split ? gen_text(session, "gmg_at(%s, row_odd)", value) : value;
}

/* Index along one axis, as C. */
static const char *index_text(const struct gen_emitter *emitter, const struct gen_access *access,
                              enum gen_axis axis)
{
  const struct gen_kernel *kernel = emitter->schedule->kernel;
  const struct gen_array *array = &kernel->array[access->array];
  const struct gen_subscript *subscript = &access->subscript[axis];
  struct gen_session *session = emitter->session;
  const int coefficient = subscript->affine.coefficient[axis];
  if (subscript->table >= 0) {
    const struct gen_array *table = &kernel->array[subscript->table];
    const int inside = constant_from_first(emitter, table, &subscript->affine, axis);
    const int constant_behind = table->first + subscript->offset - array->first;
    if (axis != GEN_I) {
      const char *index = plus(session, gen_text(session, "%c", axis_letter[axis]), inside);
      return plus(session, gen_text(session, "%s[%s]", table->name, index), constant_behind);
    }
    const char *value =
      gen_text(session, "%s[%s]", table->name, affine_in_row(emitter, table, coefficient, inside));
    return picked(emitter, access, value, table, constant_behind);
  }
  const int constant = constant_from_first(emitter, array, &subscript->affine, axis);
  if (axis == GEN_I)
    return affine_in_row(emitter, array, coefficient, constant);
  return affine_text(emitter, axis, coefficient, constant);
}

/* What distinguishes a row of an array from its others: "" at the loop's own j and k. */
static const char *suffix(const struct gen_emitter *emitter, const struct gen_access *access,
                          enum gen_axis axis)
{
  const struct gen_kernel *kernel = emitter->schedule->kernel;
  const struct gen_subscript *subscript = &access->subscript[axis];
  struct gen_session *session = emitter->session;
  const struct gen_array *array = &kernel->array[access->array];
  int constant;
  const char *base = "";
  if (subscript->table >= 0) {
    const struct gen_array *table = &kernel->array[subscript->table];
    base = gen_text(session, "_%s", table->name);
    constant = table->first + subscript->offset - array->first;
  } else {
    constant = constant_from_first(emitter, array, &subscript->affine, axis);
    if (subscript->affine.coefficient[axis] != 1)
      base = gen_text(session, "_%d%c", subscript->affine.coefficient[axis], axis_letter[axis]);
  }
  if (!constant)
    return base;
  return gen_text(session, "%s_%c%c%d", base, axis_letter[axis], constant < 0 ? 'm' : 'p',
                  constant < 0 ? -constant : constant);
}

static bool reads_array(const struct gen_expr *expr, int array)
{
  if (expr->kind == GEN_ACCESS && expr->access.array == array)
    return true;
  for (int n = 0; n < gen_arity(expr->kind); n++)
    if (reads_array(expr->argument[n], array))
      return true;
  return false;
}

bool gen_cuda_reads_before(const struct gen_schedule *schedule, int array)
{
  const struct gen_kernel *kernel = schedule->kernel;
  int stored = 0;
  if (!kernel->array[array].read || !kernel->array[array].written)
    return false;
  for (int n = 0; n < kernel->statements; n++) {
    if (stored && reads_array(kernel->statement[n].value, array))
      return false;
    stored += kernel->statement[n].kind == GEN_STORE && kernel->statement[n].target.array == array;
  }
  return stored == 1;
}

/* In CUDA what is stored may have another name than what is read. */
static const char *array_name(const struct gen_emitter *emitter, const struct gen_array *array)
{
  const int index = (int)(array - emitter->schedule->kernel->array);
  if (!emitter->target || !emitter->cuda || !gen_cuda_reads_before(emitter->schedule, index))
    return array->name;
  return gen_text(emitter->session, "new_%s", array->name);
}

const char *gen_row_name(const struct gen_emitter *emitter, const struct gen_access *access)
{
  const struct gen_array *array = &emitter->schedule->kernel->array[access->array];
  if (array->rank == 1) {
    if (array->axis == GEN_I)
      return array_name(emitter, array);
    const char *where = suffix(emitter, access, array->axis);
    return gen_text(emitter->session, "%s_at%s", array->name, where);
  }
  return gen_text(emitter->session, "%s%s%s_row", array_name(emitter, array),
                  suffix(emitter, access, GEN_K), suffix(emitter, access, GEN_J));
}

/* An index that a stride multiplies: in parentheses where it is a sum. */
static const char *factor(const struct gen_emitter *emitter, const struct gen_access *access,
                          enum gen_axis axis)
{
  const char *text = index_text(emitter, access, axis);
  return strstr(text, " + ") || strstr(text, " - ") ? gen_text(emitter->session, "(%s)", text)
                                                    : text;
}

/* The name of a neighbour's value where such are given: u_im1, u_kp1; else NULL. */
static const char *given_name(const struct gen_emitter *emitter, const struct gen_access *access)
{
  static const char *const name[3][2] = {{"im1", "ip1"}, {"jm1", "jp1"}, {"km1", "kp1"}};
  const struct gen_array *array = &emitter->schedule->kernel->array[access->array];
  if (!emitter->neighbours_given || access->array != emitter->given)
    return NULL;
  for (int a = 0; a < 3; a++) {
    const int offset =
      constant_from_first(emitter, array, &access->subscript[a].affine, (enum gen_axis)a);
    if (offset)
      return gen_text(emitter->session, "%s_%s", array->name, name[a][offset > 0]);
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
  const struct gen_array *array = &emitter->schedule->kernel->array[access->array];
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
             index_text(emitter, access, array->axis));
    return;
  }
  const char *strides = array->level == GEN_OWN ? "stride" : "other_stride";
  const bool stored =
    array->written && (emitter->target || !gen_cuda_reads_before(emitter->schedule, access->array));
  const char *declared_as = emitter->cuda
    ? gen_text(emitter->session, stored ? "const gmg_write<%s> " : "const %s ",
               stored ? type : gen_cuda_read_type(emitter, access->array))
    : gen_text(emitter->session, "%s%s *const ", array->written ? "" : "const ", type);
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
  for (int n = 0; n < gen_arity(expr->kind); n++)
    gen_declare_rows(emitter, expr->argument[n], declared);
}

void gen_declare_outside(struct gen_emitter *emitter, const struct gen_expr *expr,
                         const struct gen_parts *parts, struct gen_names *declared)
{
  if (gen_part_of(parts, expr))
    return;
  if (expr->kind == GEN_ACCESS)
    declare(emitter, &expr->access, declared);
  for (int n = 0; n < gen_arity(expr->kind); n++)
    gen_declare_outside(emitter, expr->argument[n], parts, declared);
}

bool gen_starts(const struct gen_emitter *emitter, const struct gen_expr *expr, const char *start)
{
  const char *index = gen_text(emitter->session, "[%s + at", start);
  if (gen_line_of(emitter->lines, expr) >= 0)
    return strcmp(start, "same") == 0 && !emitter->in_row;
  if (expr->kind == GEN_ACCESS && strstr(gen_emit_access(emitter, &expr->access), index))
    return true;
  for (int n = 0; n < gen_arity(expr->kind); n++)
    if (gen_starts(emitter, expr->argument[n], start))
      return true;
  return false;
}

bool gen_has_regular(const struct gen_emitter *emitter, const struct gen_expr *expr)
{
  const int table = expr->kind == GEN_ACCESS ? expr->access.subscript[GEN_I].table : -1;
  if (table >= 0 && gen_is_row(emitter->schedule, expr->access.array)
      && emitter->schedule->kernel->array[table].regular != GEN_IRREGULAR)
    return true;
  for (int n = 0; n < gen_arity(expr->kind); n++)
    if (gen_has_regular(emitter, expr->argument[n]))
      return true;
  return false;
}

const char *gen_emit_access(const struct gen_emitter *emitter, const struct gen_access *access)
{
  const struct gen_array *array = &emitter->schedule->kernel->array[access->array];
  const char *name = gen_row_name(emitter, access), *given = given_name(emitter, access);
  if (given || (array->rank == 1 && array->axis != GEN_I))
    return given ? given : name;
  if (emitter->shared && !emitter->in_row && is_function(emitter, array))
    return gen_text(emitter->session, "%s_%s", name,
                    emitter->schedule->kernel->array[access->subscript[GEN_I].table].name);
  if (emitter->uniform && array->rank == 1)
    return gen_text(emitter->session, "%s_mid", name);
  return gen_text(emitter->session, is_function(emitter, array) ? "%s(%s)" : "%s[%s]", name,
                  index_text(emitter, access, GEN_I));
}

const char *gen_counts_text(const struct gen_emitter *emitter, const struct gen_expr *only)
{
  const struct gen_access *at = &only->argument[2]->access;
  const struct gen_array *array = &emitter->schedule->kernel->array[at->array];
  const char *lower = array->level == GEN_OWN ? "lower" : "other_lower";
  struct gen_session *session = emitter->session;
  const struct gen_subscript *along = &at->subscript[GEN_I];
  const char *i;
  if (along->table >= 0) {
    const struct gen_array *table = &emitter->schedule->kernel->array[along->table];
    const int inside = constant_from_first(emitter, table, &along->affine, GEN_I);
    i = gen_text(session, "%s[%s]", table->name,
                 affine_in_row(emitter, table, along->affine.coefficient[GEN_I], inside));
    i = plus(session, i, table->first + along->offset - array->first);
  } else {
    i = plus(session, emitter->halves ? "parity" : "i",
             constant_from_first(emitter, array, &along->affine, GEN_I));
  }
  return gen_text(session, "gmg_counts((int)%s, box->%s, %s, %s, %s)",
                  gen_emit_expr(emitter, only->argument[1]), lower,
                  plus(session, i, (int)only->number), index_text(emitter, at, GEN_J),
                  index_text(emitter, at, GEN_K));
}

const char *gen_emit_index(const struct gen_emitter *emitter, const struct gen_access *access)
{
  return index_text(emitter, access, GEN_I);
}
