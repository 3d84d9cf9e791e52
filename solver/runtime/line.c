#include "line.h"

#include "array.h"
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

/* The number of "stem_i", "_j" or "_k" of an axis; -1: there is no room for the name. */
static int name_of(struct gmg_level *level, const char *stem, int axis)
{
  char name[GMG_NAME_ROOM + 2];
  gmg_axis_name(name, stem, axis);
  return gmg_name(&level->context->names, name);
}

static gmg_status out_of_memory(const struct gmg_level *level, const char *what, const char *stem,
                                int axis)
{
  return gmg_no_memory(level->context, "for %s %s_%c of level %d", what, stem, "ijk"[axis],
                       level -> index);
}

/* Where a line's values lie in its allocation: those of the whole axis in double, which the lender
 * may have, then in single, then each box's own where rows are split. Bytes. */
struct line_room {
  size_t plain, single, split;
  const struct gmg_level_array *lender; /* of the values in double; NULL: they are the line's own */
};

static struct line_room plan_line(const struct gmg_level *level, int name, int axis,
                                  const double *values, size_t count)
{
  struct line_room room = {.plain = whole_lines(count * sizeof(double))};
  int split = 0;
  if (level->precision == GMG_F32)
    room.single = whole_lines(count * sizeof(float));
  for (int b = 0; b < level->layout->local_count && axis == 0; b++)
    if (level->box[b].odd) {
      room.split += whole_lines(own_length(level, b, axis) * level->storage->element_bytes);
      split++;
    }
  const struct gmg_level_array *lender = gmg_array_lender(level, name);
  if (lender && !room.single && (split == 0 || split == level->layout->local_count)
      && memcmp((double *)lender->data - GMG_LINE_PAD, values, count * sizeof *values) == 0)
    room.lender = lender;
  return room;
}

gmg_status gmg_level_line(struct gmg_level *level, const char *stem, int axis, const double *values)
{
  const size_t count = (size_t)level->axis[axis].cells + 1 + 2 * GMG_LINE_PAD;
  const size_t bytes = level->storage->element_bytes;
  const int name = name_of(level, stem, axis);
  const struct line_room room = plan_line(level, name, axis, values, count);
  struct gmg_level_array *line = room.lender && room.split == 0
    ? gmg_array_add_lent(level, room.lender, room.plain)
    : gmg_array_add(level, name, GMG_LINE,
                    (room.lender ? 0 : room.plain) + room.single + room.split);
  if (!line)
    return out_of_memory(level, "line", stem, axis);
  char *next = line->allocation;
  if (room.lender)
    line->data = room.lender->data;
  else {
    memcpy(next, values, count * sizeof(double));
    line->data = (double *)line->allocation + GMG_LINE_PAD;
    next += room.plain;
  }
  const double *plain = line->data;
  char *zero = line->data; /* element 0 in the level's precision */
  if (room.single > 0) {
    zero = next + GMG_LINE_PAD * bytes;
    for (size_t i = 0; i < count; i++)
      ((float *)(void *)next)[i] = (float)values[i];
    next += room.single;
  }
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
  struct gmg_level_array *table =
    gmg_array_add(level, name_of(level, stem, axis), GMG_TABLE, length * sizeof(int));
  if (!table)
    return out_of_memory(level, "table", stem, axis);
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
  if (gmg_array_borrow(level, table) || axis == 0)
    return GMG_OK;
  table->reach = gmg_calloc(GMG_LINE_PAD + 1, sizeof *table->reach);
  if (!table->reach)
    return out_of_memory(level, "table", stem, axis);
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
  for (int line = 0; line < (folded ? 2 : 4) && !status; line++)
    status = gmg_level_line(level, stem[line], d, values + (size_t)line * length);
  gmg_free(values);
  return status;
}
