/* How the cells of all levels are owned by those of the next coarser one, and what the operators of
 * coarse levels are then. */
#ifndef GMG_OWNER_PLAN_H
#define GMG_OWNER_PLAN_H

#include "coarse_links.h"
#include "election.h"
#include "links.h"
#include "mesh/axis.h"

/* From a level to the next coarser one. */
struct gmg_owner_step {
  struct gmg_pairs pairs;
  int fine_cells[3];
  struct gmg_election election;
  /* What the levels' fields are filled from, and frees when they are; NULL and empty after that. */
  unsigned char *owner;
  struct gmg_links coarse;
};

struct gmg_owner_plan {
  int stretched; /* gmg_axes_stretched */
  double merge;  /* up to how many times the least width of a pair cells pair then */
  int taken;     /* 1: the levels' fields were filled from it */
  int64_t bytes; /* that it holds until they are */
  int steps;
  struct gmg_owner_step *step;
};

/* Plans levels down to `least` cells from the operator of the finest one, which is used up;
 * `fixed`: an earlier plan whose directions are taken, or NULL. NULL: out of memory. Memory: gives
 * the plan. */
struct gmg_owner_plan *gmg_owners_plan(struct gmg_links *finest, const struct gmg_axis axis[3],
                                       int64_t least, const struct gmg_owner_plan *fixed,
                                       int threads);
/* Plans levels without owners and operators, coarsened along all axes where nothing is fixed. */
struct gmg_owner_plan *gmg_owners_expect(const struct gmg_axis axis[3], int64_t least,
                                         const struct gmg_owner_plan *fixed);
/* Frees what the fields of a step's levels are filled from. */
void gmg_owners_forget_step(struct gmg_owner_step *step);
void gmg_owners_destroy(struct gmg_owner_plan **plan);

#endif
