/* CUDA's driver and its compiler, opened at run time (library.h): a program that is linked with
 * neither starts on any machine. */
#ifndef GMG_CUDA_DRIVER_H
#define GMG_CUDA_DRIVER_H

#include "staged.h"

#include <cuda.h>
#include <nvrtc.h>
#include <stddef.h>
#include <stdint.h>

/* X(function): those that are called. Their names stand for the versions that cuda.h maps them to.
 */
#define GMG_DRIVER_CALLS(X) \
  X(cuInit) \
  X(cuDriverGetVersion) \
  X(cuGetErrorName) \
  X(cuGetErrorString) \
  X(cuDeviceGetCount) \
  X(cuDeviceGet) \
  X(cuDeviceGetName) \
  X(cuDeviceGetPCIBusId) \
  X(cuDeviceGetAttribute) \
  X(cuDevicePrimaryCtxRetain) \
  X(cuDevicePrimaryCtxRelease) \
  X(cuCtxPushCurrent) \
  X(cuCtxPopCurrent) \
  X(cuMemGetInfo) \
  X(cuMemAlloc) \
  X(cuMemFree) \
  X(cuMemHostAlloc) \
  X(cuMemFreeHost) \
  X(cuMemcpyHtoDAsync) \
  X(cuMemcpyDtoHAsync) \
  X(cuMemcpyDtoDAsync) \
  X(cuMemsetD8Async) \
  X(cuPointerGetAttributes) \
  X(cuMemGetAddressRange) \
  X(cuIpcGetMemHandle) \
  X(cuIpcOpenMemHandle) \
  X(cuIpcCloseMemHandle) \
  X(cuStreamCreate) \
  X(cuStreamDestroy) \
  X(cuStreamSynchronize) \
  X(cuStreamQuery) \
  X(cuStreamWaitEvent) \
  X(cuEventCreate) \
  X(cuEventDestroy) \
  X(cuEventRecord) \
  X(cuEventSynchronize) \
  X(cuEventElapsedTime) \
  X(cuModuleLoadData) \
  X(cuModuleUnload) \
  X(cuModuleGetFunction) \
  X(cuFuncGetAttribute) \
  X(cuFuncSetAttribute) \
  X(cuOccupancyMaxActiveBlocksPerMultiprocessor) \
  X(cuLaunchKernel) \
  X(cuLaunchCooperativeKernel) \
  X(cuGraphCreate) \
  X(cuGraphDestroy) \
  X(cuGraphAddKernelNode) \
  X(cuGraphKernelNodeSetAttribute) \
  X(cuGraphAddMemcpyNode) \
  X(cuGraphInstantiateWithFlags) \
  X(cuGraphExecKernelNodeSetParams) \
  X(cuGraphExecDestroy) \
  X(cuGraphLaunch)
#define GMG_COMPILER_CALLS(X) \
  X(nvrtcVersion) \
  X(nvrtcGetErrorString) \
  X(nvrtcCreateProgram) \
  X(nvrtcCompileProgram) \
  X(nvrtcGetCUBINSize) \
  X(nvrtcGetCUBIN) \
  X(nvrtcGetProgramLogSize) \
  X(nvrtcGetProgramLog) \
  X(nvrtcDestroyProgram)

#define GMG_DRIVER_POINTER(function) __typeof__(function) *function;
struct gmg_driver {
  GMG_DRIVER_CALLS(GMG_DRIVER_POINTER)
  gmg_cuda_encode_tensor *encode_tensor; /* cuTensorMapEncodeTiled, from CUDA 12 on; else NULL */
  /* cuStreamBatchMemOp_v2 and cuGraphAddBatchMemOpNode, from CUDA 11.7 on; else NULL */
  __typeof__(cuStreamBatchMemOp) *start_signals;
  __typeof__(cuGraphAddBatchMemOpNode) *add_signals;
};
struct gmg_compiler {
  GMG_COMPILER_CALLS(GMG_DRIVER_POINTER)
};
#undef GMG_DRIVER_POINTER

/* The driver, opened once in the life of the process; NULL with the reason, one clause, where there
 * is none or it is too old. */
const struct gmg_driver *gmg_driver_open(char *reason, size_t size);
/* Bytes that went through the driver's copies to devices, and back. */
void gmg_driver_copied(int64_t bytes[2]);
/* Whether the process has loaded it: somebody works with it. */
int gmg_driver_used(void);
/* The compiler, likewise. */
const struct gmg_compiler *gmg_compiler_open(char *reason, size_t size);

#endif
