/* The caller's arrays: in the device's memory or in the host's, which their addresses tell. */
#include "mirror.h"
#include "runtime/bind.h"
#include "cuda/run/move.h"
#include "cuda/run/queue.h"
#include "bounce.h"

#include "problem/arrays.h"
#include "mesh/exchange_plan.h"

#include <stdlib.h>
#include <string.h>

int gmg_device_holds(gmg_context *context, const void *values)
{
  struct gmg_device *device = context->device;
  unsigned type = 0; /* of memory that the driver does not know: stays so, which is no error */
  CUpointer_attribute which = CU_POINTER_ATTRIBUTE_MEMORY_TYPE;
  void *result_of[] = {&type};
  if (!device || !values)
    return 0;
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

/* Before the caller's arrays on the device are used. */
static void await_caller(const struct gmg_solver *s)
{
  if (s->arrays.stream)
    follow(s->context->device, s->context->device->stream, (CUstream)s->arrays.stream);
}

/* Once they were. */
static void release_caller(const struct gmg_solver *s)
{
  if (s->arrays.stream)
    follow(s->context->device, (CUstream)s->arrays.stream, s->context->device->stream);
  else
    gmg_device_wait(s->context);
}

/* Bytes from the first to the last value of this rank's part. */
static size_t span(const struct gmg_solver *s, const gmg_array *array)
{
  size_t last = 0;
  for (int d = 0; d < 3; d++) {
    const int cells = s->problem.grid->part_upper[d] - s->problem.grid->part_lower[d];
    if (cells == 0)
      return 0;
    last += (size_t)(cells - 1) * (size_t)array->stride[d];
  }
  return (last + 1) * sizeof(double);
}

static int carry(struct gmg_device *device, void *host, const void *values, size_t bytes, int back)
{
  const CUdeviceptr at = (CUdeviceptr)(uintptr_t)values;
  gmg_device_enter(device);
  const int failed = back ? gmg_bounce_to_device(device, at, host, bytes)
                          : gmg_bounce_to_host(device, host, at, bytes);
  gmg_device_synchronize(device);
  gmg_device_leave(device);
  return failed;
}

/* Values between the caller's array and u by way of the host. */
static gmg_status go_round(struct gmg_solver *s, const gmg_array *array, int store)
{
  const size_t bytes = span(s, array);
  struct gmg_level_array *u =
    gmg_level_open(s->hierarchy.finest, GMG_NAME_U, store ? GMG_READ : GMG_REPLACE);
  double *values = malloc(bytes + 1);
  gmg_status status = GMG_OK;
  if (!values || carry(s->context->device, values, array->data, bytes, 0))
    status =
      gmg_fail(s->context, GMG_ERR_MEMORY, "out of memory for an array on its way to the device");
  status = gmg_agree(s->context, status);
  if (!status && store)
    gmg_move_values(s->context, s->arrays.store, gmg_exchange_stat(s->hierarchy.finest), u->data,
                    values);
  else if (!status)
    gmg_move_values(s->context, s->arrays.load, gmg_exchange_stat(s->hierarchy.finest), values,
                    u->data);
  if (!status && store)
    carry(s->context->device, values, array->data, bytes, 1);
  free(values);
  return status;
}

static int has_messages(const struct gmg_exchange *e)
{
  return e->sends + e->receives > 0;
}

/* Whether so on any rank: then all of them go round, which is collective. */
static int any(struct gmg_solver *s, int so)
{
  const int error = gmg_comm_max_int(&s->context->comm, &so, 1);
  if (error)
    s->context->mpi_error = error;
  return so;
}

gmg_status gmg_device_load(struct gmg_solver *s, const gmg_array *array)
{
  struct gmg_device *device = s->context->device;
  struct gmg_level_array *u = gmg_level_find(s->hierarchy.finest, GMG_NAME_U);
  await_caller(s);
  const struct gmg_ready_move *move =
    has_messages(s->arrays.load) ? NULL : gmg_backend_move(s, s->arrays.load, NULL, u);
  if (any(s, !move))
    return go_round(s, array, 0);
  gmg_queue_flush(device->queue);
  gmg_move_start(device, move, (CUdeviceptr)(uintptr_t)array->data);
  u->mirror.newer = GMG_NEWER_DEVICE;
  return GMG_OK;
}

gmg_status gmg_device_store(struct gmg_solver *s, const gmg_array *array)
{
  struct gmg_device *device = s->context->device;
  struct gmg_level_array *u = gmg_level_find(s->hierarchy.finest, GMG_NAME_U);
  await_caller(s);
  const struct gmg_ready_move *move =
    has_messages(s->arrays.store) ? NULL : gmg_backend_move(s, s->arrays.store, u, NULL);
  if (any(s, !move))
    return go_round(s, array, 1);
  gmg_mirror_need(device, u, 0);
  gmg_queue_flush(device->queue);
  gmg_move_start(device, move, (CUdeviceptr)(uintptr_t)array->data);
  release_caller(s);
  return GMG_OK;
}

double *gmg_device_array(struct gmg_solver *s, size_t bytes)
{
  struct gmg_device *device = s->placement.device;
  CUdeviceptr at = 0;
  gmg_device_enter(device);
  const CUresult result = device->driver->cuMemAlloc(&at, bytes);
  gmg_device_leave(device);
  return result == CUDA_SUCCESS ? (double *)(uintptr_t)at : NULL;
}

void gmg_device_array_free(gmg_context *context, double *values)
{
  struct gmg_device *device = context->device;
  gmg_device_enter(device);
  device->driver->cuMemFree((CUdeviceptr)(uintptr_t)values);
  gmg_device_leave(device);
}

void gmg_device_array_copy(struct gmg_solver *s, const double *from, double *to, size_t bytes)
{
  struct gmg_device *device = s->context->device;
  const int there = gmg_device_holds(s->context, from);
  await_caller(s);
  if (there && gmg_device_holds(s->context, to)) {
    gmg_device_enter(device);
    GMG_DEVICE_TRY(device, cuMemcpyDtoDAsync, (CUdeviceptr)(uintptr_t)to,
                   (CUdeviceptr)(uintptr_t)from, bytes, device->stream);
    gmg_device_leave(device);
    gmg_device_wait(s->context);
  } else {
    carry(device, there ? to : (void *)(uintptr_t)from, there ? from : to, bytes, !there);
  }
}
