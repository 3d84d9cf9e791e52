#include "signals.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

enum {
  POLLS = 64,      /* looks at the stream for one at the other ranks */
  PATIENCE = 4000, /* looks before the core is offered to others */
  TIMED = 8,       /* exchanges of which one is timed */
};

int gmg_signals_there(const struct gmg_device *device)
{
  return device->driver->add_signals && device->driver->start_signals;
}

struct gmg_signals *gmg_signals_create(struct gmg_device *device, int most)
{
  struct gmg_signals *signals = calloc(1, sizeof *signals); /* the context's, as moves */
  if (signals)
    signals->operation = calloc((size_t)most + 1, sizeof *signals->operation);
  if (!signals || !signals->operation) {
    free(signals);
    return NULL;
  }
  signals->next = device->signals;
  device->signals = signals;
  return signals;
}

void gmg_signals_destroy(struct gmg_device *device, struct gmg_signals **signals)
{
  struct gmg_signals **at = &device->signals;
  if (!*signals)
    return;
  while (*at != *signals)
    at = &(*at)->next;
  *at = (*signals)->next;
  free((*signals)->operation);
  free(*signals);
  *signals = NULL;
}

void gmg_signals_set(struct gmg_signals *signals, CUdeviceptr word)
{
  CUstreamBatchMemOpParams *o = &signals->operation[signals->count++];
  o->writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
  o->writeValue.address = word;
  o->writeValue.value = 1;
  o->writeValue.flags = CU_STREAM_WRITE_VALUE_DEFAULT; /* after what was written before */
}

void gmg_signals_await(struct gmg_signals *signals, CUdeviceptr word)
{
  CUstreamBatchMemOpParams *o = &signals->operation[signals->count++];
  o->waitValue.operation = CU_STREAM_MEM_OP_WAIT_VALUE_32;
  o->waitValue.address = word;
  o->waitValue.value = 1;
  o->waitValue.flags = CU_STREAM_WAIT_VALUE_EQ;
  gmg_signals_set(signals, word);
  o[1].writeValue.value = 0;
}

int gmg_signals_start(struct gmg_device *device, const struct gmg_signals *signals)
{
  return gmg_device_failed(
    device,
    device->driver->start_signals(device->stream, (unsigned)signals->count, signals->operation, 0),
    "cuStreamBatchMemOp", "signals");
}

int gmg_signals_node(struct gmg_device *device, const struct gmg_signals *signals, CUgraph graph,
                     CUgraphNode *node, const CUgraphNode *after, size_t afters)
{
  const CUDA_BATCH_MEM_OP_NODE_PARAMS params = {
    .ctx = device->cuda, .count = (unsigned)signals->count, .paramArray = signals->operation};
  return gmg_device_failed(device, device->driver->add_signals(node, graph, after, afters, &params),
                           "cuGraphAddBatchMemOpNode", "signals");
}

int gmg_signals_timed(struct gmg_device *device)
{
  return device->exchanges++ % TIMED == TIMED / 2;
}

/* Once the waits that were timed are over: each exchange since the last ones that were counted has
 * waited as long as they did on average. */
static void add_waited(struct gmg_device *device)
{
  double all = 0;
  for (int n = 0; n < device->timed; n++) {
    float milliseconds = 0;
    if (device->driver->cuEventElapsedTime(&milliseconds, device->wait[n][0], device->wait[n][1])
        != CUDA_SUCCESS)
      return;
    all += 1e-3 * (double)milliseconds;
  }
  if (device->timed > 0) {
    device->context->comm.waited += all / device->timed * (device->exchanges - device->counted);
    device->counted = device->exchanges;
  }
  device->timed = 0;
}

void gmg_signals_start_timed(struct gmg_device *device, const struct gmg_signals *signals)
{
  if (device->timed == GMG_TIMED_WAITS)
    add_waited(device);
  CUevent *const wait = device->timed < GMG_TIMED_WAITS ? device->wait[device->timed] : NULL;
  for (int n = 0; n < 2 && !device->failed; n++) {
    if (n == 1)
      gmg_signals_start(device, signals);
    if (wait && !wait[n])
      GMG_DEVICE_TRY(device, cuEventCreate, &wait[n], CU_EVENT_DEFAULT);
    if (wait && !device->failed)
      GMG_DEVICE_TRY(device, cuEventRecord, wait[n], device->stream);
  }
  device->timed += wait && !device->failed;
}

/* Sets every word that this rank's stream may wait for. */
static void let_pass(struct gmg_device *device)
{
  static const unsigned one = 1;
  const struct gmg_driver *driver = device->driver;
  if (!device->aside && driver->cuStreamCreate(&device->aside, CU_STREAM_NON_BLOCKING))
    return;
  for (const struct gmg_signals *s = device->signals; s; s = s->next)
    for (int n = 0; n < s->count; n++)
      if (s->operation[n].operation == CU_STREAM_MEM_OP_WAIT_VALUE_32)
        driver->cuMemcpyHtoDAsync(s->operation[n].waitValue.address, &one, sizeof one,
                                  device->aside);
  driver->cuStreamSynchronize(device->aside);
}

void gmg_signals_synchronize(struct gmg_device *device)
{
  struct gmg_comm *comm = &device->context->comm;
  CUresult result;
  for (int polls = 1;
       (result = device->driver->cuStreamQuery(device->stream)) == CUDA_ERROR_NOT_READY;
       polls += polls < PATIENCE) {
    if ((polls % POLLS == 0 || polls == PATIENCE) && gmg_comm_failure(comm))
      let_pass(device);
    if (polls == PATIENCE)
      sched_yield();
  }
  add_waited(device);
  const int failed = gmg_device_failed(device, result, "cuStreamQuery", "");
#if GMG_WITH_MPI
  if (failed)
    gmg_comm_failed(comm, MPI_ERR_OTHER, "cuStreamQuery"); /* nobody waits for this rank */
#else
  (void)failed;
#endif
}
