#include "report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "config.h"
#include "common/parallel.h"
#include "json.h"

double report_rate(const struct report *report)
{
  const gmg_result *result = report->result;
  return result->cycles > 0 && result->solve_seconds > 0
    ? problem_unknowns(report->problem) / result->solve_seconds
    : NAN;
}

double report_projected(const struct report *report)
{
  const gmg_result *result = report->result;
  const char *norm = gmg_solver_option(report->solver, "norm");
  const double mean = fabs(result->projected), rest = result->initial_norm;
  if (!result->singular || mean == 0)
    return 0;
  if (norm && strcmp(norm, "max") == 0)
    return mean / (mean + rest);
  const double size = mean * sqrt(problem_unknowns(report->problem));
  return size / hypot(size, rest);
}

static json_t *kernels_of(const gmg_solver *solver, int level)
{
  json_t *kernels = json_array();
  for (int n = 0; n < gmg_solver_kernels(solver, level); n++) {
    gmg_kernel_info info;
    if (gmg_solver_kernel_info(solver, level, n, &info) != GMG_OK)
      continue;
    json_array_append_new(kernels,
                          json_pack("{s:s, s:s, s:o, s:I, s:o, s:s*}", "name", info.name, "variant",
                                    info.variant ? info.variant : "", "seconds",
                                    json_number(info.seconds), "calls", (json_int_t)info.calls,
                                    "bytes", json_number(info.bytes), "choice", info.choice));
  }
  return kernels;
}

/* How a level's cells are owned; NULL: each by the coarse cell that covers it. */
static json_t *owners_of(const gmg_solver *solver, const gmg_level_info *info)
{
  const char *coarsening = gmg_solver_option(solver, "coarsening");
  if (!coarsening || strcmp(coarsening, "owners") != 0)
    return NULL;
  return json_pack("{s:I, s:I}", "given_away", (json_int_t)info->given_away, "forced",
                   (json_int_t)info->forced);
}

/* The levels as this rank sees them. */
static json_t *levels_of(const gmg_solver *solver)
{
  json_t *levels = json_array();
  for (int l = 0; l < gmg_solver_levels(solver); l++) {
    gmg_level_info info;
    if (gmg_solver_level_info(solver, l, &info) != GMG_OK)
      continue;
    json_array_append_new(
      levels,
      json_pack("{s:o, s:i, s:i, s:s, s:b, s:o, s:o, s:o*, s:s*, s:s*, s:o*}", "cells",
                json_three(info.cells), "boxes", info.boxes, "ranks", info.ranks, "backend",
                info.backend, "passes", !info.unfused_reason, "moved_bytes",
                json_number(info.moved), "kernels", kernels_of(solver, l), "tail",
                info.tail ? json_true() : NULL, "choice", info.choice, "unfused_reason",
                info.unfused_reason, "owners", owners_of(solver, &info)));
  }
  return levels;
}

static json_t *kernel_named(json_t *kernels, const json_t *like)
{
  size_t index;
  json_t *kernel;
  json_array_foreach(kernels, index, kernel)
  {
    if (json_equal(json_object_get(kernel, "name"), json_object_get(like, "name"))
        && json_equal(json_object_get(kernel, "variant"), json_object_get(like, "variant")))
      return kernel;
  }
  return NULL;
}

static double number(const json_t *object, const char *name)
{
  return json_number_value(json_object_get(object, name));
}

static void add(json_t *into, const json_t *from, const char *name)
{
  put_number(into, name, number(into, name) + number(from, name));
}

/* One kernel over all ranks: the longest time, the most calls, all bytes. */
static void merge_kernel(json_t *into, const json_t *from)
{
  const char *const most[] = {"seconds", "calls"};
  for (int n = 0; n < 2; n++)
    if (number(from, most[n]) > number(into, most[n]))
      json_object_set(into, most[n], json_object_get(from, most[n]));
  add(into, from, "bytes");
}

/* Takes one rank's levels into the report's; parallel_gather calls it. */
static void merge_rank(void *user, int rank, const char *text)
{
  json_t *levels = user, *theirs = json_loads(text, 0, NULL), *level, *kernel;
  size_t l, n;
  json_array_foreach(theirs, l, level)
  {
    if (rank == 0) {
      json_array_append(levels, level);
      continue;
    }
    json_t *into = json_object_get(json_array_get(levels, l), "kernels");
    add(json_array_get(levels, l), level, "moved_bytes");
    json_array_foreach(json_object_get(level, "kernels"), n, kernel)
    {
      json_t *same = kernel_named(into, kernel);
      if (same)
        merge_kernel(same, kernel);
      else
        json_array_append(into, kernel);
    }
  }
  json_decref(theirs);
}

static json_t *gather_levels(const gmg_solver *solver)
{
  json_t *mine = levels_of(solver), *levels = json_array();
  char *text = json_dumps(mine, JSON_COMPACT);
  parallel_gather(text ? text : "[]", merge_rank, levels);
  free(text);
  json_decref(mine);
  return levels;
}

/* What all levels moved, per unknown and cycle; 0 without a cycle. */
static double bytes_per_cycle(const struct report *report, json_t *levels)
{
  double moved = 0;
  size_t l;
  json_t *level;
  json_array_foreach(levels, l, level) moved += number(level, "moved_bytes");
  const int cycles = report->result->cycles;
  return cycles ? moved / problem_unknowns(report->problem) / cycles : 0;
}

/* A number for the start and each cycle. */
static json_t *history_of(const gmg_result *result, const double *number)
{
  json_t *history = json_array();
  for (int n = 0; n <= result->cycles; n++)
    json_array_append_new(history, json_number(number[n]));
  return history;
}

/* What a GPU did. bytes: the most, and as predicted, on all ranks. */
static json_t *device_of(const gmg_backend_info *backend, int arrays_there, const double bytes[2])
{
  json_t *device = json_pack(
    "{s:s, s:s, s:s, s:s, s:o, s:o, s:o, s:i, s:i}", "name", backend->device, "chosen",
    backend->chosen, "exchanges", backend->exchanges, "arrays", arrays_there ? "device" : "host",
    "peak_bytes", json_number(bytes[0]), "predicted_bytes", json_number(bytes[1]), "attach_seconds",
    json_number(backend->attach_seconds), "kernels_compiled", backend->compiled, "kernels_cached",
    backend->cached);
  if (backend->coarse_from > 0)
    put(device, "coarse",
        json_pack("{s:i, s:o, s:o}", "from_level", backend->coarse_from, "gpu_seconds",
                  json_number(backend->coarse_seconds[0]), "cpu_seconds",
                  json_number(backend->coarse_seconds[1])));
  return device;
}

enum { REPORTED_BYTES = 6 };
static json_t *document(const struct report *report, const gmg_backend_info *backend,
                        json_t *levels, const double bytes[REPORTED_BYTES])
{
  const gmg_result *result = report->result;
  json_t *root = json_object();
  put_text(root, "gmg", GMG_VERSION);
  put_text(root, "status", gmg_outcome_text(result->outcome));
  put_text(root, "reason", result->reason ? result->reason : "");
  put_whole(root, "cycles", result->cycles);
  put_number(root, "relative_residual", result->relative_residual);
  put(root, "residual_history", history_of(result, result->residual_history));
  put(root, "seconds_history", history_of(result, result->seconds_history));
  put_flag(root, "singular", result->singular);
  put_number(root, "projected", result->projected);
  put_number(root, "setup_seconds", result->setup_seconds);
  put_number(root, "solve_seconds", result->solve_seconds);
  put(root, "cells", json_three(report->problem->cells));
  put_number(root, "unknowns_per_second", report_rate(report));
  put_text(root, "backend", backend->backend);
  if (backend->device)
    put(root, "device", device_of(backend, *report->arrays_there, bytes + 4));
  else if (backend->why && *backend->why)
    put_text(root, "no_device", backend->why);
  put_text(root, "instruction_set", gmg_context_isa(report->context));
  put_whole(root, "ranks", gmg_context_ranks(report->context));
  put_whole(root, "threads", gmg_context_threads(report->context));
  put_number(root, "peak_bytes", bytes[0]);
  put_number(root, "solver_bytes", bytes[1]);
  put_number(root, "solver_peak_bytes", bytes[2]);
  put_number(root, "predicted_bytes", bytes[3]);
  put_number(root, "bytes_per_unknown_and_cycle", bytes_per_cycle(report, levels));
  put(root, "options", json_options(report->solver));
  put(root, "levels", levels);
  if (report->norms->present)
    put(root, "error_norms",
        json_pack("{s:o, s:o, s:o}", "max", json_number(report->norms->max), "l2",
                  json_number(report->norms->l2), "relative_l2",
                  json_number(report->norms->relative)));
  put(root, "fallbacks", json_fallbacks(report->solver));
  return root;
}

int report_write(const struct output *output, const struct report *report, struct failure *failure)
{
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  gmg_memory_info memory = {0, 0, 0};
  gmg_solver_memory(report->solver, &memory);
  gmg_backend_info backend = {.backend = "openmp"};
  gmg_solver_backend(report->solver, &backend);
  const gmg_memory_info *device = &backend.memory;
  double bytes[REPORTED_BYTES] = {
    1024. * (double)usage.ru_maxrss, (double)memory.now,   (double)memory.peak,
    (double)memory.predicted,        (double)device->peak, (double)device->predicted};
  parallel_sum(bytes, REPORTED_BYTES);
  json_t *levels = gather_levels(report->solver);
  if (parallel_rank() == 0) {
    json_t *root = document(report, &backend, levels, bytes);
    json_write(output, root, 17, failure);
  } else {
    json_decref(levels);
  }
  return parallel_agree(failure);
}
