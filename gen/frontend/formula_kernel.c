#include "formula_kernel.h"

#include <stdlib.h>
#include <string.h>

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

bool gen_formula_has_past(const struct gen_program *program, int array)
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
  return gen_formula_has_past(formula->program, array) || reads_neighbours(formula, array)
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

/* Gives the kernel its arrays in the order of the program's, and its accesses their numbers. */
static void bind_arrays(struct gen_formula *formula, int first, struct gen_program_kernel *bound)
{
  struct gen_kernel *kernel = formula->kernel;
  int number[GEN_MAX_PROGRAM_ARRAYS] = {0};
  bool used[GEN_MAX_PROGRAM_ARRAYS] = {false};
  for (int u = 0; u < formula->uses; u++)
    used[formula->use[u]->access.array] = true;
  for (int s = 0; s < kernel->statements; s++)
    if (kernel->statement[s].kind == GEN_STORE)
      used[kernel->statement[s].target.array] = true;
  for (int a = 0; a < formula->program->arrays; a++)
    if (used[a]) {
      number[a] = kernel->arrays;
      gen_program_add_array(formula->program, a, first, bound);
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

bool gen_formula_bind(struct gen_formula *formula, struct gen_program_kernel *bound)
{
  int first = 0;
  if (!note_reach(formula, &first))
    return false;
  bound->kernel = formula->kernel;
  gen_program_make_loops(bound->kernel, first);
  bind_arrays(formula, first, bound);
  return true;
}

bool gen_formula_finish_kernel(struct gen_formula *formula, struct gen_location where)
{
  struct gen_program *program = formula->program;
  struct gen_kernel *kernel = formula->kernel;
  struct gen_program_kernel *bound = &program->kernel[program->kernels];
  int target[GEN_MAX_PROGRAM_ARRAYS];
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
    if (gen_formula_has_past(program, array) && program->array[array].written)
      return gen_reject(kernel->statement[s].where,
                        "'%s' has past values, but two kernels store it: which one ends a step?",
                        program->array[array].name);
    program->array[array].written = program->array[target[array]].written = true;
  }
  if (!stores)
    return gen_reject(where, "kernel '%s' stores no array", kernel->name);
  if (!gen_formula_bind(formula, bound))
    return false;
  bool fine = gen_add_step(
    program, -1,
    (struct gen_step){.kind = GEN_STEP_RUN, .where = where, .kernel = program->kernels++});
  for (int a = 0; fine && a < GEN_MAX_PROGRAM_ARRAYS; a++)
    if (formula->stored[a])
      fine = add_turn(program, a, target[a], where);
  return fine;
}

void gen_formula_clear_kernel(struct gen_formula *formula, const char *name,
                              struct gen_location where)
{
  formula->kernel = gen_allocate(sizeof *formula->kernel);
  *formula->kernel = (struct gen_kernel){.name = name, .where = where, .comment = ""};
  formula->uses = formula->temporaries = 0;
  memset(formula->stored, 0, sizeof formula->stored);
}

bool gen_formula_start_kernel(struct gen_formula *formula, const char *name,
                              struct gen_location where)
{
  struct gen_program *program = formula->program;
  if (program->kernels == GEN_MAX_PROGRAM_KERNELS)
    return gen_reject(where, "more than %d kernels", GEN_MAX_PROGRAM_KERNELS);
  for (int k = 0; k < program->kernels; k++)
    if (strcmp(program->kernel[k].kernel->name, name) == 0)
      return gen_reject(where, "there are two kernels '%s'", name);
  gen_formula_clear_kernel(formula, name, where);
  return true;
}
