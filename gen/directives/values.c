#include "values.h"

#include "conditions.h"
#include "helpers.h"
#include "precision.h"
#include "reach.h"

#include <string.h>

static const struct gen_expr *decline(const struct gen_syntax *syntax, const char *why)
{
  gen_decline(syntax, why);
  return NULL;
}

/* ---- scalars of the kernel ---- */

struct gen_held *gen_held_variable(struct gen_making *making, const struct gen_syntax *variable)
{
  for (int h = 0; h < making->count; h++)
    if (variable && making->held[h].variable == variable)
      return &making->held[h];
  return NULL;
}

struct gen_held *gen_held_element(struct gen_making *making, int data)
{
  for (int h = 0; h < making->count; h++)
    if (!making->held[h].variable && making->held[h].data == data)
      return &making->held[h];
  return NULL;
}

static bool is_taken(const struct gen_making *making, const char *name)
{
  const struct gen_formula *formula = &making->translation->formula;
  for (int s = 0; s < formula->kernel->scalars; s++)
    if (strcmp(formula->kernel->scalar[s].name, name) == 0)
      return true;
  return gen_formula_scalar(formula->program, name) >= 0
    || gen_formula_array(formula->program, name) >= 0;
}

struct gen_held *gen_hold(struct gen_making *making, const char *name,
                          const struct gen_syntax *variable, int data, struct gen_location where)
{
  struct gen_formula *formula = &making->translation->formula;
  struct gen_kernel *kernel = formula->kernel;
  const bool many =
    making->sum ? making->count == GEN_MAX_SCALARS : kernel->scalars == GEN_MAX_SCALARS;
  if (many) {
    gen_reject(where, "more than %d variables in one nest", GEN_MAX_SCALARS);
    return NULL;
  }
  const char *free_name = name;
  for (int n = 2; is_taken(making, free_name); n++)
    free_name = gen_text("%s_%d", name, n);
  struct gen_held *held = &making->held[making->count++];
  *held = (struct gen_held){.variable = variable, .data = data, .scalar = kernel->scalars};
  if (making->sum) {
    held->scalar = -1;
    return held;
  }
  kernel->scalar[kernel->scalars++] =
    (struct gen_scalar){.name = free_name, .where = where, .role = GEN_PRIVATE};
  formula->temporary[formula->temporaries++] =
    (struct gen_temporary){.scalar = held->scalar, .read = true};
  return held;
}

bool gen_add_statement(struct gen_making *making, struct gen_statement statement)
{
  struct gen_kernel *kernel = making->translation->formula.kernel;
  if (kernel->statements == GEN_MAX_STATEMENTS)
    return gen_reject(statement.where, "more than %d statements in one nest", GEN_MAX_STATEMENTS);
  kernel->statement[kernel->statements++] = statement;
  return true;
}

bool gen_set_held(struct gen_making *making, struct gen_held *held, const struct gen_expr *value,
                  struct gen_location where)
{
  if (making->condition && held->assigned)
    value = gen_operation(GEN_CHOOSE, making->condition, value, gen_held_value(held));
  held->set = held->assigned = true;
  if (making->sum) {
    held->value = value;
    return true;
  }
  return gen_add_statement(
    making,
    (struct gen_statement){
      .kind = GEN_SET, .where = where, .scalar = held->scalar, .value = value});
}

const struct gen_expr *gen_held_value(const struct gen_held *held)
{
  return held->value ? held->value : gen_scalar_ref(held->scalar);
}

/* ---- names ---- */

/* Whether a statement of the nest sets the variable. */
static bool is_set(const struct gen_syntax *syntax, const struct gen_syntax *variable)
{
  if (syntax->kind == GEN_SYNTAX_ASSIGN && gen_variable_of(syntax->part[0]) == variable)
    return true;
  for (int p = 0; p < syntax->count; p++)
    if (is_set(syntax->part[p], variable))
      return true;
  return false;
}

static const struct gen_expr *read_parameter(struct gen_making *making,
                                             const struct gen_syntax *syntax,
                                             const struct gen_syntax *variable)
{
  struct gen_translation *translation = making->translation;
  struct gen_program *program = translation->formula.program;
  const struct gen_change *change = gen_changed_inside(&translation->scope, variable);
  if (variable->variable.type != program->type || variable->variable.storage.rank)
    return decline(syntax,
                   gen_text("is no %s: values are made of %ss, numbers and elements",
                            gen_values_name(translation), gen_values_name(translation)));
  if (change) {
    gen_reject(syntax->where,
               "'%s' has no value that stays the same while steps are taken: line %d changes it",
               variable->name, change->where.line);
    return NULL;
  }
  int scalar = gen_formula_scalar(program, variable->name);
  if (scalar >= 0 && program->scalar[scalar].where.line != variable->where.line) {
    gen_reject(syntax->where,
               "there are two variables '%s', of lines %d and %d: parameters of a program have one "
               "name each",
               variable->name, program->scalar[scalar].where.line, variable->where.line);
    return NULL;
  }
  if (scalar < 0) {
    if (program->scalars == GEN_MAX_PROGRAM_SCALARS)
      return decline(syntax, "is a parameter too many");
    scalar = program->scalars++;
    struct gen_program_scalar *made = &program->scalar[scalar];
    *made = (struct gen_program_scalar){.name = variable->name, .where = variable->where};
    made->has_value = gen_scope_number(&translation->scope, syntax, &made->value);
  }
  for (int h = 0; h < making->count; h++)
    if (making->held[h].scalar >= 0
        && strcmp(translation->formula.kernel->scalar[making->held[h].scalar].name, variable->name)
          == 0)
      return decline(syntax,
                     "is the name of another variable of these loops, too: give one of them "
                     "another name");
  return gen_formula_parameter(&translation->formula, scalar, syntax->where);
}

static const struct gen_expr *read_name(struct gen_making *making, const struct gen_syntax *syntax)
{
  const struct gen_syntax *variable = gen_variable_of(syntax);
  if (!variable)
    return decline(syntax, "is no variable of this function or file");
  const struct gen_held *held = gen_held_variable(making, variable);
  if (held && held->set)
    return gen_held_value(held);
  if (held && held->assigned) {
    gen_reject(
      syntax->where,
      "'%s' is set above under a condition, and has no value here where that does not hold: "
      "set it before the condition, or in an else as well",
      variable->name);
    return NULL;
  }
  if (held || is_set(making->nest->body, variable)) {
    gen_reject(syntax->where,
               "iterations depend on each other: '%s' is read here before this iteration sets it, "
               "so that it comes from another one; a sum or a largest value is gathered by one "
               "statement, such as s += x or m = fmax(m, x), in a variable that nothing else in "
               "the loops reads",
               variable->name);
    return NULL;
  }
  return read_parameter(making, syntax, variable);
}

/* ---- operations ---- */

static const struct gen_expr *element(struct gen_making *making, int data,
                                      const int offset[GEN_MOST_SPACE], struct gen_location where)
{
  struct gen_access access = {.array = making->program_array[data]};
  for (int a = 0; a < GEN_AXES; a++) {
    access.subscript[a].table = -1;
    access.subscript[a].affine.coefficient[a] = 1;
    access.subscript[a].affine.constant = a < GEN_MOST_SPACE ? offset[a] : 0;
  }
  return gen_formula_read(&making->translation->formula, access, where);
}

const struct gen_expr *gen_make_element(struct gen_making *making, int data,
                                        struct gen_location where)
{
  return element(making, data, (const int[GEN_MOST_SPACE]){0, 0, 0}, where);
}

/* Notes that an element is read for the sum in hand; rejects one whose value then is gone at the
 * end of the step. */
static bool read_for_sum(struct gen_making *making, int data, const struct gen_syntax *syntax)
{
  making->summed[data] = true;
  return !making->reach[data].written || making->stored[data]
    || gen_reject(
      syntax->where,
      "'%s' is read for '%s' before these loops store it, and sums are found at the end "
      "of a step, where its old value is gone: store the new one in an array of its own",
      syntax->text, making->sum->variable->name);
}

static const struct gen_expr *read_element(struct gen_making *making,
                                           const struct gen_syntax *syntax)
{
  struct gen_point point;
  int offset[GEN_MOST_SPACE] = {0};
  if (!gen_read_cell(making->translation, making->nest, syntax, &point, offset))
    return NULL;
  const struct gen_held *held = gen_held_element(making, point.data);
  if (making->sum && !read_for_sum(making, point.data, syntax))
    return NULL;
  return held && held->set ? gen_scalar_ref(held->scalar)
                           : element(making, point.data, offset, syntax->where);
}

static const struct gen_expr *read_call(struct gen_making *making, const struct gen_syntax *syntax)
{
  const struct gen_translation *translation = making->translation;
  const struct gen_intrinsic *function = gen_values_function(translation, syntax->name);
  const struct gen_expr *a[3] = {NULL};
  if (function && syntax->count == function->arity) {
    for (int n = 0; n < syntax->count; n++) {
      a[n] = gen_converted(translation, syntax->part[n], gen_make_value(making, syntax->part[n]));
      if (!a[n])
        return NULL;
    }
    return gen_operation(function->kind, a[0], a[1], a[2]);
  }
  if (gen_find_intrinsic(syntax->name) && !gen_is_of_values(translation, syntax))
    return NULL;
  const char *fault = gen_helper_fault(translation->functions, translation->function_count, syntax);
  if (fault)
    return decline(syntax, gen_text("is a call that cannot be taken into the loops, %s", fault));
  return decline(
    syntax,
    "calls a function other than fma, fabs, fmax, fmin and sqrt, which is not "
    "supported: write what it computes in the loops, or as a function of this file that "
    "returns it");
}

/* Of two numbers, at least one of which is a float: C computes that in float. */
static const struct gen_expr *fold_single(enum gen_expr_kind kind, const struct gen_expr *left,
                                          const struct gen_expr *right)
{
  const float a = (float)left->number, b = (float)right->number;
  const float result = kind == GEN_ADD ? a + b
    : kind == GEN_SUBTRACT             ? a - b
    : kind == GEN_MULTIPLY             ? a * b
                                       : a / b;
  return gen_number(result);
}

static const struct gen_expr *read_operation(struct gen_making *making,
                                             const struct gen_syntax *syntax)
{
  static const enum gen_expr_kind kinds[GEN_SYNTAX_INCREMENT + 1] = {
    [GEN_SYNTAX_ADD] = GEN_ADD,
    [GEN_SYNTAX_SUBTRACT] = GEN_SUBTRACT,
    [GEN_SYNTAX_MULTIPLY] = GEN_MULTIPLY,
    [GEN_SYNTAX_DIVIDE] = GEN_DIVIDE};
  const enum gen_expr_kind kind = kinds[syntax->operation];
  if (!kind || (syntax->count == 1 && kind != GEN_ADD && kind != GEN_SUBTRACT))
    return decline(syntax,
                   "uses an operator other than + - * / in a value, which is not supported "
                   "yet");
  const struct gen_expr *a = gen_make_value(making, syntax->part[0]);
  if (!a)
    return NULL;
  if (syntax->count == 1)
    return kind == GEN_ADD    ? a
      : a->kind == GEN_NUMBER ? gen_number(-a->number)
                              : gen_unary(GEN_NEGATE, a);
  const struct gen_expr *b = gen_make_value(making, syntax->part[1]);
  const bool known = b && a->kind == GEN_NUMBER && b->kind == GEN_NUMBER;
  if (known && syntax->single)
    return fold_single(kind, a, b);
  return b && (known || gen_is_of_values(making->translation, syntax))
    ? gen_formula_binary(kind, a, b, syntax->where)
    : NULL;
}

const struct gen_expr *gen_make_value(struct gen_making *making, const struct gen_syntax *syntax)
{
  struct gen_integer whole;
  long long known;
  if (gen_is_condition(syntax))
    return gen_make_choice(making, syntax, gen_number(1), gen_number(0));
  if (syntax->kind == GEN_SYNTAX_CHOICE)
    return gen_make_choices(making, syntax);
  if (syntax->integer) {
    if (!gen_scope_integer(&making->translation->scope, syntax, &whole))
      return NULL;
    return gen_integer_known(&whole, &known)
      ? gen_number((double)known)
      : decline(syntax,
                gen_text("is an integer that is not known here, among values, which are %ss: put "
                         "it in a %s before the region",
                         gen_values_name(making->translation),
                         gen_values_name(making->translation)));
  }
  switch (syntax->kind) {
  case GEN_SYNTAX_REAL:
    return gen_number(syntax->real);
  case GEN_SYNTAX_NAME:
    return read_name(making, syntax);
  case GEN_SYNTAX_ELEMENT:
    return read_element(making, syntax);
  case GEN_SYNTAX_CALL:
    return read_call(making, syntax);
  case GEN_SYNTAX_UNARY:
  case GEN_SYNTAX_BINARY:
    return read_operation(making, syntax);
  default:
    return decline(syntax, "is a value of a kind that is not supported in loops over cells");
  }
}
