#include "reach.h"

#include "arrays.h"
#include "nests.h"

#include <stdlib.h>

static const char axis[] = "xyz";

/* The kernel that is looked at. */
struct look {
  struct gen_translation *translation;
  struct gen_event *event;
  struct gen_point first; /* the element that is stored first; of a sum: read */
  bool any;
};

bool gen_read_cell(struct gen_translation *translation, const struct gen_nest *nest,
                   const struct gen_syntax *syntax, struct gen_point *point,
                   int offset[GEN_MOST_SPACE])
{
  if (!gen_read_point(translation, nest, syntax, point))
    return false;
  for (int d = 0; d < translation->array[point->data].rank; d++) {
    if (point->loop[d] < 0)
      return gen_reject(syntax->where,
                        "'%s' is the same along %c for all cells: an element has a loop's variable "
                        "in every subscript",
                        syntax->text, axis[d]);
    if (!gen_point_offset(translation, nest, point, d, &offset[d]))
      return false;
  }
  return true;
}

/* The direction that a loop runs along is the same for all arrays. */
static bool check_directions(struct look *look, const struct gen_point *point)
{
  for (int d = 0; look->any && d < look->translation->dimensions; d++)
    if (point->loop[d] != look->first.loop[d])
      return gen_reject(point->syntax->where,
                        "'%s' runs along %c by '%s', but '%s' in line %d by '%s': transposed "
                        "subscripts are not supported",
                        point->syntax->text, axis[d],
                        look->event->nest->variable[point->loop[d]]->name, look->first.syntax->text,
                        look->first.syntax->where.line,
                        look->event->nest->variable[look->first.loop[d]]->name);
  return true;
}

static bool look_at_store(struct look *look, const struct gen_syntax *syntax)
{
  struct gen_translation *translation = look->translation;
  struct gen_point point;
  int offset[GEN_MOST_SPACE];
  if (!gen_read_cell(translation, look->event->nest, syntax, &point, offset)
      || !check_directions(look, &point))
    return false;
  for (int d = 0; d < translation->dimensions; d++)
    if (offset[d])
      return gen_reject(syntax->where,
                        "'%s' is stored %d element%s %s along %c than the extents of line %d say: "
                        "of '%s' as many must be left out before as after the loops",
                        syntax->text, abs(offset[d]), abs(offset[d]) > 1 ? "s" : "",
                        offset[d] > 0 ? "further" : "nearer", axis[d],
                        translation->array[point.data].copy.line,
                        translation->array[point.data].name);
  if (!look->any)
    look->first = point;
  look->any = true;
  look->event->reach[point.data].written = translation->array[point.data].used = true;
  return true;
}

static bool look_at_read(struct look *look, const struct gen_syntax *syntax)
{
  struct gen_translation *translation = look->translation;
  struct gen_point point;
  int offset[GEN_MOST_SPACE], directions = 0;
  if (!gen_read_cell(translation, look->event->nest, syntax, &point, offset)
      || !check_directions(look, &point))
    return false;
  if (look->event->kind == GEN_EVENT_SUM && !look->any) {
    look->first = point;
    look->any = true;
  }
  struct gen_reach *reach = &look->event->reach[point.data];
  reach->read = translation->array[point.data].used = true;
  for (int d = 0; d < translation->dimensions; d++) {
    const int side = offset[d] > 0;
    directions += offset[d] != 0;
    if (abs(offset[d]) > reach->far[d][side]) {
      reach->far[d][side] = abs(offset[d]);
      reach->where[d][side] = syntax->where;
    }
  }
  reach->corners = reach->corners || directions > 1;
  return true;
}

/* All elements in a statement; stores: those that are stored, or those that are read. */
static bool look_at(struct look *look, const struct gen_syntax *syntax, bool stores)
{
  const bool assigned =
    syntax->kind == GEN_SYNTAX_ASSIGN && syntax->part[0]->kind == GEN_SYNTAX_ELEMENT;
  if (syntax->kind == GEN_SYNTAX_ELEMENT)
    return stores || look_at_read(look, syntax);
  if (assigned && stores && !look_at_store(look, syntax->part[0]))
    return false;
  for (int p = assigned && syntax->operation == GEN_SYNTAX_NONE; p < syntax->count; p++)
    if (!look_at(look, syntax->part[p], stores))
      return false;
  return syntax->kind != GEN_SYNTAX_VARIABLE || !syntax->variable.initial
    || look_at(look, syntax->variable.initial, stores);
}

/* Of an array that the nest stores, other iterations' elements may not be read. */
static bool check_dependences(const struct look *look)
{
  const struct gen_translation *translation = look->translation;
  for (int a = 0; a < translation->arrays; a++)
    for (int d = 0; look->event->reach[a].written && d < translation->dimensions; d++)
      for (int side = 0; side < 2; side++) {
        const struct gen_reach *reach = &look->event->reach[a];
        const char *variable = look->event->nest->variable[look->first.loop[d]]->name;
        if (reach->far[d][side])
          return gen_reject(
            reach->where[d][side],
            "iterations depend on each other: this reads the element of '%s' that "
            "iteration %s %c %d stores, while %s = %s stores its own; store the new "
            "values in an array of their own",
            translation->array[a].name, variable, side ? '+' : '-', reach->far[d][side], variable,
            variable);
      }
  return true;
}

bool gen_read_reach(struct gen_translation *translation, struct gen_event *event)
{
  struct look look = {.translation = translation, .event = event};
  event->reach = gen_allocate(GEN_MAX_PROGRAM_ARRAYS * sizeof *event->reach);
  gen_enter_nest(translation, event->nest);
  return look_at(&look, event->nest->body, true) && look_at(&look, event->nest->body, false)
    && check_dependences(&look);
}
