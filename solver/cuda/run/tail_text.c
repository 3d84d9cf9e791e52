#include "tail_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In one launch values are read that it wrote before: not through the read-only cache. */
static const char plain_reads[] = "#define __ldg(at) (*(at))\n#define __ldcs(at) (*(at))\n";
/* What stands around the generated kernels. Two counters make the barrier: arrivals, which only
 * grow, and thread blocks that have left, the last of which sets both back for the next launch. */
static const char frame_begin[] =
  "struct gmg_tail_operation { int kernel, blocks, each, wait; struct gmg_cuda_args args; };\n"
  "struct gmg_tail_range { const char *first; ptrdiff_t bytes; };\n"
  "struct gmg_tail_args {\n"
  "  const struct gmg_tail_operation *operation;\n"
  "  unsigned *barrier;\n"
  "  long long *clock;\n"
  "  const struct gmg_tail_range *range;\n"
  "  int operations, ranges;\n"
  "};\n"
  "\n"
  "/* One more has come: what its thread block wrote is seen by whoever reads the number from now "
  "on. */\n"
  "static __device__ void gmg_tail_arrive(unsigned *arrived)\n"
  "{\n"
  "#ifdef __CUDA_ARCH__\n"
  "  asm volatile(\"red.release.gpu.global.add.u32 [%0], 1;\" : : \"l\"(arrived) : \"memory\");\n"
  "#else\n"
  "  __threadfence();\n"
  "  atomicAdd(arrived, 1u);\n"
  "#endif\n"
  "}\n"
  "\n"
  "static __device__ unsigned gmg_tail_arrived(const unsigned *arrived)\n"
  "{\n"
  "#ifdef __CUDA_ARCH__\n"
  "  unsigned count;\n"
  "  asm volatile(\"ld.acquire.gpu.global.u32 %0, [%1];\" : \"=r\"(count) : \"l\"(arrived) : "
  "\"memory\");\n"
  "#else\n"
  "  const unsigned count = *(const volatile unsigned *)arrived;\n"
  "  __nanosleep(16);\n"
  "  __threadfence();\n"
  "#endif\n"
  "  return count;\n"
  "}\n"
  "\n"
  "/* No thread block passes before so many have come, and all see what any wrote before. */\n"
  "static __device__ void gmg_tail_barrier(unsigned *arrived, unsigned all)\n"
  "{\n"
  "  __syncthreads();\n"
  "  if (threadIdx.x == 0) {\n"
  "    gmg_tail_arrive(arrived);\n"
  "    while (gmg_tail_arrived(arrived) < all)\n"
  "      ;\n"
  "  }\n"
  "  __syncthreads();\n"
  "}\n"
  "\n"
  "/* Asks for what will be read, every thread for 32 bytes here and there: else each level's "
  "first reads would wait for memory. */\n"
  "static __device__ void gmg_tail_ahead(const struct gmg_tail_range *range, int ranges)\n"
  "{\n"
  "  const ptrdiff_t step = (ptrdiff_t)(gridDim.x * blockDim.x) * 32;\n"
  "  for (int n = 0; n < ranges; n++)\n"
  "    for (ptrdiff_t at = (ptrdiff_t)(blockIdx.x * blockDim.x + threadIdx.x) * 32; at < "
  "range[n].bytes; at += step)\n"
  "      gmg_ahead(range[n].first + at);\n"
  "}\n"
  "\n"
  "static __device__ void gmg_tail_run(int kernel, const struct gmg_cuda_args *args, int thread, "
  "int threads)\n"
  "{\n"
  "  switch (kernel) {\n";
static const char frame_case[] = "  case %d:\n    %s_cells(args, thread, threads);\n    break;\n";
static const char frame_end[] =
  "  }\n"
  "}\n"
  "\n"
  "extern \"C\" __global__ void __launch_bounds__(%d)\n"
  "gmg_tail(const __grid_constant__ struct gmg_tail_args args)\n"
  "{\n"
  "  __shared__ struct gmg_tail_operation operation[2]; /* this one, and the next, which is on its "
  "way meanwhile */\n"
  "  const int words = (int)(sizeof operation[0] / sizeof(int)), word = (int)threadIdx.x;\n"
  "  const int watched = args.clock && blockIdx.x == 0 && threadIdx.x == 0;\n"
  "  unsigned barriers = 0;\n"
  "  if (watched)\n"
  "    args.clock[0] = clock64();\n"
  "  if (word < words)\n"
  "    ((int *)&operation[0])[word] = ((const int *)&args.operation[0])[word];\n"
  "  gmg_tail_ahead(args.range, args.ranges);\n"
  "  __syncthreads();\n"
  "  for (int n = 0; n < args.operations; n++) {\n"
  "    const struct gmg_tail_operation *const now = &operation[n %% 2];\n"
  "    const int has_next = word < words && n + 1 < args.operations;\n"
  "    const int next = has_next ? ((const int *)&args.operation[n + 1])[word] : 0;\n"
  "    const int thread = word < now->each ? (int)blockIdx.x * now->each + word : 0x7fffffff;\n"
  "    if ((int)blockIdx.x < now->blocks)\n"
  "      gmg_tail_run(now->kernel, &now->args, thread, now->blocks * now->each);\n"
  "    if (has_next)\n"
  "      ((int *)&operation[(n + 1) %% 2])[word] = next;\n"
  "    if (now->wait)\n"
  "      gmg_tail_barrier(args.barrier, ++barriers * gridDim.x);\n"
  "    else\n"
  "      __syncthreads();\n"
  "    if (watched)\n"
  "      args.clock[n + 1] = clock64();\n"
  "  }\n"
  "  if (threadIdx.x == 0 && atomicAdd(args.barrier + 1, 1u) == gridDim.x - 1) {\n"
  "    args.barrier[0] = 0;\n"
  "    args.barrier[1] = 0;\n"
  "  }\n"
  "}\n";

char *gmg_tail_text(const struct gmg_cuda_kernel *const *kernel, int kernels, int threads)
{
  size_t length =
    sizeof plain_reads + strlen(gmg_cuda_prelude) + sizeof frame_begin + sizeof frame_end + 100;
  for (int n = 0; n < kernels; n++)
    length += strlen(kernel[n]->text) + strlen(kernel[n]->symbol) + sizeof frame_case + 20;
  char *text = malloc(length), *end = text;
  if (!text)
    return NULL;
  end += sprintf(end, "%s%s\n", plain_reads, gmg_cuda_prelude);
  for (int n = 0; n < kernels; n++)
    end += sprintf(end, "%s\n", kernel[n]->text);
  end += sprintf(end, "%s", frame_begin);
  for (int n = 0; n < kernels; n++)
    end += sprintf(end, frame_case, n, kernel[n]->symbol);
  sprintf(end, frame_end, threads);
  return text;
}
