/* Smoothers: sweeps of red-black (or lattice-coloured) Gauss-Seidel, Jacobi, or Chebyshev
 * polynomials of D⁻¹ A. */
#ifndef GMG_SMOOTH_H
#define GMG_SMOOTH_H

#include "problem/hierarchy.h"

/* Binds the smoother of level l. Errors: GMG_ERR_OPTION, GMG_ERR_MEMORY. */
gmg_status gmg_smooth_bind(struct gmg_hierarchy *hierarchy, int l);
/* Bounds the spectrum of D⁻¹ A on every level; after the coefficients. Calls: collective. */
gmg_status gmg_smooth_measure(struct gmg_hierarchy *hierarchy);
/* Sweeps on A u = f: those of a cycle before and after its coarse correction, and a single one.
 * Gauss-Seidel visits its colours in the same order in every sweep, before and after the coarse
 * correction (NUMERICS: red then black both times). Calls: collective. */
void gmg_smooth_before(struct gmg_hierarchy *hierarchy, int l);
/* gmg_smooth_before where u = 0, whatever is stored. */
void gmg_smooth_from_zero(struct gmg_hierarchy *hierarchy, int l);
void gmg_smooth_after(struct gmg_hierarchy *hierarchy, int l);
void gmg_smooth_once(struct gmg_hierarchy *hierarchy, int l);
/* Returns the kernel of Gauss-Seidel on level l, which sweeps over one colour, or over two where
 * its boxes allow that; NULL: the operator has none. */
const struct gmg_kernel_descriptor *gmg_smooth_kernel(const struct gmg_hierarchy *hierarchy, int l);
/* One sweep over all colours by a call of that kernel; back: from the last colour to the first.
 * Where axes have one cell, some colours have no cells, and their calls are left out. */
void gmg_smooth_sweep(const struct gmg_hierarchy *hierarchy, int l, struct gmg_call *call,
                      double omega, int back);
/* Values that depend on a cell's global index alone, into a field: given ones, or in [-1, 1). */
void gmg_fill_field(struct gmg_level *level, void **field, double (*value)(int i, int j, int k));
void gmg_fill_noise(struct gmg_level *level, void **field);

#endif
