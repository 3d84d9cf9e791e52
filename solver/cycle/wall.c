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

void gmg_wall_patch(const struct gmg_hierarchy *h, int b, int side, struct gmg_source *patch)
{
  const struct gmg_kernel_box *box = &h->finest->box[b];
  *patch = (struct gmg_source){.side = side, .box = b};
  for (int d = 0; d < 3; d++) {
    patch->start[d] = d == side / 2 && side % 2 ? box->cells[d] : 0;
    patch->extent[d] = d == side / 2 ? 1 : box->cells[d];
  }
}

size_t gmg_wall_faces(const struct gmg_source *patch)
{
  return (size_t)patch->extent[0] * (size_t)patch->extent[1] * (size_t)patch->extent[2];
}

/* β of a patch from the host's values. */
static void read_patch(const struct gmg_hierarchy *h, const struct gmg_source *patch)
{
  const struct gmg_kernel_box *box = &h->finest->box[patch->box];
  const double *beta =
    gmg_level_find(h->finest, GMG_NAME_BETA_I + patch->side / 2)->box[patch->box];
  const int *start = patch->start, *extent = patch->extent;
  double *to = patch->value;
  for (int k = start[2]; k < start[2] + extent[2]; k++)
    for (int j = start[1]; j < start[1] + extent[1]; j++)
      for (int i = start[0]; i < start[0] + extent[0]; i++)
        *to++ = beta[gmg_offset(box, i, j, k)];
}

void gmg_walls_read(struct gmg_hierarchy *h, const struct gmg_source *patch, int patches)
{
  const struct gmg_backend *backend = h->context->backend;
  if (h->finest->device && backend->read(h->context, h->finest, patch, patches))
    return;
  for (int n = 0; n < patches; n++) {
    (void)gmg_level_open(h->finest, GMG_NAME_BETA_I + patch[n].side / 2, GMG_READ);
    read_patch(h, &patch[n]);
  }
}

/* All patches of walls where β is not 1, with room for it. */
static gmg_status list_walls(const struct gmg_hierarchy *h, struct gmg_source *patch, int *patches)
{
  for (int b = 0; b < h->finest->layout->local_count; b++)
    for (int side = 0; side < 6; side++) {
      if (!gmg_at_wall(h, 0, b, side) || !gmg_level_find(h->finest, GMG_NAME_BETA_I + side / 2))
        continue;
      struct gmg_source *wall = &patch[(*patches)++];
      gmg_wall_patch(h, b, side, wall);
      wall->value = gmg_malloc(gmg_wall_faces(wall) * sizeof *wall->value);
      *wall_beta(h, b, side) = wall->value;
      if (!wall->value)
        return gmg_no_memory(h->context, "for beta of the walls");
    }
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
  struct gmg_source *patch = gmg_malloc((boxes * 6 + 1) * sizeof *patch);
  int patches = 0;
  if (!h->wall_beta || !patch)
    status = gmg_no_memory(h->context, "for beta of the walls");
  if (!status)
    status = list_walls(h, patch, &patches);
  if (!status)
    gmg_walls_read(h, patch, patches);
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

/* A fine value of a patch at the two places along it. */
static double value_at(const struct gmg_source *patch, int p, int q)
{
  return patch->value[(size_t)q * (size_t)patch->extent[patch->side / 2 == 0 ? 1 : 0] + (size_t)p];
}

/* A sum in the precision of a level. */
static double sum_of(const struct gmg_level *level, double a, double b)
{
  return level->precision == GMG_F64 ? a + b : (double)((float)a + (float)b);
}

/* The sum over the fine faces in a coarse one, from (p[0], q[0]) to (p[1], q[1]). */
static double sum_faces(const struct gmg_level *level, const struct gmg_source *patch,
                        const int p[2], const int q[2])
{
  /* restrict_cell sums along k, or else j, before i. */
  const int inner_first = patch->side / 2 == 0, ps = 1 + (p[1] > p[0]), qs = 1 + (q[1] > q[0]);
  double sum[2] = {0, 0};
  for (int outer = 0; outer < (inner_first ? qs : ps); outer++)
    for (int inner = 0; inner < (inner_first ? ps : qs); inner++) {
      const double value =
        value_at(patch, p[inner_first ? inner : outer], q[inner_first ? outer : inner]);
      sum[outer] = inner ? sum_of(level, sum[outer], value)
                         : sum_of(level, value, 0); /* rounded as the level holds it */
    }
  return sum_of(level, sum[0], sum[1]);
}

void gmg_wall_restrict(const struct gmg_hierarchy *h, int l, const struct gmg_source *fine,
                       const struct gmg_source *coarse, double scale)
{
  const struct gmg_level *level = h->level[l].level;
  const int *lower = level->box[fine->box].lower;
  const int *own = h->level[l + 1].level->box[coarse->box].lower;
  int first, second, p[2], q[2];
  gmg_side_axes(fine->side, &first, &second);
  const struct gmg_pairing *along_p = &h->pairing[l][first], *along_q = &h->pairing[l][second];
  double *to = coarse->value;
  for (int Q = own[second]; Q < own[second] + coarse->extent[second]; Q++)
    for (int P = own[first]; P < own[first] + coarse->extent[first]; P++) {
      p[0] = along_p->lo[P] - lower[first], p[1] = along_p->hi[P] - lower[first];
      q[0] = along_q->lo[Q] - lower[second], q[1] = along_q->hi[Q] - lower[second];
      *to++ = scale * sum_faces(level, fine, p, q);
    }
}
