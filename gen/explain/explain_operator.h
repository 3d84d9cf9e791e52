/* --explain, the part that concerns an operator: its stencil, boundary form, diagonal, colours, how
 * relaxation and cycles contract, derived kernels. */
#ifndef GEN_EXPLAIN_OPERATOR_H
#define GEN_EXPLAIN_OPERATOR_H

#include "check/proof.h"
#include "derive/derive.h"

/* spacing: of the cells that contraction is told for. */
const char *gen_explain_operator(const struct gen_operator *op, const struct gen_proof *colouring,
                                 const double spacing[3]);

#endif
