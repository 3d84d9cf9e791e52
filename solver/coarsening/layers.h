/* Which directions plain levels pair first where β lies in layers, or along fibres. */
#ifndef GMG_LAYERS_H
#define GMG_LAYERS_H

#include "look.h"

/* Lowers how strong couplings are taken to be along axes on which β has a step every few cells,
 * where it has hardly any along another axis. */
void gmg_layers_strength(const struct gmg_coarsening_look *look, double strength[3]);

#endif
