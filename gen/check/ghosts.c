#include "ghosts.h"

#include <string.h>

static bool same_walls(const struct gen_program_array *a, const struct gen_program_array *b)
{
  for (int d = 0; d < 3; d++)
    for (int s = 0; s < 2; s++) {
      const struct gen_wall_rule *x = &a->wall[d][s], *y = &b->wall[d][s];
      if (x->kind != y->kind || x->skip != y->skip || x->factor != y->factor
          || x->constant != y->constant)
        return false;
    }
  return true;
}

/* Whether any step changes the array's values. */
static bool changes(const struct gen_program *program, int array)
{
  if (program->array[array].written)
    return true;
  for (int s = 0; s < program->steps; s++)
    for (int n = 0; n < program->step[s].count; n++)
      if (program->step[s].cycle[n] == array)
        return true;
  return false;
}

/* Ghosts travel with the values, and are right where they are as deep and made by the same rules.
 */
static void permute(const struct gen_program *program, const struct gen_step *step, bool *filled)
{
  const bool first = filled[step->cycle[0]];
  for (int n = 0; n < step->count; n++) {
    const int to = step->cycle[n], from = step->cycle[(n + 1) % step->count];
    const struct gen_program_array *a = &program->array[to], *b = &program->array[from];
    const bool known = n + 1 < step->count ? filled[from] : first;
    filled[to] = known && same_walls(a, b) && b->ghosts >= a->ghosts && b->corners >= a->corners;
  }
}

/* Whether an expression reads an array of the kernel elsewhere than at the point it is at. */
static bool reads_neighbours(const struct gen_expr *expr, int array)
{
  bool reads = false;
  for (int axis = 0; expr->kind == GEN_ACCESS && expr->access.array == array && axis < GEN_BOX;
       axis++)
    reads = reads || expr->access.subscript[axis].affine.constant != 0;
  for (int n = 0; n < gen_arity(expr) && !reads; n++)
    reads = reads_neighbours(expr->argument[n], array);
  return reads;
}

static bool needs_ghosts(const struct gen_kernel *kernel, int array)
{
  for (int s = 0; s < kernel->statements; s++)
    if (reads_neighbours(kernel->statement[s].value, array))
      return true;
  return false;
}

/* Adds what step *at, a kernel, needs, before it. */
static bool fill_for(struct gen_program *program, int *at, bool *filled)
{
  const struct gen_program_kernel *run = &program->kernel[program->step[*at].kernel];
  for (int a = 0; a < run->kernel->arrays; a++) {
    const int array = run->array[a];
    const struct gen_step fill = {
      .kind = GEN_STEP_GHOSTS, .where = program->step[*at].where, .array = array};
    if (!needs_ghosts(run->kernel, a) || filled[array])
      continue;
    if (!gen_add_step(program, (*at)++, fill))
      return false;
    filled[array] = true;
  }
  for (int a = 0; a < run->kernel->arrays; a++)
    if (run->kernel->array[a].written)
      filled[run->array[a]] = false;
  return true;
}

bool gen_place_ghosts(struct gen_program *program)
{
  bool filled[GEN_MAX_PROGRAM_ARRAYS] = {false};
  for (int a = 0; a < program->arrays; a++)
    if (program->array[a].ghosts && !changes(program, a)) {
      const struct gen_step fill = {
        .kind = GEN_STEP_GHOSTS, .where = program->array[a].where, .array = a};
      if (!gen_add_step(program, program->once++, fill))
        return false;
      filled[a] = true;
    }
  for (int s = program->once; s < program->steps; s++) {
    const struct gen_step step = program->step[s];
    if (step.kind == GEN_STEP_PERMUTE)
      permute(program, &step, filled);
    else if (step.kind == GEN_STEP_RUN && !fill_for(program, &s, filled))
      return false;
  }
  return true;
}
