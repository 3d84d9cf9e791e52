/* Explicit programs on a GPU, or one for each rank: their bits against the CPU's on a small grid,
 * then the time of a step, the bytes that it must move, and its share of a copy from device to
 * device that is measured in the same run; by launches one by one, how much of that kernels and
 * ghosts take. program-steps [--cells N] [--plane N] [--programs PART,PART,...] [--shapes]
 *     [--backend cuda|openmp] [--passes (instead, steps one by one and two in one pass, in turns)]
 * --cells: of a cube's side (512); --plane: of a square's (8192), as many of either one after the
 * other as there are ranks; --shapes: other shapes of thread blocks, too. Figures are of one rank,
 * the time that of the slowest. Exit status: 0 good, 1 bits differ, 2 a call failed, 77 no device.
 */
#include "config.h"

#if GMG_WITH_MPI
#include <mpi.h>
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "gmg_program.h"
#include "program_shapes.h"

#define PROGRAMS(X) \
  X(copy, "copy") \
  X(heat3d, "heat, 7 points") \
  X(poisson7, "Poisson, 7 points") \
  X(variable7, "variable, 7 points") \
  X(heat13, "heat, 13 points") \
  X(heat2d, "heat, 2-D") \
  X(smooth9, "9 points, 2-D") \
  X(himeno, "Himeno, float") \
  X(himeno_double, "Himeno") \
  X(poisson19, "Poisson, 19 points") \
  X(smooth27, "27 points, float") \
  X(smooth27_double, "27 points") \
  X(wave, "wave, past values")
#define DECLARE(name, shown) GMG_PROGRAM(name);
PROGRAMS(DECLARE)
#define ENTRY(name, shown) {#name, shown, name##_program},
static const struct {
  const char *name, *shown;
  const struct gmg_program_descriptor *const *made;
} programs[] = {PROGRAMS(ENTRY)};
enum { COUNT = sizeof programs / sizeof *programs };

enum { MOST_FORMS = 3 };

static struct {
  int cells, plane, shapes;
  int passes;
  const char *programs, *backend, *per_pass;
} options = {512, 8192, 0, 0, "", "cuda", "auto"};
static gmg_context *context;
static int rank, ranks = 1;
static double copy_rate[2]; /* bytes per second: by the driver, by a kernel */

static int failed(gmg_status status, const char *what)
{
  if (status)
    printf("FAILED %s: %s\n", what, context ? gmg_context_message(context) : "no context");
  return status != GMG_OK;
}

/* The largest of a number that all ranks have. */
static double largest(double value)
{
#if GMG_WITH_MPI
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
#endif
  return value;
}

static double seconds(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* A program on a grid, with its initial values. NULL where that failed. */
static gmg_program *make(const struct gmg_program_descriptor *const *made, const int cells[3],
                         const char *backend, const char *launch)
{
  const double lower[3] = {0, 0, 0}, upper[3] = {1, 1, 1};
  gmg_grid *grid = NULL;
  gmg_program *program = NULL;
  int bad = failed(gmg_grid_create(context, cells, lower, upper, &grid), "gmg_grid_create");
  bad = bad || failed(gmg_program_create(grid, made, 0, 1, &program), "gmg_program_create")
    || failed(gmg_program_set_option(program, "backend", backend), "the option backend")
    || failed(gmg_program_set_option(program, "launch", launch), "the option launch")
    || failed(gmg_program_set_option(program, "steps-per-pass", options.per_pass),
              "the option steps-per-pass")
    || failed(gmg_program_place(program), "gmg_program_place")
    || failed(gmg_program_begin(program), "gmg_program_begin");
  gmg_grid_destroy(&grid);
  if (bad)
    gmg_program_destroy(&program);
  return program;
}

/* ---- bits ---- */

/* How many rows of cells differ. */
static int compare(gmg_program *one, gmg_program *other, int array)
{
  gmg_program_box a, b;
  int differ = 0;
  if (failed(gmg_program_view(one, array, 0, &a), "gmg_program_view")
      || failed(gmg_program_view(other, array, 0, &b), "gmg_program_view"))
    return 1;
  const size_t bytes = a.single ? sizeof(float) : sizeof(double);
  for (int k = 0; k < a.upper[2] - a.lower[2]; k++)
    for (int j = 0; j < a.upper[1] - a.lower[1]; j++) {
      const ptrdiff_t at = (j * a.stride[1] + k * a.stride[2]) * (ptrdiff_t)bytes;
      differ +=
        memcmp((char *)a.data + at, (char *)b.data + at, (size_t)(a.upper[0] - a.lower[0]) * bytes)
        != 0;
    }
  return differ;
}

/* Whether the device gives the CPU's bits after some steps. */
static int verify(const struct gmg_program_descriptor *const *made, const char *shown)
{
  const int flat = made[0]->dimensions == 2, cells[3] = {131, 37, flat ? 1 : 43};
  gmg_program *host = make(made, cells, "openmp", "graphs"),
              *device = host ? make(made, cells, options.backend, "graphs") : NULL;
  int bad = !device || failed(gmg_program_run(host, 7), "steps on the CPU")
    || failed(gmg_program_run(device, 7), "steps on the device");
  for (int a = 0; !bad && a < made[0]->arrays; a++)
    if (gmg_program_array_kept(host, a) && compare(host, device, a)) {
      printf("FAILED %s: '%s' has other bits on the device\n", shown,
             gmg_program_array_name(host, a));
      bad = 1;
    }
  gmg_program_destroy(&host);
  gmg_program_destroy(&device);
  return largest(bad) == 0;
}

/* ---- times ---- */

struct times {
  double step, bytes, kernels, ghosts; /* of a step; seconds */
};

/* The least time of a step in some runs of many; negative after a failure. */
static double time_steps(gmg_program *program)
{
  enum { RUNS = 5 };
  static const double LEAST = 0.15;
  double least = -1;
  int64_t steps = 8;
  for (int run = 0; run < RUNS;) {
    const double begin = seconds();
    if (failed(gmg_program_run(program, steps), "steps"))
      return -1;
    const double taken = largest(seconds() - begin);
    if (run == 0 && taken < LEAST && steps < 1 << 20) {
      steps *= 2;
      continue;
    }
    if (least < 0 || taken / (double)steps < least)
      least = taken / (double)steps;
    run++;
  }
  return least;
}

static void take_cells(const struct gmg_program_descriptor *made, int cells[3])
{
  for (int d = 0; d < 3; d++)
    cells[d] = made->dimensions == 2 ? (d == 2 ? 1 : options.plane) : options.cells;
  cells[made->dimensions - 1] *= ranks;
}

static int measure(const struct gmg_program_descriptor *const *made, int parts, struct times *times)
{
  int cells[3];
  gmg_program_info before, after;
  take_cells(made[0], cells);
  gmg_program *program = make(made, cells, options.backend, "graphs");
  if (!program)
    return 0;
  gmg_program_inform(program, &before);
  times->step = time_steps(program);
  gmg_program_inform(program, &after);
  times->bytes = (after.bytes - before.bytes) / (double)(after.steps - before.steps);
  int good = times->step > 0;
  if (good && parts) {
    good = !failed(gmg_program_set_option(program, "launch", "timed"), "the option launch")
      && !failed(gmg_program_place(program), "gmg_program_place")
      && !failed(gmg_program_run(program, 4), "timed steps");
    gmg_program_inform(program, &before);
    good = good && !failed(gmg_program_run(program, 20), "timed steps");
    gmg_program_inform(program, &after);
    times->kernels = (after.kernel_seconds - before.kernel_seconds) / 20;
    times->ghosts = (after.ghost_seconds - before.ghost_seconds) / 20;
  }
  gmg_program_destroy(&program);
  return good;
}

static double share(double bytes, double time, double rate)
{
  return rate > 0 && time > 0 ? 100 * bytes / time / rate : 0;
}

static void print_line(const char *shown, const struct gmg_program_descriptor *made,
                       const struct times *t)
{
  int cells[3];
  take_cells(made, cells);
  const double points = (double)cells[0] * cells[1] * cells[2] / ranks;
  if (rank)
    return;
  printf("%-20s %5d^%d %9.1f us %7.1f MB %7.1f GB/s %6.2f Gpt/s %5.1f %% %5.1f %%  | kernels "
         "%9.1f us %5.1f %%, ghosts %7.1f us\n",
         shown, cells[0], made->dimensions, 1e6 * t->step, 1e-6 * t->bytes,
         1e-9 * t->bytes / t->step, 1e-9 * points / t->step, share(t->bytes, t->step, copy_rate[0]),
         share(t->bytes, t->step, copy_rate[1]), 1e6 * t->kernels,
         share(t->bytes, t->kernels, copy_rate[0]), 1e6 * t->ghosts);
  fflush(stdout);
}

static void try_shapes(const struct gmg_program_descriptor *made)
{
  const struct gmg_cuda_kernel *cuda = made->kernel[0].kernel->cuda;
  const int forms =
    strcmp(cuda->form[0].name, "columns") == 0 ? 1 : MOST_FORMS; /* marching is slower */
  for (int form = 0; form < forms; form++)
    for (int n = 0; n < PROGRAM_SHAPES; n++) {
      const struct gmg_program_descriptor *list[] = {program_shaped(made, form, &program_shape[n]),
                                                     NULL};
      struct times times = {0};
      if (!list[0] || !measure(list, 0, &times))
        continue;
      const struct gmg_cuda_shape *s = &program_shape[n];
      if (rank)
        continue;
      printf("  %-8s {%d, %d, %d, %d, %d, %d}: %9.1f us %5.1f %%\n",
             made->kernel[0].kernel->cuda->form[form].name, s->block_i, s->block_j, s->rows,
             s->planes, s->unroll, s->blocks, 1e6 * times.step,
             share(times.bytes, times.step, copy_rate[0]));
      fflush(stdout);
    }
}

/* ---- two steps in one pass ---- */

/* The least time of a step, one by one or two in one pass; negative after a failure. */
static double time_passes(const struct gmg_program_descriptor *const *made, const char *per_pass)
{
  struct times times = {0};
  options.per_pass = per_pass;
  return measure(made, 0, &times) ? times.step : -1;
}

static void try_pass_shapes(const struct gmg_program_descriptor *made, double single)
{
  for (int n = 0; n < PROGRAM_PASS_SHAPES; n++) {
    const struct gmg_cuda_shape *s = &program_pass_shape[n];
    const struct gmg_program_descriptor *list[] = {program_twice_shaped(made, s), NULL};
    const double twice = list[0] ? time_passes(list, "2") : -1;
    if (!rank && twice > 0)
      printf("  {%d, %d, %d, %d, %d, %d}: %9.1f us, %.3f times as fast\n", s->block_i, s->block_j,
             s->rows, s->planes, s->unroll, s->blocks, 1e6 * twice, single / twice);
  }
}

/* Whether no call failed, and bits are the CPU's. */
static int compare_passes(int n)
{
  enum { TURNS = 3 };
  double least[2] = {0, 0};
  options.per_pass = "2";
  if (!programs[n].made[0]->twice.kernel) /* gmg-gen --explain says why */
    return 1;
  if (!verify(programs[n].made, programs[n].shown))
    return 0;
  for (int turn = 0; turn < 2 * TURNS; turn++) {
    const double time = time_passes(programs[n].made, turn % 2 ? "2" : "1");
    if (!least[turn % 2] || time < least[turn % 2])
      least[turn % 2] = time;
  }
  if (least[0] < 0 || least[1] < 0)
    return 0;
  if (!rank)
    printf("%-20s one by one %9.1f us a step, two in one pass %9.1f us: %.3f times as fast\n",
           programs[n].shown, 1e6 * least[0], 1e6 * least[1], least[0] / least[1]);
  if (options.shapes)
    try_pass_shapes(programs[n].made[0], least[0]);
  return 1;
}

/* ---- all ---- */

static int wanted(const char *name)
{
  const char *part = options.programs;
  for (; *part; part += strspn(part, ",")) {
    const size_t length = strcspn(part, ",");
    if (length && length == strlen(name) && strncmp(part, name, length) == 0)
      return 1;
    part += length;
  }
  return !*options.programs;
}

static void measure_copy(void)
{
  static gmg_roofs roofs;
  if (failed(gmg_context_measure_roofs(context, 3, &roofs), "gmg_context_measure_roofs"))
    return;
  for (int n = 0; n < roofs.roofs; n++) {
    const gmg_roof *roof = &roofs.roof[n];
    if (strcmp(roof->backend, "cuda") == 0 && roof->cache == 0
        && (roof->kind == GMG_ROOF_COPY || roof->kind == GMG_ROOF_COPY_DRIVER))
      copy_rate[roof->kind == GMG_ROOF_COPY] = roof->rate / roof->threads;
  }
  if (rank)
    return;
  printf("copy from device to device: %.1f GB/s by the driver, %.1f GB/s by a kernel%s%s\n",
         1e-9 * copy_rate[0], 1e-9 * copy_rate[1], *roofs.device_note ? "; " : "",
         roofs.device_note);
}

static int run_all(void)
{
  int bad = 0;
  measure_copy();
  for (int n = 0; n < COUNT && options.passes; n++)
    bad |= wanted(programs[n].name) && !compare_passes(n);
  if (options.passes)
    return bad;
  if (rank == 0)
    printf("of a step: time, bytes at least, shares of the copies by the driver and by a kernel | "
           "launched one by one\n");
  for (int n = 0; n < COUNT; n++) {
    struct times times = {0};
    if (!wanted(programs[n].name))
      continue;
    if (!verify(programs[n].made, programs[n].shown)
        || !measure(programs[n].made, strcmp(options.backend, "cuda") == 0, &times)) {
      bad = 1;
      continue;
    }
    print_line(programs[n].shown, programs[n].made[0], &times);
    if (options.shapes)
      try_shapes(programs[n].made[0]);
  }
  measure_copy();
  return bad;
}

static int parse(int count, char **words)
{
  for (int n = 1; n < count; n++) {
    const char *value = n + 1 < count ? words[n + 1] : "";
    if (strcmp(words[n], "--shapes") == 0)
      options.shapes = 1;
    else if (strcmp(words[n], "--passes") == 0)
      options.passes = 1;
    else if (strcmp(words[n], "--cells") == 0)
      options.cells = atoi(value), n++;
    else if (strcmp(words[n], "--plane") == 0)
      options.plane = atoi(value), n++;
    else if (strcmp(words[n], "--programs") == 0)
      options.programs = value, n++;
    else if (strcmp(words[n], "--backend") == 0)
      options.backend = value, n++;
    else
      return 0;
  }
  return options.cells > 8 && options.plane > 8;
}

int main(int count, char **words)
{
  int found = 0, bad = 2;
  if (!parse(count, words)) {
    printf("program-steps [--cells N] [--plane N] [--programs NAME,...] [--shapes] [--backend "
           "cuda|openmp] [--passes]\n");
    return 2;
  }
#if GMG_WITH_MPI
  MPI_Init(&count, &words);
  const gmg_status status = gmg_context_create_mpi(MPI_COMM_WORLD, 0, &context);
#else
  const gmg_status status = gmg_context_create(0, &context);
#endif
  if (!failed(status, "the context")) {
    rank = gmg_context_rank(context);
    ranks = gmg_context_ranks(context);
    printf("rank %d of %d: %s\n", rank, ranks, gmg_context_device(context, &found));
    found = largest(!found) == 0;
    bad = found || strcmp(options.backend, "openmp") == 0 ? run_all() : 77;
  }
  gmg_context_destroy(&context);
#if GMG_WITH_MPI
  MPI_Finalize();
#endif
  return bad;
}
