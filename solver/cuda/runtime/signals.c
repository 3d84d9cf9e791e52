#include "signals.h"

#include "signals_text.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

enum {
  POLLS = 64,      /* looks at the stream for one at the other ranks */
  PATIENCE = 4000, /* looks before the core is offered to others */
  PLACE = 4,       /* of the exchange of a list that is timed */
  SHORT = 8,       /* lists without so many, after which the first exchange of one is timed */
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

/* Whether this rank's device is one that no other rank of the machine has. Calls: by all of them.
 */
static int is_alone(struct gmg_device *device)
{
  enum { RANKS = 256, ID = 32 };
  struct gmg_comm *comm = &device->context->comm;
  char id[RANKS][ID] = {{0}}, *own = id[comm->rank_here % RANKS];
  if (comm->here > RANKS)
    return 0;
  if (device->driver->cuDeviceGetPCIBusId(own, ID, device->id) != CUDA_SUCCESS)
    own[0] = 0; /* as no other has, or each that does not know its own */
  int alone = !gmg_comm_tell_machine(comm, id, ID) && own[0];
  for (int r = 0; r < comm->here && alone; r++)
    alone = r == comm->rank_here || (id[r][0] && strncmp(id[r], own, ID) != 0);
  return alone;
}

void gmg_signals_choose(struct gmg_device *device)
{
  if (device->signals_chosen)
    return;
  device->signals_chosen = 1;
  if (!is_alone(device))
    return;
  struct gmg_cubin cubin = {.text = (char *)gmg_signals_text}; /* which is only read */
  const struct gmg_driver *driver = device->driver;
  CUmodule module = NULL;
  gmg_device_enter(device);
  if (!gmg_cubin_compile(&device->way, &cubin, 1, 1)
      && driver->cuModuleLoadData(&module, cubin.code) == CUDA_SUCCESS
      && driver->cuModuleGetFunction(&device->signal_kernel, module, "gmg_signals") != CUDA_SUCCESS)
    driver->cuModuleUnload(module);
  else
    device->signal_module = module; /* or none, as operations on memory do, too */
  gmg_device_leave(device);
  gmg_cubin_clear(&cubin);
}

void gmg_signals_unload(struct gmg_device *device)
{
  if (device->signal_module)
    device->driver->cuModuleUnload(device->signal_module);
}

/* Whether a kernel does them, with these arguments. */
static int by_kernel(const struct gmg_device *device, const struct gmg_signals *signals,
                     struct gmg_signal_args *args)
{
  *args = (struct gmg_signal_args){.sets = 0};
  if (!device->signal_module || signals->count > GMG_SIGNAL_WORDS)
    return 0;
  for (int n = 0; n < signals->count; n++) {
    const CUstreamBatchMemOpParams *o = &signals->operation[n];
    if (o->operation == CU_STREAM_MEM_OP_WRITE_VALUE_32 && o->writeValue.value == 1)
      args->word[args->sets++] = o->writeValue.address;
  }
  for (int n = 0; n < signals->count; n++) {
    const CUstreamBatchMemOpParams *o = &signals->operation[n];
    if (o->operation == CU_STREAM_MEM_OP_WAIT_VALUE_32)
      args->word[args->sets + args->awaits++] = o->waitValue.address;
  }
  return 1;
}

int gmg_signals_start(struct gmg_device *device, const struct gmg_signals *signals)
{
  struct gmg_signal_args args;
  void *argument[] = {&args};
  if (by_kernel(device, signals, &args))
    return GMG_DEVICE_TRY(device, cuLaunchKernel, device->signal_kernel, 1, 1, 1, GMG_SIGNAL_WORDS,
                          1, 1, 0, device->stream, argument, NULL);
  return gmg_device_failed(
    device,
    device->driver->start_signals(device->stream, (unsigned)signals->count, signals->operation, 0),
    "cuStreamBatchMemOp", "signals");
}

int gmg_signals_node(struct gmg_device *device, const struct gmg_signals *signals, CUgraph graph,
                     CUgraphNode *node, const CUgraphNode *after, size_t afters)
{
  struct gmg_signal_args args;
  void *argument[] = {&args};
  const CUDA_KERNEL_NODE_PARAMS launch = {.func = device->signal_kernel,
                                          .gridDimX = 1,
                                          .gridDimY = 1,
                                          .gridDimZ = 1,
                                          .blockDimX = GMG_SIGNAL_WORDS,
                                          .blockDimY = 1,
                                          .blockDimZ = 1,
                                          .kernelParams = argument};
  if (by_kernel(device, signals, &args))
    return GMG_DEVICE_TRY(device, cuGraphAddKernelNode, node, graph, after, afters, &launch);
  const CUDA_BATCH_MEM_OP_NODE_PARAMS params = {
    .ctx = device->cuda, .count = (unsigned)signals->count, .paramArray = signals->operation};
  return gmg_device_failed(device, device->driver->add_signals(node, graph, after, afters, &params),
                           "cuGraphAddBatchMemOpNode", "signals");
}

int gmg_signals_timed(struct gmg_device *device)
{
  const int place = device->listed++;
  device->exchanges++;
  return place == PLACE || (place == 0 && device->untimed >= SHORT);
}

void gmg_signals_end_list(struct gmg_device *device)
{
  device->listed = 0;
  device->untimed++;
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
  device->listed = PLACE + 1; /* what follows belongs to the same list */
  device->untimed = 0;
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
