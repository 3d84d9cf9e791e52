#include "formula.h"

#include "formula_head.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
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

/* Whether the kernel reads the array elsewhere than at the point it is at. */
static bool reads_neighbours(const struct gen_formula *formula, int array)
{
  for (int u = 0; u < formula->uses; u++) {
    const struct gen_access *access = &formula->use[u]->access;
    for (int axis = 0; axis < GEN_BOX; axis++)
      if (access->array == array && access->subscript[axis].affine.constant)
        return true;
  }
  return false;
}

static bool has_past(const struct gen_program *program, int array)
{
  for (int a = 0; a < program->arrays; a++)
    if (program->array[a].of == array && program->array[a].age > 0)
      return true;
  return false;
}

/* Where a stored array's new values go: elsewhere where its old ones are still needed. -1 after a
 * rejection. */
static int target_of(struct gen_formula *formula, int array, struct gen_location where)
{
  return has_past(formula->program, array) || reads_neighbours(formula, array)
    ? gen_formula_aged(formula->program, array, GEN_AGE_NEXT, where)
    : array;
}

/* Notes how far the kernel reads, on the program's arrays, and how far at most. */
static bool note_reach(struct gen_formula *formula, int *most)
{
  struct gen_program *program = formula->program;
  for (int u = 0; u < formula->uses; u++) {
    const struct gen_access *access = &formula->use[u]->access;
    struct gen_program_array *array = &program->array[access->array];
    int directions = 0;
    array->read = true;
    for (int axis = 0; axis < GEN_BOX; axis++) {
      const int offset = abs(access->subscript[axis].affine.constant);
      directions += offset > 0;
      array->ghosts = offset > array->ghosts ? offset : array->ghosts;
      *most = offset > *most ? offset : *most;
      if (offset
          && (!program->array[array->of].wall[axis][0].kind
              || !program->array[array->of].wall[axis][1].kind))
        return gen_reject(formula->use[u]->where,
                          "'%s' is read beyond the walls in %c, but no 'boundary' says what is "
                          "there",
                          program->array[array->of].name, "xyz"[axis]);
    }
    array->corners = array->corners || directions > 1;
  }
  return true;
}

/* The kernel's own array for one of the program's. */
static void add_array(struct gen_formula *formula, int index, int first,
                      struct gen_program_kernel *bound)
{
  struct gen_kernel *kernel = formula->kernel;
  struct gen_array *array = &kernel->array[kernel->arrays];
  *array = (struct gen_array){.name = formula->program->array[index].name,
                              .where = formula->program->array[index].where,
                              .type = formula->program->type,
                              .rank = 4,
                              .first = first,
                              .restricted = true};
  for (int axis = 0; axis < GEN_AXES; axis++) {
    array->extent[axis] = gen_affine_constant(axis == GEN_BOX ? 0 : 2 * first);
    array->extent[axis].coefficient[2 * GEN_AXES - 1 - axis] = 1;
  }
  bound->array[kernel->arrays++] = index;
}

/* Loops over all cells, and the symbols in the order of a C function's arguments. */
static void make_loops(struct gen_kernel *kernel, int first)
{
  static const char *const extents[] = {"boxes", "nk", "nj", "ni"};
  kernel->symbols = 2 * GEN_AXES;
  for (int axis = 0; axis < GEN_AXES; axis++) {
    const int symbol = 2 * GEN_AXES - 1 - axis, from = axis == GEN_BOX ? 0 : first;
    kernel->symbol[axis].name = gen_axis_names[axis];
    kernel->symbol[symbol].name = extents[GEN_AXES - 1 - axis];
    kernel->loop[axis] = (struct gen_loop){.where = kernel->where,
                                           .lower = gen_affine_constant(from),
                                           .upper = gen_affine_constant(from - 1)};
    kernel->loop[axis].upper.coefficient[symbol] = 1;
  }
}

/* Gives the kernel its arrays in the order of the program's, and its accesses their numbers. */
static void bind_arrays(struct gen_formula *formula, int first, struct gen_program_kernel *bound)
{
  struct gen_kernel *kernel = formula->kernel;
  int number[GEN_MAX_PROGRAM_ARRAYS];
  bool used[GEN_MAX_PROGRAM_ARRAYS] = {false};
  for (int u = 0; u < formula->uses; u++)
    used[formula->use[u]->access.array] = true;
  for (int s = 0; s < kernel->statements; s++)
    if (kernel->statement[s].kind == GEN_STORE)
      used[kernel->statement[s].target.array] = true;
  for (int a = 0; a < formula->program->arrays; a++)
    if (used[a]) {
      number[a] = kernel->arrays;
      add_array(formula, a, first, bound);
    }
  for (int u = 0; u < formula->uses; u++)
    formula->use[u]->access.array = number[formula->use[u]->access.array];
  for (int s = 0; s < kernel->statements; s++)
    if (kernel->statement[s].kind == GEN_STORE)
      kernel->statement[s].target.array = number[kernel->statement[s].target.array];
  gen_mark_accesses(kernel);
  for (int a = 0; a < kernel->arrays; a++)
    kernel->array[a].constant = !kernel->array[a].written;
}

/* The new values become those of the array, its own the past ones. */
static bool add_turn(struct gen_program *program, int array, int next, struct gen_location where)
{
  struct gen_step turn = {.kind = GEN_STEP_PERMUTE, .where = where};
  int age = 0;
  if (next == array)
    return true;
  turn.cycle[turn.count++] = next;
  for (int a = 0; a < program->arrays; a++)
    age =
      program->array[a].of == array && program->array[a].age > age ? program->array[a].age : age;
  for (; age >= 0; age--)
    turn.cycle[turn.count++] = gen_formula_aged(program, array, age, where);
  return gen_add_step(program, -1, turn);
}

static bool finish_kernel(struct gen_formula *formula, struct gen_location where)
{
  struct gen_program *program = formula->program;
  struct gen_kernel *kernel = formula->kernel;
  struct gen_program_kernel *bound = &program->kernel[program->kernels];
  int target[GEN_MAX_PROGRAM_ARRAYS], first = 0;
  for (int t = 0; t < formula->temporaries; t++)
    if (!formula->temporary[t].read)
      return gen_reject(kernel->scalar[formula->temporary[t].scalar].where,
                        "'%s' is set, but nothing reads it; is it an array that is not declared?",
                        kernel->scalar[formula->temporary[t].scalar].name);
  bool stores = false;
  for (int s = 0; s < kernel->statements; s++) {
    struct gen_access *access = &kernel->statement[s].target;
    if (kernel->statement[s].kind != GEN_STORE)
      continue;
    const int array = access->array;
    stores = true;
    target[array] = access->array = target_of(formula, array, kernel->statement[s].where);
    if (target[array] < 0)
      return false;
    if (has_past(program, array) && program->array[array].written)
      return gen_reject(kernel->statement[s].where,
                        "'%s' has past values, but two kernels store it: which one ends a step?",
                        program->array[array].name);
    program->array[array].written = program->array[target[array]].written = true;
  }
  if (!stores)
    return gen_reject(where, "kernel '%s' stores no array", kernel->name);
  if (!note_reach(formula, &first))
    return false;
  make_loops(kernel, first);
  bind_arrays(formula, first, bound);
  bound->kernel = kernel;
  bool fine = gen_add_step(
    program, -1,
    (struct gen_step){.kind = GEN_STEP_RUN, .where = where, .kernel = program->kernels++});
  for (int a = 0; fine && a < GEN_MAX_PROGRAM_ARRAYS; a++)
    if (formula->stored[a])
      fine = add_turn(program, a, target[a], where);
  return fine;
}

static bool start_kernel(struct gen_formula *formula, const char *name, struct gen_location where)
{
  struct gen_program *program = formula->program;
  if (program->kernels == GEN_MAX_PROGRAM_KERNELS)
    return gen_reject(where, "more than %d kernels", GEN_MAX_PROGRAM_KERNELS);
  for (int k = 0; k < program->kernels; k++)
    if (strcmp(program->kernel[k].kernel->name, name) == 0)
      return gen_reject(where, "there are two kernels '%s'", name);
  formula->kernel = gen_allocate(sizeof *formula->kernel);
  *formula->kernel = (struct gen_kernel){.name = name, .where = where, .comment = ""};
  formula->uses = formula->temporaries = 0;
  memset(formula->stored, 0, sizeof formula->stored);
  return true;
}

/* kernel NAME { equations } */
static bool read_kernel(struct gen_formula *formula)
{
  struct gen_scanner *scanner = &formula->scanner;
  if (!gen_scan_next(scanner))
    return false;
  const struct gen_token name = scanner->token;
  if (name.kind != GEN_TOKEN_NAME)
    return gen_scan_wrong(scanner, "the name of a kernel");
  if (!gen_formula_free_name(formula, &name) || !start_kernel(formula, name.text, name.where)
      || !gen_scan_next(scanner) || !gen_scan_expect(scanner, "{", ""))
    return false;
  while (!gen_scan_is(scanner, "}")) {
    if (scanner->token.kind == GEN_TOKEN_END)
      return gen_scan_wrong(scanner, gen_text("'}' of kernel '%s'", name.text));
    if (!read_equation(formula))
      return false;
  }
  return gen_scan_next(scanner) && finish_kernel(formula, name.where);
}

/* ---- steps ---- */

static bool is_step(const struct gen_scanner *scanner)
{
  return gen_scan_is(scanner, "swap") || gen_scan_is(scanner, "rotate")
    || gen_scan_is(scanner, "kernel") || scanner->token.kind == GEN_TOKEN_END;
}

/* Equations without a kernel's name: one that has the file's. */
static bool read_bare(struct gen_formula *formula, int *bare)
{
  const struct gen_location where = formula->scanner.token.where;
  const char *name = formula->program->name;
  if (++*bare > 1)
    name = gen_text("%s_%d", name, *bare);
  if (!start_kernel(formula, name, where))
    return false;
  while (!is_step(&formula->scanner))
    if (!read_equation(formula))
      return false;
  return finish_kernel(formula, where);
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
    if (has_past(formula->program, array))
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
    if (array->age == 0 && !array->read && !array->written && !moved[a] && !has_past(program, a))
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

static const char *read_text(const char *path)
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
                 : length > MOST_BYTES ? "is longer than a formula file can be"
                                       : "is no text: it has a byte 0");
    return NULL;
  }
  text[length] = 0;
  return text;
}

/* The file's name without folder and ending, as a name. */
static const char *name_of(const char *path)
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
  const char *text = read_text(path);
  *program = formula->program = gen_allocate(sizeof **program);
  (*program)->path = path;
  (*program)->name = name_of(path);
  return text && gen_scan_start(&formula->scanner, path, text) && gen_formula_head(formula)
    && read_body(formula) && check_whole(formula);
}
