#include "threads.h"

#include <omp.h>

int gmg_threads_default(void)
{
  return omp_get_max_threads();
}

double gmg_seconds(void)
{
  return omp_get_wtime();
}
