#include "wall.h"

#include "system/memory.h"

double gmg_wall_ghost(const struct gmg_grid_side *side, double h, double value)
{
  return value / (0.5 * side->c0 + side->c1 / h);
}

double gmg_wall_width(const struct gmg_hierarchy *h, int l, int side)
{
  return h->axis[l][side / 2].width[side % 2 ? h->cells[l][side / 2] - 1 : 0];
}

int gmg_at_wall(const struct gmg_hierarchy *h, int l, int b, int side)
{
  const struct gmg_kernel_box *box = &h->level[l].level->box[b];
  const int d = side / 2;
  if (h->problem->grid->side[side].kind == GMG_PERIODIC)
    return 0;
  return side % 2 ? box->lower[d] + box->cells[d] == h->cells[l][d] : box->lower[d] == 0;
}

static double **wall_beta(const struct gmg_hierarchy *h, int b, int side)
{
  return &h->wall_beta[(size_t)b * 6 + (size_t)side];
}

/* β of the finest level on the faces of a box at a wall. */
static gmg_status keep_wall(struct gmg_hierarchy *h, int b, int side)
{
  const struct gmg_kernel_box *box = &h->finest->box[b];
  const struct gmg_level_array *array = gmg_level_find(h->finest, GMG_NAME_BETA_I + side / 2);
  int first, second, face[3];
  gmg_side_axes(side, &first, &second);
  if (!array)
    return GMG_OK;
  double *to = gmg_malloc((size_t)box->cells[first] * (size_t)box->cells[second] * sizeof *to);
  if (!to)
    return gmg_no_memory(h->context, "for beta of the walls");
  *wall_beta(h, b, side) = to;
  face[side / 2] = side % 2 ? box->cells[side / 2] : 0;
  for (face[second] = 0; face[second] < box->cells[second]; face[second]++)
    for (face[first] = 0; face[first] < box->cells[first]; face[first]++)
      *to++ = ((const double *)array->box[b])[gmg_offset(box, face[0], face[1], face[2])];
  return GMG_OK;
}

void gmg_walls_forget(struct gmg_hierarchy *h)
{
  for (int n = 0; h->wall_beta && n < 6 * h->finest->layout->local_count; n++)
    gmg_free(h->wall_beta[n]);
  gmg_free(h->wall_beta);
  h->wall_beta = NULL;
}

gmg_status gmg_walls_keep(struct gmg_hierarchy *h)
{
  const int boxes = h->finest->layout->local_count;
  gmg_status status = GMG_OK;
  gmg_walls_forget(h);
  h->wall_beta = gmg_calloc((size_t)boxes * 6 + 1, sizeof *h->wall_beta);
  if (!h->wall_beta)
    return gmg_no_memory(h->context, "for beta of the walls");
  for (int b = 0; b < boxes; b++)
    for (int side = 0; side < 6 && !status; side++)
      if (gmg_at_wall(h, 0, b, side))
        status = keep_wall(h, b, side);
  return status;
}

void gmg_wall_fluxes(const struct gmg_hierarchy *h, const struct gmg_source *source)
{
  const int side = source->side;
  const struct gmg_kernel_box *box = &h->finest->box[source->box];
  const double *beta = *wall_beta(h, source->box, side);
  const double width = gmg_wall_width(h, 0, side);
  double *to = source->value;
  int first, second;
  gmg_side_axes(side, &first, &second);
  for (int q = 0; q < box->cells[second]; q++)
    for (int p = 0; p < box->cells[first]; p++) {
      const int gp = box->lower[first] + p, gq = box->lower[second] + q;
      const double area = h->axis[0][first].width[gp] * h->axis[0][second].width[gq];
      const double b_beta = h->problem->b * (beta ? *beta++ : 1);
      *to++ = b_beta * area / width
        * gmg_wall_ghost(&h->problem->grid->side[side], width,
                         gmg_grid_side_value(h->problem->grid, side, gp, gq));
    }
}
