#include "times.h"

#include "messages.h"

/* What an integer is before a loop in which it goes up by one; false: not known. */
static bool counts_from(struct gen_translation *translation, const struct gen_syntax *counter,
                        const struct gen_syntax *start, double *from)
{
  struct gen_scope *scope = &translation->scope;
  const struct gen_syntax *value = start ? start : counter->variable.initial;
  int inside = 0;
  for (int c = 0; c < scope->changes; c++) {
    const struct gen_change *change = &scope->change[c];
    if (change->variable != counter || (start && change->value == start))
      continue;
    if (change->inside ? !change->by_one || inside++ : value || !change->value || change->maybe)
      return false;
    if (!change->inside)
      value = change->value;
  }
  return inside == 1 && value && gen_scope_number(scope, value, from);
}

/* One statement in the loop moves the counter, and none moves what it is compared with. */
static bool check_counter(const struct gen_translation *translation,
                          const struct gen_syntax *counter, const struct gen_syntax *condition,
                          const struct gen_syntax *start)
{
  const struct gen_change *moved = gen_moved_inside(&translation->scope, condition->part[1]);
  int times = 0;
  for (int c = 0; c < translation->scope.changes; c++) {
    const struct gen_change *change = &translation->scope.change[c];
    times += change->variable == counter && change->inside && (!start || change->value != start);
  }
  if (times != 1)
    return gen_reject(condition->where,
                      "'%s' ends the time loop, in which %s it: expected one statement that counts "
                      "steps",
                      counter->name,
                      times ? gen_text("%d statements change", times) : "nothing changes");
  return !moved
    || gen_reject(condition->where, "'%s' ends the time loop, but line %d changes '%s'",
                  condition->part[1]->text, moved->where.line, moved->variable->name);
}

/* Whether a condition is one of values that steps change, such as sums over cells. */
static bool is_stop(const struct gen_translation *translation, const struct gen_syntax *condition)
{
  const struct gen_syntax *variable = condition->count ? gen_variable_of(condition->part[0]) : NULL;
  return !(variable && variable->variable.type == GEN_INT) && gen_is_quiet(condition)
    && gen_moved_inside(&translation->scope, condition);
}

bool gen_count_times(struct gen_translation *translation, const struct gen_syntax *condition,
                     const struct gen_syntax *start)
{
  const bool less = condition->operation == GEN_SYNTAX_LESS;
  if (condition->kind == GEN_SYNTAX_BINARY && condition->operation == GEN_SYNTAX_AND)
    return gen_count_times(translation, condition->part[0], start)
      && gen_count_times(translation, condition->part[1], start);
  if (is_stop(translation, condition)) {
    translation->stop = condition;
    return true;
  }
  if (condition->kind != GEN_SYNTAX_BINARY
      || (!less && condition->operation != GEN_SYNTAX_LESS_EQUAL))
    return gen_decline(condition, "is no condition of a time loop: write t < T or t <= T");
  const struct gen_syntax *left = condition->part[0], *counter = left;
  const bool stepped = left->kind == GEN_SYNTAX_UNARY && left->count == 1;
  double from, to;
  if (stepped)
    counter = left->part[0];
  counter = gen_variable_of(counter);
  if (!counter || counter->variable.storage.pointers || counter->variable.storage.rank)
    return gen_decline(condition, "is no condition of a time loop: write t < T or t <= T");
  if (!check_counter(translation, counter, condition, start))
    return false;
  if (counter->variable.type != GEN_INT || !counts_from(translation, counter, start, &from)
      || !gen_scope_number(&translation->scope, condition->part[1], &to))
    return true;
  to += !less - (stepped && left->text[0] == '+'); /* ++t is compared after it has changed */
  if (to - from < 1 || to - from > 1 << 30)
    return gen_decline(condition, "lets the time loop take no step, or too many");
  translation->times = (int)(to - from);
  return true;
}
