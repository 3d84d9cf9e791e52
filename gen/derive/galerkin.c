#include "galerkin.h"

#include <math.h>

static const double rounding = 1e-13; /* of the largest factor: what cancels is no larger */

/* How much of coarse cell `coarse` is in the fine cell that is `fine` from the first one in coarse
 * cell 0. */
static double interpolated(const struct gen_galerkin *product, int axis, int fine, int coarse)
{
  const int odd = fine & 1, parent = (fine - odd) / 2, beside = parent + (odd ? 1 : -1);
  if (!(product->merged >> axis & 1))
    return fine == coarse;
  if (product->constant)
    return coarse == parent;
  return coarse == parent ? 0.75 : coarse == beside ? 0.25 : 0;
}

static void find_merged(struct gen_galerkin *product)
{
  const struct gen_linear *linear = &product->op->linear;
  for (int t = 0; t < linear->terms; t++)
    for (int a = 0; a < 3; a++)
      product->merged |= (linear->term[t].offset[a] != 0) << a;
}

/* ---- an operator's weight in a fine cell ---- */

/* The expression in the fine cell that is `child` from the first one. */
static const struct gen_expr *moved(const struct gen_kernel *kernel, const struct gen_expr *expr,
                                    const int child[3])
{
  struct gen_expr *copy = gen_copy(expr);
  for (int n = 0; n < gen_arity(expr); n++)
    copy->argument[n] = moved(kernel, expr->argument[n], child);
  for (int a = 0; a < 3 && expr->kind == GEN_ACCESS; a++)
    if (kernel->array[expr->access.array].rank == 4
        || a == (int)kernel->array[expr->access.array].axis)
      copy->access.subscript[a].affine.constant += child[a];
  return copy;
}

static enum gen_size form(struct gen_galerkin *product, const struct gen_expr *expr,
                          const int child[3], struct gen_polynomial **result)
{
  struct gen_polynomial *part[2] = {NULL, NULL};
  const bool sum = expr->kind == GEN_ADD || expr->kind == GEN_SUBTRACT;
  *result = expr->kind == GEN_NUMBER ? gen_polynomial_number(expr->number) : gen_polynomial_new();
  if (expr->kind == GEN_NUMBER)
    return GEN_FITS;
  if (!sum && expr->kind != GEN_NEGATE && expr->kind != GEN_MULTIPLY) {
    *result =
      gen_polynomial_atom(gen_atom_of(&product->atoms, moved(product->op->source, expr, child)));
    return GEN_FITS;
  }
  enum gen_size size = GEN_FITS;
  for (int n = 0; n < gen_arity(expr) && size == GEN_FITS; n++)
    size = form(product, expr->argument[n], child, &part[n]);
  if (size == GEN_FITS && expr->kind == GEN_MULTIPLY)
    return gen_polynomial_multiply(*result, part[0], part[1]);
  if (size == GEN_FITS)
    size = gen_polynomial_add(*result, expr->kind == GEN_NEGATE ? -1 : 1, part[0]);
  if (size == GEN_FITS && sum)
    size = gen_polynomial_add(*result, expr->kind == GEN_SUBTRACT ? -1 : 1, part[1]);
  return size;
}

/* ---- the product ---- */

/* sum += factor * the operator's weight for a neighbour, in the child. */
static enum gen_size add_term(struct gen_galerkin *product, double factor,
                              const struct gen_term *term, const int child[3],
                              struct gen_polynomial *sum)
{
  enum gen_size size = GEN_FITS;
  for (int n = 0; n < term->weight.parts && size == GEN_FITS; n++) {
    struct gen_polynomial *part;
    size = form(product, term->weight.part[n].value, child, &part);
    if (size == GEN_FITS)
      size = gen_polynomial_add(sum, factor * term->weight.part[n].sign, part);
  }
  return size;
}

static struct gen_polynomial *without_rounding(const struct gen_polynomial *of)
{
  struct gen_polynomial *result = gen_polynomial_new();
  double most = 0;
  int index;
  for (int n = 0; n < of->products; n++)
    most = fmax(most, fabs(of->product[n].factor));
  for (int n = 0; n < of->products; n++)
    if (fabs(of->product[n].factor) > rounding * most)
      gen_polynomial_put(result, &of->product[n], &index);
  return result;
}

/* What weighs the coarse value at an offset: of each child each neighbour, as much of it as
 * interpolation takes from there. */
static enum gen_size make_weight(struct gen_galerkin *product, struct gen_galerkin_entry *entry)
{
  const struct gen_linear *linear = &product->op->linear;
  struct gen_polynomial *sum = gen_polynomial_new();
  enum gen_size size = GEN_FITS;
  for (int which = 0; which < 8 && size == GEN_FITS; which++) {
    const int child[3] = {which & 1, which >> 1 & 1, which >> 2};
    for (int t = 0; t < linear->terms && !(which & ~product->merged) && size == GEN_FITS; t++) {
      double factor = 1;
      for (int a = 0; a < 3; a++)
        factor *= interpolated(product, a, child[a] + linear->term[t].offset[a], entry->offset[a]);
      if (factor != 0)
        size = add_term(product, factor, &linear->term[t], child, sum);
    }
  }
  entry->weight = without_rounding(sum);
  return size;
}

bool gen_galerkin(const struct gen_operator *op, bool constant, struct gen_galerkin *product)
{
  *product = (struct gen_galerkin){.op = op, .constant = constant};
  find_merged(product);
  const int reach = op->reach / 2 + 1, side = 2 * reach + 1;
  for (int n = 0; n < side * side * side; n++) {
    struct gen_galerkin_entry entry = {
      .offset = {n % side - reach, n / side % side - reach, n / side / side - reach}};
    if (make_weight(product, &entry) != GEN_FITS)
      return gen_reject(op->source->where,
                        "the Galerkin product of '%s' has a weight of more than %d products",
                        op->source->name, GEN_MOST_PRODUCTS);
    if (!entry.weight->products)
      continue;
    if (product->entries == GEN_MOST_GALERKIN)
      return gen_reject(op->source->where,
                        "the Galerkin product of '%s' has more than %d weights in a cell",
                        op->source->name, GEN_MOST_GALERKIN);
    product->entry[product->entries++] = entry;
  }
  return true;
}
