#include "check.h"

#include "colouring.h"
#include "conflict.h"
#include "polyhedra.h"

#include <string.h>

/* ---- overlap ---- */

static bool check_overlap(const struct gen_kernel *kernel, struct gen_proof *proof)
{
  for (int w = 0; w < kernel->arrays; w++)
    for (int o = 0; o < kernel->arrays; o++) {
      const struct gen_array *written = &kernel->array[w], *other = &kernel->array[o];
      if (w == o || !written->written || !(other->read || other->written)
          || written->type != other->type || written->restricted || other->restricted)
        continue;
      return gen_reject(written->where,
                        "'%s' is written and may overlap '%s', as neither is restrict: iterations "
                        "could then touch each other's elements; declare %s[restrict ...]",
                        written->name, other->name, written->name);
    }
  gen_prove(proof, "No array that is written can overlap another: it is restrict or local.");
  return true;
}

/* ---- ranges ---- */

/* Ghost zone that the declaration leaves above the interior. On the kernel's own level the interior
 * is as long as the loop; elsewhere the zone above is taken to be as deep as the one below. */
static int depth_above(const struct gen_kernel *kernel, const struct gen_array *array, int axis)
{
  const struct gen_loop *loop = &kernel->loop[axis];
  struct gen_affine depth = array->extent[axis];
  if (array->level != GEN_OWN)
    return array->first;
  gen_affine_add(&depth, -1, &loop->upper);
  gen_affine_add(&depth, 1, &loop->lower);
  depth.constant -= array->first + 1;
  return gen_affine_is_constant(&depth) && depth.constant >= 0 ? depth.constant : array->first;
}

static bool check_subscript(const struct gen_polyhedra *polyhedra, const struct gen_array *array,
                            int axis, const struct gen_affine *subscript, const char *access,
                            struct gen_location where)
{
  const struct gen_kernel *kernel = polyhedra->kernel;
  for (int above = 0; above < 2; above++) {
    const int excess = gen_polyhedra_excess(polyhedra, subscript, &array->extent[axis], above);
    if (!excess)
      continue;
    const char *subscript_text = gen_affine_text(kernel, subscript);
    if (excess < 0)
      return gen_reject(
        where, "'%s' leaves '%s' without limit: subscript '%s' against a length of '%s'", access,
        array->name, subscript_text, gen_affine_text(kernel, &array->extent[axis]));
    const int first = axis == GEN_BOX ? 0 : array->first,
              depth = above && axis != GEN_BOX ? depth_above(kernel, array, axis) : first;
    return gen_reject(
      where,
      "halo deeper than the array: '%s' reaches %d beyond the %s of dimension %s of '%s' (length "
      "%s, interior from %d), whose ghost zone is %d deep there; the access needs %d",
      access, excess, above ? "end" : "start", gen_axis_names[axis], array->name,
      gen_affine_text(kernel, &array->extent[axis]), first, depth, depth + excess);
  }
  return true;
}

static bool check_access(const struct gen_polyhedra *polyhedra, const struct gen_access *access,
                         struct gen_location where)
{
  const struct gen_kernel *kernel = polyhedra->kernel;
  const struct gen_array *array = &kernel->array[access->array];
  const char *text = gen_access_text(kernel, access);
  for (int axis = 0; axis < GEN_AXES; axis++) {
    const struct gen_subscript *subscript = &access->subscript[axis];
    if (array->rank == 1 && axis != (int)array->axis)
      continue;
    if (subscript->table < 0) {
      if (!check_subscript(polyhedra, array, axis, &subscript->affine, text, where))
        return false;
      continue;
    }
    const struct gen_array *table = &kernel->array[subscript->table];
    const int below = table->table_halo - subscript->offset,
              above = table->table_halo + subscript->offset;
    const int needed = below > above ? below : above;
    if (!check_subscript(polyhedra, table, (int)table->axis, &subscript->affine, text, where))
      return false;
    if (needed > array->first)
      return gen_reject(where,
                        "halo deeper than the array: '%s' reaches %d beyond the interior of '%s' "
                        "in dimension %s (values of '%s' reach %d), whose ghost zone is %d deep",
                        text, needed, array->name, gen_axis_names[axis], table->name,
                        table->table_halo, array->first);
  }
  return true;
}

static bool check_reads(const struct gen_polyhedra *polyhedra, const struct gen_expr *expr,
                        struct gen_location where)
{
  if (expr->kind == GEN_ACCESS)
    return check_access(polyhedra, &expr->access, expr->where.line ? expr->where : where);
  for (int a = 0; a < gen_arity(expr); a++)
    if (!check_reads(polyhedra, expr->argument[a], where))
      return false;
  return true;
}

static bool check_ranges(const struct gen_polyhedra *polyhedra, struct gen_proof *proof)
{
  for (int s = 0; s < polyhedra->kernel->statements; s++) {
    const struct gen_statement *statement = &polyhedra->kernel->statement[s];
    if ((statement->kind == GEN_STORE
         && !check_access(polyhedra, &statement->target, statement->where))
        || !check_reads(polyhedra, statement->value, statement->where))
      return false;
  }
  gen_prove(proof,
            "Every access stays inside its array for all extents from 1 up (and other integer "
            "arguments from 0 up).");
  return true;
}

/* ---- conflicts ---- */

/* How to mend: which colours would do. */
static const char *mend_text(const struct gen_kernel *kernel)
{
  struct gen_guard colouring;
  if (!gen_search_colouring(kernel, &colouring, NULL))
    return "write to another array";
  return gen_text("colour the points (%s would do) or write to another array",
                  gen_colouring_text(&colouring));
}

/* All pairs of iterations that conflict over the array if no colour keeps them apart. give */
static isl_map *uncoloured_conflicts(const struct gen_polyhedra *polyhedra, int array)
{
  const struct gen_accesses *writes = gen_writes_of(polyhedra->kernel, array);
  const struct gen_accesses *others[] = {writes, gen_reads_of(polyhedra->kernel, array)};
  isl_map *pairs = NULL;
  for (int w = 0; w < writes->count; w++)
    for (int n = 0; n < 2; n++)
      for (int o = 0; o < others[n]->count; o++) {
        isl_map *more = gen_polyhedra_conflicts(polyhedra, polyhedra->iterations, writes->access[w],
                                                others[n]->access[o]);
        pairs = pairs ? isl_map_union(pairs, more) : more;
      }
  return isl_map_coalesce(pairs);
}

static void prove_array(const struct gen_polyhedra *polyhedra, int array, struct gen_proof *proof)
{
  const char *name = polyhedra->kernel->array[array].name;
  isl_map *pairs = uncoloured_conflicts(polyhedra, array);
  const char *relation = gen_polyhedra_text(pairs);
  if (isl_map_is_empty(pairs))
    gen_prove(proof,
              gen_text("Different iterations write different elements of %s and read none of each "
                       "other's, so that all run in parallel: %s is empty.",
                       name, relation));
  else
    gen_prove(proof,
              gen_text("Without the colour, iterations would conflict over %s: %s. Among "
                       "iterations of one colour that relation is empty: they run in parallel.",
                       name, relation));
  isl_map_free(pairs);
}

static bool check_conflicts(const struct gen_polyhedra *polyhedra, struct gen_proof *proof)
{
  static const struct gen_guard everywhere = {.kind = GEN_EVERYWHERE};
  const struct gen_kernel *kernel = polyhedra->kernel;
  struct gen_conflict conflict;
  if (gen_find_conflict_in(polyhedra, &conflict)) {
    const bool coloured = kernel->guard.kind != GEN_EVERYWHERE;
    return gen_reject(
      conflict.where, "%s%s: %s; %s", conflict.other_writes ? "two writers" : "in-place update",
      coloured ? " with too few colours, two iterations of one colour conflict" : "",
      gen_conflict_text(kernel, &conflict), mend_text(kernel));
  }
  for (int array = 0; proof && array < kernel->arrays; array++)
    if (kernel->array[array].written)
      prove_array(polyhedra, array, proof);
  if (kernel->guard.kind != GEN_EVERYWHERE && gen_find_conflict(kernel, &everywhere, &conflict))
    gen_prove(
      proof,
      gen_text("For example, without the colour, %s.", gen_conflict_text(kernel, &conflict)));
  return true;
}

/* C's % truncates: a negative odd sum leaves -1, not the 1 of a parity. */
static bool check_guard(const struct gen_polyhedra *polyhedra)
{
  const struct gen_guard *guard = &polyhedra->kernel->guard;
  if (guard->kind != GEN_PARITY || guard->global || guard->remainder != 1
      || !gen_polyhedra_excess(polyhedra, &guard->sum, &guard->sum, false))
    return true;
  return gen_reject(guard->where,
                    "'(%s) %% 2 == 1' is no colour, as the sum can be negative, where C's %% gives "
                    "-1; write a sum that cannot, or compare with 0",
                    gen_affine_text(polyhedra->kernel, &guard->sum));
}

/* Where both colours of a row are visited, each by itself must be free of conflicts, and so must be
 * rows. */
static bool check_rows(const struct gen_kernel *kernel)
{
  struct gen_polyhedra *polyhedra = gen_polyhedra_create(kernel, &kernel->guard);
  const bool fine = check_conflicts(polyhedra, NULL);
  gen_polyhedra_destroy(&polyhedra);
  return fine;
}

bool gen_check_levels(const struct gen_kernel *kernel)
{
  const struct gen_array *first = NULL;
  for (int n = 0; n < kernel->arrays; n++) {
    const struct gen_array *array = &kernel->array[n];
    if (array->rank == 1 || array->level == GEN_OWN)
      continue;
    first = first ? first : array;
    bool alike = array->level == first->level;
    for (int axis = GEN_I; axis < GEN_BOX && alike; axis++)
      alike = strcmp(gen_affine_text(kernel, &array->extent[axis]),
                     gen_affine_text(kernel, &first->extent[axis]))
        == 0;
    if (!alike)
      return gen_reject(array->where,
                        "'%s' and '%s' lie on other levels than the loops, and not with the same "
                        "extents: a kernel may know one other level, whose arrays are alike",
                        array->name, first->name);
  }
  return true;
}

bool gen_check(const struct gen_kernel *kernel, struct gen_proof *proof)
{
  if (!check_overlap(kernel, proof))
    return false;
  struct gen_guard guard = kernel->guard;
  guard.both = false;
  struct gen_polyhedra *polyhedra = gen_polyhedra_create(kernel, &guard);
  const bool fine =
    check_guard(polyhedra) && check_ranges(polyhedra, proof) && check_conflicts(polyhedra, proof);
  gen_polyhedra_destroy(&polyhedra);
  return fine && (!kernel->guard.both || check_rows(kernel));
}
