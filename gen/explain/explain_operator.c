#include "explain_operator.h"

#include <string.h>

#include "derive/symbol.h"
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

/* A cell's neighbours count alike here: cubes, alpha 0, all other coefficients 1. */
static const char *smoothing_text(const struct gen_operator *op)
{
  struct gen_stencil stencil;
  if (!gen_unit_stencil(op, (const double[3]){1, 1, 1}, &stencil))
    return "";
  const struct gen_smoothing smoothing = gen_smoothing_of(&stencil, &op->colouring);
  return gen_text(
    "  smoothing by local Fourier analysis (cubic cells, alpha 0, other coefficients 1):\n"
    "    symbol / diagonal: at most %.3f; at high frequencies %.3f to %.3f\n"
    "    Jacobi: factor %.3f with omega %.3f, the best\n"
    "    Gauss-Seidel: factor %.3f with omega 1, %.3f with %.2f, the best\n",
    smoothing.overall, smoothing.least, smoothing.most, smoothing.jacobi, smoothing.jacobi_omega,
    smoothing.plain, smoothing.best, smoothing.best_omega);
}

const char *gen_explain_operator(const struct gen_operator *op, const struct gen_proof *colouring)
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
  text = gen_text("%s%s", text, smoothing_text(op));
  return gen_text("%s  derived (per cell of the level they run on, in double / float):\n%s", text,
                  kernels_text(op));
}
