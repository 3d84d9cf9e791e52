/* A polynomial in values of arrays as statements of a kernel: terms that have the same weight are
 * summed first, and then weighted. */
#ifndef GEN_WEIGHTED_H
#define GEN_WEIGHTED_H

#include "ir/program.h"
#include "polynomial.h"

/* How many products of values of arrays there are. */
int gen_weighted_terms(const struct gen_atoms *atoms, const struct gen_polynomial *form);
/* Adds statements that store the polynomial. Rejects more parameters, or weights with more
 * products, than a kernel may have. */
bool gen_weighted_store(struct gen_kernel *kernel, const struct gen_program *program,
                        const struct gen_atoms *atoms, const struct gen_polynomial *form,
                        const struct gen_access *target);

#endif
