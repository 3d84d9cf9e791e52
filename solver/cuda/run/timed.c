#include "timed.h"

#include "cuda/memory/room.h"
#include "cuda/runtime/signals.h"
#include "pairs.h"
#include "tail.h"

#include <stdlib.h>
#include <string.h>

enum { BATCH = 512 }; /* steps between two waits */

struct gmg_timer {
  CUevent event[BATCH + 1];
  int events;
};

/* Entries that run together. */
struct step {
  int first, count;
  struct gmg_tail_list *tail; /* NULL: one entry by itself */
};

static void launch_alone(struct gmg_device *device, const struct gmg_entry *entry)
{
  const struct gmg_prepared *prepared = entry->prepared;
  CUDA_KERNEL_NODE_PARAMS node;
  struct gmg_cuda_args args = prepared->args;
  void *argument[] = {&args};
  if (prepared->signals) {
    gmg_signals_start(device, prepared->signals);
    return;
  }
  memcpy(args.scalar, entry->scalar, sizeof args.scalar);
  gmg_prepared_node(prepared, argument, &node);
  gmg_prepared_launch(device, &node, prepared->kernel->kernel->symbol);
}

/* Those of four entries that run at once from the n-th on. */
static void launch_pass(struct gmg_device *device, const struct gmg_entry *four, int n)
{
  struct gmg_pass_launch pass;
  CUDA_KERNEL_NODE_PARAMS node;
  gmg_pairs_describe(four, n, &pass, &node);
  gmg_prepared_launch(device, &node, pass.symbol);
}

static void launch_tail(struct gmg_device *device, struct gmg_tail_list *list)
{
  CUDA_KERNEL_NODE_PARAMS node;
  gmg_tail_list_clock(device, list);
  gmg_tail_list_node(device, list, &node);
  GMG_DEVICE_TRY(device, cuLaunchCooperativeKernel, node.func, node.gridDimX, 1, 1, node.blockDimX,
                 1, 1, 0, device->stream, node.kernelParams);
}

/* One batch; returns how many entries it has. */
static int run_batch(struct gmg_device *device, struct gmg_timer *timer,
                     const struct gmg_entry *entry, int entries)
{
  struct step step[BATCH];
  int steps = 0, done = 0, place = 0; /* of the next entry among four that run in passes */
  GMG_DEVICE_TRY(device, cuEventRecord, timer->event[0], device->stream);
  while (done < entries && steps < BATCH && !device->failed) {
    const int length = gmg_tail_run_length(device, entry + done, entries - done);
    const int pass =
      place || (steps + 4 <= BATCH && gmg_pairs_length(entry + done, entries - done));
    const struct gmg_entry *four = entry + done - place;
    step[steps] = (struct step){.first = done,
                                .count = length ? length
                                  : pass        ? gmg_pairs_together(four, place)
                                                : 1};
    if (length)
      step[steps].tail = gmg_tail_list_create(device, entry + done, length);
    if (length && step[steps].tail)
      launch_tail(device, step[steps].tail);
    else if (length)
      gmg_device_failed(device, CUDA_ERROR_OUT_OF_MEMORY, "cuLaunchCooperativeKernel",
                        "a list of launches");
    else if (pass)
      launch_pass(device, four, place);
    else
      launch_alone(device, &entry[done]);
    place = pass ? (place + step[steps].count) % 4 : 0;
    done += step[steps++].count;
    GMG_DEVICE_TRY(device, cuEventRecord, timer->event[steps], device->stream);
  }
  gmg_device_synchronize(device);
  for (int n = 0; n < steps; n++) {
    float milliseconds = 0;
    GMG_DEVICE_TRY(device, cuEventElapsedTime, &milliseconds, timer->event[n], timer->event[n + 1]);
    if (step[n].tail)
      gmg_tail_list_times(device, step[n].tail, &entry[step[n].first], 1e-3 * (double)milliseconds);
    else
      entry[step[n].first].prepared->stat->seconds += 1e-3 * (double)milliseconds;
    gmg_tail_list_destroy(device, &step[n].tail);
  }
  gmg_rooms_clear(device); /* no graph has any of it */
  return done;
}

void gmg_timer_run(struct gmg_device *device, struct gmg_timer **timer,
                   const struct gmg_entry *entry, int entries)
{
  int reduces = 0;
  if (!*timer && !(*timer = calloc(1, sizeof **timer))) {
    gmg_device_failed(device, CUDA_ERROR_OUT_OF_MEMORY, "malloc", "a timer");
    return;
  }
  for (; (*timer)->events <= BATCH && !device->failed; (*timer)->events++)
    GMG_DEVICE_TRY(device, cuEventCreate, &(*timer)->event[(*timer)->events], CU_EVENT_DEFAULT);
  for (int n = 0; n < entries; n++)
    reduces |= entry[n].reduces;
  if (reduces)
    GMG_DEVICE_TRY(device, cuMemcpyHtoDAsync, device->d_sums, device->sums, sizeof *device->sums,
                   device->stream);
  for (int done = 0; done < entries && !device->failed;)
    done += run_batch(device, *timer, entry + done, entries - done);
  if (reduces)
    GMG_DEVICE_TRY(device, cuMemcpyDtoHAsync, device->sums, device->d_sums, sizeof *device->sums,
                   device->stream);
}

void gmg_timer_destroy(struct gmg_device *device, struct gmg_timer **timer)
{
  if (!*timer)
    return;
  gmg_device_enter(device);
  for (int n = 0; n < (*timer)->events; n++)
    if ((*timer)->event[n])
      device->driver->cuEventDestroy((*timer)->event[n]);
  gmg_device_leave(device);
  free(*timer);
  *timer = NULL;
}
