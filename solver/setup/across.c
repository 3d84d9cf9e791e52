#include "across.h"

#include "intake.h"
#include "system/memory.h"
#include "system/order.h"

static gmg_status out_of_memory(gmg_solver *s)
{
  return gmg_no_memory(s->context, "while beta next to other ranks' parts was looked at");
}

/* One brick per rank: the plane after its part, if there is one. */
static struct gmg_layout *planes_after(const struct gmg_layout *bricks, int axis)
{
  struct gmg_box *plane = gmg_calloc((size_t)bricks->ranks, sizeof *plane);
  if (!plane)
    return NULL;
  for (int r = 0; r < bricks->ranks; r++) {
    const struct gmg_box *brick = &bricks->box[r];
    int empty = 0;
    for (int d = 0; d < 3; d++)
      empty |= brick->lower[d] >= brick->upper[d];
    plane[r] = *brick;
    plane[r].lower[axis] = brick->upper[axis];
    plane[r].upper[axis] =
      empty ? brick->upper[axis] : gmg_smaller(brick->upper[axis] + 1, bricks->cells[axis]);
  }
  struct gmg_layout *layout = gmg_layout_bricks(bricks->cells, plane, bricks->rank, bricks->ranks);
  gmg_free(plane);
  return layout;
}

/* Moves the values; `to` is the view of this rank's plane. */
static gmg_status move(gmg_solver *s, const struct gmg_given *given, const struct gmg_storage *to,
                       double *value)
{
  struct gmg_storage *from = gmg_storage_view(s->arrays.bricks, given->values.stride);
  struct gmg_exchange *exchange =
    from ? gmg_exchange_redistribute(&s->context->comm, from, to, GMG_CELL) : NULL;
  gmg_status status = gmg_agree(s->context, exchange ? GMG_OK : out_of_memory(s));
  if (!status && gmg_exchange_run(exchange, gmg_given_data(given), value))
    status = gmg_mpi_failed(s->context);
  gmg_exchange_destroy(&exchange);
  gmg_storage_destroy(&from);
  return gmg_agree(s->context, status);
}

gmg_status gmg_across_take(gmg_solver *s, gmg_coefficient which, int axis,
                           struct gmg_across *across)
{
  struct gmg_layout *planes = planes_after(s->arrays.bricks, axis);
  const struct gmg_box *mine = planes ? &planes->box[planes->rank] : NULL;
  size_t count = 1;
  for (int d = 0; d < 3; d++) {
    across->extent[d] = mine ? mine->upper[d] - mine->lower[d] : 0;
    count *= (size_t)across->extent[d];
  }
  const ptrdiff_t stride[3] = {1, across->extent[0],
                               (ptrdiff_t)across->extent[0] * across->extent[1]};
  struct gmg_storage *view = planes ? gmg_storage_view(planes, stride) : NULL;
  across->value = gmg_malloc((count + 1) * sizeof *across->value);
  gmg_status status = gmg_agree(s->context, view && across->value ? GMG_OK : out_of_memory(s));
  if (!status)
    status = move(s, &s->problem.given[which], view, across->value);
  gmg_storage_destroy(&view);
  gmg_layout_destroy(&planes);
  return status;
}

void gmg_across_drop(struct gmg_across *across)
{
  gmg_free(across->value);
  across->value = NULL;
}
