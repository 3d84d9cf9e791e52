#include "singular.h"
#include "problem/kernels.h"

#include "fmg.h"

double gmg_singular_project_f(struct gmg_hierarchy *h, int full)
{
  const double mean = gmg_reduce(&h->sum_f, NULL) / h->problem->volume;
  gmg_run_scaled(h->project, -mean);
  if (full)
    gmg_fmg_project(h, mean);
  return mean;
}

void gmg_singular_level_u(struct gmg_hierarchy *h)
{
  if (h->problem->singular)
    gmg_run_scaled(h->shift_u, -gmg_reduce(&h->mean_u, NULL) / h->problem->volume);
}
