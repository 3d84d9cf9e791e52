#include "trial.h"

#include "newest.h"
#include "queue.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE = 8 << 20 }; /* bytes that are compared at each of three places of a large field */
enum { MEASUREMENTS = 4, MOST_RUNS = 256 };
#define MEASURED_SECONDS 1e-3 /* that the runs of one measurement take, about */

/* Boxes one after the other, in the grids of a shape. */
static void launch(struct gmg_trial *t, const struct gmg_candidate *candidate)
{
  const struct gmg_prepared *prepared = t->call->prepared;
  for (int n = 0; n < prepared->launches; n++) {
    struct gmg_cuda_args args = prepared->launch[n].args;
    void *argument[] = {&args};
    CUDA_KERNEL_NODE_PARAMS node;
    unsigned grid[3];
    memcpy(args.scalar, t->call->args.scalar, sizeof args.scalar);
    gmg_prepared_node(prepared, n, argument, &node);
    gmg_cuda_grid(candidate->wanted.kernel, &candidate->wanted.shape, args.box.cells, grid);
    node.func = candidate->function;
    node.gridDimX = grid[0];
    node.gridDimY = grid[1];
    node.gridDimZ = grid[2];
    node.blockDimX = (unsigned)candidate->wanted.shape.block_i;
    node.blockDimY = (unsigned)candidate->wanted.shape.block_j;
    gmg_prepared_launch(t->device, &node, candidate->wanted.kernel->symbol);
  }
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

/* Seconds of so many runs. */
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

double gmg_trial_time(struct gmg_trial *t, const struct gmg_candidate *candidate)
{
  gmg_device_enter(t->device);
  restore(t);
  time_runs(t, candidate, 1);
  const double once = time_runs(t, candidate, 2) / 2;
  const int runs =
    once > 0 ? (int)fmin(MOST_RUNS, fmax(2, ceil(MEASURED_SECONDS / once))) : MOST_RUNS;
  double least = INFINITY;
  for (int n = 0; n < MEASUREMENTS && !t->device->failed; n++)
    least = fmin(least, time_runs(t, candidate, runs) / runs);
  restore(t);
  gmg_device_leave(t->device);
  return least;
}

double gmg_trial_glance(struct gmg_device *device, struct gmg_call *call)
{
  enum { RUNS = 3 };
  struct gmg_trial *t = calloc(1, sizeof *t);
  double seconds = 0;
  if (!t)
    return 0;
  t->device = device;
  t->call = call;
  gmg_queue_wait(device->queue);
  for (int f = 0; f < call->kernel->fields; f++)
    gmg_newest_on_device(device, call->array[f], call->kernel->field[f].written);
  const struct gmg_candidate own = {.wanted = {.kernel = call->kernel->cuda,
                                               .form = call->prepared->kernel->form,
                                               .shape = *call->prepared->shape},
                                    .function = call->prepared->kernel->function};
  gmg_device_enter(device);
  for (int n = 0; n < 2; n++)
    GMG_DEVICE_TRY(device, cuEventCreate, &t->event[n], CU_EVENT_DEFAULT);
  if (!device->failed) {
    time_runs(t, &own, 1);
    seconds = time_runs(t, &own, RUNS) / RUNS;
  }
  gmg_device_leave(device);
  gmg_trial_destroy(&t);
  return isfinite(seconds) ? seconds : 0;
}

static void load(struct gmg_trial *t, struct gmg_candidate *candidate,
                 const struct gmg_cubin *cubin)
{
  const struct gmg_driver *driver = t->device->driver;
  int spilled = 0;
  if (!cubin->code || driver->cuModuleLoadData(&candidate->module, cubin->code) != CUDA_SUCCESS) {
    candidate->module = NULL;
    candidate->function = NULL;
    return;
  }
  if (driver->cuModuleGetFunction(&candidate->function, candidate->module,
                                  candidate->wanted.form->symbol)
        == CUDA_SUCCESS
      && driver->cuFuncGetAttribute(&spilled, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES,
                                    candidate->function)
        == CUDA_SUCCESS
      && spilled == 0)
    return;
  driver->cuModuleUnload(candidate->module);
  candidate->module = NULL;
  candidate->function = NULL;
}

static struct gmg_candidate *known(struct gmg_trial *t, const struct gmg_wanted *wanted)
{
  for (int n = 0; n < t->candidates; n++)
    if (t->candidate[n].wanted.form == wanted->form
        && gmg_shapes_equal(&t->candidate[n].wanted.shape, &wanted->shape))
      return &t->candidate[n];
  return NULL;
}

void gmg_trial_compile(struct gmg_trial *t, const struct gmg_wanted *wanted, int count)
{
  struct gmg_cubin *cubin = calloc((size_t)count + 1, sizeof *cubin);
  const int first = t->candidates;
  for (int n = 0; n < count && cubin && t->candidates < GMG_TRIAL_CANDIDATES; n++)
    if (!known(t, &wanted[n])) {
      cubin[t->candidates - first].text = gmg_modules_text(&wanted[n]);
      t->candidate[t->candidates++] = (struct gmg_candidate){.wanted = wanted[n]};
    }
  const int texts = t->candidates - first;
  if (cubin && texts > 0) {
    struct gmg_cubin_way way = t->device->way;
    way.cached = 0; /* few of them are ever wanted again */
    gmg_device_enter(t->device);
    gmg_cubin_compile(&way, cubin, texts, t->device->context->threads);
    for (int n = 0; n < texts; n++)
      load(t, &t->candidate[first + n], &cubin[n]);
    gmg_device_leave(t->device);
  }
  for (int n = 0; n < texts && cubin; n++) {
    free(cubin[n].text);
    gmg_cubin_clear(&cubin[n]);
  }
  free(cubin);
}

const struct gmg_candidate *gmg_trial_find(struct gmg_trial *t, const struct gmg_wanted *wanted)
{
  const struct gmg_candidate *candidate = known(t, wanted);
  if (!candidate) {
    gmg_trial_compile(t, wanted, 1);
    candidate = known(t, wanted);
  }
  return candidate && candidate->function ? candidate : NULL;
}

/* What the call writes. Returns -1 where that is more than there is room for. */
static int list_fields(struct gmg_trial *t)
{
  const struct gmg_kernel_descriptor *kernel = t->call->kernel;
  for (int f = 0; f < kernel->fields; f++) {
    if (!kernel->field[f].written)
      continue;
    if (t->fields == GMG_TRIAL_FIELDS || !t->call->array[f]->mirror.at)
      return -1;
    t->array[t->fields++] = t->call->array[f];
  }
  return 0;
}

/* Makes room, and saves. */
static int begin(struct gmg_trial *t)
{
  size_t most = 1;
  int failed = list_fields(t);
  for (int f = 0; f < t->fields && !failed; f++) {
    const size_t bytes = t->array[f]->bytes;
    most = bytes > most ? bytes : most;
    failed = t->device->driver->cuMemAlloc(&t->d_saved[f], bytes) != CUDA_SUCCESS;
    t->d_saved[f] = failed ? 0 : t->d_saved[f];
    t->expected[f] = failed ? NULL : malloc(bytes);
    failed = failed || !t->expected[f];
    if (!failed)
      GMG_DEVICE_TRY(t->device, cuMemcpyDtoDAsync, t->d_saved[f], t->array[f]->mirror.at, bytes,
                     t->device->stream);
  }
  t->found = failed ? NULL : malloc(most);
  for (int n = 0; n < 2 && !failed; n++)
    failed = GMG_DEVICE_TRY(t->device, cuEventCreate, &t->event[n], CU_EVENT_DEFAULT);
  return failed || !t->found;
}

struct gmg_trial *gmg_trial_create(struct gmg_device *device, struct gmg_call *call)
{
  struct gmg_trial *t = calloc(1, sizeof *t);
  if (!t)
    return NULL;
  t->device = device;
  t->call = call;
  gmg_queue_wait(device->queue);
  for (int f = 0; f < call->kernel->fields; f++)
    gmg_newest_on_device(device, call->array[f], call->kernel->field[f].written);
  gmg_device_enter(device);
  const int failed = begin(t);
  gmg_device_leave(device);
  const struct gmg_wanted usual = gmg_modules_default(call->kernel->cuda);
  const struct gmg_loaded *loaded = gmg_modules_find(device, call->kernel->cuda);
  if (failed || !loaded) {
    gmg_trial_destroy(&t);
    return NULL;
  }
  const struct gmg_candidate *candidate = &t->candidate[t->candidates++];
  t->candidate[0] = (struct gmg_candidate){.wanted = usual, .function = loaded->function};
  gmg_device_enter(device);
  GMG_DEVICE_TRY(device, cuFuncGetAttribute, &t->registers, CU_FUNC_ATTRIBUTE_NUM_REGS,
                 loaded->function);
  run_once(t, candidate, &t->sums);
  for (int f = 0; f < t->fields; f++)
    get(t, f, t->expected[f], 0, t->array[f]->bytes);
  gmg_device_synchronize(device);
  restore(t);
  gmg_device_leave(device);
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
  for (int n = 0; n < t->candidates; n++)
    if (t->candidate[n].module)
      driver->cuModuleUnload(t->candidate[n].module);
  for (int f = 0; f < GMG_TRIAL_FIELDS; f++) {
    if (t->d_saved[f])
      driver->cuMemFree(t->d_saved[f]);
    free(t->expected[f]);
  }
  for (int n = 0; n < 2; n++)
    if (t->event[n])
      driver->cuEventDestroy(t->event[n]);
  gmg_device_leave(t->device);
  free(t->found);
  free(t);
  *trial = NULL;
}
