#include "extension.h"

#include "leap_walls.h"

#include <float.h>
#include <math.h>

/* The weights of all terms for some values of the parameters. */
struct sample {
  const struct gmg_program_linear *linear;
  const double *weight;
};

/* Values that no symmetry of weights has by chance. */
static void choose_parameters(int sample, double parameter[GMG_PROGRAM_PARAMETERS])
{
  for (int n = 0; n < GMG_PROGRAM_PARAMETERS; n++)
    parameter[n] = 0.3 + fmod(0.6180339887498949 * (n + 1) + 0.4142135623730950 * sample, 0.5);
}

static int are_mirrored(const struct gmg_program_term *a, const struct gmg_program_term *b,
                        int axis)
{
  int same = a->kernel == b->kernel && a->to == b->to && a->from == b->from;
  for (int d = 0; d < 3; d++)
    same &= a->offset[d] == (d == axis ? -b->offset[d] : b->offset[d]);
  return same;
}

/* Whether the weights on both sides of an axis are the same, but for rounding. */
static int is_symmetric(const struct sample *s, int axis)
{
  double most = 0;
  for (int n = 0; n < s->linear->terms; n++)
    most = fmax(most, fabs(s->weight[n]));
  for (int n = 0; n < s->linear->terms; n++) {
    double other = 0;
    for (int m = 0; m < s->linear->terms; m++)
      if (are_mirrored(&s->linear->term[m], &s->linear->term[n], axis))
        other = s->weight[m];
    if (s->linear->term[n].from >= 0 && !(fabs(s->weight[n] - other) <= 8 * DBL_EPSILON * most))
      return 0;
  }
  return 1;
}

static int is_read_along(const struct sample *s, int array, int axis)
{
  for (int n = 0; n < s->linear->terms; n++)
    if (s->linear->term[n].from == array && s->linear->term[n].offset[axis])
      return 1;
  return 0;
}

/* The basis of an array's walls along an axis; GMG_BASIS_NONE, too, where they have values. */
static enum gmg_basis_kind basis_of(const struct gmg_program_array *array, int axis)
{
  for (int side = 0; side < 2; side++)
    if (array->wall[axis][side].kind == GMG_WALL_MIRROR && array->wall[axis][side].minus
        && array->wall[axis][side].constant != 0)
      return GMG_BASIS_NONE;
  return gmg_leap_basis_of(array, axis);
}

static int reads(const struct gmg_program_kernel *bound, int array)
{
  for (int f = 0; f < bound->kernel->fields; f++)
    if (bound->array[f] == array && bound->kernel->field[f].read)
      return 1;
  return 0;
}

/* Whether all arrays that count have walls of one kind along an axis, where it is read along. */
static int holds_along(const struct gmg_program *program, const struct sample *s, int axis)
{
  const struct gmg_program_descriptor *made = program->made;
  enum gmg_basis_kind kind = GMG_BASIS_NONE;
  int any = 0, same = 1;
  for (int a = 0; a < made->arrays; a++)
    any |= is_read_along(s, a, axis);
  for (int a = 0; a < made->arrays && any; a++) {
    if (!is_read_along(s, a, axis) && !reads(&made->composed->kernel, a))
      continue;
    const enum gmg_basis_kind own = basis_of(&made->array[a], axis);
    same &= own != GMG_BASIS_NONE && (kind == GMG_BASIS_NONE || own == kind);
    kind = own;
  }
  return !any
    || (same
        && (kind == GMG_BASIS_PERIODIC
            || (program->cells[axis] >= program->block.deepest && is_symmetric(s, axis))));
}

static int has_sources(const struct sample *s)
{
  for (int n = 0; n < s->linear->terms; n++)
    if (s->linear->term[n].from < 0 && s->weight[n] != 0)
      return 1;
  return 0;
}

int gmg_extension_holds(const struct gmg_program *program)
{
  enum { SAMPLES = 2 };
  const struct gmg_program_descriptor *made = program->made;
  const struct gmg_program_linear *linear = &made->linear;
  double parameter[GMG_PROGRAM_PARAMETERS];
  if (!made->composed || *linear->reason)
    return 0;
  double *weight = gmg_calloc((size_t)linear->terms + 1, sizeof *weight);
  int holds = weight != NULL;
  for (int n = 0; n < SAMPLES && holds; n++) {
    const struct sample sample = {linear, weight};
    choose_parameters(n, parameter);
    linear->weights(parameter, weight);
    holds = !has_sources(&sample);
    for (int d = 0; d < made->dimensions && holds; d++)
      holds = holds_along(program, &sample, d);
  }
  gmg_free(weight);
  return holds;
}
