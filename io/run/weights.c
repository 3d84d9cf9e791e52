#include "weights.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/parallel.h"
#include "rank_list.h"

enum {
  ROUNDS = 4,     /* cuts in proportion to the speeds found in the one before */
  FIRST = 4,      /* steps, or passes, of the first run of a cut */
  MOST_MORE = 16, /* times as many in the next one, at most */
  SHOWN = 8       /* ranks whose weights are printed */
};
/* Seconds of a run that counts. */
static const double LONG_ENOUGH = 0.1;
/* The first part of a rank without a device beside those that have one. */
static const double HOST_PART = 0.05;
/* An uneven cut is taken where it gains so much over equal parts; devices alone where they lose
 * less. One kind alone is tried where its speed says that it takes at most so much longer. */
static const double NO_GAIN = 1.01, HOPE = 1.25;

struct search {
  const struct run_request *request;
  struct beginning *b;
  const struct progress *progress;
  int ranks;
  /* By rank: weights of the cut that is tried, and of the best one; parts of the grid that it had,
   * and that it computes in a second in which it does not wait; 1 for a device. */
  double *weight, *best, *part, *speed, *device;
  double first, seconds; /* of a step of the first cut, and of the best one */
};

static int take_room(struct search *search)
{
  double **const list[] = {&search->weight, &search->best, &search->part, &search->speed,
                           &search->device};
  int failed = 0;
  for (size_t n = 0; n < sizeof list / sizeof *list; n++) {
    *list[n] = calloc((size_t)search->ranks, sizeof **list[n]);
    failed |= !*list[n];
  }
  return failed;
}

static void free_room(struct search *search)
{
  free(search->weight);
  free(search->best);
  free(search->part);
  free(search->speed);
  free(search->device);
}

/* One run: the seconds of the slowest rank, and what this one did in them. */
static gmg_status take_steps(gmg_program *program, int64_t steps, gmg_program_info *took,
                             double *seconds)
{
  gmg_program_info before;
  gmg_program_inform(program, &before);
  const gmg_status status = gmg_program_run(program, steps);
  gmg_program_inform(program, took);
  took->seconds -= before.seconds;
  took->wait_seconds -= before.wait_seconds;
  took->bytes -= before.bytes;
  *seconds = took->seconds;
  parallel_max_values(seconds, 1);
  return status;
}

/* Runs so many steps that they take long enough, and once more. Gives the seconds of a step in the
 * faster of the two, and what this rank took for it. */
static gmg_status time_steps(gmg_program *program, gmg_program_info *took, double *a_step)
{
  gmg_program_info info;
  double seconds = 0;
  gmg_program_inform(program, &info);
  const int64_t least = parallel_max(info.composed * info.steps_per_pass);
  int64_t steps = FIRST * least;
  gmg_status status = take_steps(program, steps, took, &seconds); /* makes ready, too */
  for (int all_long = 0; !status && !all_long;) {
    status = take_steps(program, steps, took, &seconds);
    all_long = seconds >= LONG_ENOUGH || steps >= RUN_MOST_STEPS / MOST_MORE;
    const double more = fmin(MOST_MORE, ceil(1.5 * LONG_ENOUGH / (seconds + 1e-9)));
    steps *= all_long ? 1 : (int64_t)fmax(2, more);
  }
  double again = 0;
  if (!status)
    status = take_steps(program, steps, &info, &again);
  if (again < seconds) {
    seconds = again;
    *took = info;
  }
  *a_step = seconds / (double)steps;
  took->seconds /= (double)steps;
  took->wait_seconds /= (double)steps;
  return status;
}

static double sum(const struct search *search, const double *weight)
{
  double all = 0;
  for (int r = 0; r < search->ranks; r++)
    all += weight[r];
  return all;
}

static void tell(const struct search *search, const char *what, const double *weight,
                 double seconds)
{
  const int *cells = search->b->header.cells;
  char list[SHOWN * 12] = "";
  const double all = sum(search, weight);
  for (int r = 0, at = 0; r < search->ranks && r < SHOWN; r++)
    at += snprintf(list + at, sizeof list - (size_t)at, "%s%.4g", r ? "," : "",
                   1e-2 * round(1e4 * weight[r] / all));
  progress_line(search->progress, "weights    %s%s%s: %.4g million cells per second", what, list,
                search->ranks > SHOWN ? ",..." : "",
                1e-6 * cells[0] * cells[1] * cells[2] / seconds);
}

/* Times a cut of these weights, and the speeds of the ranks that have a part of it. */
static gmg_status try_cut(struct search *search, double *a_step)
{
  const int rank = parallel_rank();
  gmg_program *program = NULL;
  gmg_program_info took = {0};
  gmg_status status = begin_make(search->request, search->b, search->weight[rank], &program);
  if (!status)
    status = gmg_program_begin(program);
  if (!status)
    status = time_steps(program, &took, a_step);
  if (!status) {
    double all = took.bytes;
    parallel_sum(&all, 1);
    const double part = all > 0 ? took.bytes / all : 0,
                 busy = fmax(took.seconds - took.wait_seconds, 1e-9);
    parallel_share(part, search->part);
    parallel_share(part > 0 ? part / busy : search->speed[rank], search->speed);
    parallel_share(*took.device != 0, search->device);
    tell(search, "", search->weight, *a_step);
  }
  gmg_program_destroy(&program);
  return status;
}

static void keep(struct search *search, double seconds)
{
  memcpy(search->best, search->weight, (size_t)search->ranks * sizeof *search->best);
  search->seconds = seconds;
}

/* Weights in proportion to the speeds of the last cut. Returns whether they make another one. */
static int cut_anew(struct search *search)
{
  const int layers = search->b->header.cells[search->b->made->dimensions - 1];
  double all = 0, most = 0;
  for (int r = 0; r < search->ranks; r++)
    all += search->weight[r] = search->part[r] > 0 ? search->speed[r] : 0;
  for (int r = 0; r < search->ranks && all > 0; r++)
    most = fmax(most, fabs(search->weight[r] / all - search->part[r]) * layers);
  return most >= 0.5;
}

/* Parts for ranks with a device alone, or for those without. */
static gmg_status try_kind(struct search *search, int devices)
{
  double own = 0, other = 0, seconds = 0;
  for (int r = 0; r < search->ranks; r++) {
    const int of_kind = (search->device[r] > 0) == devices;
    search->weight[r] = of_kind ? search->speed[r] : 0;
    own += of_kind ? search->speed[r] : 0;
    other += of_kind ? 0 : search->speed[r];
  }
  if (own <= 0 || other <= 0 || 1 / own > HOPE * search->seconds)
    return GMG_OK;
  const gmg_status status = try_cut(search, &seconds);
  if (!status && seconds < (devices ? NO_GAIN : 1) * search->seconds)
    keep(search, seconds);
  return status;
}

static gmg_status try_all(struct search *search)
{
  double seconds = 0;
  gmg_status status = GMG_OK;
  for (int round = 0; round < ROUNDS && !status; round++) {
    status = try_cut(search, &seconds);
    search->first = round == 0 ? seconds : search->first;
    if (!status && (round == 0 || (NO_GAIN * seconds < search->first && seconds < search->seconds)))
      keep(search, seconds);
    if (!status && !cut_anew(search))
      break;
  }
  for (int devices = 0; devices < 2 && !status; devices++)
    status = try_kind(search, devices);
  return status;
}

/* Of the best cut: do kernels go on beside messages, or is that slower? */
static gmg_status try_overlap(struct search *search)
{
  int devices = 0;
  double seconds = 0;
  for (int r = 0; r < search->ranks; r++)
    devices += search->device[r] > 0 && search->best[r] > 0;
  if (devices < 2)
    return GMG_OK;
  memcpy(search->weight, search->best, (size_t)search->ranks * sizeof *search->best);
  const gmg_status status = try_cut(search, &seconds);
  if (!status && seconds > search->seconds)
    search->b->overlap = "none";
  search->seconds = fmin(seconds, search->seconds);
  return status;
}

/* A rank that is to have no device begins with a small part. */
static double first_weight(const struct search *search)
{
  const char *const list = search->request->backend;
  const int layers = search->b->header.cells[search->b->made->dimensions - 1];
  char word[RANK_LIST_WORD];
  if (!list || rank_list_count(list) == 1
      || strcmp(rank_list_item(list, rank_list_own(list), word), "openmp") != 0)
    return 1;
  return fmax(HOST_PART, 1.0 / layers);
}

int weights_find(const struct run_request *request, struct beginning *b,
                 const struct progress *progress, struct failure *failure)
{
  struct search search = {request, b, progress, .ranks = parallel_ranks()};
  if (take_room(&search))
    failure_set(failure, STATUS_MACHINE, "out of memory for the weights of ranks");
  if (!parallel_agree(failure)) {
    parallel_share(first_weight(&search), search.weight);
    /* Where kernels go on beside messages, a rank waits for some of them while it computes, too. */
    b->overlap = "none";
    gmg_status status = try_all(&search);
    b->overlap = NULL;
    if (!status && (!request->overlap || strcmp(request->overlap, "auto") == 0))
      status = try_overlap(&search);
    if (!parallel_refused(b->context, status, failure)) {
      b->weight = 100 * search.best[parallel_rank()] / sum(&search, search.best);
      tell(&search, "found ", search.best, search.seconds);
    }
  }
  free_room(&search);
  return parallel_agree(failure);
}
