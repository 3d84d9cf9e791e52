#include "conditions.h"

#include "precision.h"

static bool compares(enum gen_syntax_operation operation)
{
  return operation >= GEN_SYNTAX_LESS && operation <= GEN_SYNTAX_UNEQUAL;
}

bool gen_is_condition(const struct gen_syntax *syntax)
{
  if (syntax->kind == GEN_SYNTAX_UNARY)
    return syntax->operation == GEN_SYNTAX_NOT;
  return syntax->kind == GEN_SYNTAX_BINARY
    && (compares(syntax->operation) || syntax->operation == GEN_SYNTAX_AND
        || syntax->operation == GEN_SYNTAX_OR);
}

static const struct gen_expr *choose(const struct gen_expr *condition, const struct gen_expr *holds,
                                     const struct gen_expr *other)
{
  if (condition->kind == GEN_NUMBER)
    return condition->number != 0 ? holds : other;
  return gen_expr_equal(holds, other) ? holds : gen_operation(GEN_CHOOSE, condition, holds, other);
}

/* Of whole numbers: they must be known. */
static const struct gen_expr *compare_integers(struct gen_making *making,
                                               const struct gen_syntax *syntax)
{
  struct gen_integer left, right;
  struct gen_scope *scope = &making->translation->scope;
  const char *said = gen_diagnostics();
  long long known;
  if (!gen_scope_integer(scope, syntax->part[0], &left)
      || !gen_scope_integer(scope, syntax->part[1], &right)
      || !gen_integer_distance(&left, &right, &known)) {
    gen_forget_diagnostics(said);
    gen_decline(syntax,
                "compares whole numbers that are not the same for all cells, or not known: give "
                "cells that differ by their place loops of their own, and compare doubles");
    return NULL;
  }
  switch (syntax->operation) {
  case GEN_SYNTAX_LESS:
    return gen_number(known < 0);
  case GEN_SYNTAX_LESS_EQUAL:
    return gen_number(known <= 0);
  case GEN_SYNTAX_GREATER:
    return gen_number(known > 0);
  case GEN_SYNTAX_GREATER_EQUAL:
    return gen_number(known >= 0);
  case GEN_SYNTAX_EQUAL:
    return gen_number(known == 0);
  default:
    return gen_number(known != 0);
  }
}

/* What a choice looks at, which is 0 where a comparison does not hold; *swapped: where it does. */
static const struct gen_expr *compare(struct gen_making *making, const struct gen_syntax *syntax,
                                      bool *swapped)
{
  static const enum gen_expr_kind kinds[GEN_SYNTAX_INCREMENT + 1] = {
    [GEN_SYNTAX_LESS] = GEN_LESS,    [GEN_SYNTAX_LESS_EQUAL] = GEN_LESS_EQUAL,
    [GEN_SYNTAX_GREATER] = GEN_LESS, [GEN_SYNTAX_GREATER_EQUAL] = GEN_LESS_EQUAL,
    [GEN_SYNTAX_EQUAL] = GEN_EQUAL,  [GEN_SYNTAX_UNEQUAL] = GEN_EQUAL};
  const enum gen_syntax_operation operation = syntax->operation;
  const bool turned = operation == GEN_SYNTAX_GREATER || operation == GEN_SYNTAX_GREATER_EQUAL;
  *swapped = false;
  if (syntax->part[0]->integer && syntax->part[1]->integer)
    return compare_integers(making, syntax);
  const struct gen_expr *a = gen_make_value(making, syntax->part[turned]),
                        *b = a ? gen_make_value(making, syntax->part[!turned]) : NULL;
  *swapped = operation == GEN_SYNTAX_UNEQUAL;
  if (b
      && !(gen_compares_alike(making->translation, syntax->part[turned], a)
           && gen_compares_alike(making->translation, syntax->part[!turned], b)))
    return NULL;
  return b ? gen_binary(kinds[operation], a, b) : NULL;
}

const struct gen_expr *gen_make_choice(struct gen_making *making,
                                       const struct gen_syntax *condition,
                                       const struct gen_expr *holds, const struct gen_expr *other)
{
  const enum gen_syntax_operation operation = condition->operation;
  const struct gen_expr *value, *second;
  bool swapped;
  if (!gen_is_condition(condition)) { /* a number: it is not 0 */
    value = gen_make_value(making, condition);
    if (!value || value->kind == GEN_NUMBER)
      return value ? choose(value, holds, other) : NULL;
    return choose(gen_binary(GEN_EQUAL, value, gen_number(0)), other, holds);
  }
  if (operation == GEN_SYNTAX_NOT)
    return gen_make_choice(making, condition->part[0], other, holds);
  if (operation == GEN_SYNTAX_AND || operation == GEN_SYNTAX_OR) {
    second = gen_make_choice(making, condition->part[1], holds, other);
    if (!second)
      return NULL;
    return operation == GEN_SYNTAX_AND ? gen_make_choice(making, condition->part[0], second, other)
                                       : gen_make_choice(making, condition->part[0], holds, second);
  }
  value = compare(making, condition, &swapped);
  return !value ? NULL : swapped ? choose(value, other, holds) : choose(value, holds, other);
}

const struct gen_expr *gen_make_choices(struct gen_making *making, const struct gen_syntax *syntax)
{
  const struct gen_expr *holds = gen_make_value(making, syntax->part[1]),
                        *other = holds ? gen_make_value(making, syntax->part[2]) : NULL;
  return other && gen_is_of_values(making->translation, syntax)
    ? gen_make_choice(making, syntax->part[0], holds, other)
    : NULL;
}
