#include "singular.h"
#include "problem/kernels.h"

#include "fmg.h"

double gmg_singular_project_f(struct gmg_solver *s, int full)
{
  const double mean = gmg_reduce(&s->hierarchy.sum_f, NULL) / s->problem.volume;
  gmg_run_scaled(s->hierarchy.project, -mean);
  if (full)
    gmg_fmg_project(s, mean);
  return mean;
}

void gmg_singular_level_u(struct gmg_solver *s)
{
  if (s->problem.singular)
    gmg_run_scaled(s->hierarchy.shift_u,
                   -gmg_reduce(&s->hierarchy.mean_u, NULL) / s->problem.volume);
}
