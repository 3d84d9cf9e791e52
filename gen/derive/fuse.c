/* The residual inside the restriction: no residual is ever stored. */
#include "ir/canonical.h"
#include "derive.h"

#include <string.h>

struct fusion {
  const struct gen_kernel *residual;
  struct gen_kernel *kernel;                          /* the result: the restriction's loops */
  int fine;                                           /* the array that the residual replaces */
  int array_of[GEN_MAX_ARRAYS];                       /* residual's array -> result's, or -1 */
  int scalar_of[GEN_MAX_SCALARS];                     /* residual's parameter -> result's, or -1 */
  const struct gen_expr *private_of[GEN_MAX_SCALARS]; /* residual's private scalar -> its value */
  const struct gen_expr *value; /* the residual, private scalars written out */
  bool failed;
};

static const struct gen_expr *with_arguments(struct fusion *fusion, const struct gen_expr *expr,
                                             const struct gen_expr *(*map)(struct fusion *,
                                                                           const struct gen_expr *))
{
  if (gen_arity(expr) == 0)
    return expr;
  struct gen_expr *copy = gen_copy(expr);
  for (int n = 0; n < gen_arity(expr); n++)
    copy->argument[n] = map(fusion, expr->argument[n]);
  return copy;
}

static const struct gen_expr *inline_privates(struct fusion *fusion, const struct gen_expr *expr)
{
  if (expr->kind == GEN_SCALAR && fusion->private_of[expr->scalar])
    return fusion->private_of[expr->scalar];
  return with_arguments(fusion, expr, inline_privates);
}

static int array_in_result(struct fusion *fusion, int array)
{
  if (fusion->array_of[array] >= 0)
    return fusion->array_of[array];
  struct gen_kernel *kernel = fusion->kernel;
  for (int n = 0; n < kernel->arrays; n++)
    if (kernel->array[n].level == GEN_FINER && n != fusion->fine
        && strcmp(kernel->array[n].name, fusion->residual->array[array].name) == 0)
      return fusion->array_of[array] = n;
  if (kernel->arrays == GEN_MAX_NAMED_ARRAYS) {
    fusion->failed = true;
    return 0;
  }
  kernel->array[kernel->arrays] = fusion->residual->array[array];
  kernel->array[kernel->arrays].level = GEN_FINER;
  return fusion->array_of[array] = kernel->arrays++;
}

/* The residual's subscript (its loop variable + constant) at the fine cell that `at` names. */
static struct gen_subscript compose(struct fusion *fusion, const struct gen_subscript *inner,
                                    enum gen_axis axis, const struct gen_subscript *at)
{
  struct gen_subscript result = *at;
  if (axis == GEN_BOX)
    return result;
  fusion->failed |= !gen_is_shift(inner, axis);
  const int shift = inner->affine.constant + fusion->residual->loop[axis].lower.constant
    - fusion->kernel->array[fusion->fine].first;
  if (result.table >= 0)
    result.offset += shift;
  else
    result.affine.constant += shift;
  return result;
}

static const struct gen_expr *at_fine(struct fusion *fusion, const struct gen_expr *expr,
                                      const struct gen_access *at)
{
  struct gen_expr *copy = gen_copy(expr);
  if (expr->kind == GEN_SCALAR) {
    if (fusion->scalar_of[expr->scalar] < 0)
      fusion->scalar_of[expr->scalar] =
        gen_need_scalar(fusion->kernel, fusion->residual->scalar[expr->scalar].name, GEN_PARAMETER);
    copy->scalar = fusion->scalar_of[expr->scalar];
  } else if (expr->kind == GEN_ACCESS) {
    const struct gen_array *from = &fusion->residual->array[expr->access.array];
    copy->access.array = array_in_result(fusion, expr->access.array);
    for (int a = 0; a < GEN_AXES; a++)
      if (from->rank == 4 || (int)from->axis == a)
        copy->access.subscript[a] =
          compose(fusion, &expr->access.subscript[a], a, &at->subscript[a]);
  }
  for (int n = 0; n < gen_arity(expr); n++)
    copy->argument[n] = at_fine(fusion, expr->argument[n], at);
  return copy;
}

static const struct gen_expr *insert(struct fusion *fusion, const struct gen_expr *expr)
{
  if (expr->kind == GEN_ACCESS && expr->access.array == fusion->fine)
    return at_fine(fusion, fusion->value, &expr->access);
  return with_arguments(fusion, expr, insert);
}

/* A fusion of that kernel's last value with fine values of the result: what it stores, or what it
 * takes the norm of. */
static void begin(struct fusion *fusion, const struct gen_kernel *residual,
                  struct gen_kernel *kernel)
{
  *fusion = (struct fusion){.residual = residual, .kernel = kernel};
  fusion->fine = gen_find_array(kernel, "fine");
  for (int n = 0; n < GEN_MAX_ARRAYS; n++)
    fusion->array_of[n] = -1;
  for (int n = 0; n < GEN_MAX_SCALARS; n++)
    fusion->scalar_of[n] = -1;
  for (int n = 0; n < residual->statements; n++) {
    const struct gen_statement *statement = &residual->statement[n];
    if (statement->kind == GEN_REDUCE)
      continue;
    fusion->value = inline_privates(fusion, statement->value);
    if (statement->kind == GEN_SET)
      fusion->private_of[statement->scalar] = fusion->value;
  }
}

/* A value times a weight of 0 or 1, which joins what the value is divided by: one factor along
 * lines. */
static const struct gen_expr *weighted(const struct gen_expr *value, const struct gen_expr *weight)
{
  if (value->kind != GEN_MULTIPLY || value->argument[1]->kind != GEN_DIVIDE)
    return gen_binary(GEN_MULTIPLY, weight, value);
  return gen_binary(GEN_MULTIPLY, value->argument[0],
                    gen_binary(GEN_MULTIPLY, weight, value->argument[1]));
}

/* The norm at every fine value that the restriction reads through its first table along i (the row
 * holds all others too), times the weights along j and k: where a cell is alone, its double has the
 * weight 0. */
static void add_norms(struct fusion *fusion, const struct gen_expr *expr,
                      const struct gen_expr *weight)
{
  struct gen_kernel *kernel = fusion->kernel;
  if (expr->kind == GEN_ACCESS) {
    const int table = expr->access.subscript[GEN_I].table;
    fusion->failed |= table < 0 || kernel->statements == GEN_MAX_STATEMENTS;
    if (fusion->failed || kernel->array[table].rule != GEN_EVEN_CHILD)
      return;
    const struct gen_expr *value = at_fine(fusion, fusion->value, &expr->access);
    if (weight)
      value = weighted(value, gen_canonical_expr(weight));
    kernel->statement[kernel->statements++] =
      (struct gen_statement){.kind = GEN_NORM, .where = kernel->where, .value = value};
    return;
  }
  for (int n = 0; n < gen_arity(expr); n++) {
    if (!gen_reads_array(expr->argument[n], fusion->fine))
      continue;
    const struct gen_expr *factor = expr->kind == GEN_MULTIPLY ? expr->argument[1 - n] : NULL;
    const bool along_i = factor && factor->kind == GEN_ACCESS
      && kernel->array[factor->access.array].rank == 1
      && kernel->array[factor->access.array].axis == GEN_I;
    fusion->failed |= expr->kind != GEN_ADD && expr->kind != GEN_MULTIPLY;
    if (!factor || along_i)
      factor = weight;
    else if (weight)
      factor = gen_binary(GEN_MULTIPLY, weight, factor);
    add_norms(fusion, expr->argument[n], factor);
  }
}

struct gen_kernel *gen_fuse_restriction(const struct gen_kernel *residual,
                                        const struct gen_kernel *restriction,
                                        const struct gen_kernel *norm, const char *name)
{
  struct gen_kernel *kernel = gen_clone(restriction, name);
  struct fusion fusion, norms = {.failed = false};
  kernel->where = residual->where;
  if (gen_find_array(restriction, "fine") < 0) {
    gen_reject(restriction->where, "restriction '%s' has no array 'fine'", restriction->name);
    return NULL;
  }
  begin(&fusion, residual, kernel);
  for (int n = 0; n < restriction->statements; n++)
    fusion.kernel->statement[n].value =
      insert(&fusion, gen_canonical_expr(restriction->statement[n].value));
  if (norm) {
    begin(&norms, norm, kernel);
    for (int n = 0; n < restriction->statements; n++)
      add_norms(&norms, restriction->statement[n].value, NULL);
  }
  if (fusion.failed || norms.failed) {
    gen_reject(residual->where,
               "the residual of '%s' cannot be fused with '%s': too many arrays, or a subscript "
               "that is not the loop variable plus a constant",
               residual->name, restriction->name);
    return NULL;
  }
  return fusion.kernel;
}
