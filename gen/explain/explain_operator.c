#include "explain_operator.h"

#include <math.h>
#include <string.h>

#include "derive/relaxation.h"
#include "explain.h"

/* The diagonal in full where it can be read at a glance. */
static const char *diagonal_text(const struct gen_operator *op)
{
  enum { GLANCE = 400 };
  const char *text = gen_expr_text(op->with_lines, op->diagonal);
  if (strlen(text) <= GLANCE)
    return text;
  return gen_text("the centre's weight plus those of %d neighbours times the factors of their "
                  "ghosts, fold_lo_* and fold_hi_* (--dump derived prints it)",
                  op->linear.terms - 1);
}

static const char *only_in(enum gen_role role)
{
  if (!gen_is_emitted(role, GEN_DOUBLE))
    return ", in float only";
  return gen_is_emitted(role, GEN_FLOAT) ? "" : ", in double only";
}

static const char *kernels_text(const struct gen_operator *op)
{
  const char *text = "";
  for (int n = 0; n < op->count; n++) {
    const struct gen_kernel *kernel = op->derived[n].kernel;
    const double reals = gen_bytes(kernel, 1), flops = gen_flops(kernel);
    text =
      gen_text("%s    %-34s %-14s %4g flops  %5.1f / %5.1f bytes  %.2f / %.2f flops per byte%s\n",
               text, kernel->name, op->derived[n].variant, flops, 8 * reals, 4 * reals,
               flops / (8 * reals), flops / (4 * reals), only_in(op->derived[n].role));
  }
  return text;
}

static const char *gauss_seidel_text(const struct gen_smoothing *smoothing)
{
  if (isnan(smoothing->plain))
    return "";
  return gen_text("    Gauss-Seidel: factor %.3f with omega 1, %.3f with %.2f, the best\n",
                  smoothing->plain, smoothing->best, smoothing->best_omega);
}

static const char *factors_text(const double factor[GEN_HALF_SWEEPS])
{
  return gen_text("%.2f %.2f %.2f %.2f", factor[0], factor[1], factor[2], factor[3]);
}

static const char *axes_text(int axes)
{
  const char *text = "";
  for (int a = 0; a < 3; a++)
    if (axes >> a & 1)
      text = gen_listed(text, gen_axis_names[a]);
  return text;
}

/* V(2,2) on two grids. */
static const char *cycles_text(const struct gen_operator *op, const struct gen_stencil *stencil,
                               const struct gen_smoothing *smoothing, const double spacing[3])
{
  static const int steps[3] = {6, 6, 6};
  const struct gen_cycle plain = gen_usual_cycle(GEN_GAUSS_SEIDEL, 1);
  struct gen_cycle chebyshev = gen_usual_cycle(GEN_CHEBYSHEV, 0);
  struct gen_factors factors;
  chebyshev.bound = op->folded ? 2 : 1.1 * smoothing->overall;
  const double factor = gen_two_grid_factor(op, spacing, &plain, steps);
  if (isnan(factor))
    return "";
  const char *text = gen_text("  two grids, V(2,2), cells merged along %s: contraction\n"
                              "    Gauss-Seidel: %.3f with omega 1\n",
                              axes_text(gen_merged_axes(stencil, spacing)), factor);
  if (gen_find_factors(op, gen_shape_of(spacing), &factors)) {
    const struct gen_cycle chosen = gen_cycle_with(op, &factors),
                           jacobi = gen_usual_cycle(GEN_JACOBI, factors.jacobi);
    text = gen_text("%s    Gauss-Seidel: %.3f with the factors chosen for such cells: after the "
                    "correction %s, before it %s\n"
                    "    Jacobi: %.3f with the factor chosen, %.2f\n",
                    text, gen_two_grid_factor(op, spacing, &chosen, steps),
                    factors_text(factors.factor[0]), factors_text(factors.factor[1]),
                    gen_two_grid_factor(op, spacing, &jacobi, steps), factors.jacobi);
  }
  return gen_text("%s    Chebyshev: %.3f with 4 steps a sweep\n", text,
                  gen_two_grid_factor(op, spacing, &chebyshev, steps));
}

/* Coefficients count alike here, and not at all, as alpha, or as 1. */
static const char *analysis_text(const struct gen_operator *op, const double spacing[3])
{
  struct gen_stencil stencil;
  if (!gen_unit_stencil(op, spacing, &stencil))
    return "";
  const struct gen_smoothing smoothing = gen_smoothing_of(&stencil, &op->colouring);
  return gen_text("  local Fourier analysis (cells of %g:%g:%g, alpha 0, other coefficients 1)\n"
                  "  smoothing, before a grid twice as coarse along all axes:\n"
                  "    symbol / diagonal: at most %.3f; at high frequencies %.3f to %.3f\n"
                  "    Jacobi: factor %.3f with omega %.3f, the best\n%s%s",
                  spacing[0], spacing[1], spacing[2], smoothing.overall, smoothing.least,
                  smoothing.most, smoothing.jacobi, smoothing.jacobi_omega,
                  gauss_seidel_text(&smoothing), cycles_text(op, &stencil, &smoothing, spacing));
}

const char *gen_explain_operator(const struct gen_operator *op, const struct gen_proof *colouring,
                                 const double spacing[3])
{
  const char *text = gen_text(
    "  as an operator: linear in u, %d points\n"
    "  ghosts of u: depth %d, %s exchanged\n"
    "  boundaries: %s\n"
    "  diagonal: %s\n"
    "  Gauss-Seidel: %d colours\n",
    op->linear.terms, op->reach, op->star ? "faces only are" : "edges and corners are",
    op->folded
      ? "conductance form: every neighbour enters as conductance of the face x difference, so the "
        "formula ghost = c u is the factor (1 - c) on the conductance, and ghosts stay zero"
      : "ghosts are filled by the formula ghost = c u before each kernel; the diagonal takes the "
        "neighbours' weights times c",
    diagonal_text(op), op->colours);
  for (int n = 0; n < colouring->sentences; n++)
    text = gen_text("%s    %s\n", text, colouring->sentence[n]);
  text = gen_text("%s%s", text, analysis_text(op, spacing));
  return gen_text("%s  derived (per cell of the level they run on, in double / float):\n%s", text,
                  kernels_text(op));
}
