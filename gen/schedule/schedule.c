#include "schedule.h"

#include <stdio.h>
#include <stdlib.h>

enum { NO_TABLE = -1, MIXED = -2 };

/* Through which table an expression depends on i: NO_TABLE if not at all, MIXED if on i itself or
 * through several. */
static int table_of(const struct gen_kernel *kernel, const struct gen_expr *expr)
{
  if (expr->kind == GEN_SCALAR)
    return kernel->scalar[expr->scalar].role == GEN_PRIVATE ? MIXED : NO_TABLE;
  if (expr->kind == GEN_ACCESS) {
    const struct gen_array *array = &kernel->array[expr->access.array];
    if (array->rank == 1 && array->axis != GEN_I)
      return NO_TABLE;
    const struct gen_subscript *subscript = &expr->access.subscript[GEN_I];
    if (subscript->table < 0)
      return subscript->affine.coefficient[GEN_I] ? MIXED : NO_TABLE;
    return subscript->table;
  }
  int table = NO_TABLE;
  for (int n = 0; n < gen_arity(expr); n++) {
    const int next = table_of(kernel, expr->argument[n]);
    if (next == NO_TABLE)
      continue;
    if (table != NO_TABLE && table != next)
      return MIXED;
    table = next;
  }
  return table;
}

/* The same expression along the row: T[i] + c becomes i + c. */
static const struct gen_expr *along_row(const struct gen_expr *expr, int table)
{
  if (gen_arity(expr) == 0 && expr->kind != GEN_ACCESS)
    return expr;
  struct gen_expr *copy = gen_copy(expr);
  if (expr->kind == GEN_ACCESS && expr->access.subscript[GEN_I].table == table) {
    struct gen_subscript *subscript = &copy->access.subscript[GEN_I];
    *subscript = (struct gen_subscript){
      .table = -1, .affine = {.constant = subscript->offset, .coefficient = {[GEN_I] = 1}}};
  }
  for (int n = 0; n < gen_arity(expr); n++)
    copy->argument[n] = along_row(expr->argument[n], table);
  return copy;
}

static enum gen_level level_of(const struct gen_kernel *kernel, const struct gen_expr *expr)
{
  if (expr->kind == GEN_ACCESS)
    return kernel->array[expr->access.array].level;
  for (int n = 0; n < gen_arity(expr); n++) {
    const enum gen_level level = level_of(kernel, expr->argument[n]);
    if (level != GEN_OWN)
      return level;
  }
  return GEN_OWN;
}

/* Rows of fields that one loop reads: beyond this many their addresses do not fit the registers. */
enum { MOST_FIELD_ROWS = 16 };

struct field_rows {
  int count;
  const struct gen_access *access[GEN_MAX_ARRAYS * 4];
};

static bool same_row(const struct gen_access *a, const struct gen_access *b)
{
  struct gen_access other = *b;
  other.subscript[GEN_I] = a->subscript[GEN_I];
  return gen_access_equal(a, &other);
}

static void count_field_rows(const struct gen_kernel *kernel, const struct gen_expr *expr,
                             struct field_rows *rows)
{
  for (int n = 0; n < gen_arity(expr); n++)
    count_field_rows(kernel, expr->argument[n], rows);
  if (expr->kind != GEN_ACCESS || kernel->array[expr->access.array].rank != 4)
    return;
  for (int n = 0; n < rows->count; n++)
    if (same_row(rows->access[n], &expr->access))
      return;
  if (rows->count < (int)(sizeof rows->access / sizeof *rows->access))
    rows->access[rows->count++] = &expr->access;
}

static int count_onlys(const struct gen_expr *expr)
{
  int count = expr->kind == GEN_ONLY;
  for (int n = 0; n < gen_arity(expr); n++)
    count += count_onlys(expr->argument[n]);
  return count;
}

/* Whether one loop can compute a value well: it reads few rows of fields, of the values in it at
 * most one counts but in cells of a colour, which a row has all or none of. */
static bool suits_a_loop(const struct gen_kernel *kernel, const struct gen_expr *value)
{
  struct field_rows rows = {0};
  count_field_rows(kernel, value, &rows);
  return rows.count <= MOST_FIELD_ROWS && count_onlys(value) <= 1;
}

/* A new row buffer, one of at most so many, for a value that a table along i picks from; its index,
 * or -1: no room. */
static int add_row(struct gen_schedule *schedule, const struct gen_expr *value,
                   const struct gen_array *from, int most)
{
  struct gen_kernel *kernel = schedule->kernel;
  const int row = schedule->rows;
  if (row >= most)
    return -1;
  const enum gen_level level = level_of(kernel, value);
  schedule->row[schedule->rows++] = (struct gen_row){.array = kernel->arrays,
                                                     .level = level,
                                                     .halo = from->table_halo,
                                                     .value = value,
                                                     .whole = value};
  kernel->array[kernel->arrays++] = (struct gen_array){.name = gen_text("row%d", row),
                                                       .where = from->where,
                                                       .rank = 1,
                                                       .axis = GEN_I,
                                                       .first = from->first,
                                                       .level = level,
                                                       .restricted = true};
  return row;
}

/* An element of a row buffer: the one that a table picks, or without one that at the loop's i. */
static const struct gen_expr *element_of(const struct gen_schedule *schedule, int row, int table)
{
  struct gen_access access = {.array = schedule->row[row].array};
  for (int a = 0; a < GEN_AXES; a++)
    access.subscript[a].table = -1;
  access.subscript[GEN_I].table = table;
  access.subscript[GEN_I].affine.coefficient[GEN_I] = 1;
  return gen_access_ref(access);
}

/* The same value, with row buffers for those parts of it that one loop can compute well. */
static const struct gen_expr *in_parts(struct gen_schedule *schedule, const struct gen_expr *value,
                                       const struct gen_array *from)
{
  struct field_rows rows = {0};
  count_field_rows(schedule->kernel, value, &rows);
  if (gen_arity(value) == 0 || rows.count == 0)
    return value;
  if (suits_a_loop(schedule->kernel, value)) {
    const int row = add_row(schedule, value, from, GEN_MAX_VALUE_ROWS);
    return row < 0 ? value : element_of(schedule, row, -1);
  }
  struct gen_expr *copy = gen_copy(value);
  for (int n = 0; n < gen_arity(value); n++)
    copy->argument[n] = in_parts(schedule, value->argument[n], from);
  return copy;
}

/* The row buffer for that value; a new one if there is none yet. -1: no room. */
static int find_row(struct gen_schedule *schedule, const struct gen_expr *value, int table)
{
  const struct gen_array *from = &schedule->kernel->array[table];
  int row = 0;
  while (row < schedule->rows && !gen_expr_equal(schedule->row[row].whole, value))
    row++;
  if (row == schedule->rows) {
    const int first = schedule->rows;
    const struct gen_expr *parts =
      suits_a_loop(schedule->kernel, value) ? value : in_parts(schedule, value, from);
    row = add_row(schedule, parts, from, GEN_MAX_VALUE_ROWS);
    if (row < 0)
      return -1;
    struct gen_row *made = &schedule->row[row];
    made->whole = value;
    made->level = schedule->kernel->array[made->array].level = level_of(schedule->kernel, value);
    made->parts = row - first;
  }
  for (int part = row - schedule->row[row].parts; part <= row; part++)
    if (from->table_halo > schedule->row[part].halo)
      schedule->row[part].halo = from->table_halo;
  return row;
}

static const struct gen_expr *with_rows(struct gen_schedule *schedule, const struct gen_expr *expr)
{
  if (gen_arity(expr) == 0)
    return expr;
  const int table = table_of(schedule->kernel, expr);
  if (table >= 0) {
    const int row = find_row(schedule, along_row(expr, table), table);
    if (row >= 0)
      return element_of(schedule, row, table);
  }
  struct gen_expr *copy = gen_copy(expr);
  for (int n = 0; n < gen_arity(expr); n++)
    copy->argument[n] = with_rows(schedule, expr->argument[n]);
  return copy;
}

/* The row buffer whose loop reads all that the value reads; NULL: there is none. */
static struct gen_row *reader_of(struct gen_schedule *schedule, const struct gen_expr *value)
{
  for (int n = 0; n < schedule->rows; n++) {
    struct field_rows rows = {0};
    count_field_rows(schedule->kernel, schedule->row[n].value, &rows);
    const int before = rows.count;
    count_field_rows(schedule->kernel, value, &rows);
    if (rows.count == before && schedule->row[n].halo == 0
        && schedule->row[n].norms < GEN_MAX_NORMS)
      return &schedule->row[n];
  }
  return NULL;
}

/* After the row buffers: norms go along with one each, or have one of their own. */
static void place_norm(struct gen_schedule *schedule, const struct gen_expr *expr)
{
  const int table = table_of(schedule->kernel, expr);
  const struct gen_expr *value = along_row(expr, table);
  struct gen_row *row = reader_of(schedule, value);
  if (!row) {
    const int added = add_row(schedule, value, &schedule->kernel->array[table], GEN_MAX_ROWS);
    if (added < 0) {
      fprintf(stderr, "gmg-gen: kernel '%s' has more norms than a schedule has row buffers for\n",
              schedule->kernel->name);
      exit(3);
    }
    row = &schedule->row[added];
  }
  row->norm[row->norms++] = value;
}

struct gen_schedule *gen_schedule(const struct gen_kernel *kernel, enum gen_layout layout,
                                  enum gen_type precision)
{
  struct gen_schedule *schedule = gen_allocate(sizeof *schedule);
  schedule->kernel = gen_allocate(sizeof *schedule->kernel);
  *schedule->kernel = *kernel;
  schedule->layout = layout;
  schedule->precision = precision;
  for (int n = 0; n < kernel->statements; n++)
    if (kernel->statement[n].kind != GEN_NORM)
      schedule->kernel->statement[n].value = with_rows(schedule, kernel->statement[n].value);
  for (int n = 0; n < kernel->statements; n++)
    if (kernel->statement[n].kind == GEN_NORM)
      place_norm(schedule, kernel->statement[n].value);
  for (int n = 0; n < GEN_MAX_ARRAYS; n++)
    schedule->field_precision[n] = precision;
  return schedule;
}

const char *gen_schedule_text(const struct gen_schedule *schedule)
{
  const char *text =
    gen_text("schedule %s: arithmetic in %s, tiles of rows (all of i), %s\n",
             schedule->kernel->name, schedule->precision == GEN_DOUBLE ? "double" : "float",
             schedule->kernel->guard.kind == GEN_EVERYWHERE ? "unit stride"
               : schedule->kernel->guard.both               ? "two colours in turn by stride"
                                                            : "one colour by stride");
  const struct gen_row *row = schedule->row, *end = row + schedule->rows;
  for (; row < end; row++)
    text = gen_text("%s  row buffer %s over the %s level, halo %d = %s\n", text,
                    schedule->kernel->array[row->array].name,
                    row->level == GEN_FINER ? "finer" : "coarser", row->halo,
                    gen_expr_text(schedule->kernel, row->value));
  for (row = schedule->row; row < end; row++)
    for (int m = 0; m < row->norms; m++)
      text = gen_text("%s  with it, sum of squares and maximum of %s\n", text,
                      gen_expr_text(schedule->kernel, row->norm[m]));
  return gen_text("%s%s", text, gen_kernel_text(schedule->kernel));
}
