#include "tune_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bits.h"
#include "common/interrupt.h"
#include "common/parallel.h"
#include "file/wisdom_place.h"
#include "prebuilt.h"
#include "tune_candidates.h"
#include "tune_run_request.h"

enum { ROUNDS = 5, LAST_ROUNDS = 9 }; /* of turns; to confirm what was found */
/* A candidate is taken where it is faster by so much beyond doubt. */
static const double GAIN = 0.02;
/* A turn takes so many seconds, or so much of the budget. */
static const double TURN = 0.15, TURN_PART = 0.0025;

/* What the search may take of the time, to leave some for confirming; its first part, where
 * composed steps are tried after it. */
static const double SEARCH_PART = 0.85, BOXES_PART = 0.5;

/* The fastest way so far. */
struct found {
  gmg_program_choice choice;
  struct step_time time;
};
static const struct found by_default = {.time = {.ratio = 1, .low = 1, .high = 1}};

struct job {
  struct tune_run_request request;
  struct wisdom_place place;
  struct tuning tuning;
  struct found best, composed; /* with the same bits; composed steps, too */
  int out_of_time;
  int composed_tried; /* candidates */
};

static int has_ending(const char *word, const char *ending)
{
  const size_t length = strlen(word), end = strlen(ending);
  return length > end && strcmp(word + length - end, ending) == 0;
}

int tune_run_is_program(int count, char **words)
{
  int is = 0;
  for (int n = 0; n < count; n++)
    is |= has_ending(words[n], ".stencil") || prebuilt_named(words[n])
      || strcmp(words[n], "--from") == 0 || strncmp(words[n], "--from=", 7) == 0;
  return is;
}

/* Steps as by default, until they take long enough to tell how long one takes. */
static int find_step(struct tuning *tuning)
{
  enum { MOST = 1 << 24 };
  gmg_program *program = tuning->at.program;
  double seconds = 0;
  gmg_status status = bits_begin(program, tuning->at.made);
  if (!status)
    status = step_time_take(program, 2, &seconds);
  for (int steps = 1; !status && steps < MOST; steps *= 2) {
    status = step_time_take(program, steps, &seconds);
    tuning->step = fmax(seconds / steps, 1e-9);
    if (seconds > tuning->turn / 2)
      break;
  }
  return parallel_refused(tuning->at.context, status, tuning->failure);
}

static void tell_start(const struct tuning *tuning)
{
  const struct beginning *at = &tuning->at;
  const int *cells = at->header.cells;
  gmg_program_info info;
  gmg_program_inform(at->program, &info);
  progress_line(&tuning->progress, "program    %s, %s: %d arrays, %d kernels", at->made->source,
                at->made->precision == GMG_F32 ? "float" : "double", at->made->arrays,
                at->made->kernels);
  progress_line(&tuning->progress, "grid       %d x %d x %d cells, %d rank%s, %d thread%s%s%s",
                cells[0], cells[1], cells[2], tuning->ranks, tuning->ranks > 1 ? "s" : "",
                info.threads, info.threads > 1 ? "s" : "", *info.device ? ", " : "", info.device);
  progress_line(&tuning->progress, "candidate  %-32s %.3g s a step", "as by default", tuning->step);
}

/* The program as by default, on its grid. */
static int begin(struct job *job)
{
  struct tuning *tuning = &job->tuning;
  gmg_program_info info;
  tuning->request = &job->request.run;
  tuning->ranks = parallel_ranks();
  tuning->turn = fmin(TURN, TURN_PART * job->request.budget);
  if (begin_program(&job->request.run, &tuning->at, &tuning->progress, tuning->failure))
    return tuning->failure->status;
  tuning->end = progress_seconds() + job->request.budget; /* compiling is not counted */
  gmg_program_inform(tuning->at.program, &info);
  tuning->boxes = info.boxes;
  parallel_sum(&tuning->boxes, 1);
  double devices = *info.device != 0;
  parallel_sum(&devices, 1);
  tuning->on_device = devices > 0;
  if (find_step(tuning))
    return tuning->failure->status;
  tell_start(tuning);
  return 0;
}

/* Tries a way, and keeps it where it is the fastest so far: by the bound that is sure, since a busy
 * machine makes some medians small by chance. */
static int try_way(struct job *job, const gmg_program_choice *choice, struct found *found)
{
  struct trial_result result;
  if (job->out_of_time || candidate_try(&job->tuning, choice, ROUNDS, &result))
    return job->tuning.failure->status;
  job->out_of_time = result.out_of_time;
  if (result.time.high < 1 - GAIN && result.time.high < found->time.high)
    *found = (struct found){*choice, result.time};
  return 0;
}

/* Steps of a pass over memory. On the host those come first that gain the most where memory is what
 * steps wait for. */
static int try_passes(struct job *job)
{
  static const int most[] = {8, 16, 4, 2, 1}, few[] = {2, 1};
  const int count = job->tuning.on_device ? 2 : 5, *steps = job->tuning.on_device ? few : most;
  gmg_program_info info;
  gmg_program_inform(job->tuning.at.program, &info);
  for (int n = 0; n < count; n++) {
    const gmg_program_choice choice = {.steps_per_pass = steps[n]};
    if (steps[n] != info.steps_per_pass && try_way(job, &choice, &job->best))
      return job->tuning.failure->status;
  }
  return 0;
}

/* Whether an array has ghosts that are periodic. */
static int is_periodic(const struct gmg_program_descriptor *made)
{
  int any = 0;
  for (int a = 0; a < made->arrays; a++)
    for (int d = 0; d < 3 && made->array[a].ghosts; d++)
      any |= made->array[a].wall[d][0].kind == GMG_WALL_PERIODIC;
  return any;
}

/* On the host: boxes, and steps from one exchange to the next. */
static int try_boxes(struct job *job)
{
  static const int rounds[] = {4, 8, 2, 1, 16};
  static const int sizes[2][5] = {{0, 256, 128, 512, 64}, {0, 64, 32, 128, 16}};
  const struct beginning *at = &job->tuning.at;
  const int *cells = at->header.cells;
  const int most = (int)fmax(cells[0], fmax(cells[1], cells[2]));
  const int walled = job->tuning.boxes <= 1 && !is_periodic(at->made);
  for (int r = 0; r < 5; r++)
    for (int s = 0; s < 5; s++) {
      const gmg_program_choice choice = {.box = sizes[at->made->dimensions == 3][s],
                                         .steps_per_exchange = rounds[r] > 1 ? rounds[r] : 0};
      const int is_default = !choice.box && (rounds[r] == 1 || walled);
      if (!is_default && choice.box < most && try_way(job, &choice, &job->best))
        return job->tuning.failure->status;
    }
  return 0;
}

/* On several devices: steps from one exchange to the next. */
static int try_exchanges(struct job *job)
{
  static const int rounds[] = {4, 8, 2};
  for (int r = 0; r < 3 && job->tuning.ranks > 1; r++) {
    const gmg_program_choice choice = {.steps_per_exchange = rounds[r]};
    if (try_way(job, &choice, &job->best))
      return job->tuning.failure->status;
  }
  return 0;
}

static int try_composed(struct job *job)
{
  enum { MOST_COMPOSED = 5 };
  if (!job->request.compose || prebuilt_named(job->request.run.program))
    return 0;
  const int before = job->tuning.tried;
  for (int m = 2; m <= MOST_COMPOSED; m++) {
    const gmg_program_choice choice = {.compose = m};
    if (try_way(job, &choice, &job->composed))
      return job->tuning.failure->status;
  }
  job->composed_tried = job->tuning.tried - before;
  return 0;
}

/* Times the fastest way once more, against luck: the best of many is often the luckiest. */
static int confirm(struct job *job, struct found *found)
{
  struct trial_result result;
  const int tried = job->tuning.tried;
  if (found->time.ratio >= 1)
    return 0;
  if (candidate_try(&job->tuning, &found->choice, LAST_ROUNDS, &result))
    return job->tuning.failure->status;
  job->tuning.tried = tried;
  if (result.out_of_time)
    return 0;
  found->time = result.time;
  if (!(result.time.high < 1 - GAIN))
    *found = by_default;
  return 0;
}

static int search(struct job *job)
{
  struct tuning *tuning = &job->tuning;
  const double end = tuning->end, now = progress_seconds();
  job->best = job->composed = by_default;
  tuning->end = now + (job->request.compose ? BOXES_PART : SEARCH_PART) * (end - now);
  if (try_passes(job) || (tuning->on_device ? try_exchanges(job) : try_boxes(job)))
    return tuning->failure->status;
  const int out_of_time = job->out_of_time;
  job->out_of_time = 0;
  tuning->end = now + SEARCH_PART * (end - now);
  if (!tuning->on_device && try_composed(job))
    return tuning->failure->status;
  job->out_of_time |= out_of_time;
  tuning->end = end;
  if (confirm(job, &job->best) || confirm(job, &job->composed))
    return job->tuning.failure->status;
  if (job->composed.time.ratio >= (1 - GAIN) * job->best.time.ratio)
    job->composed = job->best;
  return 0;
}

/* Adds what was found to the wisdom of the context. */
static int keep(struct job *job, const struct found *found, int may_compose)
{
  struct tuning *tuning = &job->tuning;
  gmg_program_choice choice = found->choice;
  choice.seconds = found->time.seconds > 0 ? found->time.seconds : tuning->step;
  choice.default_seconds =
    found->time.default_seconds > 0 ? found->time.default_seconds : tuning->step;
  const gmg_status status =
    gmg_program_keep_choice(tuning->at.grid, tuning->at.compiled.made,
                            tuning->on_device ? "cuda" : "openmp", may_compose, &choice);
  return parallel_refused(tuning->at.context, status, tuning->failure);
}

static void tell_found(const struct job *job, const struct found *found, const char *bits)
{
  const struct tuning *tuning = &job->tuning;
  char text[CHOICE_TEXT];
  if (found->time.ratio < 1)
    progress_line(&tuning->progress,
                  "tuned      %s: %s, %.3f of the default's time, %s (%d candidates, %d discarded)",
                  tuning->at.made->name, choice_write(&found->choice, text), found->time.ratio,
                  bits, tuning->tried, tuning->discarded);
  else
    progress_line(&tuning->progress,
                  "tuned      %s: no other way is faster than the default (%d candidates, %d "
                  "discarded)",
                  tuning->at.made->name, tuning->tried, tuning->discarded);
}

/* What composing gains, where it was allowed. */
static void tell_composed(const struct job *job)
{
  if (job->composed.choice.compose)
    tell_found(job, &job->composed, "other rounding");
  else if (job->composed_tried)
    progress_line(&job->tuning.progress,
                  "composed   does not pay here, for any number of steps that was tried");
}

/* How long transforms take for any number of steps, and from how many on they pay: where the time
 * is left, and they can take the steps. */
static int tell_transforms(struct job *job)
{
  enum { STEPS = 1000, AS_LONG_AS = 200 };
  struct tuning *tuning = &job->tuning;
  gmg_program *program = tuning->at.program;
  const double step = tuning->step * job->best.time.ratio;
  if (tuning->on_device)
    return 0;
  if (candidate_time_is_over(tuning, AS_LONG_AS * tuning->step)) {
    progress_line(&tuning->progress, "budget     it ended before transforms were tried");
    return 0;
  }
  if (parallel_refused(tuning->at.context, bits_begin(program, tuning->at.made), tuning->failure))
    return tuning->failure->status;
  const double begin = progress_seconds();
  const gmg_status status = gmg_program_leap(program, STEPS);
  const double seconds = (double)parallel_max((int64_t)(1e9 * (progress_seconds() - begin))) * 1e-9;
  if (status == GMG_ERR_UNSUPPORTED)
    return 0;
  if (!parallel_refused(tuning->at.context, status, tuning->failure))
    progress_line(
      &tuning->progress,
      "transforms take any number of steps in %.3g s: --method fft, with other rounding, "
      "is faster from %.0f steps on",
      seconds, ceil(seconds / step) + 1);
  return tuning->failure->status;
}

static int save(struct job *job)
{
  struct tuning *tuning = &job->tuning;
  const int composed = job->request.compose && !tuning->on_device;
  if (keep(job, &job->best, 0) || (composed && keep(job, &job->composed, 1)))
    return tuning->failure->status;
  if (!job->place.saves)
    return 0;
  const gmg_status status = gmg_context_save_wisdom(tuning->at.context, job->place.path);
  if (!parallel_refused(tuning->at.context, status, tuning->failure))
    progress_line(&tuning->progress, "wisdom     what was found is in %s", job->place.path);
  return tuning->failure->status;
}

static int tune(struct job *job)
{
  struct tuning *tuning = &job->tuning;
  progress_start(&tuning->progress, job->request.run.quiet);
  if ((!job->request.dry_run
       && wisdom_place_prepare(job->request.wisdom, &job->place, tuning->failure))
      || begin(job))
    return tuning->failure->status;
  interrupt_keep("gmg: interrupted: tuning ends, and what was found so far is saved; once more "
                 "ends all at once\n");
  search(job);
  const int asked = (int)parallel_max(interrupt_asked());
  interrupt_keep(NULL);
  if (tuning->failure->status)
    return tuning->failure->status;
  if (job->out_of_time && !asked)
    progress_line(&tuning->progress, "budget     it ended before all candidates were tried");
  tell_found(job, &job->best, "the same bits");
  tell_composed(job);
  if (!asked && tell_transforms(job))
    return tuning->failure->status;
  if (!tuning->tried)
    wisdom_place_finish(&job->place, tuning->failure);
  else
    save(job);
  return asked && !tuning->failure->status ? failure_set(
           tuning->failure, STATUS_INTERRUPTED, "interrupted; what was found so far was kept")
                                           : tuning->failure->status;
}

int tune_run_program(int count, char **words, struct failure *failure)
{
  struct job *job = calloc(1, sizeof *job);
  if (!job)
    failure_memory(failure, sizeof *job, "the command line");
  if (parallel_agree(failure)) {
    free(job);
    return failure->status;
  }
  job->tuning.failure = failure;
  int status = tune_run_request_parse(count, words, &job->request, failure);
  if (!status && job->request.run.help && parallel_rank() == 0)
    tune_run_request_help();
  if (!status && !job->request.run.help)
    status = tune(job);
  begin_clear(&job->tuning.at);
  tune_run_request_clear(&job->request);
  free(job);
  return status;
}
