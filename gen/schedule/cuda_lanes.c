/* Kernels whose value is made of the same formula at the eight finer cells that a cell covers, as
 * the restriction of a residual is. Where there are more threads than all those cells, eight
 * threads of a warp work it out, one finer cell each, and the first puts the values together, in
 * the order of the kernel as it is written. With fewer, two threads share a cell: eight would need
 * more rows of a warp than the cache holds. */
#include "cuda_choices.h"

/* The same access with the first table of each axis instead of the second. */
static struct gen_access with_first(const struct gen_lanes *lanes, const struct gen_access *access)
{
  struct gen_access same = *access;
  for (enum gen_axis axis = GEN_J; axis <= GEN_K; axis++)
    if (same.subscript[axis].table >= 0)
      same.subscript[axis].table = lanes->table[axis][0];
  return same;
}

/* Whether two expressions differ at most in which of an axis' tables they use. */
static bool alike(const struct gen_lanes *lanes, const struct gen_expr *a, const struct gen_expr *b)
{
  if (a->kind != b->kind)
    return false;
  if (a->kind == GEN_ACCESS) {
    const struct gen_access left = with_first(lanes, &a->access),
                            right = with_first(lanes, &b->access);
    return gen_access_equal(&left, &right);
  }
  if (gen_arity(a) == 0)
    return gen_expr_equal(a, b);
  for (int n = 0; n < gen_arity(a); n++)
    if (!alike(lanes, a->argument[n], b->argument[n]))
      return false;
  return true;
}

/* Which of the two tables along an axis all of the expression uses: 0, 1; -1: both, or none. */
static int side(const struct gen_lanes *lanes, const struct gen_expr *expr, enum gen_axis axis)
{
  int used[2] = {-1, -1};
  if (!gen_cuda_tables(expr, axis, used) || used[0] < 0 || used[1] >= 0)
    return -1;
  return used[0] == lanes->table[axis][1];
}

/* Whether an expression uses the tables of a finer row or column, or reads a field, outside of the
 * parts. */
static bool reads_more(const struct gen_lanes *lanes, const struct gen_schedule *schedule,
                       const struct gen_expr *expr)
{
  if (gen_part_of(&lanes->parts, expr))
    return false;
  if (expr->kind == GEN_ACCESS)
    return expr->access.subscript[GEN_J].table >= 0 || expr->access.subscript[GEN_K].table >= 0
      || gen_cuda_reads_field(schedule->kernel, expr, NULL);
  for (int n = 0; n < gen_arity(expr); n++)
    if (reads_more(lanes, schedule, expr->argument[n]))
      return true;
  return false;
}

/* Adds the largest parts of an expression that are like the formula. false: one is at no single
 * cell, or there are too many. The values of the threads are by their number, whose bits are k, j,
 * i; that of i is the argument of the row's function. */
static bool take_parts(struct gen_lanes *lanes, const struct gen_expr *expr,
                       const struct gen_expr *formula)
{
  static const char *const name[2][2] = {{"i]", "2 + i]"}, {"4 + i]", "6 + i]"}};
  if (alike(lanes, expr, formula)) {
    const int j = side(lanes, expr, GEN_J), k = side(lanes, expr, GEN_K);
    if (j < 0 || k < 0 || lanes->parts.count == 4)
      return false;
    if (!j && !k)
      lanes->formula = expr;
    lanes->parts.name[lanes->parts.count] = name[k][j];
    lanes->parts.value[lanes->parts.count++] = expr;
    return true;
  }
  for (int n = 0; n < gen_arity(expr); n++)
    if (!take_parts(lanes, expr->argument[n], formula))
      return false;
  return true;
}

/* Whether the values are made of four parts like it, and of numbers. */
static bool does(struct gen_lanes *lanes, const struct gen_schedule *schedule,
                 const struct gen_expr *formula)
{
  lanes->parts = (struct gen_parts){.prefix = "value_at["};
  lanes->formula = NULL;
  for (int r = 0; r < schedule->rows; r++)
    if (!take_parts(lanes, schedule->row[r].value, formula)
        || reads_more(lanes, schedule, schedule->row[r].value))
      return false;
  return lanes->parts.count == 4 && lanes->formula;
}

/* The largest part of a row's value that does for all of them. */
static bool find_formula(struct gen_lanes *lanes, const struct gen_schedule *schedule,
                         const struct gen_expr *expr)
{
  if (gen_cuda_reads_field(schedule->kernel, expr, NULL) && does(lanes, schedule, expr))
    return true;
  for (int n = 0; n < gen_arity(expr); n++)
    if (find_formula(lanes, schedule, expr->argument[n]))
      return true;
  return false;
}

/* Whether all that a cell needs is at its two children along i. */
static bool shares(const struct gen_schedule *schedule)
{
  const struct gen_kernel *kernel = schedule->kernel;
  bool used[GEN_MAX_ARRAYS] = {false};
  int child[2];
  gen_cuda_children(schedule, child);
  gen_cuda_mark_children(schedule, used);
  for (int n = 0; n < GEN_MAX_ARRAYS && n < kernel->arrays; n++)
    if (used[n] && kernel->array[n].table && n != child[0] && n != child[1])
      return false;
  return child[0] >= 0 && child[1] >= 0 && used[child[0]] && used[child[1]]
    && kernel->guard.kind == GEN_EVERYWHERE;
}

static bool find_lanes(const struct gen_schedule *schedule, struct gen_lanes *lanes)
{
  *lanes = (struct gen_lanes){.table = {{-1, -1}, {-1, -1}, {-1, -1}}};
  if (schedule->kernel->statements != 1 || schedule->kernel->statement[0].kind != GEN_STORE)
    return false;
  for (int r = 0; r < schedule->rows; r++)
    if (schedule->row[r].norms || schedule->row[r].level != GEN_FINER
        || !gen_cuda_tables(schedule->row[r].value, GEN_J, lanes->table[GEN_J])
        || !gen_cuda_tables(schedule->row[r].value, GEN_K, lanes->table[GEN_K]))
      return false;
  gen_cuda_children(schedule, lanes->table[GEN_I]);
  return lanes->table[GEN_J][1] >= 0 && lanes->table[GEN_K][1] >= 0
    && find_formula(lanes, schedule, schedule->row[0].value);
}

void gen_choose_lanes(const struct gen_schedule *schedule, struct gen_cuda_schedule *cuda)
{
  cuda->threads = !shares(schedule) ? 1 : find_lanes(schedule, &cuda->lanes) ? 8 : 2;
}
