/* How the cells lie over the ranks while lines along one axis are transformed: each line whole on
 * one rank. Between the axes values move to where the next axis' lines are whole. */
#ifndef GMG_PENCILS_H
#define GMG_PENCILS_H

#include "line_fft.h"
#include "mesh/exchange.h"
#include "system/memory.h"

enum { GMG_PENCIL_BUFFERS = 2 };
/* Lines that are transformed together. */
enum { GMG_GROUP = 2 * GMG_FFT_LANES };

/* Lines of one axis. Where they lie as those of the axis before, the storage and the buffer are the
 * same, and nothing moves. Groups of neighbouring lines, counted along `pair` over the whole grid
 * from 0, lie on one rank, and so do the 2n-th and the next one of any axis that is cut. */
struct gmg_pencil {
  int axis, pair, other; /* of the lines; along which they form groups; the third one */
  struct gmg_layout *layout;
  struct gmg_storage *storage;
  int buffer;
};

struct gmg_pencils {
  int blocks[2]; /* that the two cut axes are cut into */
  struct gmg_pencil of[3];
  /* From the finest level to the first axis and back; to the axis after, and back. NULL: nothing
   * moves there. */
  struct gmg_exchange *in, *out, *forward[2], *backward[2];
  size_t bytes[GMG_PENCIL_BUFFERS];
  double *buffer[GMG_PENCIL_BUFFERS]; /* NULL: planned, or not needed */
};

/* Plans them for fields in the storage `finest`. Takes no buffers, and nothing moves yet. Calls:
 * collective. Returns -1 out of memory, or where MPI failed. */
int gmg_pencils_create(struct gmg_comm *comm, const struct gmg_storage *finest,
                       struct gmg_pencils *pencils);
/* Makes the exchanges, if they are not made, from and to that storage, which they keep. Calls,
 * returns: as above. */
int gmg_pencils_connect(struct gmg_comm *comm, const struct gmg_storage *finest,
                        struct gmg_pencils *pencils);
/* Takes the buffers from this account. Returns -1 out of memory. */
int gmg_pencils_take(struct gmg_memory *memory, struct gmg_pencils *pencils);
void gmg_pencils_destroy(struct gmg_memory *memory, struct gmg_pencils *pencils);

#endif
