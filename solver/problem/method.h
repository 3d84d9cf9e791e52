/* What the Krylov methods around the cycles run, and where they stand. */
#ifndef GMG_METHOD_H
#define GMG_METHOD_H

#include "runtime/reduce.h"

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
  struct gmg_call *p_from_z, *p_from_z_p, *apply, *x_plus_p, *p_plus_p[GMG_DIRECTIONS],
    *p_plus_z_p[GMG_DIRECTIONS];
  struct gmg_reducer zq, pq, pr;
  double energy; /* p·q */
};
/* Conjugate gradients, with z and the residual in the cycle's u and f. In double these are the
 * finest level's, and x, the iterate, and b, the right side, have fields of their own, which
 * BiCGStab shares. While cycles are in single precision x and b stay in the finest level's u and f,
 * and directions are in single precision too. */
struct gmg_krylov {
  struct gmg_call *x_from_u, *u_from_x, *b_from_f, *f_from_b, *residual;
  struct gmg_reducer norm, terms; /* of the residual of x, and of the terms of A x */
  struct gmg_direction in_double[GMG_DIRECTIONS], in_single[GMG_DIRECTIONS];
  struct gmg_direction *direction; /* one of the two */
  struct gmg_bicgstab bicgstab;
  const char *breakdown; /* why no further step can be made; NULL: one can */
  int bound;             /* its calls are */
  int on;                /* in this solve, or the last one */
  int directions, most;  /* that there are, since the last start; that are kept */
  int next;              /* where the next one is put: in the place of the oldest */
  int at_residual;       /* the cycle's f holds the residual of x */
  double size;           /* of the residual before the last step */
  int noted;             /* of the last fallbacks: what `auto` did in this solve */
};

#endif
