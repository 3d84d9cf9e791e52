#include "block.h"

#include "system/memory.h"
#include "system/order.h"

#include <string.h>

int gmg_block_reach(const struct gmg_field_descriptor *field)
{
  int most = 0;
  for (int d = 0; d < 3 && field->read; d++)
    most = gmg_larger(most, gmg_larger(field->halo_lower[d], field->halo_upper[d]));
  return most;
}

/* From what is needed of arrays after a kernel to what is needed before it; returns how far beyond
 * the box it runs. */
static int before_kernel(const struct gmg_program_kernel *bound, int *need)
{
  const struct gmg_kernel_descriptor *kernel = bound->kernel;
  int extent = 0;
  for (int f = 0; f < kernel->fields; f++)
    if (kernel->field[f].written)
      extent = gmg_larger(extent, need[bound->array[f]]);
  for (int f = 0; f < kernel->fields; f++)
    if (kernel->field[f].written)
      need[bound->array[f]] = 0; /* all that is needed of it is stored */
  for (int f = 0; f < kernel->fields; f++)
    if (kernel->field[f].read)
      need[bound->array[f]] =
        gmg_larger(need[bound->array[f]], extent + gmg_block_reach(&kernel->field[f]));
  return extent;
}

/* Values that become those of cycle[n] were those of cycle[n + 1]. */
static void before_permutation(const struct gmg_program_step *step, int *need)
{
  const int last = need[step->cycle[step->count - 1]];
  for (int n = step->count - 1; n > 0; n--)
    need[step->cycle[n]] = need[step->cycle[n - 1]];
  need[step->cycle[0]] = last;
}

/* Reductions fill ghosts as blocks do, as deep as either of them reads. */
static void need_values(const struct gmg_program_descriptor *made, int *need)
{
  for (int r = 0; r < made->reductions; r++) {
    const struct gmg_program_kernel *bound = &made->reduction[r].kernel;
    for (int f = 0; f < bound->kernel->fields; f++)
      need[bound->array[f]] =
        gmg_larger(need[bound->array[f]], gmg_block_reach(&bound->kernel->field[f]));
  }
}

int gmg_block_plan(const struct gmg_program_descriptor *made, int rounds, struct gmg_block *block)
{
  memset(block, 0, sizeof *block);
  block->rounds = rounds;
  block->extent = gmg_calloc((size_t)rounds * (size_t)made->steps + 1, sizeof *block->extent);
  if (!block->extent)
    return -1;
  for (int r = rounds - 1; r >= 0; r--)
    for (int s = made->steps - 1; s >= made->once; s--) {
      const struct gmg_program_step *step = &made->step[s];
      int *extent = &block->extent[r * made->steps + s];
      if (step->kind == GMG_STEP_RUN)
        *extent = before_kernel(&made->kernel[step->which], block->depth);
      else if (step->kind == GMG_STEP_PERMUTE)
        before_permutation(step, block->depth);
      block->extents = gmg_larger(block->extents, *extent);
    }
  need_values(made, block->depth);
  for (int a = 0; a < made->arrays; a++)
    block->deepest = gmg_larger(block->deepest, block->depth[a]);
  return block->deepest > GMG_BLOCK_DEEPEST;
}

void gmg_block_clear(struct gmg_block *block)
{
  gmg_free(block->extent);
  memset(block, 0, sizeof *block);
}
