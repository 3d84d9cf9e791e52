#include "polyhedra.h"

#include <isl/aff.h>
#include <isl/ilp.h>
#include <isl/local_space.h>
#include <isl/options.h>
#include <isl/point.h>
#include <isl/val.h>
#include <stdlib.h>
#include <string.h>

static isl_aff *affine(const struct gen_polyhedra *polyhedra, const struct gen_affine *from)
{
  isl_aff *aff =
    isl_aff_zero_on_domain(isl_local_space_from_space(isl_space_copy(polyhedra->space)));
  aff = isl_aff_set_constant_si(aff, from->constant);
  for (int s = 0; s < polyhedra->kernel->symbols; s++) {
    if (!from->coefficient[s])
      continue;
    if (s < GEN_AXES)
      aff = isl_aff_set_coefficient_si(aff, isl_dim_in, GEN_BOX - s, from->coefficient[s]);
    else
      aff = isl_aff_set_coefficient_si(aff, isl_dim_param, polyhedra->parameter[s],
                                       from->coefficient[s]);
  }
  return aff;
}

static isl_aff *constant(const struct gen_polyhedra *polyhedra, int value)
{
  const struct gen_affine fixed = gen_affine_constant(value);
  return affine(polyhedra, &fixed);
}

static isl_aff *loop_variable(const struct gen_polyhedra *polyhedra, int axis)
{
  struct gen_affine variable = gen_affine_constant(0);
  variable.coefficient[axis] = 1;
  return affine(polyhedra, &variable);
}

static isl_aff *parameter(const struct gen_polyhedra *polyhedra, int position)
{
  return isl_aff_set_coefficient_si(constant(polyhedra, 0), isl_dim_param, position, 1);
}

static void note_symbols(const struct gen_affine *from, bool *used)
{
  for (int s = 0; s < GEN_MAX_SYMBOLS; s++)
    used[s] = used[s] || from->coefficient[s];
}

static void note_expr(const struct gen_expr *expr, bool *used)
{
  if (expr->kind == GEN_ACCESS)
    for (int axis = 0; axis < GEN_AXES; axis++)
      note_symbols(&expr->access.subscript[axis].affine, used);
  for (int a = 0; a < gen_arity(expr); a++)
    note_expr(expr->argument[a], used);
}

/* extent: symbols of lengths and loop bounds; used: those and all others that matter. */
static void note_kernel(const struct gen_kernel *kernel, const struct gen_guard *guard,
                        bool *extent, bool *used)
{
  for (int axis = 0; axis < GEN_AXES; axis++) {
    note_symbols(&kernel->loop[axis].lower, extent);
    note_symbols(&kernel->loop[axis].upper, extent);
    for (int a = 0; a < kernel->arrays; a++)
      if (kernel->array[a].read || kernel->array[a].written || kernel->array[a].table)
        note_symbols(&kernel->array[a].extent[axis], extent);
  }
  for (int s = 0; s < GEN_MAX_SYMBOLS; s++)
    used[s] = extent[s];
  if (guard->kind == GEN_PARITY && !guard->global)
    note_symbols(&guard->sum, used);
  for (int s = 0; s < kernel->statements; s++) {
    note_expr(kernel->statement[s].value, used);
    for (int axis = 0; kernel->statement[s].kind == GEN_STORE && axis < GEN_AXES; axis++)
      note_symbols(&kernel->statement[s].target.subscript[axis].affine, used);
  }
}

static void create_space(struct gen_polyhedra *polyhedra, const struct gen_guard *guard,
                         const bool *used)
{
  static const char *const digit[3] = {"colour_i", "colour_j", "colour_k"};
  const struct gen_kernel *kernel = polyhedra->kernel;
  const int more = guard->kind == GEN_LATTICE    ? 3
    : guard->kind == GEN_PARITY && guard->global ? 1
                                                 : 0;
  int count = 0;
  for (int s = 0; s < GEN_MAX_SYMBOLS; s++)
    polyhedra->parameter[s] = s >= GEN_AXES && used[s] ? count++ : -1;
  polyhedra->colour_parameter = more ? count : -1;
  polyhedra->space = isl_space_set_alloc(polyhedra->ctx, (unsigned)(count + more), GEN_AXES);
  for (int s = GEN_AXES; s < kernel->symbols; s++)
    if (used[s])
      polyhedra->space = isl_space_set_dim_name(
        polyhedra->space, isl_dim_param, (unsigned)polyhedra->parameter[s], kernel->symbol[s].name);
  for (int m = 0; m < more; m++)
    polyhedra->space = isl_space_set_dim_name(
      polyhedra->space, isl_dim_param, (unsigned)(count + m), more == 1 ? "parity" : digit[m]);
  for (int axis = 0; axis < GEN_AXES; axis++)
    polyhedra->space = isl_space_set_dim_name(
      polyhedra->space, isl_dim_set, (unsigned)(GEN_BOX - axis), kernel->symbol[axis].name);
}

static isl_set *all_iterations(const struct gen_polyhedra *polyhedra, const bool *extent)
{
  const struct gen_kernel *kernel = polyhedra->kernel;
  isl_set *set = isl_set_universe(isl_space_copy(polyhedra->space));
  for (int axis = 0; axis < GEN_AXES; axis++) {
    isl_aff *lower = affine(polyhedra, &kernel->loop[axis].lower),
            *upper = affine(polyhedra, &kernel->loop[axis].upper);
    set = isl_set_intersect(set, isl_aff_ge_set(loop_variable(polyhedra, axis), lower));
    set = isl_set_intersect(set, isl_aff_le_set(loop_variable(polyhedra, axis), upper));
  }
  for (int s = GEN_AXES; s < kernel->symbols; s++)
    if (polyhedra->parameter[s] >= 0)
      set = isl_set_intersect(set,
                              isl_aff_ge_set(parameter(polyhedra, polyhedra->parameter[s]),
                                             constant(polyhedra, extent[s] ? 1 : 0)));
  return set;
}

static isl_set *remainder_is(isl_set *set, isl_aff *sum, int modulus, isl_aff *remainder)
{
  sum = isl_aff_mod_val(sum, isl_val_int_from_si(isl_aff_get_ctx(sum), modulus));
  return isl_set_intersect(set, isl_aff_eq_set(sum, remainder));
}

static isl_set *guarded(const struct gen_polyhedra *polyhedra, const struct gen_guard *guard)
{
  isl_set *set = isl_set_copy(polyhedra->iterations);
  const int colour = polyhedra->colour_parameter;
  if (guard->kind == GEN_PARITY) {
    isl_aff *sum = guard->global ? parameter(polyhedra, colour) : affine(polyhedra, &guard->sum);
    for (int axis = 0; guard->global && axis < 3; axis++)
      sum = isl_aff_add(sum, loop_variable(polyhedra, axis));
    if (guard->global)
      set = isl_set_intersect(set,
                              isl_aff_ge_set(parameter(polyhedra, colour), constant(polyhedra, 0)));
    return remainder_is(set, sum, 2, constant(polyhedra, guard->remainder));
  }
  for (int axis = 0; guard->kind == GEN_LATTICE && axis < 3; axis++) {
    set = isl_set_intersect(
      set, isl_aff_ge_set(parameter(polyhedra, colour + axis), constant(polyhedra, 0)));
    set = isl_set_intersect(set,
                            isl_aff_lt_set(parameter(polyhedra, colour + axis),
                                           constant(polyhedra, guard->modulus[axis])));
    if (axis != GEN_I || !guard->both)
      set = remainder_is(set, loop_variable(polyhedra, axis), guard->modulus[axis],
                         parameter(polyhedra, colour + axis));
  }
  return set;
}

struct gen_polyhedra *gen_polyhedra_create(const struct gen_kernel *kernel,
                                           const struct gen_guard *guard)
{
  bool extent[GEN_MAX_SYMBOLS] = {false}, used[GEN_MAX_SYMBOLS] = {false};
  struct gen_polyhedra *polyhedra = gen_allocate(sizeof *polyhedra);
  polyhedra->kernel = kernel;
  polyhedra->ctx = isl_ctx_alloc();
  isl_options_set_on_error(polyhedra->ctx, ISL_ON_ERROR_ABORT);
  note_kernel(kernel, guard, extent, used);
  create_space(polyhedra, guard, used);
  polyhedra->by_rows = guard->both;
  polyhedra->iterations = all_iterations(polyhedra, extent);
  polyhedra->visited = guarded(polyhedra, guard);
  return polyhedra;
}

void gen_polyhedra_destroy(struct gen_polyhedra **polyhedra)
{
  if (!polyhedra || !*polyhedra)
    return;
  isl_set_free((*polyhedra)->iterations);
  isl_set_free((*polyhedra)->visited);
  isl_space_free((*polyhedra)->space);
  isl_ctx_free((*polyhedra)->ctx);
  *polyhedra = NULL;
}

/* iteration -> element of the array; the access has no table. give */
static isl_map *elements(const struct gen_polyhedra *polyhedra, const struct gen_access *access)
{
  const struct gen_array *array = &polyhedra->kernel->array[access->array];
  const int rank = array->rank;
  isl_space *range = isl_space_set_from_params(isl_space_params(isl_space_copy(polyhedra->space)));
  range = isl_space_add_dims(range, isl_dim_set, (unsigned)rank);
  range = isl_space_set_tuple_name(range, isl_dim_set, array->name);
  isl_aff_list *subscripts = isl_aff_list_alloc(polyhedra->ctx, rank);
  for (int d = 0; d < rank; d++) {
    const int axis = rank == 1 ? (int)array->axis : GEN_BOX - d;
    subscripts = isl_aff_list_add(subscripts, affine(polyhedra, &access->subscript[axis].affine));
  }
  isl_space *space = isl_space_map_from_domain_and_range(isl_space_copy(polyhedra->space), range);
  return isl_map_from_multi_aff(isl_multi_aff_from_aff_list(space, subscripts));
}

int gen_polyhedra_excess(const struct gen_polyhedra *polyhedra, const struct gen_affine *subscript,
                         const struct gen_affine *length, bool above)
{
  isl_aff *beyond = affine(polyhedra, subscript);
  if (above)
    beyond = isl_aff_add_constant_si(isl_aff_sub(beyond, affine(polyhedra, length)), 1);
  else
    beyond = isl_aff_neg(beyond);
  isl_set *values = isl_set_apply(isl_set_copy(polyhedra->visited), isl_map_from_aff(beyond));
  values =
    isl_set_project_out(values, isl_dim_param, 0, (unsigned)isl_set_dim(values, isl_dim_param));
  if (isl_set_is_empty(values)) {
    isl_set_free(values);
    return 0;
  }
  isl_val *most = isl_set_dim_max_val(values, 0);
  const int excess = !isl_val_is_int(most) ? -1
    : isl_val_is_pos(most)                 ? (int)isl_val_get_num_si(most)
                                           : 0;
  isl_val_free(most);
  return excess;
}

/* Pairs of iterations that differ along i alone, or not at all. */
static isl_map *same_row(isl_space *space)
{
  isl_map *row = isl_map_universe(space);
  for (int axis = GEN_BOX; axis > GEN_I; axis--)
    row = isl_map_equate(row, isl_dim_in, GEN_BOX - axis, isl_dim_out, GEN_BOX - axis);
  return row;
}

isl_map *gen_polyhedra_conflicts(const struct gen_polyhedra *polyhedra, isl_set *among,
                                 const struct gen_access *a, const struct gen_access *b)
{
  isl_map *touch_a = isl_map_intersect_domain(elements(polyhedra, a), isl_set_copy(among));
  isl_map *touch_b = isl_map_intersect_domain(elements(polyhedra, b), isl_set_copy(among));
  isl_map *pairs = isl_map_apply_range(touch_a, isl_map_reverse(touch_b));
  isl_map *same = polyhedra->by_rows ? same_row(isl_map_get_space(pairs))
                                     : isl_map_identity(isl_map_get_space(pairs));
  return isl_map_coalesce(isl_map_subtract(pairs, same));
}

bool gen_polyhedra_sample(isl_map *pairs, int from[GEN_AXES], int to[GEN_AXES])
{
  if (isl_map_is_empty(pairs))
    return false;
  isl_set *set = isl_set_flatten(isl_map_wrap(isl_map_copy(pairs)));
  const unsigned parameters = (unsigned)isl_set_dim(set, isl_dim_param);
  set = isl_set_move_dims(set, isl_dim_set, 0, isl_dim_param, 0, parameters);
  isl_point *point = isl_set_sample_point(isl_set_lexmin(set));
  for (int axis = 0; axis < GEN_AXES; axis++)
    for (int end = 0; end < 2; end++) {
      isl_val *value = isl_point_get_coordinate_val(
        point, isl_dim_set, (int)parameters + end * GEN_AXES + GEN_BOX - axis);
      (end ? to : from)[axis] = (int)isl_val_get_num_si(value);
      isl_val_free(value);
    }
  isl_point_free(point);
  return true;
}

const char *gen_polyhedra_text(isl_map *map)
{
  enum { LONGEST = 600 };
  char *words = isl_map_to_str(map);
  const bool cut = strlen(words) > LONGEST;
  const char *text = gen_text("%.*s%s", (int)LONGEST, words, cut ? " ..." : "");
  free(words);
  return text;
}
