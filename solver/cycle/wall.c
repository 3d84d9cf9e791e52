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

/* The faces of a box at a wall, with room for β; no room where β is 1. */
static gmg_status add_wall(struct gmg_hierarchy *h, int b, int side, struct gmg_source *patch)
{
  const struct gmg_kernel_box *box = &h->finest->box[b];
  *patch = (struct gmg_source){.side = side, .box = b};
  for (int d = 0; d < 3; d++) {
    patch->start[d] = d == side / 2 && side % 2 ? box->cells[d] : 0;
    patch->extent[d] = d == side / 2 ? 1 : box->cells[d];
  }
  const size_t faces =
    (size_t)patch->extent[0] * (size_t)patch->extent[1] * (size_t)patch->extent[2];
  *wall_beta(h, b, side) = patch->value = gmg_malloc(faces * sizeof *patch->value);
  return patch->value ? GMG_OK : gmg_no_memory(h->context, "for beta of the walls");
}

/* β of a wall from the host's values. */
static void read_wall(const struct gmg_hierarchy *h, const struct gmg_level_array *beta,
                      const struct gmg_source *patch)
{
  const struct gmg_kernel_box *box = &h->finest->box[patch->box];
  const int *start = patch->start, *extent = patch->extent;
  double *to = patch->value;
  for (int k = start[2]; k < start[2] + extent[2]; k++)
    for (int j = start[1]; j < start[1] + extent[1]; j++)
      for (int i = start[0]; i < start[0] + extent[0]; i++)
        *to++ = ((const double *)beta->box[patch->box])[gmg_offset(box, i, j, k)];
}

/* Those of the two sides of an axis, of all boxes; patch: room for them. */
static gmg_status keep_walls(struct gmg_hierarchy *h, int d, struct gmg_source *patch)
{
  struct gmg_level_array *beta = gmg_level_find(h->finest, GMG_NAME_BETA_I + d);
  const struct gmg_backend *backend = h->context->backend;
  gmg_status status = GMG_OK;
  int count = 0;
  for (int b = 0; beta && b < h->finest->layout->local_count; b++)
    for (int side = 2 * d; side < 2 * d + 2 && !status; side++)
      if (gmg_at_wall(h, 0, b, side))
        status = add_wall(h, b, side, &patch[count++]);
  if (status || count == 0
      || (beta->mirror.at && backend->read(h->context, h->finest, beta, patch, count)))
    return status;
  beta = gmg_level_open(h->finest, GMG_NAME_BETA_I + d, GMG_READ);
  for (int n = 0; n < count; n++)
    read_wall(h, beta, &patch[n]);
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
  const size_t boxes = (size_t)h->finest->layout->local_count;
  gmg_status status = GMG_OK;
  gmg_walls_forget(h);
  h->wall_beta = gmg_calloc(boxes * 6 + 1, sizeof *h->wall_beta);
  struct gmg_source *patch = gmg_malloc((boxes * 2 + 1) * sizeof *patch);
  if (!h->wall_beta || !patch)
    status = gmg_no_memory(h->context, "for beta of the walls");
  for (int d = 0; d < 3 && !status; d++)
    status = keep_walls(h, d, patch);
  gmg_free(patch);
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
