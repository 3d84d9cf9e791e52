#include "search.h"

#include "cuda/run/prepared.h"
#include "cuda/run/wisdom.h"
#include "runtime/tuned.h"
#include "spills.h"
#include "system/threads.h"
#include "trial.h"
#include "tuning/search.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { THREADS = 2, RESIDENT = 6, DIMENSIONS }; /* places in a candidate */
enum { NOISE_ROUNDS = 9, ROUNDS = 15, MOST_ANNOUNCED = 64, MOST_BLOCKS = 8, LEAST_RESIDENT = 512 };
#define LEAST_NOISE 0.005 /* fractions by which times of a kernel on an idle device differ */
#define MOST_NOISE 0.1

static const int form_of[] = {0, 1, 2}, block_i[] = {16, 32, 64, 128, 256},
                 threads[] = {64, 128, 256, 512, 1024}, rows[] = {1, 2, 4},
                 planes[] = {1, 2, 4, 8, 16, 32, 64}, unroll[] = {1, 2, 4},
                 resident[] = {64, 128, 192, 256, 320, 384, 512, 640, 768, 1024, 1280, 1536, 2048};

static const char *const choice_name[DIMENSIONS] = {"form",   "block_i", "block_j", "rows",
                                                    "planes", "unroll",  "blocks"};

/* The search for one subject. */
struct kernel_search {
  struct gmg_placement *placement;
  struct gmg_trial *trial;
  struct gmg_tune *tune;
  const struct gmg_cuda_kernel *kernel;
  const int *cells;
  int many;          /* 1: a launch is on many boxes */
  int most_resident; /* threads that the model thinks are a gain */
  double late; /* seconds that the search's clock is ahead, so that it ends: a stop was asked for */
  int announced; /* candidates that may be measured next, to be compiled together */
  struct gmg_wanted next[MOST_ANNOUNCED];
  struct gmg_spills spills;
  char what[GMG_WISDOM_SUBJECT + 60];
};

/* A candidate has threads of a block, and resident threads, in place of rows of a block and
 * resident blocks: a step in one dimension then leaves the registers of a thread as they are, or
 * changes nothing else. */
static struct gmg_wanted wanted_of(const struct kernel_search *search, const int *candidate)
{
  const struct gmg_cuda_kernel *kernel = search->kernel;
  return (struct gmg_wanted){
    .kernel = kernel,
    .form = candidate[0] < kernel->forms ? &kernel->form[candidate[0]] : NULL,
    .many = search->many,
    .shape = {candidate[1], candidate[THREADS] / candidate[1], candidate[3], candidate[4],
              candidate[5], candidate[RESIDENT] / candidate[THREADS]}};
}

/* Shapes that are far larger than the level are the same as smaller ones. */
static int is_legal(void *context, const int *candidate)
{
  enum { MOST_ROWS = 16, LEAST_REGISTERS = 32, REGISTERS = 65536 };
  const struct kernel_search *search = context;
  const struct gmg_wanted wanted = wanted_of(search, candidate);
  const struct gmg_cuda_shape *s = &wanted.shape;
  const int *cells = search->cells;
  return candidate[THREADS] % candidate[1] == 0 && candidate[RESIDENT] % candidate[THREADS] == 0
    && s->block_j <= MOST_ROWS && s->blocks <= MOST_BLOCKS && gmg_wisdom_legal(&wanted)
    && candidate[RESIDENT] * LEAST_REGISTERS <= REGISTERS && s->block_i <= 2 * cells[0]
    && s->block_j * s->rows <= cells[1] && s->planes <= cells[2];
}

/* A guess at the time relative to others: memory is busy where many threads have loads under way,
 * neighbours' values are loaded again at the edges of blocks, and the last wave of blocks leaves
 * processors idle. Far more resident threads than the search begins with are no gain: they have
 * few registers. */
static double predict(void *context, const int *candidate)
{
  const struct kernel_search *search = context;
  const struct gmg_wanted wanted = wanted_of(search, candidate);
  const struct gmg_cuda_shape *s = &wanted.shape;
  unsigned grid[3];
  gmg_cuda_grid(search->kernel, wanted.form, s, search->cells, grid);
  const double count = (double)grid[0] * grid[1] * grid[2],
               wave = (double)search->placement->device->multiprocessors * s->blocks,
               waves = ceil(count / wave), idle = waves * wave / count,
               loading = fmin(candidate[RESIDENT], search->most_resident) * s->unroll,
               under_way = fmax(1, sqrt(1024 / loading)),
               edges = 1 + 0.1 / (s->block_j * s->rows) + 0.1 / s->planes,
               lines = s->block_i < 32 ? 1.15 : 1;
  return fmin(idle, 2) * under_way * edges * lines;
}

static void announce(void *context, const int *candidates, int count)
{
  struct kernel_search *search = context;
  search->announced = count < MOST_ANNOUNCED ? count : MOST_ANNOUNCED;
  for (int n = 0; n < search->announced; n++)
    search->next[n] = wanted_of(search, candidates + n * DIMENSIONS);
}

/* Whether a candidate is worth compiling beside another one. */
static int is_news(const struct kernel_search *search, const struct gmg_wanted *wanted,
                   const struct gmg_wanted *other)
{
  return !gmg_candidates_know(&search->trial->candidates, wanted)
    && !gmg_spills_foretold(&search->spills, wanted)
    && (wanted->form != other->form || !gmg_shapes_equal(&wanted->shape, &other->shape));
}

/* Compiles a candidate, and with it, as each thread of the context has room for one, those that may
 * be next. */
static const struct gmg_candidate *compile(struct kernel_search *search,
                                           const struct gmg_wanted *wanted)
{
  struct gmg_candidates *list = &search->trial->candidates;
  struct gmg_wanted batch[MOST_ANNOUNCED + 1] = {*wanted};
  int count = 1;
  if (gmg_candidates_know(list, wanted))
    return gmg_candidates_find(list, wanted);
  if (gmg_spills_foretold(&search->spills, wanted))
    return NULL;
  for (int n = 0; n < search->announced && count < search->placement->context->threads; n++)
    if (is_news(search, &search->next[n], wanted))
      batch[count++] = search->next[n];
  gmg_candidates_compile(list, batch, count);
  for (int n = 0; n < count; n++)
    gmg_spills_note(&search->spills, &batch[n], gmg_candidates_spilled(list, &batch[n]));
  return gmg_candidates_find(list, wanted);
}

static double cost_of(void *context, const int *candidate)
{
  struct kernel_search *search = context;
  const struct gmg_wanted wanted = wanted_of(search, candidate);
  const struct gmg_candidate *compiled = compile(search, &wanted);
  if (!compiled)
    return INFINITY; /* it does not compile, or not without spilling registers */
  search->tune->measured++;
  if (gmg_trial_verify(search->trial, compiled, 0))
    return gmg_trial_time(search->trial, compiled);
  search->tune->discarded++;
  return INFINITY;
}

/* The clock of a search, which is over its budget once a stop was asked for. */
static double search_clock(void *context)
{
  static const double ages = 1e9;
  struct kernel_search *search = context;
  if (gmg_search_stopped(search->tune))
    search->late = ages;
  return gmg_seconds() + search->late;
}

static void tell(void *context, int measured, int of, double seconds_left)
{
  const struct kernel_search *search = context;
  if (search->tune->progress)
    search->tune->progress(search->tune->user, search->what, measured, of, seconds_left);
}

static void report(const struct kernel_search *search, const int *candidate, double seconds,
                   int chosen)
{
  const struct gmg_cuda_shape shape = wanted_of(search, candidate).shape;
  const int value[DIMENSIONS] = {candidate[0], shape.block_i, shape.block_j, shape.rows,
                                 shape.planes, shape.unroll,  shape.blocks};
  const gmg_tuning_candidate told = {search->what, DIMENSIONS, choice_name, value, seconds, chosen};
  if (search->tune->record)
    search->tune->record(search->tune->user, &told);
}

static void record(void *context, const int *candidate, double cost)
{
  report(context, candidate, cost, 0);
}

/* By what fraction times of the candidate differ from themselves. */
static double noise_of(struct kernel_search *search, const struct gmg_candidate *candidate,
                       double seconds)
{
  struct gmg_trial_turn turn = {search->trial, candidate, gmg_trial_runs(seconds)};
  const struct gmg_timer_call call = {gmg_trial_take_turn, &turn};
  const struct gmg_timer_clock clock = {gmg_trial_clock, search->trial};
  double noise = MOST_NOISE;
  if (gmg_timer_noise(&call, NOISE_ROUNDS, &clock, &noise))
    noise = MOST_NOISE;
  return fmin(fmax(noise, LEAST_NOISE), MOST_NOISE);
}

/* Times two candidates in turns. Returns whether the second one is faster, beyond doubt. */
static int is_faster(struct kernel_search *search, const struct gmg_candidate *first,
                     const struct gmg_candidate *second, double seconds)
{
  const int runs = gmg_trial_runs(seconds);
  struct gmg_trial_turn turn[2] = {{search->trial, first, runs}, {search->trial, second, runs}};
  const struct gmg_timer_call call[2] = {{gmg_trial_take_turn, &turn[0]},
                                         {gmg_trial_take_turn, &turn[1]}};
  const struct gmg_timer_clock clock = {gmg_trial_clock, search->trial};
  struct gmg_timer_result result[2];
  return !gmg_timer_in_turns(call, 2, ROUNDS, &clock, result) && result[1].ratio_high < 1;
}

static int run_search(struct kernel_search *search, const int *start, double budget, double noise,
                      struct gmg_search_result *result)
{
#define LIST(values) \
  { \
#values, values, (int)(sizeof values / sizeof *values) \
  }
  const struct gmg_search_dimension dimension[DIMENSIONS] = {
    LIST(form_of), LIST(block_i), LIST(threads), LIST(rows),
    LIST(planes),  LIST(unroll),  LIST(resident)};
#undef LIST
  const struct gmg_search_space space = {.dimension = dimension,
                                         .dimensions = DIMENSIONS,
                                         .legal = is_legal,
                                         .cost = cost_of,
                                         .model = predict,
                                         .prepare = announce,
                                         .context = search};
  const struct gmg_search_options options = {
    .mode = search->tune->exhaustive ? GMG_SEARCH_EXHAUSTIVE : GMG_SEARCH_MODEL,
    .budget = budget,
    .noise = noise,
    .share = 0.002, /* there are thousands */
    .most = 0.05,
    .restarts = 1, /* compiling takes longer than timing, and each walk compiles */
    .clock = search_clock,
    .progress = tell,
    .record = record,
    .context = search};
  return gmg_search(&space, &options, start, result) && isfinite(result->cost);
}

/* Fills in the entry: the best candidate, if all its bits are the default's and it is faster than
 * the one that the level has now, or else that one. */
static void conclude(struct kernel_search *search, struct gmg_subject *subject, const int *start,
                     const struct gmg_search_result *result)
{
  const struct gmg_wanted now = wanted_of(search, start),
                          best = wanted_of(search, result->candidate),
                          usual = gmg_wisdom_usual(subject->call);
  struct gmg_candidates *list = &search->trial->candidates;
  int better = memcmp(result->candidate, start, DIMENSIONS * sizeof *start) != 0;
  if (better) { /* the two need not be compiled any more: then neither moves */
    const struct gmg_wanted both[2] = {now, best};
    gmg_candidates_compile(list, both, 2);
    const struct gmg_candidate *first = gmg_candidates_find(list, &now),
                               *second = gmg_candidates_find(list, &best);
    const int same = second && gmg_trial_verify(search->trial, second, 1);
    search->tune->discarded += !same;
    better = first && same && is_faster(search, first, second, result->cost);
  }
  const struct gmg_wanted *kept = better ? &best : &now;
  subject->entry.seconds = better ? result->cost : result->default_cost;
  subject->entry.default_seconds =
    now.form == usual.form && gmg_shapes_equal(&now.shape, &usual.shape) ? result->default_cost
                                                                         : subject->seconds;
  if (kept->form != usual.form || !gmg_shapes_equal(&kept->shape, &usual.shape))
    gmg_wisdom_put(kept, &subject->entry);
  report(search, better ? result->candidate : start, subject->entry.seconds, 1);
  search->tune->better += better;
  search->tune->unfinished += result->out_of_budget;
}

/* The candidate that the level was prepared with: the default, or wisdom's. */
static void find_start(const struct gmg_call *call, int start[DIMENSIONS])
{
  const struct gmg_loaded *now = call->prepared->kernel;
  const struct gmg_cuda_shape *s = &now->shape;
  const int threads_now = s->block_i * s->block_j,
            values[DIMENSIONS] = {(int)(now->form - now->kernel->form),
                                  s->block_i,
                                  threads_now,
                                  s->rows,
                                  s->planes,
                                  s->unroll,
                                  threads_now * s->blocks};
  memcpy(start, values, sizeof values);
}

void gmg_search_kernel(struct gmg_placement *p, struct gmg_subject *subject, struct gmg_tune *tune,
                       double budget)
{
  struct kernel_search search = {.placement = p,
                                 .tune = tune,
                                 .kernel = subject->call->kernel->cuda,
                                 .cells = subject->call->level->box[0].cells,
                                 .many = subject->call->prepared->kernel->many};
  struct gmg_search_result result;
  int start[DIMENSIONS];
  const int *cells = subject->entry.cells;
  const double begin = gmg_seconds();
  snprintf(search.what, sizeof search.what, "%s at %dx%dx%d", subject->entry.subject, cells[0],
           cells[1], cells[2]);
  find_start(subject->call, start);
  search.most_resident =
    2 * start[RESIDENT] > LEAST_RESIDENT ? 2 * start[RESIDENT] : LEAST_RESIDENT;
  search.trial = gmg_trial_create(p->device, subject->call, 1);
  const struct gmg_wanted now = wanted_of(&search, start);
  const struct gmg_candidate *first =
    search.trial ? gmg_candidates_find(&search.trial->candidates, &now) : NULL;
  if (first) {
    const double noise = noise_of(&search, first, subject->seconds);
    budget -= gmg_seconds() - begin;
    if (run_search(&search, start, fmax(budget, 1e-3), noise, &result) && !p->device->failed)
      conclude(&search, subject, start, &result);
  }
  gmg_trial_destroy(&search.trial);
}
