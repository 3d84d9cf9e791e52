/* The walls of the finest level: β on their faces, kept from setup, and what their values add to
 * the right side. */
#ifndef GMG_WALL_H
#define GMG_WALL_H

#include "problem/hierarchy.h"

/* k of ghost = c u + k: c0 (u + ghost) / 2 + c1 (ghost - u) / h = value, solved for the ghost. */
double gmg_wall_ghost(const struct gmg_grid_side *side, double h, double value);
/* The width of the cells along a side of a level. */
double gmg_wall_width(const struct gmg_hierarchy *hierarchy, int l, int side);
/* Whether box b of a level lies at a side that is not periodic. */
int gmg_at_wall(const struct gmg_hierarchy *hierarchy, int l, int b, int side);
/* The faces of box b of the finest level at a side of the box; no values yet. */
void gmg_wall_patch(const struct gmg_hierarchy *hierarchy, int b, int side,
                    struct gmg_source *patch);
/* How many faces a patch has. */
size_t gmg_wall_faces(const struct gmg_source *patch);
/* Reads β of such patches, wherever it is computed. */
void gmg_walls_read(struct gmg_hierarchy *hierarchy, const struct gmg_source *patch, int patches);
/* Keeps β of the walls, while beta_i|j|k hold it. Memory: of the solver, until gmg_walls_forget.
 * Errors: GMG_ERR_MEMORY. */
gmg_status gmg_walls_keep(struct gmg_hierarchy *hierarchy);
void gmg_walls_forget(struct gmg_hierarchy *hierarchy);
/* Fills a patch of the finest level: conductance x k, of the side's values. */
void gmg_wall_fluxes(const struct gmg_hierarchy *hierarchy, const struct gmg_source *source);
/* Fills the patch of level l + 1 in the same box, at the same side: scale times sums over the fine
 * faces in each coarse one, with the bits of restrict_cell. */
void gmg_wall_restrict(const struct gmg_hierarchy *hierarchy, int l, const struct gmg_source *fine,
                       const struct gmg_source *coarse, double scale);

#endif
