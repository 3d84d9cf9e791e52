#include "bench_bound.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CACHES = 3, WINDOW_CACHE = 2 };

static int is_traffic(gmg_roof_kind kind)
{
  return kind < GMG_ROOF_FMA_DOUBLE;
}

/* The fastest roof with the most threads that `wanted` takes. */
static double best(const gmg_roofs *roofs, const char *backend, int cache,
                   int (*wanted)(gmg_roof_kind kind), gmg_roof_kind *kind)
{
  double rate = 0;
  int threads = 0;
  for (int n = 0; n < roofs->roofs; n++) {
    const gmg_roof *roof = &roofs->roof[n];
    if (strcmp(roof->backend, backend) != 0 || roof->cache != cache || !wanted(roof->kind))
      continue;
    if (roof->threads > threads) {
      threads = roof->threads;
      rate = 0;
    }
    if (roof->threads == threads && roof->rate > rate) {
      rate = roof->rate;
      if (kind)
        *kind = roof->kind;
    }
  }
  return rate;
}

double bench_roof_bytes(const gmg_roofs *roofs, const char *backend, int cache, gmg_roof_kind *kind)
{
  return best(roofs, backend, cache, is_traffic, kind);
}

static int is_double(gmg_roof_kind kind)
{
  return kind == GMG_ROOF_FMA_DOUBLE;
}

static int is_float(gmg_roof_kind kind)
{
  return kind == GMG_ROOF_FMA_FLOAT;
}

double bench_roof_flops(const gmg_roofs *roofs, const char *backend, int bits)
{
  return best(roofs, backend, 0, bits == 32 ? is_float : is_double, NULL);
}

static double cache_bytes(const gmg_roofs *roofs, const char *backend, int cache)
{
  if (strcmp(backend, "openmp") == 0)
    return roofs->cache_bytes[cache - 1];
  return cache == WINDOW_CACHE ? roofs->device_cache : 0;
}

double bench_bandwidth(const gmg_roofs *roofs, const char *backend, double working_set,
                       char name[BENCH_BOUND_NAME])
{
  double seconds = 0, most = 0, held = 0;
  name[0] = 0;
  for (int place = 1; place <= CACHES + 1; place++) {
    const int cache = place > CACHES ? 0 : place;
    const double rate = bench_roof_bytes(roofs, backend, cache, NULL),
                 room = cache ? cache_bytes(roofs, backend, cache) : INFINITY,
                 part = fmin(room, working_set) - held;
    if (rate <= 0 || part <= 0)
      continue;
    held += part;
    seconds += part / rate;
    if (part / rate > most) {
      most = part / rate;
      snprintf(name, BENCH_BOUND_NAME, cache ? "L%d" : "memory", cache);
    }
  }
  return seconds > 0 ? working_set / seconds : 0;
}

static void take_longer(struct bench_bound *bound, double seconds, const char *name)
{
  if (seconds > bound->seconds) {
    bound->seconds = seconds;
    snprintf(bound->name, sizeof bound->name, "%s", name);
  }
}

/* The part of the machine's rates that a level's ranks have. */
static double part_of_machine(const struct bench *bench, const struct bench_level *level)
{
  return level->ranks > 0 && level->ranks < bench->ranks ? (double)level->ranks / bench->ranks : 1;
}

/* From one kernel to the next, as solves launch them; 0 on the CPU. */
static double launch_seconds(const gmg_roofs *roofs, const char *backend)
{
  for (int n = 0; n < roofs->roofs; n++)
    if (roofs->roof[n].kind == GMG_ROOF_GRAPH_LAUNCH
        && strcmp(roofs->roof[n].backend, backend) == 0)
      return roofs->roof[n].rate;
  return 0;
}

/* A kernel's bound; adds to the level's sweeps what they move at least. */
static void bound_kernel(const struct bench *bench, const struct bench_level *level,
                         struct bench_kernel *kernel, struct bench_bound *sweeps)
{
  const double part = part_of_machine(bench, level),
               fused = kernel->calls > 0 ? kernel->fused / kernel->calls : 0;
  char place[BENCH_BOUND_NAME], window[BENCH_BOUND_NAME];
  const double rate =
    part * bench_bandwidth(bench->roofs, kernel->backend, kernel->touched / part, place);
  const double second = part * bench_roof_bytes(bench->roofs, kernel->backend, WINDOW_CACHE, NULL);
  const double near = fmax(rate, second); /* all of a small level is in the first cache */
  const double flops = part * bench_roof_flops(bench->roofs, kernel->backend, kernel->bits);
  /* Alone it moves its compulsory bytes; in a sweep with others the sweep's are counted. */
  const double alone = rate > 0 ? (1 - fused) * fmin(kernel->bytes, kernel->moved) / rate : 0,
               inside = near > 0 ? fused * kernel->bytes / near : 0;
  kernel->bound = (struct bench_bound){0};
  if (second > rate)
    snprintf(window, sizeof window, "L%d", WINDOW_CACHE);
  else
    memcpy(window, place, sizeof window);
  take_longer(&kernel->bound, alone + inside, alone >= inside ? place : window);
  take_longer(&kernel->bound, flops > 0 ? kernel->flops / flops : 0, "fma");
  if (!level->tail)
    take_longer(&kernel->bound,
                (kernel->calls - kernel->fused / 2) * launch_seconds(bench->roofs, kernel->backend),
                "launch");
  const double moved = rate > 0
    ? (fused * kernel->moved + (1 - fused) * fmin(kernel->bytes, kernel->moved)) / rate
    : 0;
  if (moved > 0 && (sweeps->name[0] == 0 || moved > sweeps->seconds / 2))
    snprintf(sweeps->name, sizeof sweeps->name, "%s", place);
  sweeps->seconds += moved;
}

void bench_bounds(struct bench *bench)
{
  double longest = 0;
  bench->all.bound = (struct bench_bound){0};
  for (int l = 0; l < bench->levels; l++) {
    struct bench_level *level = &bench->level[l];
    struct bench_bound sweeps = {0}, single = {0};
    for (int n = 0; n < level->kernels; n++) {
      struct bench_kernel *kernel = &level->kernel[n];
      bound_kernel(bench, level, kernel, &sweeps);
      if (kernel->bound.seconds > single.seconds / 2)
        memcpy(single.name, kernel->bound.name, sizeof single.name);
      single.seconds += kernel->bound.seconds;
    }
    level->all.bound = single;
    take_longer(&level->all.bound, sweeps.seconds, sweeps.name);
    bench->all.bound.seconds += level->all.bound.seconds;
    if (level->all.bound.seconds > longest) {
      longest = level->all.bound.seconds;
      memcpy(bench->all.bound.name, level->all.bound.name, sizeof bench->all.bound.name);
    }
  }
}

double bench_share(const struct bench_bound *bound, double seconds)
{
  return seconds > 0 ? bound->seconds / seconds : 0;
}
