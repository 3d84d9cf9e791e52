/* From an operator w = A u, all that multigrid needs of it. */
#ifndef GEN_DERIVE_H
#define GEN_DERIVE_H

#include "linear.h"
#include "ir/tree.h"

enum { GEN_MAX_DERIVED = 32 };

/* Roles of kernels, their names in solver/kernel.h, and what those that are derived compute. */
#define GEN_ROLES(ROLE) \
  ROLE(GEN_ROLE_AS_WRITTEN, GMG_AS_WRITTEN, "") \
  ROLE(GEN_ROLE_APPLY, GMG_APPLY, "w = A u") \
  ROLE(GEN_ROLE_RESIDUAL, GMG_RESIDUAL, "r = f - A u") \
  ROLE(GEN_ROLE_INVERSE_DIAGONAL, GMG_INVERSE_DIAGONAL, \
       "dinv = 1 / the diagonal of A, boundary formulas folded in") \
  ROLE(GEN_ROLE_JACOBI, GMG_JACOBI, "One weighted Jacobi iteration: w = u + omega dinv (f - A u)") \
  ROLE(GEN_ROLE_GAUSS_SEIDEL, GMG_GAUSS_SEIDEL, \
       "One Gauss-Seidel sweep over the cells of one colour, in place: u += omega (f " \
       "- A u) / diagonal") \
  ROLE(GEN_ROLE_GAUSS_SEIDEL_SUMS, GMG_GAUSS_SEIDEL_SUMS, \
       "The same from sums, for sweeps that others follow: u = (1 - omega) u + " \
       "omega (f - N u) / diagonal, A u = diagonal u + N u") \
  ROLE(GEN_ROLE_GAUSS_SEIDEL_ROWS, GMG_GAUSS_SEIDEL_ROWS, \
       "The same over the cells of one colour and then over those of the other one in their rows") \
  ROLE(GEN_ROLE_ZERO_FIRST, GMG_ZERO_FIRST, \
       "The first sweep's first colour where u is 0, whatever is stored: u = omega f / " \
       "diagonal") \
  ROLE(GEN_ROLE_ZERO_SECOND, GMG_ZERO_SECOND, \
       "Its second colour then: u = omega (f - N u) / diagonal, A u = diagonal u + N u") \
  ROLE(GEN_ROLE_CHEBYSHEV, GMG_CHEBYSHEV, \
       "One Chebyshev step: w = u + c1 (u - w) + c2 dinv (f - A u), w holding the iterate " \
       "before u") \
  ROLE(GEN_ROLE_RESIDUAL_RESTRICT, GMG_RESIDUAL_RESTRICT, \
       "coarse = restriction of f - A u; the residual is never stored") \
  ROLE(GEN_ROLE_RESIDUAL_NORM, GMG_RESIDUAL_NORM, \
       "Sum of squares and maximum of (f - A u) / volume") \
  ROLE(GEN_ROLE_RESIDUAL_SINGLE, GMG_RESIDUAL_SINGLE, \
       "single = s (f - A u), with the sum of squares and the maximum of (f - A u) " \
       "/ volume") \
  ROLE(GEN_ROLE_RESTRICT_NORM, GMG_RESTRICT_NORM, \
       "coarse = restriction of f - A u, by weights of 0 and 1 along j and k, with " \
       "the sum of squares and the\nmaximum of (f - A u) / volume; the residual is " \
       "never stored") \
  ROLE(GEN_ROLE_RESIDUAL_PART, GMG_RESIDUAL_PART, \
       "r = f - A u in the cells of one colour, 0 in the others") \
  ROLE(GEN_ROLE_NORM_PART, GMG_NORM_PART, \
       "Sum of squares and maximum of (f - A u) / volume in the cells of one colour") \
  ROLE(GEN_ROLE_TERMS_NORM, GMG_TERMS_NORM, \
       "Sum of squares and maximum of the sum of the sizes of the terms of A u, over " \
       "the volume")
#define GEN_ROLE(role, name, comment) role,
enum gen_role { GEN_ROLES(GEN_ROLE) };

struct gen_derived {
  enum gen_role role;
  const char *variant;       /* "" or "uniform_alpha" */
  struct gen_kernel *kernel; /* in canonical form, accesses marked */
};

struct gen_operator {
  const struct gen_kernel *source;
  struct gen_linear linear;
  bool folded; /* conductance form: the boundary lives in the coefficients */
  bool star;   /* no edge or corner neighbours */
  int reach;   /* largest offset in any direction */
  int colours;
  struct gen_guard colouring;
  const struct gen_expr *diagonal; /* boundary formulas in it, over the arrays of `with_lines` */
  /* the source, with the lines of the ghost formulas declared where they are needed */
  struct gen_kernel *with_lines;
  int count;
  struct gen_derived derived[GEN_MAX_DERIVED];
};

/* Linear form, boundary form, diagonal. Rejects what is not linear in u, lacks `u` or `w`, asks for
 * what the solver does not have (gen/derive/supplied.c), or reaches further than the boundary
 * formulas cover. */
bool gen_understand(const struct gen_kernel *source, struct gen_operator *result);
/* All derived kernels, after gen_understand and with colours and colouring set. restriction: the
 * as-written kernel that restricts cells, or NULL: then no fused residual and restriction. */
bool gen_derive(struct gen_operator *op, const struct gen_kernel *restriction);
/* Residual inside the restriction: `restriction` with every fine value replaced by f - A u there
 * (gen/derive/fuse.c). norm: NULL, or the kernel of the residual's norm, whose sum and maximum are
 * then found beside. */
struct gen_kernel *gen_fuse_restriction(const struct gen_kernel *residual,
                                        const struct gen_kernel *restriction,
                                        const struct gen_kernel *norm, const char *name);

/* For the stages of derivation: adds what is missing and returns its index. */
int gen_need_array(struct gen_kernel *kernel, const char *name);
int gen_need_line(struct gen_kernel *kernel, const char *name, enum gen_axis axis);
int gen_need_scalar(struct gen_kernel *kernel, const char *name, enum gen_scalar_role role);
struct gen_kernel *gen_clone(const struct gen_kernel *kernel, const char *name);
/* The operator's A u, which the kernel stores, without the unknown's value at the point itself
 * (gen/derive/off_diagonal.c); in what private scalars of the kernel hold it is left out, too. */
const struct gen_expr *gen_off_diagonal(struct gen_kernel *kernel, int unknown);
/* "GMG_APPLY", and what such a kernel computes. */
const char *gen_role_name(enum gen_role role);
const char *gen_role_comment(enum gen_role role);
/* Sweeps over the cells of one colour, from any u. */
bool gen_is_gauss_seidel(enum gen_role role);
/* The same from u = 0. */
bool gen_is_from_zero(enum gen_role role);
/* Whether kernels of the role are emitted in a precision; not all are in both. */
bool gen_is_emitted(enum gen_role role, enum gen_type precision);
/* array[box][k][j][i], or of a line [i], [j] or [k], at the loop's own point */
struct gen_access gen_here(const struct gen_kernel *kernel, int array);

#endif
