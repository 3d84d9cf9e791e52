#include "extended.h"

#include "stores.h"

#include "system/order.h"

static int make_boxes(struct gmg_program *program, int extent)
{
  struct gmg_extended *extended = &program->extended[extent];
  const int boxes = program->layout->local_count;
  extended->box = gmg_calloc((size_t)boxes + 1, sizeof *extended->box);
  extended->shift = gmg_calloc((size_t)boxes + 1, sizeof *extended->shift);
  if (!extended->box || !extended->shift)
    return -1;
  for (int b = 0; b < boxes; b++) {
    struct gmg_kernel_box *box = &extended->box[b];
    *box = program->box[b];
    const ptrdiff_t stride[3] = {1, box->stride[0], box->stride[1]};
    for (int d = 0; d < program->made->dimensions; d++) {
      const int before = box->lower[d], after = program->cells[d] - before - box->cells[d];
      const int low = program->periodic[d] ? extent : gmg_smaller(extent, before),
                high = program->periodic[d] ? extent : gmg_smaller(extent, after);
      box->lower[d] -= low;
      box->cells[d] += low + high;
      extended->shift[b] -= low * stride[d];
    }
  }
  return 0;
}

const struct gmg_tiles *gmg_extended_tiles(struct gmg_program *program,
                                           const struct gmg_program_kernel *bound,
                                           struct gmg_extended *extended)
{
  return gmg_tiles_find(&extended->tiles, extended->box, program->layout->local_count,
                        bound->kernel->extra, program->threads, program->tiles);
}

int gmg_extended_plan(struct gmg_program *program)
{
  const size_t boxes = (size_t)program->layout->local_count;
  gmg_stores_plan(program);
  program->pointer = gmg_calloc(boxes * GMG_MAX_FIELDS + 1, sizeof *program->pointer);
  if (!program->pointer)
    return -1;
  for (int extent = 0; extent <= program->block.extents; extent++) {
    if (make_boxes(program, extent))
      return -1;
    for (int k = 0; k < program->made->kernels; k++)
      if (!gmg_extended_tiles(program, &program->made->kernel[k], &program->extended[extent]))
        return -1;
  }
  for (int r = 0; r < program->made->reductions; r++)
    if (!gmg_extended_tiles(program, &program->made->reduction[r].kernel, &program->extended[0]))
      return -1;
  return 0;
}

void gmg_extended_clear(struct gmg_extended *extended)
{
  gmg_free(extended->box);
  gmg_free(extended->shift);
  gmg_tiles_destroy(&extended->tiles);
}

void gmg_extended_free(struct gmg_program *program)
{
  for (int extent = 0; extent <= GMG_BLOCK_DEEPEST; extent++)
    gmg_extended_clear(&program->extended[extent]);
  gmg_free(program->pointer);
}

void gmg_extended_point(struct gmg_program *program, const struct gmg_program_kernel *bound,
                        int extent, struct gmg_kernel_args *args)
{
  gmg_extended_point_parts(program, bound, &program->extended[extent], args);
}

void gmg_extended_point_parts(struct gmg_program *program, const struct gmg_program_kernel *bound,
                              struct gmg_extended *extended, struct gmg_kernel_args *args)
{
  const struct gmg_tiles *tiles = gmg_extended_tiles(program, bound, extended);
  const int boxes = program->layout->local_count;
  const ptrdiff_t bytes = (ptrdiff_t)program->storage->element_bytes;
  args->box = extended->box;
  args->tiles = tiles->count;
  args->tile = tiles->tile;
  for (int f = 0; f < bound->kernel->fields; f++) {
    void **pointer = program->pointer + (ptrdiff_t)f * boxes;
    for (int b = 0; b < boxes; b++)
      pointer[b] = (char *)program->element[bound->array[f]][b] + extended->shift[b] * bytes;
    args->field[f] = pointer;
  }
}
