/* What is linked with every text of the stand-in compiler (threads_on_cpu.h). */
#define CUDA_ON_CPU_COOPERATIVE
#define CUDA_ON_CPU_LINKED
#include "threads_on_cpu.h"

#include "run_on_cpu.h"

__thread cuda_index threadIdx, blockIdx, blockDim, gridDim;
