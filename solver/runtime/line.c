#include "line.h"

#include "system/order.h"

#include <string.h>

static const struct gmg_box *local_box(const struct gmg_level *level, int b)
{
  return &level->layout->box[level->layout->local[b]];
}

/* Elements that a line or table of box b takes, from the one before its element 0 that is stored
 * first. */
static size_t own_length(const struct gmg_level *level, int b, int axis)
{
  const struct gmg_box *box = local_box(level, b);
  const ptrdiff_t odd = axis == 0 ? level->box[b].odd : 0;
  const size_t cells = (size_t)(box->upper[axis] - box->lower[axis]) + 1 + 2 * GMG_LINE_PAD;
  return odd ? 2 * (size_t)odd + GMG_LINE_PAD : cells;
}

/* From where to where a line or table along the axis is there: where rows are split, as far as the
 * fields are, since an element beyond would lie where one before the cells does. */
static int own_first(const struct gmg_level *level, int b, int axis)
{
  return axis == 0 && level->box[b].odd ? -level->storage->ghost : -GMG_LINE_PAD;
}

static int own_last(const struct gmg_level *level, int b, int axis)
{
  const int split = axis == 0 && level->box[b].odd;
  return level->box[b].cells[axis] + (split ? level->storage->ghost - 1 : GMG_LINE_PAD);
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
  for (int i = own_first(level, b, 0); i <= own_last(level, b, 0); i++)
    gmg_level_put(level, own, place_along(level, b, 0, i), plain[box->lower[0] + i]);
}

static size_t whole_lines(size_t bytes)
{
  enum { LINE_BYTES = 64 };
  return (bytes + LINE_BYTES - 1) / LINE_BYTES * LINE_BYTES;
}

/* The line or table "stem_i", "_j" or "_k" of an axis; NULL out of memory. */
static struct gmg_level_array *add(struct gmg_level *level, const char *stem, int axis,
                                   enum gmg_field_kind kind, size_t bytes)
{
  char name[GMG_NAME_ROOM + 2];
  gmg_axis_name(name, stem, axis);
  return gmg_level_add(level, gmg_name(&level->context->names, name), kind, bytes);
}

gmg_status gmg_level_line(struct gmg_level *level, const char *stem, int axis, const double *values)
{
  const size_t count = (size_t)level->axis[axis].cells + 1 + 2 * GMG_LINE_PAD;
  const size_t bytes = level->storage->element_bytes,
               plain_bytes = whole_lines(count * sizeof(double));
  const int single = level->precision == GMG_F32;
  size_t length = single ? whole_lines(count * bytes) : 0; /* after the values in double */
  for (int b = 0; b < level->layout->local_count && axis == 0; b++)
    length += level->box[b].odd ? whole_lines(own_length(level, b, axis) * bytes) : 0;
  struct gmg_level_array *line = add(level, stem, axis, GMG_LINE, plain_bytes + length);
  if (!line)
    return gmg_no_memory(level->context, "for line %s_%c of level %d", stem, "ijk"[axis],
                         level -> index);
  memcpy(line->allocation, values, count * sizeof(double));
  const double *plain = line->data = (double *)line->allocation + GMG_LINE_PAD;
  char *next = (char *)line->allocation + plain_bytes;
  char *zero = single ? next + GMG_LINE_PAD * bytes
                      : (char *)line->data; /* element 0 in the level's precision */
  for (size_t i = 0; single && i < count; i++)
    ((float *)(void *)next)[i] = (float)values[i];
  next += single ? whole_lines(count * bytes) : 0;
  for (int b = 0; b < level->layout->local_count; b++) {
    line->box[b] = zero + (size_t)local_box(level, b)->lower[axis] * bytes;
    if (axis != 0 || !level->box[b].odd)
      continue;
    line->box[b] = next + GMG_LINE_PAD * bytes; /* on a cache line, as the rows of fields are */
    split_line(level, b, plain, line->box[b]);
    next += whole_lines(own_length(level, b, axis) * bytes);
  }
  return GMG_OK;
}

/* A table's entry at any index, for the whole other level: clamped, or along a periodic axis that
 * of the image. */
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

/* How far a cell lies outside a box along an axis; not positive within. */
static int beyond(const struct gmg_box *box, int axis, int cell)
{
  return gmg_larger(box->lower[axis] - cell, cell - box->upper[axis] + 1);
}

/* Fills in a table's reach: [0] of the cells themselves, [m] of those up to m beyond them. */
static void find_reach(const struct entries *table, const struct gmg_layout *own,
                       const struct gmg_layout *other, int axis, int reach[GMG_LINE_PAD + 1])
{
  for (int b = 0; b < own->count && b < other->count; b++) {
    const struct gmg_box *box = &own->box[b], *partner = &other->box[b];
    for (int i = box->lower[axis]; i < box->upper[axis]; i++)
      reach[0] = gmg_larger(reach[0], beyond(partner, axis, table->values[i]));
    for (int m = 0; m < GMG_LINE_PAD; m++)
      for (int side = 0; side < 2; side++) {
        const int i = side ? box->upper[axis] + m : box->lower[axis] - 1 - m;
        if (table->periodic || (i >= 0 && i < table->cells))
          reach[m + 1] = gmg_larger(reach[m + 1], beyond(partner, axis, entry(table, i)));
      }
  }
  for (int m = 1; m <= GMG_LINE_PAD; m++)
    reach[m] = gmg_larger(reach[m], reach[m - 1]);
}

gmg_status gmg_level_table(struct gmg_level *level, struct gmg_level *other, const char *stem,
                           int axis, const int *values, int count)
{
  size_t length = 0;
  for (int b = 0; b < level->layout->local_count; b++)
    length += own_length(level, b, axis);
  struct gmg_level_array *table = add(level, stem, axis, GMG_TABLE, length * sizeof(int));
  if (!table)
    return gmg_no_memory(level->context, "for table %s_%c of level %d", stem, "ijk"[axis],
                         level -> index);
  int *next = table->allocation;
  const struct entries entries = {values, count, level->axis[axis].cells, other->axis[axis].cells,
                                  level->axis[axis].kind[0] == GMG_PERIODIC};
  for (int b = 0; b < level->layout->local_count; b++) {
    const struct gmg_box *box = local_box(level, b);
    const int first = local_box(other, b)->lower[axis];
    int *own = table->box[b] = next + GMG_LINE_PAD;
    next += own_length(level, b, axis);
    const int inside = gmg_smaller(count - box->lower[axis], own_last(level, b, axis) + 1);
    for (int i = 0; i < inside; i++)
      own[place_along(level, b, axis, i)] = values[box->lower[axis] + i] - first;
    for (int i = own_first(level, b, axis); i < 0; i++)
      own[place_along(level, b, axis, i)] = entry(&entries, box->lower[axis] + i) - first;
    for (int i = gmg_larger(inside, 0); i <= own_last(level, b, axis); i++)
      own[place_along(level, b, axis, i)] = entry(&entries, box->lower[axis] + i) - first;
  }
  if (axis == 0)
    return GMG_OK;
  table->reach = gmg_calloc(GMG_LINE_PAD + 1, sizeof *table->reach);
  if (!table->reach)
    return gmg_no_memory(level->context, "for table %s_%c of level %d", stem, "ijk"[axis],
                         level -> index);
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

/* A ghost beyond either end of a single periodic cell is that cell: the direction has no flux, as
 * between Neumann walls. */
static double ghost_factor(const struct gmg_axis *axis, int side)
{
  if (axis->kind[side] == GMG_PERIODIC)
    return axis->cells == 1 ? 1.0 : 0.0;
  return gmg_axis_ghost_factor(axis, side);
}

gmg_status gmg_level_axis_lines(struct gmg_level *level, int d)
{
  const struct gmg_axis *axis = &level->axis[d];
  const int n = axis->cells, folded = level->op->boundary == GMG_FOLDED_CONDUCTANCES;
  const size_t length = (size_t)n + 1 + 2 * GMG_LINE_PAD;
  double *values = gmg_calloc(5 * length, sizeof *values);
  if (!values)
    return gmg_no_memory(level->context, "for the lines of level %d", level->index);
  double *h = values + GMG_LINE_PAD, *g = h + length, *fold_lo = g + length,
         *fold_hi = fold_lo + length;
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
  for (int line = 0; line < 4 && !status; line++)
    status = gmg_level_line(level, stem[line], d, values + (size_t)line * length);
  gmg_free(values);
  return status;
}
