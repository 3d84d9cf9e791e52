#include "compose.h"

#include "steps.h"
#include "weighted.h"

#include <stdlib.h>
#include <string.h>

/* ---- targets ---- */

/* Whether steps leave the array's values as they were. */
static bool is_unchanged(struct gen_steps *steps, int array)
{
  static const int here[3] = {0, 0, 0};
  const struct gen_polynomial *form = steps->form[array];
  const int own = gen_atom_of(&steps->atoms, gen_access_ref(gen_steps_access(array, here)));
  return form->products == 1 && form->product[0].factor == 1 && form->product[0].degree == 1
    && form->product[0].atom[0] == own;
}

static bool is_named(const struct gen_program *program, const char *name)
{
  for (int a = 0; a < program->arrays; a++)
    if (strcmp(program->array[a].name, name) == 0)
      return true;
  return false;
}

/* An array for what another one is to hold, none that is taken: room for next values that is there,
 * or new room. -1 after a rejection. */
static int find_target(struct gen_program *program, int array)
{
  const struct gen_composed *composed = &program->composed;
  for (int a = 0; a < program->arrays; a++) {
    bool taken =
      program->array[a].age != GEN_AGE_NEXT || program->array[a].of != program->array[array].of;
    for (int t = 0; t < composed->targets; t++)
      taken = taken || composed->target[t] == a;
    if (!taken)
      return a;
  }
  if (program->arrays == GEN_MAX_PROGRAM_ARRAYS) {
    gen_reject(program->array[array].where,
               "to compose %d steps, '%s' needs another array: more than %d", composed->steps,
               program->array[array].shown, GEN_MAX_PROGRAM_ARRAYS);
    return -1;
  }
  struct gen_program_array *room = &program->array[program->arrays];
  *room = program->array[array];
  room->of = program->array[array].of;
  room->age = GEN_AGE_NEXT;
  room->ghosts = 0;
  room->read = room->corners = false;
  room->written = true;
  room->initial = NULL;
  room->name = gen_text("room_%s", program->array[array].name);
  while (is_named(program, room->name))
    room->name = gen_text("%s_", room->name);
  room->shown = room->name;
  return program->arrays++;
}

/* ---- the kernel ---- */

/* Which arrays of the program a value reads, and how far from the point at most. */
static void note_reads(const struct gen_expr *expr, bool *used, int *most)
{
  for (int axis = 0; expr->kind == GEN_ACCESS && axis < GEN_BOX; axis++) {
    const int offset = abs(expr->access.subscript[axis].affine.constant);
    used[expr->access.array] = true;
    *most = offset > *most ? offset : *most;
  }
  for (int n = 0; n < gen_arity(expr); n++)
    note_reads(expr->argument[n], used, most);
}

/* The value with accesses to the kernel's arrays, by their numbers. */
static const struct gen_expr *renumbered(const struct gen_expr *expr, const int *number)
{
  if (gen_arity(expr) == 0 && expr->kind != GEN_ACCESS)
    return expr;
  struct gen_expr *copy = gen_copy(expr);
  if (expr->kind == GEN_ACCESS)
    copy->access.array = number[expr->access.array];
  for (int n = 0; n < gen_arity(expr); n++)
    copy->argument[n] = renumbered(expr->argument[n], number);
  return copy;
}

/* Gives the kernel, whose accesses name arrays of the program, its own arrays and loops. */
static void bind(const struct gen_program *program, struct gen_program_kernel *bound)
{
  struct gen_kernel *kernel = bound->kernel;
  bool used[GEN_MAX_PROGRAM_ARRAYS] = {false};
  int number[GEN_MAX_PROGRAM_ARRAYS] = {0}, first = 0;
  for (int s = 0; s < kernel->statements; s++) {
    note_reads(kernel->statement[s].value, used, &first);
    if (kernel->statement[s].kind == GEN_STORE)
      used[kernel->statement[s].target.array] = true;
  }
  gen_program_make_loops(kernel, first);
  for (int a = 0; a < program->arrays; a++)
    if (used[a]) {
      number[a] = kernel->arrays;
      gen_program_add_array(program, a, first, bound);
    }
  for (int s = 0; s < kernel->statements; s++) {
    struct gen_statement *statement = &kernel->statement[s];
    statement->value = renumbered(statement->value, number);
    if (statement->kind == GEN_STORE)
      statement->target.array = number[statement->target.array];
  }
  gen_mark_accesses(kernel);
  for (int a = 0; a < kernel->arrays; a++)
    kernel->array[a].constant = !kernel->array[a].written;
}

/* Terms of all arrays that files keep, as they are after the steps so far. */
static int count_terms(struct gen_steps *steps)
{
  int terms = 0;
  for (int a = 0; a < steps->program->arrays; a++)
    if (steps->program->array[a].age != GEN_AGE_NEXT && !is_unchanged(steps, a))
      terms += gen_weighted_terms(&steps->atoms, steps->form[a]);
  return terms;
}

/* Stores what every array holds after the steps in its target. */
static bool store_all(struct gen_program *program, struct gen_steps *steps)
{
  static const int here[3] = {0, 0, 0};
  struct gen_composed *composed = &program->composed;
  const int arrays = program->arrays;
  for (int a = 0; a < arrays; a++) {
    if (program->array[a].age == GEN_AGE_NEXT || is_unchanged(steps, a))
      continue;
    const int target = find_target(program, a);
    if (target < 0)
      return false;
    composed->array[composed->targets] = a;
    composed->target[composed->targets++] = target;
    const struct gen_access access = gen_steps_access(target, here);
    if (!gen_weighted_store(steps->kernel, program, &steps->atoms, steps->form[a], &access))
      return false;
  }
  return true;
}

bool gen_compose(struct gen_program *program, int rounds)
{
  struct gen_composed *composed = &program->composed;
  struct gen_steps *steps = gen_allocate(sizeof *steps);
  struct gen_kernel *kernel = gen_allocate(sizeof *kernel);
  const char *purpose = gen_text("to compose %d steps", rounds);
  const struct gen_location where = program->kernel[0].kernel->where;
  kernel->name = gen_text("composed%d", rounds);
  kernel->comment = "";
  kernel->where = where;
  composed->steps = rounds;
  composed->kernel.kernel = kernel;
  gen_steps_begin(steps, program, kernel);
  for (int r = 0; r < rounds; r++) {
    if (!gen_steps_take(steps, purpose))
      return false;
    composed->terms = count_terms(steps);
    if (r == 0)
      composed->single_terms = composed->terms;
  }
  if (composed->terms > GEN_MOST_TERMS)
    return gen_reject(where,
                      "composing %d steps makes %d terms in a cell, and there may be %d: expected "
                      "fewer steps",
                      rounds, composed->terms, GEN_MOST_TERMS);
  if (composed->terms == 0)
    return gen_reject(where, "%s: they change no array", purpose);
  if (!store_all(program, steps))
    return false;
  bind(program, &composed->kernel);
  return true;
}
