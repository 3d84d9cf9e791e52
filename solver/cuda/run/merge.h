/* Copies of an exchange are cut into parts for threads to share; a GPU wants few and large ones. */
#ifndef GMG_CUDA_MERGE_H
#define GMG_CUDA_MERGE_H

#include "mesh/exchange_plan.h"

/* The copies of a list with neighbours put together that continue one another on both sides, those
 * alone for which split(to_box) is `which`. merged: room for as many as the list has. Returns how
 * many there are. */
int gmg_merge_copies(const struct gmg_exchange *exchange, const struct gmg_copy_list *list,
                     int which, struct gmg_copy *merged);

#endif
