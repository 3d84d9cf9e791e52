/* What the library asks of the OpenMP run time. */
#ifndef GMG_OPENMP_THREADS_H
#define GMG_OPENMP_THREADS_H

/* Threads of a parallel region when nobody said how many. */
int gmg_threads_default(void);
/* Seconds on a clock that never goes back. */
double gmg_seconds(void);

#endif
