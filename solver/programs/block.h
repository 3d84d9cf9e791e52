/* Several rounds of a program's steps between two exchanges: every kernel also visits ghosts, as
 * many beyond the box as the kernels after it need there, so that nothing is exchanged in between.
 * The values are the same to the last bit. */
#ifndef GMG_PROGRAMS_BLOCK_H
#define GMG_PROGRAMS_BLOCK_H

#include "program_table.h"

enum { GMG_BLOCK_ROUNDS = 16, GMG_BLOCK_DEEPEST = 64 };

struct gmg_block {
  int rounds;
  int *extent; /* by round, then by step of a round: how many ghosts its kernel visits */
  /* by array: how deep its ghosts are when a block begins, or a reduction reads them; the same for
   * arrays that nothing changes */
  int depth[32];
  int deepest, extents; /* the largest of each */
};

/* Finds out what so many rounds need. Memory: gives extent. Returns -1 out of memory; 1 where
 * ghosts would be deeper than GMG_BLOCK_DEEPEST. */
int gmg_block_plan(const struct gmg_program_descriptor *made, int rounds, struct gmg_block *block);
/* How far a kernel reads a field beyond the cells, in any direction. */
int gmg_block_reach(const struct gmg_field_descriptor *field);
void gmg_block_clear(struct gmg_block *block);

#endif
