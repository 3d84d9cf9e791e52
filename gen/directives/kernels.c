#include "kernels.h"

#include "branches.h"
#include "frontend/formula_kernel.h"
#include "nests.h"
#include "precision.h"
#include "reach.h"
#include "sums.h"
#include "values.h"

/* ---- what is stored ---- */

/* Arrays of which the nest reads or stores an element once more after it has stored it, or stores
 * it under a condition: the element is held in a scalar until the end of the nest. */
static bool find_held(struct gen_making *making, const struct gen_syntax *syntax, bool *stored);

/* Holds the elements of all arrays that a statement under a condition stores. Returns false after a
 * rejection. */
static bool hold_stored(struct gen_making *making, const struct gen_syntax *syntax)
{
  struct gen_point point;
  int offset[GEN_MOST_SPACE];
  if (syntax->kind == GEN_SYNTAX_ASSIGN && syntax->part[0]->kind == GEN_SYNTAX_ELEMENT) {
    if (!gen_read_cell(making->translation, making->nest, syntax->part[0], &point, offset))
      return false;
    making->holds[point.data] = true;
  }
  for (int p = 0; p < syntax->count; p++)
    if (!hold_stored(making, syntax->part[p]))
      return false;
  return true;
}

static bool find_held(struct gen_making *making, const struct gen_syntax *syntax, bool *stored)
{
  struct gen_point point;
  const bool assigned =
    syntax->kind == GEN_SYNTAX_ASSIGN && syntax->part[0]->kind == GEN_SYNTAX_ELEMENT;
  int offset[GEN_MOST_SPACE];
  if (syntax->kind == GEN_SYNTAX_IF && !hold_stored(making, syntax))
    return false;
  if (syntax->kind == GEN_SYNTAX_ELEMENT) {
    if (!gen_read_cell(making->translation, making->nest, syntax, &point, offset))
      return false;
    making->holds[point.data] = making->holds[point.data] || stored[point.data];
    return true;
  }
  for (int p = assigned; p < syntax->count; p++)
    if (!find_held(making, syntax->part[p], stored))
      return false;
  if (assigned) {
    if (!find_held(making, syntax->part[0], stored)
        || !gen_read_cell(making->translation, making->nest, syntax->part[0], &point, offset))
      return false;
    stored[point.data] = true;
  }
  return syntax->kind != GEN_SYNTAX_VARIABLE || !syntax->variable.initial
    || find_held(making, syntax->variable.initial, stored);
}

static bool add_store(struct gen_making *making, int data, const struct gen_expr *value,
                      struct gen_location where)
{
  struct gen_statement store = {.kind = GEN_STORE, .where = where, .scalar = -1, .value = value};
  store.target.array = making->program_array[data];
  for (int a = 0; a < GEN_AXES; a++) {
    store.target.subscript[a].table = -1;
    store.target.subscript[a].affine.coefficient[a] = 1;
  }
  making->translation->formula.stored[store.target.array] = true;
  making->translation->formula.stored_where[store.target.array] = where;
  return gen_add_statement(making, store);
}

/* ---- statements ---- */

/* The right side, with that of += and the like made one of =. */
static const struct gen_expr *right_side(struct gen_making *making, const struct gen_syntax *syntax)
{
  static const enum gen_expr_kind kinds[GEN_SYNTAX_INCREMENT + 1] = {
    [GEN_SYNTAX_ADD] = GEN_ADD,
    [GEN_SYNTAX_SUBTRACT] = GEN_SUBTRACT,
    [GEN_SYNTAX_MULTIPLY] = GEN_MULTIPLY,
    [GEN_SYNTAX_DIVIDE] = GEN_DIVIDE};
  const struct gen_expr *before = NULL;
  if (syntax->operation != GEN_SYNTAX_NONE) {
    if (!kinds[syntax->operation]) {
      gen_decline(syntax, "is an assignment other than = += -= *= /=");
      return NULL;
    }
    before = gen_make_value(making, syntax->part[0]);
    if (!before)
      return NULL;
  }
  const struct gen_expr *value = gen_make_value(making, syntax->part[1]);
  if (!before)
    return gen_converted(making->translation, syntax->part[1], value);
  if (!value
      || (making->translation->formula.program->type == GEN_FLOAT
          && !gen_is_of_values(making->translation, syntax->part[1])))
    return NULL;
  return gen_formula_binary(kinds[syntax->operation], before, value, syntax->where);
}

static bool set_variable(struct gen_making *making, const struct gen_syntax *variable,
                         const struct gen_expr *value, struct gen_location where)
{
  struct gen_held *held = gen_held_variable(making, variable);
  if (!held)
    held = gen_hold(making, variable->name, variable, -1, where);
  return held && gen_set_held(making, held, value, where);
}

/* Whether a variable is one of the type of values. */
static bool is_value(const struct gen_making *making, const struct gen_syntax *variable)
{
  return variable->variable.type == making->translation->formula.program->type
    && !variable->variable.storage.rank;
}

static bool make_assignment(struct gen_making *making, const struct gen_syntax *syntax)
{
  const struct gen_syntax *left = syntax->part[0], *variable = gen_variable_of(left);
  struct gen_point point;
  int offset[GEN_MOST_SPACE];
  if (variable && variable->variable.type == GEN_INT && syntax->operation == GEN_SYNTAX_NONE
      && !variable->variable.storage.rank)
    return !making->condition /* its value stands where it is used */
      || gen_decline(syntax, "sets a whole number under a condition");
  if (variable && !is_value(making, variable))
    return gen_decline(syntax,
                       gen_text("changes a variable that is no %s, in loops over cells",
                                gen_values_name(making->translation)));
  const struct gen_expr *value = right_side(making, syntax);
  if (!value)
    return false;
  if (variable)
    return set_variable(making, variable, value, syntax->where);
  if (!gen_read_cell(making->translation, making->nest, left, &point, offset))
    return false;
  if (!making->holds[point.data])
    return add_store(making, point.data, value, syntax->where);
  struct gen_held *held = gen_held_element(making, point.data);
  if (!held)
    held = gen_hold(making, gen_text("new_%s", making->translation->array[point.data].name), NULL,
                    point.data, syntax->where);
  if (held && making->condition && !held->assigned && !making->stored_in_all[point.data]) {
    const struct gen_expr *old = gen_make_element(making, point.data, syntax->where);
    value = old ? gen_operation(GEN_CHOOSE, making->condition, value, old) : NULL;
  }
  return held && value && gen_set_held(making, held, value, syntax->where);
}

static bool make_declaration(struct gen_making *making, const struct gen_syntax *variable)
{
  const struct gen_syntax *initial = variable->variable.initial;
  if (variable->variable.type == GEN_INT && !variable->variable.storage.rank)
    return true; /* its value stands where it is used */
  if (!is_value(making, variable))
    return gen_reject(variable->where,
                      "'%s' is a '%s'; in loops over cells of %ss there are int and %s",
                      variable->name, variable->variable.type_text,
                      gen_values_name(making->translation), gen_values_name(making->translation));
  if (!initial)
    return true;
  const struct gen_expr *value =
    gen_converted(making->translation, initial, gen_make_value(making, initial));
  return value && set_variable(making, variable, value, variable->where);
}

bool gen_make_statement(struct gen_making *making, const struct gen_syntax *syntax)
{
  if (gen_sum_skips(making, syntax))
    return true;
  if (making->sum && syntax == making->sum->statement)
    return gen_make_gathered(making);
  switch (syntax->kind) {
  case GEN_SYNTAX_EMPTY:
    return true;
  case GEN_SYNTAX_BLOCK:
    for (int s = 0; s < syntax->count; s++)
      if (!gen_make_statement(making, syntax->part[s]))
        return false;
    return true;
  case GEN_SYNTAX_DECLARE:
    for (int n = 0; n < syntax->count; n++)
      if (!make_declaration(making, syntax->part[n]))
        return false;
    return true;
  case GEN_SYNTAX_ASSIGN:
    return make_assignment(making, syntax);
  case GEN_SYNTAX_IF:
    return gen_make_if(making, syntax);
  case GEN_SYNTAX_FOR:
  case GEN_SYNTAX_WHILE:
    return gen_decline(syntax,
                       "is a loop beside other statements, or within loops over cells: nests "
                       "are perfect, with statements in the innermost loop alone");
  case GEN_SYNTAX_GOTO:
  case GEN_SYNTAX_CALL:
    if (gen_directive_of(making->translation->directives, syntax))
      return gen_reject(syntax->where, "a directive in loops that a directive marks");
    return gen_decline(syntax, "is no assignment, in loops over cells");
  default:
    return gen_decline(syntax, "is no assignment, in loops over cells");
  }
}

/* ---- the whole ---- */

bool gen_make_kernel(struct gen_translation *translation, const struct gen_event *event,
                     const int *program_array)
{
  struct gen_formula *formula = &translation->formula;
  struct gen_making *making = gen_allocate(sizeof *making);
  bool stored[GEN_MAX_PROGRAM_ARRAYS] = {false};
  const char *name = formula->program->name;
  if (formula->program->kernels)
    name = gen_text("%s_%d", name, formula->program->kernels + 1);
  *making = (struct gen_making){.translation = translation,
                                .nest = event->nest,
                                .reach = event->reach,
                                .program_array = program_array};
  gen_enter_nest(translation, event->nest);
  gen_find_needed(making);
  if (!find_held(making, event->nest->body, stored)
      || !gen_formula_start_kernel(formula, name, event->where)
      || !gen_make_statement(making, event->nest->body))
    return false;
  for (int h = 0; h < making->count; h++)
    if (!making->held[h].variable && making->held[h].data >= 0
        && !add_store(making, making->held[h].data, gen_scalar_ref(making->held[h].scalar),
                      formula->kernel->scalar[making->held[h].scalar].where))
      return false;
  return gen_formula_finish_kernel(formula, event->where);
}
