#include "formula_head.h"

#include "formula_initial.h"
#include "formula_reduce.h"

#include <string.h>

enum { VERSION = 1, MOST_CELLS = 1 << 30 };

static bool read_name(struct gen_formula *formula, const char *what, struct gen_token *name)
{
  *name = formula->scanner.token;
  if (name->kind != GEN_TOKEN_NAME)
    return gen_scan_wrong(&formula->scanner, what);
  return gen_scan_next(&formula->scanner);
}

bool gen_formula_free_name(const struct gen_formula *formula, const struct gen_token *name)
{
  static const char *const reserved[] = {
    "i",      "j",        "k",         "fma",        "fabs",    "fmax",   "fmin",  "sqrt",
    "all",    "stencil",  "type",      "grid",       "array",   "swap",   "steps", "kernel",
    "rotate", "boundary", "parameter", "dimensions", "initial", "reduce", "solve"};
  for (size_t n = 0; n < sizeof reserved / sizeof *reserved; n++)
    if (strcmp(name->text, reserved[n]) == 0)
      return gen_reject(name->where, "'%s' is a word of the format, and cannot be a name",
                        name->text);
  if (strncmp(name->text, "next_", 5) == 0 || strncmp(name->text, "past", 4) == 0)
    return gen_reject(name->where,
                      "'%s' cannot be a name: those that begin with next_ or past are made from "
                      "those of arrays",
                      name->text);
  if (gen_formula_array(formula->program, name->text) >= 0
      || gen_formula_scalar(formula->program, name->text) >= 0
      || gen_formula_reduction(formula->program, name->text) >= 0)
    return gen_reject(name->where, "'%s' is declared twice", name->text);
  return true;
}

static bool read_array(struct gen_formula *formula)
{
  struct gen_program *program = formula->program;
  struct gen_token name;
  if (!read_name(formula, "the name of an array", &name) || !gen_formula_free_name(formula, &name))
    return false;
  if (program->arrays == GEN_MAX_PROGRAM_ARRAYS)
    return gen_reject(name.where, "more than %d arrays", GEN_MAX_PROGRAM_ARRAYS);
  program->array[program->arrays] = (struct gen_program_array){
    .name = name.text, .shown = name.text, .where = name.where, .of = program->arrays};
  program->arrays++;
  return true;
}

/* A number with a sign or without. */
static bool read_number(struct gen_formula *formula, const char *what, double *number)
{
  struct gen_scanner *scanner = &formula->scanner;
  const bool minus = gen_scan_is(scanner, "-");
  if (minus && !gen_scan_next(scanner))
    return false;
  if (scanner->token.kind != GEN_TOKEN_NUMBER)
    return gen_scan_wrong(scanner, what);
  *number = minus ? -scanner->token.number : scanner->token.number;
  return gen_scan_next(scanner);
}

static bool read_parameter(struct gen_formula *formula)
{
  struct gen_program *program = formula->program;
  struct gen_token name;
  if (!read_name(formula, "the name of a parameter", &name)
      || !gen_formula_free_name(formula, &name))
    return false;
  if (program->scalars == GEN_MAX_PROGRAM_SCALARS)
    return gen_reject(name.where, "more than %d parameters", GEN_MAX_PROGRAM_SCALARS);
  struct gen_program_scalar *scalar = &program->scalar[program->scalars++];
  *scalar = (struct gen_program_scalar){.name = name.text, .where = name.where};
  if (!gen_scan_is(&formula->scanner, "="))
    return true;
  scalar->has_value = true;
  return gen_scan_next(&formula->scanner)
    && read_number(formula, gen_text("a number, the value of '%s',", name.text), &scalar->value);
}

/* A whole number from `least` up. */
static bool read_whole(struct gen_formula *formula, const char *what, int least, int *value)
{
  const struct gen_token *token = &formula->scanner.token;
  if (token->kind != GEN_TOKEN_NUMBER || !token->whole || token->number < least
      || token->number > MOST_CELLS)
    return gen_scan_wrong(&formula->scanner, what);
  *value = (int)token->number;
  return gen_scan_next(&formula->scanner);
}

static bool read_dimensions(struct gen_formula *formula)
{
  const struct gen_location where = formula->scanner.token.where;
  int dimensions = 0;
  if (!read_whole(formula, "2 or 3", 1, &dimensions))
    return false;
  if (dimensions != 2 && dimensions != 3)
    return gen_reject(where, "found %d where 2 or 3 was expected", dimensions);
  formula->program->dimensions = dimensions;
  return true;
}

static bool read_type(struct gen_formula *formula)
{
  if (gen_scan_is(&formula->scanner, "float"))
    formula->program->type = GEN_FLOAT;
  else if (!gen_scan_is(&formula->scanner, "double"))
    return gen_scan_wrong(&formula->scanner, "float or double");
  return gen_scan_next(&formula->scanner);
}

static bool read_grid(struct gen_formula *formula)
{
  struct gen_program *program = formula->program;
  program->cells[2] = 1;
  for (int d = 0; d < program->dimensions; d++)
    if (!read_whole(formula,
                    gen_text("a number of cells, one of %d from 1 up,", program->dimensions), 1,
                    &program->cells[d]))
      return false;
  return true;
}

/* ---- boundaries ---- */

static bool read_rule(struct gen_formula *formula, struct gen_wall_rule *rule)
{
  struct gen_scanner *scanner = &formula->scanner;
  double value = 0;
  rule->text = scanner->token.text;
  rule->kind = GEN_WALL_MIRROR;
  rule->factor = 1;
  if (gen_scan_is(scanner, "fixed")) {
    rule->kind = GEN_WALL_FIXED;
  } else if (gen_scan_is(scanner, "periodic")) {
    rule->kind = GEN_WALL_PERIODIC;
  } else if (gen_scan_is(scanner, "mirror_node")) {
    rule->skip = 1;
  } else if (gen_scan_is(scanner, "value")) {
    if (!gen_scan_next(scanner)
        || !read_number(formula, "a number, the value at the wall,", &value))
      return false;
    rule->factor = -1;
    rule->constant = 2 * value;
    rule->text = gen_text("value %.17g", value);
    return true;
  } else if (!gen_scan_is(scanner, "mirror")) {
    return gen_scan_wrong(scanner, "fixed, mirror, mirror_node, periodic, or value and a number");
  }
  return gen_scan_next(scanner);
}

/* The sides that a word names, as bits 2 d + side; 0: none. */
static int sides_of(const char *word, int dimensions)
{
  const int d = word[0] - 'x';
  if (strcmp(word, "all") == 0)
    return (1 << 2 * dimensions) - 1;
  if (d < 0 || d >= dimensions)
    return 0;
  if (!word[1])
    return 3 << 2 * d;
  return strcmp(word + 1, "_lo") == 0 ? 1 << 2 * d : strcmp(word + 1, "_hi") == 0 ? 2 << 2 * d : 0;
}

/* A side, or all, and its rule, for one array or, -1, for all. */
static bool read_side(struct gen_formula *formula, int array)
{
  struct gen_program *program = formula->program;
  struct gen_wall_rule rule = {.kind = GEN_WALL_UNSET};
  const int sides = formula->scanner.token.kind == GEN_TOKEN_NAME
    ? sides_of(formula->scanner.token.text, program->dimensions)
    : 0;
  if (!sides)
    return gen_scan_wrong(&formula->scanner,
                          program->dimensions == 3 ? "a side (all, x, y, z, x_lo, x_hi, y_lo, ...)"
                                                   : "a side (all, x, y, x_lo, x_hi, y_lo, y_hi)");
  const struct gen_location where = formula->scanner.token.where;
  if (!gen_scan_next(&formula->scanner) || !read_rule(formula, &rule))
    return false;
  for (int s = 0; s < 2 * program->dimensions; s += 2)
    if (rule.kind == GEN_WALL_PERIODIC && (sides >> s & 3) % 3)
      return gen_reject(where, "one side cannot be periodic alone: write '%c periodic'",
                        "xyz"[s / 2]);
  for (int a = 0; a < program->arrays; a++)
    for (int s = 0; s < 2 * program->dimensions; s++)
      if ((array < 0 || a == array) && sides >> s & 1)
        program->array[a].wall[s / 2][s % 2] = rule;
  return true;
}

static bool read_boundary(struct gen_formula *formula)
{
  int array = -1;
  const struct gen_token name = formula->scanner.token;
  if (!formula->program->arrays)
    return gen_reject(name.where, "a boundary before the first array");
  if (name.kind == GEN_TOKEN_NAME && !sides_of(name.text, formula->program->dimensions)) {
    array = gen_formula_array(formula->program, name.text);
    if (array < 0)
      return gen_scan_wrong(&formula->scanner, "an array or a side");
    if (!gen_scan_next(&formula->scanner) || !gen_scan_expect(&formula->scanner, ":", ""))
      return false;
  }
  while (read_side(formula, array)) {
    if (!gen_scan_is(&formula->scanner, ","))
      return true;
    if (!gen_scan_next(&formula->scanner))
      return false;
  }
  return false;
}

/* ---- the whole ---- */

static bool read_list(struct gen_formula *formula, bool (*read)(struct gen_formula *formula))
{
  while (read(formula)) {
    if (!gen_scan_is(&formula->scanner, ","))
      return true;
    if (!gen_scan_next(&formula->scanner))
      return false;
  }
  return false;
}

static bool read_steps(struct gen_formula *formula)
{
  return read_whole(formula, "a number of steps from 1 up", 1, &formula->program->times);
}

static bool read_arrays(struct gen_formula *formula)
{
  return read_list(formula, read_array);
}

static bool read_parameters(struct gen_formula *formula)
{
  return read_list(formula, read_parameter);
}

static bool read_version(struct gen_formula *formula)
{
  struct gen_scanner *scanner = &formula->scanner;
  if (!gen_scan_expect(scanner, "stencil", ": a formula file begins with 'stencil 1;'"))
    return false;
  if (scanner->token.kind != GEN_TOKEN_NUMBER || scanner->token.number != VERSION)
    return gen_scan_wrong(scanner, "1, the version of the format,");
  return gen_scan_next(scanner) && gen_scan_expect(scanner, ";", "");
}

bool gen_formula_head(struct gen_formula *formula)
{
  static const struct {
    const char *word;
    bool (*read)(struct gen_formula *formula);
    bool sized, once; /* needs the dimensions; may be said once */
  } part[] = {{"dimensions", read_dimensions, false, true},
              {"type", read_type, false, true},
              {"grid", read_grid, true, true},
              {"steps", read_steps, false, true},
              {"array", read_arrays, true, false},
              {"boundary", read_boundary, true, false},
              {"parameter", read_parameters, false, false},
              {"initial", gen_formula_initial, true, false},
              {"reduce", gen_formula_note_reduction, true, false}};
  enum { PARTS = sizeof part / sizeof *part };
  bool said[PARTS] = {false};
  if (!read_version(formula))
    return false;
  for (;;) {
    struct gen_scanner *scanner = &formula->scanner;
    const struct gen_location where = scanner->token.where;
    size_t p = 0;
    while (p < PARTS && !gen_scan_is(scanner, part[p].word))
      p++;
    if (p < PARTS && said[p] && part[p].once)
      return gen_reject(where, "'%s' is said twice", part[p].word);
    if ((p == PARTS || part[p].sized) && !formula->program->dimensions)
      return gen_scan_wrong(scanner, "'dimensions 2;' or 'dimensions 3;'");
    if (p == PARTS)
      return gen_formula_reductions(formula);
    said[p] = true;
    if (!gen_scan_next(scanner) || !part[p].read(formula)
        || !gen_scan_expect(scanner, ";", gen_text(" after '%s'", part[p].word)))
      return false;
  }
}
