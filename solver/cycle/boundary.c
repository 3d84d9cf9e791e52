#include "boundary.h"

#include "system/memory.h"
#include "problem/kernels.h"
#include "wall.h"

static gmg_status out_of_memory(const struct gmg_hierarchy *h)
{
  return gmg_no_memory(h->context, "for boundary values");
}

/* The level that takes a level's sources: the finest one in double. */
static struct gmg_level *source_level(const struct gmg_hierarchy *h, int l)
{
  return l == 0 ? h->finest : h->level[l].level;
}

/* One more patch, of the cells of box b of a level along a wall, zero. NULL: out of memory. */
static struct gmg_source *add_patch(struct gmg_hierarchy *h, int l, int b, int side)
{
  const struct gmg_kernel_box *box = &h->level[l].level->box[b];
  struct gmg_source *more = gmg_realloc(h->source, ((size_t)h->sources + 1) * sizeof *more);
  if (!more)
    return NULL;
  h->source = more;
  struct gmg_source *source = &more[h->sources];
  *source = (struct gmg_source){.level = l, .side = side, .box = b};
  const int d = side / 2;
  size_t count = 1;
  for (int e = 0; e < 3; e++) {
    source->start[e] = e == d && side % 2 ? box->cells[d] - 1 : 0;
    source->extent[e] = e == d ? 1 : box->cells[e];
    count *= (size_t)source->extent[e];
  }
  source->value = gmg_calloc(count, sizeof *source->value);
  h->sources += source->value != NULL;
  return source->value ? source : NULL;
}

/* The sources of all sides that have values, from the β that gmg_walls_keep keeps. */
static gmg_status make_fluxes(struct gmg_hierarchy *h)
{
  for (int b = 0; b < h->finest->layout->local_count; b++)
    for (int side = 0; side < 6; side++) {
      if (!gmg_at_wall(h, 0, b, side) || !gmg_grid_side_has_values(h->problem->grid, side))
        continue;
      const struct gmg_source *source = add_patch(h, 0, b, side);
      if (!source)
        return out_of_memory(h);
      gmg_wall_fluxes(h, source);
    }
  return GMG_OK;
}

gmg_status gmg_boundary_fluxes(struct gmg_hierarchy *h)
{
  const gmg_status status = gmg_walls_keep(h);
  return status ? status : make_fluxes(h);
}

/* Cell along an axis that stands for index i beyond its ends on a side's face array, and how the
 * values beyond follow from the last two: linearly along the wall, or around a periodic axis. */
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

/* Value at face (p, q) of a side of level l: h->wall_value is that of a coarser level. */
static double wall_value(const struct gmg_hierarchy *h, int l, int side, int p, int q)
{
  if (l == 0)
    return gmg_grid_side_value(h->problem->grid, side, p, q);
  const int row = h->cells[l][side / 2 == 0 ? 1 : 0];
  return h->wall_value[side] ? h->wall_value[side][(ptrdiff_t)q * row + p] : 0;
}

static double side_value(const struct gmg_hierarchy *h, int l, int side, int p, int q)
{
  int first, second, at_p[2], at_q[2];
  double of_p[2], of_q[2], value = 0;
  gmg_side_axes(side, &first, &second);
  extrapolate(&h->axis[l][first], p, at_p, of_p);
  extrapolate(&h->axis[l][second], q, at_q, of_q);
  for (int m = 0; m < 2; m++)
    for (int n = 0; n < 2; n++)
      if (of_p[n] != 0 && of_q[m] != 0)
        value += of_q[m] * of_p[n] * wall_value(h, l, side, at_p[n], at_q[m]);
  return value;
}

/* Ghosts of box b beyond a wall: c times the mirror cell (a ghost of another wall, or zero) + k. */
static void fill_ghosts(struct gmg_hierarchy *h, int l, void *u, int b, int side)
{
  const struct gmg_level *level = source_level(h, l);
  const struct gmg_kernel_box *box = &level->box[b];
  const int d = side / 2;
  int first, second;
  gmg_side_axes(side, &first, &second);
  const double width = gmg_wall_width(h, l, side);
  const double c = gmg_axis_ghost_factor(&h->axis[l][d], side % 2);
  int cell[3];
  for (int q = -1; q <= box->cells[second]; q++)
    for (int p = -1; p <= box->cells[first]; p++) {
      cell[first] = p, cell[second] = q;
      cell[d] = side % 2 ? box->cells[d] : -1;
      const ptrdiff_t ghost = gmg_offset(box, cell[0], cell[1], cell[2]);
      cell[d] = side % 2 ? box->cells[d] - 1 : 0;
      const double mirror = gmg_level_value(level, u, gmg_offset(box, cell[0], cell[1], cell[2]));
      const double value = side_value(h, l, side, box->lower[first] + p, box->lower[second] + q);
      gmg_level_put(level, u, ghost,
                    c * mirror + gmg_wall_ghost(&h->problem->grid->side[side], width, value));
    }
}

/* How values move between a patch and a field: into the field; added to it; out of it; out of it,
 * which is zero afterwards. */
enum move { PUT, ADD, GET, TAKE };

/* Moves the values of a patch, scaled. */
static void move_values(const struct gmg_level *level, const struct gmg_source *source, void *field,
                        enum move move, double scale)
{
  const struct gmg_kernel_box *box = &level->box[source->box];
  const int *start = source->start, *extent = source->extent;
  double *value = source->value;
  for (int k = start[2]; k < start[2] + extent[2]; k++)
    for (int j = start[1]; j < start[1] + extent[1]; j++)
      for (int i = start[0]; i < start[0] + extent[0]; i++, value++) {
        const ptrdiff_t cell = gmg_offset(box, i, j, k);
        if (move == GET || move == TAKE)
          *value = scale * gmg_level_value(level, field, cell);
        if (move == PUT || move == TAKE)
          gmg_level_put(level, field, cell, move == PUT ? scale * *value : 0);
        if (move == ADD)
          gmg_level_put(level, field, cell, gmg_level_value(level, field, cell) + scale * *value);
      }
}

gmg_status gmg_boundary_formulas(struct gmg_hierarchy *h, int l)
{
  static const struct gmg_rename ghosts[] = {{"u", "work_0"}, {"w", "work_1"}, {NULL, NULL}};
  if (!gmg_grid_has_values(h->problem->grid))
    return GMG_OK;
  struct gmg_level *level = source_level(h, l);
  struct gmg_call *apply;
  gmg_status status =
    gmg_call_bind(gmg_operator_kernel(h->problem, GMG_APPLY), level, NULL, ghosts, &apply);
  if (status)
    return status;
  apply->exchanges = 0; /* the ghosts are filled here */
  void **u = gmg_level_find(level, GMG_NAME_WORK_0)->box,
       **w = gmg_level_find(level, GMG_NAME_WORK_1)->box;
  for (int side = 0; side < 6; side++)
    for (int b = 0; b < level->layout->local_count; b++)
      if (gmg_at_wall(h, l, b, side))
        fill_ghosts(h, l, u[b], b, side);
  gmg_call_run(apply);
  gmg_call_wait(h->context);
  gmg_call_destroy(&apply);
  const double scale = level->precision == GMG_F32 ? h->refinement.scale : 1;
  for (int b = 0; b < level->layout->local_count; b++)
    for (int side = 0; side < 6 && !status; side++) {
      if (!gmg_at_wall(h, l, b, side))
        continue;
      /* w is zeroed, so that edge cells count once; exact: scales are powers of two. */
      const struct gmg_source *source = add_patch(h, l, b, side);
      if (source)
        move_values(level, source, w[b], TAKE, -1 / scale);
      else
        status = out_of_memory(h);
    }
  gmg_level_drop(level, GMG_NAME_WORK_0);
  gmg_level_drop(level, GMG_NAME_WORK_1);
  return status;
}

void gmg_boundary_clear(struct gmg_hierarchy *h)
{
  for (int n = 0; n < h->sources; n++)
    gmg_free(h->source[n].value);
  gmg_free(h->source);
  h->source = NULL;
  h->sources = 0;
}

void gmg_boundary_drop_coarse(struct gmg_hierarchy *h)
{
  while (h->sources > 0 && h->source[h->sources - 1].level > 0)
    gmg_free(h->source[--h->sources].value);
}

/* h->wall_value of level l + 1 from those of level l: averages over the area of the
 * faces. */
static gmg_status average_values(struct gmg_hierarchy *h, int l, int side)
{
  int first, second;
  gmg_side_axes(side, &first, &second);
  const struct gmg_pairing *across = &h->pairing[l][first], *along = &h->pairing[l][second];
  const double *width_p = h->axis[l][first].width, *width_q = h->axis[l][second].width;
  double *coarse = gmg_calloc((size_t)across->coarse * (size_t)along->coarse, sizeof *coarse);
  if (!coarse)
    return out_of_memory(h);
  for (int q = 0; q < along->fine; q++)
    for (int p = 0; p < across->fine; p++) {
      const int P = across->parent[p], Q = along->parent[q];
      const double share =
        width_p[p] / h->axis[l + 1][first].width[P] * width_q[q] / h->axis[l + 1][second].width[Q];
      coarse[(size_t)Q * (size_t)across->coarse + (size_t)P] +=
        share * wall_value(h, l, side, p, q);
    }
  gmg_free(h->wall_value[side]);
  h->wall_value[side] = coarse;
  return GMG_OK;
}

static gmg_status coarsen_formulas(struct gmg_hierarchy *h, int l)
{
  gmg_status status = GMG_OK;
  for (int side = 0; side < 6 && !status; side++)
    if (gmg_grid_side_has_values(h->problem->grid, side))
      status = average_values(h, l, side);
  if (!status)
    status = gmg_boundary_formulas(h, l + 1);
  return gmg_agree(h->context, status);
}

void gmg_boundary_forget(struct gmg_hierarchy *h)
{
  for (int side = 0; side < 6; side++) {
    gmg_free(h->wall_value[side]);
    h->wall_value[side] = NULL;
  }
}

/* A side's sources of level l into a field that is zero elsewhere. */
static void put_sources(struct gmg_hierarchy *h, int l, int side, enum gmg_name name)
{
  struct gmg_level *level = h->level[l].level;
  gmg_level_clear(level, name);
  for (int n = 0; n < h->sources; n++) {
    const struct gmg_source *source = &h->source[n];
    if (source->level == l && source->side == side)
      move_values(level, source, gmg_level_find(level, name)->box[source->box], PUT, 1);
  }
}

/* The patch of box b of a level along a side, a new one if there is none. NULL: out of memory. */
static struct gmg_source *patch_of(struct gmg_hierarchy *h, int l, int b, int side)
{
  for (int n = 0; n < h->sources; n++)
    if (h->source[n].level == l && h->source[n].box == b && h->source[n].side == side)
      return &h->source[n];
  return add_patch(h, l, b, side);
}

/* A side's sources of level l from a field, scaled. */
static gmg_status get_sources(struct gmg_hierarchy *h, int l, int side, enum gmg_name name,
                              double scale)
{
  struct gmg_level *level = h->level[l].level;
  for (int b = 0; b < level->layout->local_count; b++) {
    if (!gmg_at_wall(h, l, b, side))
      continue;
    const struct gmg_source *source = patch_of(h, l, b, side);
    if (!source)
      return out_of_memory(h);
    move_values(level, source, gmg_level_find(level, name)->box[b], GET, scale);
  }
  return GMG_OK;
}

/* A source is b β area value / (c0 h / 2 + c1), h the width of the wall's cell: areas add up, h
 * alone differs. */
static double source_ratio(const struct gmg_hierarchy *h, int l, int side)
{
  const struct gmg_grid_side *wall = &h->problem->grid->side[side];
  return (0.5 * wall->c0 * gmg_wall_width(h, l, side) + wall->c1)
    / (0.5 * wall->c0 * gmg_wall_width(h, l + 1, side) + wall->c1);
}

/* The sources of level l + 1 at a side, in the boxes of those of level l. */
static gmg_status restrict_side(struct gmg_hierarchy *h, int l, int side)
{
  for (int b = 0; b < h->level[l].level->layout->local_count; b++) {
    if (!gmg_at_wall(h, l, b, side))
      continue;
    if (!patch_of(h, l, b, side) || !patch_of(h, l + 1, b, side))
      return out_of_memory(h);
    gmg_wall_restrict(h, l, patch_of(h, l, b, side), patch_of(h, l + 1, b, side),
                      source_ratio(h, l, side));
  }
  return GMG_OK;
}

/* The sources of level l + 1 at a side, whose boxes are those of the staging level. */
static gmg_status hand_on(struct gmg_hierarchy *h, int l, int side)
{
  static const struct gmg_rename sums[] = {{"coarse", "work_1"}, {"fine", "r"}, {NULL, NULL}};
  struct gmg_cycle_level *fine = &h->level[l];
  struct gmg_level *coarse = h->level[l + 1].level;
  gmg_status status = gmg_agree(
    h->context, gmg_level_field(fine->level, GMG_NAME_WORK_0) ? GMG_OK : out_of_memory(h));
  if (status)
    return status;
  put_sources(h, l, side, GMG_NAME_WORK_0);
  gmg_exchange_run(fine->to_staging_r.exchange, gmg_level_find(fine->level, GMG_NAME_WORK_0)->data,
                   gmg_level_open(fine->staging, GMG_NAME_R, GMG_REPLACE)->data);
  status =
    gmg_call_once(gmg_written_kernel(h->problem, "restrict_cell"), coarse, fine->staging, sums, 0);
  return status ? status : get_sources(h, l + 1, side, GMG_NAME_WORK_1, source_ratio(h, l, side));
}

enum { ALL_SIDES = 6 };

/* The sources of level l + 1 from those of level l, of one side or of all. */
static gmg_status coarsen_fluxes(struct gmg_hierarchy *h, int l, int which)
{
  const int staged = h->level[l].staging != NULL;
  gmg_status status = GMG_OK;
  for (int side = 0; side < 6 && !status; side++)
    if (gmg_grid_side_has_values(h->problem->grid, side) && (which == ALL_SIDES || side == which))
      status = gmg_agree(h->context, staged ? hand_on(h, l, side) : restrict_side(h, l, side));
  if (staged) {
    gmg_level_drop(h->level[l].level, GMG_NAME_WORK_0);
    gmg_level_drop(h->level[l + 1].level, GMG_NAME_WORK_1);
  }
  return status;
}

gmg_status gmg_boundary_coarsen(struct gmg_hierarchy *h, int l)
{
  return h->problem->op->boundary == GMG_GHOST_FORMULAS ? coarsen_formulas(h, l)
                                                        : coarsen_fluxes(h, l, ALL_SIDES);
}

gmg_status gmg_boundary_remake(struct gmg_hierarchy *h)
{
  gmg_boundary_clear(h);
  return gmg_agree(h->context,
                   h->problem->op->boundary == GMG_GHOST_FORMULAS ? gmg_boundary_formulas(h, 0)
                                                                  : make_fluxes(h));
}

gmg_status gmg_boundary_renew(struct gmg_hierarchy *h, int side, int levels)
{
  gmg_status status = GMG_OK;
  for (int n = 0; n < h->sources; n++)
    if (h->source[n].level == 0 && h->source[n].side == side)
      gmg_wall_fluxes(h, &h->source[n]);
  for (int l = 0; l + 1 < levels && !status; l++)
    status = coarsen_fluxes(h, l, side);
  return status;
}

void gmg_boundary_destroy(struct gmg_hierarchy *h)
{
  gmg_boundary_clear(h);
  gmg_walls_forget(h);
}

void gmg_boundary_add(struct gmg_hierarchy *h)
{
  if (h->sources > 0)
    gmg_call_wait(h->context);
  for (int n = 0; n < h->sources; n++) {
    const struct gmg_source *source = &h->source[n];
    struct gmg_level *level = source_level(h, source->level);
    const double scale = level->precision == GMG_F32 ? h->refinement.residual_scale : 1;
    move_values(level, source, gmg_level_open(level, GMG_NAME_F, GMG_CHANGE)->box[source->box], ADD,
                scale);
  }
}
