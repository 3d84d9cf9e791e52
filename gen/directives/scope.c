#include "scope.h"

#include <string.h>

enum { MOST_DEEP = 32 };

const char *gen_shown(const struct gen_syntax *syntax)
{
  const char *marked = strstr(syntax->text, GEN_MARK);
  if (!marked)
    return syntax->text;
  return marked == syntax->text ? "a directive"
                                : gen_text("%.*s...", (int)(marked - syntax->text), syntax->text);
}

bool gen_decline(const struct gen_syntax *syntax, const char *why)
{
  return gen_reject(syntax->where, "'%s' %s", gen_shown(syntax), why);
}

const struct gen_syntax *gen_variable_of(const struct gen_syntax *syntax)
{
  return syntax->kind == GEN_SYNTAX_NAME ? syntax->declared : NULL;
}

/* ---- directives ---- */

const struct gen_directive *gen_directive_of(const struct gen_directives *directives,
                                             const struct gen_syntax *syntax)
{
  return syntax->kind == GEN_SYNTAX_GOTO || syntax->kind == GEN_SYNTAX_CALL
    ? gen_marked(directives, syntax->name)
    : NULL;
}

bool gen_has_marks(const struct gen_directives *directives, const struct gen_syntax *syntax)
{
  if (gen_directive_of(directives, syntax))
    return true;
  for (int p = 0; p < syntax->count; p++)
    if (gen_has_marks(directives, syntax->part[p]))
      return true;
  return false;
}

bool gen_has_loops(const struct gen_syntax *syntax)
{
  if (syntax->kind == GEN_SYNTAX_FOR || syntax->kind == GEN_SYNTAX_WHILE)
    return true;
  for (int p = 0; p < syntax->count; p++)
    if (gen_has_loops(syntax->part[p]))
      return true;
  return false;
}

static bool stores(const struct gen_syntax *syntax)
{
  if (syntax->kind == GEN_SYNTAX_ASSIGN && syntax->part[0]->kind == GEN_SYNTAX_ELEMENT)
    return true;
  for (int p = 0; p < syntax->count; p++)
    if (stores(syntax->part[p]))
      return true;
  return false;
}

bool gen_is_working(const struct gen_directives *directives, const struct gen_syntax *syntax)
{
  return gen_has_marks(directives, syntax)
    || (directives->finds_loops && syntax->where.line > directives->from_line && stores(syntax));
}

/* ---- changes ---- */

bool gen_steps_by_one(const struct gen_syntax *step, const struct gen_syntax *variable)
{
  if (!step->count || gen_variable_of(step->part[0]) != variable)
    return false;
  if (step->kind == GEN_SYNTAX_UNARY)
    return step->operation == GEN_SYNTAX_INCREMENT;
  return step->kind == GEN_SYNTAX_ASSIGN && step->operation == GEN_SYNTAX_ADD
    && step->part[1]->kind == GEN_SYNTAX_WHOLE && step->part[1]->whole == 1;
}

static bool add_change(struct gen_scope *scope, struct gen_change change)
{
  if (scope->changes == GEN_MAX_CHANGES)
    return gen_reject(change.where, "more than %d assignments in the file", GEN_MAX_CHANGES);
  scope->change[scope->changes++] = change;
  return true;
}

/* Notes the changes of a statement. around: maybe and inside of what it is in. */
static bool note(struct gen_scope *scope, const struct gen_syntax *syntax, struct gen_change around)
{
  const bool assigned = syntax->kind == GEN_SYNTAX_ASSIGN,
             changed = assigned
    || (syntax->kind == GEN_SYNTAX_UNARY && syntax->operation != GEN_SYNTAX_ADD
        && syntax->operation != GEN_SYNTAX_SUBTRACT && syntax->operation != GEN_SYNTAX_NOT);
  const struct gen_directive *directive = gen_directive_of(scope->directives, syntax);
  struct gen_change change = around;
  change.variable = changed && syntax->count ? gen_variable_of(syntax->part[0]) : NULL;
  change.value = assigned && syntax->operation == GEN_SYNTAX_NONE ? syntax->part[1] : NULL;
  change.where = syntax->where;
  if (change.variable) {
    change.by_one = gen_steps_by_one(syntax, change.variable);
    if (!add_change(scope, change))
      return false;
  }
  if (syntax->kind == GEN_SYNTAX_FOR || syntax->kind == GEN_SYNTAX_WHILE) {
    around.maybe = true;
    around.inside = around.inside || gen_is_working(scope->directives, syntax);
  }
  around.maybe = around.maybe || syntax->kind == GEN_SYNTAX_IF || syntax->kind == GEN_SYNTAX_SWITCH
    || syntax->kind == GEN_SYNTAX_OTHER;
  around.inside = around.inside
    || (directive && directive->kind != GEN_DIRECTIVE_COPY
        && directive->kind != GEN_DIRECTIVE_ARRAYS);
  for (int p = 0; p < syntax->count; p++)
    if (!note(scope, syntax->part[p], around))
      return false;
  return syntax->kind != GEN_SYNTAX_VARIABLE || !syntax->variable.initial
    || note(scope, syntax->variable.initial, around);
}

bool gen_note_changes(struct gen_scope *scope, const struct gen_syntax *body, bool elsewhere)
{
  return note(scope, body, (struct gen_change){.maybe = elsewhere});
}

int gen_times_changed(const struct gen_scope *scope, const struct gen_syntax *variable)
{
  int times = 0;
  for (int c = 0; c < scope->changes; c++)
    times += scope->change[c].variable == variable;
  return times;
}

const struct gen_change *gen_changed_inside(const struct gen_scope *scope,
                                            const struct gen_syntax *variable)
{
  for (int c = 0; c < scope->changes; c++)
    if (scope->change[c].variable == variable && scope->change[c].inside)
      return &scope->change[c];
  return NULL;
}

const struct gen_change *gen_moved_inside(const struct gen_scope *scope,
                                          const struct gen_syntax *syntax)
{
  const struct gen_syntax *variable = gen_variable_of(syntax);
  const struct gen_change *change = variable ? gen_changed_inside(scope, variable) : NULL;
  for (int p = 0; p < syntax->count && !change; p++)
    change = gen_moved_inside(scope, syntax->part[p]);
  return change;
}

/* Whether the variable is that of a loop around the value. */
static bool runs(const struct gen_scope *scope, const struct gen_syntax *variable,
                 const struct gen_syntax *value)
{
  for (int l = 0; l < scope->loops; l++)
    if (scope->loop[l] == variable && value->where.line >= scope->line)
      return true;
  return false;
}

/* Whether a value has a variable in it that changes further down. */
static bool changes_after(const struct gen_scope *scope, const struct gen_syntax *value)
{
  const struct gen_syntax *variable = gen_variable_of(value);
  for (int c = 0; variable && !runs(scope, variable, value) && c < scope->changes; c++)
    if (scope->change[c].variable == variable && scope->change[c].where.line > value->where.line)
      return true;
  for (int p = 0; p < value->count; p++)
    if (changes_after(scope, value->part[p]))
      return true;
  return false;
}

/* What the variable is set to, once and for all; NULL: not known. */
static const struct gen_syntax *only_value(const struct gen_scope *scope,
                                           const struct gen_syntax *variable)
{
  const int times = gen_times_changed(scope, variable);
  const struct gen_syntax *value = times ? NULL : variable->variable.initial;
  const bool unset = !variable->variable.initial && !variable->variable.argument;
  for (int c = 0; times == 1 && unset && c < scope->changes; c++)
    if (scope->change[c].variable == variable && !scope->change[c].maybe
        && !scope->change[c].inside)
      value = scope->change[c].value;
  return value && scope->depth < MOST_DEEP && !changes_after(scope, value) ? value : NULL;
}

static bool is_before(struct gen_location a, struct gen_location b)
{
  return a.line < b.line || (a.line == b.line && a.column < b.column);
}

/* What one assignment of the loops around gives a variable that is used after it; NULL: there is
 * none, or several. */
static const struct gen_syntax *local_value(const struct gen_scope *scope,
                                            const struct gen_syntax *variable,
                                            const struct gen_syntax *use)
{
  const struct gen_change *found = NULL;
  for (int c = 0; scope->loops && c < scope->changes; c++) {
    const struct gen_change *change = &scope->change[c];
    if (change->variable != variable || change->where.line < scope->line
        || change->where.line > scope->end)
      continue;
    if (found)
      return NULL;
    found = change;
  }
  return found && found->value && is_before(found->where, use->where) && scope->depth < MOST_DEEP
    ? found->value
    : NULL;
}

/* ---- whole numbers ---- */

static bool variable_integer(struct gen_scope *scope, const struct gen_syntax *syntax,
                             struct gen_integer *integer)
{
  const struct gen_syntax *variable = gen_variable_of(syntax);
  if (!variable)
    return gen_decline(syntax, "is no integer variable of this file");
  *integer = gen_integer_variable(variable);
  for (int l = 0; l < scope->loops; l++)
    if (scope->loop[l] == variable)
      return true;
  const struct gen_syntax *value = local_value(scope, variable, syntax);
  value = value ? value : only_value(scope, variable);
  if (value && value->integer && value->kind != GEN_SYNTAX_CALL && value->kind != GEN_SYNTAX_OTHER
      && value->kind != GEN_SYNTAX_CHOICE) {
    scope->depth++;
    const bool fine = gen_scope_integer(scope, value, integer);
    scope->depth--;
    return fine;
  }
  const struct gen_change *change = gen_changed_inside(scope, variable);
  return !change
    || gen_reject(syntax->where,
                  "'%s' has no value that stays the same while steps are taken: line %d changes it",
                  variable->name, change->where.line);
}

bool gen_scope_integer(struct gen_scope *scope, const struct gen_syntax *syntax,
                       struct gen_integer *integer)
{
  struct gen_integer a, b;
  long long x, y;
  if (syntax->kind == GEN_SYNTAX_WHOLE) {
    *integer = gen_integer_of(syntax->whole);
    return true;
  }
  if (syntax->kind == GEN_SYNTAX_NAME)
    return variable_integer(scope, syntax, integer);
  if ((syntax->kind != GEN_SYNTAX_BINARY && syntax->kind != GEN_SYNTAX_UNARY) || !syntax->count
      || !syntax->integer)
    return gen_decline(syntax, "is no whole number made of variables, numbers, + - * and /");
  if (!gen_scope_integer(scope, syntax->part[0], &a))
    return false;
  if (syntax->kind == GEN_SYNTAX_UNARY) {
    *integer = gen_integer_of(0);
    return (syntax->operation == GEN_SYNTAX_ADD || syntax->operation == GEN_SYNTAX_SUBTRACT
            || gen_decline(syntax, "changes or looks at a number in another way than + and -"))
      && gen_integer_add(integer, syntax->operation == GEN_SYNTAX_ADD ? 1 : -1, &a);
  }
  if (!gen_scope_integer(scope, syntax->part[1], &b))
    return false;
  *integer = a;
  if (syntax->operation == GEN_SYNTAX_ADD || syntax->operation == GEN_SYNTAX_SUBTRACT)
    return gen_integer_add(integer, syntax->operation == GEN_SYNTAX_ADD ? 1 : -1, &b)
      || gen_decline(syntax, "has too many terms");
  if (syntax->operation == GEN_SYNTAX_MULTIPLY)
    return gen_integer_multiply(&a, &b, integer) || gen_decline(syntax, "has too many terms");
  if (syntax->operation == GEN_SYNTAX_DIVIDE && gen_integer_known(&a, &x)
      && gen_integer_known(&b, &y) && y) {
    *integer = gen_integer_of(x / y);
    return true;
  }
  return gen_decline(syntax, "is no whole number made of variables, numbers, + - * and /");
}

/* ---- known values ---- */

/* One operation, as C computes it: of whole numbers if both are. */
static bool operate(const struct gen_syntax *syntax, double a, double b, double *value)
{
  const bool whole = syntax->integer;
  switch (syntax->operation) {
  case GEN_SYNTAX_ADD:
    *value = a + b;
    return true;
  case GEN_SYNTAX_SUBTRACT:
    *value = a - b;
    return true;
  case GEN_SYNTAX_MULTIPLY:
    *value = a * b;
    return true;
  case GEN_SYNTAX_DIVIDE:
    *value = b == 0 ? 0 : whole ? (double)((long long)a / (long long)b) : a / b;
    return b != 0;
  default:
    return false;
  }
}

bool gen_scope_number(struct gen_scope *scope, const struct gen_syntax *syntax, double *value)
{
  enum { MOST_WHOLE = 1 << 30 };
  const struct gen_syntax *variable = gen_variable_of(syntax), *set;
  double a, b = 0;
  bool known;
  switch (syntax->kind) {
  case GEN_SYNTAX_WHOLE:
    *value = (double)syntax->whole;
    return syntax->whole <= MOST_WHOLE && syntax->whole >= -MOST_WHOLE;
  case GEN_SYNTAX_REAL:
    *value = syntax->real;
    return true;
  case GEN_SYNTAX_NAME:
    set = variable && !variable->variable.storage.pointers && !variable->variable.storage.rank
      ? only_value(scope, variable)
      : NULL;
    scope->depth++;
    known = set && gen_scope_number(scope, set, value);
    scope->depth--;
    if (!known)
      return false;
    if (variable->variable.type == GEN_INT)
      *value = (double)(long long)*value;
    if (variable->variable.type == GEN_FLOAT)
      *value = (float)*value;
    return variable->variable.type != GEN_NO_TYPE;
  case GEN_SYNTAX_UNARY:
    if (syntax->count != 1 || !gen_scope_number(scope, syntax->part[0], &a))
      return false;
    *value = syntax->operation == GEN_SYNTAX_SUBTRACT ? -a : a;
    return syntax->operation == GEN_SYNTAX_SUBTRACT || syntax->operation == GEN_SYNTAX_ADD;
  case GEN_SYNTAX_BINARY:
    known = syntax->count == 2 && gen_scope_number(scope, syntax->part[0], &a)
      && gen_scope_number(scope, syntax->part[1], &b)
      && (syntax->single ? operate(syntax, (float)a, (float)b, value)
                         : operate(syntax, a, b, value));
    *value = known && syntax->single ? (float)*value : *value; /* as if computed in float */
    return known;
  default:
    return false;
  }
}
