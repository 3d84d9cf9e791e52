#include "leap_walls.h"

#include <float.h>
#include <math.h>

enum gmg_basis_kind gmg_leap_basis_of(const struct gmg_program_array *array, int axis)
{
  const struct gmg_program_rule *low = &array->wall[axis][0], *high = &array->wall[axis][1];
  if (low->kind == GMG_WALL_PERIODIC)
    return GMG_BASIS_PERIODIC;
  if (low->kind != GMG_WALL_MIRROR || high->kind != GMG_WALL_MIRROR || low->skip || high->skip)
    return GMG_BASIS_NONE;
  if (low->minus == high->minus)
    return low->minus ? GMG_BASIS_DIRICHLET : GMG_BASIS_NEUMANN;
  return low->minus ? GMG_BASIS_DIRICHLET_NEUMANN : GMG_BASIS_NEUMANN_DIRICHLET;
}

/* Whether the term counts, and reads beyond the walls along an axis. */
static int reads_along(const struct gmg_step_weights *w, int term, int axis)
{
  return w->weight[term] != 0 && w->term[term].offset[axis] != 0;
}

static int is_mirrored(const int a[3], const int b[3], int axis)
{
  for (int d = 0; d < 3; d++)
    if (a[d] != (d == axis ? -b[d] : b[d]))
      return 0;
  return 1;
}

/* Whether the entry has the same weights on both sides along the axis, but for rounding. */
static int is_symmetric(const struct gmg_step_weights *w, const struct gmg_step_entry *entry,
                        int axis)
{
  const int end = entry->first + entry->terms;
  double all = 0;
  for (int n = entry->first; n < end; n++)
    all += fabs(w->weight[n]);
  for (int n = entry->first; n < end; n++) {
    double other = 0;
    for (int m = entry->first; m < end; m++)
      if (is_mirrored(w->term[m].offset, w->term[n].offset, axis))
        other = w->weight[m];
    if (fabs(w->weight[n] - other) > 4 * DBL_EPSILON * all)
      return 0;
  }
  return 1;
}

static gmg_status refuse(const struct gmg_program *program, const char *call, int array, int axis,
                         const char *what)
{
  return gmg_fail(program->context, GMG_ERR_UNSUPPORTED,
                  "%s: program %s: '%s' %s along %c, and steps can be taken at once where each "
                  "axis is periodic or has walls 'mirror' or 'value'",
                  call, program->made->name, program->made->array[array].shown, what, "xyz"[axis]);
}

static gmg_status check_symmetry(const struct gmg_program *program, const char *call,
                                 const struct gmg_step_weights *w, struct gmg_leap_bases *bases)
{
  for (int n = 0; n < w->entries; n++)
    for (int d = 0; d < program->made->dimensions; d++) {
      if (is_symmetric(w, &w->entry[n], d))
        continue;
      if (bases->kind[d] != GMG_BASIS_PERIODIC)
        return gmg_fail(program->context, GMG_ERR_UNSUPPORTED,
                        "%s: program %s: a step reads '%s' with other weights on the lower than on "
                        "the upper side along %c, and between walls steps can be taken at once "
                        "where these are the same",
                        call, program->made->name, program->made->array[w->entry[n].from].shown,
                        "xyz"[d]);
      bases->paired[d] = 1;
    }
  return GMG_OK;
}

/* The basis of an axis is that of all arrays which are read along it. */
static gmg_status find_basis(const struct gmg_program *program, const char *call,
                             const struct gmg_step_weights *w, int axis,
                             struct gmg_leap_bases *bases)
{
  enum gmg_basis_kind *kind = &bases->kind[axis];
  int first = -1;
  *kind = GMG_BASIS_NEUMANN; /* any will do where nothing is read along the axis */
  for (int n = 0; n < w->terms; n++) {
    const int from = w->term[n].from;
    const struct gmg_program_array *array = &program->made->array[from];
    if (!reads_along(w, n, axis))
      continue;
    const enum gmg_basis_kind own = gmg_leap_basis_of(array, axis);
    if (own == GMG_BASIS_NONE) {
      const int side = array->wall[axis][0].kind == GMG_WALL_MIRROR && !array->wall[axis][0].skip;
      return refuse(program, call, from, axis,
                    array->wall[axis][side].kind == GMG_WALL_FIXED ? "is fixed"
                                                                   : "has a wall 'mirror_node'");
    }
    if (first >= 0 && own != *kind)
      return gmg_fail(program->context, GMG_ERR_UNSUPPORTED,
                      "%s: program %s: '%s' and '%s' have walls of other kinds along %c, and steps "
                      "can be taken at once where these are the same",
                      call, program->made->name, program->made->array[first].shown, array->shown,
                      "xyz"[axis]);
    first = from;
    *kind = own;
    for (int side = 0; side < 2; side++)
      bases->affine |= array->wall[axis][side].kind == GMG_WALL_MIRROR
        && array->wall[axis][side].minus && array->wall[axis][side].constant != 0;
  }
  return GMG_OK;
}

gmg_status gmg_leap_find_bases(const struct gmg_program *program, const char *call,
                               const struct gmg_step_weights *w, struct gmg_leap_bases *bases)
{
  gmg_status status = GMG_OK;
  *bases = (struct gmg_leap_bases){.affine = w->sources};
  for (int d = 0; d < 3 && !status; d++)
    status = find_basis(program, call, w, d, bases);
  for (int a = 0; a < program->made->arrays && !status; a++)
    if (gmg_program_array_kept(program, a) == 2)
      for (int d = 0; d < program->made->dimensions && !status; d++)
        if (program->made->array[a].wall[d][0].kind == GMG_WALL_FIXED
            || program->made->array[a].wall[d][1].kind == GMG_WALL_FIXED)
          status = refuse(program, call, a, d, "is fixed");
  return status ? status : check_symmetry(program, call, w, bases);
}
