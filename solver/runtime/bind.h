/* Binds generated kernels: a descriptor's fields, by name, to a level's, once, at setup. */
#ifndef GMG_OPENMP_BIND_H
#define GMG_OPENMP_BIND_H

#include "launch.h"

/* What a kernel calls `from` is `to` on the level. A list ends with {NULL, NULL}. */
struct gmg_rename {
  const char *from, *to;
};

/* Binds the kernel's form in the precision of `own`, whichever was given. other: the level of the
 * kernel's FINER or COARSER fields, which may be `own`, or NULL. Fields of another precision are
 * those of the level's twin. Fields that are not there are made. Calls: not collective. Memory:
 * gives the call. Errors: GMG_ERR_OPTION where the kernel needs a field or scalar that the solver
 * does not have; GMG_ERR_UNSUPPORTED where it reads deeper ghosts than the level exchanges, or
 * those of more fields than a call has room for; GMG_ERR_INTERNAL where the level has no room for
 * its times; GMG_ERR_MEMORY. */
gmg_status gmg_call_bind(const struct gmg_kernel_descriptor *kernel, struct gmg_level *own,
                         struct gmg_level *other, const struct gmg_rename *rename,
                         struct gmg_call **call);
void gmg_call_destroy(struct gmg_call **call);
/* Destroys the calls that a level keeps; NULL is allowed. */
void gmg_calls_destroy(struct gmg_level *level);
/* The same as gmg_call_bind, but the level keeps the call. */
gmg_status gmg_call_keep(const struct gmg_kernel_descriptor *kernel, struct gmg_level *own,
                         struct gmg_level *other, const struct gmg_rename *rename,
                         struct gmg_call **call);
/* As gmg_call_keep, but no ghosts are exchanged: the caller fills those that the kernel reads
 * before each run. */
gmg_status gmg_call_keep_filled(const struct gmg_kernel_descriptor *kernel, struct gmg_level *own,
                                struct gmg_level *other, const struct gmg_rename *rename,
                                struct gmg_call **call);
/* Binds, runs once and forgets; s is its one scalar besides the equation's. */
gmg_status gmg_call_once(const struct gmg_kernel_descriptor *kernel, struct gmg_level *own,
                         struct gmg_level *other, const struct gmg_rename *rename, double s);

/* Cuts a call's cells up among threads as its level has chosen. Returns -1 out of memory. */
int gmg_call_cut(struct gmg_call *call);
/* Changes what a level has chosen, and all calls with it that last as long as the level. May run
 * between two cycles. Returns -1 out of memory: then some calls are cut as before. */
int gmg_level_choose(struct gmg_level *level, const struct gmg_choice *choice);

/* Where a level counts the time of its exchanges. */
struct gmg_kernel_stat *gmg_exchange_stat(struct gmg_level *level);

#endif
