#include "wall.h"

#include "system/memory.h"

double gmg_wall_ghost(const struct gmg_grid_side *side, double h, double value)
{
  return value / (0.5 * side->c0 + side->c1 / h);
}

int gmg_at_wall(const struct gmg_solver *s, int l, int b, int side)
{
  const struct gmg_kernel_box *box = &s->hierarchy.level[l].level->box[b];
  const int d = side / 2;
  if (s->problem.grid->side[side].kind == GMG_PERIODIC)
    return 0;
  return side % 2 ? box->lower[d] + box->cells[d] == s->hierarchy.cells[l][d] : box->lower[d] == 0;
}

static double **wall_beta(const struct gmg_solver *s, int b, int side)
{
  return &s->hierarchy.wall_beta[(size_t)b * 6 + (size_t)side];
}

/* β of the finest level on the faces of a box at a wall. */
static gmg_status keep_wall(struct gmg_solver *s, int b, int side)
{
  static const char *const face_name[3] = {"beta_i", "beta_j", "beta_k"};
  const struct gmg_kernel_box *box = &s->hierarchy.finest->box[b];
  const struct gmg_level_array *array = gmg_level_find(s->hierarchy.finest, face_name[side / 2]);
  int first, second, face[3];
  gmg_side_axes(side, &first, &second);
  if (!array)
    return GMG_OK;
  double *to = gmg_malloc((size_t)box->cells[first] * (size_t)box->cells[second] * sizeof *to);
  if (!to)
    return gmg_fail(s->context, GMG_ERR_MEMORY, "out of memory for beta of the walls");
  *wall_beta(s, b, side) = to;
  face[side / 2] = side % 2 ? box->cells[side / 2] : 0;
  for (face[second] = 0; face[second] < box->cells[second]; face[second]++)
    for (face[first] = 0; face[first] < box->cells[first]; face[first]++)
      *to++ = ((const double *)array->box[b])[gmg_offset(box, face[0], face[1], face[2])];
  return GMG_OK;
}

void gmg_walls_forget(struct gmg_solver *s)
{
  for (int n = 0; s->hierarchy.wall_beta && n < 6 * s->hierarchy.finest->layout->local_count; n++)
    gmg_free(s->hierarchy.wall_beta[n]);
  gmg_free(s->hierarchy.wall_beta);
  s->hierarchy.wall_beta = NULL;
}

gmg_status gmg_walls_keep(struct gmg_solver *s)
{
  const int boxes = s->hierarchy.finest->layout->local_count;
  gmg_status status = GMG_OK;
  gmg_walls_forget(s);
  s->hierarchy.wall_beta = gmg_calloc((size_t)boxes * 6 + 1, sizeof *s->hierarchy.wall_beta);
  if (!s->hierarchy.wall_beta)
    return gmg_fail(s->context, GMG_ERR_MEMORY, "out of memory for beta of the walls");
  for (int b = 0; b < boxes; b++)
    for (int side = 0; side < 6 && !status; side++)
      if (gmg_at_wall(s, 0, b, side))
        status = keep_wall(s, b, side);
  return status;
}

void gmg_wall_fluxes(const struct gmg_solver *s, const struct gmg_source *source)
{
  const int side = source->side, d = side / 2;
  const struct gmg_kernel_box *box = &s->hierarchy.finest->box[source->box];
  const double *beta = *wall_beta(s, source->box, side);
  const double h = s->hierarchy.axis[0][d].width[side % 2 ? s->hierarchy.cells[0][d] - 1 : 0];
  double *to = source->value;
  int first, second;
  gmg_side_axes(side, &first, &second);
  for (int q = 0; q < box->cells[second]; q++)
    for (int p = 0; p < box->cells[first]; p++) {
      const int gp = box->lower[first] + p, gq = box->lower[second] + q;
      const double area =
        s->hierarchy.axis[0][first].width[gp] * s->hierarchy.axis[0][second].width[gq];
      const double b_beta = s->problem.b * (beta ? *beta++ : 1);
      *to++ = b_beta * area / h
        * gmg_wall_ghost(&s->problem.grid->side[side], h,
                         gmg_grid_side_value(s->problem.grid, side, gp, gq));
    }
}
