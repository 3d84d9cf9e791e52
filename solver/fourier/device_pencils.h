/* Pencils on devices: levels with the finest level's cells, where lines along an axis are whole on
 * one rank, and the moves between them. Where the finest level is one box it serves for all axes,
 * and nothing moves. */
#ifndef GMG_DEVICE_PENCILS_H
#define GMG_DEVICE_PENCILS_H

#include "pencils.h"
#include "problem/solver.h"

enum { GMG_DEVICE_MOVES = 6 };

struct gmg_device_pencils {
  /* Levels of their own, each with the fields r and u; none: the finest level serves. */
  int levels;
  struct gmg_level *own[3];
  struct gmg_level *level[3]; /* by axis; the same where lines along both are whole */
  /* From the finest level to the first axis, to the second, to the third, and back again. NULL:
   * nothing moves there. */
  struct gmg_exchange *exchange[GMG_DEVICE_MOVES];
};

/* Plans levels on the layouts of these pencils, which it keeps, and their exchanges. The host's
 * values of their fields are only reserved. Calls: collective. Errors, alike on all ranks:
 * GMG_ERR_MEMORY. */
gmg_status gmg_device_pencils_create(gmg_solver *solver, const struct gmg_pencils *pencils,
                                     struct gmg_device_pencils *placed);
void gmg_device_pencils_destroy(struct gmg_device_pencils *placed);
/* Adds the levels of their own to the placement's list. */
void gmg_device_pencils_list(const struct gmg_device_pencils *placed,
                             struct gmg_placement *placement);

#endif
