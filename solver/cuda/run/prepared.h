/* What is prepared for the device: of calls and moves, which function runs in which grid on which
 * boxes with which arguments. */
#ifndef GMG_CUDA_PREPARED_H
#define GMG_CUDA_PREPARED_H

#include "cuda/runtime/device.h"
#include "runtime/launch.h"

/* What a step of an exchange touches, where kernels may go on beside its messages (parts.h). */
enum gmg_beside {
  GMG_ALL_PLANES, /* no such exchange */
  GMG_ENDS,       /* of messages: planes at the ends of the box, and ghosts beyond them */
  GMG_NO_GHOSTS   /* within the box: anything but ghosts beyond its ends */
};

/* A call: one launch of a kernel, on all boxes of this rank. */
struct gmg_prepared {
  /* NULL: a launch; else signals in place of it (cuda/runtime/signals.h), and of the rest only the
   * level and the statistics matter */
  struct gmg_signals *signals;
  struct gmg_level *level;
  const struct gmg_call *call; /* NULL: a step of a move */
  struct gmg_kernel_stat *stat;
  const struct gmg_loaded *kernel;
  const struct gmg_cuda_shape *shape;
  double traffic; /* bytes that it moves */
  int in_tail;    /* 1: it may run in the coarse tail */
  /* what it needs to run with the next half-sweep at once (pairs.h); NULL: it does not */
  struct gmg_staged_pass *pass;
  /* Of a program: */
  const struct gmg_kernel_descriptor *descriptor; /* of its kernel; NULL: no kernel */
  int ends[2]; /* planes at either end of its one box that messages need, or that need them: the
                  others may be computed while messages travel (parts.h); both 0: in one launch */
  enum gmg_beside beside;
  int layers;                 /* of ghosts along z that it visits, too */
  struct gmg_prepared *wider; /* the same with one layer more; NULL: there is none */
  unsigned grid[3];
  struct gmg_cuda_args args; /* of one box the box's own; of many what all share, and the table */
  int boxes, room;           /* room: for blocks that a move has */
  /* Of a launch on many boxes: the table as the device has it, of struct gmg_cuda_record. */
  size_t record_bytes; /* of a box; 0: the launch is on one box */
  char *record;
};

/* A run of a call, in a list of them. */
struct gmg_entry {
  struct gmg_prepared *prepared;
  double scalar[GMG_MAX_SCALARS];
  int reduces; /* 1: into the device's sums */
};

/* Of messages from device to device: what the stream waits for and tells before values are packed
 * into the other device's memory, once they are, before those of others are unpacked, and after.
 * Between two ranks that send to each other in an exchange the first and the last are not needed:
 * there are two buffers, taken in turn, and a message says that its sender has read the one
 * before. */
enum gmg_signal {
  GMG_MAY_PACK,
  GMG_PACKED,
  GMG_MAY_READ,
  GMG_PACKED_AND_MAY_READ, /* the two before at once */
  GMG_READ_ALL,
  GMG_SIGNALS
};
enum { GMG_SIGNALS_OF_MESSAGE = 64 }; /* bytes */

/* A move between two arrays. Steps follow one another: first what packs values for other ranks,
 * then what is copied on this one, then what unpacks those of others, and walls. Messages go
 * through page-locked memory of the host, or directly between devices. */
struct gmg_prepared_move {
  struct gmg_exchange *exchange;
  int packs, locals, unpacks; /* steps */
  int steps_of_turn;          /* before those that pack and unpack in the second buffers */
  int turns, turn;            /* turns: 1 or 2 */
  CUdeviceptr d_send, d_receive;
  void *send, *receive;    /* page-locked; or where that is direct, d_send and d_receive */
  int direct, silent;      /* silent: messages are left out */
  struct gmg_peers *peers; /* NULL: no message goes from device to device (peers.h) */
  struct gmg_prepared *signal[2][GMG_SIGNALS]; /* by turn, where some do */
  CUdeviceptr d_signals;                       /* of messages that this rank gets */
  size_t send_bytes, receive_bytes;
  size_t second; /* where the second buffer for what is received begins; 0: there is none */
  const struct gmg_level_array *from, *to; /* NULL: the caller's array, */
  ptrdiff_t stride[3];                     /* with these strides */
  CUdeviceptr values;                      /* it was there last time */
  struct gmg_chunk *tables;
  int steps;
  struct gmg_prepared **step;
  struct gmg_prepared_move *next;
};

/* Memory: gives it; NULL out of memory. The kernel is loaded, and the arrays have their copies. */
struct gmg_prepared *gmg_prepared_create(struct gmg_device *device, const struct gmg_call *call);
void gmg_prepared_destroy(struct gmg_prepared **prepared);
/* What a call's table takes of the device's memory; 0: it has none. */
int64_t gmg_prepared_bytes(const struct gmg_call *call);
/* The arguments of a call on box b alone, less its scalars. */
struct gmg_cuda_args gmg_prepared_args(const struct gmg_call *call, int b);
/* A prepared launch of a call on its one box and on so many layers of ghosts along z, where it has
 * a neighbour. Memory: gives it; NULL out of memory. */
struct gmg_prepared *gmg_prepared_widen(struct gmg_device *device, const struct gmg_call *call,
                                        int layers);
/* The prepared launch with so many layers. */
static inline struct gmg_prepared *gmg_prepared_wide(struct gmg_prepared *prepared, int layers)
{
  while (layers-- > 0 && prepared->wider)
    prepared = prepared->wider;
  return prepared;
}
/* Makes arguments of a kernel on a box those on the planes [from, from + planes) along z, counted
 * from its first. */
void gmg_prepared_planes(const struct gmg_kernel_descriptor *kernel, struct gmg_cuda_args *args,
                         int from, int planes);
/* Adds all boxes of its call, in place of those that it has. */
void gmg_prepared_fill(struct gmg_prepared *prepared);
/* Adds a box, with its arguments: so many at most as there is room for. */
void gmg_prepared_add(struct gmg_prepared *prepared, const struct gmg_cuda_args *box);
/* The arguments of box b, as for a launch on it alone. */
struct gmg_cuda_args gmg_prepared_box(const struct gmg_prepared *prepared, int b);
/* Moves a field of box b, of a launch on many, by so many bytes. */
void gmg_prepared_shift(struct gmg_prepared *prepared, int b, int field, uint64_t bytes);
/* Gives the table of a launch on many boxes its place; and once boxes were added, its values there,
 * and the launch its grid. Return whether that failed. */
int gmg_prepared_place(struct gmg_device *device, struct gmg_prepared *prepared, CUdeviceptr at);
int gmg_prepared_renew(struct gmg_device *device, struct gmg_prepared *prepared);
/* Sets the grid of a form of its kernel in some shape, and of many boxes the thread blocks of each.
 */
void gmg_prepared_grid(const struct gmg_prepared *prepared, const struct gmg_cuda_form *form,
                       const struct gmg_cuda_shape *shape, unsigned grid[3], int *each);
/* Describes its launch, with arguments that stay the caller's. */
void gmg_prepared_node(const struct gmg_prepared *prepared, void **argument,
                       CUDA_KERNEL_NODE_PARAMS *node);
/* Launches what is described, outside all lists. */
void gmg_prepared_launch(struct gmg_device *device, const CUDA_KERNEL_NODE_PARAMS *node,
                         const char *symbol);

#endif
