#include "search.h"

#include "cuda/run/prepared.h"
#include "cuda/run/wisdom.h"
#include "runtime/tuned.h"
#include "system/threads.h"
#include "trial.h"
#include "tuning/search.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { DIMENSIONS = 7, NOISE_ROUNDS = 9, ROUNDS = 15, MOST_ANNOUNCED = 64 };
#define LEAST_NOISE 0.005 /* fractions by which times of a kernel on an idle device differ */
#define MOST_NOISE 0.1

static const int form_of[] = {0, 1, 2}, block_i[] = {16, 32, 64, 128, 256},
                 block_j[] = {1, 2, 4, 8, 16}, rows[] = {1, 2, 4},
                 planes[] = {1, 2, 4, 8, 16, 32, 64}, unroll[] = {1, 2, 4},
                 blocks[] = {1, 2, 3, 4, 5, 6, 8};

static const char *const choice_name[DIMENSIONS] = {"form",   "block_i", "block_j", "rows",
                                                    "planes", "unroll",  "blocks"};

/* The search for one subject. */
struct kernel_search {
  struct gmg_placement *placement;
  struct gmg_trial *trial;
  struct gmg_tune *tune;
  const struct gmg_cuda_kernel *kernel;
  const int *cells;
  int many;    /* 1: a launch is on many boxes */
  double late; /* seconds that the search's clock is ahead, so that it ends: a stop was asked for */
  int announced; /* candidates that may be measured next, to be compiled together */
  struct gmg_wanted next[MOST_ANNOUNCED];
  char what[GMG_WISDOM_SUBJECT + 60];
};

static struct gmg_wanted wanted_of(const struct kernel_search *search, const int *candidate)
{
  const struct gmg_cuda_kernel *kernel = search->kernel;
  return (struct gmg_wanted){
    .kernel = kernel,
    .form = candidate[0] < kernel->forms ? &kernel->form[candidate[0]] : NULL,
    .many = search->many,
    .shape = {candidate[1], candidate[2], candidate[3], candidate[4], candidate[5], candidate[6]}};
}

/* Shapes that are far larger than the level are the same as smaller ones. */
static int is_legal(void *context, const int *candidate)
{
  enum { LEAST_THREADS = 64, MOST_THREADS = 1024, LEAST_REGISTERS = 32, REGISTERS = 65536 };
  const struct kernel_search *search = context;
  const struct gmg_wanted wanted = wanted_of(search, candidate);
  const struct gmg_cuda_shape *s = &wanted.shape;
  const int threads = s->block_i * s->block_j, *cells = search->cells;
  return gmg_wisdom_legal(&wanted) && threads >= LEAST_THREADS && threads <= MOST_THREADS
    && s->blocks * threads * LEAST_REGISTERS <= REGISTERS && s->block_i <= 2 * cells[0]
    && s->block_j * s->rows <= cells[1] && s->planes <= cells[2];
}

/* A guess at the time relative to others: memory is busy where many threads have loads under way,
 * neighbours' values are loaded again at the edges of blocks, and the last wave of blocks leaves
 * processors idle. */
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
               resident = s->blocks * s->block_i * s->block_j * s->unroll,
               under_way = fmax(1, sqrt(1024 / resident)),
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
  for (int n = 0; n < search->announced && count < search->placement->context->threads; n++)
    if (!gmg_candidates_know(list, &search->next[n])
        && (search->next[n].form != wanted->form
            || !gmg_shapes_equal(&search->next[n].shape, &wanted->shape)))
      batch[count++] = search->next[n];
  gmg_candidates_compile(list, batch, count);
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
  const gmg_tuning_candidate told = {search->what, DIMENSIONS, choice_name,
                                     candidate,    seconds,    chosen};
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
    LIST(form_of), LIST(block_i), LIST(block_j), LIST(rows),
    LIST(planes),  LIST(unroll),  LIST(blocks)};
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
    .share = 0.005, /* there are thousands */
    .most = 0.05,
    .restarts = 2, /* compiling takes longer than timing, and each walk compiles */
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
  const int values[DIMENSIONS] = {(int)(now->form - now->kernel->form),
                                  s->block_i,
                                  s->block_j,
                                  s->rows,
                                  s->planes,
                                  s->unroll,
                                  s->blocks};
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
