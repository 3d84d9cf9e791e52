#include "spread.h"

#include <omp.h>

void gmg_spread(int threads, const struct gmg_cores *cores, struct gmg_cores *before)
{
  gmg_cores_own(&before[0]);
  gmg_cores_run_on(cores); /* threads that are made now may run where this one may */
#pragma omp parallel num_threads(threads)
  if (omp_get_thread_num() > 0) {
    gmg_cores_own(&before[omp_get_thread_num()]);
    gmg_cores_run_on(cores);
  }
}

void gmg_spread_back(int threads, const struct gmg_cores *before)
{
#pragma omp parallel num_threads(threads)
  gmg_cores_run_on(&before[omp_get_thread_num()]);
}
