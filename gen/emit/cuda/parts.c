/* What the forms of CUDA kernels ask of an expression before they take it apart. */
#include "emit/emit.h"

bool gen_cuda_divides(const struct gen_expr *expr)
{
  if (expr->kind == GEN_DIVIDE || expr->kind == GEN_SQRT)
    return true;
  for (int n = 0; n < gen_arity(expr->kind); n++)
    if (gen_cuda_divides(expr->argument[n]))
      return true;
  return false;
}

bool gen_cuda_reads(const struct gen_expr *expr)
{
  if (expr->kind == GEN_ACCESS)
    return true;
  for (int n = 0; n < gen_arity(expr->kind); n++)
    if (gen_cuda_reads(expr->argument[n]))
      return true;
  return false;
}

bool gen_cuda_reads_field(const struct gen_kernel *kernel, const struct gen_expr *expr)
{
  if (expr->kind == GEN_ACCESS)
    return kernel->array[expr->access.array].rank > 1;
  for (int n = 0; n < gen_arity(expr->kind); n++)
    if (gen_cuda_reads_field(kernel, expr->argument[n]))
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
  for (int n = 0; n < gen_arity(expr->kind); n++)
    if (!gen_cuda_star(kernel, expr->argument[n], array, along_k))
      return false;
  return true;
}

const char *gen_cuda_neighbours(const char *type, const char *name)
{
  static const char *const beside[] = {"im1", "ip1", "jm1", "jp1", "km1", "kp1"};
  const char *list = "";
  for (size_t n = 0; n < sizeof beside / sizeof *beside; n++)
    list = gen_text("%s, %s %s_%s", list, type, name, beside[n]);
  return list;
}

/* Whether it can be worked out before the first colour's new values are known and anything is
 * divided. `array` -1: all are. */
static bool comes_first(const struct gen_kernel *kernel, const struct gen_expr *expr, int array)
{
  if (gen_cuda_divides(expr))
    return false;
  for (int a = 0; expr->kind == GEN_ACCESS && expr->access.array == array && a < 3; a++)
    if (gen_offset(kernel, &expr->access, a))
      return false;
  for (int n = 0; n < gen_arity(expr->kind); n++)
    if (!comes_first(kernel, expr->argument[n], array))
      return false;
  return true;
}

void gen_cuda_find_parts(struct gen_emitter *emitter, const struct gen_expr *expr, int array,
                         struct gen_parts *parts)
{
  if (!gen_cuda_reads(expr) || gen_part_of(parts, expr))
    return;
  if (expr->kind != GEN_NEGATE && comes_first(emitter->kernel, expr, array)
      && parts->count < GEN_MAX_CUT) {
    parts->value[parts->count] = expr;
    parts->name[parts->count] = gen_text("part%d", parts->count);
    parts->count++;
    return;
  }
  for (int n = 0; n < gen_arity(expr->kind); n++)
    gen_cuda_find_parts(emitter, expr->argument[n], array, parts);
}

int gen_cuda_field_of(const struct gen_schedule *schedule, int array)
{
  int list[GEN_MAX_ARRAYS];
  const int count = gen_fields(schedule, list);
  for (int n = 0; n < count; n++)
    if (list[n] == array)
      return n;
  return 0;
}
