/* What an operator is: its linear form, how it meets a boundary, its diagonal. */
#include "ir/canonical.h"
#include "derive.h"
#include "supplied.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A reproducible number in (1, 2) for every value that an expression can contain. faces: the draw
 * for face arrays. */
static double draw(const struct gen_kernel *kernel, const struct gen_expr *expr, unsigned faces)
{
  unsigned hash = 2166136261u;
  if (expr->kind == GEN_SCALAR) {
    hash = (hash ^ (unsigned)expr->scalar) * 16777619u + 77u;
  } else {
    const struct gen_array *array = &kernel->array[expr->access.array];
    hash = (hash ^ (unsigned)expr->access.array) * 16777619u;
    for (int a = 0; a < GEN_AXES; a++)
      hash = (hash ^ (unsigned)(expr->access.subscript[a].affine.constant + 9)) * 16777619u;
    if (array->place != GEN_CELL || gen_is_link(array))
      hash = (hash ^ faces) * 16777619u;
  }
  hash ^= hash >> 15;
  hash *= 2246822519u;
  hash ^= hash >> 13;
  return 1 + (double)(hash & 0xffffff) / 0x1000000;
}

static double evaluate(const struct gen_kernel *kernel, const struct gen_expr *expr, unsigned faces)
{
  double v[3] = {0, 0, 0};
  for (int n = 0; n < gen_arity(expr); n++)
    v[n] = evaluate(kernel, expr->argument[n], faces);
  if (expr->kind == GEN_SCALAR || expr->kind == GEN_ACCESS)
    return draw(kernel, expr, faces);
  return expr->kind == GEN_NUMBER ? expr->number : gen_compute(expr->kind, v);
}

/* Is the expression a product with exactly one factor from a face array of that axis, at that
 * offset? */
static int face_factors(const struct gen_kernel *kernel, const struct gen_expr *expr,
                        enum gen_axis axis, int offset, bool *other)
{
  if (expr->kind == GEN_ACCESS) {
    const struct gen_array *array = &kernel->array[expr->access.array];
    if (array->place == GEN_CELL)
      return 0;
    const int at = gen_offset(kernel, &expr->access, axis);
    if (array->place != (enum gen_place)(GEN_FACE_I + axis) || at != offset)
      *other = true;
    return 1;
  }
  if (expr->kind == GEN_MULTIPLY || expr->kind == GEN_NEGATE) {
    int count = 0;
    for (int n = 0; n < gen_arity(expr); n++)
      count += face_factors(kernel, expr->argument[n], axis, offset, other);
    return count;
  }
  for (int n = 0; n < gen_arity(expr); n++)
    if (face_factors(kernel, expr->argument[n], axis, offset, other) > 0)
      *other = true;
  return 0;
}

/* Whether an expression is a product with exactly one link. */
static bool is_linked(const struct gen_kernel *kernel, const struct gen_expr *expr)
{
  if (expr->kind == GEN_NEGATE)
    return is_linked(kernel, expr->argument[0]);
  if (expr->kind == GEN_MULTIPLY)
    return is_linked(kernel, expr->argument[0]) != is_linked(kernel, expr->argument[1]);
  return expr->kind == GEN_ACCESS && gen_is_link(&kernel->array[expr->access.array]);
}

static bool is_linked_term(const struct gen_kernel *kernel, const struct gen_term *term)
{
  for (int p = 0; p < term->weight.parts; p++)
    if (!is_linked(kernel, term->weight.part[p].value))
      return false;
  return true;
}

/* Every neighbour enters as  conductance of the face between x (u_neighbour - u_centre): then the
 * factor (1 - c) on the conductance is the whole boundary formula; or as  link x (u_neighbour -
 * u_centre), where links across walls are 0. Proved by structure (one factor per neighbour) and by
 * value: the sum of all weights does not change with the face arrays and the links. */
static bool is_folded(const struct gen_kernel *kernel, const struct gen_linear *linear)
{
  double sum[2] = {0, 0}, size = 0;
  for (int n = 0; n < linear->terms; n++) {
    const struct gen_term *term = &linear->term[n];
    const struct gen_expr *weight = gen_weight_expr(&term->weight);
    for (int draws = 0; draws < 2; draws++)
      sum[draws] += evaluate(kernel, weight, (unsigned)draws);
    size += fabs(evaluate(kernel, weight, 0));
    const int length = abs(term->offset[0]) + abs(term->offset[1]) + abs(term->offset[2]);
    if (length == 0 || is_linked_term(kernel, term))
      continue;
    if (length > 1)
      return false;
    const enum gen_axis axis = term->offset[0] ? GEN_I : term->offset[1] ? GEN_J : GEN_K;
    for (int p = 0; p < term->weight.parts; p++) {
      bool other = false;
      const int face = term->offset[axis] > 0 ? 1 : 0;
      if (face_factors(kernel, term->weight.part[p].value, axis, face, &other) != 1 || other)
        return false;
    }
  }
  return fabs(sum[0] - sum[1]) <= 1e-12 * size;
}

/* The centre's weight, and where ghosts follow a formula, the weight of every neighbour times the
 * formula's factor: fold_lo_a is 0 but at the first cell along axis a, where it is c of ghost = c
 * u; fold_hi_a likewise at the last. */
static const struct gen_expr *diagonal(struct gen_operator *op)
{
  static const char *const lines[3][2] = {
    {"fold_lo_i", "fold_hi_i"}, {"fold_lo_j", "fold_hi_j"}, {"fold_lo_k", "fold_hi_k"}};
  const struct gen_term *centre = gen_linear_centre(&op->linear);
  const struct gen_weight none = {0};
  const struct gen_expr *sum = gen_weight_expr(centre ? &centre->weight : &none);
  if (op->folded)
    return sum;
  for (int n = 0; n < op->linear.terms; n++) {
    const struct gen_term *term = &op->linear.term[n];
    const struct gen_expr *factor = NULL;
    for (int a = 0; a < 3; a++) {
      if (!term->offset[a])
        continue;
      const int line = gen_need_line(op->with_lines, lines[a][term->offset[a] > 0], a);
      const struct gen_expr *value = gen_access_ref(gen_here(op->with_lines, line));
      factor = factor ? gen_binary(GEN_MULTIPLY, factor, value) : value;
    }
    if (factor)
      sum =
        gen_binary(GEN_ADD, sum, gen_binary(GEN_MULTIPLY, factor, gen_weight_expr(&term->weight)));
  }
  return sum;
}

/* Boundary values of operators with coefficients of their own are found by applying them: the
 * solver does not know which coefficient a wall has. */
static bool has_own_fields(const struct gen_kernel *source)
{
  for (int n = 0; n < source->arrays; n++)
    if (gen_is_own_field(&source->array[n]))
      return true;
  return false;
}

bool gen_understand(const struct gen_kernel *source, struct gen_operator *result)
{
  memset(result, 0, sizeof *result);
  result->source = source;
  const int u = gen_find_array(source, "u"), w = gen_find_array(source, "w");
  if (u < 0 || w < 0)
    return gen_reject(source->where,
                      "operator '%s' has no array '%s': an operator computes w = A u", source->name,
                      u < 0 ? "u" : "w");
  if (!gen_check_supplied(source) || !gen_linear_form(source, u, &result->linear))
    return false;
  result->star = true;
  for (int n = 0; n < result->linear.terms; n++) {
    int axes = 0;
    for (int a = 0; a < 3; a++) {
      const int size = abs(result->linear.term[n].offset[a]);
      axes += size > 0;
      result->reach = size > result->reach ? size : result->reach;
    }
    result->star = result->star && axes <= 1;
  }
  if (!gen_linear_centre(&result->linear))
    return gen_reject(source->where,
                      "operator '%s' has no diagonal: 'u' at the point itself does not enter",
                      source->name);
  if (result->reach > 1)
    return gen_reject(source->where,
                      "operator '%s' reaches %d cells; the boundary formulas of this version cover "
                      "one layer of ghosts",
                      source->name, result->reach);
  result->folded = is_folded(source, &result->linear) && !has_own_fields(source);
  result->with_lines = gen_clone(source, source->name);
  result->diagonal = gen_canonical_expr(diagonal(result));
  return true;
}
