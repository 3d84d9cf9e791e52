/* What the forms of CUDA kernels ask of an expression before they take it apart. */
#include "emit/emit.h"

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

const char *gen_cuda_neighbours(const char *type, const char *name)
{
  static const char *const beside[] = {"im1", "ip1", "jm1", "jp1", "km1", "kp1"};
  const char *list = "";
  for (size_t n = 0; n < sizeof beside / sizeof *beside; n++)
    list = gen_text("%s, %s %s_%s", list, type, name, beside[n]);
  return list;
}

void gen_emit_cuda_struct(struct gen_emitter *emitter, const char *name,
                          const struct gen_parts *parts)
{
  gen_line(emitter->writer, "struct %s_%s {", emitter->symbol, name);
  for (int n = 0; n < parts->count; n++)
    gen_line(emitter->writer, "%s %s;", gen_real(emitter->schedule), parts->name[n]);
  gen_line(emitter->writer, "};\n\n");
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
