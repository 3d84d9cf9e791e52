/* Communication as data: lists of pack, local-copy and unpack blocks, built at setup. One message
 * per neighbour and exchange, non-blocking; neighbours on the same rank are copied without MPI. */
#ifndef GMG_EXCHANGE_H
#define GMG_EXCHANGE_H

#include "system/comm.h"
#include "kernel.h"
#include "layout.h"

struct gmg_exchange;

/* Fills the ghost zones of a cell field from the neighbouring boxes, periodic images included.
 * shape: GMG_STAR faces only, GMG_FULL edges and corners too; depth <= storage->ghost.
 * wall_factor[d][side]: what a ghost beyond a wall takes, as a multiple of its mirror cell, filled
 * by x, then y, then z after the neighbours' values (GMG_FULL: over edges and corners too); NULL
 * leaves ghosts beyond walls untouched. periodic[d]: 1 or 0. Calls: collective. Memory: gives the
 * exchange, which keeps storage. NULL: out of memory. */
struct gmg_exchange *gmg_exchange_ghosts(struct gmg_comm *comm, const struct gmg_storage *storage,
                                         enum gmg_exchange_shape shape, int depth,
                                         const int periodic[3], const double (*wall_factor)[2]);
/* Fills all ghosts that there are, edges and corners too, as deep as the storage holds them; along
 * walls also what lies on the last faces, so that it serves fields on faces as well. wall_factor,
 * calls, memory: as gmg_exchange_ghosts. */
struct gmg_exchange *gmg_exchange_overlap(struct gmg_comm *comm, const struct gmg_storage *storage,
                                          const int periodic[3], const double (*wall_factor)[2]);
/* Copies values from one layout to another of the same cells. place: cells, or faces (then the last
 * face along the axis travels too, and where two boxes of the source hold a face the one that has
 * it as its low face gives it). Either end may be a field of a level or the caller's array
 * (gmg_storage_view). Every box of `to` gets all its faces, its highest too, which lies in the
 * ghost zone: a storage that takes faces has ghost >= 1 or is a view. Calls: collective. Memory:
 * gives the exchange, which keeps both storages. NULL: out of memory. */
struct gmg_exchange *gmg_exchange_redistribute(struct gmg_comm *comm,
                                               const struct gmg_storage *from,
                                               const struct gmg_storage *to, enum gmg_place place);
/* Runs it: from and to are component starts (the same for ghosts). Type: as element_bytes of the
 * storage says (8 double, 4 float). Returns 0, or an MPI error code. Calls: collective over the
 * ranks that have a part. Allocates nothing. */
int gmg_exchange_run(struct gmg_exchange *exchange, const void *from, void *to);
/* Fills the ghosts of a coefficient: those beyond walls stay as they are. */
int gmg_exchange_share(struct gmg_exchange *exchange, void *coefficient);
/* Fills the ghosts of several fields: one message for GMG_EXCHANGE_FIELDS of them, if it is
 * gmg_exchange_overlap's. */
enum { GMG_EXCHANGE_FIELDS = 2 };
int gmg_exchange_fill(struct gmg_exchange *exchange, void *const *field, int fields);
/* Sends and receives alone, for one field that others pack and unpack: these buffers are as large
 * as the exchange's own. Returns 0, or an MPI error code. */
int gmg_exchange_messages(struct gmg_exchange *exchange, void *send, void *receive);
void gmg_exchange_destroy(struct gmg_exchange **exchange);
int64_t gmg_exchange_bytes(const struct gmg_exchange *exchange); /* memory held */

/* A storage that describes the caller's array instead of ours: brick layout, the caller's strides.
 * stride[0] must be 1 or any; kept as given. */
struct gmg_storage *gmg_storage_view(const struct gmg_layout *bricks, const ptrdiff_t stride[3]);
/* Other strides, of an array of the same cells: in the view, and then in every exchange that has
 * it. Allocate nothing. */
void gmg_storage_see(struct gmg_storage *view, const ptrdiff_t stride[3]);
void gmg_exchange_see(struct gmg_exchange *exchange);

#endif
