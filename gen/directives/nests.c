#include "nests.h"

#include "arrays.h"
#include "gathers.h"

static const char axis[] = "xyz";

/* ---- loops ---- */

/* int z = first, or z = first. NULL after a rejection. */
static const struct gen_syntax *read_start(const struct gen_syntax *start,
                                           const struct gen_syntax **value)
{
  const struct gen_syntax *variable = NULL;
  *value = NULL;
  if (start->kind == GEN_SYNTAX_DECLARE && start->count == 1) {
    variable = start->part[0];
    *value = variable->variable.initial;
  } else if (start->kind == GEN_SYNTAX_ASSIGN && start->operation == GEN_SYNTAX_NONE) {
    variable = gen_variable_of(start->part[0]);
    *value = start->part[1];
  }
  if (!variable || !*value || variable->variable.type != GEN_INT) {
    gen_decline(start, "does not start a loop: write int z = first, or z = first with an int z");
    return NULL;
  }
  return variable;
}

/* A bound, which no loop's variable changes. */
static bool read_bound(struct gen_translation *translation, const struct gen_nest *nest,
                       const struct gen_syntax *syntax, struct gen_integer *bound)
{
  if (!gen_scope_integer(&translation->scope, syntax, bound))
    return false;
  for (int l = 0; l < nest->loops; l++) {
    struct gen_integer rest = *bound;
    if (gen_integer_take(&rest, nest->variable[l]).terms)
      return gen_reject(syntax->where,
                        "'%s' bounds a loop by the variable '%s' of another one: nests go over "
                        "boxes of cells",
                        syntax->text, nest->variable[l]->name);
  }
  return true;
}

static bool read_loop(struct gen_translation *translation, const struct gen_syntax *syntax,
                      struct gen_nest *nest)
{
  const int l = nest->loops;
  const struct gen_syntax *value;
  if (syntax->count != 4)
    return gen_decline(syntax, "must have a start, a bound, a step and a body");
  if (l == GEN_MAX_LOOPS)
    return gen_decline(syntax, "is a loop too many: nests have at most three");
  const struct gen_syntax *bound = syntax->part[1], *variable = read_start(syntax->part[0], &value);
  if (!variable)
    return false;
  const bool less = bound->operation == GEN_SYNTAX_LESS;
  if (bound->kind != GEN_SYNTAX_BINARY || (!less && bound->operation != GEN_SYNTAX_LESS_EQUAL)
      || gen_variable_of(bound->part[0]) != variable)
    return gen_decline(bound, "is no bound of a loop: write z < bound or z <= bound");
  if (!gen_steps_by_one(syntax->part[2], variable))
    return gen_decline(syntax->part[2], "is no step of a parallel loop: these go up by 1");
  if (!read_bound(translation, nest, value, &nest->lower[l])
      || !read_bound(translation, nest, bound->part[1], &nest->upper[l]))
    return false;
  const struct gen_integer one = gen_integer_of(1);
  gen_integer_add(&nest->upper[l], -less, &one);
  nest->variable[nest->loops++] = variable;
  gen_enter_nest(translation, nest);
  return true;
}

bool gen_sets_integers(const struct gen_syntax *syntax)
{
  const struct gen_syntax *variable =
    syntax->kind == GEN_SYNTAX_ASSIGN && syntax->operation == GEN_SYNTAX_NONE
    ? gen_variable_of(syntax->part[0])
    : NULL;
  if (syntax->kind != GEN_SYNTAX_DECLARE)
    return variable && variable->variable.type == GEN_INT && !variable->variable.rank;
  for (int n = 0; n < syntax->count; n++)
    if (syntax->part[n]->variable.type != GEN_INT || syntax->part[n]->variable.rank)
      return false;
  return true;
}

/* Rejects a statement in a loop that changes the loop's variable. */
static bool check_variable(const struct gen_syntax *syntax, const struct gen_syntax *variable)
{
  const bool changes = syntax->kind == GEN_SYNTAX_ASSIGN
    || (syntax->kind == GEN_SYNTAX_UNARY && syntax->operation != GEN_SYNTAX_ADD
        && syntax->operation != GEN_SYNTAX_SUBTRACT && syntax->operation != GEN_SYNTAX_NOT);
  if (changes && syntax->count && gen_variable_of(syntax->part[0]) == variable)
    return gen_decline(syntax, "changes the variable of a loop around it");
  for (int p = 0; p < syntax->count; p++)
    if (!check_variable(syntax->part[p], variable))
      return false;
  return true;
}

static int last_line(const struct gen_syntax *syntax)
{
  int line = syntax->where.line;
  for (int p = 0; p < syntax->count; p++) {
    const int last = last_line(syntax->part[p]);
    line = last > line ? last : line;
  }
  return line;
}

/* The loop in a loop's body, beside which only integers are set; NULL: there is none. */
static const struct gen_syntax *inner_loop(const struct gen_syntax *body)
{
  const struct gen_syntax *loop = NULL;
  while (body->kind == GEN_SYNTAX_BLOCK && body->count == 1)
    body = body->part[0];
  if (body->kind == GEN_SYNTAX_FOR)
    return body;
  for (int s = 0; body->kind == GEN_SYNTAX_BLOCK && s < body->count; s++) {
    const struct gen_syntax *part = body->part[s];
    if (part->kind == GEN_SYNTAX_FOR && s == body->count - 1)
      loop = part;
    else if (!gen_sets_integers(part))
      return NULL;
  }
  return loop;
}

int gen_nest_depth(const struct gen_syntax *loops)
{
  int depth = 0;
  for (; loops && loops->kind == GEN_SYNTAX_FOR && loops->count == 4;
       loops = inner_loop(loops->part[3]))
    depth++;
  return depth;
}

bool gen_read_nest(struct gen_translation *translation, const struct gen_directive *directive,
                   const struct gen_syntax *loops, struct gen_nest *nest)
{
  translation->scope.loops = 0;
  *nest = (struct gen_nest){.where = loops->where};
  for (; loops; loops = inner_loop(nest->body)) {
    if (!read_loop(translation, loops, nest))
      return false;
    nest->body = loops->part[3];
    if (!check_variable(nest->body, nest->variable[nest->loops - 1]))
      return false;
  }
  nest->end = last_line(nest->body);
  return !directive || directive->nest <= nest->loops
    || gen_reject(directive->nest_where,
                  "nest(%d) says that %d loops are parallel, but there %s %d", directive->nest,
                  directive->nest, nest->loops > 1 ? "are" : "is", nest->loops);
}

void gen_enter_nest(struct gen_translation *translation, const struct gen_nest *nest)
{
  translation->scope.loops = nest->loops;
  translation->scope.line = nest->where.line;
  translation->scope.end = nest->end;
  for (int l = 0; l < nest->loops; l++)
    translation->scope.loop[l] = nest->variable[l];
}

/* ---- what they visit ---- */

/* The first statement that stores an element; NULL: there is none. */
static const struct gen_syntax *first_store(const struct gen_syntax *body)
{
  if (body->kind == GEN_SYNTAX_ASSIGN && body->part[0]->kind == GEN_SYNTAX_ELEMENT)
    return body;
  for (int s = 0; body->kind < GEN_SYNTAX_ASSIGN && s < body->count; s++) {
    const struct gen_syntax *store = first_store(body->part[s]);
    if (store)
      return store;
  }
  return NULL;
}

struct gen_integer gen_nest_visits(const struct gen_nest *nest, int l)
{
  const struct gen_integer one = gen_integer_of(1);
  struct gen_integer count = nest->upper[l];
  gen_integer_add(&count, -1, &nest->lower[l]);
  gen_integer_add(&count, 1, &one);
  return count;
}

/* Notes, or compares, how many cells there are. */
static bool size_cells(struct gen_translation *translation, const struct gen_nest *nest,
                       const struct gen_point *point)
{
  const int dimensions = translation->array[point->data].rank;
  const bool first = !translation->dimensions;
  if (dimensions < 2)
    return gen_reject(nest->where, "'%s' has one dimension; programs have 2 or 3",
                      translation->array[point->data].name);
  if (first) {
    translation->dimensions = dimensions;
    translation->sized = nest->where;
  }
  for (int d = 0; d < dimensions && dimensions == translation->dimensions; d++) {
    const struct gen_integer count = gen_nest_visits(nest, point->loop[d]);
    long long known;
    if (gen_integer_known(&count, &known) && known < 1)
      return gen_reject(nest->where, "the loop over '%s' visits nothing",
                        nest->variable[point->loop[d]]->name);
    if (first)
      translation->cells[d] = count;
    else if (!gen_integer_equal(&count, &translation->cells[d]))
      return gen_reject(nest->where,
                        "the loop over '%s' visits %s elements along %c, and that of line %d %s: "
                        "all nests over cells must visit the same ones",
                        nest->variable[point->loop[d]]->name, gen_integer_text(&count), axis[d],
                        translation->sized.line, gen_integer_text(&translation->cells[d]));
  }
  return dimensions == translation->dimensions
    || gen_reject(point->syntax->where, "'%s' has %d dimensions where the cells of line %d have %d",
                  translation->array[point->data].name, dimensions, translation->sized.line,
                  translation->dimensions);
}

/* The first element in a statement; NULL: there is none. */
static const struct gen_syntax *first_element(const struct gen_syntax *syntax)
{
  const struct gen_syntax *found = syntax->kind == GEN_SYNTAX_ELEMENT ? syntax : NULL;
  for (int p = 0; p < syntax->count && !found; p++)
    found = first_element(syntax->part[p]);
  if (!found && syntax->kind == GEN_SYNTAX_VARIABLE && syntax->variable.initial)
    found = first_element(syntax->variable.initial);
  return found;
}

bool gen_sort_nest(struct gen_translation *translation, struct gen_event *event)
{
  struct gen_nest *nest = event->nest;
  const struct gen_syntax *store = first_store(nest->body);
  struct gen_point point;
  bool wall = false;
  gen_find_sums(nest);
  const struct gen_syntax *element = store ? store->part[0]
    : nest->sums                           ? first_element(nest->body)
                                           : NULL;
  if (!element)
    return gen_reject(nest->where, "these loops store no element of an array");
  gen_enter_nest(translation, nest);
  if (!gen_read_point(translation, nest, element, &point))
    return false;
  for (int d = 0; d < translation->array[point.data].rank; d++)
    wall = wall || point.loop[d] < 0;
  for (int l = 0; l < nest->loops; l++) {
    bool used = false;
    for (int d = 0; d < GEN_MOST_SPACE; d++)
      used = used || point.loop[d] == l;
    if (!used)
      return gen_reject(element->where,
                        "'%s' does not depend on '%s': several iterations of that loop %s one "
                        "element",
                        element->text, nest->variable[l]->name, store ? "store" : "read");
  }
  if (wall && nest->sums)
    return gen_reject(nest->sum[0].statement->where,
                      "'%s' is summed over a plane of cells: sums go over all cells",
                      nest->sum[0].variable->name);
  event->kind = wall ? GEN_EVENT_WALL : store ? GEN_EVENT_KERNEL : GEN_EVENT_SUM;
  return wall || size_cells(translation, nest, &point);
}

bool gen_point_offset(struct gen_translation *translation, const struct gen_nest *nest,
                      const struct gen_point *point, int d, int *offset)
{
  struct gen_data *data = &translation->array[point->data];
  struct gen_integer first = point->offset[d];
  long long at;
  if (!gen_place_data(translation, data, point->syntax))
    return false;
  gen_integer_add(&first, 1, &nest->lower[point->loop[d]]);
  if (!gen_integer_known(&first, &at))
    return gen_decline(point->syntax, "begins at no known element");
  *offset = (int)at - data->margin[d];
  return true;
}
