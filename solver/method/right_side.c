#include "right_side.h"

#include "cycle/boundary.h"
#include "cycle/fmg.h"
#include "cycle/singular.h"

#include <math.h>

double gmg_right_side_norm(struct gmg_solver *s)
{
  double most;
  const double sum = gmg_reduce(&s->norm_of_f, &most);
  s->norm.exponent = s->norm_of_f.exponent;
  s->norm.known = 1;
  return sqrt(s->options.norm == GMG_NORM_MAX ? most : sum);
}

double gmg_right_side_take(struct gmg_solver *s, int full)
{
  gmg_call_run(s->take_density);
  if (full)
    gmg_fmg_restrict(s);
  if (!gmg_device_sources(s))
    gmg_boundary_add(s);
  if (!s->singular)
    return 0;
  const double before = gmg_right_side_norm(s), mean = gmg_singular_project_f(s, full);
  /* What only rounding left of it is zero. */
  if (gmg_right_side_norm(s) <= 1e-15 * before)
    gmg_call_run(s->clear_f);
  return mean;
}
