#include "boundary.h"

#include <stdlib.h>
#include <string.h>

/* k of ghost = c u + k: c0 (u + ghost) / 2 + c1 (ghost - u) / h = value, solved for the ghost. */
static double ghost_constant(const struct gmg_grid_side *side, double h, double value)
{
  return value / (0.5 * side->c0 + side->c1 / h);
}

static struct gmg_source *add_source(struct gmg_solver *s)
{
  struct gmg_source *more = realloc(s->source, ((size_t)s->sources + 1) * sizeof *more);
  if (!more)
    return NULL;
  s->source = more;
  more[s->sources] = (struct gmg_source){0};
  return &more[s->sources];
}

/* A patch of the cells of box b along a wall, zero; not counted in s->sources yet. */
static struct gmg_source *wall_patch(struct gmg_solver *s, int b, int side)
{
  const struct gmg_kernel_box *box = &s->level[0].level->box[b];
  const int d = side / 2;
  struct gmg_source *source = add_source(s);
  if (!source)
    return NULL;
  size_t count = 1;
  source->box = b;
  for (int e = 0; e < 3; e++) {
    source->start[e] = e == d && side % 2 ? box->cells[d] - 1 : 0;
    source->extent[e] = e == d ? 1 : box->cells[e];
    count *= (size_t)source->extent[e];
  }
  source->value = calloc(count, sizeof *source->value);
  return source->value ? source : NULL;
}

static int at_wall(const struct gmg_solver *s, int b, int side)
{
  const struct gmg_kernel_box *box = &s->level[0].level->box[b];
  const int d = side / 2;
  if (s->grid->side[side].kind == GMG_PERIODIC)
    return 0;
  return side % 2 ? box->lower[d] + box->cells[d] == s->cells[0][d] : box->lower[d] == 0;
}

static int has_values(const struct gmg_solver *s, int side)
{
  return s->grid->side[side].values || s->grid->side[side].value != 0;
}

static gmg_status wall_fluxes(struct gmg_solver *s, int b, int side)
{
  static const char *const face_name[3] = {"beta_i", "beta_j", "beta_k"};
  struct gmg_level *level = s->level[0].level;
  const struct gmg_kernel_box *box = &level->box[b];
  const int d = side / 2;
  int first, second;
  gmg_side_axes(side, &first, &second);
  struct gmg_source *source = wall_patch(s, b, side);
  if (!source)
    return gmg_fail(s->context, GMG_ERR_MEMORY, "out of memory for boundary values");
  const struct gmg_level_array *array = gmg_level_find(level, face_name[d]);
  const double *beta = array ? array->box[b] : NULL;
  const ptrdiff_t stride[3] = {1, box->stride[0], box->stride[1]};
  const double h = s->axis[0][d].width[side % 2 ? s->cells[0][d] - 1 : 0];
  const ptrdiff_t face = side % 2 ? box->cells[d] * stride[d] : 0;
  for (int q = 0; q < box->cells[second]; q++)
    for (int p = 0; p < box->cells[first]; p++) {
      const int gp = box->lower[first] + p, gq = box->lower[second] + q;
      const double area = s->axis[0][first].width[gp] * s->axis[0][second].width[gq];
      const double value = gmg_grid_side_value(s->grid, side, gp, gq);
      const double b_beta = s->b * (beta ? beta[face + p * stride[first] + q * stride[second]] : 1);
      source->value[(size_t)q * (size_t)box->cells[first] + (size_t)p] =
        b_beta * area / h * ghost_constant(&s->grid->side[side], h, value);
    }
  s->sources++;
  return GMG_OK;
}

gmg_status gmg_boundary_fluxes(struct gmg_solver *s)
{
  gmg_status status = GMG_OK;
  for (int b = 0; b < s->level[0].level->layout->local_count; b++)
    for (int side = 0; side < 6 && !status; side++)
      if (at_wall(s, b, side) && has_values(s, side))
        status = wall_fluxes(s, b, side);
  return status;
}

/* Cell along an axis that stands for index i beyond its ends on a side's face array, and how the values beyond follow
 * from the last two: linearly along the wall, or around a periodic axis. */
static void extrapolate(const struct gmg_axis *axis, int i, int cell[2], double weight[2])
{
  const int n = axis->cells;
  cell[0] = cell[1] = i < 0 ? 0 : n - 1;
  weight[0] = 1;
  weight[1] = 0;
  if (i >= 0 && i < n)
    cell[0] = cell[1] = i;
  else if (axis->kind[0] == GMG_PERIODIC)
    cell[0] = cell[1] = i < 0 ? n - 1 : 0;
  else if (n > 1) {
    cell[1] = i < 0 ? 1 : n - 2;
    weight[1] = -axis->width[cell[0]] / (0.5 * (axis->width[cell[0]] + axis->width[cell[1]]));
    weight[0] = 1 - weight[1];
  }
}

static double side_value(const struct gmg_solver *s, int side, int p, int q)
{
  int first, second, at_p[2], at_q[2];
  double of_p[2], of_q[2], value = 0;
  gmg_side_axes(side, &first, &second);
  extrapolate(&s->axis[0][first], p, at_p, of_p);
  extrapolate(&s->axis[0][second], q, at_q, of_q);
  for (int m = 0; m < 2; m++)
    for (int n = 0; n < 2; n++)
      if (of_p[n] != 0 && of_q[m] != 0)
        value += of_q[m] * of_p[n] * gmg_grid_side_value(s->grid, side, at_p[n], at_q[m]);
  return value;
}

/* Ghosts of box b beyond a wall: c times the mirror cell (a ghost of another wall, or zero) + k. */
static void fill_ghosts(struct gmg_solver *s, double *u, int b, int side)
{
  const struct gmg_kernel_box *box = &s->level[0].level->box[b];
  const int d = side / 2;
  int first, second;
  gmg_side_axes(side, &first, &second);
  const ptrdiff_t stride[3] = {1, box->stride[0], box->stride[1]};
  const double h = s->axis[0][d].width[side % 2 ? s->cells[0][d] - 1 : 0];
  const double c = gmg_axis_ghost_factor(&s->axis[0][d], side % 2);
  const ptrdiff_t ghost = (side % 2 ? box->cells[d] : -1) * stride[d];
  const ptrdiff_t mirror = (side % 2 ? box->cells[d] - 1 : 0) * stride[d];
  for (int q = -1; q <= box->cells[second]; q++)
    for (int p = -1; p <= box->cells[first]; p++) {
      const ptrdiff_t at = p * stride[first] + q * stride[second];
      const double value = side_value(s, side, box->lower[first] + p, box->lower[second] + q);
      u[at + ghost] = c * u[at + mirror] + ghost_constant(&s->grid->side[side], h, value);
    }
}

/* Takes -w along a wall into a source; w is zeroed, so that edge cells count once. */
static gmg_status take_source(struct gmg_solver *s, double *w, int b, int side)
{
  const struct gmg_kernel_box *box = &s->level[0].level->box[b];
  struct gmg_source *source = wall_patch(s, b, side);
  if (!source)
    return gmg_fail(s->context, GMG_ERR_MEMORY, "out of memory for boundary values");
  double *value = source->value;
  for (int k = 0; k < source->extent[2]; k++)
    for (int j = 0; j < source->extent[1]; j++)
      for (int i = 0; i < source->extent[0]; i++) {
        double *cell =
          w + source->start[0] + i + (source->start[1] + j) * box->stride[0] + (source->start[2] + k) * box->stride[1];
        *value++ = -*cell;
        *cell = 0;
      }
  s->sources++;
  return GMG_OK;
}

gmg_status gmg_boundary_formulas(struct gmg_solver *s)
{
  static const struct gmg_rename ghosts[] = {{"u", "work_0"}, {"w", "work_1"}, {NULL, NULL}};
  int any = 0;
  for (int side = 0; side < 6; side++)
    any |= s->grid->side[side].kind != GMG_PERIODIC && has_values(s, side);
  if (!any)
    return GMG_OK;
  struct gmg_level *level = s->level[0].level;
  struct gmg_call *apply;
  gmg_status status = gmg_call_bind(gmg_operator_kernel(s, GMG_APPLY), level, NULL, ghosts, &apply);
  if (status)
    return status;
  apply->exchanges = 0; /* the ghosts are filled here */
  void **u = gmg_level_find(level, "work_0")->box, **w = gmg_level_find(level, "work_1")->box;
  for (int side = 0; side < 6; side++)
    for (int b = 0; b < level->layout->local_count; b++)
      if (at_wall(s, b, side))
        fill_ghosts(s, u[b], b, side);
  gmg_call_run(apply);
  gmg_call_wait(s->context);
  gmg_call_destroy(&apply);
  for (int b = 0; b < level->layout->local_count; b++)
    for (int side = 0; side < 6 && !status; side++)
      if (at_wall(s, b, side))
        status = take_source(s, w[b], b, side);
  gmg_level_drop(level, "work_0");
  gmg_level_drop(level, "work_1");
  return status;
}

void gmg_boundary_clear(struct gmg_solver *s)
{
  for (int n = 0; n < s->sources; n++)
    free(s->source[n].value);
  free(s->source);
  s->source = NULL;
  s->sources = 0;
}

void gmg_boundary_add(struct gmg_solver *s)
{
  struct gmg_level *level = s->level[0].level;
  void **f = gmg_level_find(level, "f")->box;
  if (s->sources > 0)
    gmg_call_wait(s->context);
  for (int n = 0; n < s->sources; n++) {
    const struct gmg_source *source = &s->source[n];
    const struct gmg_kernel_box *box = &level->box[source->box];
    const double *value = source->value;
    for (int k = 0; k < source->extent[2]; k++)
      for (int j = 0; j < source->extent[1]; j++) {
        double *row = (double *)f[source->box] + source->start[0] + (source->start[1] + j) * box->stride[0]
          + (source->start[2] + k) * box->stride[1];
        for (int i = 0; i < source->extent[0]; i++)
          row[i] += *value++;
      }
  }
}
