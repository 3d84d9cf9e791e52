/* Setups, the first one and those with other coefficients, on a GPU against the same on the CPU:
 * after each of them a solve must have the CPU's bits. Counts what is copied between the host and
 * the GPU meanwhile, on the stand-in device.
 *
 *   setups [--cells N] [--steps N] [--kind NAME] [--on-device] [--times] [OPTION VALUE]...
 *     options are gmg's
 *     --kind: one of the coefficients below alone
 *     --on-device: coefficients are arrays in the GPU's memory
 *     --times: no CPU to compare with; prints a line of JSON with the seconds of setups
 *
 * sanitizers: no
 *
 * Exit status: 0 good, 1 bits differ or too much was copied, 2 something failed, 77 no GPU. */
#include "config.h"

#if GMG_WITH_MPI
#include <mpi.h>
#endif

#include <cuda.h>
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gmg.h"

static struct {
  int cells, steps, on_device, times, options;
  const char *kind, *option[32], *value[32];
} ask = {.cells = 16, .steps = 3};

/* What is given: α and β on cells or faces, how β is averaged, how it jumps from the second step
 * on, what walls are. */
static const struct kind {
  const char *name;
  int alpha, faces, arithmetic, periodic, values, neumann;
  double jump;
} kinds[] = {
  {.name = "cells"},
  {.name = "mean", .alpha = 1, .arithmetic = 1},
  {.name = "faces", .alpha = 1, .faces = 1},
  {.name = "periodic", .periodic = 1},
  {.name = "seams", .faces = 1, .alpha = 1, .periodic = 1},
  {.name = "walls", .alpha = 1, .values = 1},
  {.name = "face-walls", .faces = 1, .values = 1},
  {.name = "neumann", .neumann = 1},
  {.name = "jump", .jump = 1e3},
};

enum { ARRAYS = 4 }; /* α, and β on cells or on the faces of three axes */

static gmg_context *context;
static gmg_grid *grid;
static int lower[3], upper[3];
static struct {
  gmg_solver *solver;
  double *u;
} on[2]; /* the CPU, the GPU */
static double *f, *host[ARRAYS];
static CUdeviceptr d_array[ARRAYS], d_f, d_u;

#define TEXT_OF(x) #x
#define EXPANDED(x) TEXT_OF(x)
#define CALLS(X) \
  X(cuDeviceGet) \
  X(cuDevicePrimaryCtxRetain) \
  X(cuCtxPushCurrent) \
  X(cuStreamSynchronize) \
  X(cuMemAlloc) \
  X(cuMemFree) \
  X(cuStreamCreate) \
  X(cuMemcpyHtoDAsync) \
  X(cuMemcpyDtoHAsync)
#define POINTER(function) __typeof__(function) *function;
static struct {
  CALLS(POINTER)
} driver;
static CUstream stream;
static double host_bytes; /* of the host's memory per unknown, after the last solve */

static void check(gmg_status status, const char *what)
{
  if (status == GMG_OK)
    return;
  fprintf(stderr, "setups: %s: %s\n", what, gmg_context_message(context));
  exit(2);
}

/* Array n's axis of faces; -1: it is on cells. */
static int axis_of(const struct kind *kind, int n)
{
  return n > 0 && kind->faces ? n - 1 : -1;
}

static int extents(int axis, int extent[3])
{
  int count = 1;
  for (int d = 0; d < 3; d++) {
    extent[d] = upper[d] - lower[d] + (d == axis);
    count *= extent[d];
  }
  return count;
}

static gmg_array dense(double *data, int axis)
{
  int extent[3];
  extents(axis, extent);
  return (gmg_array){data, {1, extent[0], (ptrdiff_t)extent[0] * extent[1]}};
}

static double *take(int axis)
{
  int extent[3];
  double *data = calloc((size_t)extents(axis, extent) + 1, sizeof *data);
  if (!data)
    exit(2);
  return data;
}

static void fill(double *to, int axis, double mean, double phase, double jump)
{
  const double h = 6.28318530717958648 / ask.cells;
  int extent[3];
  extents(axis, extent);
#pragma omp parallel for
  for (int k = 0; k < extent[2]; k++)
    for (int j = 0; j < extent[1]; j++)
      for (int i = 0; i < extent[0]; i++) {
        const int at[3] = {lower[0] + i, lower[1] + j, lower[2] + k};
        double x[3];
        for (int d = 0; d < 3; d++) /* the end planes of a periodic axis are one */
          x[d] = h * (d == axis ? at[d] % ask.cells : at[d] + 0.5);
        const double wave = sin(x[0] + phase) * cos(x[1]) * sin(2 * x[2] + phase);
        const int inside = at[0] > ask.cells / 3 && at[1] > ask.cells / 2;
        to[((size_t)k * (size_t)extent[1] + (size_t)j) * (size_t)extent[0] + (size_t)i] =
          (mean + 0.3 * wave) * (inside ? jump : 1);
      }
}

static gmg_coefficient which(const struct kind *kind, int n)
{
  return n == 0 ? GMG_ALPHA : kind->faces ? (gmg_coefficient)((int)GMG_BETA_X + n - 1) : GMG_BETA;
}

static int arrays_of(const struct kind *kind)
{
  return kind->faces ? 4 : 2;
}

/* Bytes copied to the stand-in device and back; zeros on another. */
static void copied(long long bytes[2])
{
  void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
  void (*count)(long long[2]) = NULL;
  if (library)
    *(void **)&count = dlsym(library, "stand_in_copied");
  bytes[0] = bytes[1] = 0;
  if (count)
    count(bytes);
}

static void make(int gpu, const struct kind *kind)
{
  gmg_solver *solver;
  check(gmg_solver_create(grid, &solver), "gmg_solver_create");
  check(gmg_solver_set_option(solver, "backend", gpu ? "cuda" : "openmp"), "backend");
  for (int n = 0; n < ask.options; n++)
    check(gmg_solver_set_option(solver, ask.option[n], ask.value[n]), ask.option[n]);
  check(gmg_solver_set_equation(solver, kind->alpha ? 3 : 0, 0.7), "gmg_solver_set_equation");
  check(gmg_solver_set_average(solver, kind->arithmetic ? GMG_ARITHMETIC : GMG_HARMONIC),
        "gmg_solver_set_average");
  on[gpu].solver = solver;
  on[gpu].u = take(-1);
}

static void need(CUresult result, const char *what)
{
  if (result == CUDA_SUCCESS)
    return;
  fprintf(stderr, "setups: %s: error %d\n", what, (int)result);
  exit(2);
}

static void open_driver(void)
{
  void *library = dlopen("libcuda.so.1", RTLD_NOW);
  CUdevice device;
  CUcontext cuda;
#define FIND(function) \
  *(void **)&driver.function = library ? dlsym(library, EXPANDED(function)) : NULL;
  CALLS(FIND)
  if (!driver.cuMemcpyDtoHAsync)
    exit(2);
  need(driver.cuDeviceGet(&device, 0), "cuDeviceGet");
  need(driver.cuDevicePrimaryCtxRetain(&cuda, device), "cuDevicePrimaryCtxRetain");
  need(driver.cuCtxPushCurrent(cuda), "cuCtxPushCurrent");
  need(driver.cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING), "cuStreamCreate");
}

/* The coefficients of a step, and their copies in the GPU's memory. */
static void make_coefficients(const struct kind *kind, int step)
{
  for (int n = !kind->alpha; n < arrays_of(kind); n++) {
    int extent[3];
    const size_t bytes = (size_t)extents(axis_of(kind, n), extent) * sizeof(double);
    fill(host[n], axis_of(kind, n), 1, 0.3 * n + 0.7 * step,
         n && step && kind->jump ? kind->jump : 1);
    if (!ask.on_device)
      continue;
    if (!d_array[n])
      need(driver.cuMemAlloc(&d_array[n], bytes + 1), "cuMemAlloc");
    need(driver.cuMemcpyHtoDAsync(d_array[n], host[n], bytes, stream), "cuMemcpyHtoDAsync");
    need(driver.cuStreamSynchronize(stream), "cuStreamSynchronize");
  }
}

static void set_coefficients(int gpu, const struct kind *kind)
{
  for (int n = !kind->alpha; n < arrays_of(kind); n++) {
    const int there = gpu && ask.on_device;
    const gmg_array array =
      dense(there ? (double *)(uintptr_t)d_array[n] : host[n], axis_of(kind, n));
    check(there ? gmg_solver_borrow_coefficient(on[gpu].solver, which(kind, n), &array)
                : gmg_solver_set_coefficient(on[gpu].solver, which(kind, n), &array),
          "a coefficient");
  }
}

/* Sets up with these coefficients, and solves. What a setup may copy: the coefficients, where they
 * are the host's, and little besides; at first tables of all levels too, and in the second setup
 * what the host takes over of coarse levels that it computes from then on, the inverse of the
 * bottom among it. Returns whether it copied more. */
static int run_on(int gpu, const struct kind *kind, int step, gmg_result *result)
{
  const int there = gpu && ask.on_device;
  const gmg_array right_side = dense(there ? (double *)(uintptr_t)d_f : f, -1);
  gmg_array u = dense(there ? (double *)(uintptr_t)d_u : on[gpu].u, -1);
  long long before[2], after[2];
  int extent[3];
  const long long field = (long long)extents(-1, extent) * (long long)sizeof(double),
                  given = ask.on_device ? 0 : (arrays_of(kind) - !kind->alpha) * field * 5 / 4;
  set_coefficients(gpu, kind);
  copied(before);
  check(gmg_solver_setup(on[gpu].solver), "gmg_solver_setup");
  copied(after);
  check(gmg_solver_solve(on[gpu].solver, &right_side, &u, 0, result), "gmg_solver_solve");
  host_bytes = (double)gmg_solver_bytes(on[gpu].solver) / (double)extents(-1, extent);
  if (there) {
    need(driver.cuMemcpyDtoHAsync(on[gpu].u, d_u, (size_t)field, stream), "cuMemcpyDtoHAsync");
    need(driver.cuStreamSynchronize(stream), "cuStreamSynchronize");
  }
  if (gpu)
    printf("  %s: %.3f and %.3f fields copied there and back\n", kind->name,
           (double)(after[0] - before[0]) / (double)field,
           (double)(after[1] - before[1]) / (double)field);
  return after[0] - before[0] > given + (step ? field : 6 * field)
    || after[1] - before[1] > (step > 1 ? field : 3 * field);
}

static int run_step(const struct kind *kind, int step)
{
  gmg_result result[2];
  int extent[3], differ = 0, copies = 0;
  make_coefficients(kind, step);
  for (int gpu = 0; gpu < 2; gpu++)
    copies |= run_on(gpu, kind, step, &result[gpu]);
  const int count = extents(-1, extent);
  for (int n = 0; n < count; n++)
    differ += memcmp(&on[0].u[n], &on[1].u[n], sizeof(double)) != 0;
  printf("%s, step %d: %d and %d cycles, %s; %d values differ\n", kind->name, step,
         result[0].cycles, result[1].cycles, gmg_outcome_text(result[1].outcome), differ);
  copies = copies && gmg_context_ranks(context) == 1; /* else they go by way of the host */
  return copies || differ || result[0].cycles != result[1].cycles
    || memcmp(result[0].residual_history, result[1].residual_history,
              (size_t)(result[0].cycles + 1) * sizeof(double))
    != 0;
}

static void make_grid(const struct kind *kind)
{
  const int cells[3] = {ask.cells, ask.cells, ask.cells};
  check(gmg_grid_create(context, cells, (double[3]){0, 0, 0}, (double[3]){1, 1.3, 0.7}, &grid),
        "gmg_grid_create");
  for (int side = 0; side < 6; side++)
    if (kind->periodic && side < 4)
      check(gmg_grid_set_boundary(grid, (gmg_side)side, GMG_PERIODIC, 0, 0, 0), "a side");
    else if (kind->values)
      check(gmg_grid_set_boundary(grid, (gmg_side)side, side == 3 ? GMG_NEUMANN : GMG_DIRICHLET, 0,
                                  0, 0.5 + side),
            "a side");
    else if (kind->neumann)
      check(gmg_grid_set_boundary(grid, (gmg_side)side, GMG_NEUMANN, 0, 0, 0), "a side");
  gmg_grid_part(grid, lower, upper);
  for (int n = 0; n < ARRAYS; n++)
    host[n] = take(axis_of(kind, n));
  f = take(-1);
  fill(f, -1, 0.2, 0.5, 1);
  if (!ask.on_device)
    return;
  int extent[3];
  const size_t bytes = (size_t)extents(-1, extent) * sizeof(double);
  need(driver.cuMemAlloc(&d_f, bytes + 1), "cuMemAlloc");
  need(driver.cuMemAlloc(&d_u, bytes + 1), "cuMemAlloc");
  need(driver.cuMemcpyHtoDAsync(d_f, f, bytes, stream), "cuMemcpyHtoDAsync");
  need(driver.cuStreamSynchronize(stream), "cuStreamSynchronize");
}

static void clear(void)
{
  free(f);
  CUdeviceptr *const d[2] = {&d_f, &d_u};
  for (int n = 0; n < 2; n++) {
    if (*d[n])
      need(driver.cuMemFree(*d[n]), "cuMemFree");
    *d[n] = 0;
  }
  for (int n = 0; n < ARRAYS; n++) {
    free(host[n]);
    if (d_array[n])
      need(driver.cuMemFree(d_array[n]), "cuMemFree");
    d_array[n] = 0;
  }
  for (int gpu = 0; gpu < 2; gpu++) {
    gmg_solver_destroy(&on[gpu].solver);
    free(on[gpu].u);
    on[gpu].u = NULL;
  }
  gmg_grid_destroy(&grid);
}

static int compare(const struct kind *kind)
{
  int bad = 0;
  make_grid(kind);
  for (int gpu = 0; gpu < 2; gpu++)
    make(gpu, kind);
  for (int step = 0; step < ask.steps; step++)
    bad |= run_step(kind, step);
  clear();
  return bad;
}

/* The first setup, and the fastest of those after it. */
static void time_setups(const struct kind *kind)
{
  gmg_result result;
  double first = 0, best = INFINITY, solve = 0;
  make_grid(kind);
  make(1, kind);
  for (int step = 0; step < ask.steps; step++) {
    make_coefficients(kind, step);
    run_on(1, kind, step, &result);
    solve = result.solve_seconds;
    first = step ? first : result.setup_seconds;
    best = step ? fmin(best, result.setup_seconds) : best;
  }
  if (gmg_context_rank(context) == 0)
    printf("{\"cells\": %d, \"coefficients\": \"%s\", \"arrays\": \"%s\", "
           "\"first_setup_seconds\": %.4f, \"repeated_setup_seconds\": %.4f, "
           "\"solve_seconds\": %.4f, \"host_bytes_per_unknown\": %.2f}\n",
           ask.cells, kind->name, ask.on_device ? "the GPU's" : "the host's", first, best, solve,
           host_bytes);
  clear();
}

static void parse(int count, char **words)
{
  for (int n = 1; n < count; n++) {
    const char *next = n + 1 < count ? words[n + 1] : "";
    if (strcmp(words[n], "--on-device") == 0)
      ask.on_device = 1;
    else if (strcmp(words[n], "--times") == 0)
      ask.times = 1;
    else if (strcmp(words[n], "--cells") == 0)
      ask.cells = atoi(next), n++;
    else if (strcmp(words[n], "--steps") == 0)
      ask.steps = atoi(next), n++;
    else if (strcmp(words[n], "--kind") == 0)
      ask.kind = next, n++;
    else if (ask.options < 32)
      ask.option[ask.options] = words[n], ask.value[ask.options++] = next, n++;
  }
}

int main(int argc, char **argv)
{
  int found, status = 77;
  parse(argc, argv);
#if GMG_WITH_MPI
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  if (gmg_context_create_mpi(MPI_COMM_WORLD, 0, &context))
    return 2;
#else
  if (gmg_context_create(0, &context))
    return 2;
#endif
  printf("%s\n", gmg_context_device(context, &found));
  if (found) {
    status = 0;
    open_driver();
    for (size_t n = 0; n < sizeof kinds / sizeof *kinds; n++) {
      if (ask.kind && strcmp(ask.kind, kinds[n].name) != 0)
        continue;
      if (ask.times)
        time_setups(&kinds[n]);
      else
        status |= compare(&kinds[n]);
    }
  }
  gmg_context_destroy(&context);
#if GMG_WITH_MPI
  MPI_Finalize();
#endif
  return status;
}
