#include "tune.h"

#include "cuda/run/prepared.h"
#include "cuda/run/where.h"
#include "cuda/run/wisdom.h"
#include "noise.h"
#include "search.h"
#include "runtime/tuned.h"
#include "system/threads.h"
#include "trial.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SUBJECTS = 256 };
#define ORDER_SHARE 0.3   /* of the budget, for times by default, at most */
#define LEAST_SHARE 0.002 /* of all kernels' time that a subject must have to be worth it */

struct subjects {
  int count, measured, discarded, better;
  struct gmg_subject subject[MOST_SUBJECTS];
};

/* Whether a call's kernel has a choice: it runs by itself, here, on fields that cycles have now. */
static int has_choice(const struct gmg_placement *p, const struct gmg_call *call)
{
  int has = call->prepared && call->prepared->boxes > 0 && !call->in_tail && !call->in_passes
    && !call->in_setup;
  for (int f = 0; f < call->kernel->fields; f++)
    has = has && (call->array[f]->kind != GMG_FIELD || gmg_noise_has(p, call->array[f]));
  return has;
}

static void add_subject(struct gmg_placement *p, struct gmg_call *call, void *user)
{
  struct subjects *list = user;
  if (!has_choice(p, call) || list->count == MOST_SUBJECTS)
    return;
  struct gmg_subject *subject = &list->subject[list->count];
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
  const struct gmg_subject *one = a, *other = b;
  const double x = one->seconds * one->weight, y = other->seconds * other->weight;
  return (x < y) - (x > y);
}

/* Leaves the largest of the subjects of that name alone in the list. */
static void keep_only(struct subjects *list, const char *name)
{
  int kept = -1;
  for (int n = 0; n < list->count; n++)
    if (strcmp(list->subject[n].entry.subject, name) == 0
        && (kept < 0
            || list->subject[n].call->level->cells > list->subject[kept].call->level->cells))
      kept = n;
  if (kept > 0)
    list->subject[0] = list->subject[kept];
  list->count = kept >= 0;
}

/* Finds the default's times, by which the subjects are ordered. Those that take hardly any, and
 * those for which the time has not sufficed, are left out. */
static void order(struct gmg_placement *p, struct subjects *list, struct gmg_tune *tune)
{
  const double begin = gmg_seconds(), end = begin + ORDER_SHARE * (tune->end - begin);
  double all = 0;
  for (int n = 0; n < list->count; n++) {
    struct gmg_subject *subject = &list->subject[n];
    const struct gmg_wanted usual = gmg_wisdom_usual(subject->call);
    const double now = gmg_seconds();
    if (tune->progress)
      tune->progress(tune->user, "kernels by default", n, list->count, fmax(tune->end - now, 0));
    struct gmg_trial *trial =
      now < end && !gmg_search_stopped(tune) ? gmg_trial_create(p->device, subject->call, 0) : NULL;
    const struct gmg_candidate *compiled =
      trial ? gmg_candidates_find(&trial->candidates, &usual) : NULL;
    subject->seconds = compiled ? gmg_trial_glance(trial, compiled) : 0;
    subject->seconds = isfinite(subject->seconds) ? subject->seconds : 0;
    all += subject->seconds * subject->weight;
    gmg_trial_destroy(&trial);
  }
  qsort(list->subject, (size_t)list->count, sizeof *list->subject, dearer);
  while (list->count > 0) {
    const struct gmg_subject *last = &list->subject[list->count - 1];
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
  if (tune->only)
    keep_only(list, tune->only);
  if (gmg_noise_fill(p))
    list->count = 0;
  order(p, list, tune);
  double left = 0;
  for (int n = 0; n < list->count; n++)
    left += list->subject[n].seconds * list->subject[n].weight;
  for (int n = 0; n < list->count; n++) {
    struct gmg_subject *subject = &list->subject[n];
    const double share = subject->seconds * subject->weight, budget = tune->end - gmg_seconds(),
                 alike = 0.5 / (list->count - n), own = left > 0 ? 0.5 * share / left : 0;
    if (budget <= 0 || p->device->failed || gmg_search_stopped(tune))
      break;
    gmg_search_kernel(p, subject, tune, budget * (alike + own));
    left -= share;
  }
  gmg_noise_clear(p);
  list->measured = tune->measured;
  list->discarded = tune->discarded;
  list->better = tune->better;
}

/* On rank 0: the last form of each subject, with many rows for each of few threads. */
static void spoil_all(struct gmg_placement *p, struct subjects *list)
{
  static const struct gmg_cuda_shape narrow = {16, 4, 4, 1, 1, 1}, even = {32, 2, 4, 2, 1, 1};
  gmg_where_calls(p, (struct gmg_call_visit){add_subject, list});
  for (int n = 0; n < list->count; n++) {
    struct gmg_subject *subject = &list->subject[n];
    const struct gmg_cuda_kernel *kernel = subject->call->kernel->cuda;
    struct gmg_wanted poor = gmg_modules_form(kernel, &kernel->form[kernel->forms - 1]);
    poor.shape = narrow;
    if (!gmg_wisdom_legal(&poor))
      poor.shape = even;
    gmg_wisdom_put(&poor, &subject->entry);
    subject->entry.seconds = subject->entry.default_seconds = 1;
  }
}

gmg_status gmg_cuda_tune(struct gmg_placement *p, struct gmg_tune *tune)
{
  gmg_context *context = p->context;
  struct subjects *list = calloc(1, sizeof *list);
  int failed = !list;
  gmg_status status = GMG_OK;
  if (!failed && context->comm.rank == 0 && tune->spoil)
    spoil_all(p, list);
  else if (!failed && context->comm.rank == 0)
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
