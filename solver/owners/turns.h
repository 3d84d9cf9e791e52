/* The order in which pieces of blocks that have several elect. */
#ifndef GMG_TURNS_H
#define GMG_TURNS_H

#include "pieces.h"

/* Pieces in groups that elect one after the other, each by its first cell. Those of a group that
 * are of different blocks do not meet in what they decide, unless `meet` is 1; those of one block
 * stand beside each other. */
struct gmg_turns {
  size_t pieces, groups;
  uint32_t *first;    /* the first cells */
  size_t *group;      /* where each group begins, and the last one ends */
  int meet;
};

/* Returns -1 out of memory. Memory: gmg_turns_clear frees it. */
int gmg_turns_list(const struct gmg_pieces *pieces, struct gmg_turns *turns);
void gmg_turns_clear(struct gmg_turns *turns);

#endif
