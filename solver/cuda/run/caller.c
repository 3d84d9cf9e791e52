#include "caller.h"

#include "cuda/memory/bounce.h"
#include "mesh/exchange_plan.h"
#include "move.h"
#include "newest.h"
#include "queue.h"
#include "runtime/bind.h"

#include <stdlib.h>
#include <string.h>

int gmg_cuda_holds(gmg_context *context, const void *values)
{
  struct gmg_device *device = context->device;
  unsigned type = 0; /* of memory that the driver does not know: stays so, which is no error */
  CUpointer_attribute which = CU_POINTER_ATTRIBUTE_MEMORY_TYPE;
  void *result_of[] = {&type};
  gmg_device_enter(device);
  const CUresult result =
    device->driver->cuPointerGetAttributes(1, &which, result_of, (CUdeviceptr)(uintptr_t)values);
  gmg_device_leave(device);
  return result == CUDA_SUCCESS && type == CU_MEMORYTYPE_DEVICE;
}

/* What one stream does from now on is after all that the other was given until now. */
static void follow(struct gmg_device *device, CUstream behind, CUstream before)
{
  gmg_device_enter(device);
  GMG_DEVICE_TRY(device, cuEventRecord, device->moment, before);
  GMG_DEVICE_TRY(device, cuStreamWaitEvent, behind, device->moment, 0);
  gmg_device_leave(device);
}

void gmg_caller_await(struct gmg_device *device, void *stream)
{
  if (stream)
    follow(device, device->stream, (CUstream)stream);
}

/* Once they were. */
static void release_caller(const struct gmg_placement *p)
{
  struct gmg_device *device = p->context->device;
  if (p->stream)
    follow(device, (CUstream)p->stream, device->stream);
  else
    gmg_queue_wait(device->queue);
}

/* Values between the host and an array in the device's memory. */
static int copy(struct gmg_device *device, void *host, const void *values, size_t bytes, int back)
{
  const CUdeviceptr at = (CUdeviceptr)(uintptr_t)values;
  gmg_device_enter(device);
  const int failed = back ? gmg_bounce_to_device(device, at, host, bytes)
                          : gmg_bounce_to_host(device, host, at, bytes);
  gmg_device_synchronize(device);
  gmg_device_leave(device);
  return failed;
}

/* Whether values go to the caller. */
static int stores(const struct gmg_placement *p, const struct gmg_exchange *exchange)
{
  return exchange->from == p->cycle[0][0]->storage;
}

/* By way of the host. */
static gmg_status go_round(struct gmg_placement *p, struct gmg_exchange *exchange,
                           struct gmg_level_array *field, double *array, size_t bytes)
{
  struct gmg_level *finest = p->cycle[0][0];
  const int store = stores(p, exchange), there = gmg_device_holds(p->context, array);
  gmg_cuda_fetch(p->context, field, store ? GMG_READ : GMG_REPLACE);
  double *values = there ? malloc(bytes + 1) : array;
  gmg_status status = GMG_OK;
  if (there && (!values || copy(p->device, values, array, bytes, 0)))
    status =
      gmg_fail(p->context, GMG_ERR_MEMORY, "out of memory for an array on its way to the device");
  status = gmg_agree(p->context, status);
  if (!status)
    gmg_move_values(p->context, exchange, gmg_exchange_stat(finest), store ? field->data : values,
                    store ? (void *)values : field->data);
  if (!status && store && there)
    copy(p->device, values, array, bytes, 1);
  if (there)
    free(values);
  return status;
}

/* Values of the host to where the device has f, which is free while others are taken in. NULL: it
 * has too little room. */
static struct gmg_level_array *room_for(const struct gmg_placement *p,
                                        const struct gmg_level_array *field, size_t bytes)
{
  struct gmg_level_array *f = gmg_level_find(p->cycle[0][0], GMG_NAME_F);
  return f && f != field && f->mirror.at && f->bytes >= bytes ? f : NULL;
}

static CUdeviceptr bring(struct gmg_device *device, struct gmg_level_array *room,
                         const double *values, size_t bytes)
{
  gmg_queue_flush(device->queue);
  gmg_device_enter(device);
  gmg_bounce_to_device(device, room->mirror.at, values, bytes);
  gmg_device_leave(device);
  room->mirror.newer = GMG_NEWER_DEVICE;
  return room->mirror.at;
}

gmg_status gmg_cuda_carry(struct gmg_placement *p, struct gmg_exchange *exchange,
                          struct gmg_level_array *field, double *values, size_t bytes)
{
  const int store = stores(p, exchange), alone = exchange->sends + exchange->receives == 0,
            there = bytes == 0 || gmg_device_holds(p->context, values);
  struct gmg_level_array *room = there ? NULL : room_for(p, field, bytes);
  gmg_caller_await(p->context->device, p->stream);
  struct gmg_prepared_move *move = alone && (there || room)
    ? gmg_move_find(p, exchange, store ? field : NULL, store ? NULL : field)
    : NULL;
  int goes_round = !move; /* on any rank: then on all, since that is collective */
  const int error = gmg_comm_max_int(&p->context->comm, &goes_round, 1);
  if (error)
    p->context->mpi_error = error;
  if (goes_round)
    return go_round(p, exchange, field, values, bytes);
  if (store)
    gmg_newest_on_device(p->device, field, 0);
  gmg_queue_flush(p->device->queue);
  gmg_move_start(p->device, move,
                 room ? bring(p->device, room, values, bytes) : (CUdeviceptr)(uintptr_t)values);
  if (store) {
    release_caller(p);
  } else {
    field->mirror.newer = GMG_NEWER_DEVICE;
    field->deep = 0;
  }
  return GMG_OK;
}

double *gmg_cuda_allocate(gmg_context *context, size_t bytes)
{
  struct gmg_device *device = context->device;
  CUdeviceptr at = 0;
  gmg_device_enter(device);
  const CUresult result = device->driver->cuMemAlloc(&at, bytes);
  gmg_device_leave(device);
  return result == CUDA_SUCCESS ? (double *)(uintptr_t)at : NULL;
}

void gmg_cuda_free(gmg_context *context, double *values)
{
  struct gmg_device *device = context->device;
  gmg_device_enter(device);
  device->driver->cuMemFree((CUdeviceptr)(uintptr_t)values);
  gmg_device_leave(device);
}

void gmg_cuda_copy(struct gmg_placement *p, const double *from, double *to, size_t bytes)
{
  struct gmg_device *device = p->context->device;
  const int there = gmg_cuda_holds(p->context, from);
  gmg_caller_await(p->context->device, p->stream);
  if (there && gmg_cuda_holds(p->context, to)) {
    gmg_device_enter(device);
    GMG_DEVICE_TRY(device, cuMemcpyDtoDAsync, (CUdeviceptr)(uintptr_t)to,
                   (CUdeviceptr)(uintptr_t)from, bytes, device->stream);
    gmg_device_leave(device);
    gmg_queue_wait(device->queue);
  } else {
    copy(device, there ? to : (void *)(uintptr_t)from, there ? from : to, bytes, !there);
  }
}
