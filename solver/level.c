#include "level.h"

#include "cuda/backend.h"
#include "memory.h"
#include "openmp/tiles.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SERIAL_CELLS = 8192, STAGGER = 9 * 64, LARGE_FIELD = 8 << 20, LARGE_STAGGER = 418 * 64 };

/* work_0 and work_1 are setup's, and dropped in it; the others are the bottom solver's. */
static const char *const field_names[] = {"u",        "w",        "f",        "r",        "dinv",          "alpha",
                                          "beta",     "beta_i",   "beta_j",   "beta_k",   "work_0",        "work_1",
                                          "work_2",   "work_3",   "work_4",   "work_5",   "work_6",        "krylov_x",
                                          "krylov_p", "krylov_q", "krylov_b", "krylov_r", "krylov_shadow", "image"};

int gmg_level_field_known(const char *name)
{
  for (size_t n = 0; n < sizeof field_names / sizeof *field_names; n++)
    if (strcmp(name, field_names[n]) == 0)
      return 1;
  return 0;
}

struct gmg_level_array *gmg_level_find(struct gmg_level *level, const char *name)
{
  for (int n = 0; n < level->arrays; n++)
    if (strcmp(level->array[n].name, name) == 0)
      return &level->array[n];
  return NULL;
}

struct gmg_level_array *gmg_level_open(struct gmg_level *level, const char *name, enum gmg_access access)
{
  struct gmg_level_array *array = gmg_level_find(level, name);
  if (array && array->mirror.at)
    gmg_device_fetch(level->context, array, access);
  return array;
}

static void clear_array(struct gmg_level *level, struct gmg_level_array *array)
{
  if (!array->allocation && array->box)
    level->memory->planned -= (int64_t)array->bytes;
  gmg_release(level->memory, array->allocation, array->bytes);
  gmg_release(level->memory, array->box, (size_t)level->layout->local_count * sizeof *array->box);
  *array = (struct gmg_level_array){.name = ""};
}

/* Fields start some cache lines apart, so that the same cell of several does not fall into one cache set; large ones so far
 * that rows of several planes of them do not either: by a fifth of what one way of the second-level cache holds. */
static size_t stagger(const struct gmg_level *level, const struct gmg_level_array *array)
{
  const size_t step = gmg_level_field_bytes(level) < LARGE_FIELD ? STAGGER : LARGE_STAGGER;
  return array->kind == GMG_FIELD ? (size_t)((array - level->array) % 16) * step : 0;
}

/* An empty entry with room for its boxes' pointers, and of a line or table for its values. */
static struct gmg_level_array *add_array(struct gmg_level *level, const char *name, enum gmg_field_kind kind,
                                         size_t bytes)
{
  struct gmg_level_array *array = gmg_level_find(level, "");
  if (!array && level->arrays < GMG_LEVEL_ARRAYS)
    array = &level->array[level->arrays++];
  if (!array)
    return NULL;
  *array = (struct gmg_level_array){.kind = kind};
  array->bytes = bytes + stagger(level, array);
  snprintf(array->name, sizeof array->name, "%s", name);
  if (kind != GMG_FIELD)
    array->allocation = gmg_allocate(level->memory, bytes);
  array->box = gmg_allocate(level->memory, (size_t)level->layout->local_count * sizeof *array->box);
  if (array->box && kind == GMG_FIELD)
    level->memory->planned += (int64_t)array->bytes;
  if (array->box && (kind == GMG_FIELD || array->allocation))
    return array;
  clear_array(level, array);
  return NULL;
}

/* Takes the memory of a field that was planned. Returns -1 out of memory. */
static int take(struct gmg_level *level, struct gmg_level_array *array)
{
  if (array->allocation)
    return 0;
  array->allocation = gmg_allocate(level->memory, array->bytes);
  if (!array->allocation)
    return -1;
  level->memory->planned -= (int64_t)array->bytes;
  array->data = (char *)array->allocation + stagger(level, array);
  for (int b = 0; b < level->layout->local_count; b++)
    array->box[b] = (char *)array->data + (size_t)level->storage->origin[b] * level->storage->element_bytes;
  gmg_first_touch(level->storage, level->box, level->threads, array->data);
  return 0;
}

struct gmg_level_array *gmg_level_field(struct gmg_level *level, const char *name)
{
  struct gmg_level_array *array = gmg_level_find(level, name);
  if (!array && gmg_level_field_known(name))
    array = add_array(level, name, GMG_FIELD, gmg_level_field_bytes(level));
  if (!array || array->kind != GMG_FIELD || level->memory->planning)
    return array;
  return take(level, array) ? NULL : array;
}

size_t gmg_level_field_bytes(const struct gmg_level *level)
{
  return (size_t)level->storage->elements * level->storage->element_bytes;
}

int gmg_level_take(struct gmg_level *level)
{
  int failed = 0;
  for (int n = 0; n < level->arrays && !failed; n++)
    if (level->array[n].kind == GMG_FIELD && level->array[n].box)
      failed = take(level, &level->array[n]);
  return failed;
}

void gmg_level_drop(struct gmg_level *level, const char *name)
{
  struct gmg_level_array *array = gmg_level_find(level, name);
  if (array && array->calls)
    gmg_level_clear(level, name);
  else if (array)
    clear_array(level, array);
}

void gmg_level_clear(struct gmg_level *level, const char *name)
{
  struct gmg_level_array *array = gmg_level_find(level, name);
  if (array && array->data)
    memset(array->data, 0, gmg_level_field_bytes(level));
  if (array && array->mirror.at)
    gmg_device_clear(level->context, array);
}

void gmg_level_share(struct gmg_level *level)
{
  static const char *const names[] = {"alpha", "beta_i", "beta_j", "beta_k", "dinv"};
  for (size_t n = 0; n < sizeof names / sizeof *names && level->overlap; n++) {
    const struct gmg_level_array *array = gmg_level_find(level, names[n]);
    const int error = array && array->data ? gmg_exchange_run(level->overlap, array->data, array->data) : 0;
    if (error)
      level->context->mpi_error = error;
  }
}

static const struct gmg_box *local_box(const struct gmg_level *level, int b)
{
  return &level->layout->box[level->layout->local[b]];
}

/* Elements that a line or table of box b takes, from the one before its element 0 that is stored first. */
static size_t own_length(const struct gmg_level *level, int b, int axis)
{
  const struct gmg_box *box = local_box(level, b);
  const ptrdiff_t odd = axis == 0 ? level->box[b].odd : 0;
  const size_t cells = (size_t)(box->upper[axis] - box->lower[axis]) + 1 + 2 * GMG_LINE_PAD;
  return odd ? 2 * (size_t)odd + GMG_LINE_PAD : cells;
}

/* How far beyond the cells a line or table along the axis is there: where rows are split, as far as the fields are. */
static int own_pad(const struct gmg_level *level, int b, int axis)
{
  return axis == 0 && level->box[b].odd ? level->storage->ghost : GMG_LINE_PAD;
}

static ptrdiff_t place_along(const struct gmg_level *level, int b, int axis, int i)
{
  const ptrdiff_t odd = axis == 0 ? level->box[b].odd : 0;
  return odd ? gmg_at(i, odd) : i;
}

/* Box b's part of a line along axis 0 of split rows, from `plain`, its element 0. */
static void split_line(const struct gmg_level *level, int b, const double *plain, void *own)
{
  const struct gmg_box *box = local_box(level, b);
  const int cells = box->upper[0] - box->lower[0], pad = own_pad(level, b, 0);
  for (int i = -pad; i <= cells + pad; i++)
    if (i <= cells + GMG_LINE_PAD && i >= -GMG_LINE_PAD)
      gmg_level_put(level, own, place_along(level, b, 0, i), plain[box->lower[0] + i]);
}

gmg_status gmg_level_line(struct gmg_level *level, const char *name, int axis, const double *values)
{
  const size_t count = (size_t)level->axis[axis].cells + 1 + 2 * GMG_LINE_PAD;
  const size_t bytes = level->storage->element_bytes;
  const int single = level->precision == GMG_F32;
  size_t length = single ? count : 0; /* behind the values in double */
  for (int b = 0; b < level->layout->local_count && axis == 0; b++)
    length += level->box[b].odd ? own_length(level, b, axis) : 0;
  struct gmg_level_array *line = add_array(level, name, GMG_LINE, count * sizeof(double) + length * bytes);
  if (!line)
    return gmg_fail(level->context, GMG_ERR_MEMORY, "out of memory for line %s of level %d", name, level->index);
  memcpy(line->allocation, values, count * sizeof(double));
  const double *plain = line->data = (double *)line->allocation + GMG_LINE_PAD;
  char *next = (char *)((double *)line->allocation + count);
  char *zero = single ? next + GMG_LINE_PAD * bytes : (char *)line->data; /* element 0 in the level's precision */
  for (size_t i = 0; single && i < count; i++, next += bytes)
    *(float *)(void *)next = (float)values[i];
  for (int b = 0; b < level->layout->local_count; b++) {
    line->box[b] = zero + (size_t)local_box(level, b)->lower[axis] * bytes;
    if (axis != 0 || !level->box[b].odd)
      continue;
    line->box[b] = next + GMG_LINE_PAD * bytes;
    split_line(level, b, plain, line->box[b]);
    next += own_length(level, b, axis) * bytes;
  }
  return GMG_OK;
}

/* A table's entry at any index, for the whole other level: clamped, or along a periodic axis that of the image. */
struct entries {
  const int *values;
  int count, cells, other_cells, periodic;
};

static int entry(const struct entries *table, int i)
{
  const int n = table->cells, turns = table->periodic ? (i < 0 ? i - n + 1 : i) / n : 0;
  const int at = i < 0 || i >= table->count ? i - turns * n : i;
  return table->values[at < 0                 ? 0
                         : at >= table->count ? table->count - 1
                                              : at]
    + (at == i ? 0 : turns * table->other_cells);
}

static int larger(int a, int b)
{
  return a > b ? a : b;
}

/* Fills in a table's reach. */
static void find_reach(const struct entries *table, const struct gmg_layout *own, const struct gmg_layout *other,
                       int axis, int reach[GMG_LINE_PAD + 1])
{
  memset(reach, 0, (GMG_LINE_PAD + 1) * sizeof *reach);
  for (int b = 0; b < own->count && b < other->count; b++) {
    const struct gmg_box *box = &own->box[b], *partner = &other->box[b];
    for (int m = -1; m < GMG_LINE_PAD; m++) { /* -1: the cells themselves */
      const int low = box->lower[axis] - 1 - m, high = box->upper[axis] + m;
      for (int i = low; i <= high; i += m < 0 || high == low ? 1 : high - low) {
        const int inside = i >= 0 && i < table->cells;
        if ((m < 0 && (i < box->lower[axis] || i >= box->upper[axis])) || (!inside && !table->periodic))
          continue;
        const int at = entry(table, i);
        reach[m + 1] = larger(reach[m + 1], larger(partner->lower[axis] - at, at - partner->upper[axis] + 1));
      }
    }
  }
  for (int m = 1; m <= GMG_LINE_PAD; m++)
    reach[m] = larger(reach[m], reach[m - 1]);
}

gmg_status gmg_level_table(struct gmg_level *level, struct gmg_level *other, const char *stem, int axis,
                           const int *values, int count)
{
  char name[24];
  snprintf(name, sizeof name, "%s_%c", stem, "ijk"[axis]);
  size_t length = 0;
  for (int b = 0; b < level->layout->local_count; b++)
    length += own_length(level, b, axis);
  struct gmg_level_array *table = add_array(level, name, GMG_TABLE, length * sizeof(int));
  if (!table)
    return gmg_fail(level->context, GMG_ERR_MEMORY, "out of memory for table %s of level %d", name, level->index);
  int *next = table->allocation;
  const struct entries entries = {values, count, level->axis[axis].cells, other->axis[axis].cells,
                                  level->axis[axis].kind[0] == GMG_PERIODIC};
  for (int b = 0; b < level->layout->local_count; b++) {
    const struct gmg_box *box = local_box(level, b);
    const int first = local_box(other, b)->lower[axis];
    int *own = table->box[b] = next + GMG_LINE_PAD;
    next += own_length(level, b, axis);
    const int pad = own_pad(level, b, axis), cells = box->upper[axis] - box->lower[axis];
    for (int i = -pad; i <= cells + pad; i++)
      own[place_along(level, b, axis, i)] = entry(&entries, box->lower[axis] + i) - first;
  }
  if (axis > 0)
    find_reach(&entries, level->layout, other->layout, axis, table->reach);
  return GMG_OK;
}

void gmg_level_continue(const struct gmg_level *level, int axis, double *values)
{
  const int n = level->axis[axis].cells;
  if (level->axis[axis].kind[0] != GMG_PERIODIC)
    return;
  for (int m = 1; m <= GMG_LINE_PAD; m++)
    values[-m] = values[((n - m) % n + n) % n];
  for (int m = 0; m <= GMG_LINE_PAD; m++)
    values[n + m] = values[m % n];
}

/* Cell that a ghost at index i stands for: its mirror image, or its periodic one. */
static int image_cell(const struct gmg_axis *axis, int i)
{
  const int n = axis->cells;
  if (axis->kind[0] == GMG_PERIODIC)
    return ((i % n) + n) % n;
  const int mirror = i < 0 ? -1 - i : i >= n ? 2 * n - 1 - i : i;
  return mirror < 0 ? 0 : mirror >= n ? n - 1 : mirror;
}

/* A ghost beyond either end of a single periodic cell is that cell: the direction has no flux, as between Neumann walls. */
static double ghost_factor(const struct gmg_axis *axis, int side)
{
  if (axis->kind[side] == GMG_PERIODIC)
    return axis->cells == 1 ? 1.0 : 0.0;
  return gmg_axis_ghost_factor(axis, side);
}

/* The lines of one axis: widths; inverse distances, with the boundary formula folded in where the operator's conductances
 * take it; and the formula's factor at the wall cells for operators that take it in their diagonal. */
static gmg_status axis_lines(struct gmg_level *level, int d)
{
  const struct gmg_axis *axis = &level->axis[d];
  const int n = axis->cells, folded = level->op->boundary == GMG_FOLDED_CONDUCTANCES;
  const size_t length = (size_t)n + 1 + 2 * GMG_LINE_PAD;
  double *values = gmg_calloc(5 * length, sizeof *values);
  if (!values)
    return gmg_fail(level->context, GMG_ERR_MEMORY, "out of memory for the lines of level %d", level->index);
  double *h = values + GMG_LINE_PAD, *g = h + length, *fold_lo = g + length, *fold_hi = fold_lo + length;
  double *distance = fold_hi + length;
  gmg_axis_distances(axis, distance);
  for (int i = -GMG_LINE_PAD; i < n + 1 + GMG_LINE_PAD; i++)
    h[i] = axis->width[image_cell(axis, i)] / level->unit;
  for (int i = 0; i <= n; i++)
    g[i] = level->unit / distance[i];
  const int seam = axis->kind[0] == GMG_PERIODIC && n > 1;
  if (!seam && (folded || axis->kind[0] == GMG_PERIODIC)) {
    g[0] *= 1.0 - ghost_factor(axis, 0);
    g[n] *= 1.0 - ghost_factor(axis, 1);
  }
  for (int m = 1; m <= GMG_LINE_PAD; m++) {
    g[-m] = seam ? g[((n - m) % n + n) % n] : g[m < n ? m : n];
    g[n + m] = seam ? g[m % n] : g[m < n ? n - m : 0];
  }
  fold_lo[0] = ghost_factor(axis, 0);
  fold_hi[n - 1] = ghost_factor(axis, 1);

  const char *const stem[4] = {"h", "g", "fold_lo", "fold_hi"};
  gmg_status status = GMG_OK;
  for (int line = 0; line < 4 && !status; line++) {
    char name[24];
    snprintf(name, sizeof name, "%s_%c", stem[line], "ijk"[d]);
    status = gmg_level_line(level, name, d, values + (size_t)line * length);
  }
  gmg_free(values);
  return status;
}

static int create_exchanges(struct gmg_level *level)
{
  int periodic[3];
  double factor[3][2];
  for (int d = 0; d < 3; d++) {
    periodic[d] = level->axis[d].kind[0] == GMG_PERIODIC;
    for (int side = 0; side < 2; side++)
      factor[d][side] = periodic[d] ? 0 : gmg_axis_ghost_factor(&level->axis[d], side);
  }
  const int formulas = level->op->boundary == GMG_GHOST_FORMULAS;
  const int neighbours = level->layout->count > 1 || periodic[0] || periodic[1] || periodic[2];
  if (!neighbours && !formulas)
    return 0; /* ghosts stay zero */
  if (neighbours && (!level->apart || level->storage->overlap > 0)) {
    level->overlap = gmg_exchange_overlap(&level->context->comm, level->storage, periodic);
    if (!level->overlap)
      return -1;
  }
  for (int shape = 0; shape < 2; shape++) {
    const int operators = shape == (int)level->op->exchange;
    if (!operators && shape == GMG_STAR)
      continue;
    level->ghosts[shape] = gmg_exchange_ghosts(&level->context->comm, level->storage, (enum gmg_exchange_shape)shape,
                                               level->op->ghost > 1 ? level->op->ghost : 1, periodic,
                                               formulas && operators ? (const double(*)[2])factor : NULL);
    if (!level->ghosts[shape])
      return -1;
  }
  return 0;
}

static struct gmg_storage *create_storage(const struct gmg_level *level, const struct gmg_level_form *form)
{
  const size_t bytes = form->precision == GMG_F64 ? sizeof(double) : sizeof(float);
  const int ghosts = level->op->ghost > form->ghosts ? level->op->ghost : form->ghosts;
  int periodic[3];
  for (int d = 0; d < 3; d++)
    periodic[d] = level->axis[d].kind[0] == GMG_PERIODIC;
  if (form->twin)
    return gmg_storage_twin(form->twin->storage, bytes);
  return gmg_storage_overlapping(level->layout, ghosts, form->overlap, periodic, bytes, form->rows);
}

struct gmg_level *gmg_level_create(gmg_context *context, struct gmg_memory *memory, int index,
                                   const struct gmg_level_form *form, const struct gmg_operator_descriptor *op,
                                   const struct gmg_axis axis[3], struct gmg_layout *layout)
{
  struct gmg_level *level = gmg_calloc(1, sizeof *level);
  if (!level)
    return NULL;
  level->context = context;
  level->memory = memory;
  level->index = index;
  level->op = op;
  level->precision = form->precision;
  level->unit = form->unit;
  level->twin = form->twin;
  if (form->twin)
    form->twin->twin = level;
  level->layout = layout;
  memcpy(level->axis, axis, sizeof level->axis);
  level->cells = (int64_t)axis[0].cells * axis[1].cells * axis[2].cells;
  level->apart = form->apart;
  level->storage = create_storage(level, form);
  level->box = gmg_calloc((size_t)layout->local_count + 1, sizeof *level->box);
  if (!level->storage || !level->box)
    goto failed;
  for (int b = 0; b < layout->local_count; b++) {
    struct gmg_kernel_box *box = &level->box[b];
    int64_t cells = 1;
    for (int d = 0; d < 3; d++) {
      box->lower[d] = local_box(level, b)->lower[d];
      box->cells[d] = local_box(level, b)->upper[d] - box->lower[d];
      cells *= box->cells[d];
    }
    box->stride[0] = level->storage->stride[b][0];
    box->stride[1] = level->storage->stride[b][1];
    box->odd = level->storage->odd[b];
    level->local_cells += cells;
  }
  level->threads = level->local_cells < SERIAL_CELLS ? 1 : context->threads;
  if (!form->staging && create_exchanges(level))
    goto failed;
  for (int d = 0; d < 3; d++)
    if (axis_lines(level, d))
      goto failed;
  return level;
failed:
  gmg_level_destroy(&level);
  return NULL;
}

void gmg_level_destroy(struct gmg_level **level)
{
  if (!level || !*level)
    return;
  struct gmg_level *l = *level;
  for (int n = 0; n < l->arrays; n++)
    clear_array(l, &l->array[n]);
  for (int shape = 0; shape < 2; shape++)
    gmg_exchange_destroy(&l->ghosts[shape]);
  gmg_exchange_destroy(&l->overlap);
  gmg_storage_destroy(&l->storage);
  if (l->twin)
    l->twin->twin = NULL;
  gmg_free(l->box);
  gmg_free(l);
  *level = NULL;
}
