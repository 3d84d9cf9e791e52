/* Several neighbouring cells to a thread: 16 bytes of a row are read, and stored, at once, and what
 * neighbouring cells, rows and planes have in common is read once. For kernels of programs that
 * read fields at known neighbours, and no field that they write. */
#include "cuda_choices.h"

#include <limits.h>

/* Whether the expression is made of such reads. */
static bool reads_so(const struct gen_schedule *schedule, const struct gen_expr *expr)
{
  const struct gen_access *access = &expr->access;
  if (expr->kind == GEN_ONLY)
    return false;
  if (expr->kind == GEN_ACCESS) {
    const struct gen_array *array = &schedule->kernel->array[access->array];
    if (array->rank != 4 || array->level != GEN_OWN
        || schedule->field_precision[access->array] != schedule->precision)
      return false;
    for (enum gen_axis axis = GEN_I; axis <= GEN_K; axis++)
      if (access->subscript[axis].table >= 0
          || access->subscript[axis].affine.coefficient[axis] != 1)
        return false;
  }
  for (int n = 0; n < gen_arity(expr); n++)
    if (!reads_so(schedule, expr->argument[n]))
      return false;
  return true;
}

/* The lowest and the highest row that an expression reads of each array. */
static void find_rows(const struct gen_expr *expr, int low[GEN_MAX_ARRAYS],
                      int high[GEN_MAX_ARRAYS])
{
  for (int n = 0; n < gen_arity(expr); n++)
    find_rows(expr->argument[n], low, high);
  if (expr->kind != GEN_ACCESS)
    return;
  const int array = expr->access.array, at = expr->access.subscript[GEN_J].affine.constant;
  low[array] = at < low[array] ? at : low[array];
  high[array] = at > high[array] ? at : high[array];
}

int gen_rows_beside(const struct gen_schedule *schedule)
{
  const struct gen_kernel *kernel = schedule->kernel;
  int low[GEN_MAX_ARRAYS], high[GEN_MAX_ARRAYS], rows = 0;
  for (int n = 0; n < kernel->arrays; n++) {
    low[n] = INT_MAX;
    high[n] = INT_MIN;
  }
  for (int n = 0; n < kernel->statements; n++)
    find_rows(kernel->statement[n].value, low, high);
  for (int n = 0; n < kernel->arrays; n++)
    rows += high[n] > low[n] ? high[n] - low[n] : 0;
  return rows;
}

bool gen_choose_columns(const struct gen_schedule *schedule, const struct gen_work *work,
                        struct gen_cuda_form *form)
{
  const struct gen_kernel *kernel = schedule->kernel;
  if (!work->dimensions || !gen_stores_apart(schedule))
    return false;
  for (int n = 0; n < kernel->statements; n++)
    if (!reads_so(schedule, kernel->statement[n].value)
        || (kernel->statement[n].kind == GEN_STORE
            && schedule->field_precision[kernel->statement[n].target.array] != schedule->precision))
      return false;
  form->kind = GEN_COLUMNS;
  return true;
}
