/* Arrays on the GPU and the caller's stream: what it put there before a solve is waited for, and
 * what it puts there after the solve waits for the result. The solution must have the bits of one
 * from arrays on the host; and where the CPU stands in for the GPU, which works only when somebody
 * waits, it must not be there yet when the solve returns: nobody waited on the host.
 *
 *   stream [CELLS]
 *
 * sanitizers: no
 *
 * Exit status: 0 good, 1 bits differ or the solve waited, 2 something failed, 77 no GPU. */
#include "config.h"

#if GMG_WITH_MPI
#include <mpi.h>
#endif

#include <cuda.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gmg.h"

#define TEXT_OF(x) #x
#define EXPANDED(x) TEXT_OF(x)
#define CALLS(X) \
  X(cuDeviceGet) \
  X(cuDevicePrimaryCtxRetain) \
  X(cuCtxPushCurrent) \
  X(cuMemAlloc) \
  X(cuMemHostAlloc) \
  X(cuMemcpyHtoDAsync) \
  X(cuMemcpyDtoHAsync) \
  X(cuMemsetD8Async) \
  X(cuStreamCreate) \
  X(cuStreamSynchronize)
#define POINTER(function) __typeof__(function) *function;
static struct {
  CALLS(POINTER)
} driver;

static gmg_context *context;

static void check(gmg_status status, const char *what)
{
  if (status == GMG_OK)
    return;
  fprintf(stderr, "stream: %s: %s\n", what, gmg_context_message(context));
  exit(2);
}

static void need(CUresult result, const char *what)
{
  if (result == CUDA_SUCCESS)
    return;
  fprintf(stderr, "stream: %s: error %d\n", what, (int)result);
  exit(2);
}

static void open_driver(void)
{
  void *library = dlopen("libcuda.so.1", RTLD_NOW);
#define FIND(function) \
  *(void **)&driver.function = library ? dlsym(library, EXPANDED(function)) : NULL;
  CALLS(FIND)
  if (!driver.cuStreamSynchronize)
    exit(2);
}

enum { DELAY = 64 << 20, FILLS = 100 };

/* What the caller's stream has: some milliseconds of work, then f. Then a solve, then u comes to
 * the host on the stream. */
static int run(gmg_solver *solver, ptrdiff_t n, const double *f, const double *expected, int lazy)
{
  const size_t bytes = (size_t)(n * n * n) * sizeof(double);
  CUdeviceptr d_f, d_u, delay;
  CUstream stream;
  CUdevice device;
  CUcontext cuda;
  double *there, *found;
  need(driver.cuDeviceGet(&device, 0), "cuDeviceGet");
  need(driver.cuDevicePrimaryCtxRetain(&cuda, device), "cuDevicePrimaryCtxRetain");
  need(driver.cuCtxPushCurrent(cuda), "cuCtxPushCurrent");
  need(driver.cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING), "cuStreamCreate");
  need(driver.cuMemAlloc(&d_f, bytes), "cuMemAlloc");
  need(driver.cuMemAlloc(&d_u, bytes), "cuMemAlloc");
  need(driver.cuMemAlloc(&delay, DELAY), "cuMemAlloc");
  need(driver.cuMemHostAlloc((void **)&there, bytes, 0), "cuMemHostAlloc");
  need(driver.cuMemHostAlloc((void **)&found, bytes, 0), "cuMemHostAlloc");
  const gmg_array right_side = {(double *)(uintptr_t)d_f, {1, n, n * n}};
  gmg_array solution = {(double *)(uintptr_t)d_u, {1, n, n * n}};
  int bad = 0;
  check(gmg_solver_set_stream(solver, stream), "gmg_solver_set_stream");
  for (int turn = 0; turn < 3; turn++) {
    memcpy(there, f, bytes);
    memset(found, 0, bytes);
    need(driver.cuMemsetD8Async(d_f, 0xff, bytes, stream), "cuMemsetD8Async");
    need(driver.cuMemsetD8Async(d_u, 0xff, bytes, stream), "cuMemsetD8Async");
    need(driver.cuStreamSynchronize(stream), "cuStreamSynchronize");
    for (int fill = 0; fill < (lazy ? 1 : FILLS); fill++)
      need(driver.cuMemsetD8Async(delay, (unsigned char)fill, DELAY, stream), "cuMemsetD8Async");
    need(driver.cuMemcpyHtoDAsync(d_f, there, bytes, stream), "cuMemcpyHtoDAsync");
    gmg_result result;
    check(gmg_solver_solve(solver, &right_side, &solution, 0, &result), "gmg_solver_solve");
    const int waited = lazy && *(const unsigned char *)(uintptr_t)d_u != 0xff;
    need(driver.cuMemcpyDtoHAsync(found, d_u, bytes, stream), "cuMemcpyDtoHAsync");
    need(driver.cuStreamSynchronize(stream), "cuStreamSynchronize");
    const int differs = memcmp(found, expected, bytes) != 0;
    printf("turn %d: %d cycles, the solution %s, the host %s\n", turn, result.cycles,
           differs ? "differs" : "has the bits",
           waited ? "was kept waiting" : "was not seen to wait");
    bad |= differs || waited;
  }
  return bad;
}

int main(int count, char **words)
{
  const int n = count > 1 ? atoi(words[1]) : 16, cells[3] = {n, n, n};
  const size_t all = (size_t)n * (size_t)n * (size_t)n;
  int found = 0;
#if GMG_WITH_MPI
  MPI_Init(&count, &words);
#endif
  if (gmg_context_create(0, &context))
    return 2;
  const char *device = gmg_context_device(context, &found);
  if (!found) {
    printf("skipped: %s\n", device);
    return 77;
  }
  const int lazy = strstr(device, "standing in") != NULL;
  open_driver();
  gmg_grid *grid = NULL;
  gmg_solver *solver = NULL;
  double *f = malloc(all * sizeof *f), *u = malloc(all * sizeof *u);
  if (!f || !u)
    return 2;
  for (size_t c = 0; c < all; c++)
    f[c] = (double)(c * 2654435761u % 1000) / 500 - 1;
  check(
    gmg_grid_create(context, cells, (const double[]){0, 0, 0}, (const double[]){1, 1, 1}, &grid),
    "the grid");
  check(gmg_solver_create(grid, &solver), "gmg_solver_create");
  check(gmg_solver_set_option(solver, "backend", "cuda"), "backend");
  check(gmg_solver_setup(solver), "gmg_solver_setup");
  const gmg_array from = {f, {1, n, (ptrdiff_t)n * n}};
  gmg_array to = {u, {1, n, (ptrdiff_t)n * n}};
  gmg_result result;
  check(gmg_solver_solve(solver, &from, &to, 0, &result), "gmg_solver_solve");
  const int bad = run(solver, n, f, u, lazy);
  gmg_solver_destroy(&solver);
  gmg_grid_destroy(&grid);
  gmg_context_destroy(&context);
  free(f);
  free(u);
#if GMG_WITH_MPI
  MPI_Finalize();
#endif
  return bad;
}
