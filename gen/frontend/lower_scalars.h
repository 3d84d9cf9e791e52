/* What each scalar of a freshly lowered kernel is: parameter, private, sum or maximum; and where
 * the subscripts of its accesses go. */
#ifndef GEN_LOWER_SCALARS_H
#define GEN_LOWER_SCALARS_H

#include "ir/tree.h"

/* What the text says outside the loops. */
struct gen_prelude {
  int initials; /* values given before the loops, in the order of the text */
  struct {
    int scalar;
    const struct gen_expr *value;
  } initial[GEN_MAX_SCALARS];
  int returned; /* scalar that the function returns, or -1 */
  struct gen_location return_where;
};

/* Gives every local scalar its role: `s += e` and `s = fmax(s, e)` on a scalar set to 0 before the
 * loops and returned after them become GEN_REDUCE; a value given before the loops and not changed
 * in them becomes a statement of every iteration. Rejects a scalar that is read before it is
 * written. */
bool gen_settle_scalars(struct gen_kernel *kernel, const struct gen_prelude *prelude);

/* Marks the accesses. Rejects subscripts that use another direction's loop variable, tables on
 * arrays that the kernel writes, and writes to arrays of one dimension. */
bool gen_settle_accesses(struct gen_kernel *kernel);

#endif
