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

static void launch(const struct gmg_cuda_kernel *cuda, const struct gmg_cuda_form *form,
                   const struct gmg_cuda_args *args)
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
    gmg_cuda_grid(cuda, &shape, args->box.cells, way.grid);
    way.block[0] = (unsigned)shape.block_i;
    way.block[1] = (unsigned)shape.block_j;
    if (form == cuda->staged) {
      gmg_cuda_staged_grid(cuda, &shape, args->box.cells, 8, way.grid);
      way.block[0] = (unsigned)gmg_cuda_staged_threads(&shape);
      way.block[1] = 1;
    }
    snprintf(symbol, sizeof symbol, "%s", form->symbol);
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
    launch(cuda, form, args);
  return form != NULL;
}

/* Box by box, as the GPU is called. */
static void run(const struct gmg_kernel_args *args)
{
  const struct gmg_cuda_kernel *cuda = find_kernel(called);
  int boxes = 0;
  left_out = 0;
  for (int t = 0; t < args->tiles; t++)
    boxes = args->tile[t].box >= boxes ? args->tile[t].box + 1 : boxes;
  for (int b = 0; b < boxes; b++) {
    struct gmg_cuda_args box = {.box = args->box[b], .reduction = args->reduction};
    memcpy(box.scalar, args->scalar, sizeof box.scalar);
    for (int f = 0; f < called->fields; f++)
      box.field[f] = args->field[f][b];
    launch(cuda, now.form < 0 ? NULL : &cuda->form[now.form < cuda->forms ? now.form : 0], &box);
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
