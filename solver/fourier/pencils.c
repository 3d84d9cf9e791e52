#include "pencils.h"

/* Coefficients side by side along any axis lie on one rank, from an even place on. */
enum { PAIR = 2 };

static int smaller(int a, int b)
{
  return a < b ? a : b;
}

/* Two cut axes, of `blocks` blocks each: as many ranks as can be, and of those ways the one that
 * cuts the first less: with one block there the first two axes share their slabs. */
static void choose_blocks(const int cells[3], int ranks, int blocks[2])
{
  const int most[2] = {
    smaller((cells[0] + GMG_GROUP - 1) / GMG_GROUP, (cells[1] + GMG_GROUP - 1) / GMG_GROUP),
    smaller((cells[1] + PAIR - 1) / PAIR, (cells[2] + PAIR - 1) / PAIR)};
  int best = 0;
  for (int first = 1; first <= most[0] && first <= ranks; first++) {
    const int second = smaller(ranks / first, most[1]);
    if (first * second <= best)
      continue;
    best = first * second;
    blocks[0] = first;
    blocks[1] = second;
  }
}

/* Bounds of so many about equal blocks of whole units. */
static void cut(int cells, int blocks, int unit, int *bound)
{
  const int64_t units = (cells + unit - 1) / unit;
  for (int n = 0; n <= blocks; n++)
    bound[n] = smaller(cells, (int)(units * n / blocks) * unit);
}

/* The layout of lines along an axis. */
static struct gmg_layout *make_layout(const struct gmg_comm *comm, const int cells[3],
                                      const int cuts[2], struct gmg_pencil *p)
{
  const int first = p->axis == 0 ? 1 : 0, second = p->axis == 2 ? 1 : 2;
  int blocks[3] = {1, 1, 1}, *bound[3];
  blocks[first] = cuts[0];
  blocks[second] = cuts[1];
  const size_t count = (size_t)cuts[0] + (size_t)cuts[1] + 6;
  int *bounds = gmg_calloc(count, sizeof *bounds),
      *rank = gmg_calloc((size_t)cuts[0] * (size_t)cuts[1], sizeof *rank);
  struct gmg_layout *layout = NULL;
  if (bounds && rank) {
    int *next = bounds;
    for (int d = 0; d < 3; d++) {
      bound[d] = next;
      cut(cells[d], blocks[d], d == p->pair ? GMG_GROUP : PAIR, bound[d]);
      next += blocks[d] + 1;
    }
    for (int n = 0; n < cuts[0] * cuts[1]; n++) /* the first cut axis runs fastest */
      rank[n] = n;
    layout = gmg_layout_tensor(cells, blocks, bound, comm->rank, comm->ranks, rank);
  }
  gmg_free(bounds);
  gmg_free(rank);
  return layout;
}

static int make_pencil(const struct gmg_comm *comm, const struct gmg_storage *finest, int axis,
                       struct gmg_pencils *s)
{
  struct gmg_pencil *p = &s->of[axis], *before = axis > 0 ? p - 1 : NULL;
  p->axis = axis;
  p->pair = axis == 0 ? 1 : 0;
  p->other = 3 - axis - p->pair;
  /* Along y and z lines are cut along x and z, and x and y: alike where there is but one block. */
  if (before && s->blocks[0] == 1 && (axis == 1 || s->blocks[1] == 1)) {
    p->layout = before->layout;
    p->storage = before->storage;
    p->buffer = before->buffer;
    return 0;
  }
  p->buffer = before ? 1 - before->buffer : 0;
  p->layout = make_layout(comm, finest->layout->cells, s->blocks, p);
  p->storage =
    p->layout ? gmg_storage_create(p->layout, 0, 0, NULL, sizeof(double), GMG_PLAIN) : NULL;
  if (!p->storage)
    return -1;
  const size_t bytes = (size_t)p->storage->elements * sizeof(double);
  if (bytes > s->bytes[p->buffer])
    s->bytes[p->buffer] = bytes;
  return 0;
}

int gmg_pencils_create(struct gmg_comm *comm, const struct gmg_storage *finest,
                       struct gmg_pencils *s)
{
  *s = (struct gmg_pencils){.in = NULL};
  choose_blocks(finest->layout->cells, comm->ranks, s->blocks);
  int failed = 0;
  for (int d = 0; d < 3 && !failed; d++)
    failed = make_pencil(comm, finest, d, s) != 0;
  return gmg_comm_max_int(comm, &failed, 1) || failed ? -1 : 0;
}

int gmg_pencils_connect(struct gmg_comm *comm, const struct gmg_storage *finest,
                        struct gmg_pencils *s)
{
  if (s->in)
    return 0;
  s->in = gmg_exchange_redistribute(comm, finest, s->of[0].storage, GMG_CELL);
  s->out = gmg_exchange_redistribute(comm, s->of[0].storage, finest, GMG_CELL);
  int failed = !s->in || !s->out;
  for (int d = 0; d < 2; d++)
    if (s->of[d].storage != s->of[d + 1].storage) {
      s->forward[d] =
        gmg_exchange_redistribute(comm, s->of[d].storage, s->of[d + 1].storage, GMG_CELL);
      s->backward[d] =
        gmg_exchange_redistribute(comm, s->of[d + 1].storage, s->of[d].storage, GMG_CELL);
      failed |= !s->forward[d] || !s->backward[d];
    }
  return failed ? -1 : 0;
}

int gmg_pencils_take(struct gmg_memory *memory, struct gmg_pencils *s)
{
  int failed = 0;
  for (int n = 0; n < GMG_PENCIL_BUFFERS; n++)
    if (s->bytes[n] > 0 && !s->buffer[n]) {
      s->buffer[n] = gmg_allocate(memory, s->bytes[n]);
      failed |= !s->buffer[n];
    }
  return failed ? -1 : 0;
}

void gmg_pencils_destroy(struct gmg_memory *memory, struct gmg_pencils *s)
{
  gmg_exchange_destroy(&s->in);
  gmg_exchange_destroy(&s->out);
  for (int d = 0; d < 2; d++) {
    gmg_exchange_destroy(&s->forward[d]);
    gmg_exchange_destroy(&s->backward[d]);
  }
  for (int d = 2; d >= 0; d--) {
    if (d > 0 && s->of[d].storage == s->of[d - 1].storage)
      continue;
    gmg_storage_destroy(&s->of[d].storage);
    gmg_layout_destroy(&s->of[d].layout);
  }
  for (int n = 0; n < GMG_PENCIL_BUFFERS; n++)
    if (s->buffer[n])
      gmg_release(memory, s->buffer[n], s->bytes[n]);
  *s = (struct gmg_pencils){.in = NULL};
}
