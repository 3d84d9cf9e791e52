/* What a thread visits at a time: a position stands for one cell; for the two of a pair in split
 * rows; for those of one colour among them. */
#include "cuda.h"

bool gen_cuda_by_parity(const struct gen_schedule *schedule)
{
  return schedule->kernel->guard.kind == GEN_PARITY;
}

bool gen_cuda_in_pairs(const struct gen_schedule *schedule)
{
  for (int n = 0; n < schedule->rows; n++)
    if (schedule->row[n].level == GEN_FINER)
      return false;
  return schedule->layout == GEN_SPLIT && schedule->kernel->guard.kind == GEN_EVERYWHERE;
}

/* Nodes of a cubic are not: near a wall all four are on its inner side, so that few boxes are
 * paired for it. */
bool gen_cuda_knows_paired(const struct gen_schedule *schedule)
{
  for (int n = 0; n < schedule->kernel->arrays; n++) {
    const struct gen_array *array = &schedule->kernel->array[n];
    if (array->table && array->axis == GEN_I && array->rule >= GEN_EVEN_CHILD
        && array->rule <= GEN_BESIDE)
      return schedule->rows > 0;
  }
  return false;
}

int gen_cuda_step(const struct gen_schedule *schedule, enum gen_axis axis)
{
  const struct gen_guard *guard = &schedule->kernel->guard;
  if (guard->kind == GEN_LATTICE)
    return guard->modulus[axis];
  return axis == GEN_I && (guard->kind == GEN_PARITY || gen_cuda_in_pairs(schedule)) ? 2 : 1;
}

bool gen_cuda_reads_before(const struct gen_schedule *schedule, int array)
{
  const struct gen_kernel *kernel = schedule->kernel;
  int stored = 0;
  if (!kernel->array[array].read || !kernel->array[array].written || kernel->guard.both)
    return false;
  for (int n = 0; n < kernel->statements; n++) {
    if (stored && gen_reads_array(kernel->statement[n].value, array))
      return false;
    stored += kernel->statement[n].kind == GEN_STORE && kernel->statement[n].target.array == array;
  }
  return stored == 1;
}

/* The table along i that keeps the rule; -1: there is none. */
static int table_like(const struct gen_kernel *kernel, enum gen_table_rule rule)
{
  for (int n = 0; n < kernel->arrays; n++)
    if (kernel->array[n].table && kernel->array[n].axis == GEN_I && kernel->array[n].rule == rule)
      return n;
  return -1;
}

void gen_cuda_children(const struct gen_schedule *schedule, int table[2])
{
  table[0] = table_like(schedule->kernel, GEN_EVEN_CHILD);
  table[1] = table_like(schedule->kernel, GEN_ODD_CHILD);
}

/* Marks the functions of which an expression picks values, and the tables along i by which it does.
 */
static void find_children(const struct gen_schedule *schedule, const struct gen_expr *expr,
                          bool used[GEN_MAX_ARRAYS])
{
  if (expr->kind == GEN_ACCESS && gen_is_row(schedule, expr->access.array))
    used[expr->access.array] = true;
  if (expr->kind == GEN_ACCESS && gen_is_row(schedule, expr->access.array)
      && expr->access.subscript[GEN_I].table >= 0)
    used[expr->access.subscript[GEN_I].table] = true;
  for (int n = 0; n < gen_arity(expr); n++)
    find_children(schedule, expr->argument[n], used);
}

void gen_cuda_mark_children(const struct gen_schedule *schedule, bool used[GEN_MAX_ARRAYS])
{
  for (int n = 0; n < schedule->kernel->statements; n++)
    if (schedule->kernel->statement[n].kind != GEN_NORM)
      find_children(schedule, schedule->kernel->statement[n].value, used);
}
