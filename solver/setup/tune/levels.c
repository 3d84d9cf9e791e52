#include "levels.h"

#include "candidates.h"
#include "problem/choices.h"
#include "cycle/smooth.h"
#include "runtime/bind.h"
#include "system/near_caches.h"
#include "system/order.h"
#include "system/threads.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
  FIRST_ROUNDS = 3, /* of all that might be the best */
  FEW = 4,          /* of which so many are timed again */
  SECOND_ROUNDS = 9,
  ROUNDS = 15, /* of two that are left */
  MOST_ROUNDS = 31,
  NOISE_ROUNDS = 9
};
#define LEAST_NOISE 0.01
#define MOST_NOISE 0.1

/* Whether any rank was asked to stop. Calls: collective. */
static int is_stopped(const gmg_solver *s, const struct gmg_tune *tune)
{
  return tune->stop && gmg_trial_largest(s->context, atomic_load(tune->stop)) > 0;
}

/* The clock of a search, which is over its budget once a stop was asked for. */
static double search_clock(void *context)
{
  static const double ages = 1e9;
  struct gmg_level_search *search = context;
  if (is_stopped(search->solver, search->tune))
    search->late += ages;
  return gmg_trial_now(context) + search->late;
}

static void tell(void *context, int measured, int of, double seconds_left)
{
  const struct gmg_level_search *search = context;
  if (search->tune->progress)
    search->tune->progress(search->tune->user, search->subject, measured, of, seconds_left);
}

static void report(const struct gmg_level_search *search, const int *candidate, double seconds,
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

/* As many rounds as there is time for, of those that are wanted. */
static int rounds_of(const struct gmg_level_search *search, int wanted)
{
  const int least = gmg_smaller(wanted, GMG_TIMER_LEAST_ROUNDS);
  return gmg_larger(least, (int)(search->part * wanted));
}

/* Keeps a part of the level's seconds for comparisons, whose turns take so long. Returns what is
 * left. */
static double keep_time(struct gmg_level_search *search, double seconds, double turn)
{
  const double most = 0.4;
  const int turns = FIRST_ROUNDS * (GMG_SEARCH_FINALISTS + 1) + SECOND_ROUNDS * (FEW + 1)
    + 4 * (gmg_trial_is_short(search) ? MOST_ROUNDS : ROUNDS);
  search->part = fmin(1, most * seconds / (turns * turn));
  return fmax(seconds - search->part * turns * turn, 1e-3); /* 0 would be no end */
}

/* Of choices that are timed in turns with the first one, the index of the first that is as fast as
 * the fastest but for noise. */
static int find_fastest(const struct gmg_timer_result *result, int count)
{
  int fastest = 1, first = 1;
  for (int n = 1; n < count; n++)
    fastest = result[n].ratio < result[fastest].ratio ? n : fastest;
  while (result[first].ratio * (1 - LEAST_NOISE) > result[fastest].ratio)
    first++;
  return first;
}

/* Leaves the fastest few of choices, in their order, after the first one. Returns how many stay. */
static int leave_few(struct gmg_choice *choice, const struct gmg_timer_result *result, int count)
{
  int left = 1;
  for (int n = 1; n < count; n++) {
    int faster = 0;
    for (int m = 1; m < count; m++)
      faster += result[m].ratio < result[n].ratio;
    if (faster < FEW)
      choice[left++] = choice[n];
  }
  return left;
}

/* Finds the fastest of what the search found best, in two rounds; the rules' choices where there is
 * nothing else. */
static gmg_status find_best(struct gmg_level_search *search, const struct gmg_search_result *found,
                            struct gmg_choice *best)
{
  struct gmg_choice choice[GMG_TRIAL_COMPARED] = {{0}};
  struct gmg_timer_result result[GMG_TRIAL_COMPARED];
  const int room = gmg_trial_is_short(search) ? GMG_SEARCH_FINALISTS : FEW;
  int count = 1;
  for (int n = 0; n < found->finalists && count <= room; n++) {
    const struct gmg_choice one = gmg_trial_choice(found->finalist[n]);
    if (memcmp(&one, &choice[0], sizeof one) != 0)
      choice[count++] = one;
  }
  *best = choice[0];
  gmg_status status = GMG_OK;
  if (count > FEW + 1) {
    status = gmg_trial_compare(search, choice, count, rounds_of(search, FIRST_ROUNDS), result);
    count = status ? 1 : leave_few(choice, result, count);
  }
  if (count > 1) {
    status = gmg_trial_compare(search, choice, count, rounds_of(search, SECOND_ROUNDS), result);
    *best = choice[status ? 0 : find_fastest(result, count)];
  }
  return status;
}

/* Takes another choice in place of the best, where it is faster beyond doubt: *ratio is then
 * multiplied with its time over that of the best. */
static gmg_status try_instead(struct gmg_level_search *search, const struct gmg_choice *other,
                              struct gmg_choice *best, double *ratio)
{
  const struct gmg_choice choice[2] = {*best, *other};
  struct gmg_timer_result result[2];
  if (memcmp(best, other, sizeof *best) == 0)
    return GMG_OK;
  const int rounds = rounds_of(search, gmg_trial_is_short(search) ? MOST_ROUNDS : ROUNDS);
  const gmg_status status = gmg_trial_compare(search, choice, 2, rounds, result);
  if (!status && result[1].ratio_high < 1) {
    *best = *other;
    *ratio *= result[1].ratio;
  }
  return status;
}

/* Chooses between what the search began with, the rules' choices, and what it found: each in place
 * of those before it where it is faster beyond doubt. Gives the choice in *best, and its time over
 * that of what the search began with in *ratio. */
static gmg_status compare(struct gmg_level_search *search, const struct gmg_search_result *found,
                          struct gmg_choice *best, double *ratio)
{
  static const struct gmg_choice rules;
  struct gmg_choice fastest;
  *best = search->begin;
  *ratio = 1;
  gmg_status status = find_best(search, found, &fastest);
  if (!status)
    status = try_instead(search, &rules, best, ratio);
  return status ? status : try_instead(search, &fastest, best, ratio);
}

/* The noise, and the seconds of a turn with all that belongs to it. */
static gmg_status find_noise(struct gmg_level_search *search, double *noise, double *turn)
{
  const struct gmg_choice twice[2] = {search->begin, search->begin};
  struct gmg_timer_result result[2];
  const double begin = gmg_trial_now(search);
  const gmg_status status = gmg_trial_compare(search, twice, 2, NOISE_ROUNDS, result);
  *noise = status ? 0 : fmax(result[1].ratio_high - 1, 1 - result[1].ratio_low);
  *noise = fmin(fmax(*noise, LEAST_NOISE), MOST_NOISE);
  *turn = (gmg_trial_now(search) - begin) / (2 * (NOISE_ROUNDS + 1));
  return status;
}

static gmg_status keep(struct gmg_level_search *search, const struct gmg_choice *best,
                       double seconds)
{
  struct gmg_wisdom_entry entry = {.seconds = seconds, .default_seconds = search->seconds};
  gmg_choices_subject(search->solver, search->l, entry.subject);
  gmg_tuned_extents(search->solver->hierarchy.layout[search->l], entry.cells);
  gmg_tuned_put(&entry, best);
  return gmg_tuned_add(search->solver->context, GMG_TARGET_CPU, &entry);
}

/* What all ranks must know alike of a level, since they choose candidates by it. */
static void find_extents(struct gmg_level_search *search)
{
  gmg_context *context = search->solver->context;
  const struct gmg_level *level = search->solver->hierarchy.level[search->l].level;
  const int any = level->layout->local_count > 0;
  const double element = level->precision == GMG_F64 ? sizeof(double) : sizeof(float);
  search->cells = gmg_trial_largest(context, (double)level->local_cells);
  for (int d = 0; d < 3; d++)
    search->box[d] = gmg_trial_largest(context, any ? level->box[0].cells[d] : 1);
  search->row =
    gmg_trial_largest(context, any ? (double)level->storage->stride[0][0] * element : 0);
  search->cache = gmg_trial_largest(context, gmg_cache_second());
}

/* Whether finding the noise alone, in turns that take about as long as the rules' choices did,
 * takes too much of a coarse level's time: on a busy machine. */
static int is_too_slow(const struct gmg_level_search *search, double turn, double budget)
{
  return !search->alone && (NOISE_ROUNDS + 1) * turn > budget;
}

static gmg_status no_memory(const struct gmg_level_search *search)
{
  return gmg_no_memory(search->solver->context, "while levels were tuned");
}

static gmg_status take(const struct gmg_level_search *search, const struct gmg_choice *choice)
{
  return gmg_choices_set(search->solver, search->l, choice) ? no_memory(search) : GMG_OK;
}

/* Searches on one level, for so many seconds. */
static gmg_status tune_level(struct gmg_level_search *search, double budget)
{
  static const int rules[GMG_CHOICE_COUNT];
  int threads[GMG_LEVEL_THREADS];
  struct gmg_search_dimension dimension[GMG_CHOICE_COUNT];
  const struct gmg_search_space space = {
    .dimension = dimension,
    .dimensions = gmg_level_dimensions(search->solver->context->tuned->key[GMG_TARGET_CPU].threads,
                                       threads, dimension),
    .legal = gmg_level_legal,
    .cost = gmg_trial_cost,
    .model = gmg_level_predict,
    .context = search};
  struct gmg_search_options options = {.mode = search->tune->exhaustive ? GMG_SEARCH_EXHAUSTIVE
                                                                        : GMG_SEARCH_MODEL,
                                       .most = 0.09,
                                       .again = GMG_SEARCH_AGAIN,
                                       .clock = search_clock,
                                       .progress = tell,
                                       .record = record,
                                       .context = search};
  struct gmg_search_result result = {.cost = 0};
  int begin[GMG_CHOICE_COUNT];
  for (int n = 0; n < GMG_CHOICE_COUNT; n++)
    begin[n] = *gmg_choice_member(&search->begin, n);
  find_extents(search);
  const double start = gmg_trial_now(search), end = start + budget;
  double turn;
  const int measured = search->tune->measured;
  gmg_trial_cost(search, rules);
  search->tune->measured = measured; /* the search, if there is time for one, times them again */
  if (is_too_slow(search, gmg_trial_now(search) - start, budget))
    return take(search, &search->begin);
  gmg_status status = find_noise(search, &options.noise, &turn);
  options.budget = keep_time(search, fmax(end - gmg_trial_now(search), 0), turn);
  if (!status && !gmg_search(&space, &options, begin, &result))
    status = no_memory(search);
  struct gmg_choice best = search->begin;
  double ratio = 1;
  if (!status)
    status = compare(search, &result, &best, &ratio);
  if (ratio == 1 && !isfinite(result.default_cost))
    best = gmg_trial_choice(rules); /* what wisdom of other bits says is not kept */
  search->tune->better += ratio < 1;
  const gmg_status taken = take(search, &best);
  status = status ? status : taken;
  const double seconds =
    isfinite(result.default_cost) ? ratio * result.default_cost : search->seconds;
  for (int n = 0; n < GMG_CHOICE_COUNT; n++)
    begin[n] = *gmg_choice_member(&best, n);
  if (!status)
    report(search, begin, seconds, 1);
  return status ? status : keep(search, &best, seconds);
}

/* Fills what the search's cycles begin with. */
static void fill_f(const struct gmg_level_search *search)
{
  struct gmg_level *level =
    search->solver->hierarchy.level[search->alone ? search->l : search->l - 1].level;
  gmg_fill_noise(level, gmg_level_open(level, GMG_NAME_F, GMG_REPLACE)->box);
}

/* The coarsest level comes first, so that a level is timed with what was found below it. Of the
 * time half is kept for the finest level, a quarter for the next one, and so on; what a level
 * leaves is the finer ones'. */
gmg_status gmg_tune_levels(gmg_solver *s, struct gmg_tune *tune)
{
  struct gmg_hierarchy *h = &s->hierarchy;
  const double least = 0.1; /* of all time, for the finest level, whatever others took */
  const int finest = s->placement.attached ? s->placement.host_from : 0;
  gmg_status status = GMG_OK;
  gmg_call_wait(s->context);
  const double all = gmg_trial_largest(s->context, tune->end - gmg_seconds());
  for (int l = gmg_bottom_level(h) - 1; l >= finest && !status; l--) {
    struct gmg_level_search search = {
      .solver = s, .tune = tune, .l = l, .alone = l == finest, .begin = h->level[l].choice};
    snprintf(search.subject, sizeof search.subject, "level %d, %d x %d x %d", l, h->cells[l][0],
             h->cells[l][1], h->cells[l][2]);
    const double left = gmg_trial_largest(s->context, tune->end - gmg_seconds());
    const double kept = all * (1 - ldexp(1, finest - l));
    if (is_stopped(s, tune))
      break;
    const double seconds = fmax(left - kept, l == finest ? least * all : 0);
    if (!(seconds > 0))
      continue;
    fill_f(&search);
    status = gmg_agree(s->context, tune_level(&search, seconds));
  }
  if (!status && s->context->mpi_error)
    status = gmg_fail(s->context, GMG_ERR_MPI, "MPI failed while levels were tuned");
  return gmg_agree(s->context, status);
}
