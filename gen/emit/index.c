/* Indices in emitted text: where along its axes an access is, counted from the first interior cell,
 * and where in its row that element lies. */
#include "index.h"

#include <string.h>

static const char axis_letter[] = "ijkb";

static const struct gen_row *row_of(const struct gen_schedule *schedule, int array)
{
  for (int n = 0; n < schedule->rows; n++)
    if (schedule->row[n].array == array)
      return &schedule->row[n];
  return NULL;
}

int gen_index_constant(const struct gen_emitter *emitter, const struct gen_array *array,
                       const struct gen_affine *affine, enum gen_axis axis)
{
  const int lower = emitter->row && axis == GEN_I
    ? emitter->kernel->array[emitter->row->array].first
    : emitter->kernel->loop[axis].lower.constant;
  return affine->constant + affine->coefficient[axis] * lower - array->first;
}

static const char *plus(const char *text, int constant)
{
  if (!constant)
    return text;
  return gen_text("%s %c %d", text, constant < 0 ? '-' : '+', constant < 0 ? -constant : constant);
}

bool gen_is_function(const struct gen_emitter *emitter, const struct gen_array *array)
{
  return emitter->cuda && row_of(emitter->schedule, (int)(array - emitter->kernel->array));
}

/* Where the element with that index along i lies in its row. */
static const char *place_in_row(const struct gen_emitter *emitter, const struct gen_array *array,
                                const char *index)
{
  if (emitter->schedule->layout == GEN_PLAIN || gen_is_function(emitter, array))
    return index;
  return gen_text("gmg_at(%s, %s)", index, array->level == GEN_OWN ? "odd" : "other_odd");
}

/* The loop's own level: that of the arrays which it visits element by element. */
static bool visited(const struct gen_emitter *emitter, const struct gen_array *array)
{
  return (array->level == GEN_OWN) == !emitter->row;
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
  const struct gen_row *row = row_of(emitter->schedule, (int)(array - emitter->kernel->array));
  if (row) /* the buffer of another part of the value */
    return row->level == GEN_FINER ? "to + at" : "2 * at + parity";
  const int half = floor_half(constant);
  const bool odd = constant != 2 * half;
  if (coefficient == 1 && visited(emitter, array))
    return plus(odd ? "next + at" : "same + at", half);
  if (coefficient == 2 && !visited(emitter, array))
    return plus(gen_text("%s2 * at + parity", odd ? "other_odd + " : ""), half);
  return NULL;
}

static const char *affine_text(const struct gen_emitter *emitter, enum gen_axis axis,
                               int coefficient, int constant)
{
  if (coefficient == 0)
    return gen_text("%d", constant);
  const char *name = axis == GEN_J && emitter->declares == GEN_DECLARE_RUN
    ? "first"
    : gen_text("%c", axis_letter[axis]);
  const char *variable = coefficient == 1 ? name : gen_text("%d * %s", coefficient, name);
  return plus(variable, constant);
}

/* Where element coefficient i + constant lies in its row. */
static const char *affine_in_row(const struct gen_emitter *emitter, const struct gen_array *array,
                                 int coefficient, int constant)
{
  const char *half = emitter->halves ? place_in_half(emitter, array, coefficient, constant) : NULL;
  if (half)
    return half;
  const char *index = emitter->halves && coefficient
    ? plus(gen_text("%d * (2 * at + parity)", coefficient), constant)
    : affine_text(emitter, GEN_I, coefficient, constant);
  return place_in_row(emitter, array, index);
}

/* What a table holds at the loop's i, where cells pair two by two; NULL if that is not known. */
static const char *value_by_rule(const struct gen_emitter *emitter, const struct gen_array *table,
                                 bool split)
{
  static const char *const value[] = {[GEN_EVEN_CHILD] = "2 * at + parity",
                                      [GEN_ODD_CHILD] = "row_odd + 2 * at + parity",
                                      [GEN_PARENT] = "at",
                                      [GEN_BESIDE] = "at + 2 * parity - 1",
                                      [GEN_AROUND_0] = "at + parity - 2",
                                      [GEN_AROUND_1] = "at + parity - 1",
                                      [GEN_AROUND_2] = "at + parity",
                                      [GEN_AROUND_3] = "at + parity + 1"};
  const bool child = table->rule == GEN_EVEN_CHILD || table->rule == GEN_ODD_CHILD;
  return emitter->paired && emitter->halves && split == child ? value[table->rule] : NULL;
}

/* Index along i of an element that a table picks. Row buffers over a finer level are split as
 * fields are, those over a coarser one are plain. */
static const char *picked(const struct gen_emitter *emitter, const struct gen_access *access,
                          const char *value, const struct gen_array *table, int constant)
{
  const struct gen_array *array = &emitter->kernel->array[access->array];
  const struct gen_row *row = row_of(emitter->schedule, access->array);
  if (!row)
    return place_in_row(emitter, array, plus(value, constant));
  if (emitter->cuda) /* a constant holds the table's value: gen/emit/cuda/children.c */
    return plus(gen_text("%s_at", table->name), constant);
  const bool split = emitter->schedule->layout == GEN_SPLIT && row->level == GEN_FINER;
  const char *known = constant == 0 ? value_by_rule(emitter, table, split) : NULL;
  if (known)
    return known;
  value = plus(value, constant);
  return split ? gen_text("gmg_at(%s, row_odd)", value) : value;
}

const char *gen_index_text(const struct gen_emitter *emitter, const struct gen_access *access,
                           enum gen_axis axis)
{
  const struct gen_array *array = &emitter->kernel->array[access->array];
  const struct gen_subscript *subscript = &access->subscript[axis];
  const int coefficient = subscript->affine.coefficient[axis];
  if (subscript->table >= 0) {
    const struct gen_array *table = &emitter->kernel->array[subscript->table];
    const int inside = gen_index_constant(emitter, table, &subscript->affine, axis);
    const int constant_behind = table->first + subscript->offset - array->first;
    if (axis != GEN_I) {
      const char *index = plus(gen_text("%c", axis_letter[axis]), inside);
      return plus(gen_text("%s[%s]", table->name, index), constant_behind);
    }
    const char *value =
      gen_text("%s[%s]", table->name, affine_in_row(emitter, table, coefficient, inside));
    return picked(emitter, access, value, table, constant_behind);
  }
  const int constant = gen_index_constant(emitter, array, &subscript->affine, axis);
  if (axis == GEN_I)
    return affine_in_row(emitter, array, coefficient, constant);
  return affine_text(emitter, axis, coefficient, constant);
}

const char *gen_is_of_colour_text(const struct gen_emitter *emitter, const struct gen_expr *only)
{
  const struct gen_access *at = &only->argument[2]->access;
  const struct gen_array *array = &emitter->kernel->array[at->array];
  const char *lower = array->level == GEN_OWN ? "lower" : "other_lower";
  const struct gen_subscript *along = &at->subscript[GEN_I];
  const char *i;
  if (along->table >= 0) {
    const struct gen_array *table = &emitter->kernel->array[along->table];
    const int inside = gen_index_constant(emitter, table, &along->affine, GEN_I);
    i = gen_text("%s[%s]", table->name,
                 affine_in_row(emitter, table, along->affine.coefficient[GEN_I], inside));
    i = plus(i, table->first + along->offset - array->first);
  } else {
    i = plus(emitter->halves ? "parity" : "i",
             gen_index_constant(emitter, array, &along->affine, GEN_I));
  }
  return gen_text("gmg_counts((int)%s, box->%s, %s, %s, %s)",
                  gen_emit_expr(emitter, only->argument[1]), lower, plus(i, (int)only->number),
                  gen_index_text(emitter, at, GEN_J), gen_index_text(emitter, at, GEN_K));
}
