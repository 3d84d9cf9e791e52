/* Kernels in which one number stands for a field. */
#ifndef GEN_UNIFORM_H
#define GEN_UNIFORM_H

#include "derive.h"

/* Adds to the operator's derived kernels a variant uniform_FIELD of each that reads the field:
 * where it is one number a kernel moves 8 bytes less per cell. */
void gen_derive_uniform(struct gen_operator *op, const char *field);

#endif
