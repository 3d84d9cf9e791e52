#include "level.h"

#include "array.h"
#include "backend.h"
#include "launch.h"
#include "line.h"
#include "system/memory.h"
#include "system/order.h"
#include "tiles.h"

#include <string.h>

enum { SERIAL_CELLS = 8192 };

struct gmg_level_array *gmg_level_named(struct gmg_level *level, const char *stem, int axis)
{
  char name[GMG_NAME_ROOM + 2];
  gmg_axis_name(name, stem, axis);
  return gmg_level_find(level, gmg_name(&level->context->names, name));
}

struct gmg_level_array *gmg_level_open(struct gmg_level *level, int name, enum gmg_access access)
{
  struct gmg_level_array *array = gmg_level_find(level, name);
  if (array && array->mirror.at)
    level->context->backend->fetch(level->context, array, access);
  return array;
}

void gmg_level_touch(struct gmg_level_array *array)
{
  if (!array->uncounted)
    return;
  gmg_memory_count(array->memory, (int64_t)array->bytes);
  array->uncounted = 0;
  array->memory->block_touched |= array->share != GMG_APART;
}

/* Whether others have the field's memory. */
static int is_idle(const struct gmg_level *level, const struct gmg_level_array *array)
{
  return array->share != GMG_APART && array->share != level->memory->uses;
}

/* Takes the memory of a field that was planned. Returns -1 out of memory. */
static int take(struct gmg_level *level, struct gmg_level_array *array)
{
  if (array->allocation)
    return 0;
  if (array->share == GMG_APART) {
    array->reserved = level->memory->reserves && array->bytes >= GMG_LEAST_RESERVED;
    array->allocation =
      array->reserved ? gmg_reserve(array->bytes) : gmg_allocate(level->memory, array->bytes);
    level->memory->planned -= array->allocation ? (int64_t)array->bytes : 0;
  } else {
    char *block = gmg_memory_block(level->memory);
    array->allocation = block ? block + array->at : NULL;
    array->reserved = level->memory->block_reserved;
  }
  if (!array->allocation)
    return -1;
  array->data = (char *)array->allocation + gmg_array_stagger(level, array);
  for (int b = 0; b < level->layout->local_count; b++)
    array->box[b] =
      (char *)array->data + (size_t)level->storage->origin[b] * level->storage->element_bytes;
  array->uncounted = array->reserved;
  if (!is_idle(level, array) && !array->reserved)
    gmg_first_touch(level->storage, level->box, level->threads, array->data);
  return 0;
}

void gmg_level_settle(struct gmg_level *level)
{
  for (int n = 0; n < level->arrays; n++) {
    struct gmg_level_array *array = level->array[n];
    if (array->uncounted && !is_idle(level, array))
      gmg_first_touch(level->storage, level->box, level->threads, array->data);
    gmg_level_touch(array);
  }
}

/* A field that was to share the block is needed all the time: it gets memory of its own. */
static void keep(struct gmg_level *level, struct gmg_level_array *array)
{
  if (array->reserved && !array->uncounted)
    gmg_memory_count(level->memory, -(int64_t)array->bytes);
  array->reserved = array->uncounted = 0;
  array->share = GMG_APART;
  array->allocation = array->data = NULL;
  level->memory->planned += (int64_t)array->bytes;
}

struct gmg_level_array *gmg_level_field(struct gmg_level *level, int name)
{
  struct gmg_level_array *array = gmg_level_find(level, name);
  if (!array && name >= 0 && name < GMG_FIXED_NAMES)
    array = gmg_array_add(level, name, GMG_FIELD, gmg_level_field_bytes(level));
  if (array && array->kind == GMG_FIELD && is_idle(level, array)
      && level->memory->plans == GMG_APART)
    keep(level, array);
  if (!array || array->kind != GMG_FIELD || level->memory->planning)
    return array;
  return take(level, array) ? NULL : array;
}

struct gmg_level_array *gmg_level_coefficient(struct gmg_level *level, int name)
{
  struct gmg_level_array *array = gmg_level_find(level, name);
  if (!array)
    array = gmg_array_add(level, name, GMG_FIELD, gmg_level_field_bytes(level));
  if (array)
    array->coefficient = 1;
  return array;
}

size_t gmg_level_field_bytes(const struct gmg_level *level)
{
  return (size_t)level->storage->elements * level->storage->element_bytes;
}

int gmg_level_take(struct gmg_level *level)
{
  int failed = gmg_level_kept(level) ? gmg_level_take(level->twin) : 0;
  for (int n = 0; n < level->arrays && !failed; n++)
    if (level->array[n]->kind == GMG_FIELD && level->array[n]->box)
      failed = take(level, level->array[n]);
  return failed;
}

void gmg_level_begin(struct gmg_level *level)
{
  for (int n = 0; n < level->arrays; n++) {
    struct gmg_level_array *array = level->array[n];
    if (array->kind != GMG_FIELD || !array->data || array->share == GMG_APART
        || is_idle(level, array))
      continue;
    array->shared = 0;
    if (array->reserved && !level->memory->block_touched)
      continue; /* all of it is zero */
    gmg_level_touch(array);
    memset(array->data, 0, gmg_level_field_bytes(level));
  }
}

void gmg_level_drop(struct gmg_level *level, int name)
{
  struct gmg_level_array *array = gmg_level_find(level, name);
  if (array && array->calls)
    gmg_level_clear(level, name);
  else if (array)
    gmg_array_remove(level, array);
}

void gmg_level_clear(struct gmg_level *level, int name)
{
  struct gmg_level_array *array = gmg_level_find(level, name);
  if (array && is_idle(level, array))
    return;
  if (array && array->mirror.at && level->context->backend->clear(level->context, array))
    return;
  if (array && array->data)
    memset(array->data, 0, gmg_level_field_bytes(level));
}

/* Whether gmg_level_share is for it. */
static int is_shared_with(const struct gmg_level *level, const struct gmg_level_array *array)
{
  return array->coefficient && array->data && !is_idle(level, array);
}

void gmg_level_share(struct gmg_level *level)
{
  if (gmg_level_kept(level))
    gmg_level_share(level->twin);
  for (int n = 0; n < level->shares; n++)
    if (is_shared_with(level, level->share_moves[n].to))
      gmg_move_run(level->context, &level->share_moves[n]);
  if (level->shares)
    return;
  for (int n = 0; n < level->arrays && level->overlap; n++) {
    const struct gmg_level_array *array = level->array[n];
    if (is_shared_with(level, array))
      level->context->mpi_error |= gmg_exchange_share(level->overlap, array->data);
  }
}

int gmg_level_exchanged(const struct gmg_level *level)
{
  return gmg_larger(level->op->ghost, 1);
}

static int create_exchanges(struct gmg_level *level)
{
  int periodic[3];
  double factor[3][2];
  gmg_axes_periodic(level->axis, periodic);
  for (int side = 0; side < 6; side++) /* 0 where it is periodic */
    factor[side / 2][side % 2] = gmg_axis_ghost_factor(&level->axis[side / 2], side % 2);
  const int formulas = level->op->boundary == GMG_GHOST_FORMULAS;
  const double(*walls)[2] = formulas ? (const double(*)[2])factor : NULL;
  const int neighbours = level->layout->count > 1 || periodic[0] || periodic[1] || periodic[2];
  if (!neighbours && !formulas)
    return 0; /* ghosts stay zero */
  struct gmg_comm *comm = &level->context->comm;
  if (neighbours && (!level->unfused_reason || level->storage->overlap > 0)
      && !(level->overlap = gmg_exchange_overlap(comm, level->storage, periodic, walls)))
    return -1;
  for (int shape = 0; shape < 2; shape++)
    if ((shape != GMG_STAR || level->op->exchange == GMG_STAR)
        && !(level->ghosts[shape] =
               gmg_exchange_ghosts(comm, level->storage, (enum gmg_exchange_shape)shape,
                                   gmg_level_exchanged(level), periodic, walls)))
      return -1;
  return 0;
}

static struct gmg_storage *create_storage(const struct gmg_level *level,
                                          const struct gmg_level_form *form)
{
  const size_t bytes = form->precision == GMG_F64 ? sizeof(double) : sizeof(float);
  const int ghosts = gmg_larger(level->op->ghost, form->ghosts);
  int periodic[3];
  gmg_axes_periodic(level->axis, periodic);
  if (form->twin)
    return gmg_storage_twin(form->twin->storage, bytes);
  return gmg_storage_create(level->layout, ghosts, form->overlap, periodic, bytes, form->rows);
}

struct gmg_level *gmg_level_create(gmg_context *context, struct gmg_memory *memory, int index,
                                   const struct gmg_level_form *form,
                                   const struct gmg_operator_descriptor *op,
                                   const struct gmg_axis axis[3], struct gmg_layout *layout)
{
  struct gmg_level *level = gmg_malloc(sizeof *level);
  if (!level)
    return NULL;
  *level = (struct gmg_level){.context = context,
                              .memory = memory,
                              .index = index,
                              .op = op,
                              .precision = form->precision,
                              .share = form->share,
                              .unit = form->unit,
                              .twin = form->twin,
                              .lender = form->lender ? form->lender : form->twin,
                              .layout = layout,
                              .axis = {axis[0], axis[1], axis[2]},
                              .cells = (int64_t)axis[0].cells * axis[1].cells * axis[2].cells,
                              .unfused_reason = form->unfused_reason,
                              .may_pass = form->may_pass,
                              .choice = form->choice};
  if (form->twin)
    form->twin->twin = level;
  level->storage = create_storage(level, form);
  level->box = gmg_calloc((size_t)layout->local_count + 1, sizeof *level->box);
  if (!level->storage || !level->box)
    goto failed;
  for (int b = 0; b < layout->local_count; b++) {
    const struct gmg_box *own = &layout->box[layout->local[b]];
    struct gmg_kernel_box *box = &level->box[b];
    for (int d = 0; d < 3; d++) {
      box->lower[d] = own->lower[d];
      box->cells[d] = own->upper[d] - box->lower[d];
    }
    box->stride[0] = level->storage->stride[b][0];
    box->stride[1] = level->storage->stride[b][1];
    box->odd = level->storage->odd[b];
    level->local_cells += (int64_t)box->cells[0] * box->cells[1] * box->cells[2];
  }
  level->threads = gmg_level_threads(level);
  if (!form->staging && create_exchanges(level))
    goto failed;
  for (int d = 0; d < 3; d++)
    if (gmg_level_axis_lines(level, d))
      goto failed;
  return level;
failed:
  gmg_level_destroy(&level);
  return NULL;
}

int gmg_level_keep_twin(struct gmg_level *level, const struct gmg_level_form *form)
{
  struct gmg_level_form single = *form;
  single.precision = GMG_F32;
  single.twin = level;
  single.lender = NULL;
  level->keeps_twin = gmg_level_create(level->context, level->memory, level->index, &single,
                                       level->op, level->axis, level->layout)
    != NULL;
  return level->keeps_twin ? 0 : -1;
}

int gmg_level_threads(const struct gmg_level *level)
{
  const int most = level->context->threads, chosen = level->choice.threads;
  if (chosen)
    return gmg_smaller(chosen, most);
  return level->local_cells < SERIAL_CELLS ? 1 : most;
}

void gmg_level_destroy(struct gmg_level **level)
{
  if (!level || !*level)
    return;
  struct gmg_level *l = *level;
  if (l->keeps_twin)
    gmg_level_destroy(&l->twin);
  gmg_arrays_destroy(l);
  for (int n = 0; n < l->stats; n++) {
    gmg_free(l->stat[n]->choice);
    gmg_free(l->stat[n]);
  }
  for (int shape = 0; shape < 2; shape++)
    gmg_exchange_destroy(&l->ghosts[shape]);
  gmg_exchange_destroy(&l->overlap);
  gmg_storage_destroy(&l->storage);
  if (l->twin)
    l->twin->twin = NULL;
  gmg_free(l->stat);
  gmg_free(l->call);
  gmg_free(l->box);
  gmg_free(l->uniform_runs);
  gmg_tiles_destroy(&l->tiles);
  gmg_free(l->share_moves);
  gmg_free(l);
  *level = NULL;
}
