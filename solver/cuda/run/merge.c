#include "merge.h"

/* Kernels count elements of a block in 32 bits. */
#define MOST_ELEMENTS ((int64_t)1 << 30)

/* From row to row, and from plane to plane, of one side of a copy. */
static int64_t stride(const struct gmg_storage *storage, int box, const struct gmg_copy *copy,
                      int axis)
{
  if (box >= 0)
    return storage->stride[box][axis - 1];
  return axis == 1 ? copy->extent[0] : (int64_t)copy->extent[0] * copy->extent[1]; /* packed */
}

/* Whether b is what lies behind a along the axis, on both sides. Packed rows lie behind each other
 * only in one plane. */
static int continues(const struct gmg_exchange *e, const struct gmg_copy *a,
                     const struct gmg_copy *b, int axis)
{
  const int other = 3 - axis;
  if (a->message != b->message || a->from_box != b->from_box || a->to_box != b->to_box
      || a->from_i != b->from_i || a->to_i != b->to_i || a->extent[0] != b->extent[0]
      || a->extent[other] != b->extent[other] || (axis == 1 && a->extent[2] != 1))
    return 0;
  const int64_t from = stride(e->from, a->from_box, a, axis),
                to = stride(e->to, a->to_box, a, axis);
  const int64_t all = (int64_t)a->extent[axis] + b->extent[axis];
  return b->from == a->from + a->extent[axis] * from && b->to == a->to + a->extent[axis] * to
    && all * from < MOST_ELEMENTS && all * to < MOST_ELEMENTS;
}

static int merge(const struct gmg_exchange *e, struct gmg_copy *copy, int count, int axis)
{
  int kept = 0;
  for (int c = 0; c < count; c++)
    if (kept > 0 && continues(e, &copy[kept - 1], &copy[c], axis))
      copy[kept - 1].extent[axis] += copy[c].extent[axis];
    else
      copy[kept++] = copy[c];
  return kept;
}

int gmg_merge_copies(const struct gmg_exchange *e, const struct gmg_copy_list *list, int which,
                     struct gmg_copy *merged)
{
  int count = 0;
  for (int c = 0; c < list->count; c++) {
    const struct gmg_copy *copy = &list->copy[c];
    const int split = copy->to_box >= 0 && e->to->odd[copy->to_box] != 0;
    if (split == which && copy->extent[0] > 0 && copy->extent[1] > 0 && copy->extent[2] > 0)
      merged[count++] = *copy;
  }
  return merge(e, merged, merge(e, merged, count, 1), 2);
}
