#include "tune.h"

#include "runtime/tuned.h"
#include "system/threads.h"
#include "trial.h"
#include "tuning/search.h"
#include "where.h"
#include "wisdom.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SUBJECTS = 256, DIMENSIONS = 7 };
#define NOISE 0.015       /* that times of a kernel on an idle device differ by */
#define LEAST_SHARE 0.002 /* of all kernels' time that a subject must have to be worth it */

/* A kernel on a level. */
struct subject {
  struct gmg_call *call;
  struct gmg_wisdom_entry entry;
  double weight; /* of its default's time: how often it ran, at least once */
  double seconds;
};

struct subjects {
  int count;
  struct subject subject[MOST_SUBJECTS];
};

static const int form_of[] = {0, 1, 2}, block_i[] = {16, 32, 64, 128, 256},
                 block_j[] = {1, 2, 4, 8, 16}, rows[] = {1, 2, 4},
                 planes[] = {1, 2, 4, 8, 16, 32, 64}, unroll[] = {1, 2, 4},
                 blocks[] = {1, 2, 3, 4, 5, 6, 8};

static void add_subject(struct gmg_placement *p, struct gmg_call *call, void *user)
{
  struct subjects *list = user;
  (void)p;
  if (!call->prepared || call->in_tail || call->in_passes || list->count == MOST_SUBJECTS)
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
  struct gmg_trial *trial;
  struct gmg_tune *tune;
  const struct gmg_cuda_kernel *kernel;
  const int *cells;
  int multiprocessors, registers;
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
  enum { LEAST_THREADS = 64, MOST_THREADS = 512, LEAST_REGISTERS = 24, REGISTERS = 65536 };
  const struct kernel_search *search = context;
  const struct gmg_wanted wanted = wanted_of(search, candidate);
  const struct gmg_cuda_shape *s = &wanted.shape;
  /* With many fewer registers than the default has values would be spilled. */
  const int threads = s->block_i * s->block_j, *cells = search->cells,
            registers = search->registers * 2 / 3 > LEAST_REGISTERS ? search->registers * 2 / 3
                                                                    : LEAST_REGISTERS;
  return gmg_wisdom_legal(&wanted) && threads >= LEAST_THREADS && threads <= MOST_THREADS
    && s->blocks * threads * registers <= REGISTERS && s->block_i <= 2 * cells[0]
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
               wave = (double)search->multiprocessors * s->blocks, waves = ceil(count / wave),
               idle = waves * wave / count,
               resident = s->blocks * s->block_i * s->block_j * s->unroll,
               under_way = fmax(1, sqrt(1024 / resident)),
               edges = 1 + 0.1 / (s->block_j * s->rows) + 0.1 / s->planes,
               lines = s->block_i < 32 ? 1.15 : 1;
  return fmin(idle, 2) * under_way * edges * lines;
}

static void prepare(void *context, const int *candidates, int count)
{
  enum { MOST = 64 };
  struct kernel_search *search = context;
  struct gmg_wanted wanted[MOST];
  for (int n = 0; n < count && n < MOST; n++)
    wanted[n] = wanted_of(search, candidates + n * DIMENSIONS);
  gmg_trial_compile(search->trial, wanted, count < MOST ? count : MOST);
}

static double cost_of(void *context, const int *candidate)
{
  struct kernel_search *search = context;
  const struct gmg_wanted wanted = wanted_of(search, candidate);
  const struct gmg_candidate *compiled = gmg_trial_find(search->trial, &wanted);
  search->tune->measured++;
  if (!compiled || !gmg_trial_verify(search->trial, compiled, 0)) {
    search->tune->discarded++;
    return INFINITY;
  }
  return gmg_trial_time(search->trial, compiled);
}

static void tell(void *context, int measured, int of, double seconds_left)
{
  const struct kernel_search *search = context;
  if (search->tune->progress)
    search->tune->progress(search->tune->user, search->what, measured, of, seconds_left);
}

/* Searches for so many seconds; the entry then has the choices, or none where the default is best.
 */
static void search_one(struct gmg_placement *p, struct subject *subject, struct gmg_tune *tune,
                       double budget)
{
  const struct gmg_cuda_kernel *kernel = subject->call->kernel->cuda;
  const struct gmg_cuda_shape *usual = &kernel->form[0].shape;
  struct kernel_search search = {.tune = tune,
                                 .kernel = kernel,
                                 .cells = subject->call->level->box[0].cells,
                                 .multiprocessors = p->device->multiprocessors};
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
                                         .prepare = prepare,
                                         .context = &search};
  const struct gmg_search_options options = {.mode = tune->exhaustive ? GMG_SEARCH_EXHAUSTIVE
                                                                      : GMG_SEARCH_MODEL,
                                             .budget = budget,
                                             .noise = NOISE,
                                             .share = 0.01,
                                             .most = 0.06,
                                             .progress = tell,
                                             .context = &search};
  const int start[DIMENSIONS] = {
    0, usual->block_i, usual->block_j, usual->rows, usual->planes, usual->unroll, usual->blocks};
  struct gmg_search_result result;
  const int *cells = subject->entry.cells;
  snprintf(search.what, sizeof search.what, "%s at %d x %d x %d", subject->entry.subject, cells[0],
           cells[1], cells[2]);
  search.trial = gmg_trial_create(p->device, subject->call);
  search.registers = search.trial ? search.trial->registers : 0;
  if (search.trial && gmg_search(&space, &options, start, &result) && isfinite(result.cost)) {
    const struct gmg_wanted best = wanted_of(&search, result.candidate);
    const struct gmg_candidate *compiled = gmg_trial_find(search.trial, &best);
    const int better = memcmp(result.candidate, start, sizeof start) != 0 && compiled
      && gmg_trial_verify(search.trial, compiled, 1);
    subject->entry.seconds = better ? result.cost : result.default_cost;
    subject->entry.default_seconds = result.default_cost;
    if (better)
      gmg_wisdom_put(&best, &subject->entry);
    tune->better += better;
  }
  gmg_trial_destroy(&search.trial);
}

/* The default's times, by which the subjects are ordered; those that take hardly any are left out.
 */
static void order(struct gmg_placement *p, struct subjects *list)
{
  double all = 0;
  for (int n = 0; n < list->count; n++) {
    struct subject *subject = &list->subject[n];
    subject->seconds = gmg_trial_glance(p->device, subject->call);
    all += subject->seconds * subject->weight;
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
  order(p, list);
  double left = 0;
  for (int n = 0; n < list->count; n++)
    left += list->subject[n].seconds * list->subject[n].weight;
  for (int n = 0; n < list->count; n++) {
    struct subject *subject = &list->subject[n];
    const double share = subject->seconds * subject->weight, budget = tune->end - gmg_seconds(),
                 alike = 0.5 / (list->count - n), own = left > 0 ? 0.5 * share / left : 0;
    if (budget <= 0 || p->device->failed)
      break;
    search_one(p, subject, tune, budget * (alike + own));
    left -= share;
  }
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
  free(list);
  status = gmg_agree(context, status);
  return status ? status : gmg_agree(context, gmg_device_status(context));
}
