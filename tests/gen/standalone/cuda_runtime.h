/* The calls of the CUDA run time that gmg-gen --standalone writes, on the CPU: what is on the
 * device is memory of the host, and a launch runs its blocks one after the other, their threads in
 * an order of chance (cuda_on_cpu.h). The test makes launch_on_cpu of <<<>>>. */
#ifndef CUDA_RUNTIME_H
#define CUDA_RUNTIME_H

#include "cuda_on_cpu.h"

/* Shared memory of kernels is a section of the program, which is there if something is in it. */
__attribute__((section("on_cpu_shared"), used)) static char nothing_shared[64];

struct dim3 {
  unsigned x, y, z;
  dim3(unsigned along_x, unsigned along_y = 1, unsigned along_z = 1)
      : x(along_x), y(along_y), z(along_z)
  {
  }
};

enum cudaError_t { cudaSuccess, cudaErrorInvalidValue, cudaErrorLaunchFailure };
enum cudaMemcpyKind { cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost };

static cudaError_t launch_status = cudaSuccess;

static inline const char *cudaGetErrorString(cudaError_t status)
{
  return status == cudaSuccess ? "no error" : "an error";
}

/* New memory of a device holds anything. */
static inline cudaError_t cudaMalloc(void **at, size_t bytes)
{
  *at = malloc(bytes);
  if (!*at)
    return cudaErrorInvalidValue;
  memset(*at, 0xff, bytes);
  return cudaSuccess;
}

static inline cudaError_t cudaFree(void *at)
{
  free(at);
  return cudaSuccess;
}

static inline cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind)
{
  memcpy(to, from, bytes);
  return cudaSuccess;
}

static inline cudaError_t cudaGetLastError()
{
  return launch_status;
}

template <typename kernel> static void launch_on_cpu(dim3 grid, dim3 block, kernel call)
{
  const char *left_out = getenv("LEAVE_OUT"); /* the number of a barrier */
  fiber_launch launch = {};
  launch.grid[0] = grid.x, launch.grid[1] = grid.y, launch.grid[2] = grid.z;
  launch.block[0] = block.x, launch.block[1] = block.y, launch.block[2] = block.z;
  launch.threads = FIBERS_SHUFFLED;
  launch.blocks = FIBERS_BACKWARD;
  launch.leave_out = left_out ? atoi(left_out) : -1;
  const bool empty = !(grid.x && grid.y && grid.z); /* which CUDA refuses */
  if (empty
      || !cpu::run(
        &launch, [](const void *at) { (*(const kernel *)at)(); }, &call))
    launch_status = cudaErrorLaunchFailure;
}

#endif
