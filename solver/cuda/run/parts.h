/* Launches in parts, so that messages between devices travel while most of a box is computed: a
 * list has the planes at the ends of a rank's box, which others wait for, or which wait for others,
 * in launches of their own, and the planes between them in another one, which depends on no
 * message. */
#ifndef GMG_CUDA_PARTS_H
#define GMG_CUDA_PARTS_H

#include "prepared.h"

/* How many parts a launch has: its ends, one or two, and at last what is between them. 0: it has
 * none. */
int gmg_parts_of(const struct gmg_prepared *prepared);
/* Describes the launch of part n of an entry; args stays the caller's. */
void gmg_parts_describe(const struct gmg_entry *entry, int n, struct gmg_cuda_args *args,
                        CUDA_KERNEL_NODE_PARAMS *params, void **argument);
/* Lets a node of a graph begin before others that could begin, too, where the driver can. */
void gmg_parts_hurry(struct gmg_device *device, CUgraphNode node);

#endif
