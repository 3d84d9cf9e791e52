#include "roofs.h"

#include "streams.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

/* LEAST_RUNS of each measurement, whatever the time. */
enum { LEAST_RUNS = 3, MOST_RUNS = 400, LINE = 64 };
static const double least_run = 1e-3; /* seconds, of a run within a cache */

struct arrays {
  double *a, *b, *c;
  size_t values; /* of each */
};

struct bench {
  const struct gmg_cpu_wish *wish;
  struct gmg_cpu_roofs *roofs;
  const struct gmg_loops *loops;
  struct arrays memory;
  double slice; /* seconds of a measurement */
};

/* The clock of OpenMP has microseconds alone in some of its libraries; a sweep over the first-level
 * cache takes less. */
static double seconds_now(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Thread's part of a number of values, in whole lines. */
static size_t part_of(size_t values, int thread, int of)
{
  const size_t blocks = values / GMG_STREAM_VALUES;
  return blocks * (size_t)thread / (size_t)of * GMG_STREAM_VALUES;
}

/* Keeps sums from being left out. */
static volatile double sink;

static void run_loop(const struct gmg_loops *loops, enum gmg_cpu_rate what, const struct arrays *x,
                     size_t from, size_t values)
{
  switch (what) {
  case GMG_CPU_COPY:
    loops->copy(x->a + from, x->b + from, values);
    break;
  case GMG_CPU_COPY_STREAMING:
    loops->copy_streaming(x->a + from, x->b + from, values);
    break;
  case GMG_CPU_TRIAD:
    loops->triad(x->a + from, x->b + from, x->c + from, values);
    break;
  case GMG_CPU_TRIAD_STREAMING:
    loops->triad_streaming(x->a + from, x->b + from, x->c + from, values);
    break;
  default:
    sink = loops->read(x->a + from, values);
    break;
  }
}

static double bytes_per_value(enum gmg_cpu_rate what)
{
  return what == GMG_CPU_READ                                ? 8
    : what == GMG_CPU_COPY || what == GMG_CPU_COPY_STREAMING ? 16
                                                             : 24;
}

static int exists(const struct gmg_loops *loops, enum gmg_cpu_rate what)
{
  return what == GMG_CPU_COPY_STREAMING ? loops->copy_streaming != NULL
    : what == GMG_CPU_TRIAD_STREAMING   ? loops->triad_streaming != NULL
                                        : 1;
}

static void note(struct bench *bench, enum gmg_cpu_rate what, int cache, int threads, double set,
                 double rate)
{
  struct gmg_cpu_roofs *roofs = bench->roofs;
  if (rate > 0 && roofs->roofs < GMG_CPU_ROOFS)
    roofs->roof[roofs->roofs++] = (struct gmg_cpu_roof){what, cache, threads, set, rate};
}

static void meet(const struct bench *bench)
{
  if (bench->wish->meet)
    bench->wish->meet(bench->wish->user);
}

/* Best rate of one kind from memory: runs over the whole arrays. A read goes over all three, so
 * that every kind touches at least four times the last cache. */
static double from_memory(const struct bench *bench, enum gmg_cpu_rate what, int threads)
{
  const struct arrays *x = &bench->memory;
  const struct arrays each[] = {*x, {.a = x->b}, {.a = x->c}};
  const int sweeps = what == GMG_CPU_READ ? 3 : 1;
  const double bytes = sweeps * bytes_per_value(what) * (double)x->values;
  const double begin = seconds_now();
  double best = 0;
  for (int run = 0; run < MOST_RUNS; run++) {
    double since = 0;
#pragma omp parallel num_threads(threads)
    {
      const int thread = omp_get_thread_num(), of = omp_get_num_threads();
      const size_t from = part_of(x->values, thread, of), to = part_of(x->values, thread + 1, of);
#pragma omp barrier
#pragma omp master
      since = seconds_now();
      for (int n = 0; n < sweeps; n++)
        run_loop(bench->loops, what, &each[n], from, to - from);
    }
    const double rate = bytes / (seconds_now() - since);
    best = rate > best ? rate : best;
    if (run + 1 >= LEAST_RUNS && seconds_now() - begin > bench->slice)
      break;
  }
  return best;
}

/* What the threads of one measurement tell each other. */
struct together {
  double begin, sum, best;
  int runs, over;
};

/* Takes one thread's rate of a run; all threads are here. Returns whether that was the last run. */
static int end_run(const struct bench *bench, struct together *all, double rate)
{
#pragma omp atomic
  all->sum += rate;
#pragma omp barrier
#pragma omp master
  {
    all->best = all->sum > all->best ? all->sum : all->best;
    all->sum = 0;
    all->runs++;
    all->over = all->runs >= LEAST_RUNS && seconds_now() - all->begin > bench->slice;
  }
#pragma omp barrier
  return all->over;
}

/* Sweeps over arrays of a thread's own; returns bytes per second. */
static double sweep(const struct bench *bench, enum gmg_cpu_rate what, const struct arrays *x,
                    size_t sweeps)
{
  const double begin = seconds_now();
  for (size_t n = 0; n < sweeps; n++)
    run_loop(bench->loops, what, x, 0, x->values);
  return (double)sweeps * (double)x->values * bytes_per_value(what) / (seconds_now() - begin);
}

/* Best rate of one kind from a cache, each thread in arrays of its own: `set` bytes of a working
 * set per thread. Returns 0 out of memory. */
static double from_cache(const struct bench *bench, enum gmg_cpu_rate what, int threads, double set)
{
  const int arrays = what == GMG_CPU_READ ? 1 : what == GMG_CPU_COPY ? 2 : 3;
  const size_t values = (size_t)(set / (8 * arrays)) / GMG_STREAM_VALUES * GMG_STREAM_VALUES;
  struct together all = {.begin = seconds_now()};
  int failed = 0;
  if (values == 0)
    return 0;
#pragma omp parallel num_threads(threads) reduction(| : failed)
  {
    /* Arrays are a few lines apart, so that they do not fall on the same sets. */
    const size_t apart = values + 5 * LINE / sizeof(double);
    const size_t bytes = 3 * apart * sizeof(double);
    double *room = aligned_alloc(4096, (bytes / 4096 + 1) * 4096);
    const struct arrays x = {room, room + apart, room + 2 * apart, values};
    size_t sweeps = 1;
    double rate = 0;
    for (size_t n = 0; room && n < 3 * apart; n++)
      room[n] = 1;
    failed = !room;
    for (int tries = 0; room && tries < 2; tries++) { /* the first one finds no data in the cache */
      rate = sweep(bench, what, &x, sweeps);
      sweeps = (size_t)(least_run * rate / ((double)values * bytes_per_value(what))) + 1;
    }
    do
      rate = room ? sweep(bench, what, &x, sweeps) : 0;
    while (!end_run(bench, &all, rate));
    free(room);
  }
  return failed ? 0 : all.best;
}

/* Best rate of multiply-adds. */
static double of_cores(const struct bench *bench, enum gmg_cpu_rate what, int threads)
{
  double (*chains)(size_t rounds, double *result) =
    what == GMG_CPU_FMA_DOUBLE ? bench->loops->fma_double : bench->loops->fma_float;
  struct together all = {.begin = seconds_now()};
#pragma omp parallel num_threads(threads)
  {
    enum { ROUNDS = 50000 }; /* some tenths of a millisecond */
    double result, rate;
    do {
      const double begin = seconds_now();
      rate = chains(ROUNDS, &result) / (seconds_now() - begin);
      sink = result;
    } while (!end_run(bench, &all, rate));
  }
  return all.best;
}

/* What a thread works on to measure a cache: more than the next smaller cache holds, and at most
 * half of this one. */
static double working_set(const struct gmg_caches *caches, int cache)
{
  const double cores = caches->cores, own = caches->all[cache - 1] / cores;
  if (cache == 1 || caches->all[cache - 2] == 0)
    return own / 2;
  const double smaller = caches->all[cache - 2] / cores;
  return fmin(own / 2, fmax(sqrt(own * smaller), 2 * smaller));
}

static void measure_threads(struct bench *bench, int threads)
{
  static const enum gmg_cpu_rate rates[] = {GMG_CPU_COPY, GMG_CPU_TRIAD, GMG_CPU_READ,
                                            GMG_CPU_COPY_STREAMING, GMG_CPU_TRIAD_STREAMING};
  const struct gmg_caches *caches = &bench->roofs->caches;
  for (int cache = 1; cache <= GMG_CACHES; cache++)
    for (int r = 0; r < 3; r++) {
      meet(bench);
      if (caches->all[cache - 1] == 0)
        continue;
      const double set = working_set(caches, cache);
      note(bench, rates[r], cache, threads, set * threads,
           from_cache(bench, rates[r], threads, set));
    }
  for (int r = 0; r < 5; r++) {
    meet(bench);
    if (exists(bench->loops, rates[r]))
      note(bench, rates[r], 0, threads, bench->roofs->memory_arrays,
           from_memory(bench, rates[r], threads));
  }
  for (enum gmg_cpu_rate rate = GMG_CPU_FMA_DOUBLE; rate <= GMG_CPU_FMA_FLOAT; rate++) {
    meet(bench);
    note(bench, rate, 0, threads, 0, of_cores(bench, rate, threads));
  }
}

static double rate_of(const struct gmg_cpu_roofs *roofs, enum gmg_cpu_rate what, int cache,
                      int threads)
{
  for (int n = 0; n < roofs->roofs; n++)
    if (roofs->roof[n].what == what && roofs->roof[n].cache == cache
        && roofs->roof[n].threads == threads)
      return roofs->roof[n].rate;
  return 0;
}

/* Best rate of reading the first bytes of the arrays in memory again and again. */
static double read_again(const struct bench *bench, double bytes, int threads)
{
  const size_t values = (size_t)(bytes / sizeof(double));
  const double begin = seconds_now();
  double best = 0;
  for (int run = 0; run < MOST_RUNS; run++) {
    double since = 0;
#pragma omp parallel num_threads(threads)
    {
      const int thread = omp_get_thread_num(), of = omp_get_num_threads();
      const size_t from = part_of(values, thread, of), to = part_of(values, thread + 1, of);
#pragma omp barrier
#pragma omp master
      since = seconds_now();
      run_loop(bench->loops, GMG_CPU_READ, &bench->memory, from, to - from);
    }
    const double rate = (double)values * sizeof(double) / (seconds_now() - since);
    best = run > 0 && rate > best ? rate : best;
    if (run >= LEAST_RUNS && seconds_now() - begin > bench->slice)
      break;
  }
  return best;
}

/* How much of the last cache this process has: others of the machine, and other guests of its
 * host, may take the rest. A working set whose part p comes from the cache is read in p times the
 * cache's time and 1 - p times memory's; the largest part that explains any set's rate counts. */
static void find_useful(struct bench *bench)
{
  struct gmg_cpu_roofs *roofs = bench->roofs;
  const int threads = bench->wish->threads;
  const double near = rate_of(roofs, GMG_CPU_READ, GMG_CACHES, threads),
               far = rate_of(roofs, GMG_CPU_READ, 0, threads),
               all = roofs->caches.all[GMG_CACHES - 1];
  double most = 0;
  meet(bench);
  if (all == 0 || near < 1.2 * far)
    return;
  most = working_set(&roofs->caches, GMG_CACHES) * threads; /* which came at the cache's rate */
  for (double bytes = fmin(all, 8 * (double)bench->memory.values);
       bytes > roofs->caches.all[GMG_CACHES - 2] && bytes > most; bytes *= 0.7) {
    const double part =
      (1 / far - 1 / fmin(read_again(bench, bytes, threads), near)) / (1 / far - 1 / near);
    most = part * bytes > most ? part * bytes : most;
  }
  roofs->useful = most;
}

/* The arrays in memory, each of twice the last cache, first touched by the threads that use them.
 * Returns -1 out of memory. */
static int take_arrays(struct bench *bench, void **room, size_t *bytes)
{
  enum { PAGE = 2 << 20, LEAST = 48 << 20, IF_UNKNOWN = 64 << 20 };
  struct gmg_cpu_roofs *roofs = bench->roofs;
  const struct gmg_caches *caches = &roofs->caches;
  double last = 0;
  for (int n = 0; n < GMG_CACHES; n++)
    last = caches->machine[n] > last ? caches->machine[n] : last;
  const double wanted = fmax(6 * (last > 0 ? last : IF_UNKNOWN), LEAST),
               most = fmax(caches->free_memory / 4 / bench->wish->sharers, LEAST);
  roofs->bounded = wanted > most;
  const size_t values = (size_t)(fmin(wanted, most) / (3 * PAGE)) * (PAGE / sizeof(double));
  *bytes = 3 * (values * sizeof(double) + PAGE);
  *room = mmap(NULL, *bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (*room == MAP_FAILED)
    return -1;
#ifdef MADV_HUGEPAGE
  madvise(*room, *bytes, MADV_HUGEPAGE);
#endif
  double *first = *room;
  const size_t apart = values + PAGE / sizeof(double) / 3 / LINE * LINE;
  bench->memory = (struct arrays){first, first + apart, first + 2 * apart, values};
  roofs->memory_arrays = 3 * sizeof(double) * (double)values;
#pragma omp parallel num_threads(bench->wish->threads)
  {
    const int thread = omp_get_thread_num(), of = omp_get_num_threads();
    const size_t from = part_of(values, thread, of), to = part_of(values, thread + 1, of);
    double *const array[] = {bench->memory.a, bench->memory.b, bench->memory.c};
    for (int n = 0; n < 3; n++)
      for (size_t m = from; m < to; m++)
        array[n][m] = n;
  }
  return 0;
}

int gmg_cpu_roofs_measure(const struct gmg_cpu_wish *wish, struct gmg_cpu_roofs *roofs)
{
  enum { MEASUREMENTS = 3 * GMG_CACHES + 5 + 2 + 1 };
  struct bench bench = {.wish = wish, .roofs = roofs, .loops = gmg_loops_best()};
  void *room;
  size_t bytes;
  int counts = 1;
  memset(roofs, 0, sizeof *roofs);
  roofs->loops = bench.loops->name;
  gmg_caches_find(&roofs->caches);
  for (int t = 1; t < wish->threads && !wish->few; t *= 2)
    counts++;
  bench.slice = wish->seconds / (counts * MEASUREMENTS);
  if (take_arrays(&bench, &room, &bytes)) {
    for (int n = 0; n < MEASUREMENTS && wish->few; n++)
      meet(&bench); /* others wait there */
    return -1;
  }
  for (int t = 1; t < wish->threads && !wish->few; t *= 2)
    measure_threads(&bench, t);
  measure_threads(&bench, wish->threads);
  find_useful(&bench);
  munmap(room, bytes);
  return 0;
}
