#include "ahead.h"

#include <unistd.h>

enum { LINE_BYTES = 64, CACHE_IF_UNKNOWN = 1 << 20 };

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
  const long cache = sysconf(_SC_LEVEL2_CACHE_SIZE);
  return (double)level->local_cells * (double)cell_bytes
    > (double)(cache > 0 ? cache : CACHE_IF_UNKNOWN) * level->threads;
}

/* Rows [from, to) of a plane of a field. */
static void add(struct gmg_ahead *ahead, const struct gmg_level *level, const struct gmg_stage *stage, int f, int box,
                int plane, int from, int to)
{
  if (ahead->ranges == GMG_AHEAD_RANGES || to <= from)
    return;
  const struct gmg_kernel_box *at = &level->box[box];
  const ptrdiff_t *stride = at->stride;
  const ptrdiff_t bytes = stage->call->kernel->field[f].precision == GMG_F64 ? sizeof(double) : sizeof(float),
                  used = at->odd ? at->odd + (at->cells[0] + 1) / 2 : at->cells[0] + 1;
  const int lines = (int)((used * bytes + LINE_BYTES - 1) / LINE_BYTES);
  struct gmg_ahead_rows *rows = &ahead->rows[ahead->ranges++];
  rows->first = (const char *)stage->args.field[f][box] + (from * stride[0] + plane * stride[1]) * bytes;
  rows->stride = stride[0] * bytes;
  rows->rows = to - from;
  ahead->lines = lines > ahead->lines ? lines : ahead->lines;
}

void gmg_ahead_of(struct gmg_ahead *ahead, const struct gmg_stage *stage, const struct gmg_span *span, int stages,
                  const struct gmg_level *level, int box, int front)
{
  int visits = 1, rows = 0;
  ahead->ranges = ahead->range = ahead->row = ahead->line = ahead->lines = 0;
  for (int s = 0; s < stages; s++) {
    const struct gmg_kernel_descriptor *kernel = stage[s].call->kernel;
    const int next = front + 1 - stage[s].lag, *row = span[s].row;
    visits += row[1] > row[0] ? row[1] - row[0] : 0;
    if (stage[s].hi || next < span[s].plane[0] || next >= span[s].plane[1])
      continue;
    for (int f = 0; f < kernel->fields; f++) {
      const struct gmg_field_descriptor *field = &kernel->field[f];
      /* Of faces along j and k, those above the cells are read too. */
      const int from = row[0] - field->halo_lower[1], to = row[1] + field->halo_upper[1] + (field->place == GMG_FACE_J),
                plane = next + field->halo_upper[2] + (field->place == GMG_FACE_K);
      if (field->kind == GMG_FIELD && field->level == GMG_OWN)
        add(ahead, level, &stage[s], f, box, plane, from, stage[s].first >> f & 1 ? to : from + 1);
    }
  }
  for (int n = 0; n < ahead->ranges; n++)
    rows += ahead->rows[n].rows;
  ahead->each = rows * ahead->lines / visits + 1;
}
