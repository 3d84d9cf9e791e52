/* From an operator w = A u, all that multigrid needs of it. */
#ifndef GEN_DERIVE_H
#define GEN_DERIVE_H

#include "linear.h"
#include "ir/tree.h"

enum { GEN_MAX_DERIVED = 32 };

enum gen_role {
  GEN_ROLE_AS_WRITTEN,
  GEN_ROLE_APPLY,
  GEN_ROLE_RESIDUAL,
  GEN_ROLE_INVERSE_DIAGONAL,
  GEN_ROLE_JACOBI,
  GEN_ROLE_GAUSS_SEIDEL,
  GEN_ROLE_GAUSS_SEIDEL_SUMS, /* the same from sums, not differences */
  GEN_ROLE_ZERO_FIRST,        /* what a sweep makes of u = 0 in the cells of the first colour, */
  GEN_ROLE_ZERO_SECOND,       /* and in those of the second */
  GEN_ROLE_CHEBYSHEV,
  GEN_ROLE_RESIDUAL_RESTRICT,
  GEN_ROLE_RESIDUAL_NORM,
  GEN_ROLE_RESIDUAL_SINGLE,
  GEN_ROLE_RESTRICT_NORM,
  GEN_ROLE_RESIDUAL_PART,
  GEN_ROLE_NORM_PART,
  GEN_ROLE_TERMS_NORM
};

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
bool gen_understand(struct gen_session *session, const struct gen_kernel *source,
                    struct gen_operator *result);
/* All derived kernels, after gen_understand and with colours and colouring set. restriction: the
 * as-written kernel that restricts cells, or NULL: then no fused residual and restriction. */
bool gen_derive(struct gen_session *session, struct gen_operator *op,
                const struct gen_kernel *restriction);
/* Residual inside the restriction: `restriction` with every fine value replaced by f - A u there
 * (gen/derive/fuse.c). norm: NULL, or the kernel of the residual's norm, whose sum and maximum are
 * then found beside. */
struct gen_kernel *gen_fuse_restriction(struct gen_session *session,
                                        const struct gen_kernel *residual,
                                        const struct gen_kernel *restriction,
                                        const struct gen_kernel *norm, const char *name);

/* For the stages of derivation: adds what is missing and returns its index. */
int gen_need_array(struct gen_kernel *kernel, const char *name, enum gen_place place);
int gen_need_line(struct gen_kernel *kernel, const char *name, enum gen_axis axis);
int gen_need_scalar(struct gen_kernel *kernel, const char *name, enum gen_scalar_role role);
struct gen_kernel *gen_clone(struct gen_session *session, const struct gen_kernel *kernel,
                             const char *name);
/* The operator's A u, which the kernel stores, without the unknown's value at the point itself
 * (gen/derive/off_diagonal.c); in what private scalars of the kernel hold it is left out, too. */
const struct gen_expr *gen_off_diagonal(struct gen_session *session, struct gen_kernel *kernel,
                                        int unknown);
/* Sweeps over the cells of one colour, from any u. */
bool gen_is_gauss_seidel(enum gen_role role);
/* The same from u = 0. */
bool gen_is_from_zero(enum gen_role role);
/* Whether kernels of the role are emitted in a precision; not all are in both. */
bool gen_is_emitted(enum gen_role role, enum gen_type precision);
/* array[box][k][j][i] at the loop's own point */
struct gen_access gen_here(const struct gen_kernel *kernel, int array);
/* line[i], [j] or [k] at the loop's own point */
struct gen_access gen_here_line(const struct gen_kernel *kernel, int line);

#endif
