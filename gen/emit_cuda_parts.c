/* What the forms of CUDA kernels ask of an expression before they take it apart. */
#include "emit.h"

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

bool gen_cuda_star(const struct gen_kernel *kernel, const struct gen_expr *expr, int array, bool *along_k)
{
  if (expr->kind == GEN_ACCESS && expr->access.array == array) {
    int away = 0;
    for (int a = 0; a < 3; a++) {
      const struct gen_subscript *s = &expr->access.subscript[a];
      const int offset = s->affine.constant + kernel->loop[a].lower.constant - kernel->array[array].first;
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

const char *gen_cuda_neighbours(struct gen_session *session, const char *type, const char *name)
{
  static const char *const beside[] = {"im1", "ip1", "jm1", "jp1", "km1", "kp1"};
  const char *list = "";
  for (size_t n = 0; n < sizeof beside / sizeof *beside; n++)
    list = gen_text(session, "%s, %s %s_%s", list, type, name, beside[n]);
  return list;
}
