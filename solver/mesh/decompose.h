/* Where the boxes of all levels lie: the finest level is cut along coarse cells, coarser levels
 * inherit its boxes. */
#ifndef GMG_DECOMPOSE_H
#define GMG_DECOMPOSE_H

#include "axis.h"
#include "layout.h"

/* By default; on devices, where a message takes as long as a sweep over many cells. */
enum { GMG_GATHER_CELLS = 8 * 8 * 8, GMG_GATHER_CELLS_DEVICE = 32 * 32 * 32, GMG_GATHER_ALL = 8 };

/* How levels are cut. nominal: cells per box and direction on the finest level; boxes are balanced,
 * and about as large. 0: one box per rank (fewer where there are too few cells), with the least
 * surface between them, cuts across i counting four times. gather: coarse levels have at least so
 * many cells on every rank that has any, and those of at most GMG_GATHER_ALL times as many are one
 * box, on rank 0. one: so many of the coarsest levels are one
 * box each. */
struct gmg_cutting {
  int nominal, gather, one;
};

/* Chooses the layouts of all levels from the pairings between them (pairing[l]: level l into level
 * l + 1). Cuts lie on boundaries of coarse cells as deep down as boxes stay balanced. A coarser
 * level inherits its boxes from the level above while all cuts are boundaries of its cells, and
 * boxes are not too thin, nor ranks too many; else it is cut anew into fewer, at most one per rank,
 * or gathered in one. staging[l], l < levels - 1: NULL where level l + 1 inherits, so that
 * transfers are local; else a layout of level l whose boxes are the children of those of level l +
 * 1, with the same owners and order. The result is the same on all ranks but for rank and local
 * boxes. Shape: cells[level][axis]; layout: levels pointers, staging: levels - 1. Memory: gives the
 * layouts. Returns 0, or -1 out of memory (then all pointers are NULL). */
int gmg_decompose(const struct gmg_pairing (*pairing)[3], int levels, const int cells[][3],
                  const struct gmg_cutting *cutting, int rank, int ranks,
                  struct gmg_layout **layout, struct gmg_layout **staging);

#endif
