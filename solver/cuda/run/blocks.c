#include "blocks.h"

#include "cuda/memory/mirror.h"
#include "runtime/bind.h"
#include "cuda/runtime/modules.h"

#include "mesh/exchange.h"

#include <stdlib.h>
#include <string.h>

ptrdiff_t gmg_block_odd(const struct gmg_storage *storage, int box)
{
  return box < 0 ? 0 : storage->odd[box];
}

const struct gmg_cuda_kernel *gmg_block_kernel(const char *name, enum gmg_precision precision,
                                               int split)
{
  const enum gmg_rows rows = split ? GMG_SPLIT : GMG_PLAIN;
  for (const struct gmg_cuda_kernel *const *kernel = gmg_cuda_kernels; *kernel; kernel++)
    if ((*kernel)->role == GMG_AS_WRITTEN && (*kernel)->precision == precision
        && (*kernel)->rows_stored == rows && strcmp((*kernel)->name, name) == 0)
      return *kernel;
  return NULL;
}

/* A table of n entries, entry i at gmg_at(i, odd), or at i where odd is 0. Gives where entry 0 is.
 */
static CUdeviceptr add_table(struct gmg_block_tables *tables, int n, ptrdiff_t odd,
                             int (*entry)(const void *user, int i), const void *user)
{
  ptrdiff_t low = 0, high = 0;
  for (int i = 0; i < n; i++) {
    const ptrdiff_t at = odd ? gmg_at(i, odd) : i;
    low = at < low ? at : low;
    high = at > high ? at : high;
  }
  const size_t zero = tables->count + (size_t)-low;
  for (int i = 0; i < n && tables->value; i++)
    tables->value[(ptrdiff_t)zero + (odd ? gmg_at(i, odd) : i)] = entry(user, i);
  tables->count += (size_t)(high - low + 1);
  return tables->at + zero * sizeof(int);
}

static int same(const void *user, int i)
{
  (void)user;
  return i;
}

/* Where the source has element i of a row. */
struct source {
  int first, step, doubled;
  ptrdiff_t odd;
};

static int place(const void *user, int i)
{
  const struct source *source = user;
  const ptrdiff_t at = source->odd ? gmg_at(source->first + i, source->odd)
                                   : (ptrdiff_t)(source->first + i) * source->step;
  return (int)(source->doubled ? 2 * at
                               : at); /* a kernel of split rows finds element 2 at at `at` */
}

static void set_strides(const struct gmg_storage *storage, int box, const int extent[3],
                        ptrdiff_t stride[2])
{
  stride[0] = box < 0 ? extent[0] : storage->stride[box][0];
  stride[1] = box < 0 ? (ptrdiff_t)extent[0] * extent[1] : storage->stride[box][1];
}

/* One launch. An odd first element of a split row: its successors in the row are where those of an
 * even one would be, with another distance between even and odd. */
void gmg_block_prepare(const struct gmg_storage *to, const struct gmg_storage *from,
                       const struct gmg_device_block *block, const struct gmg_cuda_kernel *kernel,
                       struct gmg_block_tables *tables, struct gmg_launch *launch)
{
  const size_t to_bytes = to->element_bytes,
               from_bytes = from ? from->element_bytes : sizeof(double);
  const ptrdiff_t odd = gmg_block_odd(to, block->to_box),
                  own = odd && (block->to_i & 1) ? 1 - odd : odd;
  const struct source source = {.first = block->from_i,
                                .step = block->from_box < 0 ? 1 : (int)from->step,
                                .doubled = odd != 0,
                                .odd = gmg_block_odd(from, block->from_box)};
  struct gmg_cuda_args *args = &launch->args;
  memcpy(args->box.cells, block->extent, sizeof args->box.cells);
  set_strides(to, block->to_box, block->extent, args->box.stride);
  set_strides(from, block->from_box, block->extent, args->box.other_stride);
  args->box.odd = own;
  args->scalar[0] = block->factor;
  const int64_t first = block->to + (odd ? gmg_at(block->to_i, odd) : block->to_i);
  args->field[0] = (char *)args->field[0] + (size_t)first * to_bytes;
  args->field[1] = (char *)args->field[1] + (size_t)block->from * from_bytes;
  const CUdeviceptr at[3] = {add_table(tables, block->extent[0], own, place, &source),
                             add_table(tables, block->extent[1], 0, same, NULL),
                             add_table(tables, block->extent[2], 0, same, NULL)};
  for (int d = 0; d < 3; d++)
    args->field[2 + d] = (void *)(uintptr_t)at[d];
  gmg_cuda_grid(kernel, &kernel->form[0].shape, args->box.cells, launch->grid);
}

/* A step of so many launches of a kernel. */
struct gmg_prepared *gmg_block_step(struct gmg_device *device, struct gmg_level *level,
                                    const struct gmg_cuda_kernel *kernel, int launches)
{
  struct gmg_prepared *step = calloc(1, sizeof *step + (size_t)launches * sizeof step->launch[0]);
  if (!step)
    return NULL;
  step->level = level;
  step->stat = gmg_exchange_stat(level);
  step->kernel = gmg_modules_find(device, kernel);
  step->shape = &kernel->form[0].shape;
  return step;
}

void *gmg_block_start(const struct gmg_level_array *array)
{
  return array ? (char *)(uintptr_t)array->mirror.at
      + ((const char *)array->data - (const char *)array->allocation)
               : NULL;
}
