/* Colours of Gauss-Seidel: which points may be updated in place at once. */
#ifndef GEN_COLOURING_H
#define GEN_COLOURING_H

#include "proof.h"
#include "ir/tree.h"

/* The kernel with every store to w made one to u: u[centre] = F(u[neighbours]). NULL, and a
 * rejection, if it has no array `u` that is read or no array `w` that is written. */
struct gen_kernel *gen_in_place(const struct gen_kernel *op);

/* The fewest colours under which the in-place form of the operator has no conflict, on global
 * indices: 1, the parity of i + j + k, then the lattices of modulus up to 5 in each direction by
 * their number of colours. Each is accepted or refused by isl; the refusals enter the proof (which
 * may be NULL). Errors:  false after a rejection: no such arrays, or no colouring among those */
bool gen_find_colouring(const struct gen_kernel *op, struct gen_guard *colouring, int *colours,
                        struct gen_proof *proof);

/* The same search for a kernel that updates in place; false, and nothing said, if none is found. */
bool gen_search_colouring(const struct gen_kernel *in_place, struct gen_guard *colouring,
                          struct gen_proof *proof);

int gen_colours(const struct gen_guard *guard);
/* "2 colours by the parity of i + j + k" */
const char *gen_colouring_text(const struct gen_guard *colouring);

#endif
