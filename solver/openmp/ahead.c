#include "ahead.h"

#include "system/near_caches.h"
#include "system/order.h"

#include <limits.h>

/* A look costs as much as some lines: fewer than these are not worth one. */
enum { FEW_LINES = 8, LINE_BYTES = 64 };

static int touches(const struct gmg_stage *stage, const void *field)
{
  for (int f = 0; f < stage->call->kernel->fields; f++)
    if (stage->args.field[f] == field)
      return 1;
  return 0;
}

void gmg_ahead_plan(struct gmg_stage *stage, int stages)
{
  for (int s = 0; s < stages; s++) {
    stage[s].first = 0;
    for (int f = 0; f < stage[s].call->kernel->fields; f++) {
      int known = 0;
      for (int earlier = 0; earlier < s; earlier++)
        known |= touches(&stage[earlier], stage[s].args.field[f]);
      stage[s].first |= (uint64_t)!known << f;
    }
  }
}

int gmg_ahead_pays(const struct gmg_level *level, size_t cell_bytes)
{
  return (double)level->local_cells * (double)cell_bytes > gmg_cache_second() * level->threads;
}

/* Rows [from, to) of a plane of a field of that level. */
static void add(struct gmg_ahead *ahead, const struct gmg_level *level,
                const struct gmg_stage *stage, int f, int box, int plane, int from, int to)
{
  if (ahead->ranges == GMG_AHEAD_RANGES || to <= from)
    return;
  const struct gmg_kernel_box *at = &level->box[box];
  const ptrdiff_t *stride = at->stride;
  const ptrdiff_t bytes = stage->call->kernel->field[f].precision == GMG_F64 ? sizeof(double)
                                                                             : sizeof(float),
                  used = at->odd ? at->odd + (at->cells[0] + 1) / 2 : at->cells[0] + 1;
  ahead->rows[ahead->ranges++] =
    (struct gmg_ahead_rows){.first = (const char *)stage->args.field[f][box]
                              + (from * stride[0] + plane * stride[1]) * bytes,
                            .stride = stride[0] * bytes,
                            .rows = to - from,
                            .lines = (int)((used * bytes + LINE_BYTES - 1) / LINE_BYTES)};
}

/* The least and the largest of what the stage's tables along an axis hold at the ends of [from,
 * to): in between they rise, but over a periodic seam, where what is asked for is then less than
 * what is read. */
static void find_reach(const struct gmg_stage *stage, int axis, int box, int from, int to,
                       int reach[2])
{
  reach[0] = INT_MAX, reach[1] = INT_MIN;
  for (int f = 0; f < stage->call->kernel->fields; f++) {
    const struct gmg_field_descriptor *field = &stage->call->kernel->field[f];
    if (field->kind != GMG_TABLE || field->axis != axis)
      continue;
    const int *table = stage->args.field[f][box], first = table[from], last = table[to - 1];
    reach[0] = gmg_smaller(reach[0], gmg_smaller(first, last));
    reach[1] = gmg_larger(reach[1], gmg_larger(first, last));
  }
}

/* What an interpolation is the first to read of a coarser plane. */
static void add_coarser(struct gmg_ahead *ahead, const struct gmg_stage *stage, int f, int box,
                        int next, const int row[2])
{
  int rows[2], planes[2], before[2];
  if (row[1] <= row[0])
    return;
  find_reach(stage, 1, box, row[0], row[1], rows);
  find_reach(stage, 2, box, next, next + 1, planes);
  find_reach(stage, 2, box, next - 1, next, before);
  if (planes[1] > before[1])
    add(ahead, stage->call->other, stage, f, box, planes[1], rows[0], rows[1] + 1);
}

/* What a restriction writes of the coarse plane whose last fine plane is the next one. */
static void add_restricted(struct gmg_ahead *ahead, const struct gmg_stage *stage,
                           const struct gmg_span *span, int box, int next)
{
  const int *hi = stage->hi[box];
  int c = span->plane[0];
  while (c < span->plane[1] && hi[c] < next)
    c++;
  const struct gmg_kernel_descriptor *kernel = stage->call->kernel;
  for (int f = 0; f < kernel->fields && c < span->plane[1] && hi[c] == next; f++)
    if (kernel->field[f].kind == GMG_FIELD && kernel->field[f].written)
      add(ahead, stage->call->level, stage, f, box, c, span->row[0], span->row[1]);
}

/* What a stage touches of plane `next` that none before it does. */
static void add_own(struct gmg_ahead *ahead, const struct gmg_level *level,
                    const struct gmg_stage *stage, int f, const struct gmg_strip *strip,
                    const int row[2], int next)
{
  const struct gmg_field_descriptor *field = &stage->call->kernel->field[f];
  /* Of faces along j and k, those above the cells are read too. */
  const int from = row[0] - field->halo_lower[1],
            to = row[1] + field->halo_upper[1] + (field->place == GMG_FACE_J),
            plane = next + field->halo_upper[2] + (field->place == GMG_FACE_K);
  if (stage->first >> f & 1) {
    add(ahead, level, stage, f, strip->box, plane, from, to);
    return;
  }
  if (strip->from.slope < 0)
    add(ahead, level, stage, f, strip->box, plane, from, from + 1);
  if (strip->to.slope > 0)
    add(ahead, level, stage, f, strip->box, plane, to - 1, to);
}

void gmg_ahead_of(struct gmg_ahead *ahead, const struct gmg_stage *stage,
                  const struct gmg_span *span, int stages, const struct gmg_level *level,
                  const struct gmg_strip *strip, int front)
{
  int visits = 1, lines = 0;
  ahead->ranges = ahead->range = ahead->row = ahead->line = 0;
  for (int s = 0; s < stages; s++) {
    const struct gmg_kernel_descriptor *kernel = stage[s].call->kernel;
    const int next = front + 1 - stage[s].lag, *row = span[s].row;
    if (stage[s].hi) { /* which runs at every other front */
      add_restricted(ahead, &stage[s], &span[s], strip->box, next);
      continue;
    }
    visits += row[1] - row[0];
    for (int f = 0; f < kernel->fields && row[0] < row[1] && next >= span[s].plane[0]
         && next < span[s].plane[1];
         f++) {
      const struct gmg_field_descriptor *field = &kernel->field[f];
      if (field->kind == GMG_FIELD && field->level == GMG_OWN)
        add_own(ahead, level, &stage[s], f, strip, row, next);
      else if (field->kind == GMG_FIELD && field->level == GMG_COARSER && next > span[s].plane[0])
        add_coarser(ahead, &stage[s], f, strip->box, next, row);
    }
  }
  for (int n = 0; n < ahead->ranges; n++)
    lines += ahead->rows[n].rows * ahead->rows[n].lines;
  ahead->each = lines / visits + 1;
  ahead->rows_left = 0;
  ahead->rows_between = (FEW_LINES - 1) / ahead->each;
  ahead->each *= ahead->rows_between + 1;
}
