/* Relaxation factors of V(2,2)-cycles with Gauss-Seidel by colours, chosen so that two grids
 * contract best by local Fourier analysis (gen/derive/two_grid.h). */
#ifndef GEN_RELAXATION_H
#define GEN_RELAXATION_H

#include "two_grid.h"

/* Half-sweeps: of the colours' first half and of their second half, in each of two sweeps. Shapes
 * of cells: enum gmg_shape of solver/kernel.h. */
enum { GEN_HALF_SWEEPS = 4, GEN_SHAPES = 8 };

struct gen_factors {
  double factor[2][GEN_HALF_SWEEPS]; /* after the coarse correction, before it */
  double jacobi;                     /* Jacobi's factor */
};

/* The names of shapes in solver/kernel.h. */
extern const char *const gen_shape_names[GEN_SHAPES];
/* The shape of cells of that spacing. */
int gen_shape_of(const double spacing[3]);
/* False where there is nothing to choose: the analysis does not hold, or the colours are not 2 or
 * 8. Of two colours the last half-sweep has the factor 1:
 * no residual is left in the second one then, and restrictions leave it out. */
bool gen_find_factors(const struct gen_operator *op, int shape, struct gen_factors *result);
/* A cycle with these factors. */
struct gen_cycle gen_cycle_with(const struct gen_operator *op, const struct gen_factors *factors);

#endif
