/* Where the boxes of all levels lie: the finest level is cut along coarse cells, coarser levels inherit its boxes. */
#ifndef GMG_DECOMPOSE_H
#define GMG_DECOMPOSE_H

#include "axis.h"
#include "layout.h"

/* Levels of at most this many cells are one box, on rank 0. */
enum { GMG_GATHER_CELLS = 16 * 16 * 16 };

/* Chooses the layouts of all levels from the pairings between them (pairing[l]: level l into level l + 1).
 * nominal: cells per box and direction on the finest level; boxes are balanced, and about as large. 0: one box per rank
 * (fewer where there are too few cells), with the least surface between them.
 * Cuts lie on boundaries of coarse cells as deep down as boxes stay balanced. A coarser level inherits its boxes from the
 * level above while all cuts are boundaries of its cells and boxes are not too thin; else it is cut anew into fewer, at
 * most one per rank, or gathered in one.
 * staging[l], l < levels - 1: NULL where level l + 1 inherits, so that transfers are local; else a layout of level l whose
 * boxes are the children of those of level l + 1, with the same owners and order.
 * The result is the same on all ranks but for rank and local boxes. Shape: cells[level][axis]; layout: levels pointers,
 * staging: levels - 1. Memory: gives the layouts. Returns 0, or -1 out of memory (then all pointers are NULL). */
int gmg_decompose(const struct gmg_pairing (*pairing)[3], int levels, const int cells[][3], int nominal, int rank,
                  int ranks, struct gmg_layout **layout, struct gmg_layout **staging);

#endif
