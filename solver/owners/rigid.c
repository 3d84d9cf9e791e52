/* Small rigid bodies: each is walked over from its first cell, by any thread, without a note in the
 * level of what was seen. */
#include "pieces.h"

#include "system/memory.h"
#include "system/order.h"

#include <string.h>

/* The strongest outside coupling of a rigid body, over the mean one inside, is at most this. */
#define LOOSE_PART 0.1

/* Cells that a body's first one may share it with, around it, and after it along z. */
enum {
  REACH = 2 * GMG_BODY_WIDTH - 1,
  WINDOW = REACH * REACH * GMG_BODY_WIDTH,
  MOST_CELLS = GMG_BODY_WIDTH * GMG_BODY_WIDTH * GMG_BODY_WIDTH
};

/* One part of strongly coupled cells, while it is walked over. */
struct walk {
  const struct gmg_pieces *pieces;
  uint16_t walks, seen[WINDOW]; /* the walk that saw a cell of the window last */
  int start[3], lower[3], upper[3];
  size_t first, cells, cell[MOST_CELLS];
};

/* Whether the part is at most GMG_BODY_WIDTH wide with this cell. */
static int widen(struct walk *walk, const int cell[3])
{
  int small = 1;
  for (int d = 0; d < 3; d++) {
    walk->lower[d] = gmg_smaller(walk->lower[d], cell[d]);
    walk->upper[d] = gmg_larger(walk->upper[d], cell[d]);
    small &= walk->upper[d] - walk->lower[d] < GMG_BODY_WIDTH;
  }
  return small;
}

/* Where the window has a cell that is inside it. */
static int place_of(const struct walk *walk, const int cell[3])
{
  int place = 0;
  for (int d = 2; d >= 0; d--)
    place = place * REACH + cell[d] - walk->start[d] + (d < 2 ? GMG_BODY_WIDTH - 1 : 0);
  return place;
}

/* Whether a cell is in the part, which is not too wide. */
static int is_inside(const struct walk *walk, const int cell[3])
{
  int inside = 1;
  for (int d = 0; d < 3; d++)
    inside &= cell[d] >= walk->lower[d] && cell[d] <= walk->upper[d];
  return inside && walk->seen[place_of(walk, cell)] == walk->walks;
}

/* Takes a cell into the part unless it is in it. Returns 0 where the part is another walk's, as it
 * has an earlier cell, or too wide. */
static int take(struct walk *walk, size_t at, const int cell[3])
{
  if (at < walk->first || !widen(walk, cell))
    return 0;
  const int place = place_of(walk, cell);
  if (walk->seen[place] != walk->walks)
    walk->cell[walk->cells++] = at;
  walk->seen[place] = walk->walks;
  return 1;
}

static void begin(struct walk *walk, size_t at, const int cell[3])
{
  if (++walk->walks == 0) { /* the count wraps around */
    memset(walk->seen, 0, sizeof walk->seen);
    walk->walks = 1;
  }
  for (int d = 0; d < 3; d++)
    walk->start[d] = walk->lower[d] = walk->upper[d] = cell[d];
  walk->first = at;
  walk->cells = 0;
  take(walk, at, cell);
}

static int is_strong(const uint16_t *strong, size_t at, const struct gmg_neighbour *neighbour)
{
  const int stored_there = neighbour->link >= GMG_LINKS;
  return strong[stored_there ? neighbour->at : at]
    >> (stored_there ? neighbour->link - GMG_LINKS : neighbour->link)
    & 1;
}

/* Takes the neighbour that a link couples a cell with, or, where `back` is 1, that it couples with
 * the cell, if it is strong. Returns 0 where the walk ends there. */
static int take_strong(struct walk *walk, size_t at, const int cell[3], int n, int back)
{
  const struct gmg_links *links = walk->pieces->links;
  const uint16_t *strong = walk->pieces->strong;
  int to[3];
  if (!back && !(strong[at] >> n & 1))
    return 1;
  if (gmg_links_inside(links, cell)) {
    const signed char *step = gmg_link_step[n];
    const size_t other = back ? at - (size_t)links->far[n] : at + (size_t)links->far[n];
    if (back && !(strong[other] >> n & 1))
      return 1;
    for (int d = 0; d < 3; d++)
      to[d] = back ? cell[d] - step[d] : cell[d] + step[d];
    return take(walk, other, to);
  }
  if (!gmg_links_step(links, cell, n, back ? -1 : 1, to))
    return 1;
  const size_t other = gmg_links_at(links, to);
  return (back && !(strong[other] >> n & 1)) || take(walk, other, to);
}

/* Takes the strongly coupled neighbours of a cell. Returns 0 where the walk ends there. */
static int visit(struct walk *walk, size_t at)
{
  const struct gmg_links *links = walk->pieces->links;
  int cell[3], ours = 1;
  gmg_links_cell(links, at, cell);
  for (int m = links->present - 1; m >= 0 && ours; m--)
    ours = take_strong(walk, at, cell, links->number[m], 1);
  for (int m = 0; m < links->present && ours; m++)
    ours = take_strong(walk, at, cell, links->number[m], 0);
  return ours;
}

/* Whether the part, all of whose cells are known, is loosely coupled with all else. */
static int is_loose(const struct walk *walk)
{
  const struct gmg_pieces *p = walk->pieces;
  struct gmg_neighbour neighbour[GMG_NEIGHBOURS];
  double inside = 0, outside = 0; /* the sum, each pair from both ends; the largest one */
  size_t pairs = 0;
  for (size_t c = 0; c < walk->cells; c++) {
    int cell[3], other[3];
    gmg_links_cell(p->links, walk->cell[c], cell);
    const int count = gmg_links_of(p->links, cell, neighbour);
    for (int n = 0; n < count; n++) {
      const int strong = is_strong(p->strong, walk->cell[c], &neighbour[n]);
      inside += strong ? neighbour[n].coupling : 0;
      pairs += (size_t)strong;
      if (strong || neighbour[n].coupling <= outside)
        continue;
      gmg_neighbour_cell(p->links, cell, &neighbour[n], other);
      if (!is_inside(walk, other)) /* a body may be strong in the middle and weak at its edges */
        outside = neighbour[n].coupling;
    }
  }
  return outside * (double)pairs <= LOOSE_PART * inside;
}

/* Walks over the part whose first cell this is; marks its cells if it is a small rigid body. */
static void walk_from(struct walk *walk, size_t at, const int cell[3])
{
  unsigned char *state = walk->pieces->state;
  int ours = 1;
  begin(walk, at, cell);
  for (size_t next = 0; next < walk->cells && ours; next++)
    ours = visit(walk, walk->cell[next]);
  if (!ours || walk->cells < 2 || !is_loose(walk))
    return;
  for (size_t n = 0; n < walk->cells; n++)
    if (!(state[walk->cell[n]] & GMG_ELECTED))
      state[walk->cell[n]] |= GMG_RIGID;
}

/* Whether a part has an earlier cell than this one for certain, next to it. */
static int has_earlier(const struct gmg_pieces *p, const int cell[3], size_t at)
{
  const struct gmg_links *links = p->links;
  const ptrdiff_t row = links->cells[0], plane = row * links->cells[1];
  int earlier = 0;
  for (int m = 0; m < links->present && !earlier; m++) {
    const signed char *step = gmg_link_step[links->number[m]];
    int there = 1;
    for (int d = 0; d < 3; d++)
      there &= (unsigned)(cell[d] - step[d]) < (unsigned)links->cells[d];
    if (there)
      earlier =
        p->strong[at - (size_t)(step[0] + step[1] * row + step[2] * plane)] >> links->number[m] & 1;
  }
  return earlier;
}

static void walk_plane(struct walk *walk, int k)
{
  const struct gmg_pieces *p = walk->pieces;
  const int *cells = p->links->cells;
  for (int j = 0; j < cells[1]; j++) {
    size_t at = gmg_links_at(p->links, (int[3]){0, j, k});
    for (int i = 0; i < cells[0]; i++, at++) {
      const int cell[3] = {i, j, k};
      if (!(i > 0 && p->strong[at - 1] & 1) && !has_earlier(p, cell, at))
        walk_from(walk, at, cell);
    }
  }
}

int gmg_rigid_mark(struct gmg_pieces *p)
{
  const int planes = p->links->cells[2], parts = gmg_smaller(p->threads, planes);
  struct walk *walk = gmg_calloc((size_t)parts, sizeof *walk);
#pragma omp parallel for schedule(static) num_threads(parts)
  for (int part = 0; part < (walk ? parts : 0); part++) {
    walk[part].pieces = p;
    for (int k = (int)((int64_t)planes * part / parts);
         k < (int)((int64_t)planes * (part + 1) / parts); k++)
      walk_plane(&walk[part], k);
  }
  const int failed = !walk;
  gmg_free(walk);
  return failed ? -1 : 0;
}
