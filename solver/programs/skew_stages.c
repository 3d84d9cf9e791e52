#include "skew_stages.h"

#include "system/order.h"

#include <string.h>

/* What a stage does with an array: reads so far below and above the cell, along an axis. */
struct access {
  int reads, writes, below, above, behind;
};

static struct access access_of(const struct gmg_skew_stage *stage, int holder, int axis)
{
  struct access access = {0, 0, 0, 0, 0};
  if (!stage->bound) {
    const int own = stage->holder[stage->array] == holder;
    return (struct access){own, own, stage->behind[axis - 1], 0, stage->behind[axis - 1]};
  }
  const struct gmg_kernel_descriptor *kernel = stage->bound->kernel;
  for (int f = 0; f < kernel->fields; f++) {
    const struct gmg_field_descriptor *field = &kernel->field[f];
    if (stage->holder[stage->bound->array[f]] != holder)
      continue;
    access.writes |= field->written != 0;
    access.reads |= field->read != 0;
    if (field->read) {
      access.below = gmg_larger(access.below, field->halo_lower[axis]);
      access.above = gmg_larger(access.above, field->halo_upper[axis]);
    }
  }
  return access;
}

/* How many rows (axis 1) or planes (2) a stage must stay behind an earlier one: -1: they have
 * nothing to do with each other. */
static int distance(const struct gmg_skew_stage *earlier, const struct gmg_skew_stage *later,
                    int arrays, int axis)
{
  int most = -1;
  for (int h = 0; h < arrays; h++) {
    const struct access a = access_of(earlier, h, axis), b = access_of(later, h, axis);
    if (a.writes && b.reads)
      most = gmg_larger(most, gmg_larger(b.above, a.behind));
    if (a.reads && b.writes)
      most = gmg_larger(most, a.below);
    if (a.writes && b.writes)
      most = gmg_larger(most, 0);
  }
  return most;
}

/* How far below the place where it is filled a ghost's image lies at most: ghosts beyond a lower
 * wall are filled when the last cell is done that they are images of. */
static int images_behind(const struct gmg_program_array *array, int axis)
{
  int most = 0;
  for (int side = 0; side < 2; side++)
    if (array->wall[axis][side].kind == GMG_WALL_MIRROR)
      most = gmg_larger(most, array->ghosts - 1 + array->wall[axis][side].skip);
  return most;
}

static void find_stage(const struct gmg_program *program, const int *holder, int s, int extent,
                       struct gmg_skew_stage *stage)
{
  const struct gmg_program_descriptor *made = program->made;
  const struct gmg_program_step *step = &made->step[s];
  memset(stage, 0, sizeof *stage);
  for (int a = 0; a < made->arrays; a++)
    stage->holder[a] = (signed char)holder[a];
  if (step->kind == GMG_STEP_RUN) {
    stage->bound = &made->kernel[step->which];
    stage->extent = extent;
  } else {
    stage->array = step->which;
    for (int d = 1; d < 3; d++)
      stage->behind[d - 1] = images_behind(&made->array[step->which], d);
  }
}

/* Keeps the last stage behind all before it. */
static void find_lag(struct gmg_skew_stage *stage, int stages, int arrays)
{
  struct gmg_skew_stage *last = &stage[stages - 1];
  for (int n = 0; n < stages - 1; n++)
    for (int d = 1; d < 3; d++) {
      const int apart = distance(&stage[n], last, arrays, d);
      if (apart >= 0)
        last->lag[d - 1] = gmg_larger(last->lag[d - 1], stage[n].lag[d - 1] + apart);
    }
}

int gmg_skew_find_stages(const struct gmg_program *program, int steps, struct gmg_skew_stage *stage)
{
  const struct gmg_program_descriptor *made = program->made;
  const struct gmg_block *block = &program->block;
  const int end = block->rounds > 1 ? block->rounds : steps;
  int stages = 0, holder[GMG_PROGRAM_ARRAYS];
  for (int a = 0; a < made->arrays; a++)
    holder[a] = a;
  for (int round = end - steps; round < end; round++)
    for (int s = made->once; s < made->steps; s++) {
      if (made->step[s].kind == GMG_STEP_PERMUTE) {
        gmg_program_turn(holder, &made->step[s]);
        continue;
      }
      find_stage(program, holder, s, block->rounds > 1 ? block->extent[round * made->steps + s] : 0,
                 &stage[stages++]);
      find_lag(stage, stages, made->arrays);
    }
  return stages;
}
