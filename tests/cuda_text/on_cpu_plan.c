#include "on_cpu_plan.h"

#include <stdio.h>
#include <string.h>

#include "kernel_runs.h"
#include "on_cpu_kernels.h"

/* Thread blocks of 8 x 8 and twice the rows, chunks of 4 planes; split rows and colours take two
 * cells a thread. */
static const int boxes[][TEST_BOXES][3] = {
  {{5, 4, 3}, {1, 9, 6}},   {{17, 8, 4}, {16, 1, 7}}, {{8, 8, 3}, {2, 2, 2}},
  {{33, 5, 2}, {9, 17, 5}}, {{1, 1, 1}, {24, 12, 6}}, {{15, 7, 10}, {3, 16, 1}},
};
enum { BOXES = sizeof boxes / sizeof *boxes, BARRIERS = 4 };

/* The OpenMP library twice, as the comparison wants tiles of the second one, and CUDA on the CPU.
 */
static int prepare(struct test_runs *runs)
{
  const struct gmg_kernel_library *openmp[TEST_LIBRARIES];
  static const struct gmg_kernel_library *cuda;
  if (!test_libraries(openmp))
    return 0;
  if (!cuda)
    cuda = on_cpu_library(openmp[0]);
  *runs = (struct test_runs){.libraries = 3, .threads = 1, .calling = on_cpu_calling};
  runs->library[0] = runs->library[1] = openmp[0];
  runs->library[2] = cuda;
  return cuda != NULL;
}

static int run(const struct on_cpu_way *way, int b, struct test_tally *total)
{
  struct test_runs runs;
  struct test_tally tally = {0};
  if (!prepare(&runs))
    return 0;
  const int stuck = on_cpu_stuck();
  memcpy(runs.cells, boxes[b], sizeof runs.cells);
  runs.seed = 4000 + (uint64_t)b;
  on_cpu_set(way);
  test_kernels_run(&runs, &tally);
  if (on_cpu_stuck() > stuck) {
    fprintf(stderr, "FAILED form %d: threads of a block wait for each other at different places\n",
            way->form);
    tally.failures += on_cpu_stuck() - stuck;
  }
  test_tally_add(total, &tally);
  return 1;
}

static int report(const char *what, const struct test_tally *tally)
{
  printf("%s: %ld runs of a kernel, %ld failures\n", what, tally->runs, tally->failures);
  return tally->failures > 1000000 ? 1000000 : (int)tally->failures;
}

/* Every form on every box in one order each, the orders in turn; box by box, and on all at once. */
int on_cpu_plan_quick(void)
{
  struct test_tally tally = {0};
  int turn = 0;
  for (int form = -1; form < on_cpu_forms(); form++)
    for (int b = 0; b < 2 * BOXES; b++, turn++) {
      const struct on_cpu_way way = {form, (enum fiber_order)(turn % 3),
                                     (enum fiber_order)(turn / 3 % 3), -1, b / BOXES};
      if (!run(&way, b % BOXES, &tally))
        return 1;
    }
  return report("CUDA texts on the CPU", &tally);
}

int on_cpu_plan_large(void)
{
  struct test_tally tally = {0};
  for (int form = -1; form < on_cpu_forms(); form++)
    for (int b = 0; b < 2 * BOXES; b++)
      for (int order = 0; order < 9; order++) {
        const struct on_cpu_way way = {form, (enum fiber_order)(order % 3),
                                       (enum fiber_order)(order / 3), -1, b / BOXES};
        if (!run(&way, b % BOXES, &tally))
          return 1;
      }
  return report("CUDA texts on the CPU, all orders", &tally);
}

/* What leaving out a barrier does to each call, in the order of the calls: told by them. */
enum { MOST_CALLS = 4096 };
static struct {
  const struct test_tally *tally;
  const struct gmg_kernel_descriptor *kernel; /* of the call before */
  long failures;
  int calls, barrier;
  struct {
    const struct gmg_kernel_descriptor *kernel;
    unsigned has,
      seen; /* a bit for each barrier: it has been left out; a result has changed by that */
  } call[MOST_CALLS];
} watch;

static void look_back(const struct gmg_kernel_descriptor *next)
{
  const struct gmg_kernel_descriptor *before = watch.kernel;
  if (before && !before->run_tile && watch.calls < MOST_CALLS) {
    const int call = watch.calls++;
    watch.call[call].kernel = before;
    watch.call[call].has |= (unsigned)on_cpu_left_out() << watch.barrier;
    watch.call[call].seen |= (unsigned)(watch.tally->failures > watch.failures) << watch.barrier;
  }
  if (next && next->run_tile)
    watch.failures = watch.tally->failures;
  watch.kernel = next;
  on_cpu_calling(next);
}

static int run_without(int form, int barrier, enum fiber_order order)
{
  /* The last block has two warps at work: what it misses no later one makes good. */
  static const int box[TEST_BOXES][3] = {{16, 1, 7}, {17, 8, 4}};
  const struct on_cpu_way way = {form, order, FIBERS_FORWARD, barrier, 0};
  struct test_runs runs;
  struct test_tally tally = {.failures = TEST_MESSAGES}; /* says nothing of what it finds */
  if (!prepare(&runs))
    return 0;
  memcpy(runs.cells, box, sizeof box);
  runs.seed = 5000;
  runs.calling = look_back;
  watch.tally = &tally;
  watch.barrier = barrier;
  watch.calls = 0;
  on_cpu_set(&way);
  test_kernels_run(&runs, &tally);
  look_back(NULL);
  return 1;
}

/* A sum over the block has a barrier in front that only a second sum in the same launch needs. Form
 * -1 sums twice; the second time nobody looks at. */
static int spare_barriers(const struct gmg_kernel_descriptor *kernel, int form)
{
  int written = 0;
  for (int f = 0; f < kernel->fields; f++)
    written += kernel->field[f].written;
  return (kernel->role == GMG_RESIDUAL_SINGLE || kernel->role == GMG_RESTRICT_NORM || !written)
    * (form < 0 ? 2 : 1);
}

/* Every barrier of every kernel is left out, by itself, in two orders of threads. */
static int leave_out(int form)
{
  int seen = 0, missed = 0, failures = 0;
  memset(&watch, 0, sizeof watch);
  for (int barrier = 0; barrier < BARRIERS; barrier++)
    if (!run_without(form, barrier, FIBERS_FORWARD) || !run_without(form, barrier, FIBERS_BACKWARD))
      return 1;
  for (int call = 0; call < watch.calls; call++) {
    const struct gmg_kernel_descriptor *kernel = watch.call[call].kernel;
    const unsigned not_seen = watch.call[call].has & ~watch.call[call].seen;
    seen += __builtin_popcount(watch.call[call].seen);
    missed += __builtin_popcount(not_seen);
    if (__builtin_popcount(not_seen) <= spare_barriers(kernel, form))
      continue;
    failures++;
    fprintf(stderr,
            "FAILED form %d of %s %s: results are the same without a barrier (bits %x of %x)\n",
            form, kernel->name, kernel->variant, not_seen, watch.call[call].has);
  }
  printf("form %d, barriers left out: %d times a result changed, %d times not\n", form, seen,
         missed);
  return failures;
}

int on_cpu_plan_barriers(void)
{
  int failures = 0;
  for (int form = -1; form < on_cpu_forms(); form++)
    failures += leave_out(form);
  return failures;
}
