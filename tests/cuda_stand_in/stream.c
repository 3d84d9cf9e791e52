/* The stand-in driver: streams and events. What is put on a stream runs when somebody waits for it:
 * for the stream, or for an event that is recorded after it; what sets a word that another process
 * may wait for, and all before it, at once. */
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "stand_in.h"

struct CUstream_st {
  struct stand_in_work *work;
  int first, works, room; /* work before `first` is done */
  int gave_up;            /* 1: it was held up for too long, and still is */
};
/* Recorded on a stream, and as often done. */
struct CUevent_st {
  CUstream stream;
  long records, done;
  double milliseconds;
};

static int launches;
int stand_in_launches(void)
{
  return launches;
}

static void run_one(CUstream stream);

/* Whatever stands before the record on its stream. */
static void wait_for(CUevent event, long record)
{
  while (event->done < record && event->stream->first < event->stream->works)
    run_one(event->stream);
}

/* A microsecond after the last event; with GMG_STAND_IN_CLOCK what the machine's clock says. In
 * milliseconds. */
static double next_time(void)
{
  static double clock;
  struct timespec now;
  if (!getenv("GMG_STAND_IN_CLOCK"))
    return clock += 1e-3;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}

void stand_in_run(struct stand_in_work *work)
{
  switch (work->kind) {
  case STAND_IN_KERNEL: {
    void *params[] = {work->params};
    launches++;
    work->function->launch(work->grid, work->block, work->cooperative, params);
    break;
  }
  case STAND_IN_COPY:
    memcpy(work->to, work->staged ? work->staged : work->from, work->bytes);
    break;
  case STAND_IN_FILL:
    memset(work->to, work->value, work->bytes);
    break;
  case STAND_IN_RECORD:
    work->event->done = work->record;
    work->event->milliseconds = next_time();
    break;
  case STAND_IN_WAIT:
    wait_for(work->event, work->record);
    break;
  case STAND_IN_SIGNALS: /* done when it is at the head of its stream, see run_some */
    break;
  case STAND_IN_CALL:
    work->call(work->params);
    break;
  }
}

CUresult stand_in_set_signals(struct stand_in_work *work, unsigned count,
                              const CUstreamBatchMemOpParams *operation)
{
  *work = (struct stand_in_work){.kind = STAND_IN_SIGNALS,
                                 .signals = count,
                                 .bytes = count * sizeof *operation,
                                 .params = stand_in_copy_of(operation, count * sizeof *operation)};
  for (unsigned n = 0; n < count; n++) {
    const int waits = operation[n].operation == CU_STREAM_MEM_OP_WAIT_VALUE_32;
    const CUdeviceptr at = waits ? operation[n].waitValue.address : operation[n].writeValue.address;
    if ((!waits && operation[n].operation != CU_STREAM_MEM_OP_WRITE_VALUE_32)
        || (waits && operation[n].waitValue.flags != CU_STREAM_WAIT_VALUE_EQ)
        || !stand_in_is_there((void *)(uintptr_t)at, sizeof(uint32_t)))
      return CUDA_ERROR_INVALID_VALUE;
  }
  return CUDA_SUCCESS;
}

/* For tests: with GMG_STAND_IN_LATE every second rank of Open MPI waits for a moment between
 * setting its words and looking at those of others, which may be ahead of it meanwhile. */
static void be_late(void)
{
  const char *rank = getenv("GMG_STAND_IN_LATE") ? getenv("OMPI_COMM_WORLD_RANK") : NULL;
  const struct timespec moment = {.tv_nsec = 5000000};
  if (rank && atoi(rank) % 2)
    nanosleep(&moment, NULL);
}

/* Whether nothing of it waits any more. */
static int signals_done(struct stand_in_work *work)
{
  const CUstreamBatchMemOpParams *operation = work->params;
  for (; work->signals_done < work->signals; work->signals_done++) {
    const CUstreamBatchMemOpParams *o = &operation[work->signals_done];
    if (o->operation == CU_STREAM_MEM_OP_WAIT_VALUE_32)
      be_late();
    if (o->operation == CU_STREAM_MEM_OP_WRITE_VALUE_32)
      __atomic_store_n((uint32_t *)(uintptr_t)o->writeValue.address, o->writeValue.value,
                       __ATOMIC_SEQ_CST);
    else if (__atomic_load_n((uint32_t *)(uintptr_t)o->waitValue.address, __ATOMIC_SEQ_CST)
             != o->waitValue.value)
      return 0;
  }
  return 1;
}

struct stand_in_work *stand_in_append(CUstream stream)
{
  if (stream->works == stream->room) {
    stream->room = 2 * stream->room + 64;
    stream->work = realloc(stream->work, (size_t)stream->room * sizeof *stream->work);
    if (!stream->work)
      abort();
  }
  stream->work[stream->works] = (struct stand_in_work){.kind = STAND_IN_KERNEL};
  return &stream->work[stream->works++];
}

void *stand_in_copy_of(const void *bytes, size_t count)
{
  void *copy = malloc(count ? count : 1);
  if (!copy)
    abort();
  return memcpy(copy, bytes, count);
}

/* Whether the head of the stream waits for another process. */
static int is_held(CUstream stream)
{
  struct stand_in_work *head = &stream->work[stream->first];
  return head->kind == STAND_IN_SIGNALS && !signals_done(head);
}

static void run_one(CUstream stream)
{
  while (is_held(stream))
    sched_yield();
  struct stand_in_work work = stream->work[stream->first++];
  if (stream->first == stream->works)
    stream->first = stream->works = 0;
  stand_in_run(&work);
  free(work.params);
  free(work.staged);
}

static double seconds(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* As far as it is not held up; for a second at most where it is. */
static int run_some(CUstream stream, int patient)
{
  const double begin = seconds();
  while (stream->first < stream->works)
    if (!is_held(stream)) {
      run_one(stream);
      stream->gave_up = 0;
    } else if (!patient || stream->gave_up || seconds() > begin + 1) {
      stream->gave_up |= patient;
      return 0;
    } else {
      sched_yield();
    }
  return 1;
}

void stand_in_begin(CUstream stream)
{
  run_some(stream, 1);
}

static void drain(CUstream stream)
{
  while (stream->first < stream->works)
    run_one(stream);
}

CUresult cuStreamCreate(CUstream *stream, unsigned flags)
{
  (void)flags;
  *stream = calloc(1, sizeof **stream);
  return *stream ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}
CUresult cuStreamDestroy(CUstream stream)
{
  drain(stream);
  free(stream->work);
  free(stream);
  return CUDA_SUCCESS;
}
CUresult cuStreamSynchronize(CUstream stream)
{
  drain(stream);
  return stand_in_entered() ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}
CUresult cuStreamQuery(CUstream stream)
{
  if (!run_some(stream, 0))
    return CUDA_ERROR_NOT_READY;
  return stand_in_entered() ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}
CUresult cuStreamBatchMemOp(CUstream stream, unsigned count, CUstreamBatchMemOpParams *operation,
                            unsigned flags)
{
  (void)flags;
  const CUresult result = stand_in_set_signals(stand_in_append(stream), count, operation);
  if (result == CUDA_SUCCESS)
    stand_in_begin(stream);
  return result;
}
CUresult cuEventCreate(CUevent *event, unsigned flags)
{
  (void)flags;
  *event = calloc(1, sizeof **event);
  return *event ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}
CUresult cuEventRecord(CUevent event, CUstream stream)
{
  event->stream = stream;
  struct stand_in_work *work = stand_in_append(stream);
  work->kind = STAND_IN_RECORD;
  work->event = event;
  work->record = ++event->records;
  return CUDA_SUCCESS;
}
CUresult cuEventSynchronize(CUevent event)
{
  wait_for(event, event->records);
  return CUDA_SUCCESS;
}
CUresult cuEventDestroy(CUevent event)
{
  wait_for(event, event->records);
  free(event);
  return CUDA_SUCCESS;
}
/* For the record that is the last one now. */
CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags)
{
  (void)flags;
  struct stand_in_work *work = stand_in_append(stream);
  work->kind = STAND_IN_WAIT;
  work->event = event;
  work->record = event->records;
  return CUDA_SUCCESS;
}
CUresult cuEventElapsedTime(float *milliseconds, CUevent from, CUevent to)
{
  if (from->done < from->records || to->done < to->records)
    return CUDA_ERROR_NOT_READY;
  *milliseconds = (float)(to->milliseconds - from->milliseconds);
  return CUDA_SUCCESS;
}
