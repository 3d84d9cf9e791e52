#include "formula_values.h"

#include <string.h>

static const char axis_letter[] = "ijk";

int gen_formula_array(const struct gen_program *program, const char *name)
{
  for (int a = 0; a < program->arrays; a++)
    if (program->array[a].age == 0 && strcmp(program->array[a].name, name) == 0)
      return a;
  return -1;
}

int gen_formula_scalar(const struct gen_program *program, const char *name)
{
  for (int s = 0; s < program->scalars; s++)
    if (strcmp(program->scalar[s].name, name) == 0)
      return s;
  return -1;
}

int gen_formula_aged(struct gen_program *program, int of, int age, struct gen_location where)
{
  for (int a = 0; a < program->arrays; a++)
    if (program->array[a].of == of && program->array[a].age == age)
      return a;
  if (program->arrays == GEN_MAX_PROGRAM_ARRAYS) {
    gen_reject(where, "more than %d arrays, past values and those to come included",
               GEN_MAX_PROGRAM_ARRAYS);
    return -1;
  }
  struct gen_program_array *array = &program->array[program->arrays];
  *array = program->array[of];
  array->age = age;
  array->where = where;
  array->read = array->written = array->corners = false;
  array->ghosts = 0;
  array->name = age > 0 ? gen_text("past%d_%s", age, program->array[of].name)
                        : gen_text("next_%s", program->array[of].name);
  array->shown = age > 0 ? gen_text("%s@-%d", program->array[of].name, age)
                         : gen_text("the next values of %s", program->array[of].name);
  return program->arrays++;
}

int gen_formula_temporary(const struct gen_formula *formula, const char *name)
{
  for (int t = 0; t < formula->temporaries; t++)
    if (strcmp(formula->kernel->scalar[formula->temporary[t].scalar].name, name) == 0)
      return t;
  return -1;
}

/* ---- subscripts ---- */

/* The offset of a subscript: nothing, + n or - n. */
static bool read_offset(struct gen_formula *formula, char letter, int *offset)
{
  struct gen_scanner *scanner = &formula->scanner;
  const bool minus = gen_scan_is(scanner, "-");
  *offset = 0;
  if (!minus && !gen_scan_is(scanner, "+"))
    return gen_scan_is(scanner, "]")
      || gen_scan_wrong(scanner, gen_text("']', or + or - and a number after '%c',", letter));
  if (!gen_scan_next(scanner))
    return false;
  if (scanner->token.kind != GEN_TOKEN_NUMBER || !scanner->token.whole)
    return gen_scan_wrong(scanner, "a whole number, as offsets are constant,");
  if (scanner->token.number > GEN_MAX_GHOSTS)
    return gen_reject(scanner->token.where, "offset %s is more than %d cells", scanner->token.text,
                      GEN_MAX_GHOSTS);
  *offset = minus ? -(int)scanner->token.number : (int)scanner->token.number;
  return gen_scan_next(scanner);
}

bool gen_formula_subscripts(struct gen_formula *formula, const char *name,
                            struct gen_access *access)
{
  struct gen_scanner *scanner = &formula->scanner;
  const int dimensions = formula->program->dimensions;
  for (int axis = 0; axis < GEN_AXES; axis++) {
    access->subscript[axis] = (struct gen_subscript){.table = -1};
    access->subscript[axis].affine.coefficient[axis] = 1;
  }
  for (int d = 0; d < dimensions; d++) {
    const char letter[] = {axis_letter[d], 0};
    if (!gen_scan_expect(scanner, "[",
                         gen_text(" (subscript %d of %d of '%s')", d + 1, dimensions, name))
        || !gen_scan_expect(scanner, letter,
                            gen_text(": subscripts of '%s' are %s, i the fastest", name,
                                     dimensions == 3 ? "[i][j][k]" : "[i][j]"))
        || !read_offset(formula, axis_letter[d], &access->subscript[d].affine.constant)
        || !gen_scan_expect(scanner, "]", ""))
      return false;
  }
  if (gen_scan_is(scanner, "["))
    return gen_reject(scanner->token.where, "'%s' has a subscript too many: it has %d", name,
                      dimensions);
  return true;
}

/* ---- values; NULL after a rejection ---- */

const struct gen_expr *gen_formula_read(struct gen_formula *formula, struct gen_access access,
                                        struct gen_location where)
{
  const struct gen_program_array *array = &formula->program->array[access.array];
  if (formula->uses == GEN_MAX_USES) {
    gen_reject(where, "more than %d reads of arrays in one kernel", GEN_MAX_USES);
    return NULL;
  }
  if (array->age == 0 && formula->stored[access.array]) {
    gen_reject(where,
               "'%s' is read after line %d has stored it in the same kernel, where only its values "
               "from before the kernel are known; hold the new one in a temporary, or read it in a "
               "kernel of its own",
               array->name, formula->stored_where[access.array].line);
    return NULL;
  }
  struct gen_expr *expr = gen_copy(gen_access_ref(access));
  expr->where = where;
  formula->use[formula->uses++] = expr;
  return expr;
}

/* How many steps ago, after a name: @-n, or nothing. */
static bool read_age(struct gen_formula *formula, int *age)
{
  struct gen_scanner *scanner = &formula->scanner;
  *age = 0;
  if (!gen_scan_is(scanner, "@"))
    return true;
  if (!gen_scan_next(scanner)
      || !gen_scan_expect(scanner, "-", ": u@-1 is what u was one step ago"))
    return false;
  if (scanner->token.kind != GEN_TOKEN_NUMBER || !scanner->token.whole || scanner->token.number < 1
      || scanner->token.number > GEN_MAX_AGE)
    return gen_scan_wrong(scanner, gen_text("a number of steps from 1 to %d", GEN_MAX_AGE));
  *age = (int)scanner->token.number;
  return gen_scan_next(scanner);
}

static const struct gen_expr *read_element(struct gen_formula *formula, int array,
                                           struct gen_location where)
{
  struct gen_access access = {.array = array};
  const char *name = formula->program->array[array].name;
  int age;
  if (!read_age(formula, &age))
    return NULL;
  for (int n = 1; n <= age; n++) { /* younger ones are passed on to older ones */
    access.array = gen_formula_aged(formula->program, array, n, where);
    if (access.array < 0)
      return NULL;
  }
  return gen_formula_subscripts(formula, name, &access) ? gen_formula_read(formula, access, where)
                                                        : NULL;
}

const struct gen_expr *gen_formula_parameter(struct gen_formula *formula, int index,
                                             struct gen_location where)
{
  struct gen_program_scalar *scalar = &formula->program->scalar[index];
  struct gen_kernel *kernel = formula->kernel;
  int s = 0, parameters = 0;
  scalar->read = true;
  for (; s < kernel->scalars && strcmp(kernel->scalar[s].name, scalar->name) != 0; s++)
    parameters += kernel->scalar[s].role == GEN_PARAMETER;
  if (s == GEN_MAX_SCALARS || (s == kernel->scalars && parameters == GEN_MAX_PARAMETERS)) {
    gen_reject(where, "more than %d parameters, or %d with temporaries, in one kernel",
               GEN_MAX_PARAMETERS, GEN_MAX_SCALARS);
    return NULL;
  }
  if (s == kernel->scalars)
    kernel->scalar[kernel->scalars++] =
      (struct gen_scalar){.name = scalar->name, .where = scalar->where, .role = GEN_PARAMETER};
  return gen_scalar_ref(s);
}

static const struct gen_expr *read_call(struct gen_formula *formula, const char *name,
                                        struct gen_location where)
{
  const struct gen_intrinsic *function = gen_find_intrinsic(name);
  if (!function) {
    gen_reject(where, "'%s' is no function: there are fma, fabs, fmax, fmin and sqrt", name);
    return NULL;
  }
  const struct gen_expr *a[3] = {NULL};
  for (int n = 0; n < function->arity; n++)
    if (!gen_scan_expect(&formula->scanner, n ? "," : "(",
                         gen_text(": %s takes %d values", name, function->arity))
        || !(a[n] = gen_formula_value(formula)))
      return NULL;
  return gen_scan_expect(
           &formula->scanner, ")",
           gen_text(": %s takes %d value%s", name, function->arity, function->arity > 1 ? "s" : ""))
    ? gen_operation(function->kind, a[0], a[1], a[2])
    : NULL;
}

static const struct gen_expr *read_name(struct gen_formula *formula)
{
  const struct gen_token token = formula->scanner.token;
  const int array = gen_formula_array(formula->program, token.text),
            scalar = gen_formula_scalar(formula->program, token.text),
            temporary = gen_formula_temporary(formula, token.text);
  if (!gen_scan_next(&formula->scanner))
    return NULL;
  if (gen_scan_is(&formula->scanner, "("))
    return read_call(formula, token.text, token.where);
  if (array >= 0)
    return read_element(formula, array, token.where);
  if (scalar >= 0)
    return gen_formula_parameter(formula, scalar, token.where);
  if (temporary >= 0) {
    formula->temporary[temporary].read = true;
    return gen_scalar_ref(formula->temporary[temporary].scalar);
  }
  gen_reject(token.where,
             "'%s' is neither an array nor a parameter that is declared, nor a temporary that an "
             "equation before has set",
             token.text);
  return NULL;
}

static const struct gen_expr *read_primary(struct gen_formula *formula)
{
  struct gen_scanner *scanner = &formula->scanner;
  const struct gen_expr *value = NULL;
  if (scanner->token.kind == GEN_TOKEN_NUMBER) {
    value = gen_number(scanner->token.number);
    return gen_scan_next(scanner) ? value : NULL;
  }
  if (scanner->token.kind == GEN_TOKEN_NAME)
    return read_name(formula);
  if (!gen_scan_is(scanner, "(")) {
    gen_scan_wrong(scanner, "a value");
    return NULL;
  }
  if (!gen_scan_next(scanner))
    return NULL;
  value = gen_formula_value(formula);
  return value && gen_scan_expect(scanner, ")", "") ? value : NULL;
}

static const struct gen_expr *read_unary(struct gen_formula *formula)
{
  const bool minus = gen_scan_is(&formula->scanner, "-");
  if (!minus && !gen_scan_is(&formula->scanner, "+"))
    return read_primary(formula);
  const struct gen_expr *a = gen_scan_next(&formula->scanner) ? read_unary(formula) : NULL;
  if (!a || !minus)
    return a;
  return a->kind == GEN_NUMBER ? gen_number(-a->number) : gen_unary(GEN_NEGATE, a);
}

const struct gen_expr *gen_formula_binary(enum gen_expr_kind kind, const struct gen_expr *a,
                                          const struct gen_expr *b, struct gen_location where)
{
  if (kind == GEN_DIVIDE && gen_is_number(b, 0)) {
    gen_reject(where, "a division by zero");
    return NULL;
  }
  const struct gen_expr *folded = gen_folded(kind, a, b);
  return folded ? folded : gen_binary(kind, a, b);
}

static const struct gen_expr *read_product(struct gen_formula *formula)
{
  struct gen_scanner *scanner = &formula->scanner;
  const struct gen_expr *value = read_unary(formula);
  while (value && (gen_scan_is(scanner, "*") || gen_scan_is(scanner, "/"))) {
    const enum gen_expr_kind kind = gen_scan_is(scanner, "*") ? GEN_MULTIPLY : GEN_DIVIDE;
    if (!gen_scan_next(scanner))
      return NULL;
    const struct gen_location where = scanner->token.where;
    const struct gen_expr *next = read_unary(formula);
    value = next ? gen_formula_binary(kind, value, next, where) : NULL;
  }
  return value;
}

const struct gen_expr *gen_formula_value(struct gen_formula *formula)
{
  struct gen_scanner *scanner = &formula->scanner;
  const struct gen_expr *value = read_product(formula);
  while (value && (gen_scan_is(scanner, "+") || gen_scan_is(scanner, "-"))) {
    const enum gen_expr_kind kind = gen_scan_is(scanner, "+") ? GEN_ADD : GEN_SUBTRACT;
    const struct gen_location where = scanner->token.where;
    const struct gen_expr *next = gen_scan_next(scanner) ? read_product(formula) : NULL;
    value = next ? gen_formula_binary(kind, value, next, where) : NULL;
  }
  return value;
}
