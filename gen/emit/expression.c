/* Expressions of emitted C. */
#include "emit.h"
#include "index.h"

#include <string.h>

/* Whether it is a field that is held in float, or one negated. */
static bool is_float(const struct gen_emitter *emitter, const struct gen_expr *expr)
{
  if (expr->kind == GEN_NEGATE)
    return is_float(emitter, expr->argument[0]);
  return expr->kind == GEN_ACCESS
    && emitter->schedule->field_precision[expr->access.array] == GEN_FLOAT;
}

/* An operation of two floats in a kernel in double: one in double there, of which C would make one
 * in float. NULL: it is none. */
static const char *widened(const struct gen_style *style, const struct gen_expr *expr)
{
  static const char *const sign[] = {
    [GEN_ADD] = "+", [GEN_SUBTRACT] = "-", [GEN_MULTIPLY] = "*", [GEN_DIVIDE] = "/"};
  const struct gen_emitter *emitter = style->data;
  if (emitter->schedule->precision != GEN_DOUBLE || !is_float(emitter, expr->argument[0])
      || !is_float(emitter, expr->argument[1]))
    return NULL;
  return gen_text("((double)%s %s %s)", gen_words(style, expr->argument[0], 4), sign[expr->kind],
                  gen_words(style, expr->argument[1], 4));
}

static const char *number_text(const struct gen_emitter *emitter, double number)
{
  const bool single = emitter->schedule->precision == GEN_FLOAT;
  const char *text = gen_text(single ? "%.9g" : "%.17g", number);
  if (!strpbrk(text, ".en"))
    text = gen_text("%s.0", text);
  return single ? gen_text("%sf", text) : text;
}

static const char *special(const struct gen_style *style, const struct gen_expr *expr, int least)
{
  const struct gen_emitter *emitter = style->data;
  const int line = gen_line_of(emitter->lines, expr);
  const char *part = gen_part_of(emitter->parts, expr);
  /* C takes the double's function for floats, too, which C++ must be told. */
  if (least == GEN_AS_ARGUMENT && emitter->cuda && emitter->schedule->precision == GEN_DOUBLE
      && is_float(emitter, expr))
    return gen_text("(double)%s", gen_words(style, expr, 4));
  if (part)
    return gen_text("%s%s", emitter->parts->prefix, part);
  if (line >= 0)
    return gen_line_text(emitter, line);
  switch (expr->kind) {
  case GEN_ADD:
  case GEN_SUBTRACT:
  case GEN_MULTIPLY:
  case GEN_DIVIDE:
    return widened(style, expr);
  case GEN_NUMBER:
    return number_text(emitter, expr->number);
  case GEN_SCALAR:
    return emitter->kernel->scalar[expr->scalar].name;
  case GEN_ACCESS:
    return gen_emit_access(emitter, &expr->access);
  case GEN_ONLY:
    if (emitter->counted)
      return gen_words(style, expr->argument[0], least);
    return gen_text("gmg_only%s(%s, %s)", *style->suffix ? "_single" : "",
                    gen_is_of_colour_text(emitter, expr),
                    gen_emit_expr(emitter, expr->argument[0]));
  default:
    return NULL;
  }
}

const char *gen_emit_expr(const struct gen_emitter *emitter, const struct gen_expr *expr)
{
  const struct gen_style style = {special, emitter,
                                  emitter->schedule->precision == GEN_FLOAT ? "f" : ""};
  return gen_words(&style, expr, 0);
}
