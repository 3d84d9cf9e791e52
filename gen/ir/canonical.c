#include "canonical.h"

static const struct gen_expr *negated(const struct gen_expr *a)
{
  if (a->kind == GEN_NUMBER)
    return gen_number(-a->number);
  if (a->kind == GEN_NEGATE)
    return a->argument[0];
  return gen_unary(GEN_NEGATE, a);
}

static const struct gen_expr *sum(const struct gen_expr *a, const struct gen_expr *b)
{
  if (gen_is_number(a, 0))
    return b;
  if (gen_is_number(b, 0))
    return a;
  if (a->kind == GEN_MULTIPLY)
    return gen_operation(GEN_FMA, a->argument[0], a->argument[1], b);
  if (b->kind == GEN_MULTIPLY)
    return gen_operation(GEN_FMA, b->argument[0], b->argument[1], a);
  return gen_binary(GEN_ADD, a, b);
}

static const struct gen_expr *difference(const struct gen_expr *a, const struct gen_expr *b)
{
  if (gen_is_number(b, 0))
    return a;
  if (gen_is_number(a, 0))
    return negated(b);
  if (b->kind == GEN_MULTIPLY)
    return gen_operation(GEN_FMA, negated(b->argument[0]), b->argument[1], a);
  if (a->kind == GEN_MULTIPLY)
    return gen_operation(GEN_FMA, a->argument[0], a->argument[1], negated(b));
  return gen_binary(GEN_SUBTRACT, a, b);
}

static const struct gen_expr *product(const struct gen_expr *a, const struct gen_expr *b)
{
  if (gen_is_number(a, 1))
    return b;
  if (gen_is_number(b, 1))
    return a;
  return gen_binary(GEN_MULTIPLY, a, b);
}

const struct gen_expr *gen_canonical_expr(const struct gen_expr *expr)
{
  const struct gen_expr *argument[3] = {NULL, NULL, NULL};
  const int arity = gen_arity(expr);
  if (arity == 0)
    return expr;
  for (int n = 0; n < arity; n++)
    argument[n] = gen_canonical_expr(expr->argument[n]);
  const struct gen_expr *folded = gen_folded(expr->kind, argument[0], argument[1]);
  if (folded)
    return folded;
  switch (expr->kind) {
  case GEN_NEGATE:
    return negated(argument[0]);
  case GEN_ADD:
    return sum(argument[0], argument[1]);
  case GEN_SUBTRACT:
    return difference(argument[0], argument[1]);
  case GEN_MULTIPLY:
    return product(argument[0], argument[1]);
  default:
    break;
  }
  struct gen_expr *result = gen_operation(expr->kind, argument[0], argument[1], argument[2]);
  result->number = expr->number; /* of a GEN_ONLY */
  return result;
}

void gen_canonical(struct gen_kernel *kernel)
{
  for (int n = 0; n < kernel->statements; n++)
    kernel->statement[n].value = gen_canonical_expr(kernel->statement[n].value);
}
