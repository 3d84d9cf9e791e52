/* What a program has on the device. */
#ifndef GMG_CUDA_PLACED_H
#define GMG_CUDA_PLACED_H

#include "cuda/run/prepared.h"
#include "runtime/stepper.h"

/* Either a kernel, or images beyond walls, or an exchange. */
struct gmg_launch {
  struct gmg_prepared *prepared;  /* NULL: an exchange */
  struct gmg_prepared_move *move; /* of the stepping's placement; NULL where prepared is not */
  int scalars;                    /* of a kernel, which a run gives */
  int array[GMG_MAX_FIELDS], written[GMG_MAX_FIELDS], arrays;
  struct gmg_launch *next;
};

struct gmg_placed_steps {
  struct gmg_placement placement; /* what moves ask for; it has one level, */
  struct gmg_level level;         /* which has neither fields nor calls */
  struct gmg_level *levels[1];
  struct gmg_kernel_stat kernels;
  struct gmg_chunk *arrays, *tables; /* tables: the newest chunk of launches' tables */
  int64_t left;                      /* bytes of that one */
  struct gmg_launch *launch, **last; /* in the order of preparation */
};

/* Whether kernels are launched on many boxes at once: also where there is one, but too long for the
 * grid of a launch by itself. */
int gmg_placed_many(const struct gmg_stepping *stepping);
/* Room of the device for a launch's table; 0: there is none. */
CUdeviceptr gmg_placed_piece(struct gmg_stepping *stepping, int64_t bytes);
/* Adds a launch. Memory: takes what it has, also where it fails. Returns NULL out of memory. */
struct gmg_launch *gmg_placed_add(struct gmg_stepping *stepping, const struct gmg_launch *launch);
/* Where element (0, 0, 0) of box b of an array is on the device. */
void *gmg_placed_element(const struct gmg_stepping *stepping, int array, int b);

#endif
