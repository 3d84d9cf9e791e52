/* The levels, and what a cycle runs on each of them. */
#ifndef GMG_PROBLEM_HIERARCHY_H
#define GMG_PROBLEM_HIERARCHY_H

#include "problem.h"
#include "runtime/launch.h"
#include "runtime/placement.h"
#include "runtime/reduce.h"

/* One level of the cycle and what runs on it. */
struct gmg_cycle_level {
  struct gmg_level *level;
  struct gmg_choice choice; /* that it is made with */
  /* these cells, cut as those of the next coarser level; NULL: they are already */
  struct gmg_level *staging;
  struct gmg_move to_staging_r, to_staging_u, from_staging_u;
  struct gmg_call *smooth[2]; /* Gauss-Seidel in place; or u to w, w to u */
  /* Half-sweeps after and before the coarse correction, each with a relaxation factor of its own
   * and what a kernel keeps for it; NULL: smooth[0] does them all. */
  struct gmg_call *half_sweep[2][GMG_HALF_SWEEPS];
  /* The first sweep before the coarse correction where u = 0, by colour; NULL: u is set to 0, and
   * swept like any other. */
  struct gmg_call *from_zero[2];
  struct gmg_call *take_w;      /* u = w */
  struct gmg_call *residual;    /* r = f - A u, where there is a staging level */
  struct gmg_call *restriction; /* coarse f; fused with the residual where there is none */
  /* restriction and the residual's norm; NULL, except on the finest level, where fused */
  struct gmg_call *restrict_norm;
  /* that norm alone, in the cells whose residual is restricted; NULL: in all cells */
  struct gmg_call *norm_part;
  struct gmg_call *interpolation; /* one of the two below */
  struct gmg_call *constant, *linear;
  struct gmg_call *zero; /* u = 0 */
  /* FMG: the coarse right side, its projection, and the fine start, between this level and the next
   * coarser one. */
  struct gmg_move to_staging_f, start_ghosts;
  struct gmg_call *restrict_f, *project_coarse, *start;
  /* FMG for a correction: the right side from f, on the finest level where that is the cycle's from
   * u (else start_add is NULL). */
  struct gmg_call *restrict_correction, *start_add;
  /* restrict_correction with the norm of the residual of u; NULL: as restrict_norm */
  struct gmg_call *restrict_correction_norm;
  struct gmg_reducer norm; /* of the residual, for measurements */
  struct gmg_call *zero_f;
  int twice;    /* a W- or F-cycle visits the level twice from the next finer one */
  int times;    /* the sweeps that the options say, so many times */
  double omega; /* relaxation factor; the mean of those of half-sweeps where they are different */
  const double (*factor)[GMG_HALF_SWEEPS]; /* of every half-sweep; NULL: omega for all */
  /* 1 + the colour whose cells alone have a residual after the sweeps, as kernels take it in their
   * scalar "only"; 0: all cells have. */
  int active_colour;
  double eigenvalue; /* bound of the spectrum of D⁻¹ A, for Chebyshev */
  /* Setup: D⁻¹ of this level; the coefficients of the next coarser one, as they are given; and
   * their way to the staging level. NULL: there is none. */
  struct gmg_call *invert, *coarsen[GMG_COEFFICIENTS + GMG_OWN_FIELDS];
  struct gmg_move to_staging[GMG_COEFFICIENTS + GMG_OWN_FIELDS];
  struct gmg_exchange *to_staging_face[3];
  /* fills the ghosts of an operator's own fields on cells; NULL: there are none */
  struct gmg_exchange *mirror;
};

/* What setup runs on the finest level where a device computes it, with u and f for what is on its
 * way. All NULL elsewhere. */
struct gmg_finest_calls {
  int passed;              /* 1: u holds a coefficient */
  struct gmg_move ghosts;  /* of β on cells, while u holds it */
  struct gmg_move seam[3]; /* of β on the last faces of periodic axes */
  struct gmg_call *average[3], *conductance[3];
  struct gmg_call *clear_alpha, *add_alpha; /* α = a constant, α += s u */
  struct gmg_call *narrow[4];               /* of α and β, to the cycle's precision */
  /* of β: on opposite faces, on low ones (where β is given on cells), of low faces */
  struct gmg_reducer ratio[3], low_ratio, sum[3];
};

/* The coarsest level's matrix, factored; on its owner, elsewhere of no cells. */
struct gmg_direct {
  int cells, *pivot;
  double *matrix, *vector; /* columns; one column */
  size_t bytes;
  struct gmg_call *apply;
};

/* The inverse of a level of at most two cells along each axis (operators/inverse.c). */
enum { GMG_INVERSE_COLUMNS = 8 };
struct gmg_inverse {
  int level;
  /* setup: unit vectors; their products with A, and that of ones, by column; a step of elimination
   * for each column that there is */
  struct gmg_call *units, *product[GMG_INVERSE_COLUMNS + 1], *step[GMG_INVERSE_COLUMNS];
  int steps;
  struct gmg_call *apply; /* NULL: there is no such level, or it is not wanted */
};

struct gmg_bottom_fft; /* cycle/bottom_fft.h */

struct gmg_bottom_calls {
  int method;     /* enum gmg_bottom, settled */
  int no_inverse; /* of the direct method's matrix */
  struct gmg_direct direct;
  struct gmg_bottom_fft *fft; /* NULL: another method */
  struct gmg_inverse inverse;
  struct gmg_call *sweep, *residual, *copy, *apply_p, *apply_s, *precondition_p, *precondition_s;
  struct gmg_call *p_minus_v, *p_plus_r, *u_plus_p, *r_minus_v, *r_minus_t;
  struct gmg_call *shift_v, *shift_t; /* singular: v += c Σ p̂, t += c Σ p̂ */
  struct gmg_reducer rho, sigma, tt, ts, rr, mean;
};

/* Mixed precision (refine.h). */
struct gmg_refinement {
  struct gmg_call *narrow, *widen, *add; /* f to float; u from float, u += float */
  struct gmg_reducer residual;           /* r' with the norm of r */
  double unit, scale, residual_scale;
  int f_taken; /* the cycle's f is the finest level's, for a start by full multigrid */
};

/* What one solver's levels do to errors; infinite where they make them grow without bound. */
enum { GMG_MEASURED_LEVELS = 40 };
struct gmg_measured {
  int known;
  int level; /* the coarsest whose cycle contracts poorly; -1: none does */
  /* of the residual norm, by the last of some cycles on a level, from noise */
  double factor[GMG_MEASURED_LEVELS];
  double smoothing; /* by the last of some sweeps on that level, on the finest where none is poor */
  /* the residual of a constant over what its terms add up to: 0 where the problem is singular */
  double constant;
};

/* Cycles in one precision: their levels, and what runs on them. */
struct gmg_cycles {
  enum gmg_precision precision;
  struct gmg_cycle_level *level; /* NULL: there are none */
  struct gmg_bottom_calls bottom;
  struct gmg_refinement refinement;
};

struct gmg_owner_plan; /* owners/plan.h */

struct gmg_hierarchy {
  gmg_context *context;
  const struct gmg_problem *problem; /* that it is made for */
  struct gmg_memory *memory;         /* that its fields are taken from */

  struct gmg_owner_plan *owners; /* of coarse levels; NULL: a coarse cell owns what it covers */
  double owned_scale; /* that operators with owners are multiplied with, on all coarse levels */
  const struct gmg_operator_descriptor *coarse_op; /* of the levels below the finest */
  int levels;
  int (*cells)[3];
  struct gmg_axis (*axis)[3];
  struct gmg_pairing (*pairing)[3];
  double merge; /* of plain levels: mesh/merge.h */
  struct gmg_layout **layout, **staging_layout;
  struct gmg_cycle_level *level;
  /* Where the problem is held, in double: u, f, coefficients. level[0].level, or in mixed precision
   * its twin. */
  struct gmg_level *finest;
  enum gmg_precision precision; /* of the cycle's levels */
  int no_single;                /* there is too little memory for two precisions */
  /* in mixed precision: those in double that a solve may go on with, then those before them */
  struct gmg_cycles other;
  struct gmg_refinement refinement;
  struct gmg_bottom_calls bottom;
  struct gmg_finest_calls finest_setup;

  double omega;              /* of the finest level */
  int damped;                /* in this solve levels whose colours clash are not over-relaxed */
  enum gmg_cycle_kind cycle; /* that is repeated */
  int ends_by_inverse;       /* cycles end at the level of the inverse, not at the coarsest */
  int full;                  /* a solve without a guess starts by full multigrid */
  int interpolation;         /* enum gmg_interpolation, settled */
  struct gmg_measured measured;

  struct gmg_source *source; /* what boundary values add, on all levels */
  int sources;
  double *wall_value[6]; /* of a side on a coarser level's faces, while FMG is set up */
  /* β of the finest level's walls, by box and side; entries or all NULL: β is 1, or no wall is
   * there */
  double **wall_beta;

  /* On the finest level, outside cycles. */
  struct gmg_call *take_density; /* f = volume x u */
  struct gmg_call *clear_f, *clear_u, *project, *shift_u;
  struct gmg_reducer norm, norm_of_f, sum_f, mean_u, terms;
};

/* In mixed precision there are two sets of cycles, in single, and in double for where that is too
 * low, which change places here: what is made for the first is then made for the second. */
void gmg_cycles_exchange(struct gmg_hierarchy *hierarchy);

/* The levels of a cycle's level that count what they move: itself, its twin, its staging level;
 * NULL: there is none. */
enum { GMG_PARTS = 3 };
static inline struct gmg_level *gmg_level_part(const struct gmg_cycle_level *level, int n)
{
  return n == 0 ? level->level : n == 1 ? level->level->twin : level->staging;
}

/* The level whose boxes are those of the next coarser one: its staging level, or itself. */
static inline struct gmg_level *gmg_partner(const struct gmg_cycle_level *level)
{
  return level->staging ? level->staging : level->level;
}

/* Whether β jumps: somewhere the ratio of β on two faces of a cell is larger than smooth
 * coefficients make it. Beyond that ratio constant interpolation and W-cycles take fewer cycles
 * (spheres of ratio 3 to 1e6 and their inverses; linear interpolation stalls at 1e3). */
static inline int gmg_beta_jumps(const struct gmg_hierarchy *hierarchy)
{
  const double most = 2.0;
  return hierarchy->problem->jump > most;
}

/* The level that cycles end at. */
static inline int gmg_bottom_level(const struct gmg_hierarchy *hierarchy)
{
  return hierarchy->ends_by_inverse ? hierarchy->bottom.inverse.level : hierarchy->levels - 1;
}

static inline struct gmg_level *gmg_coarsest(const struct gmg_hierarchy *hierarchy)
{
  return hierarchy->level[hierarchy->levels - 1].level;
}

#endif
