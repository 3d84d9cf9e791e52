/* Branches in the loops over cells. */
#ifndef GEN_BRANCHES_H
#define GEN_BRANCHES_H

#include "values.h"

/* Makes an if: both branches are computed in all cells, and change what they set where they are
 * for. Returns false after a rejection. */
bool gen_make_if(struct gen_making *making, const struct gen_syntax *syntax);

#endif
