#include "threads.h"

#include <omp.h>
#include <time.h>

int gmg_threads_default(void)
{
  return omp_get_max_threads();
}

/* The clock of OpenMP has microseconds alone in some of its libraries. */
double gmg_seconds(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
