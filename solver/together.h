/* Ranks of a machine that compute as one: one of them, who leads, has the cells of all of them and their cores as its threads, so
 * that between them no ghosts are computed twice and none travel. The others hand their values over, take the solution back,
 * and sleep in between. */
#ifndef GMG_TOGETHER_H
#define GMG_TOGETHER_H

#include "comm.h"

struct gmg_solver;
struct gmg_carry;

/* Cores of a group, where there are more threads than cores, or no more cores than that; elsewhere every rank is by itself. Unless
 * the option together, or GMG_TOGETHER in the environment, says how many ranks a group has. */
enum { GMG_TOGETHER_CORES = 4 };

struct gmg_together {
  int groups;  /* of all ranks; 0: every rank is one by itself */
  int *leader; /* of each, increasing; NULL: likewise */
  struct gmg_groups *ranks;
  int group;                /* that this rank leads; -1: none */
  int lead;                 /* the rank that leads this one's */
  int threads;              /* for this rank's levels; 0: not planned */
  int here;                 /* of all that lead on this machine, together */
  struct gmg_cores cores;   /* of the ranks of the group */
  struct gmg_cores *before; /* that each of its threads may run on otherwise; NULL: the same, or it does not lead */
  struct gmg_carry *carry;  /* how the caller's arrays come and go (carry.h) */
  int begun;
};

/* Forms the groups. Where a GPU computes, every rank is one by itself. Calls: collective. Memory: gives solver->together.leader. */
int gmg_together_plan(struct gmg_solver *solver);
void gmg_together_clear(struct gmg_together *together);
/* From begin to end, threads may run on all cores of the group, and who has no cells sleeps while the others compute. Begun already,
 * or over: does nothing. Calls: collective. */
void gmg_together_begin(struct gmg_solver *solver);
void gmg_together_end(struct gmg_solver *solver);

#endif
