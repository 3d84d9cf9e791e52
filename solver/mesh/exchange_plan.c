#include "exchange_plan.h"

#include "system/memory.h"
#include "system/order.h"

#include <stdlib.h>

enum { COPY_ELEMENTS = 16384 }; /* larger copies are split, for threads to share */

struct plan {
  struct gmg_exchange *exchange;
  unsigned char *wanted; /* per box of the target: this rank gives or takes some of its values */
  int target;            /* the box whose region is being looked up */
  int failed;
};

/* What is done with every box that meets a region: cells [lower, upper) of it, as the region counts
 * them; shift: how far the box's own indices are below those (a periodic image). */
typedef void visit_function(struct plan *plan, int box, const int lower[3], const int upper[3],
                            const int shift[3]);

static int floor_divide(int a, int b)
{
  return a >= 0 ? a / b : -((b - 1 - a) / b);
}

static void visit_image(struct plan *plan, const struct gmg_layout *layout, const int lower[3],
                        const int upper[3], const int image[3], visit_function *visit)
{
  int shift[3], low[3], high[3];
  for (int d = 0; d < 3; d++) {
    const int n = layout->cells[d];
    shift[d] = image[d] * n;
    low[d] = gmg_larger(lower[d] - shift[d], 0);
    high[d] = gmg_smaller(upper[d] - shift[d], n);
  }
  struct gmg_layout_query query;
  gmg_layout_query(&query, layout, low, high);
  for (int b = gmg_layout_next(&query); b >= 0; b = gmg_layout_next(&query)) {
    int meet_low[3], meet_high[3];
    for (int d = 0; d < 3; d++) {
      meet_low[d] = shift[d] + gmg_larger(low[d], layout->box[b].lower[d]);
      meet_high[d] = shift[d] + gmg_smaller(high[d], layout->box[b].upper[d]);
    }
    visit(plan, b, meet_low, meet_high, shift);
  }
}

/* Visits the boxes of the layout that meet the cells [lower, upper), wrapped around periodic axes
 * as often as it takes. */
static void visit_region(struct plan *plan, const struct gmg_layout *layout, const int lower[3],
                         const int upper[3], const int periodic[3], visit_function *visit)
{
  int first[3] = {0, 0, 0}, last[3] = {0, 0, 0}, image[3];
  for (int d = 0; d < 3; d++)
    if (periodic && periodic[d]) {
      first[d] = floor_divide(lower[d], layout->cells[d]);
      last[d] = floor_divide(upper[d] - 1, layout->cells[d]);
    }
  for (image[2] = first[2]; image[2] <= last[2]; image[2]++)
    for (image[1] = first[1]; image[1] <= last[1]; image[1]++)
      for (image[0] = first[0]; image[0] <= last[0]; image[0]++)
        visit_image(plan, layout, lower, upper, image, visit);
}

/* The element 0 of a cell's row, and the cell's index along it; in a view, also the row's. */
static int64_t row_of(const struct gmg_storage *storage, int local, const int cell[3], int *along,
                      int row[2])
{
  const int *lower = storage->layout->box[storage->layout->local[local]].lower;
  const int j = cell[1] - lower[1], k = cell[2] - lower[2];
  *along = cell[0] - lower[0];
  if (storage->view)
    row[0] = j, row[1] = k;
  return storage->origin[local] + (int64_t)j * storage->stride[local][0]
    + (int64_t)k * storage->stride[local][1];
}

static void append(struct plan *plan, struct gmg_copy_list *list, const struct gmg_copy *copy)
{
  if (list->count == list->room) {
    const int room = list->room ? 2 * list->room : 32;
    struct gmg_copy *grown = gmg_realloc(list->copy, (size_t)room * sizeof *grown);
    if (!grown) {
      plan->failed = 1;
      return;
    }
    list->copy = grown;
    list->room = room;
  }
  list->copy[list->count++] = *copy;
  list->elements += (int64_t)copy->extent[0] * copy->extent[1] * copy->extent[2];
}

/* Box `source` of `from` gives [lower, upper), its own indices, to box `target` of `to`, which
 * counts it `shift` higher. */
static void add_block(struct plan *plan, int source, int target, const int lower[3],
                      const int upper[3], const int shift[3])
{
  struct gmg_exchange *e = plan->exchange;
  struct gmg_copy copy = {.from_box = gmg_layout_local(e->from->layout, source),
                          .to_box = gmg_layout_local(e->to->layout, target)};
  const int gives = copy.from_box >= 0, takes = copy.to_box >= 0;
  int target_lower[3];
  for (int d = 0; d < 3; d++) {
    target_lower[d] = lower[d] + shift[d];
    copy.extent[d] = upper[d] - lower[d];
  }
  if (gives)
    copy.from = row_of(e->from, copy.from_box, lower, &copy.from_i, copy.row);
  if (takes)
    copy.to = row_of(e->to, copy.to_box, target_lower, &copy.to_i, copy.row);
  copy.peer = takes ? e->from->layout->box[source].rank : e->to->layout->box[target].rank;
  if (gives || takes)
    append(plan, gives && takes ? &e->local : gives ? &e->pack : &e->unpack, &copy);
}

/* Adds a copy in parts, which both ranks cut alike. */
static void add(struct plan *plan, int source, int target, const int lower[3], const int upper[3],
                const int shift[3])
{
  const int64_t row = upper[0] - lower[0], plane = row * (upper[1] - lower[1]);
  const int axis = plane > COPY_ELEMENTS ? 1 : 2;
  const int64_t unit = axis == 1 ? row : plane;
  if (plane <= 0 || upper[2] <= lower[2])
    return;
  const int thick = unit >= COPY_ELEMENTS ? 1 : (int)(COPY_ELEMENTS / unit);
  for (int k = lower[2]; k < upper[2]; k = axis == 1 ? k + 1 : upper[2])
    for (int at = lower[axis]; at < upper[axis]; at += thick) {
      int low[3] = {lower[0], lower[1], k},
          high[3] = {upper[0], upper[1], axis == 1 ? k + 1 : upper[2]};
      low[axis] = at;
      high[axis] = gmg_smaller(at + thick, upper[axis]);
      add_block(plan, source, target, low, high, shift);
    }
}

static void want(struct plan *plan, int box, const int lower[3], const int upper[3],
                 const int shift[3])
{
  (void)lower, (void)upper, (void)shift;
  plan->wanted[box] = 1;
}

static int by_peer(const void *left, const void *right)
{
  const struct gmg_copy *a = left, *b = right;
  const int64_t order_a = a->from_box < 0 ? a->from : a->to,
                order_b = b->from_box < 0 ? b->from : b->to;
  if (a->peer != b->peer)
    return a->peer < b->peer ? -1 : 1;
  return order_a < order_b ? -1 : order_a > order_b;
}

/* Sorts the copies into messages, one per rank, and gives them their places in the buffer. The
 * place is the side of a copy that has no box; until it is known it holds the order in which the
 * copies were found. */
static int make_messages(const struct gmg_exchange *e, struct gmg_copy_list *list, int *count,
                         struct gmg_message **messages, void **buffer)
{
  const int packing = list == &e->pack;
  for (int c = 0; c < list->count; c++)
    *(packing ? &list->copy[c].to : &list->copy[c].from) = c;
  if (list->count)
    qsort(list->copy, (size_t)list->count, sizeof *list->copy, by_peer);
  *count = 0;
  for (int c = 0; c < list->count; c++)
    *count += c == 0 || list->copy[c].peer != list->copy[c - 1].peer;
  *messages = gmg_calloc((size_t)*count + 1, sizeof **messages);
  *buffer = gmg_malloc((size_t)list->elements * (size_t)e->fields * e->from->element_bytes + 1);
  if (!*messages || !*buffer)
    return -1;
  int64_t place = 0;
  for (int c = 0, m = -1; c < list->count; c++) {
    struct gmg_copy *copy = &list->copy[c];
    if (c == 0 || copy->peer != list->copy[c - 1].peer)
      (*messages)[++m] = (struct gmg_message){.rank = copy->peer, .first = place};
    copy->message = m;
    *(packing ? &copy->to : &copy->from) = place;
    place += (int64_t)copy->extent[0] * copy->extent[1] * copy->extent[2];
    if ((place - (*messages)[m].first) * e->fields > INT32_MAX)
      return -1; /* beyond what one MPI message counts */
    (*messages)[m].count = (int)(place - (*messages)[m].first);
  }
  return 0;
}

static int finish(struct plan *plan)
{
  struct gmg_exchange *e = plan->exchange;
  gmg_free(plan->wanted);
  if (plan->failed || make_messages(e, &e->pack, &e->sends, &e->send, &e->send_buffer)
      || make_messages(e, &e->unpack, &e->receives, &e->receive, &e->receive_buffer))
    return -1;
#if GMG_WITH_MPI
  e->request = gmg_malloc(((size_t)e->sends + (size_t)e->receives + 1) * sizeof *e->request);
  if (!e->request)
    return -1;
#endif
  return 0;
}

static void fill_ghosts(struct plan *plan, int source, const int lower[3], const int upper[3],
                        const int shift[3])
{
  const struct gmg_exchange *e = plan->exchange;
  const struct gmg_layout *layout = e->to->layout;
  const int *end = layout->box[plan->target].upper;
  int low[3], high[3];
  for (int d = 0; d < 3; d++) {
    low[d] = lower[d] - shift[d];
    high[d] = upper[d] - shift[d];
    if (e->last_faces && !e->periodic[d] && high[d] == layout->cells[d]
        && upper[d] < end[d] + e->depth[d])
      high[d]++;
  }
  add(plan, source, plan->target, low, high, shift);
}

/* The ghost zones of one box: 6 faces, or these and the edges and corners. */
static void plan_box_ghosts(struct plan *plan)
{
  const struct gmg_exchange *e = plan->exchange;
  const struct gmg_box *box = &e->to->layout->box[plan->target];
  int side[3];
  for (side[2] = -1; side[2] <= 1; side[2]++)
    for (side[1] = -1; side[1] <= 1; side[1]++)
      for (side[0] = -1; side[0] <= 1; side[0]++) {
        const int sides = abs(side[0]) + abs(side[1]) + abs(side[2]);
        if (sides == 0 || (sides > 1 && e->shape == GMG_STAR))
          continue;
        int lower[3], upper[3];
        for (int d = 0; d < 3; d++) {
          lower[d] = side[d] > 0 ? box->upper[d] : box->lower[d] - (side[d] < 0) * e->depth[d];
          upper[d] = side[d] < 0 ? box->lower[d] : box->upper[d] + (side[d] > 0) * e->depth[d];
        }
        visit_region(plan, e->from->layout, lower, upper, e->periodic, fill_ghosts);
      }
}

int gmg_exchange_plan_ghosts(struct gmg_exchange *exchange)
{
  const struct gmg_layout *layout = exchange->to->layout;
  struct plan plan = {.exchange = exchange, .wanted = gmg_calloc((size_t)layout->count + 1, 1)};
  if (!plan.wanted)
    return -1;
  for (int l = 0; l < layout->local_count; l++) {
    const struct gmg_box *box = &layout->box[layout->local[l]];
    int lower[3], upper[3];
    for (int d = 0; d < 3; d++) {
      lower[d] = box->lower[d] - exchange->depth[d];
      upper[d] = box->upper[d] + exchange->depth[d];
    }
    visit_region(&plan, layout, lower, upper, exchange->periodic, want);
  }
  for (plan.target = 0; plan.target < layout->count; plan.target++)
    if (plan.wanted[plan.target])
      plan_box_ghosts(&plan);
  return finish(&plan);
}

/* Source box gives what it owns of the target: of faces those that are low faces of its cells, and
 * the grid's last. */
static void take_values(struct plan *plan, int source, const int lower[3], const int upper[3],
                        const int shift[3])
{
  const struct gmg_exchange *e = plan->exchange;
  const struct gmg_box *target = &e->to->layout->box[plan->target];
  int high[3] = {upper[0], upper[1], upper[2]};
  if (e->place != GMG_CELL) {
    const int axis = e->place - GMG_FACE_I;
    if (upper[axis] == e->to->layout->cells[axis] && target->upper[axis] == upper[axis])
      high[axis]++;
  }
  add(plan, source, plan->target, lower, high, shift);
}

int gmg_exchange_plan_redistribution(struct gmg_exchange *exchange)
{
  const struct gmg_layout *from = exchange->from->layout, *to = exchange->to->layout;
  const int axis = exchange->place == GMG_CELL ? -1 : (int)exchange->place - GMG_FACE_I;
  struct plan plan = {.exchange = exchange, .wanted = gmg_calloc((size_t)to->count + 1, 1)};
  if (!plan.wanted)
    return -1;
  for (int l = 0; l < from->local_count; l++) {
    const struct gmg_box *box = &from->box[from->local[l]];
    int lower[3] = {box->lower[0], box->lower[1], box->lower[2]};
    if (axis >= 0)
      lower[axis]--; /* the box before takes this one's lowest face as its last */
    visit_region(&plan, to, lower, box->upper, NULL, want);
  }
  for (int l = 0; l < to->local_count; l++)
    plan.wanted[to->local[l]] = 1;
  for (plan.target = 0; plan.target < to->count; plan.target++) {
    const struct gmg_box *box = &to->box[plan.target];
    int upper[3] = {box->upper[0], box->upper[1], box->upper[2]};
    if (!plan.wanted[plan.target])
      continue;
    if (axis >= 0)
      upper[axis]++;
    visit_region(&plan, from, box->lower, upper, NULL, take_values);
  }
  return finish(&plan);
}

/* Where a copy begins in an end of an exchange that is a view; elsewhere as before. */
static void see(const struct gmg_storage *end, int box, const int row[2], int64_t *start)
{
  if (end->view && box >= 0)
    *start = row[0] * (int64_t)end->stride[0][0] + row[1] * (int64_t)end->stride[0][1];
}

void gmg_exchange_see(struct gmg_exchange *e)
{
  struct gmg_copy_list *const lists[] = {&e->pack, &e->local, &e->unpack};
  for (size_t n = 0; n < sizeof lists / sizeof *lists; n++)
    for (int c = 0; c < lists[n]->count; c++) {
      struct gmg_copy *copy = &lists[n]->copy[c];
      see(e->from, copy->from_box, copy->row, &copy->from);
      see(e->to, copy->to_box, copy->row, &copy->to);
    }
}
