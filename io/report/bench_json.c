#include "bench_json.h"

#include <math.h>
#include <string.h>

#include "bench_bound.h"
#include "common/parallel.h"
#include "json.h"
#include "config.h"
#include "problem/options.h"

static json_t *roofs_of(const gmg_roofs *roofs)
{
  json_t *list = json_array();
  for (int n = 0; n < roofs->roofs; n++) {
    const gmg_roof *roof = &roofs->roof[n];
    json_t *one =
      json_pack("{s:s, s:s, s:i, s:i}", "backend", roof->backend, "kind", gmg_roof_text(roof->kind),
                "cache", roof->cache, "threads", roof->threads);
    put_number(one, "working_set", roof->working_set);
    put_number(one, roof->kind >= GMG_ROOF_LAUNCH ? "seconds" : "rate", roof->rate);
    json_array_append_new(list, one);
  }
  return list;
}

static json_t *machine_of(const struct bench *bench, gmg_context *context)
{
  const gmg_roofs *roofs = bench->roofs;
  json_t *machine = json_object(), *caches = json_array(), *nominal = json_array();
  int found;
  int gpu = 0;
  for (int n = 0; n < roofs->roofs; n++)
    gpu |= strcmp(roofs->roof[n].backend, "openmp") != 0;
  const char *device = gpu ? gmg_context_device(context, &found) : NULL;
  for (int n = 0; n < 3; n++) {
    json_array_append_new(caches, json_number(roofs->cache_bytes[n]));
    json_array_append_new(nominal, json_number(roofs->nominal_cache_bytes[n]));
  }
  put_whole(machine, "ranks", bench->ranks);
  put_whole(machine, "threads", bench->threads);
  put_text(machine, "instruction_set", gmg_context_isa(context));
  put_text(machine, "roof_instructions", roofs->instructions);
  put(machine, "cache_bytes", caches);
  put(machine, "nominal_cache_bytes", nominal);
  put_number(machine, "memory_arrays", roofs->memory_arrays);
  put_flag(machine, "bounded", roofs->bounded);
  if (device) {
    put_text(machine, "device", device);
    put_number(machine, "device_cache", roofs->device_cache);
  }
  if (roofs->device_note[0])
    put_text(machine, "device_note", roofs->device_note);
  return machine;
}

static json_t *kernel_of(const struct bench_kernel *kernel, const char *name)
{
  json_t *one = json_pack("{s:s, s:s, s:i}", "name", name, "variant", kernel->variant, "bits",
                          kernel->bits ? kernel->bits : 64);
  if (kernel->backend[0])
    put_text(one, "backend", kernel->backend);
  put_number(one, "calls", kernel->calls);
  put_number(one, "seconds", kernel->seconds);
  put_number(one, "bytes", kernel->bytes);
  put_number(one, "moved_bytes", kernel->moved);
  put_number(one, "flops", kernel->flops);
  put_number(one, "fused_calls", kernel->fused);
  put_number(one, "touched_bytes", kernel->touched);
  put_number(one, "bound_seconds", kernel->bound.seconds);
  put_text(one, "bound", kernel->bound.name);
  put_number(one, "share", bench_share(&kernel->bound, kernel->seconds));
  return one;
}

static json_t *level_of(const struct bench_level *level)
{
  json_t *kernels = json_array(), *one = json_object();
  for (int n = 0; n < level->kernels; n++)
    json_array_append_new(kernels, kernel_of(&level->kernel[n], level->kernel[n].name));
  put(one, "cells", json_three(level->cells));
  put_whole(one, "boxes", level->boxes);
  put_whole(one, "ranks", level->ranks);
  put_text(one, "backend", level->backend);
  put_flag(one, "passes", level->passes);
  if (level->choice[0])
    put_text(one, "choice", level->choice);
  if (level->unfused_reason[0])
    put_text(one, "unfused_reason", level->unfused_reason);
  put(one, "all", kernel_of(&level->all, "all"));
  put_number(one, "exchange_seconds", level->exchanges.seconds);
  put_number(one, "exchange_calls", level->exchanges.calls);
  put(one, "kernels", kernels);
  return one;
}

static json_t *solve_of(const struct bench *bench)
{
  const gmg_result *result = &bench->result;
  json_t *solve = json_pack("{s:s, s:i, s:i}", "status", gmg_outcome_text(result->outcome),
                            "cycles", result->cycles, "repeats", bench->repeats);
  const double known = result->kernel_seconds + result->exchange_seconds + result->waiting_seconds;
  put_number(solve, "seconds", result->solve_seconds);
  put_number(solve, "median_seconds", bench->median_seconds);
  put_number(solve, "slowest_seconds", bench->slowest_seconds);
  put_number(solve, "setup_seconds", result->setup_seconds);
  put_number(solve, "kernel_seconds", result->kernel_seconds);
  put_number(solve, "exchange_seconds", result->exchange_seconds);
  put_number(solve, "waiting_seconds", result->waiting_seconds);
  put_number(solve, "host_seconds", fmax(result->solve_seconds - known, 0));
  put_number(solve, "bound_seconds", bench->all.bound.seconds);
  put_text(solve, "bound", bench->all.bound.name);
  put_number(solve, "share", bench_share(&bench->all.bound, result->solve_seconds));
  put_number(solve, "moved_bytes", bench->all.moved);
  put_number(solve, "flops", bench->all.flops);
  put_flag(solve, "kernels_timed_apart", bench->timed_apart);
  return solve;
}

int bench_json_write(const struct output *output, const struct bench_document *document,
                     struct failure *failure)
{
  const struct bench *bench = document->bench;
  if (parallel_rank() == 0) {
    json_t *root = json_object(), *levels = json_array();
    for (int l = 0; l < bench->levels; l++)
      json_array_append_new(levels, level_of(&bench->level[l]));
    put_text(root, "format", "gmg-bench");
    put_whole(root, "version", 1);
    put_text(root, "gmg", GMG_VERSION);
    put(root, "problem",
        json_pack("{s:s, s:o}", "name", document->name, "cells",
                  json_three(document->problem->cells)));
    put(root, "options", json_options(document->solver));
    put(root, "machine", machine_of(bench, document->context));
    put(root, "roofs", roofs_of(bench->roofs));
    put(root, "solve", solve_of(bench));
    put(root, "levels", levels);
    put(root, "fallbacks", json_fallbacks(document->solver));
    json_write(output, root, 10, failure);
  }
  return parallel_agree(failure);
}
