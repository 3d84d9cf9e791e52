/* Which coarse cell owns each cell. */
#ifndef GMG_ELECTION_H
#define GMG_ELECTION_H

#include "blocks.h"
#include "links.h"

/* What an election came to. */
struct gmg_election {
  size_t given_cells; /* to another block than their own */
  size_t forced;      /* pieces, to a block that does not hold them */
};

/* Sets the owner of every cell, by its code (blocks.h), so that the couplings of any two owners
 * whose cells are neighbours reach one block far at most. Does not depend on how the level is cut
 * up. Returns -1 out of memory. */
int gmg_elect_owners(const struct gmg_links *links, const struct gmg_blocks *blocks, int threads,
                     unsigned char *owner, struct gmg_election *election);

#endif
