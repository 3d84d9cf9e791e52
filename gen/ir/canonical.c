#include "canonical.h"

static bool is_number(const struct gen_expr *expr)
{
  return expr->kind == GEN_NUMBER;
}

static const struct gen_expr *negated(struct gen_session *session, const struct gen_expr *a)
{
  if (is_number(a))
    return gen_number(session, -a->number);
  if (a->kind == GEN_NEGATE)
    return a->argument[0];
  return gen_unary(session, GEN_NEGATE, a);
}

static const struct gen_expr *sum(struct gen_session *session, const struct gen_expr *a,
                                  const struct gen_expr *b)
{
  if (is_number(a) && is_number(b))
    return gen_number(session, a->number + b->number);
  if (is_number(a) && a->number == 0)
    return b;
  if (is_number(b) && b->number == 0)
    return a;
  if (a->kind == GEN_MULTIPLY)
    return gen_fma(session, a->argument[0], a->argument[1], b);
  if (b->kind == GEN_MULTIPLY)
    return gen_fma(session, b->argument[0], b->argument[1], a);
  return gen_binary(session, GEN_ADD, a, b);
}

static const struct gen_expr *difference(struct gen_session *session, const struct gen_expr *a,
                                         const struct gen_expr *b)
{
  if (is_number(a) && is_number(b))
    return gen_number(session, a->number - b->number);
  if (is_number(b) && b->number == 0)
    return a;
  if (is_number(a) && a->number == 0)
    return negated(session, b);
  if (b->kind == GEN_MULTIPLY)
    return gen_fma(session, negated(session, b->argument[0]), b->argument[1], a);
  if (a->kind == GEN_MULTIPLY)
    return gen_fma(session, a->argument[0], a->argument[1], negated(session, b));
  return gen_binary(session, GEN_SUBTRACT, a, b);
}

static const struct gen_expr *product(struct gen_session *session, const struct gen_expr *a,
                                      const struct gen_expr *b)
{
  if (is_number(a) && is_number(b))
    return gen_number(session, a->number * b->number);
  if (is_number(a) && a->number == 1)
    return b;
  if (is_number(b) && b->number == 1)
    return a;
  return gen_binary(session, GEN_MULTIPLY, a, b);
}

const struct gen_expr *gen_canonical_expr(struct gen_session *session, const struct gen_expr *expr)
{
  const struct gen_expr *argument[3] = {NULL, NULL, NULL};
  const int arity = gen_arity(expr->kind);
  if (arity == 0)
    return expr;
  for (int n = 0; n < arity; n++)
    argument[n] = gen_canonical_expr(session, expr->argument[n]);
  switch (expr->kind) {
  case GEN_NEGATE:
    return negated(session, argument[0]);
  case GEN_ADD:
    return sum(session, argument[0], argument[1]);
  case GEN_SUBTRACT:
    return difference(session, argument[0], argument[1]);
  case GEN_MULTIPLY:
    return product(session, argument[0], argument[1]);
  case GEN_DIVIDE:
    if (is_number(argument[0]) && is_number(argument[1]) && argument[1]->number != 0)
      return gen_number(session, argument[0]->number / argument[1]->number);
    return gen_binary(session, GEN_DIVIDE, argument[0], argument[1]);
  case GEN_FMA:
    return gen_fma(session, argument[0], argument[1], argument[2]);
  case GEN_ONLY:
    return gen_only(session, argument[0], argument[1], argument[2], (int)expr->number);
  default:
    return arity == 1 ? gen_unary(session, expr->kind, argument[0])
                      : gen_binary(session, expr->kind, argument[0], argument[1]);
  }
}

void gen_canonical(struct gen_session *session, struct gen_kernel *kernel)
{
  for (int n = 0; n < kernel->statements; n++)
    kernel->statement[n].value = gen_canonical_expr(session, kernel->statement[n].value);
}
