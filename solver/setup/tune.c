#include "tune.h"

#include "problem/choices.h"
#include "cycle/cycle.h"
#include "cycle/smooth.h"
#include "runtime/bind.h"
#include "runtime/tuned.h"
#include "system/threads.h"
#include "tuning/search.h"
#include "tuning/timer.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MOST_THREADS = 16, ROUNDS = 15, NOISE_ROUNDS = 9, LEAST_TURNS = 3 };
#define LEAST_SECONDS 2e-3 /* of a measurement, all turns together */
#define LEAST_NOISE 0.01
#define MOST_NOISE 0.1

/* The search on one level. */
struct level_search {
  gmg_solver *solver;
  struct gmg_tune *tune;
  int l;
  /* of the rank that has the most, alike on all: cells, those of its first box, bytes of a row of
   * it and of the second-level cache */
  double cells, box[3], row, cache;
  struct gmg_choice begin; /* that the level was set up with: the rules' or wisdom's */
  uint64_t bits;           /* of what the rules' choices compute */
  double seconds;          /* with them */
  double late; /* seconds that the search's clock is ahead, so that it ends: a stop was asked for */
  char subject[GMG_WISDOM_SUBJECT + 40];
};

static int collect_threads(int most, int values[MOST_THREADS])
{
  int count = 0;
  for (int t = 1; t < most && count < MOST_THREADS - 1; t = t < 4 ? t + 1 : t * 3 / 2)
    values[count++] = t;
  values[count++] = most;
  return count;
}

/* The dimensions, in the order of the members of struct gmg_choice. */
static int list_dimensions(int most_threads, int threads[MOST_THREADS],
                           struct gmg_search_dimension dimension[GMG_CHOICE_COUNT])
{
  static const int rows[] = {4, 6, 8, 10, 12, 16, 20, 24, 32, 40, 48, 64, 96, 128, 256};
  static const int planes[] = {1, 2, 4, 8, 16, 32}, stages[] = {3, 4, 6, 8, 12, 16, 24};
  static const int fetch[] = {GMG_FETCH_NEVER, GMG_FETCH_ALWAYS};
  static const int tile_rows[] = {4, 8, 16, 32, 64, 128}, tile_planes[] = {1, 2, 4, 8, 16};
  static const int passes[] = {GMG_ALONE, GMG_TOGETHER};
#define LIST(values) \
  { \
#values, values, (int)(sizeof values / sizeof *values) \
  }
  const struct gmg_search_dimension all[GMG_CHOICE_COUNT] = {
    LIST(rows),
    LIST(planes),
    LIST(stages),
    LIST(fetch),
    {"threads", threads, collect_threads(most_threads, threads)},
    LIST(tile_rows),
    LIST(tile_planes),
    LIST(passes)};
#undef LIST
  memcpy(dimension, all, sizeof all);
  return GMG_CHOICE_COUNT;
}

static struct gmg_choice choice_of(const int *candidate)
{
  struct gmg_choice choice;
  for (int n = 0; n < GMG_CHOICE_COUNT; n++)
    *gmg_choice_member(&choice, n) = candidate[n];
  return choice;
}

/* What a pass does not have, tiles, stays at its first value in passes, and the reverse: so that no
 * two candidates are the same. */
static int is_legal(void *context, const int *candidate)
{
  const struct level_search *search = context;
  const struct gmg_level *level = search->solver->hierarchy.level[search->l].level;
  const struct gmg_choice c = choice_of(candidate);
  if (c.passes == GMG_TOGETHER)
    return level->may_pass && c.tile_rows == 32 && c.tile_planes == 4
      && c.rows <= search->box[1] + 3;
  return c.rows == 4 && c.planes == 1 && c.stages == 3 && c.fetch == GMG_FETCH_NEVER
    && c.tile_rows < 2 * search->box[1];
}

/* One cycle from the level on, from u = 0. */
static void run_cycle(struct level_search *search)
{
  struct gmg_hierarchy *h = &search->solver->hierarchy;
  if (search->l > 0) {
    gmg_cycle_from_zero(h, search->l, h->cycle);
  } else {
    gmg_call_run(h->level[0].zero);
    gmg_cycle(h, 0, h->cycle);
  }
  gmg_call_wait(h->context);
}

static uint64_t hash_u(struct level_search *search)
{
  struct gmg_level *level = search->solver->hierarchy.level[search->l].level;
  void **u = gmg_level_open(level, GMG_NAME_U, GMG_READ)->box;
  uint64_t hash = 0;
  for (int b = 0; b < level->layout->local_count; b++) {
    const struct gmg_kernel_box *box = &level->box[b];
    for (int k = 0; k < box->cells[2]; k++)
      for (int j = 0; j < box->cells[1]; j++)
        for (int i = 0; i < box->cells[0]; i++)
          hash = (hash ^ gmg_bits(gmg_level_value(level, u[b], gmg_offset(box, i, j, k))))
            * 1099511628211u;
  }
  return hash;
}

/* The largest of all ranks; NaN where MPI failed, which the context notes. */
static double largest(gmg_context *context, double value)
{
  const int error = gmg_comm_max(&context->comm, &value, 1);
  if (error)
    context->mpi_error = error;
  return error ? NAN : value;
}

static double now(void *context)
{
  const struct level_search *search = context;
  return largest(search->solver->context, gmg_seconds());
}

/* Whether any rank was asked to stop. Calls: collective. */
static int is_stopped(const gmg_solver *s, const struct gmg_tune *tune)
{
  return tune->stop && largest(s->context, atomic_load(tune->stop)) > 0;
}

/* The clock of a search, which is over its budget once a stop was asked for. */
static double search_clock(void *context)
{
  static const double ages = 1e9;
  struct level_search *search = context;
  if (is_stopped(search->solver, search->tune))
    search->late += ages;
  return now(context) + search->late;
}

/* The fastest of some cycles. The first of them warms up, and gives the bits. */
static double measure(struct level_search *search, uint64_t *bits)
{
  double best = INFINITY, all = 0;
  run_cycle(search);
  *bits = hash_u(search);
  for (int turn = 0; turn < LEAST_TURNS || all < LEAST_SECONDS; turn++) {
    const double begin = gmg_seconds();
    run_cycle(search);
    const double seconds = largest(search->solver->context, gmg_seconds() - begin);
    if (!(seconds > 0))
      return INFINITY;
    best = fmin(best, seconds);
    all += seconds;
  }
  return best;
}

/* The rules' choices come first. */
static double cost_of(void *context, const int *candidate)
{
  struct level_search *search = context;
  const struct gmg_choice choice = choice_of(candidate);
  uint64_t bits = 0;
  if (largest(search->solver->context, gmg_choices_set(search->solver, search->l, &choice)) != 0)
    return INFINITY;
  const double seconds = measure(search, &bits);
  const int rules = choice.passes == 0;
  search->tune->measured++;
  if (rules) {
    search->bits = bits;
    search->seconds = seconds;
  }
  if (largest(search->solver->context, bits != search->bits) == 0)
    return seconds;
  search->tune->discarded++;
  return INFINITY;
}

/* A guess at the time of a candidate relative to others: passes that leave the cache, or share many
 * rows between strips, cost more; so do waits, and threads that are few or have little to do. */
static double predict(void *context, const int *candidate)
{
  enum { FIELDS = 10, LAG = 9 };
  const struct level_search *search = context;
  const struct gmg_level *level = search->solver->hierarchy.level[search->l].level;
  const struct gmg_choice c = choice_of(candidate);
  const double element = level->precision == GMG_F64 ? sizeof(double) : sizeof(float),
               row = search->row * FIELDS, whole = search->cells * element * FIELDS,
               cache = search->cache;
  const double work = search->cells, threads = c.threads, barrier = 2000;
  const double shared = work / threads + barrier * (threads - 1);
  const int large = whole > cache * threads;
  if (c.passes == GMG_ALONE)
    return shared * (large ? 2 : 1)
      * (1 + (double)c.tile_rows * c.tile_planes / search->box[2] / 64);
  const double window = row * c.rows * (LAG + 2), strips = 1 + 4.0 / c.rows,
               leaves = window > 0.8 * cache ? 1.3 : 1,
               waits = 1 + 0.02 * fabs(log2(c.planes / 8.0)), fused = 1 + 1.5 / c.stages;
  return shared * strips * leaves * waits * fused
    * (large == (c.fetch == GMG_FETCH_ALWAYS) ? 1 : 1.1);
}

static void tell(void *context, int measured, int of, double seconds_left)
{
  const struct level_search *search = context;
  if (search->tune->progress)
    search->tune->progress(search->tune->user, search->subject, measured, of, seconds_left);
}

static void report(const struct level_search *search, const int *candidate, double seconds,
                   int chosen)
{
  const char *name[GMG_CHOICE_COUNT];
  for (int n = 0; n < GMG_CHOICE_COUNT; n++)
    name[n] = gmg_choice_name(n);
  const gmg_tuning_candidate told = {search->subject, GMG_CHOICE_COUNT, name,
                                     candidate,       seconds,          chosen};
  if (search->tune->record)
    search->tune->record(search->tune->user, &told);
}

static void record(void *context, const int *candidate, double cost)
{
  report(context, candidate, cost, 0);
}

/* For timing in turns: cycles with one of two choices. */
struct turn {
  struct level_search *search;
  struct gmg_choice choice;
};

static int take_turn(void *context)
{
  struct turn *turn = context;
  const int failed = gmg_choices_set(turn->search->solver, turn->search->l, &turn->choice);
  const int cycles = (int)fmin(100, fmax(1, ceil(LEAST_SECONDS / turn->search->seconds)));
  for (int n = 0; n < cycles; n++)
    run_cycle(turn->search);
  return failed;
}

/* What a timing by turns takes: nothing needs to be agreed on, as the slowest rank's clock is read
 * by all. */
static gmg_status compare(struct level_search *search, const struct gmg_choice *best, int *better)
{
  struct turn turn[2] = {{search, search->begin}, {search, *best}};
  const struct gmg_timer_call call[2] = {{take_turn, &turn[0]}, {take_turn, &turn[1]}};
  const struct gmg_timer_clock clock = {now, search};
  struct gmg_timer_result result[2];
  if (gmg_timer_in_turns(call, 2, ROUNDS, &clock, result))
    return gmg_fail(search->solver->context, GMG_ERR_MEMORY,
                    "out of memory while levels were tuned");
  *better = result[1].ratio_high < 1;
  return GMG_OK;
}

static gmg_status find_noise(struct level_search *search, double *noise)
{
  struct turn turn = {search, search->begin};
  const struct gmg_timer_call call = {take_turn, &turn};
  const struct gmg_timer_clock clock = {now, search};
  if (gmg_timer_noise(&call, NOISE_ROUNDS, &clock, noise))
    return gmg_fail(search->solver->context, GMG_ERR_MEMORY,
                    "out of memory while levels were tuned");
  *noise = fmin(fmax(*noise, LEAST_NOISE), MOST_NOISE);
  return GMG_OK;
}

static gmg_status keep(struct level_search *search, const struct gmg_choice *best, double seconds)
{
  struct gmg_wisdom_entry entry = {.seconds = seconds, .default_seconds = search->seconds};
  gmg_choices_subject(search->solver, entry.subject);
  gmg_tuned_extents(search->solver->hierarchy.layout[search->l], entry.cells);
  gmg_tuned_put(&entry, best);
  return gmg_tuned_add(search->solver->context, GMG_TARGET_CPU, &entry);
}

/* What all ranks must know alike of a level, since they choose candidates by it. */
static void find_extents(struct level_search *search)
{
  enum { CACHE_IF_UNKNOWN = 1 << 20 };
  gmg_context *context = search->solver->context;
  const struct gmg_level *level = search->solver->hierarchy.level[search->l].level;
  const int any = level->layout->local_count > 0;
  const double element = level->precision == GMG_F64 ? sizeof(double) : sizeof(float);
  const long second = sysconf(_SC_LEVEL2_CACHE_SIZE);
  search->cells = largest(context, (double)level->local_cells);
  for (int d = 0; d < 3; d++)
    search->box[d] = largest(context, any ? level->box[0].cells[d] : 1);
  search->row = largest(context, any ? (double)level->storage->stride[0][0] * element : 0);
  search->cache = largest(context, (double)(second > 0 ? second : CACHE_IF_UNKNOWN));
}

/* Searches on one level, for so many seconds. */
static gmg_status tune_level(struct level_search *search, double budget)
{
  static const int rules[GMG_CHOICE_COUNT];
  int threads[MOST_THREADS];
  struct gmg_search_dimension dimension[GMG_CHOICE_COUNT];
  const struct gmg_search_space space = {
    .dimension = dimension,
    .dimensions = list_dimensions(search->solver->context->tuned->key[GMG_TARGET_CPU].threads,
                                  threads, dimension),
    .legal = is_legal,
    .cost = cost_of,
    .model = predict,
    .context = search};
  struct gmg_search_options options = {.mode = search->tune->exhaustive ? GMG_SEARCH_EXHAUSTIVE
                                                                        : GMG_SEARCH_MODEL,
                                       .budget = budget,
                                       .clock = search_clock,
                                       .progress = tell,
                                       .record = record,
                                       .context = search};
  struct gmg_search_result result = {.cost = 0};
  int begin[GMG_CHOICE_COUNT];
  for (int n = 0; n < GMG_CHOICE_COUNT; n++)
    begin[n] = *gmg_choice_member(&search->begin, n);
  find_extents(search);
  cost_of(search, rules);
  gmg_status status = find_noise(search, &options.noise);
  if (!status && !gmg_search(&space, &options, begin, &result))
    status =
      gmg_fail(search->solver->context, GMG_ERR_MEMORY, "out of memory while levels were tuned");
  struct gmg_choice best = choice_of(status ? begin : result.candidate);
  int better = 0;
  if (!status && memcmp(&best, &search->begin, sizeof best) != 0)
    status = compare(search, &best, &better);
  if (!better) /* what wisdom of other bits says is not kept */
    best = isfinite(result.default_cost) ? search->begin : choice_of(rules);
  search->tune->better += better;
  if (gmg_choices_set(search->solver, search->l, &best) && !status)
    status =
      gmg_fail(search->solver->context, GMG_ERR_MEMORY, "out of memory while levels were tuned");
  double seconds = better ? result.cost : result.default_cost;
  seconds = isfinite(seconds) ? seconds : search->seconds;
  for (int n = 0; n < GMG_CHOICE_COUNT; n++)
    begin[n] = *gmg_choice_member(&best, n);
  if (!status)
    report(search, begin, seconds, 1);
  return status ? status : keep(search, &best, seconds);
}

gmg_status gmg_tune_levels(gmg_solver *s, struct gmg_tune *tune)
{
  struct gmg_hierarchy *h = &s->hierarchy;
  gmg_status status = GMG_OK;
  gmg_call_wait(s->context);
  for (int l = s->placement.attached ? s->placement.host_from : 0; l + 1 < h->levels && !status;
       l++) {
    struct gmg_level *level = h->level[l].level;
    struct level_search search = {.solver = s, .tune = tune, .l = l, .begin = h->level[l].choice};
    snprintf(search.subject, sizeof search.subject, "level %d, %d x %d x %d", l, h->cells[l][0],
             h->cells[l][1], h->cells[l][2]);
    const double left = largest(s->context, tune->end - gmg_seconds());
    if (!(left > 0) || is_stopped(s, tune))
      break;
    gmg_fill_noise(level, gmg_level_open(level, GMG_NAME_F, GMG_REPLACE)->box);
    /* Half of what is left each: a level's cycles take an eighth of the time of the finer one's. */
    status = gmg_agree(s->context, tune_level(&search, left / 2));
  }
  if (!status && s->context->mpi_error)
    status = gmg_fail(s->context, GMG_ERR_MPI, "MPI failed while levels were tuned");
  return gmg_agree(s->context, status);
}
