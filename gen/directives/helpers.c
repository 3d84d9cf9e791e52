#include "helpers.h"

#include <string.h>

enum { MAX_DEPTH = 16 };

/* A call that is being taken in. */
struct inlining {
  const struct gen_function *const *function;
  int count, depth;
};

static const struct gen_function *find(const struct gen_function *const *function, int count,
                                       const struct gen_syntax *call)
{
  for (int f = 0; f < count && call->name; f++)
    if (strcmp(function[f]->name, call->name) == 0)
      return function[f];
  return NULL;
}

/* ---- which functions are simple ---- */

static bool has_effect(const struct gen_syntax *syntax)
{
  if (syntax->kind == GEN_SYNTAX_ASSIGN || syntax->kind == GEN_SYNTAX_OTHER
      || (syntax->kind == GEN_SYNTAX_UNARY && syntax->operation == GEN_SYNTAX_INCREMENT))
    return true;
  for (int p = 0; p < syntax->count; p++)
    if (has_effect(syntax->part[p]))
      return true;
  return false;
}

static bool is_number(enum gen_type type)
{
  return type == GEN_DOUBLE || type == GEN_FLOAT || type == GEN_INT;
}

/* Whether C gives a value to that type as it stands: it cuts nothing off, and divides nothing. */
static bool fits(enum gen_type type, const struct gen_syntax *value)
{
  if (type == GEN_INT)
    return value->integer;
  if (type == GEN_FLOAT)
    return value->single || value->kind == GEN_SYNTAX_WHOLE || value->kind == GEN_SYNTAX_REAL;
  return !value->single && (!value->integer || value->kind == GEN_SYNTAX_WHOLE);
}

/* A variable of the function with a value; it cannot change later: there is no other statement. */
static bool is_plain(const struct gen_syntax *variable)
{
  return variable->kind == GEN_SYNTAX_VARIABLE && is_number(variable->variable.type)
    && !variable->variable.storage.rank && !variable->variable.storage.pointers
    && variable->variable.initial && !has_effect(variable->variable.initial)
    && fits(variable->variable.type, variable->variable.initial);
}

static const char *body_fault(const struct gen_syntax *body)
{
  const int last = body->count - 1;
  const struct gen_syntax *end = last < 0 ? NULL : body->part[last];
  if (!end || end->kind != GEN_SYNTAX_RETURN || end->count != 1)
    return "does not end in 'return' and a value";
  if (has_effect(end->part[0]))
    return "returns a value that is more than arithmetic";
  for (int n = 0; n < last; n++) {
    const struct gen_syntax *statement = body->part[n];
    for (int v = 0; v < statement->count; v++)
      if (statement->kind != GEN_SYNTAX_DECLARE || !is_plain(statement->part[v]))
        return "has more than declarations of numbers with values of their type and one "
               "'return'";
    if (statement->kind != GEN_SYNTAX_DECLARE && statement->kind != GEN_SYNTAX_EMPTY)
      return "has more than declarations of numbers with values of their type and one "
             "'return'";
  }
  return NULL;
}

static bool is_array(const struct gen_syntax *variable)
{
  return variable->variable.storage.rank || variable->variable.storage.pointers;
}

static const char *argument_fault(const struct gen_syntax *parameter,
                                  const struct gen_syntax *argument)
{
  if (has_effect(argument))
    return "is called with an argument that changes something";
  if (is_array(parameter))
    return argument->kind == GEN_SYNTAX_NAME ? NULL
                                             : "is called with a part of an array, not by its name";
  if (!is_number(parameter->variable.type))
    return "takes a number that is neither double nor float nor int";
  if (parameter->variable.type == GEN_FLOAT && !fits(GEN_FLOAT, argument))
    return "takes a float, and is given a number of another type";
  if (parameter->variable.type == GEN_DOUBLE && argument->single)
    return "takes a double, and is given a float";
  if (parameter->variable.type == GEN_INT && !argument->integer)
    return "takes an int, and is given a number that is none";
  if (parameter->variable.type == GEN_DOUBLE && argument->integer
      && argument->kind != GEN_SYNTAX_WHOLE)
    return "takes a double, and is given whole numbers";
  return NULL;
}

static const char *fault_of(const struct gen_function *helper, const struct gen_syntax *call)
{
  const char *fault = body_fault(helper->body);
  if (!is_number(helper->returns))
    return "returns no double, float or int";
  if (!fault && !fits(helper->returns, helper->body->part[helper->body->count - 1]->part[0]))
    return "returns a value of another type, which C converts";
  if (call->count != helper->arguments)
    return "is called with another number of arguments";
  for (int a = 0; a < helper->arguments && !fault; a++)
    fault = argument_fault(helper->argument[a], call->part[a]);
  return fault;
}

/* ---- what takes a call's place ---- */

static const struct gen_syntax *convert(const struct gen_syntax *value, enum gen_type type)
{
  const bool whole = value->kind == GEN_SYNTAX_WHOLE, single = type == GEN_FLOAT;
  if (type == GEN_INT || !(whole || (single && value->kind == GEN_SYNTAX_REAL)))
    return value;
  struct gen_syntax *real = gen_allocate(sizeof *real);
  *real = *value;
  real->kind = GEN_SYNTAX_REAL;
  real->real = whole ? (double)value->whole : value->real;
  real->real = single ? (float)real->real : real->real;
  real->single = single;
  real->integer = false;
  return real;
}

static const struct gen_syntax *copy(const struct gen_function *helper,
                                     const struct gen_syntax *call,
                                     const struct gen_syntax *syntax);

/* A name in the helper: an argument, the value of one of its variables, or a name of the file. */
static const struct gen_syntax *copy_name(const struct gen_function *helper,
                                          const struct gen_syntax *call,
                                          const struct gen_syntax *name)
{
  for (int a = 0; a < helper->arguments; a++)
    if (name->declared == helper->argument[a])
      return convert(call->part[a], helper->argument[a]->variable.type);
  for (int n = 0; n < helper->body->count; n++)
    for (int v = 0; v < helper->body->part[n]->count; v++) {
      const struct gen_syntax *variable = helper->body->part[n]->part[v];
      if (variable == name->declared && variable->kind == GEN_SYNTAX_VARIABLE)
        return convert(copy(helper, call, variable->variable.initial), variable->variable.type);
    }
  return name;
}

static const struct gen_syntax *copy(const struct gen_function *helper,
                                     const struct gen_syntax *call, const struct gen_syntax *syntax)
{
  if (syntax->kind == GEN_SYNTAX_NAME)
    return copy_name(helper, call, syntax);
  struct gen_syntax *made = gen_allocate(sizeof *made);
  *made = *syntax;
  made->where = call->where;
  made->part = gen_allocate((size_t)(syntax->count + 1) * sizeof *made->part);
  for (int p = 0; p < syntax->count; p++)
    made->part[p] = copy(helper, call, syntax->part[p]);
  return made;
}

/* In the parts of a statement or value, then in itself. */
static const struct gen_syntax *take_in(const struct inlining *in, const struct gen_syntax *syntax)
{
  for (int p = 0; p < syntax->count; p++)
    syntax->part[p] = take_in(in, syntax->part[p]);
  if (syntax->kind == GEN_SYNTAX_VARIABLE && syntax->variable.initial) {
    struct gen_syntax *variable = (struct gen_syntax *)syntax; /* what names of it point to */
    variable->variable.initial = take_in(in, syntax->variable.initial);
  }
  const struct gen_function *helper =
    syntax->kind == GEN_SYNTAX_CALL ? find(in->function, in->count, syntax) : NULL;
  if (!helper || fault_of(helper, syntax) || in->depth == MAX_DEPTH)
    return syntax;
  const int last = helper->body->count - 1;
  const struct gen_syntax *value =
    convert(copy(helper, syntax, helper->body->part[last]->part[0]), helper->returns);
  const struct inlining inner = {in->function, in->count, in->depth + 1};
  return take_in(&inner, value);
}

const struct gen_syntax *gen_inline_helpers(const struct gen_function *const *function, int count,
                                            const struct gen_syntax *body)
{
  const struct inlining in = {function, count, 0};
  return take_in(&in, body);
}

const char *gen_helper_fault(const struct gen_function *const *function, int count,
                             const struct gen_syntax *call)
{
  const struct gen_function *helper = find(function, count, call);
  const char *fault = helper ? fault_of(helper, call) : NULL;
  if (!helper)
    return NULL;
  return gen_text("because '%s' of line %d %s", helper->name, helper->where.line,
                  fault ? fault : "calls itself, or is a chain of too many calls");
}
