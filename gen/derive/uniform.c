#include "uniform.h"

static const struct gen_expr *replace_array(const struct gen_expr *expr, int array,
                                            const struct gen_expr *by)
{
  if (expr->kind == GEN_ACCESS)
    return expr->access.array == array ? by : expr;
  if (gen_arity(expr) == 0)
    return expr;
  struct gen_expr *copy = gen_copy(expr);
  for (int n = 0; n < gen_arity(expr); n++)
    copy->argument[n] = replace_array(expr->argument[n], array, by);
  return copy;
}

void gen_derive_uniform(struct gen_operator *op, const char *field)
{
  const int originals = op->count;
  for (int n = 0; n < originals; n++) {
    const struct gen_kernel *from = op->derived[n].kernel;
    const int array = gen_find_array(from, field);
    if (array < 0)
      continue;
    struct gen_kernel *kernel = gen_clone(from, from->name);
    const int scalar = gen_need_scalar(kernel, field, GEN_PARAMETER);
    const struct gen_expr *by = gen_scalar_ref(scalar);
    kernel->scalar[scalar].stands_for_field = true;
    for (int s = 0; s < kernel->statements; s++)
      kernel->statement[s].value = replace_array(kernel->statement[s].value, array, by);
    gen_mark_accesses(kernel);
    op->derived[op->count++] = (struct gen_derived){
      .role = op->derived[n].role, .variant = gen_text("uniform_%s", field), .kernel = kernel};
  }
}
