#include "apart.h"

#include "cuda/run/peers.h"
#include "cuda/runtime/modules.h"
#include "mesh/exchange_plan.h"

/* In parts from so many cells of a box on, by default: with fewer, more launches take longer than
 * messages. */
static const double usually_least = 1 << 22;

/* The plane of the box's first copied row: `at` is where that row's element 0 is. */
static int plane_of(const struct gmg_storage *storage, int64_t at)
{
  const int64_t row = storage->stride[0][0], plane = storage->stride[0][1],
                ghosts = storage->ghost * (row + plane), /* those before it are in the same plane */
    first = at - storage->origin[0] + ghosts;
  return (int)(first / plane) - storage->ghost;
}

/* The planes [from, to) of a copy's block on one side. */
struct range {
  int from, to;
};
static struct range range_of(const struct gmg_storage *storage, int64_t at,
                             const struct gmg_copy *copy)
{
  const int from = plane_of(storage, at);
  return (struct range){from, from + copy->extent[2]};
}

/* Whether what this rank sends lies at the ends of its box, what it gets beyond them, and what it
 * copies by itself between them; ends: the planes that are sent, or read what is got, if more than
 * those. */
static int at_ends(const struct gmg_exchange *e, int planes, int ends[2])
{
  int good = 1;
  for (int c = 0; c < e->pack.count; c++) {
    const struct range r = range_of(e->from, e->pack.copy[c].from, &e->pack.copy[c]);
    const int high = r.from + r.to > planes, reach = high ? planes - r.from : r.to;
    good &= r.from >= 0 && r.to <= planes;
    ends[high] = reach > ends[high] ? reach : ends[high];
  }
  for (int c = 0; c < e->unpack.count; c++) {
    const struct range r = range_of(e->to, e->unpack.copy[c].to, &e->unpack.copy[c]);
    const int high = r.from >= planes;
    good &= high || r.to <= 0;
    ends[high] = ends[high] > 0 ? ends[high] : 1; /* whoever reads those waits */
  }
  for (int c = 0; c < e->local.count; c++) {
    const struct gmg_copy *copy = &e->local.copy[c];
    const struct range from = range_of(e->from, copy->from, copy),
                       to = range_of(e->to, copy->to, copy);
    good &= from.from >= 0 && from.to <= planes && to.from >= 0 && to.to <= planes;
  }
  return good;
}

static int goes_beside(const struct gmg_prepared_move *move, int planes, int ends[2])
{
  const struct gmg_exchange *e = move->exchange;
  return move->peers && gmg_peers_by_host(move->peers) == 0 && e->walls == 0
    && at_ends(e, planes, ends);
}

static void mark_move(const struct gmg_prepared_move *move)
{
  for (int n = 0; n < move->steps; n++)
    move->step[n]->beside =
      n >= move->packs && n < move->packs + move->locals ? GMG_NO_GHOSTS : GMG_ENDS;
  for (int n = 0; n < 2 * GMG_SIGNALS; n++)
    if (move->signal[n / GMG_SIGNALS][n % GMG_SIGNALS])
      move->signal[n / GMG_SIGNALS][n % GMG_SIGNALS]->beside = GMG_ENDS;
}

/* Whether a kernel visits the cells of this rank's box and no ghosts. */
static int visits(const struct gmg_prepared *prepared, const struct gmg_box *box)
{
  const struct gmg_kernel_box *own = &prepared->args.box;
  int same = 1;
  for (int d = 0; d < 3; d++)
    same &= own->lower[d] == box->lower[d] && own->cells[d] == box->upper[d] - box->lower[d];
  return same;
}

/* The ends of a kernel's box where messages are: as many planes as it reads ghosts, too. least:
 * cells that it should have; ghosts: beyond walls, of which all images must be the inside's.
 * Returns whether it has such ends. */
static int mark_kernel(struct gmg_prepared *prepared, const int ends[2], double least, int ghosts)
{
  const struct gmg_kernel_descriptor *kernel = prepared->descriptor;
  const int *cells = prepared->args.box.cells;
  int end[2] = {ends[0], ends[1]};
  for (int f = 0; f < kernel->fields; f++) {
    const struct gmg_field_descriptor *field = &kernel->field[f];
    const int reach[2] = {field->halo_lower[2], field->halo_upper[2]};
    if (field->kind != GMG_FIELD)
      return 0;
    for (int side = 0; side < 2; side++)
      if (end[side] && reach[side] > end[side])
        end[side] = reach[side];
  }
  const int inside = cells[2] - end[0] - end[1];
  if ((double)cells[0] * cells[1] * cells[2] < least || inside < end[0] + end[1]
      || inside <= ghosts) /* a mirror may leave out a cell */
    return 0;
  prepared->ends[0] = end[0];
  prepared->ends[1] = end[1];
  return 1;
}

/* Whether it takes one step, which any planes can take by themselves. */
static int is_simple(const struct gmg_loaded *kernel)
{
  return !kernel->kernel->reduces && !(kernel->form && kernel->form->overlap > 0);
}

void gmg_steps_mark(struct gmg_stepping *s)
{
  const struct gmg_layout *layout = s->storage->layout;
  const double least = s->options.overlap == GMG_OVERLAP_ALWAYS ? 0 : usually_least;
  int ends[2] = {0, 0}, apart = 1;
  s->overlapped = 0;
  if (s->options.overlap == GMG_OVERLAP_NONE || layout->local_count != 1 || gmg_placed_many(s))
    return;
  const struct gmg_box *box = &layout->box[layout->local[0]];
  for (const struct gmg_launch *l = s->placed->launch; l && apart; l = l->next)
    apart = l->move ? goes_beside(l->move, box->upper[2] - box->lower[2], ends)
                    : !l->prepared->descriptor || visits(l->prepared, box);
  if (!apart || ends[0] + ends[1] == 0)
    return;
  for (struct gmg_launch *l = s->placed->launch; l; l = l->next) {
    if (l->move)
      mark_move(l->move);
    else if (l->prepared->descriptor && is_simple(l->prepared->kernel))
      s->overlapped += mark_kernel(l->prepared, ends, least, s->storage->ghost);
  }
}
