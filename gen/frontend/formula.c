#include "formula.h"

#include "formula_head.h"
#include "formula_kernel.h"
#include "formula_solve.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* ---- equations ---- */

static bool add_statement(struct gen_formula *formula, struct gen_statement statement)
{
  struct gen_kernel *kernel = formula->kernel;
  if (kernel->statements == GEN_MAX_STATEMENTS)
    return gen_reject(statement.where, "more than %d equations in one kernel", GEN_MAX_STATEMENTS);
  kernel->statement[kernel->statements++] = statement;
  return true;
}

/* Reads "= value;", or "+= value;" and the like, of what had the value `before`: NULL, none. */
static const struct gen_expr *read_right(struct gen_formula *formula, const struct gen_expr *before,
                                         const char *name)
{
  static const struct {
    const char *sign;
    enum gen_expr_kind kind;
  } compound[] = {{"+=", GEN_ADD}, {"-=", GEN_SUBTRACT}, {"*=", GEN_MULTIPLY}, {"/=", GEN_DIVIDE}};
  struct gen_scanner *scanner = &formula->scanner;
  int c = 0;
  while (c < 4 && !gen_scan_is(scanner, compound[c].sign))
    c++;
  if (c == 4 && !gen_scan_is(scanner, "=")) {
    gen_scan_wrong(scanner, "=, +=, -=, *= or /=");
    return NULL;
  }
  if (c < 4 && !before) {
    gen_reject(scanner->token.where, "'%s' is changed by %s before it is set", name,
               compound[c].sign);
    return NULL;
  }
  const struct gen_location where = scanner->token.where;
  const struct gen_expr *value = gen_scan_next(scanner) ? gen_formula_value(formula) : NULL;
  if (value && c < 4)
    value = gen_formula_binary(compound[c].kind, before, value, where);
  return value && gen_scan_expect(scanner, ";", " after an equation") ? value : NULL;
}

static bool read_temporary(struct gen_formula *formula, const struct gen_token *name)
{
  struct gen_kernel *kernel = formula->kernel;
  int t = gen_formula_temporary(formula, name->text);
  if (gen_formula_scalar(formula->program, name->text) >= 0)
    return gen_reject(name->where, "'%s' is a parameter, which equations cannot change",
                      name->text);
  if (t < 0 && !gen_formula_free_name(formula, name))
    return false;
  const struct gen_expr *before = t < 0 ? NULL : gen_scalar_ref(formula->temporary[t].scalar);
  const struct gen_expr *value = read_right(formula, before, name->text);
  if (!value)
    return false;
  if (t < 0) {
    if (kernel->scalars == GEN_MAX_SCALARS)
      return gen_reject(name->where, "more than %d parameters and temporaries in one kernel",
                        GEN_MAX_SCALARS);
    t = formula->temporaries++;
    kernel->scalar[kernel->scalars] =
      (struct gen_scalar){.name = name->text, .where = name->where, .role = GEN_PRIVATE};
    formula->temporary[t] = (struct gen_temporary){.scalar = kernel->scalars++};
  }
  return add_statement(formula,
                       (struct gen_statement){.kind = GEN_SET,
                                              .where = name->where,
                                              .scalar = formula->temporary[t].scalar,
                                              .value = value});
}

static bool read_store(struct gen_formula *formula, int array, const struct gen_token *name)
{
  struct gen_statement store = {
    .kind = GEN_STORE, .where = name->where, .target = {.array = array}, .scalar = -1};
  if (gen_scan_is(&formula->scanner, "@"))
    return gen_reject(formula->scanner.token.where, "past values of '%s' cannot be stored",
                      name->text);
  if (!gen_formula_subscripts(formula, name->text, &store.target))
    return false;
  for (int axis = 0; axis < GEN_BOX; axis++)
    if (store.target.subscript[axis].affine.constant)
      return gen_reject(name->where,
                        "'%s' is stored at an offset; an equation stores at [i][j][k] itself",
                        name->text);
  if (formula->stored[array])
    return gen_reject(name->where, "'%s' is stored twice in one kernel, first in line %d",
                      name->text, formula->stored_where[array].line);
  const struct gen_expr *before = NULL;
  if (!gen_scan_is(&formula->scanner, "=")
      && !(before = gen_formula_read(formula, store.target, name->where)))
    return false;
  store.value = read_right(formula, before, name->text);
  if (!store.value)
    return false;
  formula->stored[array] = true;
  formula->stored_where[array] = name->where;
  return add_statement(formula, store);
}

static bool read_equation(struct gen_formula *formula)
{
  const struct gen_token name = formula->scanner.token;
  if (name.kind != GEN_TOKEN_NAME)
    return gen_scan_wrong(&formula->scanner, "an equation");
  if (!gen_scan_next(&formula->scanner))
    return false;
  const int array = gen_formula_array(formula->program, name.text);
  if (array >= 0)
    return read_store(formula, array, &name);
  if (gen_scan_is(&formula->scanner, "["))
    return gen_reject(name.where, "array '%s' is not declared", name.text);
  return read_temporary(formula, &name);
}

/* ---- kernels ---- */

/* kernel NAME { equations } */
static bool read_kernel(struct gen_formula *formula)
{
  struct gen_scanner *scanner = &formula->scanner;
  if (!gen_scan_next(scanner))
    return false;
  const struct gen_token name = scanner->token;
  if (name.kind != GEN_TOKEN_NAME)
    return gen_scan_wrong(scanner, "the name of a kernel");
  if (!gen_formula_free_name(formula, &name)
      || !gen_formula_start_kernel(formula, name.text, name.where) || !gen_scan_next(scanner)
      || !gen_scan_expect(scanner, "{", ""))
    return false;
  while (!gen_scan_is(scanner, "}")) {
    if (scanner->token.kind == GEN_TOKEN_END)
      return gen_scan_wrong(scanner, gen_text("'}' of kernel '%s'", name.text));
    if (!read_equation(formula))
      return false;
  }
  return gen_scan_next(scanner) && gen_formula_finish_kernel(formula, name.where);
}

/* ---- steps ---- */

static bool is_step(const struct gen_scanner *scanner)
{
  return gen_scan_is(scanner, "swap") || gen_scan_is(scanner, "rotate")
    || gen_scan_is(scanner, "kernel") || gen_scan_is(scanner, "solve")
    || scanner->token.kind == GEN_TOKEN_END;
}

/* Equations without a kernel's name: one that has the file's. */
static bool read_bare(struct gen_formula *formula, int *bare)
{
  const struct gen_location where = formula->scanner.token.where;
  const char *name = formula->program->name;
  if (++*bare > 1)
    name = gen_text("%s_%d", name, *bare);
  if (!gen_formula_start_kernel(formula, name, where))
    return false;
  while (!is_step(&formula->scanner))
    if (!read_equation(formula))
      return false;
  return gen_formula_finish_kernel(formula, where);
}

/* swap a, b; rotate a, b, c: a takes the values of b, b those of c, c those of a. */
static bool read_permutation(struct gen_formula *formula)
{
  struct gen_scanner *scanner = &formula->scanner;
  struct gen_step step = {.kind = GEN_STEP_PERMUTE, .where = scanner->token.where};
  const bool swap = gen_scan_is(scanner, "swap");
  do {
    if (!gen_scan_next(scanner))
      return false;
    const int array = scanner->token.kind == GEN_TOKEN_NAME
      ? gen_formula_array(formula->program, scanner->token.text)
      : -1;
    if (array < 0)
      return gen_scan_wrong(scanner, "an array");
    for (int n = 0; n < step.count; n++)
      if (step.cycle[n] == array)
        return gen_reject(scanner->token.where, "'%s' is named twice", scanner->token.text);
    if (gen_formula_has_past(formula->program, array))
      return gen_reject(scanner->token.where,
                        "'%s' has past values, which the program itself passes on",
                        scanner->token.text);
    if (step.count == (swap ? 2 : GEN_MAX_CYCLE))
      return gen_reject(scanner->token.where, "more than %d arrays", step.count);
    step.cycle[step.count++] = array;
    if (!gen_scan_next(scanner))
      return false;
  } while (gen_scan_is(scanner, ","));
  if (step.count < 2)
    return gen_scan_wrong(scanner, "',' and another array");
  return gen_scan_expect(scanner, ";", "") && gen_add_step(formula->program, -1, step);
}

static bool read_body(struct gen_formula *formula)
{
  int bare = 0;
  bool fine = true;
  while (fine && formula->scanner.token.kind != GEN_TOKEN_END) {
    if (gen_scan_is(&formula->scanner, "kernel"))
      fine = read_kernel(formula);
    else if (gen_scan_is(&formula->scanner, "solve"))
      fine = gen_formula_solve(formula);
    else if (is_step(&formula->scanner))
      fine = read_permutation(formula);
    else
      fine = read_bare(formula, &bare);
  }
  return fine;
}

/* ---- the whole ---- */

/* What only the whole text shows. */
static bool check_whole(const struct gen_formula *formula)
{
  const struct gen_program *program = formula->program;
  bool moved[GEN_MAX_PROGRAM_ARRAYS] = {false};
  if (!program->kernels)
    return gen_scan_wrong(&formula->scanner, "an equation");
  for (int s = 0; s < program->steps; s++)
    for (int n = 0; n < program->step[s].count; n++)
      moved[program->step[s].cycle[n]] = true;
  for (int a = 0; a < program->arrays; a++) {
    const struct gen_program_array *array = &program->array[a];
    for (int d = 0; d < program->dimensions; d++)
      if ((array->wall[d][0].kind == GEN_WALL_PERIODIC)
          != (array->wall[d][1].kind == GEN_WALL_PERIODIC))
        return gen_reject(array->where, "'%s' is periodic on one side of %c alone", array->name,
                          "xyz"[d]);
    if (array->age == 0 && !array->read && !array->written && !moved[a]
        && !gen_formula_has_past(program, a))
      return gen_reject(array->where, "array '%s' is declared, but no equation has it",
                        array->name);
    if (array->age > 0 && !moved[a])
      return gen_reject(array->where,
                        "'%s' is read, but no equation here or further down stores '%s'",
                        array->shown, program->array[array->of].name);
  }
  for (int s = 0; s < program->scalars; s++)
    if (!program->scalar[s].read)
      return gen_reject(program->scalar[s].where,
                        "parameter '%s' is declared, but no equation "
                        "reads it",
                        program->scalar[s].name);
  return true;
}

const char *gen_read_text(const char *path)
{
  enum { MOST_BYTES = 1 << 20 };
  const struct gen_location where = {.file = path};
  FILE *file = fopen(path, "rb");
  char *text = gen_allocate(MOST_BYTES + 1);
  if (!file) {
    gen_reject(where, "cannot be read: %s", strerror(errno));
    return NULL;
  }
  const size_t length = fread(text, 1, MOST_BYTES + 1, file);
  const bool failed = ferror(file) != 0;
  fclose(file);
  if (failed || length > MOST_BYTES || memchr(text, 0, length)) {
    gen_reject(where,
               failed                  ? "cannot be read"
                 : length > MOST_BYTES ? "is longer than a file of formulas or directives can be"
                                       : "is no text: it has a byte 0");
    return NULL;
  }
  text[length] = 0;
  return text;
}

const char *gen_program_name(const char *path)
{
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  const size_t length = strcspn(name, ".");
  char *text = gen_allocate(length + 3);
  const bool digit = !length || (*name >= '0' && *name <= '9');
  memcpy(text, "p_", 2);
  memcpy(text + (digit ? 2 : 0), name, length);
  text[length + (digit ? 2 : 0)] = 0;
  for (char *c = text; *c; c++)
    if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_", *c))
      *c = '_';
  return text;
}

bool gen_parse_program(const char *path, struct gen_program **program)
{
  struct gen_formula *formula = gen_allocate(sizeof *formula);
  const char *text = gen_read_text(path);
  *program = formula->program = gen_allocate(sizeof **program);
  (*program)->path = path;
  (*program)->name = gen_program_name(path);
  return text && gen_scan_start(&formula->scanner, path, text) && gen_formula_head(formula)
    && read_body(formula) && check_whole(formula);
}
