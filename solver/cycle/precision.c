#include "precision.h"

#include "problem/kernels.h"
#include "transfer.h"

#include <math.h>

/* The power of two that takes a positive number to [1/2, 1). */
static double inverse_power(double x)
{
  int exponent = 0;
  if (x > 0 && isfinite(x))
    frexp(x, &exponent);
  return ldexp(1, -exponent);
}

static double mean_volume(const struct gmg_hierarchy *h)
{
  return h->problem->volume / ((double)h->cells[0][0] * h->cells[0][1] * h->cells[0][2]);
}

int gmg_refines(const struct gmg_hierarchy *h)
{
  return h->precision == GMG_F32;
}

/* Fewer cells stay in cache: then double is as fast. */
enum { LEAST_CELLS = 64 * 64 * 64 };

static enum gmg_precision choose(const struct gmg_hierarchy *h)
{
  const double cells = (double)h->cells[0][0] * h->cells[0][1] * h->cells[0][2];
  if (gmg_by_transforms(h->problem))
    return GMG_F64;
  if (h->problem->options.precision == GMG_PRECISION_AUTO)
    return cells >= LEAST_CELLS && !h->no_single ? GMG_F32 : GMG_F64;
  return h->problem->options.precision == GMG_PRECISION_MIXED ? GMG_F32 : GMG_F64;
}

void gmg_precision_plan(struct gmg_hierarchy *h)
{
  h->refinement = (struct gmg_refinement){.unit = 1, .scale = 1, .residual_scale = 1};
  h->precision = choose(h);
  if (!gmg_refines(h))
    return;
  h->refinement.unit = 1 / inverse_power(cbrt(mean_volume(h)));
  gmg_precision_rescale(h);
}

void gmg_precision_rescale(struct gmg_hierarchy *h)
{
  if (gmg_refines(h))
    h->refinement.scale = inverse_power(h->problem->b * h->refinement.unit);
}

void gmg_precision_scale_level(const struct gmg_hierarchy *h, struct gmg_level *level)
{
  const int single = level->precision == GMG_F32;
  const double scale = single ? h->refinement.scale : 1, unit = level->unit;
  level->b = scale * unit * h->problem->b;
  level->alpha = scale * unit * unit * unit * h->problem->alpha;
}

gmg_status gmg_precision_bind(struct gmg_hierarchy *h)
{
  struct gmg_refinement *r = &h->refinement;
  const struct gmg_binding list[] = {
    {&r->residual.sum, "residual_single", {{"single", "f"}, {"wide", "f"}}},
    {&r->narrow, "narrow", {{"single", "f"}, {"wide", "f"}}},
    {&r->widen, "widen", {{"single", "u"}, {"wide", "u"}}},
    {&r->add, "add_single", {{"single", "u"}, {"wide", "u"}}},
  };
  if (!gmg_refines(h))
    return GMG_OK;
  const gmg_status status = gmg_bind_all(h->problem, h->finest, list, GMG_LENGTH(list));
  return status || h->levels == 1 ? status : gmg_transfer_bind_right_side(h, 0);
}

gmg_status gmg_precision_round(struct gmg_hierarchy *h)
{
  static const struct {
    enum gmg_name name;
    const char *kernel;
  } list[] = {{GMG_NAME_ALPHA, "narrow"},
              {GMG_NAME_BETA_I, "narrow_i"},
              {GMG_NAME_BETA_J, "narrow_j"},
              {GMG_NAME_BETA_K, "narrow_k"}};
  const double unit = h->refinement.unit;
  gmg_status status = GMG_OK;
  for (size_t n = 0; n < GMG_LENGTH(list) && !status && gmg_refines(h); n++) {
    const char *text = h->context->names.text[list[n].name];
    const struct gmg_rename rename[] = {{"single", text}, {"wide", text}, {NULL, NULL}};
    const double scale = h->refinement.scale * (n == 0 ? unit * unit * unit : 1);
    struct gmg_call *kept = h->finest->device ? h->finest_setup.narrow[n] : NULL;
    if (kept)
      gmg_run_scaled(kept, scale);
    else if (gmg_level_find(h->level[0].level, list[n].name))
      status = gmg_call_once(gmg_written_kernel(h->problem, list[n].kernel), h->finest, NULL,
                             rename, scale);
  }
  return status;
}

void gmg_precision_scale(struct gmg_hierarchy *h, double size)
{
  h->refinement.residual_scale = inverse_power(size * mean_volume(h));
}

void gmg_precision_take_f(struct gmg_hierarchy *h)
{
  gmg_run_scaled(h->refinement.narrow, h->refinement.residual_scale);
}

/* The largest that boundary values add to a cell. */
static double most_of_sources(struct gmg_hierarchy *h)
{
  double most = 0;
  for (int n = 0; n < h->sources; n++) {
    const struct gmg_source *source = &h->source[n];
    const int count = source->extent[0] * source->extent[1] * source->extent[2];
    for (int c = 0; c < count && source->level == 0; c++)
      most = fmax(most, fabs(source->value[c]));
  }
  h->context->mpi_error |= gmg_comm_max(&h->context->comm, &most, 1);
  return most;
}

void gmg_precision_take_density(struct gmg_hierarchy *h)
{
  const double most = fmax(gmg_reduce_most(&h->mean_u), most_of_sources(h)),
               density = 2 * most / mean_volume(h);
  h->refinement.residual_scale = inverse_power(most);
  gmg_reducer_expect(&h->norm_of_f, density * density);
  gmg_precision_take_f(h);
  h->refinement.f_taken = h->sources == 0 && !h->problem->singular; /* else it changes yet */
}

void gmg_precision_give_u(struct gmg_hierarchy *h)
{
  struct gmg_refinement *r = &h->refinement;
  gmg_run_scaled(r->widen, r->scale / r->residual_scale);
}
