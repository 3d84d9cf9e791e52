/* Layouts that nobody would choose, the same on all ranks. */
#ifndef GMG_TEST_RANDOM_LAYOUT_H
#define GMG_TEST_RANDOM_LAYOUT_H

#include "system/comm.h"
#include "mesh/layout.h"

unsigned next_random(unsigned *state);
/* Random cuts, at most `most` blocks per direction, and owners all over the ranks. */
struct gmg_layout *random_layout(const struct gmg_comm *comm, const int cells[3], int most,
                                 unsigned *seed);

#endif
