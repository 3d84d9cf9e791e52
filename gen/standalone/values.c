#include "values.h"

#include "directives/conditions.h"
#include "directives/nests.h"
#include "directives/precision.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How tightly operators bind. */
enum { CHOSEN, ALSO, BOTH, SAME, COMPARED, ADDED, MULTIPLIED, SIGNED };

static const char *value(const struct gen_words_of_nest *words, const struct gen_syntax *syntax,
                         int least);

/* The shortest digits that are read as this number; single: as a float. */
static const char *real(double number, bool single)
{
  char text[40];
  for (int digits = 1; digits <= 17; digits++) {
    snprintf(text, sizeof text, "%.*g", digits, number);
    if (single ? strtof(text, NULL) == (float)number : strtod(text, NULL) == number)
      break;
  }
  return gen_text("%s%s%s", text, strpbrk(text, ".en") ? "" : ".0", single ? "f" : "");
}

/* Integers among values are known. */
static const char *whole(const struct gen_words_of_nest *words, const struct gen_syntax *syntax,
                         int least)
{
  struct gen_integer integer;
  long long known;
  if (!gen_scope_integer(&words->kernel->translation->scope, syntax, &integer))
    return NULL;
  if (!gen_integer_known(&integer, &known)) {
    gen_decline(syntax, "is an integer that is not known");
    return NULL;
  }
  return gen_text(known < 0 && least > ADDED ? "(%lld)" : "%lld", known);
}

static const char *call(const struct gen_words_of_nest *words, const struct gen_syntax *syntax)
{
  const char *text = gen_text("%s(", syntax->name);
  for (int n = 0; n < syntax->count; n++) {
    const char *argument = value(words, syntax->part[n], 0);
    if (!argument)
      return NULL;
    text = gen_text("%s%s%s", text, n ? ", " : "", argument);
  }
  return gen_text("%s)", text);
}

/* Operators, and how tightly they bind. */
static const struct {
  const char *sign;
  int binds;
} operators[GEN_SYNTAX_INCREMENT + 1] = {
  [GEN_SYNTAX_ADD] = {"+", ADDED},           [GEN_SYNTAX_SUBTRACT] = {"-", ADDED},
  [GEN_SYNTAX_MULTIPLY] = {"*", MULTIPLIED}, [GEN_SYNTAX_DIVIDE] = {"/", MULTIPLIED},
  [GEN_SYNTAX_LESS] = {"<", COMPARED},       [GEN_SYNTAX_LESS_EQUAL] = {"<=", COMPARED},
  [GEN_SYNTAX_GREATER] = {">", COMPARED},    [GEN_SYNTAX_GREATER_EQUAL] = {">=", COMPARED},
  [GEN_SYNTAX_EQUAL] = {"==", SAME},         [GEN_SYNTAX_UNEQUAL] = {"!=", SAME},
  [GEN_SYNTAX_AND] = {"&&", BOTH},           [GEN_SYNTAX_OR] = {"||", ALSO},
  [GEN_SYNTAX_NOT] = {"!", SIGNED}};

static const char *operation(const struct gen_words_of_nest *words, const struct gen_syntax *syntax,
                             int least)
{
  const char *sign = operators[syntax->operation].sign, *text;
  int binds = operators[syntax->operation].binds;
  if (!sign) {
    gen_decline(syntax, "has an operator other than + - * /, comparisons and && || !");
    return NULL;
  }
  if (syntax->count == 1) {
    binds = SIGNED;
    text = value(words, syntax->part[0], SIGNED);
    text = text ? gen_text(*text == *sign ? "%s(%s)" : "%s%s", sign, text) : NULL;
  } else {
    const int inner = binds == BOTH || binds == ALSO ? SAME : binds; /* (a && b) || c */
    const char *a = value(words, syntax->part[0], inner),
               *b = value(words, syntax->part[1], inner + (inner == binds));
    text = a && b ? gen_text("%s %s %s", a, sign, b) : NULL;
  }
  return text && binds < least ? gen_text("(%s)", text) : text;
}

static const char *choice(const struct gen_words_of_nest *words, const struct gen_syntax *syntax,
                          int least)
{
  const char *a = value(words, syntax->part[0], ALSO), *b = value(words, syntax->part[1], ALSO),
             *c = value(words, syntax->part[2], ALSO);
  const char *text = a && b && c ? gen_text("%s ? %s : %s", a, b, c) : NULL;
  return text && least > CHOSEN ? gen_text("(%s)", text) : text;
}

static const char *value(const struct gen_words_of_nest *words, const struct gen_syntax *syntax,
                         int least)
{
  if (gen_is_condition(syntax))
    return operation(words, syntax, least);
  if (syntax->kind == GEN_SYNTAX_CHOICE)
    return choice(words, syntax, least);
  if (syntax->integer)
    return whole(words, syntax, least);
  switch (syntax->kind) {
  case GEN_SYNTAX_REAL:
    return real(syntax->real, syntax->single);
  case GEN_SYNTAX_NAME:
    return syntax->name;
  case GEN_SYNTAX_ELEMENT:
    return words->element(words, syntax);
  case GEN_SYNTAX_CALL:
    return call(words, syntax);
  case GEN_SYNTAX_UNARY:
  case GEN_SYNTAX_BINARY:
    return operation(words, syntax, least);
  default:
    gen_decline(syntax, "is a value of a kind that --standalone does not write");
    return NULL;
  }
}

static bool write_variable(const struct gen_words_of_nest *words, struct gen_writer *writer,
                           const struct gen_syntax *variable)
{
  const struct gen_syntax *initial = variable->variable.initial;
  const char *text = initial ? value(words, initial, 0) : "";
  if (!text)
    return false;
  gen_line(writer, initial ? "%s%s %s = %s;" : "%s%s %s;%s",
           variable->variable.constant ? "const " : "", gen_values_name(words->kernel->translation),
           variable->name, text);
  return true;
}

static bool write_assignment(const struct gen_words_of_nest *words, struct gen_writer *writer,
                             const struct gen_syntax *syntax)
{
  static const char *const signs[GEN_SYNTAX_INCREMENT + 1] = {[GEN_SYNTAX_NONE] = "=",
                                                              [GEN_SYNTAX_ADD] = "+=",
                                                              [GEN_SYNTAX_SUBTRACT] = "-=",
                                                              [GEN_SYNTAX_MULTIPLY] = "*=",
                                                              [GEN_SYNTAX_DIVIDE] = "/="};
  const char *left = value(words, syntax->part[0], 0), *right = value(words, syntax->part[1], 0);
  if (!signs[syntax->operation])
    return gen_decline(syntax, "is an assignment other than = += -= *= /=");
  if (left && right)
    gen_line(writer, "%s %s %s;", left, signs[syntax->operation], right);
  return left && right;
}

static bool write_statement(const struct gen_words_of_nest *words, struct gen_writer *writer,
                            const struct gen_syntax *syntax, bool outermost);

static bool write_if(const struct gen_words_of_nest *words, struct gen_writer *writer,
                     const struct gen_syntax *syntax)
{
  const char *condition = value(words, syntax->part[0], CHOSEN);
  bool fine = condition != NULL;
  for (int branch = 1; fine && branch < syntax->count; branch++) {
    if (branch == 1)
      gen_line(writer, "if (%s) {", condition);
    else
      gen_line(writer, "} else {");
    fine = write_statement(words, writer, syntax->part[branch], true);
  }
  gen_line(writer, "}");
  return fine;
}

static bool write_statement(const struct gen_words_of_nest *words, struct gen_writer *writer,
                            const struct gen_syntax *syntax, bool outermost)
{
  bool fine = true;
  switch (syntax->kind) {
  case GEN_SYNTAX_EMPTY:
    return true;
  case GEN_SYNTAX_BLOCK:
    if (!outermost)
      gen_line(writer, "{");
    for (int s = 0; fine && s < syntax->count; s++)
      fine = write_statement(words, writer, syntax->part[s], false);
    if (!outermost)
      gen_line(writer, "}");
    return fine;
  case GEN_SYNTAX_DECLARE:
    for (int n = 0; fine && !gen_sets_integers(syntax) && n < syntax->count; n++)
      fine = write_variable(words, writer, syntax->part[n]);
    return fine;
  case GEN_SYNTAX_ASSIGN:
    return gen_sets_integers(syntax) || write_assignment(words, writer, syntax);
  case GEN_SYNTAX_IF:
    return write_if(words, writer, syntax);
  default:
    return gen_decline(syntax, "is a statement of a kind that --standalone does not write");
  }
}

bool gen_write_statements(const struct gen_words_of_nest *words, struct gen_writer *writer)
{
  const struct gen_nest_kernel *kernel = words->kernel;
  gen_enter_nest(kernel->translation, kernel->nest);
  for (int n = 0; n < kernel->privates; n++)
    gen_line(writer, "%s %s;", gen_values_name(kernel->translation), kernel->own_variable[n]->name);
  return write_statement(words, writer, kernel->nest->body, true);
}
