/* Which calls and moves of a placement are the device's, and which run in the coarse tail. */
#ifndef GMG_CUDA_WHERE_H
#define GMG_CUDA_WHERE_H

#include "runtime/placement.h"

/* Whether a level is small enough for the coarse tail, or for the host. */
int gmg_where_coarse(const struct gmg_placement *placement, const struct gmg_level *level);
/* Whether the program of the coarse tail computes a level; of the cycles that run now, since more
 * kernels would only make it slower. */
int gmg_where_in_tail(const struct gmg_placement *placement, const struct gmg_level *level);
int gmg_where_call_in_tail(const struct gmg_placement *placement, const struct gmg_call *call);
/* Whether the device runs a call: one between two levels runs where the finer one is. */
int gmg_where_runs(const struct gmg_placement *placement, const struct gmg_call *call);
/* Does something with every call that the device runs; and with every move of those calls and
 * between such levels. */
struct gmg_call_visit {
  void (*visit)(struct gmg_placement *placement, struct gmg_call *call, void *user);
  void *user;
};
void gmg_where_calls(struct gmg_placement *placement, struct gmg_call_visit visit);
struct gmg_move_visit {
  void (*visit)(struct gmg_placement *placement, struct gmg_level *level, struct gmg_move *move,
                void *user);
  void *user;
};
void gmg_where_moves(struct gmg_placement *placement, struct gmg_move_visit visit);
/* Whether a box has more elements than kernels count, in 32 bits, so that the device runs nothing;
 * then why says so. */
int gmg_where_too_large(const struct gmg_placement *placement, char *why, size_t size);

#endif
