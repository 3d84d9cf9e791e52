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
  ptrdiff_t stride[3]; /* of link[] along the axes; wall[] and mass have no gaps */
  /* How far the other cell of a pair is: in cells, and in link[]. */
  ptrdiff_t far[GMG_LINKS], link_far[GMG_LINKS];
  /* Coupling of a cell with the one at gmg_link_step; NULL: all are 0. Not read where that cell is
   * beyond a wall. */
  double *link[GMG_LINKS];
  double *wall[3]; /* with walls across an axis; NULL: 0, but for `on_faces` */
  double *mass;    /* the integral of a α; NULL: 0 */
  /* 1: link[] of the axes are conductances of faces, which others own: those of walls lie a step
   * before the first cell and with the last one. */
  int on_faces;
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

/* Where link[] of a cell is. */
static inline ptrdiff_t gmg_link_at(const struct gmg_links *links, const int cell[3])
{
  return cell[0] * links->stride[0] + cell[1] * links->stride[1] + cell[2] * links->stride[2];
}

static inline void gmg_links_cell(const struct gmg_links *links, size_t at, int cell[3])
{
  const uint32_t place = (uint32_t)at, row = place / (uint32_t)links->cells[0];
  cell[0] = (int)(place - row * (uint32_t)links->cells[0]);
  cell[2] = (int)(row / (uint32_t)links->cells[1]);
  cell[1] = (int)(row - (uint32_t)cell[2] * (uint32_t)links->cells[1]);
}

/* Whether all neighbours of a cell are where their steps say. */
static inline int gmg_links_inside(const struct gmg_links *links, const int cell[3])
{
  int inside = 1;
  for (int d = 0; d < 3; d++)
    inside &= cell[d] > 0 && cell[d] + 1 < links->cells[d];
  return inside;
}

struct gmg_neighbour {
  uint32_t at;
  int link;        /* its number, + GMG_LINKS where it is stored with the neighbour */
  double coupling; /* above 0 */
};

/* The neighbour's cell. */
static inline void gmg_neighbour_cell(const struct gmg_links *links, const int cell[3],
                                      const struct gmg_neighbour *neighbour, int to[3])
{
  const int back = neighbour->link >= GMG_LINKS;
  const signed char *step = gmg_link_step[back ? neighbour->link - GMG_LINKS : neighbour->link];
  for (int d = 0; d < 3; d++) {
    to[d] = back ? cell[d] - step[d] : cell[d] + step[d];
    if (to[d] < 0)
      to[d] = links->cells[d] - 1;
    else if (to[d] >= links->cells[d])
      to[d] = 0;
  }
}

/* Room for walls and a mass, and for `count` links from link[] on where they are wanted: all, or
 * those along the axes. Returns -1 out of memory. Memory: gmg_links_clear frees it. */
int gmg_links_allocate(struct gmg_links *links, int all);
void gmg_links_clear(struct gmg_links *links);
/* Links along the axes alone are at these elements of arrays that others own. */
void gmg_links_view(struct gmg_links *links, double *const face[3], const ptrdiff_t stride[3]);
/* The cell a step of a link away, or, where sign is -1, away against it. Returns 0 where a wall is
 * in between, or it is the cell itself. */
int gmg_links_step(const struct gmg_links *links, const int cell[3], int number, int sign,
                   int to[3]);
/* Lists the neighbours that a cell is coupled with, in the order of their places where no axis is
 * periodic; returns how many there are. */
int gmg_links_of(const struct gmg_links *links, const int cell[3],
                 struct gmg_neighbour neighbour[GMG_NEIGHBOURS]);
/* The coupling of a cell with walls across an axis. */
double gmg_links_wall(const struct gmg_links *links, const int cell[3], int axis);
/* The diagonal of the operator at a cell that has these neighbours. */
double gmg_links_diagonal(const struct gmg_links *links, const int cell[3],
                          const struct gmg_neighbour *neighbour, int count);
/* Of a row of cells, the strongest coupling and the diagonal of each. */
void gmg_links_measure_row(const struct gmg_links *links, int j, int k, double *strongest,
                           double *diagonal);

#endif
