#include "bench_table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench_bound.h"
#include "common/parallel.h"
#include "system/bytes.h"

enum { PLACES = 4 };

static double rate_of(const gmg_roofs *roofs, const char *backend, gmg_roof_kind kind, int cache,
                      int threads)
{
  for (int n = 0; n < roofs->roofs; n++) {
    const gmg_roof *roof = &roofs->roof[n];
    if (strcmp(roof->backend, backend) == 0 && roof->kind == kind && roof->cache == cache
        && roof->threads == threads)
      return roof->rate;
  }
  return 0;
}

/* One number of threads: the patterns from one place. */
static void print_place(const struct progress *progress, const gmg_roofs *roofs,
                        const char *backend, int cache, int threads)
{
  char line[200], name[20], size[40] = "";
  const double bytes = cache == 0  ? roofs->memory_arrays
    : strcmp(backend, "cuda") == 0 ? roofs->device_cache
                                   : roofs->cache_bytes[cache - 1];
  snprintf(name, sizeof name, cache ? "L%d" : "memory", cache);
  if (cache)
    gmg_bytes_text(bytes, size, sizeof size);
  int used = snprintf(line, sizeof line, "  %7d  %-6s %10s", threads, name, size), any = 0;
  for (gmg_roof_kind kind = GMG_ROOF_COPY; kind <= GMG_ROOF_TRIAD_STREAMING; kind++) {
    const double rate = rate_of(roofs, backend, kind, cache, threads);
    any |= rate > 0;
    used += rate > 0 ? snprintf(line + used, sizeof line - (size_t)used, "  %9.1f", 1e-9 * rate)
                     : snprintf(line + used, sizeof line - (size_t)used, "  %9s", "-");
  }
  if (any)
    progress_line(progress, "%s", line);
}

static void print_threads(const struct progress *progress, const gmg_roofs *roofs,
                          const char *backend, int threads)
{
  for (int place = 1; place <= PLACES; place++)
    print_place(progress, roofs, backend, place % PLACES, threads);
  const double real = rate_of(roofs, backend, GMG_ROOF_FMA_DOUBLE, 0, threads),
               single = rate_of(roofs, backend, GMG_ROOF_FMA_FLOAT, 0, threads);
  if (real > 0)
    progress_line(progress, "  %7d  multiply-adds: %.1f Gflop/s in double, %.1f in float", threads,
                  1e-9 * real, 1e-9 * single);
}

static void print_times(const struct progress *progress, const gmg_roofs *roofs)
{
  for (int n = 0; n < roofs->roofs; n++) {
    const gmg_roof *roof = &roofs->roof[n];
    if (roof->kind == GMG_ROOF_COPY_DRIVER)
      progress_line(progress, "  the driver's copy from the GPU's memory to its memory: %.1f GB/s",
                    1e-9 * roof->rate);
    if (roof->kind >= GMG_ROOF_LAUNCH)
      progress_line(progress, "  %-14s %.2f us", gmg_roof_text(roof->kind), 1e6 * roof->rate);
  }
}

static void print_backend(const struct progress *progress, const gmg_roofs *roofs,
                          const char *backend, const char *what)
{
  int last = 0;
  for (int n = 0; n < roofs->roofs; n++)
    if (strcmp(roofs->roof[n].backend, backend) == 0 && roofs->roof[n].threads != last) {
      if (last == 0)
        progress_line(progress, "  %7s  %-6s %10s  %9s  %9s  %9s  %9s  %9s", what, "from", "",
                      "copy", "triad", "read", "copy, str", "triad, str");
      last = roofs->roof[n].threads;
      print_threads(progress, roofs, backend, last);
    }
}

void bench_table_roofs(const struct progress *progress, const gmg_roofs *roofs)
{
  char size[40];
  gmg_bytes_text(roofs->memory_arrays, size, sizeof size);
  progress_line(progress,
                "\nroofs      GB/s, counted as STREAM counts; %s loops; str: by stores past the "
                "caches; memory: arrays of %s%s",
                roofs->instructions, size,
                roofs->bounded ? ", less than four times the last cache, since no more is free"
                               : "");
  print_backend(progress, roofs, "openmp", "threads");
  if (roofs->cache_bytes[2] < 0.9 * roofs->nominal_cache_bytes[2]) {
    char nominal[40];
    gmg_bytes_text(roofs->nominal_cache_bytes[2], nominal, sizeof nominal);
    gmg_bytes_text(roofs->cache_bytes[2], size, sizeof size);
    progress_line(progress,
                  "  of the third-level cache's %s this process found %s: others use the rest",
                  nominal, size);
  }
  print_backend(progress, roofs, "cuda", "GPUs");
  print_times(progress, roofs);
  if (roofs->device_note[0])
    progress_line(progress, "note       %s", roofs->device_note);
}

static double giga(double amount, double seconds)
{
  return seconds > 0 ? 1e-9 * amount / seconds : 0;
}

static void share_text(const struct bench_bound *bound, double seconds, char text[12])
{
  const double share = bench_share(bound, seconds);
  if (share > 0)
    snprintf(text, 12, "%5.1f %%", 100 * share);
  else
    snprintf(text, 12, "-");
}

/* level: of which the kernel is one; NULL: it is a sum of several. */
static void print_row(const struct progress *progress, const char *name,
                      const struct bench_kernel *kernel, const struct bench_level *level)
{
  char share[12], rest[60];
  const int apart = level && strcmp(kernel->backend, level->backend) != 0;
  share_text(&kernel->bound, kernel->seconds, share);
  snprintf(rest, sizeof rest, "%s%s%s%s", kernel->variant, kernel->bits == 32 ? " float" : "",
           apart ? " by " : "", apart ? kernel->backend : "");
  progress_line(progress, "  %-32s %7.0f %10.3f %10.4f %10.4f %8.1f %8.1f  %-7s %8s  %s", name,
                kernel->calls, 1e3 * kernel->seconds, 1e-9 * kernel->bytes, 1e-9 * kernel->moved,
                giga(level ? kernel->bytes : kernel->moved, kernel->seconds),
                giga(kernel->flops, kernel->seconds), kernel->bound.name, share, rest);
}

static void print_level(const struct progress *progress, const struct bench *bench, int l)
{
  const struct bench_level *level = &bench->level[l];
  char name[80];
  progress_line(
    progress, "level %d, %d x %d x %d cells, %d box%s, %d rank%s, %s%s%s", l, level->cells[0],
    level->cells[1], level->cells[2], level->boxes, level->boxes == 1 ? "" : "es", level->ranks,
    level->ranks == 1 ? "" : "s", level->backend,
    level->passes ? ", kernels fused in passes" : ", one by one: ", level->unfused_reason);
  if (level->choice[0])
    progress_line(progress, "  wisdom chose %s", level->choice);
  for (int n = 0; n < level->kernels; n++)
    print_row(progress, level->kernel[n].name, &level->kernel[n], level);
  snprintf(name, sizeof name, "%s", level->kernels ? "= all of them" : "(nothing ran)");
  print_row(progress, name, &level->all, NULL);
  if (level->exchanges.calls > 0)
    progress_line(progress, "  %-32s %7.0f %10.3f", "exchanges", level->exchanges.calls,
                  1e3 * level->exchanges.seconds);
}

static void print_split(const struct progress *progress, const struct bench *bench)
{
  const gmg_result *result = &bench->result;
  const double solve = result->solve_seconds,
               rest = solve - result->kernel_seconds - result->exchange_seconds
    - result->waiting_seconds;
  const struct {
    const char *what;
    double seconds;
  } part[] = {{"kernels", result->kernel_seconds},
              {"exchanges", result->exchange_seconds},
              {"waiting for ranks or the GPU", result->waiting_seconds},
              {"other work of the host", fmax(rest, 0)}};
  progress_line(progress,
                "\nsolve      %.4f s, %d cycles, %s; the fastest of %d (median %.4f, slowest %.4f)",
                solve, result->cycles, gmg_outcome_text(result->outcome), bench->repeats,
                bench->median_seconds, bench->slowest_seconds);
  for (size_t n = 0; n < sizeof part / sizeof *part; n++)
    progress_line(progress, "  %-32s %10.3f ms  %5.1f %%", part[n].what, 1e3 * part[n].seconds,
                  solve > 0 ? 100 * part[n].seconds / solve : 0);
}

void bench_table_solve(const struct progress *progress, const struct bench *bench)
{
  const struct bench_kernel *all = &bench->all;
  progress_line(progress, "\n  %-32s %7s %10s %10s %10s %8s %8s  %-7s %8s  %s", "kernel", "calls",
                "ms", "GB", "GB moved", "GB/s", "Gflop/s", "bound", "of it", "variant");
  for (int l = 0; l < bench->levels; l++)
    print_level(progress, bench, l);
  print_row(progress, "all levels", all, NULL);
  progress_line(progress,
                "\nGB: compulsory, each kernel's values once; GB moved: counted, of sweeps that "
                "kernels share once for all\nof them. GB/s is of the first, in sums of the second. "
                "of it: part of the speed at the roof that binds.");
  if (bench->timed_apart)
    progress_line(progress,
                  "The kernels' times are those of a solve that launched them one by one, which is "
                  "slower than the solve below.");
  print_split(progress, bench);
  progress_line(progress,
                "bound      %.4f s: the bytes and operations of all levels at the roofs, mostly "
                "%s; the solve reaches %.1f %% of that speed",
                all->bound.seconds, all->bound.name[0] ? all->bound.name : "of nothing known",
                100 * bench_share(&all->bound, bench->result.solve_seconds));
}
