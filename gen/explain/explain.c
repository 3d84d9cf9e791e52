#include "explain.h"

#include "check/conflict.h"
#include "check/colouring.h"

#include <string.h>

/* ---- counts ---- */

struct flops {
  int adds, multiplies, divides, others;
  const struct gen_kernel *kernel;
  bool scalar[GEN_MAX_SCALARS]; /* which scalars depend on fields */
};

/* Does the value depend on a field? What depends on lines alone is the same in all rows or planes,
 * and need not be computed in each. */
static bool is_of_field(const struct flops *flops, const struct gen_expr *expr)
{
  if (expr->kind == GEN_ACCESS)
    return flops->kernel->array[expr->access.array].rank == 4;
  if (expr->kind == GEN_SCALAR)
    return flops->scalar[expr->scalar];
  for (int a = 0; a < gen_arity(expr); a++)
    if (is_of_field(flops, expr->argument[a]))
      return true;
  return false;
}

/* Counts what depends on fields. */
static void count(const struct gen_expr *expr, struct flops *flops)
{
  if (!is_of_field(flops, expr))
    return;
  for (int a = 0; a < gen_arity(expr); a++)
    count(expr->argument[a], flops);
  flops->adds += expr->kind == GEN_ADD || expr->kind == GEN_SUBTRACT || expr->kind == GEN_FMA;
  flops->multiplies += expr->kind == GEN_MULTIPLY || expr->kind == GEN_FMA;
  flops->divides += expr->kind == GEN_DIVIDE;
  flops->others += expr->kind == GEN_MAXIMUM || expr->kind == GEN_MINIMUM || expr->kind == GEN_SQRT
    || (expr->kind >= GEN_LESS && expr->kind < GEN_CHOOSE);
}

/* A norm's value is (f - A u) (weight (1 / volume)), whose residual is there already; it stands for
 * two cells along i. */
static void count_norm(const struct gen_expr *value, struct flops *flops)
{
  const struct gen_expr *factor = value->argument[1];
  const bool weighted = factor->kind != GEN_DIVIDE;
  const struct gen_expr *per_volume = weighted ? factor->argument[1] : factor;
  for (int cell = 0; cell < 2; cell++) {
    if (weighted)
      count(factor->argument[0], flops);
    count(per_volume, flops);
    flops->multiplies += 2 + weighted;
    flops->adds++;
    flops->others += 2;
  }
}

static struct flops flops_of(const struct gen_kernel *kernel)
{
  struct flops flops = {.kernel = kernel};
  for (int s = 0; s < kernel->statements; s++) {
    const struct gen_statement *statement = &kernel->statement[s];
    const bool of_field = is_of_field(&flops, statement->value);
    if (statement->kind == GEN_SET)
      flops.scalar[statement->scalar] |= of_field;
    if (statement->kind == GEN_SET && !of_field)
      continue;
    if (statement->kind == GEN_NORM) {
      count_norm(statement->value, &flops);
      continue;
    }
    count(statement->value, &flops);
    if (statement->kind == GEN_REDUCE && kernel->scalar[statement->scalar].role == GEN_SUM)
      flops.adds++;
    else if (statement->kind == GEN_REDUCE)
      flops.others++;
  }
  return flops;
}

int gen_flops(const struct gen_kernel *kernel)
{
  const struct flops flops = flops_of(kernel);
  return flops.adds + flops.multiplies + flops.divides + flops.others;
}

double gen_bytes(const struct gen_kernel *kernel, double bytes_per_real)
{
  double reals = 0;
  for (int a = 0; a < kernel->arrays; a++) {
    const struct gen_array *array = &kernel->array[a];
    const double elements = array->level == GEN_FINER ? 8 : array->level == GEN_COARSER ? 0.125 : 1;
    if (array->rank == 4)
      reals += elements * (array->read + array->written);
  }
  return reals * bytes_per_real;
}

/* ---- arrays ---- */

static bool runs_along(const struct gen_array *array, int axis)
{
  return axis != GEN_BOX && (array->rank == 4 || (int)array->axis == axis);
}

/* Distance of the element from the one at the loop's own point, along axis; false if it is not a
 * fixed one. */
static bool offset_of(const struct gen_kernel *kernel, const struct gen_access *access, int axis,
                      int *offset)
{
  const struct gen_subscript *subscript = &access->subscript[axis];
  const struct gen_array *array = &kernel->array[access->array];
  struct gen_affine rest = subscript->affine;
  gen_affine_add(&rest, 1, &kernel->loop[axis].lower);
  rest.coefficient[axis]--;
  *offset = rest.constant - array->first;
  return subscript->table < 0 && array->level == GEN_OWN && gen_affine_is_constant(&rest);
}

static const char *use_text(const struct gen_kernel *kernel, const struct gen_access *access)
{
  const struct gen_array *array = &kernel->array[access->array];
  const char *text = "";
  for (int axis = 0; axis < GEN_BOX; axis++) {
    int offset;
    if (!runs_along(array, axis))
      continue;
    if (!offset_of(kernel, access, axis, &offset))
      return gen_access_text(kernel, access);
    text = gen_listed(text, gen_text(offset ? "%+d" : "%d", offset));
  }
  return gen_text("(%s)", text);
}

static const char *uses_text(const struct gen_kernel *kernel, const struct gen_accesses *uses)
{
  const char *text = "";
  for (int u = 0; u < uses->count; u++)
    text = gen_text("%s%s%s", text, u ? " " : "", use_text(kernel, uses->access[u]));
  return text;
}

/* A loop that writes faces visits one more than there are cells. */
static bool visits_last_face(const struct gen_kernel *kernel, int axis)
{
  for (int a = 0; a < kernel->arrays; a++)
    if (kernel->array[a].written && kernel->array[a].place == (enum gen_place)(GEN_FACE_I + axis))
      return true;
  return false;
}

/* How far the access reaches beyond the interior, below and above, along axis. */
static void reach_of(const struct gen_kernel *kernel, const struct gen_access *access, int axis,
                     int *below, int *above)
{
  const struct gen_array *array = &kernel->array[access->array];
  const struct gen_subscript *subscript = &access->subscript[axis];
  const bool faces = array->place == (enum gen_place)(GEN_FACE_I + axis);
  if (subscript->table >= 0) {
    *below = kernel->array[subscript->table].table_halo - subscript->offset;
    *above = kernel->array[subscript->table].table_halo + subscript->offset - faces;
    return;
  }
  const int factor = subscript->affine.coefficient[axis], lower = kernel->loop[axis].lower.constant;
  *below = array->first - factor * lower - subscript->affine.constant;
  *above = factor * (lower - 1) + subscript->affine.constant + 1 - array->first;
  *above += visits_last_face(kernel, axis) - faces;
}

static const char *halo_text(const struct gen_kernel *kernel, const struct gen_array *array,
                             const struct gen_accesses *reads)
{
  const char *text = "";
  for (int axis = 0; axis < GEN_BOX; axis++) {
    int most_below = 0, most_above = 0;
    for (int u = 0; u < reads->count && runs_along(array, axis); u++) {
      int below, above;
      reach_of(kernel, reads->access[u], axis, &below, &above);
      most_below = below > most_below ? below : most_below;
      most_above = above > most_above ? above : most_above;
    }
    if (most_below || most_above)
      text = gen_listed(
        text, gen_text("%s %d below and %d above", gen_axis_names[axis], most_below, most_above));
  }
  return *text ? text : "none";
}

static const char *centring_text(const struct gen_array *array)
{
  static const char *const places[] = {"cells", "low faces in i", "low faces in j",
                                       "low faces in k"};
  static const char *const levels[] = {"", " of the finer level", " of the coarser level"};
  if (array->table)
    return gen_text(
      "table along %s of the other level's subscripts, at most %d beyond its interior",
      gen_axis_names[array->axis], array->table_halo);
  const char *line =
    array->rank == 1 ? gen_text("line along %s, ", gen_axis_names[array->axis]) : "";
  return gen_text("%son %s%s", line, places[array->place], levels[array->level]);
}

static const char *array_text(const struct gen_kernel *kernel, int index)
{
  const struct gen_array *array = &kernel->array[index];
  const struct gen_accesses *reads = gen_reads_of(kernel, index),
                            *writes = gen_writes_of(kernel, index);
  const char *text = gen_text("    %s: %s; interior from %d, ghost zone %d deep%s\n", array->name,
                              centring_text(array), array->first, array->first,
                              reads->count && writes->count ? "; updated in place" : "");
  if (writes->count)
    text = gen_text("%s      written at %s\n", text, uses_text(kernel, writes));
  if (reads->count)
    text = gen_text("%s      read at %s; halo: %s\n", text, uses_text(kernel, reads),
                    halo_text(kernel, array, reads));
  return text;
}

/* ---- the whole ---- */

static const char *loops_text(const struct gen_kernel *kernel)
{
  const char *text = "";
  for (int axis = GEN_BOX; axis >= 0; axis--)
    text = gen_listed(text,
                      gen_text("%s = %s .. %s", kernel->symbol[axis].name,
                               gen_affine_text(kernel, &kernel->loop[axis].lower),
                               gen_affine_text(kernel, &kernel->loop[axis].upper)));
  return text;
}

static const char *guard_text(const struct gen_kernel *kernel)
{
  const struct gen_guard *guard = &kernel->guard;
  if (guard->kind == GEN_EVERYWHERE)
    return "none: every iteration is visited";
  if (guard->kind == GEN_LATTICE)
    return gen_text("%d, by (i mod %d, j mod %d, k mod %d)", gen_colours(guard),
                    guard->modulus[GEN_I], guard->modulus[GEN_J], guard->modulus[GEN_K]);
  return gen_text("2; visited is (%s) mod 2 = %d",
                  guard->global ? "i + j + k + colour" : gen_affine_text(kernel, &guard->sum),
                  guard->remainder);
}

static const char *counts_text(const struct gen_kernel *kernel)
{
  const struct flops flops = flops_of(kernel);
  const int total = gen_flops(kernel), colours = gen_colours(&kernel->guard);
  const double f64 = gen_bytes(kernel, 8), f32 = gen_bytes(kernel, 4);
  const char *text =
    gen_text("  flops per point visited: %d (additions %d, multiplications %d, divisions %d, "
             "maxima and roots %d)\n  compulsory bytes per point: %g in double, %g in float%s\n",
             total, flops.adds, flops.multiplies, flops.divides, flops.others, f64, f32,
             colours > 1 ? " (a sweep over one colour touches the lines of all)" : "");
  if (f64 > 0)
    text = gen_text("%s  arithmetic intensity: %.3f flop/byte in double, %.3f in float\n", text,
                    total / (colours * f64), total / (colours * f32));
  return text;
}

/* The comment, indented like the rest. */
static const char *comment_text(const char *comment)
{
  const char *text = "";
  while (*comment) {
    const int length = (int)strcspn(comment, "\n");
    text = gen_text("%s  %.*s\n", text, length, comment);
    comment += length + (comment[length] == '\n');
  }
  return text;
}

const char *gen_explain(const struct gen_kernel *kernel, const struct gen_proof *proof)
{
  const char *text = gen_text(
    "%s %s (%s:%d)\n%s  loops: %s\n  colours: %s\n  arrays, with offsets (i, j, k) from the loop's "
    "point:\n",
    kernel->kind == GEN_OPERATOR ? "operator" : "kernel", kernel->name,
    kernel->where.file ? kernel->where.file : "derived", kernel->where.line,
    comment_text(kernel->comment ? kernel->comment : ""), loops_text(kernel), guard_text(kernel));
  for (int a = 0; a < kernel->arrays; a++)
    if (kernel->array[a].read || kernel->array[a].written || kernel->array[a].table)
      text = gen_text("%s%s", text, array_text(kernel, a));
  for (int s = 0; s < kernel->scalars; s++)
    if (kernel->scalar[s].role >= GEN_SUM)
      text =
        gen_text("%s  returns: the %s %s over all iterations\n", text,
                 kernel->scalar[s].role == GEN_SUM ? "sum" : "maximum", kernel->scalar[s].name);
  text = gen_text("%s%s  checked for all extents:\n", text, counts_text(kernel));
  for (int n = 0; proof && n < proof->sentences; n++)
    text = gen_text("%s    %s\n", text, proof->sentence[n]);
  return text;
}
