#include "messages.h"

#include <string.h>

static bool is_data(const struct gen_syntax *variable)
{
  const struct gen_storage *storage = &variable->variable.storage;
  return (storage->type == GEN_DOUBLE || storage->type == GEN_FLOAT)
    && (storage->pointers || storage->rank);
}

static bool is_one_of(const char *name, const char *const *names, size_t count)
{
  for (size_t n = 0; n < count; n++)
    if (strcmp(name, names[n]) == 0)
      return true;
  return false;
}

/* Functions of numbers alone. */
static bool is_mathematics(const char *name)
{
  static const char *const names[] = {"fabs", "sqrt",  "fmax",  "fmin",  "pow",   "exp",
                                      "log",  "log10", "fabsf", "sqrtf", "fmaxf", "fminf"};
  return is_one_of(name, names, sizeof names / sizeof *names);
}

/* Whether finding a value changes nothing, and reads no array. */
static bool is_quiet(const struct gen_syntax *value)
{
  const struct gen_syntax *variable = gen_variable_of(value);
  if (value->kind != GEN_SYNTAX_OTHER && value->kind < GEN_SYNTAX_WHOLE)
    return false;
  if (value->kind == GEN_SYNTAX_ELEMENT || (variable && is_data(variable))
      || (value->kind == GEN_SYNTAX_CALL && !is_mathematics(value->name)))
    return false;
  if (value->kind == GEN_SYNTAX_UNARY && value->operation != GEN_SYNTAX_ADD
      && value->operation != GEN_SYNTAX_SUBTRACT && value->text[0] != '!')
    return false;
  for (int p = 0; p < value->count; p++)
    if (!is_quiet(value->part[p]))
      return false;
  return true;
}

static bool is_print(const char *name)
{
  static const char *const names[] = {"printf", "fprintf", "puts", "fputs", "putchar", "fflush"};
  return is_one_of(name, names, sizeof names / sizeof *names);
}

bool gen_prints(const struct gen_syntax *syntax)
{
  const bool call = syntax->kind == GEN_SYNTAX_CALL, under = syntax->kind == GEN_SYNTAX_IF;
  if (call ? !is_print(syntax->name) : !under && syntax->kind != GEN_SYNTAX_BLOCK)
    return false;
  for (int p = 0; p < syntax->count; p++)
    if (call || (under && p == 0) ? !is_quiet(syntax->part[p]) : !gen_prints(syntax->part[p]))
      return false;
  return syntax->count > 0;
}

bool gen_is_quiet(const struct gen_syntax *value)
{
  return is_quiet(value);
}

bool gen_decides(const struct gen_syntax *syntax, bool *stops)
{
  const struct gen_syntax *variable;
  switch (syntax->kind) {
  case GEN_SYNTAX_IF:
  case GEN_SYNTAX_BLOCK:
    if (syntax->kind == GEN_SYNTAX_IF && !is_quiet(syntax->part[0]))
      return false;
    for (int p = syntax->kind == GEN_SYNTAX_IF; p < syntax->count; p++)
      if (!gen_decides(syntax->part[p], stops))
        return false;
    return true;
  case GEN_SYNTAX_EMPTY:
    return true;
  case GEN_SYNTAX_BREAK:
    *stops = true;
    return strncmp(syntax->text, "break", 5) == 0;
  case GEN_SYNTAX_ASSIGN:
    variable = gen_variable_of(syntax->part[0]);
    return variable && !variable->variable.storage.rank && !variable->variable.storage.pointers
      && is_quiet(syntax->part[1]);
  default:
    return gen_prints(syntax);
  }
}
