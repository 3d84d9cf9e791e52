/* Loops of their own for a field that is one number, and that number 0: what it is a factor of
 * falls out. −Δu = f has α = 0. */
#include "emit.h"

int gen_zero_scalar(const struct gen_kernel *kernel)
{
  for (int n = 0; n < kernel->scalars; n++)
    if (kernel->scalar[n].stands_for_field)
      return n;
  return -1;
}

static bool vanishes(const struct gen_expr *expr, int scalar)
{
  const struct gen_expr *const *argument = expr->argument;
  switch (expr->kind) {
  case GEN_SCALAR:
    return expr->scalar == scalar;
  case GEN_MULTIPLY:
    return vanishes(argument[0], scalar) || vanishes(argument[1], scalar);
  case GEN_NEGATE:
  case GEN_ONLY:
  case GEN_DIVIDE:
    return vanishes(argument[0], scalar);
  case GEN_ADD:
  case GEN_SUBTRACT:
    return vanishes(argument[0], scalar) && vanishes(argument[1], scalar);
  case GEN_FMA:
    return (vanishes(argument[0], scalar) || vanishes(argument[1], scalar))
      && vanishes(argument[2], scalar);
  default:
    return false;
  }
}

/* The terms that are left of a sum. */
static const struct gen_expr *without_terms(const struct gen_expr *expr, int scalar)
{
  const struct gen_expr *const *argument = expr->argument;
  if (expr->kind == GEN_FMA)
    return vanishes(argument[2], scalar) ? gen_binary(GEN_MULTIPLY, argument[0], argument[1])
      : vanishes(argument[0], scalar) || vanishes(argument[1], scalar) ? argument[2]
                                                                       : expr;
  if (expr->kind != GEN_ADD && expr->kind != GEN_SUBTRACT)
    return expr;
  if (vanishes(argument[1], scalar))
    return argument[0];
  if (!vanishes(argument[0], scalar))
    return expr;
  return expr->kind == GEN_ADD ? argument[1] : gen_unary(GEN_NEGATE, argument[1]);
}

const struct gen_expr *gen_without(const struct gen_emitter *emitter, const struct gen_expr *expr,
                                   int scalar)
{
  if (scalar < 0 || gen_line_of(emitter->lines, expr) >= 0 || vanishes(expr, scalar))
    return expr; /* a line is worked out already */
  const struct gen_expr *left = without_terms(expr, scalar);
  if (left != expr)
    return gen_without(emitter, left, scalar);
  struct gen_expr *copy = NULL;
  for (int n = 0; n < gen_arity(expr); n++) {
    const struct gen_expr *argument = gen_without(emitter, expr->argument[n], scalar);
    if (argument == expr->argument[n])
      continue;
    if (!copy) {
      copy = gen_copy(expr);
    }
    copy->argument[n] = argument;
  }
  return copy ? copy : expr;
}
