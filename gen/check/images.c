/* Which kernels of a program may fill ghosts beyond walls themselves. */
#include "ghosts.h"

static bool writes(const struct gen_program *program, int kernel, int array)
{
  const struct gen_program_kernel *bound = &program->kernel[kernel];
  for (int a = 0; a < bound->kernel->arrays; a++)
    if (bound->array[a] == array && bound->kernel->array[a].written)
      return true;
  return false;
}

/* The step that runs the kernel; -1: several do. */
static int step_of(const struct gen_program *program, int kernel)
{
  int found = -1;
  for (int s = 0; s < program->steps; s++)
    if (program->step[s].kind == GEN_STEP_RUN && program->step[s].kernel == kernel) {
      if (found >= 0)
        return -1;
      found = s;
    }
  return found;
}

/* What an array's values are called after a permutation. */
static int turned(const struct gen_step *step, int array)
{
  for (int n = 0; n < step->count; n++)
    if (step->cycle[n] == array)
      return step->cycle[n ? n - 1 : step->count - 1];
  return array;
}

/* Whether ghosts are images of cells across one wall each, and none is data that a file keeps. */
static bool are_simple(const struct gen_program *program)
{
  for (int a = 0; a < program->arrays; a++)
    for (int side = 0; side < 2 * program->dimensions; side++) {
      const struct gen_program_array *array = &program->array[a];
      if (array->corners
          || (array->ghosts && array->wall[side / 2][side % 2].kind == GEN_WALL_FIXED))
        return false;
    }
  return true;
}

static bool has_mirrors(const struct gen_program *program, int array)
{
  bool any = false;
  for (int side = 0; side < 2 * program->dimensions; side++)
    any = any || program->array[array].wall[side / 2][side % 2].kind == GEN_WALL_MIRROR;
  return any && program->array[array].ghosts;
}

int gen_images_of(const struct gen_program *program, int kernel, int array)
{
  const int from = step_of(program, kernel), round = program->steps - program->once;
  int now = program->kernel[kernel].array[array];
  if (program->dimensions < 3 || from < program->once
      || !program->kernel[kernel].kernel->array[array].written || !are_simple(program))
    return -1;
  for (int n = 1; n <= (GEN_MAX_CYCLE + 1) * round; n++) {
    const struct gen_step *step =
      &program->step[program->once + (from - program->once + n) % round];
    if (step->kind == GEN_STEP_PERMUTE)
      now = turned(step, now);
    else if (step->kind == GEN_STEP_GHOSTS && step->array == now)
      return has_mirrors(program, now) ? now : -1;
    else if (step->kind == GEN_STEP_RUN && writes(program, step->kernel, now))
      return -1;
    else if (step->kind == GEN_STEP_SOLVE
             && program->solve[step->solve].array[GEN_SOLVE_SOLUTION] == now)
      return -1;
  }
  return -1;
}
