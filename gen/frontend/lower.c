#include "lower.h"

#include "lower_values.h"

#include <string.h>

/* ---- statements ---- */

static bool add_statement(struct gen_lowering *lowering, struct gen_statement statement)
{
  struct gen_kernel *kernel = lowering->kernel;
  if (kernel->statements == GEN_MAX_STATEMENTS)
    return gen_reject(statement.where, "more than %d statements", GEN_MAX_STATEMENTS);
  kernel->statement[kernel->statements++] = statement;
  return true;
}

/* A scalar takes a value: in every iteration, or once before the loops. */
static bool set_scalar(struct gen_lowering *lowering, struct gen_location where, int scalar,
                       const struct gen_expr *value)
{
  struct gen_prelude *prelude = &lowering->prelude;
  const char *name = lowering->kernel->scalar[scalar].name;
  struct gen_statement set = {.kind = GEN_SET, .where = where, .scalar = scalar, .value = value};
  if (lowering->kernel->scalar[scalar].role == GEN_PARAMETER)
    return gen_reject(where, "argument '%s' is changed; copy it to a local variable", name);
  if (lowering->in_loops)
    return add_statement(lowering, set);
  for (int s = 0; s < prelude->initials; s++)
    if (prelude->initial[s].scalar == scalar)
      return gen_reject(where, "'%s' is given two values before the loops", name);
  prelude->initial[prelude->initials].scalar = scalar;
  prelude->initial[prelude->initials++].value = value;
  return true;
}

/* The right side of a compound assignment, made one of a plain assignment. */
static const struct gen_expr *compound(struct gen_lowering *lowering,
                                       const struct gen_syntax *syntax,
                                       const struct gen_expr *value)
{
  const enum gen_expr_kind kind = gen_arithmetic(syntax);
  if (syntax->operation == GEN_SYNTAX_NONE)
    return value;
  if (!kind) {
    gen_refuse(syntax, "is an assignment other than = += -= *= /=");
    return NULL;
  }
  const struct gen_expr *before = gen_lower_value(lowering, syntax->part[0]);
  return before ? gen_binary(kind, before, value) : NULL;
}

static bool lower_assignment(struct gen_lowering *lowering, const struct gen_syntax *syntax)
{
  const struct gen_syntax *left = syntax->part[0];
  const struct gen_name *name = gen_name_of(lowering, left);
  struct gen_statement store = {.kind = GEN_STORE, .where = syntax->where, .scalar = -1};
  if (name && (name->meaning == GEN_NAME_AFFINE || name->meaning == GEN_NAME_UNSET))
    return gen_refuse(syntax, "changes an integer; integers are fixed where they are declared");
  const bool scalar = name && name->meaning == GEN_NAME_SCALAR;
  if (!scalar && !gen_lower_access(lowering, left, &store.target))
    return false;
  store.value = gen_lower_value(lowering, syntax->part[1]);
  store.value = store.value ? compound(lowering, syntax, store.value) : NULL;
  if (!store.value)
    return false;
  if (scalar)
    return set_scalar(lowering, syntax->where, name->index, store.value);
  if (!lowering->in_loops)
    return gen_refuse(syntax, "writes an array outside the loops");
  return add_statement(lowering, store);
}

static bool lower_locals(struct gen_lowering *lowering, const struct gen_syntax *syntax)
{
  for (int n = 0; n < syntax->count; n++) {
    const struct gen_syntax *variable = syntax->part[n], *initial = variable->variable.initial;
    if (!gen_lower_declaration(lowering, variable))
      return false;
    const struct gen_name *name = &lowering->name[lowering->names - 1];
    if (name->meaning != GEN_NAME_SCALAR || !initial)
      continue;
    const struct gen_expr *value = gen_lower_value(lowering, initial);
    if (!value || !set_scalar(lowering, variable->where, name->index, value))
      return false;
  }
  return true;
}

static const char *statement_words(enum gen_syntax_kind kind)
{
  static const char *const words[GEN_SYNTAX_VARIABLE + 1] = {
    [GEN_SYNTAX_WHILE] = "a while loop",        [GEN_SYNTAX_FOR] = "a loop",
    [GEN_SYNTAX_GOTO] = "a goto or its label",  [GEN_SYNTAX_IF] = "an if",
    [GEN_SYNTAX_SWITCH] = "a switch",           [GEN_SYNTAX_RETURN] = "a return",
    [GEN_SYNTAX_BREAK] = "a break or continue", [GEN_SYNTAX_CALL] = "a call"};
  return words[kind] ? words[kind] : "a statement";
}

/* A statement of the innermost loop, or one outside the loops. */
static bool lower_statement(struct gen_lowering *lowering, const struct gen_syntax *syntax)
{
  switch (syntax->kind) {
  case GEN_SYNTAX_BLOCK:
    for (int s = 0; s < syntax->count; s++)
      if (!lower_statement(lowering, syntax->part[s]))
        return false;
    return true;
  case GEN_SYNTAX_EMPTY:
    return true;
  case GEN_SYNTAX_DECLARE:
    return lower_locals(lowering, syntax);
  case GEN_SYNTAX_ASSIGN:
    return lower_assignment(lowering, syntax);
  default:
    return gen_reject(
      syntax->where, "'%s' is %s; %s", syntax->text, statement_words(syntax->kind),
      lowering->in_loops
        ? "inside the four loops there are assignments, at most under one if ((sum) % 2 == 0 or 1) "
          "around all of them"
        : "outside the four loops there are declarations and assignments to scalars");
  }
}

/* if ((sum) % 2 == remainder) */
static bool lower_guard(struct gen_lowering *lowering, const struct gen_syntax *condition)
{
  struct gen_guard *guard = &lowering->kernel->guard;
  for (int s = 0; condition->operation == GEN_SYNTAX_EQUAL && s < 2; s++) {
    const struct gen_syntax *modulo = condition->part[s];
    int two, remainder;
    if (modulo->operation != GEN_SYNTAX_REMAINDER
        || !gen_lower_affine(lowering, modulo->part[0], &guard->sum)
        || !gen_lower_constant(lowering, modulo->part[1], &two) || two != 2
        || !gen_lower_constant(lowering, condition->part[1 - s], &remainder) || remainder < 0
        || remainder > 1)
      continue;
    guard->kind = GEN_PARITY;
    guard->where = condition->where;
    guard->remainder = remainder;
    return true;
  }
  return gen_refuse(
    condition, "is no colour: write (sum of loop variables and integer arguments) % 2 == 0 or 1");
}

static bool lower_innermost(struct gen_lowering *lowering, const struct gen_syntax *body)
{
  const struct gen_syntax *only =
    body->kind == GEN_SYNTAX_BLOCK && body->count == 1 ? body->part[0] : body;
  lowering->in_loops = true;
  if (only->kind == GEN_SYNTAX_IF) {
    if (only->count != 2)
      return gen_refuse(only, "has an else; a colour selects the iterations of the whole body");
    if (!lower_guard(lowering, only->part[0]))
      return false;
    body = only->part[1];
  }
  const bool fine = lower_statement(lowering, body);
  lowering->in_loops = false;
  return fine;
}

/* ---- loops ---- */

static bool lower_bound(struct gen_lowering *lowering, const struct gen_syntax *syntax,
                        struct gen_affine *bound)
{
  return (gen_lower_affine(lowering, syntax, bound) && !gen_uses_loops(bound))
    || gen_refuse(syntax, "is no loop bound: write an affine expression of integer arguments");
}

/* The start of the loop: what runs, and from where. NULL after a rejection. */
static struct gen_name *lower_start(struct gen_lowering *lowering, const struct gen_syntax *start,
                                    enum gen_axis axis)
{
  struct gen_loop *loop = &lowering->kernel->loop[axis];
  const struct gen_syntax *variable = start->count ? start->part[0] : NULL, *value = NULL;
  struct gen_name *name = NULL;
  if (start->kind == GEN_SYNTAX_DECLARE && start->count == 1
      && variable->variable.type == GEN_INT) {
    value = variable->variable.initial;
    name = gen_declare_name(lowering, variable);
    if (!name)
      return NULL;
  } else if (start->kind == GEN_SYNTAX_ASSIGN && start->operation == GEN_SYNTAX_NONE) {
    name = gen_name_of(lowering, variable);
    value = start->part[1];
  }
  if (!name || name->meaning != GEN_NAME_UNSET || !value) {
    gen_refuse(start, "does not start a loop: write int k = first, or k = first with a new int k");
    return NULL;
  }
  return lower_bound(lowering, value, &loop->lower) ? name : NULL;
}

static bool bind_loop(struct gen_lowering *lowering, struct gen_name *name, enum gen_axis axis)
{
  const char *text = name->declaration->name;
  for (int other = 0; other < GEN_AXES; other++)
    if (other != (int)axis && !strcmp(text, gen_axis_names[other]))
      return gen_reject(lowering->kernel->loop[axis].where,
                        "wrong loop order: the loop over '%s' stands where that over '%s' belongs; "
                        "loops nest box, k, j, i from the outermost inwards",
                        text, gen_axis_names[axis]);
  lowering->kernel->symbol[axis].name = text;
  name->meaning = GEN_NAME_AFFINE;
  name->value = gen_affine_constant(0);
  name->value.coefficient[axis] = 1;
  return true;
}

/* variable++, ++variable, variable += 1 */
static bool is_step_of_one(struct gen_lowering *lowering, const struct gen_syntax *step,
                           const struct gen_name *name)
{
  int by;
  if (!step->count || gen_name_of(lowering, step->part[0]) != name)
    return false;
  if (step->kind == GEN_SYNTAX_UNARY)
    return step->operation == GEN_SYNTAX_INCREMENT;
  return step->kind == GEN_SYNTAX_ASSIGN && step->operation == GEN_SYNTAX_ADD
    && gen_lower_constant(lowering, step->part[1], &by) && by == 1;
}

static bool lower_head(struct gen_lowering *lowering, const struct gen_syntax *syntax,
                       enum gen_axis axis)
{
  struct gen_loop *loop = &lowering->kernel->loop[axis];
  loop->where = syntax->where;
  if (syntax->count != 4)
    return gen_refuse(syntax, "must have a start, a bound, a step and a body");
  const struct gen_syntax *bound = syntax->part[1], *step = syntax->part[2];
  struct gen_name *name = lower_start(lowering, syntax->part[0], axis);
  if (!name || !bind_loop(lowering, name, axis))
    return false;
  const bool less = bound->operation == GEN_SYNTAX_LESS;
  if ((!less && bound->operation != GEN_SYNTAX_LESS_EQUAL)
      || gen_name_of(lowering, bound->part[0]) != name)
    return gen_refuse(bound, "is no loop bound: write variable < bound or variable <= bound");
  if (!lower_bound(lowering, bound->part[1], &loop->upper))
    return false;
  loop->upper.constant -= less;
  return is_step_of_one(lowering, step, name)
    || gen_refuse(step, "is no step of a loop: loops go up by 1");
}

/* The loop over `axis` and all within. */
static bool lower_nest(struct gen_lowering *lowering, const struct gen_syntax *syntax,
                       enum gen_axis axis)
{
  if (!lower_head(lowering, syntax, axis))
    return false;
  const struct gen_syntax *body = syntax->part[3];
  if (axis == GEN_I)
    return lower_innermost(lowering, body);
  for (int s = 0; body->kind == GEN_SYNTAX_BLOCK && s < body->count; s++)
    if (s > 0 || body->part[s]->kind != GEN_SYNTAX_FOR)
      return gen_reject(body->part[s]->where,
                        "imperfect loop nest: '%s' stands beside or in place of the loop over "
                        "'%s'; only the innermost loop has statements",
                        body->part[s]->text, gen_axis_names[axis - 1]);
  if (body->kind == GEN_SYNTAX_BLOCK && body->count)
    body = body->part[0];
  if (body->kind != GEN_SYNTAX_FOR)
    return gen_reject(body->where,
                      "imperfect loop nest: '%s' stands where the loop over '%s' belongs; a kernel "
                      "is four loops over box, k, j, i",
                      body->text, gen_axis_names[axis - 1]);
  return lower_nest(lowering, body, axis - 1);
}

/* ---- functions ---- */

static bool lower_return(struct gen_lowering *lowering, const struct gen_syntax *syntax)
{
  const struct gen_name *name = syntax->count ? gen_name_of(lowering, syntax->part[0]) : NULL;
  if (syntax->count && (!name || name->meaning != GEN_NAME_SCALAR))
    return gen_refuse(syntax->part[0],
                      "is returned; a kernel returns nothing or one sum or maximum");
  lowering->prelude.returned = name ? name->index : -1;
  lowering->prelude.return_where = syntax->where;
  return true;
}

static bool lower_body(struct gen_lowering *lowering, const struct gen_syntax *body)
{
  for (int s = 0; s < body->count; s++) {
    const struct gen_syntax *syntax = body->part[s];
    bool fine;
    if (syntax->kind == GEN_SYNTAX_FOR && !lowering->loops_done) {
      fine = lower_nest(lowering, syntax, GEN_BOX);
      lowering->loops_done = true;
    } else if (syntax->kind == GEN_SYNTAX_RETURN && lowering->loops_done) {
      fine = lower_return(lowering, syntax);
    } else if (lowering->loops_done && syntax->kind != GEN_SYNTAX_EMPTY) {
      fine = gen_reject(
        syntax->where,
        "'%s' is %s after the loops; only return may follow them: one function, one loop nest",
        syntax->text, statement_words(syntax->kind));
    } else {
      fine = lower_statement(lowering, syntax);
    }
    if (!fine)
      return false;
  }
  return lowering->loops_done
    || gen_reject(lowering->kernel->where, "'%s' has no loops", lowering->kernel->name);
}

struct gen_kernel *gen_lower(const struct gen_function *function)
{
  struct gen_kernel *kernel = gen_allocate(sizeof *kernel);
  struct gen_lowering *lowering = gen_allocate(sizeof *lowering);
  *lowering = (struct gen_lowering){.kernel = kernel, .prelude.returned = -1};
  kernel->name = function->name;
  kernel->where = function->where;
  kernel->comment = function->comment;
  kernel->kind = strcmp(function->asked, "operator") ? GEN_AS_WRITTEN : GEN_OPERATOR;
  kernel->symbols = GEN_AXES;
  for (int axis = 0; axis < GEN_AXES; axis++)
    kernel->symbol[axis].name = gen_axis_names[axis];
  bool fine = true;
  if (kernel->kind == GEN_AS_WRITTEN && strcmp(function->asked, "kernel"))
    fine = gen_reject(kernel->where, "'%s': the note '%s' is none of stencil.h", kernel->name,
                      function->asked);
  if (!function->returns_nothing && function->returns != GEN_DOUBLE)
    fine = gen_reject(kernel->where, "'%s' returns neither void nor double", kernel->name);
  for (int a = 0; fine && a < function->arguments; a++)
    fine = gen_lower_declaration(lowering, function->argument[a]);
  fine = fine && lower_body(lowering, function->body)
    && gen_settle_scalars(kernel, &lowering->prelude) && gen_settle_accesses(kernel);
  return fine ? kernel : NULL;
}
