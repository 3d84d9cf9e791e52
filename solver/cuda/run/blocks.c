#include "blocks.h"

#include "cuda/memory/mirror.h"
#include "runtime/bind.h"
#include "cuda/runtime/modules.h"

#include "mesh/exchange_plan.h"

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

/* Where the source has element i of a row, as the table says it: a kernel of split rows finds
 * element 2 at at `at`. */
static int place(const struct gmg_known_table *table, int i)
{
  const ptrdiff_t at =
    table->odd ? gmg_at(table->first + i, table->odd) : (ptrdiff_t)(table->first + i) * table->step;
  return (int)(table->doubled ? 2 * at : at);
}

/* A table that is known, and begins as the wanted one; NULL: none is. */
static const struct gmg_known_table *find_table(const struct gmg_block_tables *tables,
                                                const struct gmg_known_table *wanted)
{
  for (int n = 0; n < tables->tables && n < GMG_KNOWN_TABLES; n++) {
    const struct gmg_known_table *known = &tables->known[n];
    if (known->extent >= wanted->extent && known->first == wanted->first
        && known->step == wanted->step && known->doubled == wanted->doubled
        && known->own == wanted->own && known->odd == wanted->odd)
      return known;
  }
  return NULL;
}

/* A table whose entry i is at gmg_at(i, own), or at i where own is 0. Gives where entry 0 is. */
static CUdeviceptr add_table(struct gmg_block_tables *tables, struct gmg_known_table table)
{
  const struct gmg_known_table *known = find_table(tables, &table);
  const ptrdiff_t own = table.own;
  ptrdiff_t low = 0, high = 0;
  if (known)
    return tables->at + known->zero * sizeof(int);
  for (int i = 0; i < table.extent; i++) {
    const ptrdiff_t at = own ? gmg_at(i, own) : i;
    low = at < low ? at : low;
    high = at > high ? at : high;
  }
  table.zero = tables->count + (size_t)-low;
  for (int i = 0; i < table.extent && tables->value; i++)
    tables->value[(ptrdiff_t)table.zero + (own ? gmg_at(i, own) : i)] = place(&table, i);
  tables->count += (size_t)(high - low + 1);
  tables->known[tables->tables++ % GMG_KNOWN_TABLES] = table;
  return tables->at + table.zero * sizeof(int);
}

void gmg_block_restart(struct gmg_block_tables *tables)
{
  tables->count = 0;
  tables->tables = 0;
}

static void set_strides(const struct gmg_storage *storage, int box, const int extent[3],
                        ptrdiff_t stride[2])
{
  stride[0] = box < 0 ? extent[0] : storage->stride[box][0];
  stride[1] = box < 0 ? (ptrdiff_t)extent[0] * extent[1] : storage->stride[box][1];
}

/* An odd first element of a split row: its successors in the row are where those of an even one
 * would be, with another distance between even and odd. */
void gmg_block_prepare(const struct gmg_storage *to, const struct gmg_storage *from,
                       const struct gmg_device_block *block, struct gmg_block_tables *tables,
                       struct gmg_cuda_args *args)
{
  const size_t to_bytes = to->element_bytes,
               from_bytes = from ? from->element_bytes : sizeof(double);
  const ptrdiff_t odd = gmg_block_odd(to, block->to_box),
                  own = odd && (block->to_i & 1) ? 1 - odd : odd;
  memcpy(args->box.cells, block->extent, sizeof args->box.cells);
  set_strides(to, block->to_box, block->extent, args->box.stride);
  set_strides(from, block->from_box, block->extent, args->box.other_stride);
  args->box.odd = own;
  const int64_t first = block->to + (odd ? gmg_at(block->to_i, odd) : block->to_i);
  args->field[0] = (char *)args->field[0] + (size_t)first * to_bytes;
  args->field[1] = (char *)args->field[1] + (size_t)block->from * from_bytes;
  for (int d = 0; d < 3; d++) {
    struct gmg_known_table table = {.extent = block->extent[d], .step = 1}; /* i at i */
    if (d == 0)
      table = (struct gmg_known_table){.extent = block->extent[0],
                                       .first = block->from_i,
                                       .step = block->from_box < 0 ? 1 : (int)from->step,
                                       .doubled = odd != 0,
                                       .own = own,
                                       .odd = gmg_block_odd(from, block->from_box)};
    args->field[2 + d] = (void *)(uintptr_t)add_table(tables, table);
  }
}

struct gmg_prepared *gmg_block_step(struct gmg_device *device, struct gmg_level *level,
                                    const struct gmg_cuda_kernel *kernel, int blocks, double factor)
{
  struct gmg_prepared *step = calloc(1, sizeof *step);
  if (!step)
    return NULL;
  step->level = level;
  step->stat = gmg_exchange_stat(level);
  step->kernel = gmg_modules_find(device, kernel, 1);
  step->shape = &kernel->form[0].shape;
  step->args.scalar[0] = factor;
  step->room = blocks;
  step->record_bytes = gmg_cuda_record_bytes(kernel);
  step->record = calloc((size_t)blocks, step->record_bytes);
  if (!step->record)
    gmg_prepared_destroy(&step);
  return step;
}

int64_t gmg_block_step_bytes(const struct gmg_prepared *step)
{
  return gmg_mirror_aligned((int64_t)((size_t)step->room * step->record_bytes));
}

void gmg_block_add(struct gmg_prepared *step, const struct gmg_exchange *e,
                   const struct gmg_device_block *block, void *to, void *from,
                   struct gmg_block_tables *tables)
{
  struct gmg_cuda_args args = {.field = {to, from}};
  gmg_block_prepare(e->to, e->from, block, tables, &args);
  gmg_prepared_add(step, &args);
}

const struct gmg_cuda_kernel *gmg_block_mover(const struct gmg_exchange *e, int to_box)
{
  const enum gmg_precision precision = e->to->element_bytes == sizeof(double) ? GMG_F64 : GMG_F32;
  return gmg_block_kernel("move", precision, gmg_block_odd(e->to, to_box) != 0);
}

void *gmg_block_start(const struct gmg_level_array *array)
{
  return array ? (char *)(uintptr_t)array->mirror.at
      + ((const char *)array->data - (const char *)array->allocation)
               : NULL;
}
