#include "links.h"

#include "system/memory.h"

#include <string.h>

const signed char gmg_link_step[GMG_LINKS][3] = {
  {1, 0, 0},  {-1, 1, 0}, {0, 1, 0}, {1, 1, 0},  {-1, -1, 1}, {0, -1, 1}, {1, -1, 1},
  {-1, 0, 1}, {0, 0, 1},  {1, 0, 1}, {-1, 1, 1}, {0, 1, 1},   {1, 1, 1}};

static void set_strides(struct gmg_links *links, const ptrdiff_t stride[3])
{
  const ptrdiff_t row = links->cells[0], plane = row * links->cells[1];
  links->present = 0;
  for (int d = 0; d < 3; d++)
    links->stride[d] = stride[d];
  for (int n = 0; n < GMG_LINKS; n++) {
    const signed char *step = gmg_link_step[n];
    links->far[n] = step[0] + step[1] * row + step[2] * plane;
    links->link_far[n] = step[0] * stride[0] + step[1] * stride[1] + step[2] * stride[2];
  }
}

int gmg_links_allocate(struct gmg_links *links, int all)
{
  const size_t count = gmg_links_count(links);
  int failed = 0;
  const ptrdiff_t row = links->cells[0];
  set_strides(links, (ptrdiff_t[3]){1, row, row * links->cells[1]});
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

void gmg_links_view(struct gmg_links *links, double *const face[3], const ptrdiff_t stride[3])
{
  set_strides(links, stride);
  links->on_faces = 1;
  for (int d = 0; d < 3; d++) {
    const int n = gmg_link_along(d);
    links->number[links->present++] = (signed char)n;
    links->link[n] = face[d] + stride[d];
  }
}

void gmg_links_clear(struct gmg_links *links)
{
  for (int n = 0; n < GMG_LINKS && !links->on_faces; n++)
    gmg_free(links->link[n]);
  for (int d = 0; d < 3; d++)
    gmg_free(links->wall[d]);
  gmg_free(links->mass);
  memset(links, 0, sizeof *links);
}

int gmg_links_step(const struct gmg_links *links, const int cell[3], int number, int sign,
                   int to[3])
{
  int moves = 0;
  for (int d = 0; d < 3; d++) {
    const int cells = links->cells[d];
    to[d] = cell[d] + sign * gmg_link_step[number][d];
    if (to[d] < 0 || to[d] >= cells) {
      if (!links->periodic[d])
        return 0;
      to[d] = to[d] < 0 ? cells - 1 : 0;
    }
    moves |= to[d] != cell[d];
  }
  return moves;
}

/* Adds a neighbour unless it is not coupled. Returns how many there are. */
static inline int add(struct gmg_neighbour *neighbour, int count, size_t at, int link,
                      double coupling)
{
  neighbour[count] = (struct gmg_neighbour){(uint32_t)at, link, coupling};
  return count + (coupling > 0);
}

/* Of a cell inside, where couplings are along axes alone. */
static int six_of(const struct gmg_links *links, size_t own, ptrdiff_t place,
                  struct gmg_neighbour *neighbour)
{
  const int x = gmg_link_along(0), y = gmg_link_along(1), z = gmg_link_along(2);
  int count = add(neighbour, 0, own - (size_t)links->far[z], z + GMG_LINKS,
                  links->link[z][place - links->stride[2]]);
  count = add(neighbour, count, own - (size_t)links->far[y], y + GMG_LINKS,
              links->link[y][place - links->stride[1]]);
  count = add(neighbour, count, own - 1, x + GMG_LINKS, links->link[x][place - links->stride[0]]);
  count = add(neighbour, count, own + 1, x, links->link[x][place]);
  count = add(neighbour, count, own + (size_t)links->far[y], y, links->link[y][place]);
  return add(neighbour, count, own + (size_t)links->far[z], z, links->link[z][place]);
}

/* Of a cell inside, with any links. */
static int inner_of(const struct gmg_links *links, size_t own, ptrdiff_t place,
                    struct gmg_neighbour *neighbour)
{
  int count = 0;
  for (int n = GMG_LINKS - 1; n >= 0; n--)
    count = add(neighbour, count, own - (size_t)links->far[n], n + GMG_LINKS,
                links->link[n][place - links->link_far[n]]);
  for (int n = 0; n < GMG_LINKS; n++)
    count = add(neighbour, count, own + (size_t)links->far[n], n, links->link[n][place]);
  return count;
}

/* On which sides of the level a cell lies: bit 2d its low one along axis d, bit 2d + 1 its high
 * one.
 */
static unsigned sides_of(const int cells[3], const int cell[3])
{
  unsigned sides = 0;
  for (int d = 0; d < 3; d++)
    sides |= (unsigned)(cell[d] == 0) << 2 * d | (unsigned)(cell[d] + 1 == cells[d]) << (2 * d + 1);
  return sides;
}

/* Which sides a step of a link goes towards, likewise. */
static unsigned sides_towards(int n, int back)
{
  unsigned sides = 0;
  for (int d = 0; d < 3; d++) {
    const int step = back ? -gmg_link_step[n][d] : gmg_link_step[n][d];
    sides |= (unsigned)(step < 0) << 2 * d | (unsigned)(step > 0) << (2 * d + 1);
  }
  return sides;
}

/* Of a cell at a side of the level. */
static int outer_of(const struct gmg_links *links, const int cell[3], size_t own, ptrdiff_t place,
                    struct gmg_neighbour *neighbour)
{
  const unsigned sides = sides_of(links->cells, cell);
  unsigned walls = 0;
  int count = 0, to[3];
  for (int d = 0; d < 3; d++)
    walls |= links->periodic[d] ? 0 : 3u << 2 * d;
  for (int m = -links->present; m < links->present; m++) {
    const int back = m < 0, n = links->number[back ? -1 - m : m];
    const unsigned met = sides & sides_towards(n, back);
    const double *link = links->link[n];
    if (met & walls)
      continue;
    if (!met && back)
      count = add(neighbour, count, own - (size_t)links->far[n], n + GMG_LINKS,
                  link[place - links->link_far[n]]);
    else if (!met)
      count = add(neighbour, count, own + (size_t)links->far[n], n, link[place]);
    else if (gmg_links_step(links, cell, n, back ? -1 : 1, to))
      count = add(neighbour, count, gmg_links_at(links, to), back ? n + GMG_LINKS : n,
                  link[back ? gmg_link_at(links, to) : place]);
  }
  return count;
}

int gmg_links_of(const struct gmg_links *links, const int cell[3],
                 struct gmg_neighbour neighbour[GMG_NEIGHBOURS])
{
  const size_t own = gmg_links_at(links, cell);
  const ptrdiff_t place = gmg_link_at(links, cell);
  if (!gmg_links_inside(links, cell))
    return outer_of(links, cell, own, place, neighbour);
  return links->present == 3 ? six_of(links, own, place, neighbour)
                             : inner_of(links, own, place, neighbour);
}

double gmg_links_wall(const struct gmg_links *links, const int cell[3], int d)
{
  if (links->wall[d])
    return links->wall[d][gmg_links_at(links, cell)];
  const int first = cell[d] == 0, last = cell[d] + 1 == links->cells[d];
  double wall = 0;
  if (!links->on_faces || links->periodic[d] || (!first && !last))
    return 0;
  const double *face = links->link[gmg_link_along(d)] + gmg_link_at(links, cell);
  if (first)
    wall += face[-links->stride[d]];
  if (last)
    wall += face[0];
  return wall;
}

double gmg_links_diagonal(const struct gmg_links *links, const int cell[3],
                          const struct gmg_neighbour *neighbour, int count)
{
  const int walls = !links->on_faces || !gmg_links_inside(links, cell);
  double sum = links->mass ? links->mass[gmg_links_at(links, cell)] : 0;
  for (int d = 0; d < 3 && walls; d++)
    sum += gmg_links_wall(links, cell, d);
  for (int n = 0; n < count; n++)
    sum += neighbour[n].coupling;
  return sum;
}

/* Adds what couples the cells of a row with one neighbour each. */
static void measure_link(const double *restrict link, int cells, double *restrict strongest,
                         double *restrict diagonal)
{
  for (int i = 0; i < cells; i++) {
    diagonal[i] += link[i];
    strongest[i] = link[i] > strongest[i] ? link[i] : strongest[i];
  }
}

/* What couples the cells of a row with nothing and with walls. */
static void begin_row(const struct gmg_links *links, int j, int k, double *diagonal)
{
  const int cells = links->cells[0],
            at_edge[3] = {0, j == 0 || j + 1 == links->cells[1],
                          k == 0 || k + 1 == links->cells[2]};
  const size_t start = gmg_links_at(links, (int[3]){0, j, k});
  for (int i = 0; i < cells; i++)
    diagonal[i] = links->mass ? links->mass[start + (size_t)i] : 0;
  for (int d = 0; d < 3; d++) {
    const int all = links->wall[d] != NULL || at_edge[d];
    for (int i = 0; i < cells; i += all || cells == 1 ? 1 : cells - 1)
      diagonal[i] += gmg_links_wall(links, (int[3]){i, j, k}, d);
  }
}

void gmg_links_measure_row(const struct gmg_links *links, int j, int k, double *strongest,
                           double *diagonal)
{
  const int cells = links->cells[0];
  begin_row(links, j, k, diagonal);
  for (int i = 0; i < cells; i++)
    strongest[i] = 0;
  for (int m = -links->present; m < links->present; m++) {
    const int sign = m < 0 ? -1 : 1, n = links->number[m < 0 ? -1 - m : m],
              step = sign * gmg_link_step[n][0], first = step < 0, count = cells - (step != 0);
    const int inner[3] = {first, j, k}, end[3] = {step < 0 ? 0 : cells - 1, j, k};
    int to[3];
    if (count > 0 && gmg_links_step(links, inner, n, sign, to))
      measure_link(&links->link[n][gmg_link_at(links, sign < 0 ? to : inner)], count,
                   &strongest[first], &diagonal[first]);
    if (step && gmg_links_step(links, end, n, sign, to))
      measure_link(&links->link[n][gmg_link_at(links, sign < 0 ? to : end)], 1, &strongest[end[0]],
                   &diagonal[end[0]]);
  }
}
