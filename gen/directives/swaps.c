#include "swaps.h"

#include "arrays.h"

static int *temporary_of(struct gen_swaps *swaps, const struct gen_syntax *variable)
{
  for (int t = 0; t < swaps->temporaries; t++)
    if (swaps->temporary[t].variable == variable)
      return &swaps->temporary[t].points;
  return NULL;
}

/* The number of an array that is known; -1: the pointer is none. */
static int known_array(const struct gen_translation *translation, const struct gen_syntax *variable)
{
  for (int a = 0; a < translation->arrays; a++)
    if (translation->array[a].variable == variable)
      return a;
  return -1;
}

static void start(struct gen_swaps *swaps, struct gen_location where)
{
  swaps->where = where;
  swaps->first = -1;
  for (int a = 0; a < GEN_MAX_PROGRAM_ARRAYS; a++) {
    swaps->now[a] = a;
    swaps->assigned[a] = where;
  }
}

bool gen_add_swap(struct gen_swaps *swaps, const struct gen_syntax *pointer,
                  const struct gen_syntax *value, const struct gen_syntax *syntax)
{
  const struct gen_syntax *from = gen_variable_of(value);
  if (!from || !gen_is_pointer(from))
    return gen_decline(syntax, "is no swap of pointers: expected a pointer on the right side");
  if (!swaps->steps++)
    start(swaps, syntax->where);
  const int *held = temporary_of(swaps, from);
  int points = held ? *held : -1;
  if (!held) {
    const int array = gen_data_of(swaps->translation, value);
    if (array < 0)
      return false;
    points = swaps->now[array];
  }
  const int to = known_array(swaps->translation, pointer);
  if (to >= 0) {
    swaps->now[to] = points;
    swaps->assigned[to] = syntax->where;
    swaps->first = swaps->first < 0 ? to : swaps->first;
    return true;
  }
  int *temporary = temporary_of(swaps, pointer);
  if (!temporary) {
    if (swaps->temporaries == GEN_MAX_TEMPORARIES)
      return gen_decline(syntax, "uses too many pointers");
    swaps->temporary[swaps->temporaries].variable = pointer;
    temporary = &swaps->temporary[swaps->temporaries++].points;
  }
  *temporary = points;
  return true;
}

bool gen_exchange(struct gen_swaps *swaps, const struct gen_syntax *a, const struct gen_syntax *b,
                  const struct gen_syntax *syntax)
{
  const int first = gen_data_of(swaps->translation, a),
            second = first < 0 ? -1 : gen_data_of(swaps->translation, b);
  if (second < 0)
    return false;
  if (first == second)
    return gen_decline(syntax, "exchanges one array with itself: expected two different arrays");
  if (!swaps->steps++)
    start(swaps, syntax->where);
  const int points = swaps->now[first];
  swaps->now[first] = swaps->now[second];
  swaps->now[second] = points;
  swaps->assigned[first] = swaps->assigned[second] = syntax->where;
  swaps->first = swaps->first < 0 ? first : swaps->first;
  return true;
}

bool gen_finish_swaps(struct gen_swaps *swaps, struct gen_event *event, bool *any)
{
  const struct gen_translation *translation = swaps->translation;
  *any = false;
  for (int a = 0; swaps->steps && a < translation->arrays; a++) {
    event->from[a] = swaps->now[a];
    *any = *any || swaps->now[a] != a;
    for (int b = 0; b < a; b++)
      if (swaps->now[a] == swaps->now[b])
        return gen_reject(swaps->assigned[a].line > swaps->assigned[b].line ? swaps->assigned[a]
                                                                            : swaps->assigned[b],
                          "after these assignments '%s' and '%s' are the same array, that of '%s': "
                          "a swap exchanges them, tmp = a; a = b; b = tmp",
                          translation->array[b].name, translation->array[a].name,
                          translation->array[swaps->now[a]].name);
  }
  event->where = swaps->where;
  event->first = swaps->first;
  swaps->steps = swaps->temporaries = 0;
  return true;
}

/* Whether an expression has the variable in it. */
static bool mentions(const struct gen_syntax *syntax, const struct gen_syntax *variable)
{
  if (gen_variable_of(syntax) == variable)
    return true;
  for (int p = 0; p < syntax->count; p++)
    if (mentions(syntax->part[p], variable))
      return true;
  return false;
}

/* What a pointer is set to outside of all loops; NULL: nothing. */
static const struct gen_syntax *source_of(const struct gen_translation *translation,
                                          const struct gen_syntax *variable)
{
  const struct gen_syntax *source = variable->variable.initial;
  for (int c = 0; c < translation->scope.changes; c++) {
    const struct gen_change *change = &translation->scope.change[c];
    if (change->variable == variable && !change->inside && change->value)
      source = change->value;
  }
  return source;
}

bool gen_check_aliases(const struct gen_translation *translation)
{
  for (int a = 0; a < translation->arrays; a++) {
    const struct gen_syntax *source = source_of(translation, translation->array[a].variable);
    for (int b = 0; source && b < translation->arrays; b++) {
      const struct gen_syntax *other = source_of(translation, translation->array[b].variable),
                              *pointer = gen_variable_of(source);
      if (b == a
          || (!mentions(source, translation->array[b].variable)
              && !(pointer && other && gen_variable_of(other) == pointer)))
        continue;
      return gen_reject(
        source->where,
        "'%s' and '%s' may be one and the same array, as '%s' is set to '%s': nests "
        "would write what others read",
        translation->array[a].name, translation->array[b].name, translation->array[a].name,
        source->text);
    }
  }
  return true;
}
