/* Moves between arrays on the device: an exchange's local copies and walls, as calls of the
 * generated kernel `move` with tables that say which value goes where. */
#ifndef GMG_CUDA_MOVE_H
#define GMG_CUDA_MOVE_H

#include "ready.h"

/* Steps follow one another; the launches of one do not wait for each other. First what packs values
 * for other ranks, then what is copied on this one, then what unpacks those of others, and walls.
 * Messages go through page-locked memory of the host, or directly between devices. */
struct gmg_ready_move {
  struct gmg_exchange *exchange;
  int packs, locals; /* steps */
  CUdeviceptr d_send, d_receive;
  void *send, *receive; /* page-locked; or where that is direct, d_send and d_receive */
  int direct;
  struct gmg_peers *peers; /* NULL: no message goes from device to device (peers.h) */
  size_t send_bytes, receive_bytes;
  const struct gmg_level_array *from, *to; /* NULL: the caller's array */
  struct gmg_chunk *tables;
  int steps;
  struct gmg_ready **step;
  struct gmg_ready_move *next;
};

/* Which kernels a move needs: up to two go to the list, which has so many already. Returns the new
 * number; -1 where the device cannot make the move: an end steps over elements. */
int gmg_move_kernels(const struct gmg_exchange *exchange, const struct gmg_cuda_kernel **list,
                     int count, int most);
/* Makes a move ready; its kernels are loaded. level: whose move it is. direct: MPI reads the
 * device's memory. Memory: gives it; NULL with the device's message. */
struct gmg_ready_move *gmg_move_create(struct gmg_device *device, struct gmg_level *level,
                                       struct gmg_exchange *exchange,
                                       const struct gmg_level_array *from,
                                       const struct gmg_level_array *to, int direct);
void gmg_move_destroy(struct gmg_device *device, struct gmg_ready_move **move);
/* Puts a move between two level arrays after what is collected. An MPI failure stays in the
 * context. */
void gmg_move_add(struct gmg_device *device, const struct gmg_ready_move *move);
/* Runs one at once, with the caller's array in the device's memory for the end that has no array;
 * it has no messages. */
void gmg_move_start(struct gmg_device *device, const struct gmg_ready_move *move,
                    CUdeviceptr values);
/* The move of a solver between these arrays, made ready if it is not; NULL where the device cannot
 * make it. */
const struct gmg_ready_move *gmg_backend_move(struct gmg_solver *solver,
                                              struct gmg_exchange *exchange,
                                              const struct gmg_level_array *from,
                                              const struct gmg_level_array *to);

#endif
