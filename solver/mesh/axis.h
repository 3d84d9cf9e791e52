/* One direction of a level: cell widths, and the pairing of its cells into those of the next
 * coarser level. Everything depends on global indices only, never on the decomposition. */
#ifndef GMG_AXIS_H
#define GMG_AXIS_H

#include "gmg.h"

struct gmg_axis {
  int cells;
  gmg_boundary kind[2]; /* low, high side */
  double c0[2], c1[2];  /* Robin */
  double *width;        /* cells values, user's length unit */
  double weight; /* of the widths when cells are paired: 1/√β, where β differs by direction */
};

/* distance[i], i = 0 … cells: of the centres on both sides of face i; at a wall, of the centre and
 * its mirror image, which is the cell's width; at a periodic seam, of the centres across it (the
 * same at 0 and cells). */
void gmg_axis_distances(const struct gmg_axis *axis, double *distance);
/* Which of three axes are periodic. */
void gmg_axes_periodic(const struct gmg_axis axis[3], int periodic[3]);
/* Whether two neighbours are of one colour of two: over the seam of an odd number of cells. */
int gmg_axes_clash(const struct gmg_axis axis[3]);
/* ghost = factor x interior for the homogeneous condition on that side: Dirichlet -1, Neumann 1,
 * Robin in between; periodic: 0 (no formula). */
double gmg_axis_ghost_factor(const struct gmg_axis *axis, int side);

/* The pairing of a level's cells along one direction. Coarse cell I covers fine cells lo[I] … hi[I]
 * (equal, or two neighbours); parent[i] is the inverse. */
struct gmg_pairing {
  int fine, coarse;
  int *lo, *hi; /* coarse values */
  int *parent;  /* fine values */
  /* Linear interpolation of a correction (zero at a Dirichlet wall): own[i] of the parent, other[i]
   * of near[i]; near[i] is parent[i] - 1 or parent[i] + 1 (−1 or coarse: the periodic image; at a
   * wall the ghost, with other[i] = 0), or parent[i] itself for a lone cell. */
  int *near;
  double *own, *other; /* fine values */
};

/* Coarsens three directions at once by adaptive pairing (target width; NUMERICS.md, section 2):
 * fills coarse and pairing per direction. merge: gmg_merge_width() of the finest grid,
 * which is not taken where colours clash, as those are not over-relaxed. level: index of
 * the fine level (odd levels with odd n leave cell 0 alone first). Returns 0 where every direction
 * has one cell (nothing left to coarsen), 1 on success, -1 out of memory. Memory: gives the arrays
 * inside coarse and pairing; gmg_axis_clear and gmg_pairing_clear free them. */
int gmg_coarsen(const struct gmg_axis fine[3], int level, double merge, struct gmg_axis coarse[3],
                struct gmg_pairing pairing[3]);
/* The sum of two neighbours' widths, times their axis' weight, up to which they pair: `merge` times
 * the least there is, or twice that, and so on, until some do. 0: every direction has one cell. */
double gmg_pairing_target(const struct gmg_axis fine[3], int level, double merge);
/* Pairs along each axis neighbours that are up to so wide together: 0 none, INFINITY all. Else as
 * gmg_coarsen; returns 0, or -1 out of memory. */
int gmg_coarsen_up_to(const struct gmg_axis fine[3], int level, const double width[3],
                      struct gmg_axis coarse[3], struct gmg_pairing pairing[3]);
void gmg_axis_clear(struct gmg_axis *axis);
void gmg_pairing_clear(struct gmg_pairing *pairing);

#endif
