#include "trial.h"

#include "cuda/run/newest.h"
#include "cuda/run/prepared.h"
#include "cuda/run/queue.h"
#include "cuda/run/wisdom.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE = 1 << 20 }; /* bytes that are compared at each of three places of a large field */
enum { MEASUREMENTS = 4, MOST_RUNS = 256 };
#define MEASURED_SECONDS 1e-3 /* that the runs of one measurement take, about */

/* The arguments of a run. Scalars that cycles set before every run, and that are still 0, would
 * hide what a candidate computes. */
static void take_scalars(const struct gmg_call *call, int colour, double scalar[GMG_MAX_SCALARS])
{
  static const enum gmg_scalar factor[] = {GMG_SCALAR_OMEGA, GMG_SCALAR_S, GMG_SCALAR_C1,
                                           GMG_SCALAR_C2};
  memcpy(scalar, call->args.scalar, GMG_MAX_SCALARS * sizeof *scalar);
  for (size_t n = 0; n < sizeof factor / sizeof *factor; n++) {
    const int slot = call->slot[factor[n]];
    if (slot >= 0 && scalar[slot] == 0)
      scalar[slot] = 0.75;
  }
  if (call->slot[GMG_SCALAR_COLOUR] >= 0)
    scalar[call->slot[GMG_SCALAR_COLOUR]] = colour;
}

static int colours(const struct gmg_trial *t)
{
  return t->call->slot[GMG_SCALAR_COLOUR] >= 0 ? 2 : 1;
}

/* All boxes, in the grid of a shape. */
static void launch_colour(struct gmg_trial *t, const struct gmg_candidate *candidate, int colour)
{
  const struct gmg_prepared *prepared = t->call->prepared;
  const struct gmg_wanted *wanted = &candidate->wanted;
  struct gmg_cuda_args args = prepared->args;
  void *argument[] = {&args};
  CUDA_KERNEL_NODE_PARAMS node;
  unsigned grid[3];
  take_scalars(t->call, colour, args.scalar);
  gmg_prepared_node(prepared, argument, &node);
  gmg_prepared_grid(prepared, wanted->form, &wanted->shape, grid, &args.each);
  node.func = candidate->function;
  node.gridDimX = grid[0];
  node.gridDimY = grid[1];
  node.gridDimZ = grid[2];
  node.blockDimX = (unsigned)wanted->shape.block_i;
  node.blockDimY = (unsigned)wanted->shape.block_j;
  gmg_prepared_launch(t->device, &node, wanted->kernel->symbol);
}

/* Of a kernel with a colour both, one after the other. */
static void launch(struct gmg_trial *t, const struct gmg_candidate *candidate)
{
  for (int colour = 0; colour < colours(t); colour++)
    launch_colour(t, candidate, colour);
}

static void restore(struct gmg_trial *t)
{
  for (int f = 0; f < t->fields; f++)
    GMG_DEVICE_TRY(t->device, cuMemcpyDtoDAsync, t->array[f]->mirror.at, t->d_saved[f],
                   t->array[f]->bytes, t->device->stream);
}

/* From the saved values. The sums begin at 0: then they are sums of terms' bits, in any order. */
static void run_once(struct gmg_trial *t, const struct gmg_candidate *candidate,
                     struct gmg_reduction *sums)
{
  struct gmg_device *device = t->device;
  restore(t);
  memset(sums, 0, sizeof *sums);
  GMG_DEVICE_TRY(device, cuMemcpyHtoDAsync, device->d_sums, sums, sizeof *sums, device->stream);
  launch(t, candidate);
  GMG_DEVICE_TRY(device, cuMemcpyDtoHAsync, sums, device->d_sums, sizeof *sums, device->stream);
  gmg_device_synchronize(device);
}

static void get(struct gmg_trial *t, int f, char *to, size_t from, size_t bytes)
{
  GMG_DEVICE_TRY(t->device, cuMemcpyDtoHAsync, to + from, t->array[f]->mirror.at + from, bytes,
                 t->device->stream);
}

int gmg_trial_verify(struct gmg_trial *t, const struct gmg_candidate *candidate, int whole)
{
  struct gmg_reduction sums;
  int same = 1;
  gmg_device_enter(t->device);
  run_once(t, candidate, &sums);
  if (candidate->wanted.kernel->reduces)
    same = memcmp(&sums, &t->sums, sizeof sums) == 0;
  for (int f = 0; f < t->fields && same && !t->device->failed; f++) {
    const size_t bytes = t->array[f]->bytes, piece = whole || bytes < 3 * PIECE ? bytes : PIECE;
    const size_t from[] = {0, (bytes - piece) / 2, bytes - piece};
    for (int n = 0; n < (piece < bytes ? 3 : 1) && same; n++) {
      get(t, f, t->found, from[n], piece);
      gmg_device_synchronize(t->device);
      same = memcmp(t->found + from[n], t->expected[f] + from[n], piece) == 0;
    }
  }
  restore(t);
  gmg_device_leave(t->device);
  return same && !t->device->failed;
}

/* Seconds of so many runs, of both colours where there are two. */
static double time_runs(struct gmg_trial *t, const struct gmg_candidate *candidate, int runs)
{
  struct gmg_device *device = t->device;
  float milliseconds = 0;
  GMG_DEVICE_TRY(device, cuEventRecord, t->event[0], device->stream);
  for (int n = 0; n < runs; n++)
    launch(t, candidate);
  GMG_DEVICE_TRY(device, cuEventRecord, t->event[1], device->stream);
  gmg_device_synchronize(device);
  GMG_DEVICE_TRY(device, cuEventElapsedTime, &milliseconds, t->event[0], t->event[1]);
  return device->failed ? INFINITY : 1e-3 * (double)milliseconds;
}

int gmg_trial_runs(double seconds)
{
  return seconds > 0 ? (int)fmin(MOST_RUNS, fmax(2, ceil(MEASURED_SECONDS / seconds))) : MOST_RUNS;
}

/* The least of so many measurements; of none, what the first look says. */
static double measure(struct gmg_trial *t, const struct gmg_candidate *candidate, int measurements)
{
  gmg_device_enter(t->device);
  restore(t);
  time_runs(t, candidate, 1);
  const double once = time_runs(t, candidate, 2) / 2;
  const int runs = gmg_trial_runs(once);
  double least = measurements ? INFINITY : once;
  for (int n = 0; n < measurements && !t->device->failed; n++)
    least = fmin(least, time_runs(t, candidate, runs) / runs);
  restore(t);
  gmg_device_leave(t->device);
  return least / colours(t);
}

double gmg_trial_time(struct gmg_trial *t, const struct gmg_candidate *candidate)
{
  return measure(t, candidate, MEASUREMENTS);
}

double gmg_trial_glance(struct gmg_trial *t, const struct gmg_candidate *candidate)
{
  return measure(t, candidate, 0);
}

int gmg_trial_take_turn(void *context)
{
  const struct gmg_trial_turn *turn = context;
  struct gmg_trial *t = turn->trial;
  gmg_device_enter(t->device);
  t->clock += time_runs(t, turn->candidate, turn->runs);
  gmg_device_leave(t->device);
  return t->device->failed != GMG_OK;
}

double gmg_trial_clock(void *context)
{
  const struct gmg_trial *trial = context;
  return trial->clock;
}

/* Lists what the call writes. Returns -1 where that is more than there is room for, or not for a
 * trial to change. */
static int list_fields(struct gmg_trial *t)
{
  const struct gmg_kernel_descriptor *kernel = t->call->kernel;
  for (int f = 0; f < kernel->fields; f++) {
    if (!kernel->field[f].written)
      continue;
    struct gmg_level_array *array = t->call->array[f];
    if (t->fields == GMG_TRIAL_FIELDS || !array->mirror.at || array->coefficient
        || array->kind != GMG_FIELD)
      return -1;
    t->array[t->fields++] = array;
  }
  return 0;
}

/* Makes room, and saves. */
static int begin(struct gmg_trial *t, int compares)
{
  size_t most = 1;
  int failed = list_fields(t);
  for (int f = 0; f < t->fields && !failed; f++) {
    const size_t bytes = t->array[f]->bytes;
    most = bytes > most ? bytes : most;
    failed = t->device->driver->cuMemAlloc(&t->d_saved[f], bytes) != CUDA_SUCCESS;
    t->d_saved[f] = failed ? 0 : t->d_saved[f];
    t->expected[f] = failed || !compares ? NULL : malloc(bytes);
    failed = failed || (compares && !t->expected[f]);
    if (!failed)
      GMG_DEVICE_TRY(t->device, cuMemcpyDtoDAsync, t->d_saved[f], t->array[f]->mirror.at, bytes,
                     t->device->stream);
  }
  t->found = failed || !compares ? NULL : malloc(most);
  failed = failed || (compares && !t->found);
  for (int n = 0; n < 2 && !failed; n++)
    failed = GMG_DEVICE_TRY(t->device, cuEventCreate, &t->event[n], CU_EVENT_DEFAULT);
  return failed;
}

/* What the default makes of the saved values. */
static void expect(struct gmg_trial *t, const struct gmg_candidate *usual)
{
  gmg_device_enter(t->device);
  run_once(t, usual, &t->sums);
  for (int f = 0; f < t->fields; f++)
    get(t, f, t->expected[f], 0, t->array[f]->bytes);
  gmg_device_synchronize(t->device);
  restore(t);
  gmg_device_leave(t->device);
}

struct gmg_trial *gmg_trial_create(struct gmg_device *device, struct gmg_call *call, int compares)
{
  struct gmg_trial *t = calloc(1, sizeof *t);
  if (!t)
    return NULL;
  t->device = t->candidates.device = device;
  t->call = call;
  gmg_queue_wait(device->queue);
  for (int f = 0; f < call->kernel->fields; f++)
    gmg_newest_on_device(device, call->array[f], call->kernel->field[f].written);
  gmg_device_enter(device);
  const int failed = begin(t, compares);
  gmg_device_leave(device);
  const struct gmg_wanted usual = gmg_wisdom_usual(call);
  const struct gmg_candidate *candidate =
    failed ? NULL : gmg_candidates_find(&t->candidates, &usual);
  if (!candidate) {
    gmg_trial_destroy(&t);
    return NULL;
  }
  if (compares)
    expect(t, candidate);
  return t;
}

void gmg_trial_destroy(struct gmg_trial **trial)
{
  struct gmg_trial *t = *trial;
  if (!t)
    return;
  const struct gmg_driver *driver = t->device->driver;
  gmg_device_enter(t->device);
  gmg_device_synchronize(t->device);
  for (int f = 0; f < GMG_TRIAL_FIELDS; f++) {
    if (t->d_saved[f])
      driver->cuMemFree(t->d_saved[f]);
    free(t->expected[f]);
  }
  for (int n = 0; n < 2; n++)
    if (t->event[n])
      driver->cuEventDestroy(t->event[n]);
  gmg_device_leave(t->device);
  gmg_candidates_clear(&t->candidates);
  free(t->found);
  free(t);
  *trial = NULL;
}
