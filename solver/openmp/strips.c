#include "strips.h"

#include "system/near_caches.h"
#include "system/order.h"

#include <limits.h>
#include <math.h>

/* What is swept at once. */
struct work {
  const struct gmg_stage *stage;
  int stages, lag; /* the largest lag of a stage */
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

int gmg_strips_cut(const struct gmg_stage *stage, int stages, const struct gmg_level *level,
                   struct gmg_strip strip[GMG_MOST_STRIPS])
{
  struct work w = {stage, stages, 0, level};
  for (int s = 0; s < stages; s++)
    w.lag = gmg_larger(w.lag, stage[s].lag);
  const int rows = choose_rows(&w);
  int count = 0;
  for (int b = 0; b < level->layout->local_count; b++) {
    const struct gmg_span span = cover(&w, b);
    const int extent = span.row[1] - span.row[0], strips = count_strips(level, extent, rows);
    int cut = span.row[0];
    for (int n = 0; n < strips; n++) {
      const int next = span.row[0] + (int)((int64_t)extent * (n + 1) / strips) + w.lag / 2;
      strip[count++] = (struct gmg_strip){.box = b,
                                          .from = cut,
                                          .to = next,
                                          .first = n == 0,
                                          .last = n + 1 == strips,
                                          .plane = span.plane[0],
                                          .fronts = span.plane[1] - span.plane[0]};
      cut = next;
    }
  }
  return count;
}
