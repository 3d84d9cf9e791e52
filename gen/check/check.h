/* What must hold before a kernel may run in parallel, asked of isl: accesses stay inside their
 * arrays, arrays that are written overlap no other, and no two iterations that run at once touch
 * one element that either writes. */
#ifndef GEN_CHECK_H
#define GEN_CHECK_H

#include "proof.h"
#include "ir/tree.h"

/* Checks ranges, overlap and conflicts of a kernel under its own guard.
 * Memory:  keep all; the sentences added to proof (or NULL) live until gen_clear
 * Errors:  false after a rejection that names the access, the two arrays or the two conflicting
 * points */
bool gen_check(const struct gen_kernel *kernel, struct gen_proof *proof);
/* Whether a kernel's arrays of another level, as they are declared, are all of one level, and laid
 * out alike: what is emitted has one set of strides for them. False after a rejection. */
bool gen_check_levels(const struct gen_kernel *kernel);

#endif
