#include "strips.h"

#include "system/near_caches.h"
#include "system/order.h"

#include <limits.h>
#include <math.h>

/* What is swept at once. */
struct work {
  const struct gmg_stage *stage;
  int stages, lag, reach; /* the largest lag and reach of a stage */
  const struct gmg_level *level;
};

size_t gmg_strips_cell_bytes(const struct gmg_stage *stage, int stages)
{
  const void *seen[2 * GMG_MAX_FIELDS];
  size_t bytes = 0;
  int fields = 0;
  for (int s = 0; s < stages; s++) {
    const enum gmg_field_level own = stage[s].hi ? GMG_FINER : GMG_OWN;
    for (int f = 0; f < stage[s].call->kernel->fields; f++) {
      const struct gmg_field_descriptor *field = &stage[s].call->kernel->field[f];
      int known = field->kind != GMG_FIELD || field->level != own || fields == 2 * GMG_MAX_FIELDS;
      for (int n = 0; n < fields; n++)
        known |= seen[n] == stage[s].args.field[f];
      if (known)
        continue;
      seen[fields++] = stage[s].args.field[f];
      bytes += field->precision == GMG_F64 ? sizeof(double) : sizeof(float);
    }
  }
  return bytes;
}

/* The rows and planes of a box in which the first stage to get there and the last to leave are. */
static struct gmg_span cover(const struct work *w, int box)
{
  struct gmg_span all = {{INT_MAX, INT_MIN}, {INT_MAX, INT_MIN}};
  const int *cells = w->level->box[box].cells;
  for (int s = 0; s < w->stages; s++) {
    const struct gmg_stage *stage = &w->stage[s];
    const struct gmg_span span = stage->hi ? (struct gmg_span){{0, cells[1]}, {0, cells[2]}}
                                           : gmg_region_span(stage, w->level, box);
    all.row[0] = gmg_smaller(all.row[0], span.row[0]);
    all.row[1] = gmg_larger(all.row[1], span.row[1]);
    all.plane[0] = gmg_smaller(all.plane[0], span.plane[0] + stage->lag);
    all.plane[1] = gmg_larger(all.plane[1], span.plane[1] + stage->lag);
  }
  return all;
}

/* Rows of a strip whose window, all fields that the stages touch between two visits of a plane,
 * takes a part of the second-level cache: some 1.2 of 2 MiB as measured at 256³, and more of it
 * where the strips would be so thin that the rows they share count. */
static double rows_in_second(double window)
{
  enum { FEW_ROWS = 12 };
  const double part = 0.6, most_part = 0.8;
  const double all = gmg_cache_second() / window;
  return fmax(part * all, fmin(FEW_ROWS, most_part * all));
}

/* Rows whose window takes a part of a third-level cache that is near (measured at 256³ with 32 MiB:
 * 43 rows are within 2 % of the fastest). Returns 0 where none is: thinner strips are faster. */
static double rows_in_third(double window, int threads)
{
  enum { SHARE = 8, MOST_CACHE = 32 << 20 }; /* cores that have one */
  const double part = 0.34;
  return part * gmg_cache_third_near(MOST_CACHE) / (threads < SHARE ? threads : SHARE) / window;
}

static int choose_rows(const struct work *w)
{
  enum { LEAST_ROWS = 8, MOST_ROWS = 48 };
  const struct gmg_level *level = w->level;
  const double row = (double)gmg_strips_cell_bytes(w->stage, w->stages)
    * (double)level->storage->stride[0][0],
               window = row * (w->lag + 2);
  const double fit = fmax(rows_in_second(window), rows_in_third(window, level->threads));
  const int boxes = level->layout->local_count;
  int most = 0;
  for (int b = 0; b < boxes; b++) {
    const struct gmg_span span = cover(w, b);
    most = gmg_larger(most, span.row[1] - span.row[0]);
  }
  const int least = most * boxes / (GMG_MOST_STRIPS - boxes) + 1, chosen = level->choice.rows,
            wanted = (int)fmin(fit, MOST_ROWS);
  const int rows = chosen ? gmg_smaller(chosen, most)
    : wanted < LEAST_ROWS ? LEAST_ROWS
                          : gmg_smaller(wanted, most);
  return gmg_larger(rows, least);
}

/* How many strips a box is cut into: of one box, as many for every thread, rounded up or down: at
 * 128³ on 8 threads a search took 8 strips of 16 rows rather than 16 of 8, where 12 rows fit the
 * cache. */
static int count_strips(const struct gmg_level *level, int extent, int rows)
{
  const int threads = level->threads;
  int strips = (extent + rows - 1) / rows;
  if (level->layout->local_count == 1)
    strips = gmg_larger(1, (2 * strips + threads) / (2 * threads)) * threads;
  return gmg_smaller(strips, GMG_MOST_STRIPS);
}

/* The border between two strips, whose mean over the stages is that row. */
static struct gmg_border border_at(const struct work *w, int row, int slope)
{
  return (struct gmg_border){row - slope * (w->lag / 2), slope};
}

/* Strips of one box, whose chunks are known, of rows alike. */
static void cut_box(const struct work *w, struct gmg_strip *strip, int count)
{
  const struct gmg_span span = cover(w, strip[0].box);
  const int extent = span.row[1] - span.row[0];
  struct gmg_border least = {span.row[0], 0};
  for (int n = 0; n < count; n++) {
    const int next = span.row[0] + (int)((int64_t)extent * (n + 1) / count);
    strip[n].plane = span.plane[0];
    strip[n].fronts = span.plane[1] - span.plane[0];
    strip[n].to = n + 1 == count
      ? (struct gmg_border){span.row[1], 0}
      : border_at(w, next, strip[n + 1].chunk == strip[n].chunk ? -1 : 1);
    strip[n].from = n == 0 ? least : strip[n - 1].to;
    if (strip[n].from.slope > 0)
      least = strip[n].from;
    strip[n].least = least;
  }
  /* No strip goes beyond the end of its chunk. */
  for (int n = count - 2; n >= 0; n--)
    if (strip[n].to.slope < 0 && strip[n].to.row > strip[n + 1].to.row)
      strip[n].to.row = strip[n + 1].from.row = strip[n + 1].to.row;
}

/* The strip of the next chunk with which all is done that strip n reads there: the first one, where
 * that is not so narrow that its last stages are at the border no more. */
static int find_after(const struct work *w, const struct gmg_strip *strip, int n)
{
  const struct gmg_border *border = &strip[n].to;
  if (border->slope <= 0)
    return -1;
  const int most = border->row + w->lag + w->reach + 2; /* a coarse row has some fine ones */
  int after = n + 1;
  while (strip[after].to.slope < 0 && strip[after].to.row - w->lag < most)
    after++;
  return after;
}

int gmg_strips_cut(const struct gmg_stage *stage, int stages, const struct gmg_level *level,
                   struct gmg_strip strip[GMG_MOST_STRIPS])
{
  struct work w = {stage, stages, 0, 0, level};
  int count = 0;
  for (int s = 0; s < stages; s++) {
    w.lag = gmg_larger(w.lag, stage[s].lag);
    for (int f = 0; f < stage[s].call->kernel->fields; f++)
      w.reach = gmg_larger(w.reach, gmg_region_reach(&stage[s].call->kernel->field[f]));
  }
  const int rows = choose_rows(&w);
  for (int b = 0; b < level->layout->local_count; b++) {
    const struct gmg_span span = cover(&w, b);
    for (int n = count_strips(level, span.row[1] - span.row[0], rows); n > 0; n--)
      strip[count++].box = b;
  }
  const int chunks = gmg_smaller(level->threads, count);
  for (int n = 0; n < count; n++)
    strip[n].chunk = (int)((((int64_t)n + 1) * chunks - 1) / count);
  for (int n = 0, of = 1; n < count; n += of, of = 1) {
    while (n + of < count && strip[n + of].box == strip[n].box)
      of++;
    cut_box(&w, &strip[n], of);
  }
  for (int n = 0; n < count; n++)
    strip[n].after = find_after(&w, strip, n);
  return count;
}

/* The first coarse row above a border: not all of its fine rows lie below that; where what lies
 * below follows, none of them. */
static int coarse_row(const struct gmg_stage *stage, int box, int row, int slope)
{
  const int rows = stage->call->level->box[box].cells[1], *hi = stage->hi_row[box];
  int c = 0;
  while (c < rows && (slope < 0 ? hi[c] : c > 0 ? hi[c - 1] + 1 : 0) < row)
    c++;
  return c;
}

/* The first row of a stage above a border, of those in [from, to]. */
static int first_above(const struct gmg_border *border, const struct gmg_stage *stage, int box,
                       const int span[2])
{
  const int row = border->row + border->slope * stage->lag;
  return gmg_smaller(
    gmg_larger(stage->hi ? coarse_row(stage, box, row, border->slope) : row, span[0]), span[1]);
}

struct gmg_span gmg_strip_span(const struct gmg_strip *strip, const struct gmg_stage *stage,
                               const struct gmg_level *level)
{
  const struct gmg_span whole = gmg_region_span(stage, level, strip->box);
  struct gmg_span span = whole;
  if (strip->from.slope)
    span.row[0] = first_above(&strip->from, stage, strip->box, whole.row);
  if (strip->least.slope)
    span.row[0] = gmg_larger(span.row[0], first_above(&strip->least, stage, strip->box, whole.row));
  if (strip->to.slope)
    span.row[1] = first_above(&strip->to, stage, strip->box, whole.row);
  span.row[1] = gmg_larger(span.row[0], span.row[1]);
  return span;
}
