#include "gathers.h"

#include <string.h>

static int times_named(const struct gen_syntax *syntax, const struct gen_syntax *variable)
{
  int times = gen_variable_of(syntax) == variable;
  for (int p = 0; p < syntax->count; p++)
    times += times_named(syntax->part[p], variable);
  if (syntax->kind == GEN_SYNTAX_VARIABLE && syntax->variable.initial)
    times += times_named(syntax->variable.initial, variable);
  return times;
}

static bool declares(const struct gen_syntax *syntax, const struct gen_syntax *variable)
{
  bool found = syntax == variable;
  for (int p = 0; p < syntax->count; p++)
    found = found || declares(syntax->part[p], variable);
  return found;
}

static bool is_same(const struct gen_syntax *a, const struct gen_syntax *b)
{
  return strcmp(a->text, b->text) == 0;
}

/* Of two parts the one that is not the variable; NULL: neither of them is. */
static const struct gen_syntax *beside(const struct gen_syntax *const part[2],
                                       const struct gen_syntax *variable)
{
  if (gen_variable_of(part[0]) == variable)
    return part[1];
  return gen_variable_of(part[1]) == variable ? part[0] : NULL;
}

/* Whether a condition compares the variable with a value, and which of them it is true for: those
 * that are larger, or smaller. */
static bool compares(const struct gen_syntax *condition, const struct gen_syntax *variable,
                     struct gen_sum *sum)
{
  const enum gen_syntax_operation operation = condition->operation;
  const bool less = operation == GEN_SYNTAX_LESS || operation == GEN_SYNTAX_LESS_EQUAL,
             more = operation == GEN_SYNTAX_GREATER || operation == GEN_SYNTAX_GREATER_EQUAL;
  if (condition->kind != GEN_SYNTAX_BINARY || (!less && !more))
    return false;
  sum->value = beside(condition->part, variable);
  const bool first = sum->value == condition->part[0];
  sum->kind = first == more ? GEN_REDUCTION_MAX : GEN_REDUCTION_MIN;
  return sum->value != NULL;
}

/* v = right: v + x, fmax(v, x), x > v ? x : v. */
static bool gathers_plainly(const struct gen_syntax *right, struct gen_sum *sum)
{
  const bool call = right->kind == GEN_SYNTAX_CALL && right->count == 2,
             largest =
               call && (strcmp(right->name, "fmax") == 0 || strcmp(right->name, "fmaxf") == 0),
             least =
               call && (strcmp(right->name, "fmin") == 0 || strcmp(right->name, "fminf") == 0);
  if ((right->kind == GEN_SYNTAX_BINARY && right->operation == GEN_SYNTAX_ADD) || largest || least)
    sum->value = beside(right->part, sum->variable);
  sum->kind = largest ? GEN_REDUCTION_MAX : least ? GEN_REDUCTION_MIN : GEN_REDUCTION_SUM;
  if (right->kind != GEN_SYNTAX_CHOICE)
    return sum->value != NULL;
  if (!compares(right->part[0], sum->variable, sum))
    return false;
  const struct gen_syntax *const taken = beside(right->part + 1, sum->variable);
  if (taken == right->part[2]) /* where the condition does not hold */
    sum->kind = sum->kind == GEN_REDUCTION_MAX ? GEN_REDUCTION_MIN : GEN_REDUCTION_MAX;
  return taken && is_same(taken, sum->value);
}

/* The assignment that is all of a branch; NULL: there is none. */
static const struct gen_syntax *only_assignment(const struct gen_syntax *branch)
{
  while (branch->kind == GEN_SYNTAX_BLOCK && branch->count == 1)
    branch = branch->part[0];
  return branch->kind == GEN_SYNTAX_ASSIGN && branch->operation == GEN_SYNTAX_NONE ? branch : NULL;
}

/* if (x > v) v = x; */
static bool gathers_by_if(const struct gen_syntax *syntax, struct gen_sum *sum)
{
  const struct gen_syntax *assignment =
    syntax->count == 2 ? only_assignment(syntax->part[1]) : NULL;
  sum->variable = assignment ? gen_variable_of(assignment->part[0]) : NULL;
  return sum->variable && compares(syntax->part[0], sum->variable, sum)
    && is_same(assignment->part[1], sum->value);
}

static bool gathers(const struct gen_syntax *syntax, struct gen_sum *sum)
{
  *sum = (struct gen_sum){.statement = syntax};
  if (syntax->kind == GEN_SYNTAX_IF)
    return gathers_by_if(syntax, sum);
  if (syntax->kind != GEN_SYNTAX_ASSIGN)
    return false;
  sum->variable = gen_variable_of(syntax->part[0]);
  if (sum->variable && syntax->operation == GEN_SYNTAX_ADD)
    sum->value = syntax->part[1];
  return sum->variable
    && (sum->value
        || (syntax->operation == GEN_SYNTAX_NONE && gathers_plainly(syntax->part[1], sum)));
}

static void find(struct gen_nest *nest, const struct gen_syntax *syntax)
{
  struct gen_sum sum;
  if (nest->sums < GEN_MAX_SUMS && gathers(syntax, &sum) && sum.variable->variable.type != GEN_INT
      && !sum.variable->variable.storage.rank && !sum.variable->variable.storage.pointers
      && !declares(nest->body, sum.variable)
      && times_named(nest->body, sum.variable) == times_named(syntax, sum.variable)
      && !times_named(sum.value, sum.variable)) {
    nest->sum[nest->sums++] = sum;
    return;
  }
  for (int p = syntax->kind == GEN_SYNTAX_IF; p < syntax->count && syntax->kind < GEN_SYNTAX_ASSIGN;
       p++)
    find(nest, syntax->part[p]);
}

void gen_find_sums(struct gen_nest *nest)
{
  nest->sums = 0;
  find(nest, nest->body);
}
