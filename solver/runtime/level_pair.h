/* What transfers between two levels ask of them. */
#ifndef GMG_LEVEL_PAIR_H
#define GMG_LEVEL_PAIR_H

#include "level.h"

/* Lines and tables of the transfers between a fine level (or its staging) and the next coarser one,
 * box by box alike. */
gmg_status gmg_level_pair(struct gmg_level *fine, struct gmg_level *coarse,
                          const struct gmg_pairing pairing[3]);
/* Tables along i of the fine cells next to those that a coarse one covers: before and after. */
gmg_status gmg_level_pair_around(struct gmg_level *fine, struct gmg_level *coarse,
                                 const struct gmg_pairing *pairing);

#endif
