/* Whether a device computes, and which levels: a solver's dealings with a back end
 * (runtime/backend.h). */
#ifndef GMG_SETUP_PLACEMENT_H
#define GMG_SETUP_PLACEMENT_H

#include "problem/solver.h"

/* Whether a device is there that the solver may compute on; else says why not. Not collective. */
int gmg_placement_open(gmg_solver *solver, struct gmg_device_info *info);
/* Settles by the options whether a device or the host computes, before levels are planned. Calls:
 * collective. Errors: GMG_ERR_UNSUPPORTED where the options ask for a device that is not there. */
gmg_status gmg_placement_choose(gmg_solver *solver);
/* Lists the levels for the back end, once they are planned. Calls: collective. */
gmg_status gmg_placement_list(gmg_solver *solver);
/* Then asks whether the device has room for them. Calls: collective. Errors: GMG_ERR_MEMORY where
 * the options ask for the device; else the host computes from here on, and a note says so. */
gmg_status gmg_placement_predict(gmg_solver *solver);
/* At the end of setup: puts the levels on the device. Calls: collective. Errors: GMG_ERR_MEMORY,
 * GMG_ERR_DEVICE where the options ask for the device; else as gmg_placement_predict. */
gmg_status gmg_placement_attach(gmg_solver *solver);
/* Once the solver goes on with its cycles in double. */
void gmg_placement_raise(gmg_solver *solver);
/* Gives all of that back; first the host gets what it is to keep. */
void gmg_placement_detach(gmg_solver *solver, enum gmg_keep keep);
/* After a setup on the device: takes the new boundary sources, and attaches calls that were bound
 * meanwhile. Calls: collective. Errors: as gmg_placement_attach. */
gmg_status gmg_placement_renew(gmg_solver *solver);
/* And forgets the lists, before levels are destroyed. */
void gmg_placement_clear(gmg_solver *solver);

/* The number of the finest level that is small enough to be the host's; solver->hierarchy.levels:
 * none is. */
int gmg_placement_coarse_from(const gmg_solver *solver);
/* From now on the host computes the levels from that number on, the device all others. */
void gmg_placement_divide(gmg_solver *solver, int host_from);

#endif
