#include "run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "begin.h"
#include "box_values.h"
#include "choice.h"
#include "common/interrupt.h"
#include "common/parallel.h"
#include "outputs.h"
#include "prebuilt.h"
#include "run_report.h"
#include "system/bytes.h"

enum { MOST_AT_ONCE = 1 << 20 };
static const double SECONDS_AT_ONCE = 0.25; /* of steps between two looks around */

struct run {
  const struct run_request *request;
  struct progress progress;
  struct beginning at;
  struct outputs outputs;
  struct run_outcome outcome;
  struct failure *failure;
};

static void tell_start(const struct run *run)
{
  const struct beginning *at = &run->at;
  const int *cells = at->header.cells;
  gmg_program_info info;
  char memory[40];
  gmg_program_inform(at->program, &info);
  double sums[3] = {(double)info.memory, (double)info.device_memory, *info.device != 0};
  parallel_sum(sums, 3);
  gmg_bytes_text(sums[0], memory, sizeof memory);
  progress_line(&run->progress, "program    %s, %s: %d arrays, %d kernels%s", at->made->source,
                at->made->precision == GMG_F32 ? "float" : "double", at->made->arrays,
                at->made->kernels, at->compiled.cached ? "" : "; compiled");
  progress_line(&run->progress, "grid       %d x %d x %d cells, %d rank%s, %d thread%s, %s",
                cells[0], cells[1], cells[2], parallel_ranks(), parallel_ranks() > 1 ? "s" : "",
                info.threads, info.threads > 1 ? "s" : "", memory);
  if (info.composed > 1)
    progress_line(&run->progress, "composed   %d steps as one", info.composed);
  if (run->request->leap)
    progress_line(&run->progress, "method     fft: all steps at once, by transforms");
  if (*at->tuned)
    progress_line(&run->progress, "tuned      %s, as wisdom says", at->tuned);
  if (*at->note)
    progress_line(&run->progress, "note       %s", at->note);
  if (*info.reason)
    progress_line(&run->progress, "device     not used: %s", info.reason);
  if (info.steps_per_pass > 1)
    progress_line(&run->progress, "passes     of %d steps each", info.steps_per_pass);
  else if (run->request->per_pass && *info.single_steps)
    progress_line(&run->progress, "passes     of one step each: %s", info.single_steps);
  if (sums[2] == 0)
    return;
  gmg_bytes_text(sums[1], memory, sizeof memory);
  if (sums[2] < parallel_ranks())
    progress_line(&run->progress, "device     on %.0f of %d ranks; %s there", sums[2],
                  parallel_ranks(), memory);
  else
    progress_line(&run->progress, "device     %s; %s there", info.device, memory);
}

/* How much a step makes errors grow, where that is known: steps that are unstable are taken, too.
 */
static void look_at_growth(struct run *run)
{
  int stable = 1;
  run->outcome.method = run->request->leap ? "fft" : "steps";
  run->outcome.growth = NAN;
  if (!gmg_program_growth(run->at.program, &run->outcome.growth, &stable) && !stable)
    progress_line(&run->progress,
                  "growth     %.5g a step: the steps are unstable, with these parameters",
                  run->outcome.growth);
}

static int write_arrays(struct run *run, const struct output *output)
{
  return arrays_file_write(output, run->at.program, run->at.made, &run->at.header, &run->at.history,
                           &run->progress, run->failure);
}

/* The file of a series, and the list of all. */
static int write_step(struct run *run)
{
  char name[PATH_MAX];
  struct output output;
  if (outputs_name_step(&run->outputs, run->at.header.step, name, run->failure)
      || output_prepare(name, 0, &output, run->failure) || write_arrays(run, &output))
    return run->failure->status;
  if (parallel_rank() == 0)
    outputs_write_series(&run->outputs, run->at.made, &run->at.header, run->request->series,
                         run->failure);
  return parallel_agree(run->failure);
}

static int add_values(struct run *run)
{
  return history_add(&run->at.history, run->at.program, run->at.made, run->at.header.step,
                     &run->progress, run->failure);
}

/* Steps until a file is due, or values, or the end. */
static int steps_until(const struct run *run)
{
  const int step = run->at.header.step,
            every[3] = {run->request->checkpoint, run->request->series, run->request->values};
  int left = run->at.steps - step;
  for (int n = 0; n < 3; n++)
    if (every[n] && every[n] - step % every[n] < left)
      left = every[n] - step % every[n];
  return left;
}

static void tell_step(struct run *run)
{
  char text[120];
  snprintf(text, sizeof text, "step %d of %d, %.4g million cells per second", run->at.header.step,
           run->at.steps, run_rate(run->at.program, run->at.header.cells) / 1e6);
  progress_tell(&run->progress, text);
}

/* Steps that are taken in one call at least: where several are a pass, so many that most of them
 * are, on GPUs the last ones not. Ranks on unlike back ends agree on that. */
static int at_least(const struct run *run)
{
  enum { PASSES = 4 };
  gmg_program_info info;
  gmg_program_inform(run->at.program, &info);
  const int passes = *info.device ? PASSES : 1, steps = info.steps_per_pass,
            least = (int)parallel_max(steps > 1 ? passes * steps : 1);
  return least > 1 ? least : run->at.header.composed;
}

/* Notes what the first call that took steps was. */
static void note_begin(struct run *run, int steps)
{
  gmg_program_info info;
  if (run->outcome.begun)
    return;
  gmg_program_inform(run->at.program, &info);
  run->outcome.begun = steps;
  run->outcome.begin_seconds = info.seconds;
}

/* Takes steps until a file is due, a signal has come, or the end. Returns 1 after a signal. */
static int take_steps(struct run *run, int *at_once)
{
  const int composed = run->at.header.composed, least = at_least(run);
  int left = steps_until(run), asked = 0;
  progress_begin_silent(&run->progress, "running", run->at.made->name);
  while (left > 0 && !asked && !run->failure->status) {
    const int now = left < *at_once || run->request->leap ? left : *at_once;
    const double began = progress_seconds();
    const gmg_status status = run->request->leap ? gmg_program_leap(run->at.program, now)
                                                 : gmg_program_run(run->at.program, now);
    if (parallel_refused(run->at.context, status, run->failure))
      break;
    left -= now;
    run->at.header.step += now;
    note_begin(run, now);
    const double next = now * SECONDS_AT_ONCE / (progress_seconds() - began + 1e-9);
    const int64_t wanted = next < 1 ? 1 : next > MOST_AT_ONCE ? MOST_AT_ONCE : (int64_t)next;
    *at_once = (int)parallel_max(wanted) / composed * composed;
    *at_once = *at_once > least ? *at_once : least;
    asked = (int)parallel_max(interrupt_asked());
    tell_step(run);
  }
  progress_end(&run->progress);
  return asked;
}

static int take_all(struct run *run)
{
  const struct run_request *request = run->request;
  const struct arrays_header *header = &run->at.header;
  int at_once = at_least(run), asked = 0;
  if (request->values && header->step % request->values == 0 && add_values(run))
    return run->failure->status;
  if (request->series && header->step == 0 && write_step(run))
    return run->failure->status;
  interrupt_keep("gmg: interrupted: the run ends after the step that it is in, and writes its "
                 "result; once more ends all at once\n");
  while (header->step < run->at.steps && !asked) {
    asked = take_steps(run, &at_once);
    if (!run->failure->status && request->values && header->step % request->values == 0)
      add_values(run);
    if (!run->failure->status && request->checkpoint && header->step % request->checkpoint == 0)
      write_arrays(run, &run->outputs.checkpoint);
    if (!run->failure->status && request->series && header->step % request->series == 0)
      write_step(run);
    if (run->failure->status)
      return run->failure->status;
  }
  interrupt_keep(NULL);
  run->outcome.status = asked && header->step < run->at.steps ? "interrupted" : "done";
  return add_values(run);
}

/* The arrays' ranges; values that are not finite are how the run ended. */
static void look(struct run *run)
{
  for (int a = 0; a < run->at.made->arrays; a++) {
    const struct box_values values = {
      .program = run->at.program, .array = a, .cells = run->at.header.cells};
    if (run->at.made->array[a].age != 0)
      continue;
    if (!box_values_range(&values, run->outcome.range[a]))
      run->outcome.status = "not_finite";
    progress_line(&run->progress, "%-10s from %.17g to %.17g", run->at.made->array[a].shown,
                  run->outcome.range[a][0], run->outcome.range[a][1]);
  }
  if (!history_are_finite(&run->at.history, run->at.made))
    run->outcome.status = "not_finite";
}

static int finish(struct run *run)
{
  const char *report = run->request->report;
  if (write_arrays(run, &run->outputs.result)
      || (report
          && run_report_write(&run->outputs.report, run->at.program, run->at.made, &run->at.header,
                              &run->at.history, &run->outcome, run->failure)))
    return run->failure->status;
  progress_line(&run->progress, "%-10s at step %d of %d", run->outcome.status, run->at.header.step,
                run->at.steps);
  progress_line(&run->progress, "wrote      %s%s%s", run->outputs.result.path, report ? ", " : "",
                report ? run->outputs.report.path : "");
  if (strcmp(run->outcome.status, "done") == 0)
    return 0;
  if (strcmp(run->outcome.status, "interrupted") == 0)
    return STATUS_INTERRUPTED;
  return STATUS_NOT_CONVERGED;
}

static int run_steps(struct run *run)
{
  if (begin_program(run->request, &run->at, &run->progress, run->failure)
      || outputs_prepare(run->request, &run->outputs, run->failure))
    return run->failure->status;
  tell_start(run);
  look_at_growth(run);
  run->outcome.first = run->at.header.step;
  run->outcome.weight = run->at.weight;
  run->outcome.tuned = run->at.tuned;
  if (begin_values(run->request, &run->at, &run->progress, run->failure) || take_all(run))
    return run->failure->status;
  look(run);
  return finish(run);
}

static int compile_only(const struct run_request *request, struct failure *failure)
{
  static struct beginning at;
  struct progress progress;
  progress_start(&progress, request->quiet);
  if (!begin_compile(request, &at, failure)
      && !prebuilt_write(&at.compiled, request->compile, failure))
    progress_line(&progress, "wrote      %s, for %s", request->compile, at.made->isa);
  begin_clear(&at);
  return failure->status;
}

int run_run(int count, char **words, struct failure *failure)
{
  static struct run_request request;
  int status = run_request_parse(count, words, &request, failure);
  if (!status && request.help) {
    if (parallel_rank() == 0)
      run_request_help();
  } else if (!status && request.compile) {
    status = compile_only(&request, failure);
  } else if (!status) {
    static struct run run;
    run.request = &request;
    run.failure = failure;
    progress_start(&run.progress, request.quiet);
    status = request.compose_auto ? choice_compose(&request, &run.progress, failure) : 0;
    status = status ? status : run_steps(&run);
    begin_clear(&run.at);
  }
  run_request_clear(&request);
  return status;
}
