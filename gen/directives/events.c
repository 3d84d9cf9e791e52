#include "events.h"

#include "arrays.h"
#include "messages.h"
#include "nests.h"
#include "swaps.h"
#include "times.h"

#include <string.h>

/* Where reading stands. */
struct walk {
  struct gen_translation *translation;
  struct gen_swaps swaps;
  bool in_region, in_loop, loop_done;
  const struct gen_syntax *skipped; /* the host's first work after loops over cells; NULL: none */
  const struct gen_syntax *stopped; /* what may leave the time loop within a step; NULL: nothing */
};

static const struct gen_directive *directive_of(const struct walk *walk,
                                                const struct gen_syntax *syntax)
{
  return gen_directive_of(walk->translation->directives, syntax);
}

static bool has_marks(const struct walk *walk, const struct gen_syntax *syntax)
{
  return gen_is_working(walk->translation->directives, syntax);
}

/* ---- nests ---- */

static bool add_event(struct walk *walk, struct gen_event event)
{
  struct gen_translation *translation = walk->translation;
  if (translation->events == GEN_MAX_EVENTS)
    return gen_reject(event.where, "more than %d nests and swaps", GEN_MAX_EVENTS);
  if (walk->stopped && walk->in_loop)
    return gen_decline(walk->stopped,
                       gen_text("may leave the time loop before the loops or the swap of line %d, "
                                "in the middle of a step: leave it after them",
                                event.where.line));
  translation->event[translation->events++] = event;
  return true;
}

static bool add_swap(struct walk *walk)
{
  struct gen_event event = {.kind = GEN_EVENT_SWAP};
  bool any;
  return gen_finish_swaps(&walk->swaps, &event, &any) && (!any || add_event(walk, event));
}

/* The loops gather, by that operation, values in the variables that the directive names. */
static bool check_sums(const struct gen_directive *directive, const struct gen_nest *nest)
{
  static const char *const operation[] = {"+", "min", "max"}; /* by gen_reduction_kind */
  const char *at = directive && directive->sums ? directive->sums : "";
  for (at += strspn(at, " ,\t"); *at; at += strspn(at, " ,\t")) {
    const size_t length = strcspn(at, " ,\t");
    bool found = false;
    for (int s = 0; s < nest->sums; s++) {
      const char *name = nest->sum[s].variable->name;
      found = found
        || (strlen(name) == length && strncmp(at, name, length) == 0
            && strcmp(operation[nest->sum[s].kind], directive->operation) == 0);
    }
    if (!found)
      return gen_reject(directive->where,
                        "these loops do not gather values in '%.*s' by %s, in one statement such "
                        "as s += x or m = fmax(m, x)",
                        (int)length, at, directive->operation);
    at += length;
  }
  return true;
}

static bool read_nest(struct walk *walk, const struct gen_directive *directive,
                      const struct gen_syntax *loops)
{
  struct gen_translation *translation = walk->translation;
  struct gen_event event = {
    .where = loops->where, .nest = gen_allocate(sizeof *event.nest), .directive = directive};
  if (!walk->in_region)
    return gen_reject(
      directive->where,
      "a 'for' that stands in no parallel region: write '#pragma mint parallel' and "
      "braces around it");
  if (loops->kind != GEN_SYNTAX_FOR)
    return gen_reject(loops->where,
                      "'%s' stands where the loop of the directive in line %d belongs",
                      gen_shown(loops), directive->where.line);
  if (walk->loop_done)
    return gen_reject(loops->where,
                      "loops after the time loop are not supported yet: write them in "
                      "a file of their own");
  if (walk->skipped)
    return gen_decline(walk->skipped,
                       "is done on the host between loops over cells that no time loop has in it, "
                       "which is not supported yet: write it before them, or after them");
  if (!add_swap(walk) || !gen_read_nest(translation, directive, loops, event.nest)
      || !gen_sort_nest(translation, &event) || !check_sums(directive, event.nest))
    return false;
  translation->scope.loops = 0;
  return add_event(walk, event);
}

/* Whether loops without a directive, where they need none, are a nest: as many as an array has
 * dimensions, with no further loops in them. */
static bool is_nest(const struct walk *walk, const struct gen_syntax *syntax)
{
  const struct gen_translation *translation = walk->translation;
  const int depth = gen_nest_depth(syntax);
  const struct gen_syntax *inner = syntax;
  if (!translation->directives->finds_loops || !translation->arrays || !depth
      || depth > translation->array[0].rank)
    return false;
  for (int n = 0; n < depth; n++) /* integers stand before a loop */
    for (inner = inner->part[3]; n + 1 < depth && inner->kind == GEN_SYNTAX_BLOCK;)
      inner = inner->part[inner->count - 1];
  return !gen_has_loops(inner);
}

/* ---- the time loop ---- */

static bool read_inside(struct walk *walk, const struct gen_syntax *syntax);

static bool read_time_loop(struct walk *walk, const struct gen_syntax *loop)
{
  struct gen_translation *translation = walk->translation;
  const bool counted = loop->kind == GEN_SYNTAX_FOR,
             at_end = !counted && loop->count == 2 && loop->part[0]->kind < GEN_SYNTAX_WHOLE;
  const struct gen_syntax *body = loop->count ? loop->part[at_end ? 0 : loop->count - 1] : loop;
  if (!has_marks(walk, loop))
    return gen_reject(loop->where,
                      "a loop of a parallel region without a directive: write '#pragma mint for "
                      "nest(all)' before loops over cells");
  if (walk->in_loop || walk->loop_done)
    return gen_reject(loop->where,
                      "there is a time loop already, around or before this one: one is "
                      "supported");
  if (loop->count != (counted ? 4 : 2) || body->kind >= GEN_SYNTAX_WHOLE)
    return gen_decline(loop, "is no time loop: write for (t = 0; t < T; t++) or while (t++ < T)");
  const struct gen_syntax *start = counted ? loop->part[0] : NULL;
  if (start && start->kind == GEN_SYNTAX_DECLARE && start->count)
    start = NULL; /* the counter is declared with its first value */
  else if (start)
    start = start->kind == GEN_SYNTAX_ASSIGN && start->count == 2 ? start->part[1] : NULL;
  if (!add_swap(walk) || !gen_count_times(translation, loop->part[counted || at_end], start))
    return false;
  walk->in_loop = translation->repeated = true;
  translation->before = translation->events;
  if (!read_inside(walk, body) || !add_swap(walk))
    return false;
  walk->in_loop = false;
  walk->loop_done = true;
  return true;
}

/* ---- statements ---- */

/* A scalar may change: nests that read it are refused. A pointer may take part in a swap. */
static bool read_assignment(struct walk *walk, const struct gen_syntax *syntax)
{
  const struct gen_syntax *variable = syntax->count ? gen_variable_of(syntax->part[0]) : NULL;
  if (variable && gen_is_pointer(variable)) {
    if (syntax->kind == GEN_SYNTAX_ASSIGN && syntax->operation == GEN_SYNTAX_NONE)
      return gen_add_swap(&walk->swaps, variable, syntax->part[1], syntax);
    return gen_decline(syntax, "changes a pointer in another way than by a swap");
  }
  return (variable && !variable->variable.storage.rank)
    || gen_decline(syntax, "stores an element outside of loops with a directive");
}

static bool read_declaration(struct walk *walk, const struct gen_syntax *syntax)
{
  for (int n = 0; n < syntax->count; n++) {
    const struct gen_syntax *variable = syntax->part[n];
    if (gen_is_pointer(variable) && variable->variable.initial
        && !gen_add_swap(&walk->swaps, variable, variable->variable.initial, variable))
      return false;
  }
  return true;
}

static bool read_block(struct walk *walk, const struct gen_syntax *block,
                       bool (*read)(struct walk *walk, const struct gen_syntax *syntax))
{
  for (int s = 0; s < block->count; s++)
    if (!read(walk, block->part[s]))
      return false;
  return true;
}

static bool read_marked(struct walk *walk, const struct gen_directive *directive,
                        const struct gen_syntax *syntax)
{
  switch (directive->kind) {
  case GEN_DIRECTIVE_COPY:
  case GEN_DIRECTIVE_ARRAYS:
    return gen_reject(directive->where,
                      "a copy while steps are taken: write it before the parallel region and the "
                      "time loop, or after them");
  case GEN_DIRECTIVE_FOR:
  case GEN_DIRECTIVE_WALLS:
  case GEN_DIRECTIVE_SUMS:
    return read_nest(walk, directive, syntax->part[0]);
  case GEN_DIRECTIVE_SINGLE:
    return read_inside(walk, syntax->part[0]);
  default:
    if (walk->in_region)
      return gen_reject(directive->where, "a parallel region in a parallel region");
    walk->in_region = true;
    if (!read_inside(walk, syntax->part[0]))
      return false;
    walk->in_region = false;
    return true;
  }
}

/* What may leave the time loop: at the end of a step, or before its first loops. */
static bool read_stop(struct walk *walk, const struct gen_syntax *syntax)
{
  if (!walk->in_loop)
    return gen_decline(syntax, "leaves a loop that is no time loop");
  if (!add_swap(walk))
    return false;
  walk->translation->stop = walk->translation->stop ? walk->translation->stop : syntax;
  if (walk->translation->events > walk->translation->before)
    walk->stopped = syntax;
  return true;
}

/* A statement of the region or of the time loop. */
static bool read_inside(struct walk *walk, const struct gen_syntax *syntax)
{
  const struct gen_directive *directive = directive_of(walk, syntax);
  if (directive)
    return read_marked(walk, directive, syntax);
  switch (syntax->kind) {
  case GEN_SYNTAX_BLOCK:
    return read_block(walk, syntax, read_inside);
  case GEN_SYNTAX_BINARY:
    if (syntax->operation == GEN_SYNTAX_COMMA)
      return read_block(walk, syntax, read_inside);
    break;
  case GEN_SYNTAX_EMPTY:
    return true;
  case GEN_SYNTAX_DECLARE:
    return read_declaration(walk, syntax);
  case GEN_SYNTAX_ASSIGN:
  case GEN_SYNTAX_UNARY:
    return read_assignment(walk, syntax);
  case GEN_SYNTAX_FOR:
  case GEN_SYNTAX_WHILE:
    return is_nest(walk, syntax) ? read_nest(walk, NULL, syntax) : read_time_loop(walk, syntax);
  case GEN_SYNTAX_CALL:
    if (strcmp(syntax->name, "swap") == 0 && syntax->count == 2)
      return gen_exchange(&walk->swaps, syntax->part[0], syntax->part[1], syntax);
    break;
  default:
    break;
  }
  if (gen_prints(syntax)) {
    struct gen_translation *translation = walk->translation;
    translation->message = translation->message ? translation->message : syntax;
    return true;
  }
  bool stops = false;
  if (syntax->kind == GEN_SYNTAX_IF && gen_decides(syntax, &stops))
    return !stops || read_stop(walk, syntax);
  return gen_decline(syntax,
                     "is done on the host while steps are taken, which is not supported "
                     "yet: there may be marked loops, swaps of pointers, counters, conditions on "
                     "variables, and printf without elements of arrays");
}

/* Whether a statement does nothing that loops over cells could see. */
static bool is_idle(const struct gen_syntax *syntax)
{
  bool idle = syntax->kind == GEN_SYNTAX_EMPTY || syntax->kind == GEN_SYNTAX_DECLARE;
  if (gen_prints(syntax))
    return true;
  for (int n = 0; idle && n < syntax->count; n++)
    idle = !syntax->part[n]->variable.initial || !gen_is_pointer(syntax->part[n]);
  return idle;
}

/* A statement outside of the region and the time loop: copies, and what is none of ours. */
static bool read_outside(struct walk *walk, const struct gen_syntax *syntax)
{
  const struct gen_directive *directive = directive_of(walk, syntax);
  if (directive && directive->kind == GEN_DIRECTIVE_ARRAYS) {
    walk->in_region = true; /* from here on */
    return gen_read_copy(walk->translation, syntax, directive);
  }
  if (directive && directive->kind == GEN_DIRECTIVE_COPY) {
    if (directive->to_device && walk->translation->events)
      return gen_reject(directive->where, "a copy to the device after the parallel region");
    return gen_read_copy(walk->translation, syntax, directive);
  }
  if (directive)
    return read_marked(walk, directive, syntax);
  if (!has_marks(walk, syntax)) {
    const bool first = walk->translation->events && !walk->skipped && !is_idle(syntax);
    walk->skipped = first ? syntax : walk->skipped;
    return true;
  }
  if (syntax->kind == GEN_SYNTAX_BLOCK)
    return read_block(walk, syntax, read_outside);
  if (syntax->kind == GEN_SYNTAX_FOR || syntax->kind == GEN_SYNTAX_WHILE)
    return read_inside(walk, syntax);
  return gen_decline(syntax,
                     walk->translation->directives->finds_loops
                       ? "stores an element after the arrays are distributed, but in no loops over "
                         "cells: write it before the directive, or in another function"
                       : "has directives in it, which may stand in blocks and loops only");
}

/* ---- the whole ---- */

static bool check_whole(const struct gen_translation *translation)
{
  const struct gen_location where = translation->function->where;
  bool declared = false, back = false;
  if (!translation->dimensions)
    return gen_reject(where, "'%s' has directives, but no loops over cells in them",
                      translation->function->name);
  for (int e = 0; e < translation->before; e++)
    if (translation->event[e].kind == GEN_EVENT_KERNEL)
      return gen_reject(translation->event[e].where,
                        "loops over cells before the time loop are not supported yet: loops that "
                        "fill ghosts may stand there");
  for (int a = 0; a < translation->arrays; a++) {
    declared = declared || translation->array[a].declared;
    back = back || translation->array[a].copied_back;
  }
  return declared || back
    || gen_reject(
           where,
           "no array is copied back from the device: what '%s' computes would be lost; write "
           "'#pragma mint copy(ARRAY, fromDevice, extents)' after the region",
           translation->function->name);
}

bool gen_read_events(struct gen_translation *translation)
{
  struct walk walk = {.translation = translation, .swaps.translation = translation};
  if (!read_outside(&walk, translation->function->body))
    return false;
  if (!translation->repeated)
    translation->times = 1;
  return gen_check_aliases(translation) && add_swap(&walk) && check_whole(translation);
}
