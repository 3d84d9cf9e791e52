/* Local Fourier analysis of an operator whose coefficients are constant: its symbol, and how well
 * relaxation damps what a grid twice as coarse cannot hold (Trottenberg, Oosterlee, Schueller,
 * Multigrid, chapter 4; Yavneh, SIAM J. Sci. Comput. 17, 1996). */
#ifndef GEN_SYMBOL_H
#define GEN_SYMBOL_H

#include "derive.h"

/* A u at a point as Σ weight u[point + offset]. */
struct gen_stencil {
  int points;
  struct {
    int offset[3];
    double weight;
  } point[GEN_MAX_TERMS];
};

/* Smoothing factors: the spectral radius of one sweep that is followed by the ideal coarse-grid
 * correction, which takes out the low frequencies (|theta| < pi/2 along all axes) and no others. */
struct gen_smoothing {
  double least, most;          /* of symbol / diagonal over the high frequencies */
  double overall;              /* the most over all frequencies */
  double jacobi_omega, jacobi; /* the best damping, and its factor */
  double plain;                /* Gauss-Seidel's by colours with omega = 1 */
  double best_omega, best;     /* with the best omega, to two decimals */
};

/* The operator's stencil where alpha is 0, all other coefficients are 1, and the cells have that
 * spacing along i, j, k. False if its diagonal is not positive, or opposite neighbours differ (the
 * symbol is not real then), or there are no neighbours. */
bool gen_unit_stencil(const struct gen_operator *op, const double spacing[3],
                      struct gen_stencil *stencil);
/* The colouring is by parity of the sum of the indices, or of each of them (modulus 1 or 2), as
 * gen_find_colouring finds it for stencils that reach one point; with more colours Gauss-Seidel's
 * factors are NAN. */
struct gen_smoothing gen_smoothing_of(const struct gen_stencil *stencil,
                                      const struct gen_guard *colouring);
/* Gauss-Seidel's factor by colours with that omega. */
double gen_gauss_seidel_factor(const struct gen_stencil *stencil, const struct gen_guard *colouring,
                               double omega);

#endif
