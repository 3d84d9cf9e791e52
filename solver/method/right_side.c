#include "right_side.h"

#include "cycle/boundary.h"
#include "cycle/fmg.h"
#include "cycle/singular.h"

#include <math.h>

double gmg_right_side_norm(struct gmg_solver *s)
{
  double most;
  const double sum = gmg_reduce(&s->hierarchy.norm_of_f, &most);
  s->hierarchy.norm.exponent = s->hierarchy.norm_of_f.exponent;
  s->hierarchy.norm.known = 1;
  return sqrt(s->problem.options.norm == GMG_NORM_MAX ? most : sum);
}

double gmg_right_side_take(struct gmg_solver *s, int full)
{
  struct gmg_hierarchy *h = &s->hierarchy;
  gmg_call_run(h->take_density);
  if (full)
    gmg_fmg_restrict(h);
  if (!gmg_placement_add_sources(&s->placement, h->refinement.residual_scale))
    gmg_boundary_add(h);
  if (!s->problem.singular)
    return 0;
  const double before = gmg_right_side_norm(&s->hierarchy), mean = gmg_singular_project_f(h, full);
  /* What only rounding left of it is zero. */
  if (gmg_right_side_norm(&s->hierarchy) <= 1e-15 * before)
    gmg_call_run(h->clear_f);
  return mean;
}
