/* Moves between arrays on the device: an exchange's local copies and walls, as calls of the
 * generated kernel `move` with tables that say which value goes where. */
#ifndef GMG_CUDA_MOVE_H
#define GMG_CUDA_MOVE_H

#include "prepared.h"
#include "runtime/placement.h"

/* Which kernels a move needs: up to two go to the list, which has so many already. Returns the new
 * number; -1 where the device cannot make the move: an end steps over elements. */
int gmg_move_kernels(const struct gmg_exchange *exchange, const struct gmg_cuda_kernel **list,
                     int count, int most);
/* The move of a placement between these arrays, prepared if it is not; NULL where the device cannot
 * make it. Memory: the placement's. */
struct gmg_prepared_move *gmg_move_find(struct gmg_placement *placement,
                                        struct gmg_exchange *exchange,
                                        const struct gmg_level_array *from,
                                        const struct gmg_level_array *to);
/* Frees all of them, when none is under way. */
void gmg_moves_destroy(struct gmg_placement *placement);
/* Puts a move between two level arrays after what is collected. An MPI failure stays in the
 * context. */
void gmg_move_add(struct gmg_device *device, struct gmg_prepared_move *move);
/* Runs one at once, with the caller's array in the device's memory for the end that has no array;
 * it has no messages. */
void gmg_move_start(struct gmg_device *device, struct gmg_prepared_move *move, CUdeviceptr values);

#endif
