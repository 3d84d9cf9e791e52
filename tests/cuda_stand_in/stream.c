/* The stand-in driver: streams and events. What is put on a stream runs when somebody waits for it:
 * for the stream, or for an event that is recorded after it. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "stand_in.h"

struct CUstream_st {
  struct stand_in_work *work;
  int first, works, room; /* work before `first` is done */
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
  case STAND_IN_CALL:
    work->call(work->params);
    break;
  }
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

static void run_one(CUstream stream)
{
  struct stand_in_work work = stream->work[stream->first++];
  if (stream->first == stream->works)
    stream->first = stream->works = 0;
  stand_in_run(&work);
  free(work.params);
  free(work.staged);
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
