/* The one canonical arithmetic of every kernel: constants folded, a product and a sum joined into
 * one fma wherever they meet. All variants of a kernel, all box shapes and all devices evaluate
 * this form, so they give the same bits. */
#ifndef GEN_CANONICAL_H
#define GEN_CANONICAL_H

#include "tree.h"

const struct gen_expr *gen_canonical_expr(const struct gen_expr *expr);
/* Every value of the kernel, in place. */
void gen_canonical(struct gen_kernel *kernel);

#endif
