/* Blocks of cells: those that one cell of the next coarser level covers. A cell is owned by the
 * coarse cell of its own block, or by one beside that on the cell's side of the block. */
#ifndef GMG_BLOCKS_H
#define GMG_BLOCKS_H

#include <stddef.h>

/* Owners by code: bit d is set where the owner is one block further along axis d, to the side on
 * which the cell lies in its block. A cell without an owner has a code of its own, which kernels
 * find equal to none of the others. */
enum { GMG_OWN_BLOCK = 0, GMG_OWNER_CODES = 8, GMG_NO_OWNER = 8, GMG_BLOCK_CELLS = 8 };

struct gmg_blocks {
  int cells[3], periodic[3];     /* of the coarser level */
  const int *parent[3];          /* of a cell's index along an axis, its block's */
  const int *first[3], *last[3]; /* of a block's index, those of its cells */
};

static inline size_t gmg_blocks_count(const struct gmg_blocks *blocks)
{
  return (size_t)blocks->cells[0] * (size_t)blocks->cells[1] * (size_t)blocks->cells[2];
}

static inline size_t gmg_block_at(const struct gmg_blocks *blocks, const int block[3])
{
  return ((size_t)block[2] * (size_t)blocks->cells[1] + (size_t)block[1]) * (size_t)blocks->cells[0]
    + (size_t)block[0];
}

/* The block of a cell. */
static inline void gmg_block_of(const struct gmg_blocks *blocks, const int cell[3], int block[3])
{
  for (int d = 0; d < 3; d++)
    block[d] = blocks->parent[d][cell[d]];
}
/* Where a cell lies in its block along an axis: -1 or 1, or 0 where it is alone. */
static inline int gmg_side_of(const struct gmg_blocks *blocks, const int cell[3], int d)
{
  const int block = blocks->parent[d][cell[d]];
  return (cell[d] == blocks->last[d][block]) - (cell[d] == blocks->first[d][block]);
}
/* Whether two blocks are one. */
static inline int gmg_same_block(const int one[3], const int two[3])
{
  return one[0] == two[0] && one[1] == two[1] && one[2] == two[2];
}
/* The step from one block to another, the short way where the axis is periodic. Returns whether it
 * is at most one along every axis. */
int gmg_step_between(const struct gmg_blocks *blocks, const int from[3], const int to[3],
                     int step[3]);
int gmg_block_near(const struct gmg_blocks *blocks, const int from[3], const int to[3]);
/* The block that owns a cell by a code. */
void gmg_block_owner(const struct gmg_blocks *blocks, const int cell[3], int code, int owner[3]);
/* The code of an owner that is so many steps from the cell's block; -1: it is not on the cell's
 * side. */
int gmg_owner_code(const struct gmg_blocks *blocks, const int cell[3], const int step[3]);

#endif
