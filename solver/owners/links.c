#include "links.h"

#include "system/memory.h"

#include <string.h>

const signed char gmg_link_step[GMG_LINKS][3] = {
  {1, 0, 0},  {-1, 1, 0}, {0, 1, 0}, {1, 1, 0},  {-1, -1, 1}, {0, -1, 1}, {1, -1, 1},
  {-1, 0, 1}, {0, 0, 1},  {1, 0, 1}, {-1, 1, 1}, {0, 1, 1},   {1, 1, 1}};

int gmg_links_allocate(struct gmg_links *links, int all)
{
  const size_t count = gmg_links_count(links);
  int failed = 0;
  links->present = 0;
  for (int n = 0; n < GMG_LINKS; n++) {
    if (!all && n != gmg_link_along(0) && n != gmg_link_along(1) && n != gmg_link_along(2))
      continue;
    links->number[links->present++] = (signed char)n;
    failed |= !(links->link[n] = gmg_calloc(count, sizeof *links->link[n]));
  }
  for (int d = 0; d < 3; d++)
    failed |= !(links->wall[d] = gmg_calloc(count, sizeof *links->wall[d]));
  failed |= !(links->mass = gmg_calloc(count, sizeof *links->mass));
  if (failed)
    gmg_links_clear(links);
  return failed ? -1 : 0;
}

void gmg_links_clear(struct gmg_links *links)
{
  for (int n = 0; n < GMG_LINKS; n++)
    gmg_free(links->link[n]);
  for (int d = 0; d < 3; d++)
    gmg_free(links->wall[d]);
  gmg_free(links->mass);
  memset(links, 0, sizeof *links);
}

/* The cell a step away, or away against it; 0 where a wall is in between, or it is the cell itself.
 */
static int step_from(const struct gmg_links *links, const int cell[3], int n, int sign, int to[3])
{
  int moves = 0;
  for (int d = 0; d < 3; d++) {
    const int cells = links->cells[d];
    to[d] = cell[d] + sign * gmg_link_step[n][d];
    if (to[d] < 0 || to[d] >= cells) {
      if (!links->periodic[d])
        return 0;
      to[d] = to[d] < 0 ? cells - 1 : 0;
    }
    moves |= to[d] != cell[d];
  }
  return moves;
}

/* Whether all neighbours of a cell are where their steps say. */
static int is_inside(const struct gmg_links *links, const int cell[3])
{
  int inside = 1;
  for (int d = 0; d < 3; d++)
    inside &= cell[d] > 0 && cell[d] + 1 < links->cells[d];
  return inside;
}

/* Of a cell inside, where couplings are along axes alone. */
static int six_of(const struct gmg_links *links, const int cell[3], size_t own,
                  struct gmg_neighbour *neighbour)
{
  const size_t far[3] = {1, (size_t)links->cells[0],
                         (size_t)links->cells[0] * (size_t)links->cells[1]};
  int count = 0;
  for (int m = 0; m < 6; m++) {
    const int d = m < 3 ? 2 - m : m - 3;
    struct gmg_neighbour *next = &neighbour[count];
    next->at = m < 3 ? own - far[d] : own + far[d];
    for (int e = 0; e < 3; e++)
      next->cell[e] = cell[e];
    next->cell[d] += m < 3 ? -1 : 1;
    next->coupling = links->link[gmg_link_along(d)][m < 3 ? next->at : own];
    count += next->coupling > 0;
  }
  return count;
}

int gmg_links_of(const struct gmg_links *links, const int cell[3],
                 struct gmg_neighbour neighbour[GMG_NEIGHBOURS])
{
  const size_t own = gmg_links_at(links, cell);
  const ptrdiff_t row = links->cells[0], plane = row * links->cells[1];
  const int inside = is_inside(links, cell);
  int count = 0;
  if (inside && links->present == 3)
    return six_of(links, cell, own, neighbour);
  for (int m = -links->present; m < links->present; m++) {
    const int sign = m < 0 ? -1 : 1, n = links->number[m < 0 ? -1 - m : m];
    const signed char *step = gmg_link_step[n];
    struct gmg_neighbour *next = &neighbour[count];
    if (inside) {
      next->at = own + (size_t)(sign * (step[0] + step[1] * row + step[2] * plane));
      for (int d = 0; d < 3; d++)
        next->cell[d] = cell[d] + sign * step[d];
    } else if (step_from(links, cell, n, sign, next->cell)) {
      next->at = gmg_links_at(links, next->cell);
    } else {
      continue;
    }
    next->coupling = links->link[n][sign < 0 ? next->at : own];
    count += next->coupling > 0;
  }
  return count;
}

double gmg_links_diagonal(const struct gmg_links *links, size_t at,
                          const struct gmg_neighbour *neighbour, int count)
{
  double sum = links->mass[at];
  for (int d = 0; d < 3; d++)
    sum += links->wall[d][at];
  for (int n = 0; n < count; n++)
    sum += neighbour[n].coupling;
  return sum;
}
