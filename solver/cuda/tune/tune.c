#include "tune.h"

#include "cuda/run/prepared.h"
#include "cuda/run/where.h"
#include "cuda/run/wisdom.h"
#include "noise.h"
#include "runtime/tuned.h"
#include "system/threads.h"
#include "trial.h"
#include "tuning/search.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SUBJECTS = 256, DIMENSIONS = 7, NOISE_ROUNDS = 9, ROUNDS = 15, MOST_ANNOUNCED = 64 };
#define LEAST_NOISE 0.005 /* fractions by which times of a kernel on an idle device differ */
#define MOST_NOISE 0.1
#define ORDER_SHARE 0.3   /* of the budget, for times by default, at most */
#define LEAST_SHARE 0.002 /* of all kernels' time that a subject must have to be worth it */

/* A kernel on a level. */
struct subject {
  struct gmg_call *call;
  struct gmg_wisdom_entry entry;
  double weight; /* of its default's time: how often it ran, at least once */
  double seconds;
};

struct subjects {
  int count, measured, discarded, better;
  struct subject subject[MOST_SUBJECTS];
};

static const int form_of[] = {0, 1, 2}, block_i[] = {16, 32, 64, 128, 256},
                 block_j[] = {1, 2, 4, 8, 16}, rows[] = {1, 2, 4},
                 planes[] = {1, 2, 4, 8, 16, 32, 64}, unroll[] = {1, 2, 4},
                 blocks[] = {1, 2, 3, 4, 5, 6, 8};

/* Whether a call's kernel has a choice: it runs by itself, here, on fields that cycles have now. */
static int has_choice(const struct gmg_placement *p, const struct gmg_call *call)
{
  int has = call->prepared && call->prepared->launches > 0 && !call->in_tail && !call->in_passes;
  for (int f = 0; f < call->kernel->fields; f++)
    has = has && (call->array[f]->kind != GMG_FIELD || gmg_noise_has(p, call->array[f]));
  return has;
}

static void add_subject(struct gmg_placement *p, struct gmg_call *call, void *user)
{
  struct subjects *list = user;
  if (!has_choice(p, call) || list->count == MOST_SUBJECTS)
    return;
  struct subject *subject = &list->subject[list->count];
  memset(subject, 0, sizeof *subject);
  gmg_wisdom_subject(call, &subject->entry);
  for (int n = 0; n < list->count; n++)
    if (strcmp(list->subject[n].entry.subject, subject->entry.subject) == 0
        && memcmp(list->subject[n].entry.cells, subject->entry.cells, sizeof subject->entry.cells)
          == 0)
      return;
  subject->call = call;
  subject->weight = fmax(1, (double)call->stat->calls);
  list->count++;
}

static int dearer(const void *a, const void *b)
{
  const struct subject *one = a, *other = b;
  const double x = one->seconds * one->weight, y = other->seconds * other->weight;
  return (x < y) - (x > y);
}

/* The search for one subject. */
struct kernel_search {
  struct gmg_placement *placement;
  struct gmg_trial *trial;
  struct gmg_tune *tune;
  const struct gmg_cuda_kernel *kernel;
  const int *cells;
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
    .shape = {candidate[1], candidate[2], candidate[3], candidate[4], candidate[5], candidate[6]}};
}

/* Shapes that are far larger than the level are the same as smaller ones. */
static int is_legal(void *context, const int *candidate)
{
  enum { LEAST_THREADS = 64, MOST_THREADS = 512, LEAST_REGISTERS = 32, REGISTERS = 65536 };
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
  gmg_cuda_grid(search->kernel, s, search->cells, grid);
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

static int is_stopped(const struct gmg_tune *tune)
{
  return tune->stop && atomic_load(tune->stop);
}

/* The clock of a search, which is over its budget once a stop was asked for. */
static double search_clock(void *context)
{
  struct kernel_search *search = context;
  if (is_stopped(search->tune))
    search->late = 1e9;
  return gmg_seconds() + search->late;
}

static void tell(void *context, int measured, int of, double seconds_left)
{
  const struct kernel_search *search = context;
  if (search->tune->progress)
    search->tune->progress(search->tune->user, search->what, measured, of, seconds_left);
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
    .share = 0.01, /* there are thousands */
    .most = 0.06,
    .clock = search_clock,
    .progress = tell,
    .context = search};
  return gmg_search(&space, &options, start, result) && isfinite(result->cost);
}

/* Fills in the entry: the best candidate, if all its bits are the default's and it is faster than
 * the one that the level has now, or else that one. */
static void conclude(struct kernel_search *search, struct subject *subject, const int *start,
                     const struct gmg_search_result *result)
{
  const struct gmg_wanted now = wanted_of(search, start),
                          best = wanted_of(search, result->candidate),
                          usual = gmg_modules_default(search->kernel);
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
  search->tune->better += better;
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

/* Searches for so many seconds. The entry has seconds afterwards if anything is known. */
static void search_one(struct gmg_placement *p, struct subject *subject, struct gmg_tune *tune,
                       double budget)
{
  struct kernel_search search = {.placement = p,
                                 .tune = tune,
                                 .kernel = subject->call->kernel->cuda,
                                 .cells = subject->call->level->box[0].cells};
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

/* Finds the default's times, by which the subjects are ordered. Those that take hardly any, and
 * those for which the time has not sufficed, are left out. */
static void order(struct gmg_placement *p, struct subjects *list, struct gmg_tune *tune)
{
  const double begin = gmg_seconds(), end = begin + ORDER_SHARE * (tune->end - begin);
  double all = 0;
  for (int n = 0; n < list->count; n++) {
    struct subject *subject = &list->subject[n];
    const struct gmg_wanted usual = gmg_modules_default(subject->call->kernel->cuda);
    const double now = gmg_seconds();
    if (tune->progress)
      tune->progress(tune->user, "kernels by default", n, list->count, fmax(tune->end - now, 0));
    struct gmg_trial *trial =
      now < end && !is_stopped(tune) ? gmg_trial_create(p->device, subject->call, 0) : NULL;
    const struct gmg_candidate *compiled =
      trial ? gmg_candidates_find(&trial->candidates, &usual) : NULL;
    subject->seconds = compiled ? gmg_trial_glance(trial, compiled) : 0;
    subject->seconds = isfinite(subject->seconds) ? subject->seconds : 0;
    all += subject->seconds * subject->weight;
    gmg_trial_destroy(&trial);
  }
  qsort(list->subject, (size_t)list->count, sizeof *list->subject, dearer);
  while (list->count > 0) {
    const struct subject *last = &list->subject[list->count - 1];
    if (last->seconds * last->weight >= LEAST_SHARE * all && last->seconds > 0)
      break;
    list->count--;
  }
}

/* On rank 0: each subject has of the time that is left what its share of the kernels' time is among
 * those that are left, and no less than a part that all have alike. */
static void search_all(struct gmg_placement *p, struct subjects *list, struct gmg_tune *tune)
{
  gmg_where_calls(p, (struct gmg_call_visit){add_subject, list});
  if (gmg_noise_fill(p))
    list->count = 0;
  order(p, list, tune);
  double left = 0;
  for (int n = 0; n < list->count; n++)
    left += list->subject[n].seconds * list->subject[n].weight;
  for (int n = 0; n < list->count; n++) {
    struct subject *subject = &list->subject[n];
    const double share = subject->seconds * subject->weight, budget = tune->end - gmg_seconds(),
                 alike = 0.5 / (list->count - n), own = left > 0 ? 0.5 * share / left : 0;
    if (budget <= 0 || p->device->failed || is_stopped(tune))
      break;
    search_one(p, subject, tune, budget * (alike + own));
    left -= share;
  }
  gmg_noise_clear(p);
  list->measured = tune->measured;
  list->discarded = tune->discarded;
  list->better = tune->better;
}

gmg_status gmg_cuda_tune(struct gmg_placement *p, struct gmg_tune *tune)
{
  gmg_context *context = p->context;
  struct subjects *list = calloc(1, sizeof *list);
  int failed = !list;
  gmg_status status = GMG_OK;
  if (!failed && context->comm.rank == 0)
    search_all(p, list, tune);
  if (gmg_comm_max_int(&context->comm, &failed, 1)
      || (!failed && gmg_comm_broadcast(&context->comm, list, (int)sizeof *list, 0)))
    status = gmg_fail(context, GMG_ERR_MPI, "MPI failed while kernels were tuned");
  else if (failed)
    status = gmg_fail(context, GMG_ERR_MEMORY, "out of memory while kernels were tuned");
  for (int n = 0; !status && n < list->count; n++)
    if (list->subject[n].entry.seconds > 0)
      status = gmg_tuned_add(context, GMG_TARGET_CUDA, &list->subject[n].entry);
  if (!status) {
    tune->measured = list->measured;
    tune->discarded = list->discarded;
    tune->better = list->better;
  }
  free(list);
  status = gmg_agree(context, status);
  return status ? status : gmg_agree(context, gmg_device_status(context));
}
