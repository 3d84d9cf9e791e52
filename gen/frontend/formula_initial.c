#include "formula_initial.h"

#include <string.h>

enum { MOST_NESTED = 64, LEVELS = 5 };

/* An expression that is being read. All functions return C text; NULL after a rejection. */
struct reading {
  struct gen_formula *formula;
  struct gen_scanner *scanner;
  int nested;
};

/* The signs between two values, those that bind least first. */
static const char *const signs[LEVELS][7] = {
  {"||"}, {"&&"}, {"<", ">", "<=", ">=", "==", "!="}, {"+", "-"}, {"*", "/"}};
static const char *read_value(struct reading *reading);

static const char *number_text(double number)
{
  const char *text = gen_text("%.17g", number);
  return strpbrk(text, ".e") ? text : gen_text("%s.0", text);
}

static const char *read_call(struct reading *reading, const char *name, struct gen_location where)
{
  static const struct {
    const char *name;
    int values;
  } known[] = {{"exp", 1},  {"log", 1},   {"sin", 1},  {"cos", 1},  {"tanh", 1}, {"sqrt", 1},
               {"fabs", 1}, {"floor", 1}, {"fmax", 2}, {"fmin", 2}, {"pow", 2}};
  size_t f = 0;
  while (f < sizeof known / sizeof *known && strcmp(name, known[f].name) != 0)
    f++;
  if (f == sizeof known / sizeof *known) {
    gen_reject(where,
               "'%s' is no function of initial values: there are exp, log, sin, cos, tanh, sqrt, "
               "fabs, floor, fmax, fmin and pow",
               name);
    return NULL;
  }
  const char *text = gen_text("%s(", name);
  for (int n = 0; n < known[f].values; n++) {
    const char *why =
      gen_text(": %s takes %d value%s", name, known[f].values, known[f].values > 1 ? "s" : "");
    const char *value =
      gen_scan_expect(reading->scanner, n ? "," : "(", why) ? read_value(reading) : NULL;
    if (!value)
      return NULL;
    text = gen_text("%s%s%s", text, n ? ", " : "", value);
  }
  return gen_scan_expect(reading->scanner, ")", "") ? gen_text("%s)", text) : NULL;
}

static const char *read_name(struct reading *reading)
{
  static const char *const places[] = {"x", "y", "z", "i", "j", "k", "nx", "ny", "nz"};
  struct gen_program *program = reading->formula->program;
  const struct gen_token token = reading->scanner->token;
  const int scalar = gen_formula_scalar(program, token.text);
  if (!gen_scan_next(reading->scanner))
    return NULL;
  if (gen_scan_is(reading->scanner, "("))
    return read_call(reading, token.text, token.where);
  if (scalar >= 0) {
    program->scalar[scalar].read = true;
    return gen_text("parameter[%d]", scalar);
  }
  for (size_t n = 0; n < sizeof places / sizeof *places; n++)
    if (strcmp(token.text, places[n]) == 0)
      return places[n];
  gen_reject(token.where,
             "'%s' is neither a parameter that is declared nor a place: these are x, y, z, i, j, "
             "k, nx, ny and nz",
             token.text);
  return NULL;
}

static const char *read_unary(struct reading *reading)
{
  struct gen_scanner *scanner = reading->scanner;
  const char *value = NULL;
  const bool minus = gen_scan_is(scanner, "-"), no = gen_scan_is(scanner, "!");
  if (minus || no) {
    if (++reading->nested > MOST_NESTED) {
      gen_reject(scanner->token.where, "more than %d values inside one another", MOST_NESTED);
      return NULL;
    }
    value = gen_scan_next(scanner) ? read_unary(reading) : NULL;
    reading->nested--;
    return value ? gen_text(minus ? "(-%s)" : "(double)!%s", value) : NULL;
  }
  if (scanner->token.kind == GEN_TOKEN_NUMBER) {
    value = number_text(scanner->token.number);
    return gen_scan_next(scanner) ? value : NULL;
  }
  if (scanner->token.kind == GEN_TOKEN_NAME)
    return read_name(reading);
  if (!gen_scan_is(scanner, "(")) {
    gen_scan_wrong(scanner, "a value");
    return NULL;
  }
  value = gen_scan_next(scanner) ? read_value(reading) : NULL;
  return value && gen_scan_expect(scanner, ")", "") ? value : NULL;
}

/* Values with the signs of a level, and of those that bind more, between them. */
static const char *read_level(struct reading *reading, int level)
{
  struct gen_scanner *scanner = reading->scanner;
  const char *value = level == LEVELS ? read_unary(reading) : read_level(reading, level + 1);
  while (value && level < LEVELS) {
    const char *const *sign = signs[level];
    while (*sign && !gen_scan_is(scanner, *sign))
      sign++;
    if (!*sign)
      return value;
    const char *next = gen_scan_next(scanner) ? read_level(reading, level + 1) : NULL;
    /* What C makes an int is a number like any other here: 1 / 2 is a half. */
    value = next ? gen_text("%s(%s %s %s)", level < 3 ? "(double)" : "", value, *sign, next) : NULL;
  }
  return value;
}

/* Of a condition, what is true, what is not. */
static const char *read_value(struct reading *reading)
{
  struct gen_scanner *scanner = reading->scanner;
  if (++reading->nested > MOST_NESTED) {
    gen_reject(scanner->token.where, "more than %d values inside one another", MOST_NESTED);
    return NULL;
  }
  const char *value = read_level(reading, 0), *then, *other;
  if (value && gen_scan_is(scanner, "?")) {
    if (!gen_scan_next(scanner) || !(then = read_value(reading))
        || !gen_scan_expect(scanner, ":", ": CONDITION ? VALUE : VALUE")
        || !(other = read_value(reading)))
      return NULL;
    value = gen_text("(%s ? %s : %s)", value, then, other);
  }
  reading->nested--;
  return value;
}

bool gen_formula_initial(struct gen_formula *formula)
{
  struct gen_scanner *scanner = &formula->scanner;
  struct reading reading = {.formula = formula, .scanner = scanner};
  const struct gen_token name = scanner->token;
  const int array =
    name.kind == GEN_TOKEN_NAME ? gen_formula_array(formula->program, name.text) : -1;
  if (array < 0)
    return gen_scan_wrong(scanner, "an array that is declared before");
  if (formula->program->array[array].initial)
    return gen_reject(name.where, "initial values of '%s' are said twice", name.text);
  if (!gen_scan_next(scanner) || !gen_scan_expect(scanner, "=", " (initial NAME = VALUE;)"))
    return false;
  formula->program->array[array].initial = read_value(&reading);
  return formula->program->array[array].initial != NULL;
}
