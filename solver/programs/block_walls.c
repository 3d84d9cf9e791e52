#include "block_walls.h"

static gmg_status refuse(const struct gmg_program *program, const char *array, const char *what,
                         int axis)
{
  return gmg_fail(program->context, GMG_ERR_UNSUPPORTED,
                  "program %s: '%s' %s along %c: expected 1 step per exchange, found %d",
                  program->made->name, array, what, "xyz"[axis], program -> block.rounds);
}

static int has_kind(const struct gmg_program_array *array, int axis, enum gmg_program_wall kind)
{
  return array->wall[axis][0].kind == kind || array->wall[axis][1].kind == kind;
}

static gmg_status check_periodic(struct gmg_program *program)
{
  const struct gmg_program_descriptor *made = program->made;
  int any = 0;
  for (int a = 0; a < made->arrays; a++)
    for (int d = 0; d < made->dimensions && made->array[a].ghosts; d++)
      any |= program->periodic[d] |= has_kind(&made->array[a], d, GMG_WALL_PERIODIC);
  for (int a = 0; a < made->arrays; a++)
    for (int d = 0; d < made->dimensions && made->array[a].ghosts; d++) {
      const struct gmg_program_array *array = &made->array[a];
      if (program->periodic[d] && !has_kind(array, d, GMG_WALL_PERIODIC))
        return refuse(program, array->shown, "is not periodic, as other arrays are,", d);
      if (any && has_kind(array, d, GMG_WALL_FIXED))
        return refuse(program, array->shown, "is fixed, and an axis is periodic,", d);
    }
  return GMG_OK;
}

static gmg_status check_turns(const struct gmg_program *program,
                              const struct gmg_program_step *step)
{
  const struct gmg_program_array *first = &program->made->array[step->cycle[0]];
  for (int n = 1; n < step->count; n++)
    for (int d = 0; d < program->made->dimensions; d++)
      for (int side = 0; side < 2; side++) {
        const struct gmg_program_array *array = &program->made->array[step->cycle[n]];
        if ((array->wall[d][side].kind == GMG_WALL_FIXED)
            != (first->wall[d][side].kind == GMG_WALL_FIXED))
          return refuse(program, array->shown,
                        "takes turns with an array whose walls are of another kind", d);
      }
  return GMG_OK;
}

gmg_status gmg_block_check_walls(struct gmg_program *program)
{
  gmg_status status = check_periodic(program);
  for (int s = 0; s < program->made->steps && !status; s++)
    if (program->made->step[s].kind == GMG_STEP_PERMUTE)
      status = check_turns(program, &program->made->step[s]);
  return status;
}
