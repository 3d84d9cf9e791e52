#include "on_cpu_kernels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda/runtime/cuda_kernel.h"
#include "cuda/runtime/staged.h"
#include "on_cpu_entry.h"
#include "on_cpu_shape.h"

extern const struct on_cpu_entry on_cpu_entries_0[], on_cpu_entries_1[], on_cpu_entries_2[],
  on_cpu_entries_3[];
static const struct on_cpu_entry *const entries[ON_CPU_PARTS] = {
  on_cpu_entries_0, on_cpu_entries_1, on_cpu_entries_2, on_cpu_entries_3};
static struct on_cpu_way now = {.leave_out = -1};
static int stuck, left_out;

/* Which kernel a call means: the descriptors' own function cannot say. */
static const struct gmg_kernel_descriptor *called;

void on_cpu_set(const struct on_cpu_way *way)
{
  now = *way;
}

int on_cpu_left_out(void)
{
  return left_out;
}

int on_cpu_stuck(void)
{
  return stuck;
}

int on_cpu_forms(void)
{
  int most = 0;
  for (int n = 0; gmg_cuda_kernels[n]; n++)
    most = gmg_cuda_kernels[n]->forms > most ? gmg_cuda_kernels[n]->forms : most;
  return most;
}

static const struct on_cpu_entry *find_entry(const char *symbol)
{
  for (int p = 0; p < ON_CPU_PARTS; p++)
    for (const struct on_cpu_entry *entry = entries[p]; entry->symbol; entry++)
      if (strcmp(entry->symbol, symbol) == 0)
        return entry;
  fprintf(stderr, "no function %s\n", symbol);
  abort();
}

static const struct gmg_cuda_kernel *find_kernel(const struct gmg_kernel_descriptor *kernel)
{
  for (int n = 0; gmg_cuda_kernels[n]; n++) {
    const struct gmg_cuda_kernel *cuda = gmg_cuda_kernels[n];
    if (strcmp(cuda->name, kernel->name) == 0 && strcmp(cuda->variant, kernel->variant) == 0
        && cuda->role == kernel->role && cuda->precision == kernel->precision
        && cuda->rows_stored == kernel->rows_stored)
      return cuda;
  }
  return NULL;
}

/* Launches a form on one box, or where the arguments have a table on all that it has. */
static void launch(const struct gmg_cuda_kernel *cuda, const struct gmg_cuda_form *form,
                   const struct gmg_cuda_args *args, int boxes)
{
  struct fiber_launch way = {.grid = {3, 1, 1},
                             .block = {64, 1, 1},
                             .threads = now.threads,
                             .blocks = now.blocks,
                             .leave_out = now.leave_out};
  char symbol[256];
  snprintf(symbol, sizeof symbol, "%s_all", cuda->symbol);
  if (form) {
    const struct gmg_cuda_shape shape = on_cpu_shape();
    gmg_cuda_grid(cuda, form, &shape, args->box.cells, way.grid);
    way.block[0] = (unsigned)shape.block_i;
    way.block[1] = (unsigned)shape.block_j;
    if (form == cuda->staged) {
      gmg_cuda_staged_grid(cuda, &shape, args->box.cells, 8, way.grid);
      way.block[0] = (unsigned)gmg_cuda_staged_threads(&shape);
      way.block[1] = 1;
    }
    snprintf(symbol, sizeof symbol, "%s%s", form->symbol, args->table ? "_many" : "");
  }
  if (args->table) {
    way.grid[0] = (unsigned)(args->each * boxes);
    way.grid[1] = way.grid[2] = 1;
  }
  stuck += !find_entry(symbol)->enter(&way, args);
  left_out |= way.left_out;
}

int on_cpu_staged(const struct gmg_kernel_descriptor *kernel, const struct gmg_cuda_args *args)
{
  const struct gmg_cuda_kernel *cuda = find_kernel(kernel);
  const struct gmg_cuda_form *form = cuda ? cuda->staged : NULL;
  left_out = 0;
  if (form)
    launch(cuda, form, args, 1);
  return form != NULL;
}

static struct gmg_cuda_args args_of(const struct gmg_kernel_args *args, int b)
{
  struct gmg_cuda_args box = {.box = args->box[b], .reduction = args->reduction};
  memcpy(box.scalar, args->scalar, sizeof box.scalar);
  for (int f = 0; f < called->fields; f++)
    box.field[f] = args->field[f][b];
  return box;
}

/* All boxes in one launch, each with as many thread blocks as the largest needs, and one more. */
static void launch_many(const struct gmg_cuda_kernel *cuda, const struct gmg_cuda_form *form,
                        const struct gmg_kernel_args *args, int boxes)
{
  const struct gmg_cuda_shape shape = on_cpu_shape();
  const size_t bytes = gmg_cuda_record_bytes(cuda);
  char *table = calloc((size_t)boxes, bytes);
  struct gmg_cuda_args all = {.table = table, .reduction = args->reduction, .each = 1};
  if (!table)
    abort();
  memcpy(all.scalar, args->scalar, sizeof all.scalar);
  for (int b = 0; b < boxes; b++) {
    const struct gmg_cuda_args box = args_of(args, b);
    struct gmg_cuda_record *record = (void *)(table + (size_t)b * bytes);
    unsigned grid[3];
    record->box = box.box;
    memcpy(record->field, box.field, bytes - sizeof *record);
    gmg_cuda_grid(cuda, form, &shape, box.box.cells, grid);
    const int blocks = (int)(grid[0] * grid[1] * grid[2]) + 1;
    all.each = blocks > all.each ? blocks : all.each;
  }
  launch(cuda, form, &all, boxes);
  free(table);
}

/* Box by box, or all at once, as the GPU is called. */
static void run(const struct gmg_kernel_args *args)
{
  const struct gmg_cuda_kernel *cuda = find_kernel(called);
  const struct gmg_cuda_form *form =
    now.form < 0 ? NULL : &cuda->form[now.form < cuda->forms ? now.form : 0];
  int boxes = 0;
  left_out = 0;
  for (int t = 0; t < args->tiles; t++)
    boxes = args->tile[t].box >= boxes ? args->tile[t].box + 1 : boxes;
  if (form && now.many) {
    launch_many(cuda, form, args, boxes);
    return;
  }
  for (int b = 0; b < boxes; b++) {
    const struct gmg_cuda_args box = args_of(args, b);
    launch(cuda, form, &box, 1);
  }
}

static const struct gmg_kernel_descriptor *const *
copies(const struct gmg_kernel_descriptor *const *kernel, int count)
{
  struct gmg_kernel_descriptor *copy = malloc((size_t)count * sizeof *copy);
  const struct gmg_kernel_descriptor **list = malloc((size_t)count * sizeof *list);
  if (!copy || !list)
    abort();
  for (int k = 0; k < count; k++) {
    copy[k] = *kernel[k];
    copy[k].run = run;
    copy[k].run_tile = NULL;
    list[k] = &copy[k];
    if (find_kernel(kernel[k]))
      continue;
    fprintf(stderr, "FAILED: %s %s has no CUDA text\n", kernel[k]->name, kernel[k]->variant);
    return NULL;
  }
  return list;
}

const struct gmg_kernel_library *on_cpu_library(const struct gmg_kernel_library *openmp)
{
  struct gmg_kernel_library *library = malloc(sizeof *library);
  struct gmg_operator_descriptor *op = malloc((size_t)openmp->operators * sizeof *op);
  const struct gmg_operator_descriptor **list = malloc((size_t)openmp->operators * sizeof *list);
  if (!library || !op || !list)
    abort();
  *library = *openmp;
  library->isa = "CUDA on the CPU";
  library->operator_ = list;
  for (int o = 0; o < openmp->operators; o++) {
    op[o] = *openmp->operator_[o];
    op[o].kernel = copies(op[o].kernel, op[o].kernels);
    list[o] = &op[o];
    if (!op[o].kernel)
      return NULL;
  }
  library->kernel = copies(openmp->kernel, openmp->kernels);
  return library->kernel ? library : NULL;
}

void on_cpu_calling(const struct gmg_kernel_descriptor *kernel)
{
  called = kernel;
}
