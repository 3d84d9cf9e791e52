#include "tune_candidates.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "bits.h"
#include "common/interrupt.h"
#include "common/parallel.h"

/* What takes so much longer in a first run is not timed in turns. */
static const double HOPELESS = 1.3;
/* Composed steps differ by so many units in the last place and step, at most. */
static const double ROUNDING = 500;

/* A way that is tried. */
struct way {
  const gmg_program_choice *choice;
  int rounds; /* steps between two exchanges, or that are taken as one */
  char name[CHOICE_TEXT];
  struct beginning own; /* of composed steps: a program that is compiled by itself */
  gmg_program *program; /* of others */
  gmg_program *made;    /* either of them */
  gmg_context *context;
  struct failure why;
};

/* What is being tried, where somebody may be watching. */
static void show(struct tuning *tuning, const struct way *way)
{
  if (tuning->progress.terminal)
    progress_begin(&tuning->progress, "trying", way->name);
}

static void tell(struct tuning *tuning, const struct way *way, const char *what)
{
  if (tuning->progress.terminal)
    progress_end(&tuning->progress);
  progress_line(&tuning->progress, "candidate  %-32s %s", way->name, what);
}

static int refused(struct tuning *tuning, gmg_status status)
{
  return parallel_refused(tuning->at.context, status, tuning->failure);
}

int candidate_time_is_over(const struct tuning *tuning, double seconds)
{
  return (int)parallel_max(interrupt_asked() || progress_seconds() + seconds > tuning->end);
}

static int count_boxes(const gmg_program *program)
{
  double boxes = gmg_program_boxes(program);
  parallel_sum(&boxes, 1);
  return (int)boxes;
}

/* Makes the program of a way. Returns 0; or 1 where it cannot be made, and way->why says why. */
static int make(struct tuning *tuning, struct way *way)
{
  char word[CHOICE_TEXT];
  struct run_request applied = choice_apply(tuning->request, way->choice, word);
  if (way->choice->compose) {
    run_request_compose(&applied, way->choice->compose);
    begin_program(&applied, &way->own, &tuning->progress, &way->why);
    way->made = way->own.program;
    way->context = way->own.context;
  } else {
    const gmg_status status = begin_make(&applied, &tuning->at, -1, &way->program);
    parallel_refused(tuning->at.context, status, &way->why);
    way->made = way->program;
    way->context = tuning->at.context;
  }
  return parallel_agree(&way->why) != 0;
}

/* Whether the program is another one than that of the default. */
static int is_another(const struct tuning *tuning, const struct way *way)
{
  gmg_program_info info;
  gmg_program_inform(way->made, &info);
  if (way->choice->steps_per_pass)
    return info.steps_per_pass == way->choice->steps_per_pass;
  return way->choice->compose || !way->choice->box || count_boxes(way->made) != tuning->boxes;
}

/* What the default computes in so many steps. */
static int find_bits(struct tuning *tuning, int steps)
{
  double seconds;
  if (tuning->known[steps])
    return 0;
  gmg_status status = bits_begin(tuning->at.program, tuning->at.made);
  if (!status)
    status = step_time_take(tuning->at.program, steps, &seconds);
  if (!status)
    status = bits_hash(tuning->at.program, tuning->at.made, &tuning->bits[steps]);
  tuning->known[steps] = !status;
  return refused(tuning, status);
}

static int compute(struct tuning *tuning, gmg_program *program,
                   const struct gmg_program_descriptor *made, gmg_context *context, int steps)
{
  double seconds;
  gmg_status status = bits_begin(program, made);
  if (!status)
    status = step_time_take(program, steps, &seconds);
  return parallel_refused(context, status, tuning->failure);
}

/* Compares the values after some steps with those of the default. *same: whether they are as they
 * have to be. */
static int compare(struct tuning *tuning, struct way *way, int *same)
{
  const struct beginning *at = &tuning->at;
  const int composed = way->choice->compose, steps = composed ? 2 * composed : 2 * way->rounds + 1;
  const double last = at->made->precision == GMG_F64 ? DBL_EPSILON : (double)FLT_EPSILON;
  double difference = 0;
  uint64_t bits = 0;
  *same = 0;
  if (compute(tuning, way->made, composed ? way->own.made : at->made, way->context, steps))
    return tuning->failure->status;
  if (composed) {
    if (compute(tuning, at->program, at->made, at->context, steps)
        || refused(tuning, bits_difference(at->program, at->made, way->made, &difference)))
      return tuning->failure->status;
    *same = difference <= ROUNDING * last * steps;
    return 0;
  }
  if (find_bits(tuning, steps) || refused(tuning, bits_hash(way->made, at->made, &bits)))
    return tuning->failure->status;
  *same = bits == tuning->bits[steps];
  return 0;
}

/* Steps of a turn: a multiple of those that are taken together. */
static int64_t steps_of(const struct tuning *tuning, int rounds)
{
  enum { MOST = 1 << 20, PASSES = 8 };
  const double wanted = fmin(MOST, ceil(tuning->turn / tuning->step));
  const int unit = tuning->on_device ? PASSES : rounds;
  return ((int64_t)fmax(wanted, 1) + unit - 1) / unit * unit;
}

static int time_it(struct tuning *tuning, struct way *way, int rounds, struct trial_result *result)
{
  const int64_t steps = steps_of(tuning, way->rounds);
  char text[120];
  double seconds = 0;
  if (parallel_refused(way->context, step_time_take(way->made, steps, &seconds), tuning->failure))
    return tuning->failure->status;
  const double once = seconds / (double)steps / tuning->step;
  if (once > HOPELESS) {
    snprintf(text, sizeof text, "%.3g s a step, about %.2f of the default's time",
             seconds / (double)steps, once);
    tell(tuning, way, text);
    return 0;
  }
  const gmg_status status =
    step_time_compare(tuning->at.program, way->made, steps, rounds, &result->time);
  if (parallel_refused(way->context, status, tuning->failure))
    return tuning->failure->status;
  snprintf(text, sizeof text, "%.3g s a step, %.3f of the default's time [%.3f, %.3f]%s",
           result->time.seconds, result->time.ratio, result->time.low, result->time.high,
           way->choice->compose ? ", other rounding" : "");
  tell(tuning, way, text);
  return 0;
}

static int judge(struct tuning *tuning, struct way *way, int rounds, struct trial_result *result)
{
  int same = 0;
  if (!is_another(tuning, way))
    return 0;
  tuning->tried++;
  if (compare(tuning, way, &same))
    return tuning->failure->status;
  if (same)
    return time_it(tuning, way, rounds, result);
  tuning->discarded++;
  tell(tuning, way,
       way->choice->compose ? "discarded: it differs by more than rounding"
                            : "discarded: it has other bits");
  return 0;
}

int candidate_try(struct tuning *tuning, const gmg_program_choice *choice, int rounds,
                  struct trial_result *result)
{
  struct way way = {.choice = choice, .rounds = 1};
  *result = (struct trial_result){.time = {.ratio = INFINITY, .low = INFINITY, .high = INFINITY}};
  way.rounds = choice->compose       ? choice->compose
    : choice->steps_per_exchange > 1 ? choice->steps_per_exchange
    : choice->steps_per_pass > 1     ? choice->steps_per_pass
                                     : 1;
  const double steps =
    4.0 * way.rounds + 2.0 * (double)(rounds + 1) * (double)steps_of(tuning, way.rounds);
  /* One is tried whatever the budget. */
  result->out_of_time =
    candidate_time_is_over(tuning, tuning->tried ? steps * tuning->step : -INFINITY);
  if (result->out_of_time)
    return 0;
  choice_write(choice, way.name);
  show(tuning, &way);
  if (make(tuning, &way)) {
    tuning->refused++;
    tell(tuning, &way, way.why.text);
  } else {
    judge(tuning, &way, rounds, result);
  }
  if (tuning->progress.terminal)
    progress_end(&tuning->progress);
  gmg_program_destroy(&way.program);
  begin_clear(&way.own);
  return tuning->failure->status;
}
