#include "pieces.h"

#include "system/memory.h"
#include "system/order.h"

#include <math.h>
#include <stdint.h>

/* The strongest outside coupling of a rigid body, over the mean one inside, is at most this. */
#define LOOSE_PART 0.1

/* One part of strongly coupled cells, while it is walked over. */
struct body {
  int lower[3], upper[3];
  double inside, outside; /* the sum over pairs inside, each from both ends; the largest outside */
  size_t pairs, cells;
};

static void widen(struct body *body, const int cell[3])
{
  for (int d = 0; d < 3; d++) {
    body->lower[d] = gmg_smaller(body->lower[d], cell[d]);
    body->upper[d] = gmg_larger(body->upper[d], cell[d]);
  }
}

static int is_rigid(const struct body *body)
{
  return body->cells > 1 && body->outside * (double)body->pairs <= LOOSE_PART * body->inside;
}

/* What is known of a cell: nothing; that the part which is walked over has it, or an earlier one.
 */
enum { UNSEEN, IN_THIS, IN_EARLIER };

/* Looks at the neighbours of a cell. Returns 0 where one of them is in an earlier part that was too
 * wide to be walked over to its end. */
static int visit(const struct gmg_links *links, const double *strongest, size_t at,
                 unsigned char *seen, uint32_t *queue, struct body *body)
{
  struct gmg_neighbour neighbour[GMG_NEIGHBOURS];
  int cell[3];
  gmg_links_cell(links, at, cell);
  widen(body, cell);
  const int count = gmg_links_of(links, cell, neighbour);
  for (int n = 0; n < count; n++) {
    const double coupling = neighbour[n].coupling;
    const size_t other = neighbour[n].at;
    if (coupling < GMG_STRONG * strongest[at] || coupling < GMG_STRONG * strongest[other]) {
      body->outside = fmax(body->outside, coupling);
      continue;
    }
    if (seen[other] == IN_EARLIER)
      return 0;
    body->inside += coupling;
    body->pairs++;
    if (seen[other] == UNSEEN)
      queue[body->cells++] = (uint32_t)other;
    seen[other] = IN_THIS;
  }
  return 1;
}

/* Walks over the part that a cell belongs to, while it is small; marks its cells if it is a rigid
 * body. */
static void walk(const struct gmg_links *links, const double *strongest, size_t start,
                 unsigned char *seen, uint32_t *queue, unsigned char *rigid)
{
  struct body body = {.lower = {INT32_MAX, INT32_MAX, INT32_MAX}, .upper = {-1, -1, -1}};
  int small = 1;
  queue[body.cells++] = (uint32_t)start;
  seen[start] = IN_THIS;
  for (size_t next = 0; next < body.cells && small; next++) {
    small = visit(links, strongest, queue[next], seen, queue, &body);
    for (int d = 0; d < 3; d++)
      small = small && body.upper[d] - body.lower[d] < GMG_BODY_WIDTH;
  }
  const unsigned char found = (unsigned char)(small && is_rigid(&body));
  for (size_t n = 0; n < body.cells; n++) {
    seen[queue[n]] = IN_EARLIER;
    rigid[queue[n]] = found;
  }
}

int gmg_rigid_mark(const struct gmg_links *links, const double *strongest, unsigned char *rigid)
{
  const size_t count = gmg_links_count(links);
  unsigned char *seen = gmg_calloc(count, 1);
  uint32_t *queue = gmg_malloc(count * sizeof *queue);
  for (size_t at = 0; seen && queue && at < count; at++)
    if (seen[at] == UNSEEN)
      walk(links, strongest, at, seen, queue, rigid);
  const int failed = !seen || !queue;
  gmg_free(seen);
  gmg_free(queue);
  return failed ? -1 : 0;
}
