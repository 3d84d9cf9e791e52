#include "bench_data.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/parallel.h"

int bench_sample_take(const gmg_solver *solver, struct bench_sample *sample)
{
  *sample = (struct bench_sample){.levels = gmg_solver_levels(solver)};
  if (sample->levels > BENCH_LEVELS_MOST)
    sample->levels = BENCH_LEVELS_MOST;
  for (int l = 0; l < sample->levels; l++) {
    const int kernels = sample->kernels[l] = gmg_solver_kernels(solver, l);
    sample->info[l] = calloc((size_t)kernels + 1, sizeof *sample->info[l]);
    if (!sample->info[l])
      return -1;
    for (int n = 0; n < kernels; n++)
      gmg_solver_kernel_info(solver, l, n, &sample->info[l][n]);
  }
  return 0;
}

void bench_sample_clear(struct bench_sample *sample)
{
  for (int l = 0; l < sample->levels; l++)
    free(sample->info[l]);
  *sample = (struct bench_sample){0};
}

/* One rank's kernels of a level that ran between two samples. */
static json_t *kernels_between(const struct bench_sample *before, const struct bench_sample *after,
                               int level)
{
  json_t *kernels = json_array();
  for (int n = 0; n < after->kernels[level]; n++) {
    const gmg_kernel_info none = {0}, *to = &after->info[level][n],
                          *from = n < before->kernels[level] ? &before->info[level][n] : &none;
    if (to->calls == from->calls)
      continue;
    json_array_append_new(
      kernels,
      json_pack("{s:s, s:s, s:s, s:i, s:f, s:f, s:f, s:f, s:f, s:f, s:f}", "name", to->name,
                "variant", to->variant ? to->variant : "", "backend", to->backend, "bits", to->bits,
                "seconds", to->seconds - from->seconds, "calls", (double)(to->calls - from->calls),
                "bytes", to->bytes - from->bytes, "moved", to->moved - from->moved, "flops",
                to->flops - from->flops, "fused", (double)(to->fused - from->fused), "touched",
                to->touched));
  }
  return kernels;
}

static struct bench_kernel *kernel_named(struct bench_level *level, const char *name,
                                         const char *variant, int bits)
{
  if (strcmp(name, "exchange") == 0)
    return &level->exchanges;
  for (int n = 0; n < level->kernels; n++) {
    struct bench_kernel *kernel = &level->kernel[n];
    if (strcmp(kernel->name, name) == 0 && strcmp(kernel->variant, variant) == 0
        && kernel->bits == bits)
      return kernel;
  }
  return level->kernels < BENCH_KERNELS_MOST ? &level->kernel[level->kernels++] : NULL;
}

static void raise_to(double *most, double value)
{
  *most = value > *most ? value : *most;
}

static void merge_kernel(struct bench_level *level, json_t *from)
{
  const char *name, *variant, *backend;
  double seconds, calls, bytes, moved, flops, fused, touched;
  int bits;
  if (json_unpack(from, "{s:s, s:s, s:s, s:i, s:F, s:F, s:F, s:F, s:F, s:F, s:F}", "name", &name,
                  "variant", &variant, "backend", &backend, "bits", &bits, "seconds", &seconds,
                  "calls", &calls, "bytes", &bytes, "moved", &moved, "flops", &flops, "fused",
                  &fused, "touched", &touched))
    return;
  struct bench_kernel *kernel = kernel_named(level, name, variant, bits);
  if (!kernel)
    return;
  snprintf(kernel->name, sizeof kernel->name, "%s", name);
  snprintf(kernel->variant, sizeof kernel->variant, "%s", variant);
  snprintf(kernel->backend, sizeof kernel->backend, "%s", backend);
  kernel->bits = bits;
  raise_to(&kernel->seconds, seconds);
  raise_to(&kernel->calls, calls);
  kernel->bytes += bytes;
  kernel->moved += moved;
  kernel->flops += flops;
  raise_to(&kernel->fused, fused);
  kernel->touched += touched;
}

/* Takes one rank's kernels; parallel_gather calls it on rank 0. */
static void merge_rank(void *user, int rank, const char *text)
{
  struct bench *bench = user;
  json_t *levels = json_loads(text, 0, NULL), *kernels, *kernel;
  size_t l, n;
  (void)rank;
  json_array_foreach(levels, l, kernels)
  {
    json_array_foreach(kernels, n, kernel)
    {
      if (l < (size_t)bench->levels)
        merge_kernel(&bench->level[l], kernel);
    }
  }
  json_decref(levels);
}

static void describe(const gmg_solver *solver, int l, struct bench_level *level)
{
  gmg_level_info info;
  if (gmg_solver_level_info(solver, l, &info) != GMG_OK)
    return;
  memcpy(level->cells, info.cells, sizeof level->cells);
  level->boxes = info.boxes;
  level->ranks = info.ranks;
  level->passes = !info.unfused_reason;
  level->tail = info.tail;
  snprintf(level->backend, sizeof level->backend, "%s", info.backend);
  snprintf(level->unfused_reason, sizeof level->unfused_reason, "%s",
           info.unfused_reason ? info.unfused_reason : "");
  snprintf(level->choice, sizeof level->choice, "%s", info.choice ? info.choice : "");
}

static void add_up(struct bench_kernel *all, const struct bench_kernel *one)
{
  all->seconds += one->seconds;
  all->calls += one->calls;
  all->bytes += one->bytes;
  all->moved += one->moved;
  all->flops += one->flops;
  all->fused += one->fused;
  raise_to(&all->touched, one->touched);
}

static int by_seconds(const void *a, const void *b)
{
  const struct bench_kernel *one = a, *other = b;
  return (one->seconds < other->seconds) - (one->seconds > other->seconds);
}

int bench_gather(const gmg_solver *solver, const struct bench_sample *before,
                 const struct bench_sample *after, struct bench *bench, struct failure *failure)
{
  json_t *mine = json_array();
  bench->levels = after->levels;
  bench->level = calloc((size_t)after->levels, sizeof *bench->level);
  for (int l = 0; l < after->levels; l++)
    json_array_append_new(mine, kernels_between(before, after, l));
  char *text = json_dumps(mine, JSON_COMPACT | JSON_REAL_PRECISION(17));
  json_decref(mine);
  if (!bench->level || !text)
    failure_memory(failure, (double)after->levels * sizeof *bench->level, "the table of levels");
  if (!parallel_agree(failure)) {
    for (int l = 0; l < bench->levels; l++)
      describe(solver, l, &bench->level[l]);
    parallel_gather(text, merge_rank, bench);
  }
  free(text);
  for (int l = 0; l < bench->levels && !failure->status; l++) {
    struct bench_level *level = &bench->level[l];
    qsort(level->kernel, (size_t)level->kernels, sizeof level->kernel[0], by_seconds);
    for (int n = 0; n < level->kernels; n++)
      add_up(&level->all, &level->kernel[n]);
    add_up(&bench->all, &level->all);
  }
  return failure->status;
}

void bench_clear(struct bench *bench)
{
  free(bench->level);
  bench->level = NULL;
}
