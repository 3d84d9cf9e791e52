#include "bench_json.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

#include "bench_bound.h"
#include "common/parallel.h"
#include "config.h"
#include "problem/options.h"

/* JSON knows no NaN and no infinity. */
static json_t *number(double value)
{
  return isfinite(value) ? json_real(value) : json_null();
}

static void put(json_t *object, const char *name, double value)
{
  json_object_set_new(object, name, number(value));
}

static json_t *three(const int *values)
{
  return json_pack("[i, i, i]", values[0], values[1], values[2]);
}

static json_t *roofs_of(const gmg_roofs *roofs)
{
  json_t *list = json_array();
  for (int n = 0; n < roofs->roofs; n++) {
    const gmg_roof *roof = &roofs->roof[n];
    json_t *one =
      json_pack("{s:s, s:s, s:i, s:i}", "backend", roof->backend, "kind", gmg_roof_text(roof->kind),
                "cache", roof->cache, "threads", roof->threads);
    put(one, "working_set", roof->working_set);
    put(one, roof->kind >= GMG_ROOF_LAUNCH ? "seconds" : "rate", roof->rate);
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
    json_array_append_new(caches, number(roofs->cache_bytes[n]));
    json_array_append_new(nominal, number(roofs->nominal_cache_bytes[n]));
  }
  json_object_set_new(machine, "ranks", json_integer(bench->ranks));
  json_object_set_new(machine, "threads", json_integer(bench->threads));
  json_object_set_new(machine, "instruction_set", json_string(gmg_context_isa(context)));
  json_object_set_new(machine, "roof_instructions", json_string(roofs->instructions));
  json_object_set_new(machine, "cache_bytes", caches);
  json_object_set_new(machine, "nominal_cache_bytes", nominal);
  put(machine, "memory_arrays", roofs->memory_arrays);
  json_object_set_new(machine, "bounded", json_boolean(roofs->bounded));
  if (device) {
    json_object_set_new(machine, "device", json_string(device));
    put(machine, "device_cache", roofs->device_cache);
  }
  if (roofs->device_note[0])
    json_object_set_new(machine, "device_note", json_string(roofs->device_note));
  return machine;
}

static json_t *kernel_of(const struct bench_kernel *kernel, const char *name)
{
  json_t *one = json_pack("{s:s, s:s, s:i}", "name", name, "variant", kernel->variant, "bits",
                          kernel->bits ? kernel->bits : 64);
  if (kernel->backend[0])
    json_object_set_new(one, "backend", json_string(kernel->backend));
  put(one, "calls", kernel->calls);
  put(one, "seconds", kernel->seconds);
  put(one, "bytes", kernel->bytes);
  put(one, "moved_bytes", kernel->moved);
  put(one, "flops", kernel->flops);
  put(one, "fused_calls", kernel->fused);
  put(one, "touched_bytes", kernel->touched);
  put(one, "bound_seconds", kernel->bound.seconds);
  json_object_set_new(one, "bound", json_string(kernel->bound.name));
  put(one, "share", bench_share(&kernel->bound, kernel->seconds));
  return one;
}

static json_t *level_of(const struct bench_level *level)
{
  json_t *kernels = json_array(), *one = json_object();
  for (int n = 0; n < level->kernels; n++)
    json_array_append_new(kernels, kernel_of(&level->kernel[n], level->kernel[n].name));
  json_object_set_new(one, "cells", three(level->cells));
  json_object_set_new(one, "boxes", json_integer(level->boxes));
  json_object_set_new(one, "ranks", json_integer(level->ranks));
  json_object_set_new(one, "backend", json_string(level->backend));
  json_object_set_new(one, "passes", json_boolean(level->passes));
  if (level->choice[0])
    json_object_set_new(one, "choice", json_string(level->choice));
  if (level->unfused_reason[0])
    json_object_set_new(one, "unfused_reason", json_string(level->unfused_reason));
  json_object_set_new(one, "all", kernel_of(&level->all, "all"));
  put(one, "exchange_seconds", level->exchanges.seconds);
  put(one, "exchange_calls", level->exchanges.calls);
  json_object_set_new(one, "kernels", kernels);
  return one;
}

static json_t *solve_of(const struct bench *bench)
{
  const gmg_result *result = &bench->result;
  json_t *solve = json_pack("{s:s, s:i, s:i}", "status", gmg_outcome_text(result->outcome),
                            "cycles", result->cycles, "repeats", bench->repeats);
  const double known = result->kernel_seconds + result->exchange_seconds + result->waiting_seconds;
  put(solve, "seconds", result->solve_seconds);
  put(solve, "median_seconds", bench->median_seconds);
  put(solve, "slowest_seconds", bench->slowest_seconds);
  put(solve, "setup_seconds", result->setup_seconds);
  put(solve, "kernel_seconds", result->kernel_seconds);
  put(solve, "exchange_seconds", result->exchange_seconds);
  put(solve, "waiting_seconds", result->waiting_seconds);
  put(solve, "host_seconds", fmax(result->solve_seconds - known, 0));
  put(solve, "bound_seconds", bench->all.bound.seconds);
  json_object_set_new(solve, "bound", json_string(bench->all.bound.name));
  put(solve, "share", bench_share(&bench->all.bound, result->solve_seconds));
  put(solve, "moved_bytes", bench->all.moved);
  put(solve, "flops", bench->all.flops);
  json_object_set_new(solve, "kernels_timed_apart", json_boolean(bench->timed_apart));
  return solve;
}

static json_t *options_of(const gmg_solver *solver)
{
  json_t *options = json_object();
  for (int n = 0; n < gmg_option_count; n++) {
    const char *value = gmg_solver_option(solver, gmg_option_table[n].name);
    if (value)
      json_object_set_new(options, gmg_option_table[n].name, json_string(value));
  }
  return options;
}

static json_t *notes_of(const gmg_solver *solver)
{
  json_t *notes = json_array();
  const char *sentence;
  for (int n = 0; (sentence = gmg_solver_fallback(solver, n)); n++)
    json_array_append_new(notes, json_string(sentence));
  return notes;
}

static void write_text(const void *user, FILE *stream)
{
  json_dumpf(user, stream, JSON_INDENT(2) | JSON_REAL_PRECISION(10));
  fputc('\n', stream);
}

int bench_json_write(const struct output *output, const struct bench_document *document,
                     struct failure *failure)
{
  const struct bench *bench = document->bench;
  if (parallel_rank() == 0) {
    json_t *root = json_object(), *levels = json_array();
    for (int l = 0; l < bench->levels; l++)
      json_array_append_new(levels, level_of(&bench->level[l]));
    json_object_set_new(root, "format", json_string("gmg-bench"));
    json_object_set_new(root, "version", json_integer(1));
    json_object_set_new(root, "gmg", json_string(GMG_VERSION));
    json_object_set_new(
      root, "problem",
      json_pack("{s:s, s:o}", "name", document->name, "cells", three(document->problem->cells)));
    json_object_set_new(root, "options", options_of(document->solver));
    json_object_set_new(root, "machine", machine_of(bench, document->context));
    json_object_set_new(root, "roofs", roofs_of(bench->roofs));
    json_object_set_new(root, "solve", solve_of(bench));
    json_object_set_new(root, "levels", levels);
    json_object_set_new(root, "fallbacks", notes_of(document->solver));
    output_text(output, write_text, root, failure);
    json_decref(root);
  }
  return parallel_agree(failure);
}
