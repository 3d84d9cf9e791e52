/* The solver: what was asked, the levels, and what a cycle runs on each of them. */
#ifndef GMG_SOLVER_H
#define GMG_SOLVER_H

#include "runtime/backend.h"
#include "grid.h"
#include "runtime/launch.h"
#include "options.h"
#include "runtime/reduce.h"

#include <stdatomic.h>

enum { GMG_COEFFICIENTS = 5, GMG_OWN_FIELDS = 8, GMG_FALLBACKS = 5 };

enum { GMG_HALF_SWEEPS = 4 }; /* of two sweeps of two colours */

/* One level of the cycle and what runs on it. */
struct gmg_cycle_level {
  struct gmg_level *level;
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
  double omega; /* relaxation factor; the mean of those of half-sweeps where they are different */
  const double (*factor)[GMG_HALF_SWEEPS]; /* of every half-sweep; NULL: omega for all */
  /* 1 + the colour whose cells alone have a residual after the sweeps, as kernels take it in their
   * scalar "only"; 0: all cells have. */
  int active_colour;
  double eigenvalue; /* bound of the spectrum of D⁻¹ A, for Chebyshev */
  /* Setup: D⁻¹ of this level; the coefficients of the next coarser one, α and β on faces along i,
   * j, k; and their way to the staging level. NULL: there is none. */
  struct gmg_call *invert, *coarsen[4 + GMG_OWN_FIELDS];
  struct gmg_exchange *to_staging_face[3];
  /* fills the ghosts of an operator's own fields on cells; NULL: there are none */
  struct gmg_exchange *mirror;
};

/* What the boundary values add to the right side, integrated over cells: a patch of cells along a
 * wall. */
struct gmg_source {
  int level, side, box, start[3], extent[3];
  double *value;
};

/* The coarsest level's matrix, factored; on its owner, elsewhere of no cells. */
struct gmg_direct {
  int cells, *pivot;
  double *matrix, *vector; /* columns; one column */
  size_t bytes;
  struct gmg_call *apply;
};

struct gmg_bottom_calls {
  int method;     /* enum gmg_bottom, settled */
  int no_inverse; /* of the direct method's matrix */
  struct gmg_direct direct;
  struct gmg_call *sweep, *residual, *copy, *apply_p, *apply_s, *precondition_p, *precondition_s;
  struct gmg_call *p_minus_v, *p_plus_r, *u_plus_p, *r_minus_v, *r_minus_t;
  struct gmg_call *shift_v, *shift_t; /* singular: v += c Σ p̂, t += c Σ p̂ */
  struct gmg_reducer rho, sigma, tt, ts, rr, mean;
};

/* BiCGStab on the finest level: r the residual, the shadow residual that of the start, p the
 * direction, v = A p̂ in q; u is the cycle's, for p̂ and ŝ, and f for what they come from and t = A
 * ŝ. */
struct gmg_bicgstab {
  struct gmg_call *residual, *shadow_from_r, *p_from_r, *f_from_p, *f_from_r, *apply_p, *apply_s;
  struct gmg_call *p_minus_v, *p_plus_r, *x_plus_u, *r_minus_v;
  struct gmg_reducer rho, rr, sigma, ts, tt;
  double product, alpha, omega; /* shadow·r of the last direction, and its steps */
  double shadow;                /* shadow·shadow */
  int steps;                    /* since the start */
};

/* A direction of conjugate gradients, p, and q = A p; GMG_DIRECTIONS of them at a time. */
enum { GMG_DIRECTIONS = 2 };
struct gmg_direction {
  struct gmg_call *p_from_z, *p_plus_z, *apply, *x_plus_p, *p_plus_p[GMG_DIRECTIONS];
  struct gmg_reducer zq, pq, pr;
  double energy; /* p·q */
};
/* Conjugate gradients on the finest level: x the iterate, b the right side, and directions; u and f
 * are the cycle's, for z and the residual. BiCGStab shares x and b. */
struct gmg_krylov {
  struct gmg_call *x_from_u, *u_from_x, *b_from_f, *f_from_b, *residual;
  struct gmg_reducer norm, terms; /* of x */
  struct gmg_direction direction[GMG_DIRECTIONS];
  struct gmg_bicgstab bicgstab;
  const char *breakdown; /* why no further step can be made; NULL: one can */
  int bound;             /* its calls are */
  int on;                /* in this solve, or the last one */
  int directions;        /* that there are, since the last start */
  int next;              /* where the next one is put: in the place of the oldest */
  int noted;             /* the last fallback says that `auto` turned it on */
};

/* Mixed precision (refine.h). */
struct gmg_refinement {
  struct gmg_call *narrow, *widen, *add; /* f to float; u from float, u += float */
  struct gmg_reducer residual;           /* r' with the norm of r */
  double unit, scale, residual_scale;
  int f_taken; /* the cycle's f is the finest level's, for a start by full multigrid */
};

/* A coefficient that the caller set: its own array, or a dense copy of this rank's part. */
struct gmg_given {
  int present; /* set since the last setup, or borrowed */
  int fresh;   /* set or borrowed since the last setup */
  int borrowed;
  gmg_array values;
  double *copy; /* NULL: borrowed, or taken in already */
  /* of a field of an operator's own: */
  char name[GMG_NAME_ROOM];
  gmg_centring centring;
  gmg_coarsening coarsening;
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

/* Calls for applications (service.h, flux.c), on the finest level. */
struct gmg_services {
  struct gmg_call *apply, *residual; /* from u, and f, to f */
  struct gmg_call *density;          /* u = f / volume */
  struct gmg_call *flux[3];          /* from u to f, on faces; NULL: the operator has none */
  struct gmg_storage *view[3];       /* of the caller's arrays of these faces, */
  struct gmg_exchange *store[3];     /* and the ways there */
};

/* Cycles in one precision: their levels, and what runs on them. */
struct gmg_cycles {
  enum gmg_precision precision;
  struct gmg_cycle_level *level; /* NULL: there are none */
  struct gmg_bottom_calls bottom;
  struct gmg_refinement refinement;
  struct gmg_ready_sources *sources; /* as in struct gmg_placement */
};

struct gmg_solver {
  gmg_context *context;
  int number; /* of the context's, in the order in which they were made */
  struct gmg_grid *grid;
  struct gmg_options options;
  struct gmg_memory memory;
  struct gmg_placement placement;
  double a, b;
  gmg_average average;
  struct gmg_given given[GMG_COEFFICIENTS + GMG_OWN_FIELDS]; /* by gmg_coefficient, then own fields */
  int has[GMG_COEFFICIENTS + GMG_OWN_FIELDS];                /* given, on all ranks */
  int givens;                                                /* GMG_COEFFICIENTS + own fields */
  int ready;                 /* set up */
  int equation_waits;        /* next_a and next_b are for the next setup */
  double next_a, next_b;

  const struct gmg_operator_descriptor *op;
  enum gmg_rows rows; /* how all levels store them */
  int uniform_alpha;
  double alpha;
  int singular;
  double volume;       /* of the whole grid */
  double mean_beta[3]; /* along x, y, z, over the faces between cells; 1 where β is constant */
  struct gmg_measured measured;
  double jump; /* the largest ratio of β on opposite faces of a cell; 1 where β is constant */

  int levels;
  int (*cells)[3];
  struct gmg_axis (*axis)[3];
  struct gmg_pairing (*pairing)[3];
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
  double omega;
  enum gmg_cycle_kind cycle; /* that is repeated */
  int full;                  /* a solve without a guess starts by full multigrid */
  int interpolation;         /* enum gmg_interpolation, settled */
  struct gmg_bottom_calls bottom;
  struct gmg_krylov krylov;
  struct gmg_services services;
  struct gmg_source *source;
  int sources;
  double *wall_value[6]; /* of a side on a coarser level's faces, while FMG is set up */
  /* β of the finest level's walls, by box and side; entries or all NULL: β is 1, or no wall is
   * there */
  double **wall_beta;

  void *stream;              /* of the caller's device; NULL: none */
  struct gmg_layout *bricks; /* the ranks' parts */
  struct gmg_storage *view[2];
  /* caller's arrays to the finest level and back; NULL while others carry them (carry.h) */
  struct gmg_exchange *load, *store;

  struct gmg_call *take_density; /* f = volume x u */
  struct gmg_call *clear_f, *clear_u, *project, *shift_u;
  struct gmg_reducer norm, norm_of_f, sum_f, mean_u, terms;
  gmg_recorder recorder; /* its functions are NULL: nothing records */
  atomic_int stop;       /* gmg_solver_stop was called on this rank */
  gmg_monitor *monitor;
  void *monitor_user;
  double *residual_history, *seconds_history;
  int history; /* cycles that both have room for */
  char reason[1000], option_text[80];
  double setup_seconds;
  char fallback[GMG_FALLBACKS][520];
  char ignored[160]; /* the sentence about an option that was withdrawn; "": none was set */
  int fallbacks;
};

static inline struct gmg_level *gmg_coarsest(const struct gmg_solver *solver)
{
  return solver->level[solver->levels - 1].level;
}

/* What of the coefficients is taken in: that of a α, that of b β, an operator's own fields. */
enum { GMG_TAKE_ALPHA = 1, GMG_TAKE_BETA = 2, GMG_TAKE_OWN = 4, GMG_TAKE_ALL = 7 };
/* Takes these in on the levels that there are, with a and b as they are; all levels anew where that
 * cannot be. Calls: collective. Errors: positive ones leave the levels as they are. */
gmg_status gmg_setup_again(gmg_solver *solver, int take);

#endif
