/* How the cells of a level are cut into boxes, and which rank owns each. The table of boxes is the
 * same on all ranks. */
#ifndef GMG_LAYOUT_H
#define GMG_LAYOUT_H

#include "kernel.h"

#include <stddef.h>
#include <stdint.h>

struct gmg_box {
  int lower[3], upper[3]; /* cells [lower, upper), global indices */
  int rank;               /* owner */
};

struct gmg_layout {
  int cells[3];
  int count;
  struct gmg_box *box; /* count of them; for a tensor layout k slowest, i fastest */
  /* tensor layout: boxes per direction, cut[d] their blocks[d] + 1 bounds; 0 and NULL otherwise */
  int blocks[3];
  int *cut[3];
  int rank, ranks; /* this rank */
  int owners;      /* ranks that have boxes, at most */
  int local_count;
  int *local; /* indices of this rank's boxes, increasing */
};

/* A tensor layout. cut[d] has blocks[d] + 1 increasing bounds, copied. Boxes go to `ranks` ranks in
 * contiguous runs of about equal cells, unless rank_of is given (per box). Returns NULL out of
 * memory. */
struct gmg_layout *gmg_layout_tensor(const int cells[3], const int blocks[3], int *const cut[3],
                                     int rank, int ranks, const int *rank_of);
/* One brick per rank (bricks may be empty). */
struct gmg_layout *gmg_layout_bricks(const int cells[3], const struct gmg_box *brick, int rank,
                                     int ranks);
void gmg_layout_destroy(struct gmg_layout **layout);

/* Walks over the boxes that meet the cells [lower, upper), in order of their index: gmg_layout_next
 * gives the index of the next one, or -1. */
struct gmg_layout_query {
  const struct gmg_layout *layout;
  int lower[3], upper[3];
  int first[3], end[3], at[3]; /* blocks of a tensor layout */
  int next;                    /* box of any other */
};
void gmg_layout_query(struct gmg_layout_query *query, const struct gmg_layout *layout,
                      const int lower[3], const int upper[3]);
int gmg_layout_next(struct gmg_layout_query *query);
/* Where box is among this rank's (layout->local), or -1 if another rank owns it. */
int gmg_layout_local(const struct gmg_layout *layout, int box);

/* Storage of fields on a layout: all components of a level share one. Element (i, j, k), counted
 * from a box's first cell, is at origin[b] + i step + j stride[b][0] + k stride[b][1] elements from
 * the allocation's start, b counting local boxes; in split rows (kernel.h) gmg_at(i, odd[b]) stands
 * for i step. Ghost zones of depth `ghost` on every side (the last face along an axis lies in
 * them), along j and k of depth `overlap` where that is more and a box has a neighbour or periodic
 * image there. Plain rows start 64-byte aligned, halves of split ones 32-byte (strides.h).
 * `elements` is the whole length of a component. */
struct gmg_storage {
  const struct gmg_layout *layout;
  int ghost, overlap;
  size_t element_bytes;
  int view;       /* 1: of the caller's array (exchange.h) */
  ptrdiff_t step; /* 1, except in a view */
  int64_t *origin;
  ptrdiff_t (*stride)[2];
  ptrdiff_t *odd; /* 0 where rows are plain */
  int64_t elements;
};
/* periodic: NULL allowed where overlap is 0. Memory: gives it. NULL: out of memory. */
struct gmg_storage *gmg_storage_create(const struct gmg_layout *layout, int ghost, int overlap,
                                       const int periodic[3], size_t element_bytes,
                                       enum gmg_rows rows);
/* A storage with an element of that size for each of this one. */
struct gmg_storage *gmg_storage_twin(const struct gmg_storage *storage, size_t element_bytes);
void gmg_storage_destroy(struct gmg_storage **storage);

#endif
