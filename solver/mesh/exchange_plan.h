/* An exchange as data, and how it is found from two tables of boxes. */
#ifndef GMG_EXCHANGE_PLAN_H
#define GMG_EXCHANGE_PLAN_H

#include "exchange.h"

enum { GMG_MESSAGE_TAG = 7 };

/* Copies a block of values. from and to count elements from the start of a component or a buffer to
 * the first row's element 0, from_i and to_i from there along the row; strides are those of the
 * local box, or those of the block itself (packed, i fastest) where the box is -1. */
struct gmg_copy {
  int64_t from, to;
  int from_i, to_i;
  int extent[3];
  int from_box, to_box;
  int row[2]; /* along j and k, of the block's first cell in a view (storage.view), if one end is */
  int peer;   /* rank on the other side */
  int message; /* that it is part of, if that is another rank */
};

struct gmg_copy_list {
  struct gmg_copy *copy;
  int count, room;
  int64_t elements; /* all copies together */
};

struct gmg_message { /* all of a field that travels between this rank and another; elements [first,
                        first + count) of the buffer, where it carries one field */
  int rank;
  int64_t first;
  int count;
};

/* A layer of ghosts of a local box beyond a wall: factor times the mirror cells, which may be
 * ghosts themselves. */
struct gmg_wall {
  int box, axis, ghost, mirror; /* counted from the box's first cell */
  double factor;
};

struct gmg_exchange {
  struct gmg_comm *comm;
  const struct gmg_storage *from, *to;
  enum gmg_place place;
  struct gmg_copy_list pack, local, unpack;
  int sends, receives;
  struct gmg_message *send, *receive;
  void *send_buffer, *receive_buffer;
  int fields; /* at most, that travel together: as much room the buffers have */
#if GMG_WITH_MPI
  MPI_Request *request; /* receives, then sends */
  /* 1: an MPI call failed while messages were on their way, which still have the buffers */
  int given_up;
#endif
  /* Ghost exchanges only. */
  enum gmg_exchange_shape shape;
  int depth[3], periodic[3];
  int last_faces; /* 1: towards a wall, what lies on it too */
  int walls;
  struct gmg_wall *wall; /* x, then y, then z; inner layers first, a thin box mirrors them */
};

/* Finds the copies of all of this rank's boxes: those inside it, and those to and from others,
 * which are listed in the same order on both ranks without a word between them. Return 0, or -1 out
 * of memory. */
int gmg_exchange_plan_ghosts(struct gmg_exchange *exchange);
int gmg_exchange_plan_redistribution(struct gmg_exchange *exchange);

#endif
