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

static double mean_volume(const struct gmg_solver *s)
{
  return s->problem.volume
    / ((double)s->hierarchy.cells[0][0] * s->hierarchy.cells[0][1] * s->hierarchy.cells[0][2]);
}

int gmg_refines(const struct gmg_solver *s)
{
  return s->hierarchy.precision == GMG_F32;
}

/* Fewer cells stay in cache: then double is as fast. */
enum { LEAST_CELLS = 64 * 64 * 64 };

static enum gmg_precision choose(const struct gmg_solver *s)
{
  const double cells =
    (double)s->hierarchy.cells[0][0] * s->hierarchy.cells[0][1] * s->hierarchy.cells[0][2];
  if (s->problem.options.precision == GMG_PRECISION_AUTO)
    return cells >= LEAST_CELLS && !s->hierarchy.no_single ? GMG_F32 : GMG_F64;
  return s->problem.options.precision == GMG_PRECISION_MIXED ? GMG_F32 : GMG_F64;
}

void gmg_precision_plan(struct gmg_solver *s)
{
  s->hierarchy.refinement = (struct gmg_refinement){.unit = 1, .scale = 1, .residual_scale = 1};
  s->hierarchy.precision = choose(s);
  if (!gmg_refines(s))
    return;
  s->hierarchy.refinement.unit = 1 / inverse_power(cbrt(mean_volume(s)));
  gmg_precision_rescale(s);
}

void gmg_precision_rescale(struct gmg_solver *s)
{
  if (gmg_refines(s))
    s->hierarchy.refinement.scale = inverse_power(s->problem.b * s->hierarchy.refinement.unit);
}

void gmg_precision_scale_level(const struct gmg_solver *s, struct gmg_level *level)
{
  const int single = level->precision == GMG_F32;
  const double scale = single ? s->hierarchy.refinement.scale : 1, unit = level->unit;
  level->b = scale * unit * s->problem.b;
  level->alpha = scale * unit * unit * unit * s->problem.alpha;
}

gmg_status gmg_precision_bind(struct gmg_solver *s)
{
  struct gmg_refinement *r = &s->hierarchy.refinement;
  const struct gmg_binding list[] = {
    {&r->residual.sum, NULL, GMG_RESIDUAL_SINGLE, {{"single", "f"}, {"wide", "f"}}},
    {&r->narrow, "narrow", GMG_AS_WRITTEN, {{"single", "f"}, {"wide", "f"}}},
    {&r->widen, "widen", GMG_AS_WRITTEN, {{"single", "u"}, {"wide", "u"}}},
    {&r->add, "add_single", GMG_AS_WRITTEN, {{"single", "u"}, {"wide", "u"}}},
  };
  if (!gmg_refines(s))
    return GMG_OK;
  const gmg_status status = gmg_bind_all(s, s->hierarchy.finest, list, sizeof list / sizeof *list);
  return status || s->hierarchy.levels == 1 ? status : gmg_transfer_bind_right_side(s, 0);
}

gmg_status gmg_precision_round(struct gmg_solver *s)
{
  static const struct {
    const char *name, *kernel;
  } list[] = {
    {"alpha", "narrow"}, {"beta_i", "narrow_i"}, {"beta_j", "narrow_j"}, {"beta_k", "narrow_k"}};
  const double unit = s->hierarchy.refinement.unit;
  gmg_status status = GMG_OK;
  for (size_t n = 0; n < sizeof list / sizeof *list && !status && gmg_refines(s); n++) {
    const struct gmg_rename rename[] = {
      {"single", list[n].name}, {"wide", list[n].name}, {NULL, NULL}};
    if (gmg_level_find(s->hierarchy.level[0].level, list[n].name))
      status =
        gmg_call_once(gmg_written_kernel(s, list[n].kernel), s->hierarchy.finest, NULL, rename,
                      s->hierarchy.refinement.scale * (n == 0 ? unit * unit * unit : 1));
  }
  return status;
}

void gmg_precision_scale(struct gmg_solver *s, double size)
{
  s->hierarchy.refinement.residual_scale = inverse_power(size * mean_volume(s));
}

void gmg_precision_take_f(struct gmg_solver *s)
{
  gmg_run_scaled(s->hierarchy.refinement.narrow, s->hierarchy.refinement.residual_scale);
}

/* The largest that boundary values add to a cell. */
static double most_of_sources(struct gmg_solver *s)
{
  double most = 0;
  for (int n = 0; n < s->hierarchy.sources; n++) {
    const struct gmg_source *source = &s->hierarchy.source[n];
    const int count = source->extent[0] * source->extent[1] * source->extent[2];
    for (int c = 0; c < count && source->level == 0; c++)
      most = fmax(most, fabs(source->value[c]));
  }
  const int error = gmg_comm_max(&s->context->comm, &most, 1);
  if (error)
    s->context->mpi_error = error;
  return most;
}

void gmg_precision_take_density(struct gmg_solver *s)
{
  const double most = fmax(gmg_reduce_most(&s->hierarchy.mean_u), most_of_sources(s)),
               density = 2 * most / mean_volume(s);
  s->hierarchy.refinement.residual_scale = inverse_power(most);
  gmg_reducer_expect(&s->hierarchy.norm_of_f, density * density);
  gmg_precision_take_f(s);
  s->hierarchy.refinement.f_taken =
    s->hierarchy.sources == 0 && !s->problem.singular; /* else it changes yet */
}

void gmg_precision_give_u(struct gmg_solver *s)
{
  struct gmg_refinement *r = &s->hierarchy.refinement;
  gmg_run_scaled(r->widen, r->scale / r->residual_scale);
}
