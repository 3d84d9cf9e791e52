#include "run_report.h"

#include <math.h>
#include <stdlib.h>

#include "common/parallel.h"
#include "config.h"
#include "report/json.h"

double run_rate(const gmg_program *program, const int cells[3])
{
  gmg_program_info info;
  gmg_program_inform(program, &info);
  parallel_max_values(&info.seconds, 1);
  return info.steps && info.seconds > 0
    ? (double)cells[0] * cells[1] * cells[2] * (double)info.steps / info.seconds
    : NAN;
}

static json_t *arrays_of(const struct gmg_program_descriptor *made,
                         const struct run_outcome *outcome)
{
  json_t *arrays = json_array();
  for (int a = 0; a < made->arrays; a++)
    if (made->array[a].age == 0)
      json_array_append_new(arrays,
                            json_pack("{s:s, s:o, s:o}", "name", made->array[a].shown, "least",
                                      json_number(outcome->range[a][0]), "largest",
                                      json_number(outcome->range[a][1])));
  return arrays;
}

static json_t *parameters_of(const struct gmg_program_descriptor *made,
                             const struct arrays_header *header)
{
  json_t *parameters = json_object();
  for (int n = 0; n < made->parameters; n++)
    put_number(parameters, made->parameter[n].name, header->parameter[n]);
  return parameters;
}

/* Whether times of kernels and ghosts are known: a GPU runs them while the host goes on, unless
 * they are launched one by one. */
static int is_timed(const gmg_program_info *info)
{
  return !*info->device || info->kernel_seconds > 0;
}

/* Every rank's number, by rank; below 0: none. */
static json_t *by_rank(double own)
{
  json_t *list = json_array();
  double *all = malloc((size_t)parallel_ranks() * sizeof *all);
  if (!all)
    parallel_lose("out of memory for a number of each rank");
  parallel_share(own, all);
  for (int r = 0; r < parallel_ranks(); r++)
    json_array_append_new(list, json_number(all[r] < 0 ? NAN : all[r]));
  free(all);
  return list;
}

int run_report_write(const struct output *output, gmg_program *program,
                     const struct gmg_program_descriptor *made, const struct arrays_header *header,
                     const struct history *history, const struct run_outcome *outcome,
                     struct failure *failure)
{
  gmg_context *context = gmg_program_context(program);
  gmg_program_info info;
  gmg_program_inform(program, &info);
  double sums[7] = {(double)info.memory,        info.flops,        info.bytes,     info.boxes,
                    (double)info.device_memory, *info.device != 0, info.overlapped};
  parallel_sum(sums, 7);
  const double rate = run_rate(program, header->cells);
  double seconds[2] = {info.seconds, info.seconds - outcome->begin_seconds};
  parallel_max_values(seconds, 2);
  json_t *weights = by_rank(outcome->weight), *waits = by_rank(info.wait_seconds);
  if (parallel_rank() == 0) {
    json_t *root = json_object();
    put_text(root, "status", outcome->status);
    put_text(root, "program", made->source);
    put_text(root, "source_hash", made->source_hash);
    put(root, "cells", json_three(header->cells));
    put_whole(root, "first_step", outcome->first);
    put_whole(root, "steps", header->step);
    put(root, "parameters", parameters_of(made, header));
    put(root, "arrays", arrays_of(made, outcome));
    put(root, "values", history_json(history, made));
    put_number(root, "run_seconds", seconds[0]);
    put_whole(root, "further_steps", header->step - outcome->first - outcome->begun);
    put_number(root, "further_seconds", seconds[1]);
    put_number(root, "kernel_seconds", is_timed(&info) ? info.kernel_seconds : NAN);
    put_number(root, "ghost_seconds", is_timed(&info) ? info.ghost_seconds : NAN);
    put_number(root, "cells_per_second", rate);
    put_number(root, "flops", sums[1]);
    put_number(root, "compulsory_bytes", sums[2]);
    put_number(root, "bytes", sums[0]);
    put_text(root, "precision", made->precision == GMG_F32 ? "float" : "double");
    put_text(root, "backend", info.backend);
    put_text(root, "device", info.device);
    put_number(root, "device_bytes", sums[4]);
    put_whole(root, "device_ranks", (json_int_t)sums[5]);
    put_whole(root, "overlapped_ranks", (json_int_t)sums[6]);
    put_text(root, "isa", gmg_context_isa(context));
    put_whole(root, "ranks", gmg_context_ranks(context));
    put(root, "weights", weights);
    put(root, "wait_seconds", waits);
    put_whole(root, "threads", info.threads);
    put_text(root, "method", outcome->method);
    put_number(root, "growth", outcome->growth);
    put_text(root, "tuned", outcome->tuned);
    put_whole(root, "composed", info.composed);
    put_whole(root, "steps_per_exchange", info.steps_per_exchange);
    put_whole(root, "steps_per_pass", info.steps_per_pass);
    put_text(root, "single_steps", info.single_steps);
    put_whole(root, "boxes", (json_int_t)sums[3]);
    put_text(root, "version", GMG_VERSION);
    json_write(output, root, 17, failure);
  } else {
    json_decref(weights);
    json_decref(waits);
  }
  return parallel_agree(failure);
}
