/* A u without what u at the point itself adds to it: the value 0 put there, and what follows from
 * it. */
#include "derive.h"

struct work {
  struct gen_access centre;
  bool gone[GEN_MAX_SCALARS]; /* private scalars that are 0 now */
};

/* NULL stands for 0 in all of these; a negation is handed outwards, so that it meets a sum that
 * takes it in. */
static const struct gen_expr *negated(const struct gen_expr *a)
{
  if (!a)
    return NULL;
  return a->kind == GEN_NEGATE ? a->argument[0] : gen_unary(GEN_NEGATE, a);
}

static const struct gen_expr *sum(const struct gen_expr *a, const struct gen_expr *b)
{
  if (!a || !b)
    return a ? a : b;
  if (a->kind == GEN_NEGATE && b->kind == GEN_NEGATE)
    return negated(gen_binary(GEN_ADD, a->argument[0], b->argument[0]));
  if (b->kind == GEN_NEGATE)
    return gen_binary(GEN_SUBTRACT, a, b->argument[0]);
  if (a->kind == GEN_NEGATE)
    return gen_binary(GEN_SUBTRACT, b, a->argument[0]);
  return gen_binary(GEN_ADD, a, b);
}

/* a b, or a / b */
static const struct gen_expr *product(enum gen_expr_kind kind, const struct gen_expr *a,
                                      const struct gen_expr *b)
{
  if (!a || !b)
    return NULL;
  const bool negative = (a->kind == GEN_NEGATE) != (b->kind == GEN_NEGATE);
  const struct gen_expr *x = a->kind == GEN_NEGATE ? a->argument[0] : a,
                        *y = b->kind == GEN_NEGATE ? b->argument[0] : b,
                        *result = gen_binary(kind, x, y);
  return negative ? negated(result) : result;
}

static const struct gen_expr *without_centre(struct work *work, const struct gen_expr *expr)
{
  const struct gen_expr *argument[3] = {NULL, NULL, NULL};
  if (expr->kind == GEN_ACCESS)
    return gen_access_equal(&expr->access, &work->centre) ? NULL : expr;
  if (expr->kind == GEN_SCALAR)
    return work->gone[expr->scalar] ? NULL : expr;
  /* A function of u is not linear: none has it. */
  if (gen_arity(expr) == 0 || expr->kind > GEN_FMA)
    return expr;
  for (int n = 0; n < gen_arity(expr); n++)
    argument[n] = without_centre(work, expr->argument[n]);
  switch (expr->kind) {
  case GEN_NEGATE:
    return negated(argument[0]);
  case GEN_ADD:
    return sum(argument[0], argument[1]);
  case GEN_SUBTRACT:
    return sum(argument[0], negated(argument[1]));
  case GEN_FMA:
    return sum(product(GEN_MULTIPLY, argument[0], argument[1]), argument[2]);
  default:
    return product(expr->kind, argument[0], argument[1]);
  }
}

const struct gen_expr *gen_off_diagonal(struct gen_kernel *kernel, int unknown)
{
  struct work work = {.centre = gen_here(kernel, unknown)};
  const struct gen_expr *result = NULL;
  for (int n = 0; n < kernel->statements; n++) {
    struct gen_statement *statement = &kernel->statement[n];
    const struct gen_expr *value = without_centre(&work, statement->value);
    if (statement->kind == GEN_STORE)
      result = value;
    else if (value)
      statement->value = value;
    else
      work.gone[statement->scalar] = true;
  }
  return result ? result : gen_number(0);
}
