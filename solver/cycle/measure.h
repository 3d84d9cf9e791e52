/* What slows a solve down, measured on the levels after it: how much cycles, smoother and bottom
 * solver leave of an error, how much a constant counts. */
#ifndef GMG_MEASURE_H
#define GMG_MEASURE_H

#include "problem/hierarchy.h"

/* Zeroes what cycles on the levels from `from` on leave; 0: in the finest one in double, too. */
void gmg_measure_forget(struct gmg_hierarchy *hierarchy, int from);
/* Fills `measured`. Changes u and f of all levels. Allocates nothing. Calls: collective. */
void gmg_measure(struct gmg_hierarchy *hierarchy, struct gmg_measured *measured);

#endif
