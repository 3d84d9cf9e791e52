/* A level's operator on the host, as the rule of owners reads it: couplings of cells with their
 * neighbours, with walls, and with nothing (a α). */
#ifndef GMG_LINKS_H
#define GMG_LINKS_H

#include <stddef.h>
#include <stdint.h>

/* Every pair of neighbours is stored once, with the cell that comes first. */
enum { GMG_LINKS = 13, GMG_NEIGHBOURS = 2 * GMG_LINKS };
/* Where the other cell of a pair is. The pairs along x, y and z are 0, 2 and 8. */
extern const signed char gmg_link_step[GMG_LINKS][3];
/* The link along an axis. */
static inline int gmg_link_along(int axis)
{
  return axis == 0 ? 0 : axis == 1 ? 2 : 8;
}

#define GMG_LINKS_CELLS 4294967295.0

struct gmg_links {
  int cells[3], periodic[3]; /* at most GMG_LINKS_CELLS cells */
  int present;               /* so many of link[] are there: those with these numbers */
  signed char number[GMG_LINKS];
  double *link[GMG_LINKS]; /* coupling of a cell with the one at gmg_link_step; NULL: all are 0 */
  double *wall[3];         /* with walls across an axis */
  double *mass;            /* the integral of a α; NULL: 0 */
};

static inline size_t gmg_links_count(const struct gmg_links *links)
{
  return (size_t)links->cells[0] * (size_t)links->cells[1] * (size_t)links->cells[2];
}

static inline size_t gmg_links_at(const struct gmg_links *links, const int cell[3])
{
  return ((size_t)cell[2] * (size_t)links->cells[1] + (size_t)cell[1]) * (size_t)links->cells[0]
    + (size_t)cell[0];
}

static inline void gmg_links_cell(const struct gmg_links *links, size_t at, int cell[3])
{
  const uint32_t place = (uint32_t)at, row = place / (uint32_t)links->cells[0];
  cell[0] = (int)(place - row * (uint32_t)links->cells[0]);
  cell[2] = (int)(row / (uint32_t)links->cells[1]);
  cell[1] = (int)(row - (uint32_t)cell[2] * (uint32_t)links->cells[1]);
}

struct gmg_neighbour {
  size_t at;
  int cell[3];
  double coupling; /* above 0 */
};

/* Room for walls and a mass, and for `count` links from link[] on where they are wanted: all, or
 * those along the axes. Returns -1 out of memory. Memory: gmg_links_clear frees it. */
int gmg_links_allocate(struct gmg_links *links, int all);
void gmg_links_clear(struct gmg_links *links);
/* Lists the neighbours that a cell is coupled with, in the order of their places where no axis is
 * periodic; returns how many there are. */
int gmg_links_of(const struct gmg_links *links, const int cell[3],
                 struct gmg_neighbour neighbour[GMG_NEIGHBOURS]);
/* The diagonal of the operator at a cell that has these neighbours. */
double gmg_links_diagonal(const struct gmg_links *links, size_t at,
                          const struct gmg_neighbour *neighbour, int count);

#endif
