/* The stand-in driver: the device and its context. GMG_STAND_IN_DEVICES: how many devices a process
 * sees (default 1); each is that process alone. */
#include <stdio.h>
#include <stdlib.h>

#include "stand_in.h"

static int contexts, pushed;

int stand_in_entered(void)
{
  return pushed > 0;
}

CUresult cuInit(unsigned flags)
{
  (void)flags;
  return getenv("GMG_STAND_IN_NO_DEVICE") ? CUDA_ERROR_NO_DEVICE : CUDA_SUCCESS;
}
CUresult cuDriverGetVersion(int *version)
{
  *version = CUDA_VERSION;
  return CUDA_SUCCESS;
}
CUresult cuGetErrorName(CUresult error, const char **text)
{
  *text =
    error == CUDA_ERROR_OUT_OF_MEMORY ? "CUDA_ERROR_OUT_OF_MEMORY" : "CUDA_ERROR_OF_THE_STAND_IN";
  return CUDA_SUCCESS;
}
CUresult cuGetErrorString(CUresult error, const char **text)
{
  *text = error == CUDA_ERROR_OUT_OF_MEMORY ? "out of memory" : "an error of the stand-in";
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetCount(int *count)
{
  const char *text = getenv("GMG_STAND_IN_DEVICES");
  *count = text ? atoi(text) : 1;
  return CUDA_SUCCESS;
}
CUresult cuDeviceGet(CUdevice *device, int ordinal)
{
  int count;
  cuDeviceGetCount(&count);
  *device = ordinal;
  return ordinal >= 0 && ordinal < count ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}
CUresult cuDeviceGetPCIBusId(char *text, int size, CUdevice device)
{
  snprintf(text, (size_t)size, "0000:F%X:00.0", (unsigned)device);
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetName(char *name, int size, CUdevice device)
{
  (void)device;
  snprintf(name, (size_t)size, "the CPU, standing in for a GPU");
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute which, CUdevice device)
{
  (void)device;
  *value = which == CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT ? STAND_IN_PROCESSORS
    : which == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR  ? 9
    : which == CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH        ? 1
                                                             : 0;
  return CUDA_SUCCESS;
}
CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device)
{
  (void)device;
  contexts++;
  *context = (CUcontext)(void *)&contexts;
  return CUDA_SUCCESS;
}
CUresult cuDevicePrimaryCtxRelease(CUdevice device)
{
  (void)device;
  contexts--;
  return CUDA_SUCCESS;
}
CUresult cuCtxPushCurrent(CUcontext context)
{
  pushed++;
  return context ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}
CUresult cuCtxPopCurrent(CUcontext *context)
{
  *context = (CUcontext)(void *)&contexts;
  return pushed-- > 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}
