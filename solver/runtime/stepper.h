/* What a back end offers to explicit programs (solver/programs): arrays of one storage in the
 * memory of a device, and launches on them that are prepared once and run any number of times.
 * Failures stay with the device until its status is asked. */
#ifndef GMG_STEPPER_H
#define GMG_STEPPER_H

#include "backend.h"
#include "placement.h"

struct gmg_launch; /* a prepared launch, the back end's */

/* Arrays on a device. The host has a copy of each: gmg_backend.fetch says when it is touched. */
struct gmg_stepping {
  gmg_context *context;
  const struct gmg_backend *backend;
  struct gmg_device *device;
  struct gmg_placed_options options;
  const struct gmg_storage *storage; /* of every array */
  int arrays;
  struct gmg_level_array *array; /* `arrays` of them, with allocation, bytes and data */
  const struct gmg_kernel_descriptor **kernel; /* that will be launched, `kernels` of them */
  int kernels;

  struct gmg_placed_steps *placed; /* the back end's own */
  int64_t bytes;                   /* of the device's memory */
  int compiled, cached;            /* kernels */
  int messages, by_peers;          /* that this rank gets, and those that never leave devices */
  int overlapped; /* launches of kernels that go on, for the most part, while messages travel */
  double kernel_seconds, ghost_seconds; /* where options.timed */
};

/* A kernel on the boxes of this rank. */
struct gmg_kernel_launch {
  const struct gmg_kernel_descriptor *kernel;
  const struct gmg_kernel_box *box; /* by local box */
  /* By local box: elements from its element (0, 0, 0) to that of `box`. */
  const ptrdiff_t *shift;
  int array[GMG_MAX_FIELDS]; /* by field: its number in the stepping */
};

/* Ghosts beyond walls: the cells [from, to) of a box, counted from its first one. Cell c of axis d
 * takes the value of the cell that entry start[d] + c - from[d] of the tables names; that value
 * becomes constant + sign * value by the entries of x, then of y, then of z. */
struct gmg_images {
  int array, box, from[3], to[3], start[3];
};

/* All ghosts beyond walls of some arrays, none of which is the source of another. */
struct gmg_images_launch {
  struct gmg_images *images;
  int count;
  int *source; /* cells, counted as above */
  double *sign, *constant;
  int entries;
};

struct gmg_stepper {
  /* What the arrays will take. Returns -1, and says why, where the device cannot compute them. */
  int (*predict)(struct gmg_stepping *stepping, struct gmg_device_room *room, char *why,
                 size_t size);
  /* Takes memory for the arrays, whose newest values are the host's, and loads the kernels. Returns
   * -1 where that failed, with the device's status, or else out of memory. */
  int (*attach)(struct gmg_stepping *stepping);
  /* Prepare launches. Memory: the stepping's. Return NULL where that failed. */
  struct gmg_launch *(*prepare_kernel)(struct gmg_stepping *stepping,
                                       const struct gmg_kernel_launch *launch);
  struct gmg_launch *(*prepare_images)(struct gmg_stepping *stepping,
                                       const struct gmg_images_launch *launch);
  struct gmg_launch *(*prepare_exchange)(struct gmg_stepping *stepping,
                                         struct gmg_exchange *exchange, int array);
  /* After all were prepared: ranks of one machine look for ways around the host. Calls: collective,
   * on ranks that have prepared the same exchanges in the same order. */
  void (*meet)(struct gmg_stepping *stepping);
  /* Collects a launch, to run after what was collected before; scalars of a kernel in its order.
   * Exchanges between ranks run at once. An MPI failure stays in the context. */
  void (*run)(struct gmg_stepping *stepping, struct gmg_launch *launch, const double *scalar);
  /* Runs a kernel that reduces, after all that was collected, and waits. found: the cuts, and what
   * the maximum begins with; then the bins and the maximum of this rank, NaN after a failure. */
  void (*reduce)(struct gmg_stepping *stepping, struct gmg_launch *launch, const double *scalar,
                 struct gmg_reduction *found);
  /* Where element (0, 0, 0) of a box of an array is there, for whoever reads it, and changes it
   * where `written`, after all that was collected has run. */
  void *(*lend)(struct gmg_stepping *stepping, int array, int box, int written);
  /* Starts what was collected. Lists that are alike are one graph. */
  void (*flush)(struct gmg_stepping *stepping);
  /* Gives back all. First the host gets the newest values, if keep is GMG_KEEP_ALL. */
  void (*detach)(struct gmg_stepping *stepping, enum gmg_keep keep);
};

#endif
