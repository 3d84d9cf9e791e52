/* The Galerkin product R A P of an operator: what a coarse grid sees of it (Trottenberg, Oosterlee,
 * Schueller, Multigrid, 2.8.2). A is the operator's linear form, R sums the cells that merge, P is
 * constant or linear interpolation, where cells merge two by two, are equally wide and are not at a
 * wall. A coarse cell's weights are polynomials in the operator's coefficients around the first
 * fine cell in it. */
#ifndef GEN_GALERKIN_H
#define GEN_GALERKIN_H

#include "derive.h"
#include "polynomial.h"

enum { GEN_MOST_GALERKIN = 125 };

struct gen_galerkin_entry {
  int offset[3];                 /* of the coarse cell whose value it weighs */
  struct gen_polynomial *weight; /* without products that cancel */
};

struct gen_galerkin {
  const struct gen_operator *op;
  struct gen_atoms atoms; /* over the arrays and scalars of the operator's source */
  bool constant;          /* interpolation; else linear */
  int merged;             /* axes along which cells merge, those that it couples: a bit each */
  int entries;            /* by k, j, i */
  struct gen_galerkin_entry entry[GEN_MOST_GALERKIN];
};

/* Rejects an operator whose product has more than GEN_MOST_GALERKIN entries, or is too large. */
bool gen_galerkin(const struct gen_operator *op, bool constant, struct gen_galerkin *product);

#endif
