/* Both colours in one pass, out of place, against the OpenMP kernel's two sweeps in place. */
#include "on_cpu_plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda/runtime/cuda_kernel.h"
#include "kernel_runs.h"
#include "on_cpu_kernels.h"

enum { EXTENTS = 7 };
static const int extents[EXTENTS][3] = {{1, 1, 1},   {2, 3, 4},   {12, 6, 3}, {13, 7, 4},
                                        {25, 13, 7}, {24, 12, 6}, {9, 14, 10}};

/* The field that a kernel writes, and its other arguments on a box. */
static int bind(struct test_box *box, const struct gmg_kernel_descriptor *kernel,
                struct gmg_cuda_args *args)
{
  int written = -1;
  memset(args, 0, sizeof *args);
  memcpy(args->box.cells, box->cells[GMG_OWN], sizeof args->box.cells);
  memcpy(args->box.lower, box->lower, sizeof args->box.lower);
  memcpy(args->box.stride, box->stride[GMG_OWN], sizeof args->box.stride);
  args->box.odd = box->odd[GMG_OWN];
  for (int f = 0; f < kernel->fields; f++) {
    args->field[f] = test_box_find(box, &kernel->field[f])->origin;
    written = kernel->field[f].written ? f : written;
  }
  for (int s = 0; s < kernel->scalars; s++) {
    args->scalar[s] = test_scalar(kernel->scalar[s]);
    args->then[s] =
      strcmp(kernel->scalar[s], "omega") == 0 ? 1.25 * args->scalar[s] : args->scalar[s];
  }
  return written;
}

static void set_colour(const struct gmg_kernel_descriptor *kernel, int colour, double *scalar)
{
  for (int s = 0; s < kernel->scalars; s++)
    if (strcmp(kernel->scalar[s], "colour") == 0)
      scalar[s] = colour;
}

/* Two sweeps of the OpenMP kernel on a copy of u. */
static void run_in_place(const struct gmg_kernel_descriptor *kernel,
                         const struct gmg_cuda_args *args, int written, void *u, int colour)
{
  struct gmg_kernel_box box = args->box;
  struct gmg_tile tile = {.j1 = box.cells[1], .k1 = box.cells[2]};
  struct gmg_kernel_args sweep = {.tiles = 1, .tile = &tile, .box = &box, .threads = 1};
  sweep.scratch_stride =
    ((size_t)kernel->lines * (size_t)box.stride[0] * 8 + 256 + GMG_KNOWN_BYTES + 63) / 64 * 64;
  sweep.scratch = aligned_alloc(64, sweep.scratch_stride);
  memset(sweep.scratch, 0xff, sweep.scratch_stride);
  void *pointer[GMG_MAX_FIELDS];
  for (int f = 0; f < kernel->fields; f++) {
    pointer[f] = f == written ? u : args->field[f];
    sweep.field[f] = &pointer[f];
  }
  for (int n = 0; n < 2; n++) {
    memcpy(sweep.scalar, n ? args->then : args->scalar, sizeof sweep.scalar);
    set_colour(kernel, n ? 1 - colour : colour, sweep.scalar);
    kernel->run(&sweep);
  }
  free(sweep.scratch);
}

/* 1: the bits differ; -1: there is no such form. */
static int compare(struct test_box *box, const struct gmg_kernel_descriptor *kernel, int colour)
{
  struct gmg_cuda_args args;
  const int written = bind(box, kernel, &args);
  const struct test_array *u = test_box_find(box, &kernel->field[written]);
  const size_t origin = (size_t)((char *)u->origin - (char *)u->data);
  char *in_place = memcpy(malloc(u->bytes), u->data, u->bytes),
       *out = memcpy(malloc(u->bytes), u->data, u->bytes);
  run_in_place(kernel, &args, written, in_place + origin, colour);
  set_colour(kernel, colour, args.scalar);
  args.out = out + origin;
  const int differs = !on_cpu_staged(kernel, &args) ? -1 : memcmp(in_place, out, u->bytes) != 0;
  free(in_place);
  free(out);
  return differs;
}

/* All kernels that have the form, on boxes of these extents. Counts the runs. */
static int compare_all(const struct gmg_kernel_library *library, const int cells[3], int loud,
                       int *runs)
{
  int failures = 0;
  for (int layout = 0; layout < 4; layout++) {
    const enum gmg_precision precision = layout & 1 ? GMG_F32 : GMG_F64;
    const enum gmg_rows rows = layout & 2 ? GMG_SPLIT : GMG_PLAIN;
    struct test_box *box = test_box_make(library, precision, rows, 1, cells, 77);
    for (int o = 0; o < library->operators; o++)
      for (int k = 0; k < library->operator_[o]->kernels; k++) {
        const struct gmg_kernel_descriptor *kernel = library->operator_[o]->kernel[k];
        if (!gmg_sweeps_one_colour(kernel) || gmg_is_from_zero(kernel)
            || library->operator_[o]->colours != 2 || kernel->precision != precision
            || kernel->rows_stored != rows)
          continue;
        const int differ = compare(box, kernel, 0) + compare(box, kernel, 1);
        if (differ < 0)
          continue;
        *runs += 2;
        failures += differ > 0;
        if (differ && loud)
          fprintf(stderr, "FAILED both colours of %s %s in one pass on %dx%dx%d: other bits\n",
                  kernel->name, kernel->variant, cells[0], cells[1], cells[2]);
      }
    if (test_box_changed(box)) {
      fprintf(stderr, "FAILED both colours in one pass: '%s' has changed\n", test_box_changed(box));
      failures++;
    }
    test_box_destroy(box);
  }
  return failures;
}

/* A form in all orders, on all extents; and whether it is seen where any of the barriers is left
 * out, from `barrier` on, but for those that only order what nobody reads any more. */
static int plan(const struct gmg_kernel_library *library, int barrier, int barriers)
{
  int failures = 0, runs = 0, unseen = 0;
  for (int order = 0; order < 9; order++)
    for (int e = 0; e < EXTENTS; e++) {
      const struct on_cpu_way way = {0, (enum fiber_order)(order % 3),
                                     (enum fiber_order)(order / 3), -1, 0};
      on_cpu_set(&way);
      failures += compare_all(library, extents[e], 1, &runs);
    }
  const int kernels = runs / 2 / 9 / EXTENTS;
  for (int b = barrier; b < barrier + barriers; b++) {
    int seen = 0;
    for (int order = 0; order < 2; order++) {
      const struct on_cpu_way way = {0, order ? FIBERS_BACKWARD : FIBERS_FORWARD, FIBERS_FORWARD, b,
                                     0};
      on_cpu_set(&way);
      const int differ = compare_all(library, extents[4], 0, &runs);
      seen = differ > seen ? differ : seen;
    }
    unseen += seen < kernels;
  }
  printf("both colours in one pass: %d kernels, %d runs, %d failures; %d barriers that can be left "
         "out\n",
         kernels, runs, failures, unseen);
  return failures + unseen + (kernels == 0);
}

int on_cpu_plan_staged(void)
{
  const struct gmg_kernel_library *library[TEST_LIBRARIES];
  if (!test_libraries(library))
    return 1;
  /* Behind the plane below the first nobody reads what is shared. */
  return plan(library[0], 1, 4) + on_cpu_stuck();
}
