#include "cuda_limit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_READS = 8 };

/* Rows are plain here, so that a thread's pair comes at once. */
struct limit_args {
  cuda_memory read[MOST_READS], write;
  int cells, planes;
};

static const char text[] = "struct limit_args { const PAIR *read[8]; PAIR *write; int cells, planes; };\n"
                           "static __device__ __forceinline__ int least(int a, int b) { return a < b ? a : b; }\n"
                           "extern \"C\" __global__ void __launch_bounds__(BLOCK_I * BLOCK_J, BLOCKS)\n"
                           "limit(const __grid_constant__ struct limit_args args)\n"
                           "{\n"
                           "  const int x = (int)threadIdx.x, y = (int)threadIdx.y, pairs = args.cells / 2;\n"
                           "  const int i = least((int)blockIdx.x * (BLOCK_I - 2) + x, pairs - 1);\n"
                           "  const int j = least((int)blockIdx.y * (BLOCK_J - 2) + y, args.cells - 1);\n"
                           "  const int k0 = (int)blockIdx.z * PLANES, k1 = least(k0 + PLANES, args.cells);\n"
                           "  const bool owner = x < BLOCK_I - 2 && y < BLOCK_J - 2;\n"
                           "  for (int k = k0; k < k1; k++) {\n"
                           "    const long at = i + pairs * (j + (long)args.cells * k);\n"
                           "    PAIR value[READS];\n"
                           "#pragma unroll\n"
                           "    for (int n = 0; n < READS; n++)\n"
                           "      value[n] = __ldg(args.read[n] + at);\n"
                           "#pragma unroll\n"
                           "    for (int n = 1; n < READS; n++) {\n"
                           "      value[0].x += value[n].x;\n"
                           "      value[0].y += value[n].y;\n"
                           "    }\n"
                           "    if (owner)\n"
                           "      args.write[at] = value[0];\n"
                           "  }\n"
                           "}\n";

struct launch {
  cuda_function function;
  unsigned grid[3], block[3];
  struct limit_args args;
};

static void start(void *context)
{
  struct launch *launch = context;
  const int status = cuda_launch(launch->function, launch->grid, launch->block, &launch->args);
  if (status) {
    fprintf(stderr, "the limit of both colours: launch fails with %d\n", status);
    exit(1);
  }
}

static unsigned tiles(int cells, int each)
{
  return (unsigned)((cells + each - 1) / each);
}

double cuda_limit_measure(const struct cuda_trial *t, const char *architecture, int cells)
{
  const struct gmg_cuda_shape *shape = &t->shape;
  struct launch launch = {
    .block = {(unsigned)shape->block_i, (unsigned)shape->block_j, 1},
    .grid = {tiles(cells / 2, shape->block_i - 2), tiles(cells, shape->block_j - 2), tiles(cells, shape->planes)},
    .args = {.cells = cells, .planes = shape->planes}};
  struct jit_result compiled;
  char whole[sizeof text + 400];
  int reads = 0;
  for (int f = 0; f < t->cpu->fields; f++)
    if (t->cpu->field[f].kind == GMG_FIELD && reads < MOST_READS) {
      launch.args.read[reads] = cuda_trial_memory(reads);
      reads++;
    }
  launch.args.write = cuda_trial_memory(reads);
  snprintf(
    whole, sizeof whole,
    "#define PAIR %s\n#define READS %d\n#define BLOCK_I %d\n#define BLOCK_J %d\n#define PLANES %d\n#define BLOCKS %d\n%s",
    t->kernel->precision == GMG_F64 ? "double2" : "float2", reads, shape->block_i, shape->block_j, shape->planes,
    shape->blocks, text);
  jit_compile(whole, architecture, &compiled);
  if (!compiled.cubin) {
    fprintf(stderr, "the limit of both colours does not compile:\n%s\n", compiled.log);
    exit(1);
  }
  cuda_module module = cuda_load(compiled.cubin);
  launch.function = cuda_find(module, "limit");
  const double milliseconds = cuda_trial_least_time(start, &launch);
  cuda_unload(module);
  jit_clear(&compiled);
  return milliseconds;
}
