#include "singular.h"
#include "problem/kernels.h"

#include "fmg.h"

double gmg_singular_project_f(struct gmg_solver *s, int full)
{
  const double mean = gmg_reduce(&s->sum_f, NULL) / s->volume;
  gmg_run_scaled(s->project, -mean);
  if (full)
    gmg_fmg_project(s, mean);
  return mean;
}

void gmg_singular_level_u(struct gmg_solver *s)
{
  if (s->singular)
    gmg_run_scaled(s->shift_u, -gmg_reduce(&s->mean_u, NULL) / s->volume);
}
