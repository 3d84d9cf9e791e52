/* Expressions of emitted C. */
#include "emit.h"
#include "index.h"

#include <string.h>

/* Whether C takes the expression as a float: its fields are, and nothing else is in it. */
static bool is_float(const struct gen_emitter *emitter, const struct gen_expr *expr)
{
  if (expr->kind == GEN_ACCESS)
    return emitter->schedule->field_precision[expr->access.array] == GEN_FLOAT;
  if (expr->kind < GEN_NEGATE || expr->kind > GEN_DIVIDE)
    return false;
  for (int n = 0; n < gen_arity(expr->kind); n++)
    if (!is_float(emitter, expr->argument[n]))
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

static int precedence(enum gen_expr_kind kind)
{
  return kind == GEN_ADD || kind == GEN_SUBTRACT ? 1
    : kind == GEN_MULTIPLY || kind == GEN_DIVIDE ? 2
    : kind == GEN_NEGATE                         ? 3
                                                 : 4;
}

/* An argument of a function of math.h: C takes the double's function for floats, too, which C++
 * must be told. */
static const char *argument_text(const struct gen_emitter *emitter, const struct gen_expr *expr)
{
  const char *text = gen_emit_expr(emitter, expr);
  if (!emitter->cuda || emitter->schedule->precision == GEN_FLOAT || !is_float(emitter, expr))
    return text;
  return gen_text(precedence(expr->kind) < 4 ? "(double)(%s)" : "(double)%s", text);
}

static const char *number_text(const struct gen_emitter *emitter, double number)
{
  const bool single = emitter->schedule->precision == GEN_FLOAT;
  const char *text = gen_text(single ? "%.9g" : "%.17g", number);
  if (!strpbrk(text, ".en"))
    text = gen_text("%s.0", text);
  return single ? gen_text("%sf", text) : text;
}

static const char *operand(const struct gen_emitter *emitter, const struct gen_expr *expr,
                           int least)
{
  const char *text = gen_emit_expr(emitter, expr);
  while (expr->kind == GEN_ONLY && emitter->counted)
    expr = expr->argument[0];
  return precedence(expr->kind) < least && gen_line_of(emitter->lines, expr) < 0
      && !gen_part_of(emitter->parts, expr)
    ? gen_text("(%s)", text)
    : text;
}

const char *gen_emit_expr(const struct gen_emitter *emitter, const struct gen_expr *expr)
{
  static const char *const infix[] = {
    [GEN_ADD] = "+", [GEN_SUBTRACT] = "-", [GEN_MULTIPLY] = "*", [GEN_DIVIDE] = "/"};
  static const char *const call[] = {[GEN_FMA] = "fma",
                                     [GEN_ABS] = "fabs",
                                     [GEN_MAXIMUM] = "fmax",
                                     [GEN_MINIMUM] = "fmin",
                                     [GEN_SQRT] = "sqrt"};
  const int level = precedence(expr->kind), line = gen_line_of(emitter->lines, expr);
  const char *part = gen_part_of(emitter->parts, expr);
  if (line >= 0 || part)
    return part ? gen_text("%s%s", emitter->parts->prefix, part) : gen_line_text(emitter, line);
  switch (expr->kind) {
  case GEN_NUMBER:
    return number_text(emitter, expr->number);
  case GEN_SCALAR:
    return emitter->kernel->scalar[expr->scalar].name;
  case GEN_ACCESS:
    return gen_emit_access(emitter, &expr->access);
  case GEN_NEGATE:
    return gen_text("-%s", operand(emitter, expr->argument[0], 4));
  case GEN_ONLY:
    return emitter->counted
      ? gen_emit_expr(emitter, expr->argument[0])
      : gen_text("gmg_only%s(%s, %s)", emitter->schedule->precision == GEN_FLOAT ? "_single" : "",
                 gen_counts_text(emitter, expr), gen_emit_expr(emitter, expr->argument[0]));
  case GEN_ADD:
  case GEN_SUBTRACT:
  case GEN_MULTIPLY:
  case GEN_DIVIDE:
    return gen_text("%s %s %s", operand(emitter, expr->argument[0], level), infix[expr->kind],
                    operand(emitter, expr->argument[1], level + 1));
  default: {
    const char *list = "";
    for (int n = 0; n < gen_arity(expr->kind); n++)
      list = gen_text("%s%s%s", list, n ? ", " : "", argument_text(emitter, expr->argument[n]));
    return gen_text("%s%s(%s)", call[expr->kind],
                    emitter->schedule->precision == GEN_FLOAT ? "f" : "", list);
  }
  }
}
