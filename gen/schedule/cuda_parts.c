/* What the choice of forms asks of an expression before it takes it apart. */
#include "cuda_choices.h"

bool gen_cuda_divides(const struct gen_expr *expr)
{
  if (expr->kind == GEN_DIVIDE || expr->kind == GEN_SQRT)
    return true;
  for (int n = 0; n < gen_arity(expr); n++)
    if (gen_cuda_divides(expr->argument[n]))
      return true;
  return false;
}

bool gen_cuda_reads(const struct gen_expr *expr)
{
  if (expr->kind == GEN_ACCESS)
    return true;
  for (int n = 0; n < gen_arity(expr); n++)
    if (gen_cuda_reads(expr->argument[n]))
      return true;
  return false;
}

bool gen_cuda_reads_field(const struct gen_kernel *kernel, const struct gen_expr *expr,
                          const struct gen_parts *parts)
{
  if (gen_part_of(parts, expr))
    return false;
  if (expr->kind == GEN_ACCESS)
    return kernel->array[expr->access.array].rank > 1;
  for (int n = 0; n < gen_arity(expr); n++)
    if (gen_cuda_reads_field(kernel, expr->argument[n], parts))
      return true;
  return false;
}

bool gen_cuda_star(const struct gen_kernel *kernel, const struct gen_expr *expr, int array,
                   bool *along_k)
{
  if (expr->kind == GEN_ACCESS && expr->access.array == array) {
    int away = 0;
    for (int a = 0; a < 3; a++) {
      const struct gen_subscript *s = &expr->access.subscript[a];
      const int offset = gen_offset(kernel, &expr->access, a);
      if (s->table >= 0 || s->affine.coefficient[a] != 1 || offset < -1 || offset > 1)
        return false;
      away += offset != 0;
      *along_k = *along_k || (a == GEN_K && offset);
    }
    return away < 2;
  }
  for (int n = 0; n < gen_arity(expr); n++)
    if (!gen_cuda_star(kernel, expr->argument[n], array, along_k))
      return false;
  return true;
}

bool gen_cuda_tables(const struct gen_expr *expr, enum gen_axis axis, int table[2])
{
  const int t = expr->kind == GEN_ACCESS ? expr->access.subscript[axis].table : -1;
  if (t >= 0 && table[0] < 0)
    table[0] = t;
  else if (t >= 0 && t != table[0] && table[1] < 0)
    table[1] = t;
  else if (t >= 0 && t != table[0] && t != table[1])
    return false;
  for (int n = 0; n < gen_arity(expr); n++)
    if (!gen_cuda_tables(expr->argument[n], axis, table))
      return false;
  return true;
}

const char *gen_part_of(const struct gen_parts *parts, const struct gen_expr *expr)
{
  for (int n = 0; parts && n < parts->count; n++)
    if (gen_expr_equal(parts->value[n], expr))
      return parts->name[n];
  return NULL;
}

void gen_add_part(struct gen_parts *parts, const struct gen_expr *value, const char *name)
{
  if (parts->count == GEN_MAX_CUT)
    return;
  parts->value[parts->count] = value;
  parts->name[parts->count++] = name;
}

const char *gen_cuda_neighbours(const struct gen_schedule *schedule, int array)
{
  static const char *const beside[] = {"im1", "ip1", "jm1", "jp1", "km1", "kp1"};
  const char *list = "";
  for (size_t n = 0; n < sizeof beside / sizeof *beside; n++)
    list = gen_text("%s, %s %s_%s", list, gen_real(schedule), schedule->kernel->array[array].name,
                    beside[n]);
  return list;
}
