#include "uniform_runs.h"

#include "system/memory.h"

enum { STEMS = 4, FACES = 1 };

/* What an operator reads of the lines along an axis: widths, distances, factors of ghosts; NULL
 * where a level has none. */
struct lines {
  const struct gmg_level_array *line[STEMS];
};

static struct lines find_lines(struct gmg_level *level, int axis)
{
  static const char *const stem[STEMS] = {"h", "g", "fold_lo", "fold_hi"};
  struct lines lines;
  for (int n = 0; n < STEMS; n++)
    lines.line[n] = gmg_level_named(level, stem[n], axis);
  return lines;
}

/* Whether what an operator reads of a line around cells i and i + 1 of a box is the same: on cells
 * as far as its neighbours, on faces those between them, and of the factors of ghosts its own. */
static int same(const struct gmg_level *level, const struct lines *lines, int b, int axis, int i)
{
  const int depth = level->op->ghost, cells = level->box[b].cells[axis],
            odd = axis == 0 && level->box[b].odd;
  /* In split rows lines reach as far as the fields do. */
  const int low = odd ? -level->storage->ghost : -GMG_LINE_PAD,
            high = cells + (odd ? level->storage->ghost - 1 : GMG_LINE_PAD);
  for (int n = 0; n < STEMS; n++) {
    const struct gmg_level_array *line = lines->line[n];
    const int reach = n > FACES ? 0 : depth;
    for (int o = n == FACES ? 1 - reach : -reach; line && o <= reach; o++) {
      if (i + o < low || i + 1 + o > high)
        return 0;
      const ptrdiff_t at = odd ? gmg_at(i + o, level->box[b].odd) : i + o,
                      next = odd ? gmg_at(i + 1 + o, level->box[b].odd) : i + 1 + o;
      if (gmg_level_value(level, line->box[b], at) != gmg_level_value(level, line->box[b], next))
        return 0;
    }
  }
  return 1;
}

static int rows_of(struct gmg_level *level, int b)
{
  return level->box[b].cells[1] + 1 + 2 * GMG_LINE_PAD;
}

/* As struct gmg_uniform_runs says of cells. */
static int find_cells(const struct gmg_level *level, const struct lines *lines, int b)
{
  const int n = level->box[b].cells[0];
  int inside = n > 3,
      ends = 0; /* of three cells, one is compared with none: nor are its two faces */
  for (int i = 1; i + 2 < n && inside; i++)
    inside = same(level, lines, b, 0, i);
  if (!inside)
    return 0;
  ends = !same(level, lines, b, 0, 0) || !same(level, lines, b, 0, n - 2);
  return 1 + ends;
}

struct gmg_uniform_runs *gmg_uniform_runs_create(struct gmg_level *level)
{
  const int boxes = level->layout->local_count;
  size_t rows = 0;
  for (int b = 0; b < boxes; b++)
    rows += (size_t)rows_of(level, b);
  struct gmg_uniform_runs *runs = gmg_malloc((size_t)boxes * sizeof *runs + rows * sizeof(int) + 1);
  if (!runs)
    return NULL;
  const struct lines along_i = find_lines(level, 0), along_j = find_lines(level, 1);
  int *next = (int *)(runs + boxes);
  for (int b = 0; b < boxes; b++) {
    int *end = next + GMG_LINE_PAD;
    const int last = level->box[b].cells[1] + GMG_LINE_PAD;
    end[last] = last + 1;
    for (int j = last - 1; j >= -GMG_LINE_PAD; j--)
      end[j] = same(level, &along_j, b, 1, j) ? end[j + 1] : j + 1;
    runs[b] = (struct gmg_uniform_runs){.rows = end, .cells = find_cells(level, &along_i, b)};
    next += rows_of(level, b);
  }
  return runs;
}
