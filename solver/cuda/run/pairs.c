#include "pairs.h"

#include "cuda/memory/mirror.h"
#include "cuda/runtime/modules.h"
#include "cuda/runtime/staged.h"
#include "where.h"

#include "mesh/exchange_plan.h"
#include "runtime/launch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_ARCHITECTURE = 90 }; /* the only one where passes were measured */

struct gmg_staged_pass {
  CUfunction function;
  unsigned grid[3], threads, shared;
  int u, colour;                  /* which field, and which scalar */
  void *spare;                    /* element (0, 0, 0) */
  struct gmg_cuda_boxes boxes[2]; /* from u, and from its spare array */
};

/* Whether something is to be put into ghosts on this rank. */
static int has_ghosts(const struct gmg_call *call)
{
  for (int n = 0; n < call->exchanges; n++) {
    const struct gmg_exchange *e = call->ghosts[n].exchange;
    if (e->sends + e->receives + e->local.count + e->walls > 0)
      return 1;
  }
  return 0;
}

/* The field whose neighbours are read, and which is written. */
static int unknown_of(const struct gmg_cuda_form *form)
{
  int n = 0;
  while (n < form->boxes && !form->box[n].below)
    n++;
  return form->box[n].field;
}

/* The part of the device's time in which thread blocks work on cells of the box: they may reach
 * beyond it, a pass ends when the last one does, and each takes some steps more than it has planes.
 */
static double efficiency(const struct gmg_cuda_kernel *kernel, const int cells[3], int processors)
{
  const struct gmg_cuda_shape *shape = &kernel->staged->shape;
  unsigned grid[3];
  gmg_cuda_staged_grid(kernel, shape, cells, processors, grid);
  const double blocks = (double)grid[0] * grid[1] * grid[2], waves = ceil(blocks / processors),
               steps = ceil((double)cells[2] / grid[2]) + GMG_STAGED_STEPS,
               pairs = (double)gmg_cuda_positions(kernel, cells, 0) * cells[1] * cells[2];
  return pairs / (waves * processors * steps * shape->block_i * shape->block_j);
}

/* What two half-sweeps move over what a pass does. A half-sweep reads half of those fields of which
 * it reads its own cells alone. */
static double saving(const struct gmg_cuda_form *form)
{
  double sweep = 0.5, pass = 1; /* written */
  for (int n = 0; n < form->boxes; n++) {
    sweep += !form->box[n].beside && !form->box[n].ahead && form->box[n].rows == 2 ? 0.5 : 1;
    pass += 1;
  }
  return 2 * sweep / pass;
}

/* Measured on an H200, solves with passes over those without, by efficiency: variable coefficients,
 * double: 0.44 1.02, 0.51 0.97, 0.58 1.08, 0.70 1.09 and 1.12, 0.74 1.12, 0.93 1.19, 0.96 1.30;
 * single, residuals in double: 0.58 0.95, 0.70 1.02, 0.93 1.09, 0.96 1.14; constant coefficients:
 * 0.58 0.98, 0.70 0.99, 0.93 1.03, 0.96 1.04. */
static int is_worth_it(const struct gmg_placement *p, const struct gmg_call *call,
                       const struct gmg_cuda_kernel *kernel)
{
  const double least = 1.1;
  const int *cells = call->level->box[0].cells;
  return efficiency(kernel, cells, p->device->multiprocessors) * saving(kernel->staged) >= least;
}

/* By architecture: where it was measured; the option asks for all on others, too. */
static int takes(const struct gmg_placement *p, const struct gmg_call *call)
{
  const struct gmg_device *device = p->device;
  const struct gmg_cuda_kernel *kernel = call->kernel->cuda;
  const int all = p->options.passes == GMG_PASSES_WHERE_RIGHT;
  if (p->options.passes == GMG_PASSES_NOWHERE || p->no_spares || !kernel || !kernel->staged
      || call->level->layout->local_count != 1
      || (has_ghosts(call) && !call->level->deep[GMG_DEEP_U].exchange)
      || gmg_where_coarse(p, call->level))
    return 0;
  if (all ? device->capability < FIRST_ARCHITECTURE : device->capability != FIRST_ARCHITECTURE)
    return 0;
  return all || is_worth_it(p, call, kernel);
}

struct gmg_level_array *gmg_pairs_array(const struct gmg_placement *p, const struct gmg_call *call)
{
  return takes(p, call) ? call->array[unknown_of(call->kernel->cuda->staged)] : NULL;
}

/* Describes the boxes of u and of its spare array, and sets how much shared memory a launch has. */
static int prepare(struct gmg_device *device, const struct gmg_cuda_form *form, int real,
                   const struct gmg_cuda_args *args, struct gmg_staged_pass *pass)
{
  gmg_cuda_encode_tensor *encode = device->driver->encode_tensor;
  struct gmg_cuda_args back = *args;
  back.field[pass->u] = pass->spare;
  gmg_device_enter(device);
  const int failed = gmg_cuda_staged_encode(form, &form->shape, real, args, encode, &pass->boxes[0])
    || gmg_cuda_staged_encode(form, &form->shape, real, &back, encode, &pass->boxes[1])
    || GMG_DEVICE_TRY(device, cuFuncSetAttribute, pass->function,
                      CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, (int)pass->shared);
  gmg_device_leave(device);
  return failed;
}

/* Where a field of a launch begins in the spare array of its own array; NULL: there is none. */
static void *spare_of(const struct gmg_prepared *prepared, int field)
{
  const struct gmg_level_array *array = prepared->call->array[field];
  char *spare = gmg_mirror_spare(array, 0);
  const char *box = gmg_mirror_box(array, 0);
  return spare ? spare + ((const char *)prepared->args.field[field] - box) : NULL;
}

struct gmg_staged_pass *gmg_pairs_make(struct gmg_device *device,
                                       const struct gmg_prepared *prepared)
{
  const struct gmg_cuda_kernel *kernel = prepared->kernel->kernel;
  const struct gmg_cuda_form *form = kernel->staged;
  const struct gmg_wanted wanted = gmg_modules_form(kernel, form);
  const struct gmg_loaded *loaded = gmg_modules_find_as(device, &wanted);
  const int real = kernel->precision == GMG_F64 ? 8 : 4, u = unknown_of(form);
  void *spare = spare_of(prepared, u);
  struct gmg_staged_pass *pass =
    loaded && spare && device->driver->encode_tensor ? aligned_alloc(64, sizeof *pass) : NULL;
  if (!pass)
    return NULL;
  memset(pass, 0, sizeof *pass);
  pass->function = loaded->function;
  pass->threads = (unsigned)gmg_cuda_staged_threads(&form->shape);
  pass->shared = (unsigned)gmg_cuda_staged_bytes(form, &form->shape, real);
  pass->u = u;
  pass->colour = prepared->call->slot[GMG_SCALAR_COLOUR];
  pass->spare = spare;
  gmg_cuda_staged_grid(kernel, &form->shape, prepared->args.box.cells, device->multiprocessors,
                       pass->grid);
  if (!prepare(device, form, real, &prepared->args, pass))
    return pass;
  free(pass);
  return NULL;
}

/* Whether two calls have the same arrays, and the second one so many layers of ghosts fewer as
 * half- sweeps lie between, where there are any. */
static int is_of_same(const struct gmg_prepared *first, const struct gmg_prepared *second,
                      int between)
{
  return memcmp(first->call->array, second->call->array,
                (size_t)first->call->kernel->fields * sizeof *first->call->array)
    == 0
    && second->layers == (first->layers ? first->layers - between : 0);
}

/* A half-sweep and the one of the other colour after it. */
static int is_pair(const struct gmg_entry *entry)
{
  const struct gmg_prepared *first = entry[0].prepared, *second = entry[1].prepared;
  const struct gmg_staged_pass *pass = first->pass;
  return pass && second->pass && first->kernel == second->kernel && !entry[0].reduces
    && !entry[1].reduces && entry[0].scalar[pass->colour] + entry[1].scalar[pass->colour] == 1
    && is_of_same(first, second, 1);
}

/* Pairs from here on, all of one unknown. */
static int count_pairs(const struct gmg_entry *entry, int entries)
{
  int pairs = 0;
  while (entries >= 2 * pairs + 2 && is_pair(entry + 2 * pairs)
         && is_of_same(entry[0].prepared, entry[2 * pairs].prepared, 2 * pairs))
    pairs++;
  return pairs;
}

/* Which field of a call on one box is that array; -1: none. */
static int field_of(const struct gmg_prepared *prepared, const struct gmg_level_array *array)
{
  int n =
    prepared->kernel->kernel && !prepared->record_bytes ? prepared->call->kernel->fields - 1 : -1;
  while (n >= 0 && prepared->call->array[n] != array)
    n--;
  return n;
}

static enum gmg_kernel_role role_of(const struct gmg_entry *entry)
{
  return entry->prepared->call ? entry->prepared->call->kernel->role : GMG_AS_WRITTEN;
}

static int is_from_zero(const struct gmg_entry *entry)
{
  return role_of(entry) == GMG_ZERO_FIRST && role_of(entry + 1) == GMG_ZERO_SECOND;
}

static const struct gmg_level_array *unknown(const struct gmg_prepared *prepared)
{
  return prepared->call->array[prepared->pass->u];
}

int gmg_pairs_length(const struct gmg_entry *entry, int entries)
{
  enum { FOUR = 4 };
  if (entries < FOUR)
    return 0;
  if (!is_from_zero(entry))
    return count_pairs(entry, FOUR) == 2 ? FOUR : 0;
  /* Of an even number each two go there and back. */
  const int pairs = count_pairs(entry + 2, entries - 2);
  return pairs % 2 && field_of(entry[0].prepared, unknown(entry[2].prepared)) >= 0
      && field_of(entry[1].prepared, unknown(entry[2].prepared)) >= 0
    ? FOUR
    : 0;
}

int gmg_pairs_together(const struct gmg_entry *four, int n)
{
  if (n < 2 && is_from_zero(four))
    return 1;
  return n % 2 ? 0 : 2;
}

/* A half-sweep from zero, in the spare array. */
static void describe_from_zero(const struct gmg_entry *entry, const struct gmg_prepared *pass,
                               struct gmg_pass_launch *launch, CUDA_KERNEL_NODE_PARAMS *node)
{
  const struct gmg_prepared *prepared = entry->prepared;
  launch->args = prepared->args;
  memcpy(launch->args.scalar, entry->scalar, sizeof launch->args.scalar);
  const int field = field_of(prepared, unknown(pass));
  launch->args.field[field] = spare_of(prepared, field);
  launch->argument[0] = &launch->args;
  launch->symbol = prepared->kernel->kernel->symbol;
  gmg_prepared_node(prepared, launch->argument, node);
}

void gmg_pairs_describe(const struct gmg_entry *four, int n, struct gmg_pass_launch *launch,
                        CUDA_KERNEL_NODE_PARAMS *node)
{
  const struct gmg_entry *entry = four + n;
  const struct gmg_prepared *prepared = entry->prepared;
  const struct gmg_staged_pass *pass = prepared->pass;
  const int back = n == 2;
  if (n < 2 && is_from_zero(four)) {
    describe_from_zero(entry, four[2].prepared, launch, node);
    return;
  }
  launch->args = prepared->args;
  memcpy(launch->args.scalar, entry[0].scalar, sizeof launch->args.scalar);
  memcpy(launch->args.then, entry[1].scalar, sizeof launch->args.then);
  launch->args.out = back ? launch->args.field[pass->u] : pass->spare;
  if (back)
    launch->args.field[pass->u] = pass->spare;
  launch->argument[0] = &launch->args;
  launch->argument[1] = (void *)&pass->boxes[back];
  launch->symbol = prepared->kernel->kernel->staged->symbol;
  *node = (CUDA_KERNEL_NODE_PARAMS){.func = pass->function,
                                    .gridDimX = pass->grid[0],
                                    .gridDimY = pass->grid[1],
                                    .gridDimZ = pass->grid[2],
                                    .blockDimX = pass->threads,
                                    .blockDimY = 1,
                                    .blockDimZ = 1,
                                    .sharedMemBytes = pass->shared,
                                    .kernelParams = launch->argument};
}
