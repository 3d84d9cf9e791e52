#include "schedule.h"

enum { NO_TABLE = -1, MIXED = -2 };

/* Through which table an expression depends on i: NO_TABLE if not at all, MIXED if on i itself or through several. */
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
  for (int n = 0; n < gen_arity(expr->kind); n++) {
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
static const struct gen_expr *along_row(struct gen_session *session, const struct gen_expr *expr, int table)
{
  if (gen_arity(expr->kind) == 0 && expr->kind != GEN_ACCESS)
    return expr;
  struct gen_expr *copy = gen_allocate(session, sizeof *copy);
  *copy = *expr;
  if (expr->kind == GEN_ACCESS && expr->access.subscript[GEN_I].table == table) {
    struct gen_subscript *subscript = &copy->access.subscript[GEN_I];
    const int offset = subscript->offset;
    *subscript = (struct gen_subscript){.table = -1};
    subscript->affine.constant = offset;
    subscript->affine.coefficient[GEN_I] = 1;
  }
  for (int n = 0; n < gen_arity(expr->kind); n++)
    copy->argument[n] = along_row(session, expr->argument[n], table);
  return copy;
}

static enum gen_level level_of(const struct gen_kernel *kernel, const struct gen_expr *expr)
{
  if (expr->kind == GEN_ACCESS)
    return kernel->array[expr->access.array].level;
  for (int n = 0; n < gen_arity(expr->kind); n++) {
    const enum gen_level level = level_of(kernel, expr->argument[n]);
    if (level != GEN_OWN)
      return level;
  }
  return GEN_OWN;
}

/* The row buffer for that value; a new one if there is none yet. -1: no room. */
static int find_row(struct gen_session *session, struct gen_schedule *schedule, const struct gen_expr *value, int table)
{
  struct gen_kernel *kernel = schedule->kernel;
  int row = 0;
  while (row < schedule->rows && !gen_expr_equal(schedule->row[row].value, value))
    row++;
  if (row == GEN_MAX_ROWS || kernel->arrays == GEN_MAX_ARRAYS)
    return -1;
  const struct gen_array *from = &kernel->array[table];
  if (row == schedule->rows) {
    schedule->rows++;
    schedule->row[row] = (struct gen_row){
      .array = kernel->arrays, .level = level_of(kernel, value), .halo = from->table_halo, .value = value};
    kernel->array[kernel->arrays++] = (struct gen_array){.name = gen_text(session, "row%d", row),
                                                         .where = from->where,
                                                         .rank = 1,
                                                         .axis = GEN_I,
                                                         .first = from->first,
                                                         .level = schedule->row[row].level,
                                                         .restricted = true};
  }
  if (from->table_halo > schedule->row[row].halo)
    schedule->row[row].halo = from->table_halo;
  return row;
}

static const struct gen_expr *with_rows(struct gen_session *session, struct gen_schedule *schedule,
                                        const struct gen_expr *expr)
{
  if (gen_arity(expr->kind) == 0)
    return expr;
  const int table = table_of(schedule->kernel, expr);
  if (table >= 0) {
    const int row = find_row(session, schedule, along_row(session, expr, table), table);
    if (row >= 0) {
      struct gen_access access = {.array = schedule->row[row].array};
      for (int a = 0; a < GEN_AXES; a++)
        access.subscript[a].table = -1;
      access.subscript[GEN_I].table = table;
      access.subscript[GEN_I].affine.coefficient[GEN_I] = 1;
      return gen_access_ref(session, access);
    }
  }
  struct gen_expr *copy = gen_allocate(session, sizeof *copy);
  *copy = *expr;
  for (int n = 0; n < gen_arity(expr->kind); n++)
    copy->argument[n] = with_rows(session, schedule, expr->argument[n]);
  return copy;
}

struct gen_schedule *gen_schedule(struct gen_session *session, const struct gen_kernel *kernel, enum gen_layout layout,
                                  enum gen_type precision)
{
  struct gen_schedule *schedule = gen_allocate(session, sizeof *schedule);
  schedule->kernel = gen_allocate(session, sizeof *schedule->kernel);
  *schedule->kernel = *kernel;
  schedule->layout = layout;
  schedule->precision = precision;
  for (int n = 0; n < schedule->kernel->statements; n++)
    schedule->kernel->statement[n].value = with_rows(session, schedule, kernel->statement[n].value);
  for (int n = 0; n < GEN_MAX_ARRAYS; n++)
    schedule->field_precision[n] = precision;
  return schedule;
}

const char *gen_schedule_text(struct gen_session *session, const struct gen_schedule *schedule)
{
  const char *text = gen_text(session, "schedule %s: arithmetic in %s, tiles of rows (all of i), %s\n",
                              schedule->kernel->name, schedule->precision == GEN_DOUBLE ? "double" : "float",
                              schedule->kernel->guard.kind == GEN_EVERYWHERE ? "unit stride" : "one colour by stride");
  for (int n = 0; n < schedule->rows; n++)
    text = gen_text(session, "%s  row buffer %s over the %s level, halo %d = %s\n", text,
                    schedule->kernel->array[schedule->row[n].array].name,
                    schedule->row[n].level == GEN_FINER ? "finer" : "coarser", schedule->row[n].halo,
                    gen_expr_text(session, schedule->kernel, schedule->row[n].value));
  return gen_text(session, "%s%s", text, gen_kernel_text(session, schedule->kernel));
}
