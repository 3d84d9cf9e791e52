/* Which kernels a solver runs: found by role or name, and bound many at a time. */
#ifndef GMG_KERNELS_H
#define GMG_KERNELS_H

#include "problem.h"
#include "runtime/bind.h"

/* The operator's kernel of a role, for uniform α where that is so; a kernel as written, by name. In
 * double, of which a call takes the form that its level has; or of a role that single precision
 * alone has, in that. NULL: there is none. */
const struct gmg_kernel_descriptor *gmg_operator_kernel(const struct gmg_problem *problem,
                                                        enum gmg_kernel_role role);
/* Likewise of the operator of a level, which on coarse levels may be another one. */
const struct gmg_kernel_descriptor *gmg_level_kernel(const struct gmg_problem *problem,
                                                     const struct gmg_level *level,
                                                     enum gmg_kernel_role role);
const struct gmg_kernel_descriptor *gmg_level_kernel_in(const struct gmg_problem *problem,
                                                        const struct gmg_level *level,
                                                        enum gmg_kernel_role role,
                                                        enum gmg_precision precision);
const struct gmg_kernel_descriptor *gmg_written_kernel(const struct gmg_problem *problem,
                                                       const char *name);
/* Whether any kernel of the operator has a field or a number of that name. */
int gmg_operator_has(const struct gmg_operator_descriptor *op, const char *name);

/* A kernel to bind. */
struct gmg_binding {
  struct gmg_call **call;
  const char *name;            /* of a written kernel, or of a role of the operator's */
  struct gmg_rename rename[4]; /* at most three; the last one stays {NULL, NULL} */
};
/* Binds `count` kernels to a level, which keeps the calls. Stops at the first that fails. */
gmg_status gmg_bind_all(const struct gmg_problem *problem, struct gmg_level *level,
                        const struct gmg_binding *list, size_t count);
/* Sets a call's scalar "s" and runs it. */
void gmg_run_scaled(struct gmg_call *call, double s);

#endif
