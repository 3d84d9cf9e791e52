/* The bottom solver: a level of at most two cells along each axis by its inverse, or the coarsest
 * one by Gauss-Seidel sweeps (exact on one cell), CG, BiCGStab, LAPACK, or transforms. */
#ifndef GMG_BOTTOM_H
#define GMG_BOTTOM_H

#include "problem/hierarchy.h"
#include "problem/report.h"

/* Cells down to which levels are made: what the option says, or what the method is good for. */
int gmg_bottom_cells(const struct gmg_hierarchy *hierarchy);
/* How many of the coarsest levels must be one box each. */
int gmg_bottom_levels_in_one_box(const struct gmg_hierarchy *hierarchy);
/* Whether cycles end by the inverse, after the cycle is chosen. Where beta jumps V- and F-cycles do
 * not: there the level is far from what it stands for, and if it is solved exactly they take up to
 * twice as many cycles (spheres of ratio 1e3), while W-cycles take fewer. */
void gmg_bottom_choose(struct gmg_hierarchy *hierarchy);
/* Errors: GMG_ERR_OPTION, GMG_ERR_UNSUPPORTED (direct, without LAPACK; fft), GMG_ERR_MEMORY. */
gmg_status gmg_bottom_bind(struct gmg_hierarchy *hierarchy);
/* After the coefficients, new ones too. Calls: collective. */
gmg_status gmg_bottom_prepare(struct gmg_hierarchy *hierarchy, struct gmg_report *report);
/* After another α that no level stores. Calls: collective. */
void gmg_bottom_renew(struct gmg_hierarchy *hierarchy);
/* A solve begins: its sums know nothing of the last one. */
void gmg_bottom_begin(struct gmg_hierarchy *hierarchy);
/* Improves u of level l, which is gmg_bottom_level or the coarsest; of one cell that nothing fixes,
 * sets it to zero. Calls: collective. */
void gmg_bottom_solve(struct gmg_hierarchy *hierarchy, int l);
/* Solves level l from u = 0, whatever its u holds. Calls: collective. */
void gmg_bottom_solve_from_zero(struct gmg_hierarchy *hierarchy, int l);
/* The method in force, by its name. */
const char *gmg_bottom_text(const struct gmg_hierarchy *hierarchy);

#endif
