/* Gauss-Seidel over two colours in one kernel. */
#ifndef GEN_ROWS_H
#define GEN_ROWS_H

#include "derive.h"

/* Adds GEN_ROLE_GAUSS_SEIDEL_ROWS to kernels derived so far, if colours are two along i, cells of
 * different rows do not need each other's values, and ghosts follow no formula. */
void gen_derive_rows(struct gen_operator *op);

#endif
