#include "messages.h"

#include <string.h>

static bool is_data(const struct gen_syntax *variable)
{
  const struct gen_storage *storage = &variable->variable.storage;
  return (storage->type == GEN_DOUBLE || storage->type == GEN_FLOAT)
    && (storage->pointers || storage->rank);
}

/* Whether finding a value changes nothing, and reads no array. */
static bool is_quiet(const struct gen_syntax *value)
{
  const struct gen_syntax *variable = gen_variable_of(value);
  if (value->kind != GEN_SYNTAX_OTHER && value->kind < GEN_SYNTAX_WHOLE)
    return false;
  if (value->kind == GEN_SYNTAX_ELEMENT || value->kind == GEN_SYNTAX_CALL
      || (variable && is_data(variable)))
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
  for (size_t n = 0; n < sizeof names / sizeof *names; n++)
    if (strcmp(name, names[n]) == 0)
      return true;
  return false;
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
