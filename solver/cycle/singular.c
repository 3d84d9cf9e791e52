#include "singular.h"

#include "fmg.h"

double gmg_singular_project_f(struct gmg_solver *s, int full)
{
  const double mean = gmg_reduce(&s->sum_f, NULL) / s->volume;
  gmg_call_set(s->project, GMG_SCALAR_S, -mean);
  gmg_call_run(s->project);
  if (full)
    gmg_fmg_project(s, mean);
  return mean;
}

void gmg_singular_level_u(struct gmg_solver *s)
{
  if (!s->singular)
    return;
  gmg_call_set(s->shift_u, GMG_SCALAR_S, -gmg_reduce(&s->mean_u, NULL) / s->volume);
  gmg_call_run(s->shift_u);
}
