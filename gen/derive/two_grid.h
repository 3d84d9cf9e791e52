/* Local Fourier analysis of a cycle on two grids, the coarse one solved exactly: by how much it
 * makes the error smaller where coefficients are constant and no wall is near (Trottenberg,
 * Oosterlee, Schueller, Multigrid, chapter 4). The transfers are those of operators/: sums of the
 * cells that merge, and linear or constant interpolation; the coarse operator is the operator on
 * the coarse grid. */
#ifndef GEN_TWO_GRID_H
#define GEN_TWO_GRID_H

#include "harmonics.h"

enum gen_smoother { GEN_GAUSS_SEIDEL, GEN_JACOBI, GEN_CHEBYSHEV };
enum { GEN_MAX_SWEEPS = 4 };

struct gen_cycle {
  enum gen_smoother smoother;
  int before, after; /* sweeps before and after the coarse grid's correction, up to the most */
  /* Gauss-Seidel's and Jacobi's factors, one for every sweep, or every colour of one */
  double omega_before[GEN_MAX_SWEEPS][GEN_MAX_COLOURS];
  double omega_after[GEN_MAX_SWEEPS][GEN_MAX_COLOURS];
  /* Chebyshev: steps of a sweep, which damps [bound / 8, bound] of A / diagonal */
  int degree;
  double bound;
  bool constant; /* interpolation; else linear */
};

/* A cycle with one factor throughout: two sweeps before and after, of Chebyshev with four steps and
 * the bound 2. */
struct gen_cycle gen_usual_cycle(enum gen_smoother smoother, double omega);
/* The axes along which the solver merges cells of that spacing, a bit each: where the width is at
 * most 1.5 times the least one. */
int gen_merged_axes(const struct gen_stencil *stencil, const double spacing[3]);

/* A frequency with its harmonics. */
struct gen_frequency;
/* What is known of an operator on cells of that spacing, for any cycle: the frequencies of a
 * periodic grid with 4 steps cells along each axis, of each pair theta, -theta one. */
struct gen_two_grids {
  struct gen_cell_colours colours;
  int frequencies;
  struct gen_frequency *frequency; /* lives until gen_clear */
};
/* False where the analysis does not hold: gen_unit_stencil is false, there are too many colours, or
 * the operator has coefficients of its own. */
bool gen_make_two_grids(const struct gen_operator *op, const double spacing[3],
                        bool constant_interpolation, const int steps[3],
                        struct gen_two_grids *grids);
/* The cycle's factor in frequency n, the spectral radius of what it makes of an error, but for a
 * constant; squarings, enough: see gen_spectral_radius. */
double gen_factor_at(const struct gen_two_grids *grids, int n, const struct gen_cycle *cycle,
                     int squarings, double enough);
/* The largest of these factors; NAN where the analysis does not hold. */
double gen_two_grid_factor(const struct gen_operator *op, const double spacing[3],
                           const struct gen_cycle *cycle, const int steps[3]);

#endif
