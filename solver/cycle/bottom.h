/* The bottom solver: the coarsest level by its inverse, Gauss-Seidel sweeps (exact on one cell),
 * CG, BiCGStab, or LAPACK. */
#ifndef GMG_BOTTOM_H
#define GMG_BOTTOM_H

#include "problem/hierarchy.h"
#include "problem/report.h"

/* Cells down to which levels are made: what the option says, or what the method is good for. */
int gmg_bottom_cells(const struct gmg_hierarchy *hierarchy);
/* Whether no level coarser than l, whose cells are known, is to be made. */
int gmg_bottom_ends(const struct gmg_hierarchy *hierarchy, int l);
/* Whether the coarsest level must be one box. */
int gmg_bottom_wants_one_box(const struct gmg_hierarchy *hierarchy);
/* Errors: GMG_ERR_OPTION, GMG_ERR_UNSUPPORTED (direct, without LAPACK), GMG_ERR_MEMORY. */
gmg_status gmg_bottom_bind(struct gmg_hierarchy *hierarchy);
/* After the coefficients, new ones too. Calls: collective. */
gmg_status gmg_bottom_prepare(struct gmg_hierarchy *hierarchy, struct gmg_report *report);
/* After another α that no level stores. Calls: collective. */
void gmg_bottom_rescale(struct gmg_hierarchy *hierarchy);
/* A solve begins: its sums know nothing of the last one. */
void gmg_bottom_begin(struct gmg_hierarchy *hierarchy);
/* Whether gmg_bottom_solve starts from what is in u. */
int gmg_bottom_reads_u(const struct gmg_hierarchy *hierarchy);
/* Improves u of the coarsest level; of one cell that nothing fixes, sets it to zero. Calls:
 * collective. */
void gmg_bottom_solve(struct gmg_hierarchy *hierarchy);
/* The method in force, by its name. */
const char *gmg_bottom_text(const struct gmg_hierarchy *hierarchy);

#endif
