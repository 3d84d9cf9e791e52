#include "owned_fields.h"

#include "cycle/precision.h"
#include "cycle/transfer.h"
#include "owned_links.h"
#include "owners/coarse_links.h"
#include "system/order.h"

#include <float.h>
#include <math.h>

void gmg_owned_counts(const struct gmg_hierarchy *h, int l, int64_t *given_away, int64_t *forced)
{
  *given_away = *forced = 0;
  if (!h->owners || l >= h->owners->steps)
    return;
  *given_away = (int64_t)h->owners->step[l].election.given_cells;
  *forced = (int64_t)h->owners->step[l].election.forced;
}

/* Not on the finest level, where sweeps cost most of a cycle. */
void gmg_owned_choose_sweeps(struct gmg_hierarchy *h)
{
  const double many_forced = 0.2; /* of the coarser level's cells (docs/performance/owners.md) */
  for (int l = 1; l + 1 < h->levels; l++) {
    const int *coarse = h->cells[l + 1];
    const double cells = (double)coarse[0] * coarse[1] * coarse[2];
    int64_t given_away, forced;
    gmg_owned_counts(h, l, &given_away, &forced);
    if ((double)forced > many_forced * cells)
      h->level[l].times = gmg_larger(h->level[l].times, 2);
  }
}

void gmg_owned_drop(gmg_solver *s)
{
  gmg_owners_destroy(&s->hierarchy.owners);
}

int gmg_owned_coarsen(struct gmg_hierarchy *h, int l)
{
  if (l >= h->owners->steps)
    return 0;
  return gmg_coarsen_up_to(h->axis[l], l, h->owners->step[l].pairs.width, h->axis[l + 1],
                           h->pairing[l])
    ? -1
    : 1;
}

/* The index in the whole level of index i of a box along an axis; -1 beyond walls. */
static int index_of(const struct gmg_level *level, const struct gmg_kernel_box *box, int d, int i)
{
  const int cells = level->axis[d].cells, index = box->lower[d] + i;
  if (index >= 0 && index < cells)
    return index;
  return level->axis[d].kind[0] == GMG_PERIODIC ? (index + cells) % cells : -1;
}

/* Where to fill a field from: values, or codes where there are none. */
struct source {
  const double *values;
  const unsigned char *codes;
  double scale;
};

/* What is too small for single precision becomes its smallest number: no link is lost. */
static double in_range(double value)
{
  return value == 0 || fabs(value) >= FLT_MIN ? value : copysign(FLT_MIN, value);
}

static void fill_row(struct gmg_level *level, int b, void *field, int j, int k,
                     const struct source *from)
{
  const struct gmg_kernel_box *box = &level->box[b];
  const int row = index_of(level, box, 1, j), plane = index_of(level, box, 2, k);
  const size_t start =
    ((size_t)(plane < 0 ? 0 : plane) * (size_t)level->axis[1].cells + (size_t)(row < 0 ? 0 : row))
    * (size_t)level->axis[0].cells;
  for (int i = -1; i <= box->cells[0]; i++) {
    const int index = row < 0 || plane < 0 ? -1 : index_of(level, box, 0, i);
    double value = 0;
    if (index >= 0 && from->values)
      value = in_range(from->scale * from->values[start + (size_t)index]);
    else if (index >= 0)
      value = from->codes[start + (size_t)index];
    gmg_level_put(level, field, gmg_offset(box, i, j, k), value);
  }
}

/* Fills a field of a level and the ghosts around its boxes. */
static gmg_status fill(struct gmg_level *level, int name, const struct source *from)
{
  struct gmg_level_array *field =
    gmg_level_field(level, name) ? gmg_level_open(level, name, GMG_REPLACE) : NULL;
  if (!field)
    return gmg_no_memory(level->context, "for the owners of level %d", level->index);
  for (int b = 0; b < level->layout->local_count; b++) {
    const int *cells = level->box[b].cells;
#pragma omp parallel for schedule(static) num_threads(level->threads) if (level->threads > 1)
    for (int k = -1; k <= cells[2]; k++)
      for (int j = -1; j <= cells[1]; j++)
        fill_row(level, b, field->box[b], j, k, from);
  }
  return GMG_OK;
}

/* The level that has owners and operators for a level of a cycle. */
static struct gmg_level *in_single(struct gmg_level *level)
{
  return level->precision == GMG_F32 ? level : level->twin;
}

static gmg_status fill_step(struct gmg_hierarchy *h, int l)
{
  struct gmg_owner_step *step = &h->owners->step[l];
  struct gmg_level *coarse = in_single(h->level[l + 1].level);
  struct source from = {.codes = step->owner, .scale = h->owned_scale};
  gmg_status status = fill(in_single(gmg_partner(&h->level[l])), GMG_NAME_OWNER, &from);
  from.values = step->coarse.mass;
  if (!status)
    status = fill(coarse, GMG_NAME_ANCHOR, &from);
  for (int n = 0; n < GMG_LINKS && !status; n++) {
    from.values = step->coarse.link[n];
    status = fill(coarse, GMG_NAME_LINK_0 + n, &from);
  }
  return status;
}

/* A number that the values of all coarse operators are multiplied with, so that single precision
 * holds them: the scale of the levels in single precision, where that does; else a power of two
 * that takes the largest to about 2^30. */
static double find_scale(const struct gmg_hierarchy *h)
{
  const double usual =
    h->other.level && !gmg_refines(h) ? h->other.refinement.scale : h->refinement.scale;
  double least = INFINITY, most = 0;
  for (int l = 0; l + 1 < h->levels; l++) {
    const struct gmg_links *links = &h->owners->step[l].coarse;
    const size_t count = gmg_links_count(links);
    for (int n = -1; n < GMG_LINKS; n++) {
      const double *values = n < 0 ? links->mass : links->link[n];
      for (size_t at = 0; values && at < count; at++) {
        const double size = fabs(values[at]);
        most = fmax(most, size);
        least = size > 0 ? fmin(least, size) : least;
      }
    }
  }
  int exponent;
  frexp(most, &exponent);
  return usual * least >= FLT_MIN && usual * most <= FLT_MAX ? usual : ldexp(1, 30 - exponent);
}

gmg_status gmg_owned_fill(gmg_solver *s)
{
  struct gmg_hierarchy *h = &s->hierarchy;
  struct gmg_owner_plan *plan;
  gmg_status status = GMG_OK;
  int failed = 0;
  if (h->levels > 1 && (h->owners->taken || !h->owners->step[0].owner)) {
    status = gmg_owned_plan(s, h->finest, h->owners, &plan);
    if (status)
      return status;
    gmg_owned_drop(s);
    h->owners = plan;
  }
  for (int l = 0; l + 1 < h->levels; l++)
    failed |= gmg_links_anchor(&h->owners->step[l].coarse, h->context->threads);
  if (failed)
    status = gmg_no_memory(h->context, "for the operators of levels with owners");
  else
    h->owned_scale = find_scale(h);
  for (int l = 0; l + 1 < h->levels && !status; l++) {
    status = fill_step(h, l);
    gmg_owners_forget_step(&h->owners->step[l]);
  }
  h->owners->taken = 1;
  gmg_transfer_correct(h);
  return gmg_agree(s->context, status);
}
