#include "inside.h"

#include "system/order.h"

enum { THICK = 4 }; /* layers that a box has at least */

/* How far kernels read. */
static int reach_of(const struct gmg_program *program)
{
  int reach = 0;
  for (int k = 0; k < program->made->kernels; k++)
    for (int f = 0; f < program->made->kernel[k].kernel->fields; f++)
      reach = gmg_larger(reach, gmg_block_reach(&program->made->kernel[k].kernel->field[f]));
  return reach;
}

/* Whether all arrays are periodic along an axis, 1, or none is, 0; -1: neither. */
static int is_periodic(const struct gmg_program *program, int d)
{
  int periodic = 0;
  for (int a = 0; a < program->made->arrays; a++)
    periodic += program->made->array[a].wall[d][0].kind == GMG_WALL_PERIODIC;
  return periodic == 0 ? 0 : periodic == program->made->arrays ? 1 : -1;
}

/* Whether ranks are cut along axis d alone, no box is its own neighbour along another one, and this
 * rank has a box. */
static int is_cut_along(const struct gmg_program *program, int d)
{
  const struct gmg_layout *layout = program->layout;
  int whole = 1;
  for (int axis = 0; axis < program->made->dimensions; axis++)
    whole &= axis == d || (layout->blocks[axis] == 1 && is_periodic(program, axis) == 0);
  return layout->local_count == 1 && layout->blocks[d] > 1 && whole;
}

/* The layers [from, to) of the box along axis d. Walls are told to the boxes (images.h) by
 * other_lower and other_cells: what was cut off from a wall has none there. */
static int make_part(const struct gmg_program *program, int d, int from, int to,
                     struct gmg_extended *part)
{
  const struct gmg_kernel_box *whole = &program->extended[0].box[0];
  const ptrdiff_t stride[3] = {1, whole->stride[0], whole->stride[1]};
  part->box = gmg_calloc(1, sizeof *part->box);
  part->shift = gmg_calloc(1, sizeof *part->shift);
  if (!part->box || !part->shift)
    return -1;
  *part->box = *whole;
  part->box->lower[d] += from;
  part->box->cells[d] = to - from;
  if (from > 0)
    part->box->other_lower[d] = 0;
  if (to < whole->cells[d])
    part->box->other_cells[d] = 0;
  *part->shift = from * stride[d];
  return 0;
}

int gmg_inside_plan(struct gmg_program *program, struct gmg_inside *inside)
{
  const int d = program->made->dimensions - 1, reach = reach_of(program),
            periodic = is_periodic(program, d);
  *inside = (struct gmg_inside){.cut = 0};
  if (periodic < 0 || program->block.rounds > 1 || program->composing.on || reach == 0
      || !is_cut_along(program, d))
    return 0;
  const struct gmg_kernel_box *box = &program->extended[0].box[0];
  const int cells = box->cells[d];
  const int low = periodic || box->lower[d] > 0,
            high = periodic || box->lower[d] + cells < program->cells[d];
  if (cells < THICK * reach)
    return 0;
  inside->cut = 1;
  inside->layer[GMG_INSIDE_CELLS] = 1;
  inside->layer[GMG_INSIDE_LOW] = low;
  inside->layer[GMG_INSIDE_HIGH] = high;
  return make_part(program, d, low * reach, cells - high * reach, &inside->part[GMG_INSIDE_CELLS])
      || make_part(program, d, 0, reach, &inside->part[GMG_INSIDE_LOW])
      || make_part(program, d, cells - reach, cells, &inside->part[GMG_INSIDE_HIGH])
    ? -1
    : 0;
}

void gmg_inside_clear(struct gmg_inside *inside)
{
  for (int p = 0; p < GMG_INSIDE_PARTS; p++) {
    gmg_free(inside->part[p].box);
    gmg_free(inside->part[p].shift);
  }
  *inside = (struct gmg_inside){.cut = 0};
}

int gmg_inside_cuts(const struct gmg_inside *inside, const struct gmg_program_kernel *kernel)
{
  int reach = 0;
  for (int f = 0; f < kernel->kernel->fields; f++)
    reach |= gmg_block_reach(&kernel->kernel->field[f]);
  return inside->cut && reach > 0;
}
