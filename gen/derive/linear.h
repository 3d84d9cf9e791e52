/* The linear form of an operator: A u at a point as Σ weight · u[point + offset], found
 * symbolically. */
#ifndef GEN_LINEAR_H
#define GEN_LINEAR_H

#include "ir/tree.h"

enum { GEN_MAX_PARTS = 32, GEN_MAX_TERMS = 125 };

/* A signed sum of expressions that do not contain the unknown. */
struct gen_weight {
  int parts;
  struct {
    int sign; /* +1 or -1 */
    const struct gen_expr *value;
  } part[GEN_MAX_PARTS];
};

struct gen_term {
  int offset[3]; /* by axis */
  struct gen_weight weight;
};

struct gen_linear {
  int terms;
  struct gen_term term[GEN_MAX_TERMS];
};

/* Fills `linear` for the kernel's single store, with the array `unknown` as u. Rejects (with the
 * offending expression) what is not linear, and a part of A u that does not depend on u. */
bool gen_linear_form(const struct gen_kernel *kernel, int unknown, struct gen_linear *linear);
/* The term of the point itself, or NULL. */
const struct gen_term *gen_linear_centre(const struct gen_linear *linear);
/* The weight as one expression; the number 0 if it has no parts. */
const struct gen_expr *gen_weight_expr(const struct gen_weight *weight);

#endif
