#include "right_side.h"

#include "cycle/boundary.h"
#include "cycle/fmg.h"
#include "cycle/singular.h"

#include <math.h>

double gmg_right_side_norm(struct gmg_hierarchy *h)
{
  double most;
  const double sum = gmg_reduce(&h->norm_of_f, &most);
  h->norm.exponent = h->norm_of_f.exponent;
  h->norm.known = 1;
  return sqrt(h->problem->options.norm == GMG_NORM_MAX ? most : sum);
}

double gmg_right_side_take(gmg_solver *s, int full)
{
  struct gmg_hierarchy *h = &s->hierarchy;
  gmg_call_run(h->take_density);
  if (full)
    gmg_fmg_restrict(h);
  if (!gmg_placement_add_sources(&s->placement, h->refinement.residual_scale))
    gmg_boundary_add(h);
  if (!s->problem.singular)
    return 0;
  const double before = gmg_right_side_norm(h), mean = gmg_singular_project_f(h, full);
  /* What only rounding left of it is zero. */
  if (gmg_right_side_norm(h) <= 1e-15 * before)
    gmg_call_run(h->clear_f);
  return mean;
}
