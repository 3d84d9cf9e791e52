#include "values.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "chunks.h"
#include "file.h"
#include "guard.h"
#include "common/parallel.h"

int values_open(const char *path, const struct problem *problem, const int lower[3],
                const int upper[3], struct progress *progress, struct values *values,
                struct failure *failure)
{
  *values = (struct values){.path = path, .problem = problem, .progress = progress};
  memcpy(values->lower, lower, sizeof values->lower);
  memcpy(values->upper, upper, sizeof values->upper);
  guard_enter(path);
  values->file = file_open(path);
  guard_leave();
  if (values->file < 0)
    failure_set(failure, STATUS_INPUT, "%s cannot be opened on rank %d: %s", path, parallel_rank(),
                file_reason());
  return parallel_agree(failure);
}

void values_close(struct values *values)
{
  if (values->file >= 0) {
    guard_enter(values->path);
    H5Fclose(values->file);
    guard_leave();
  }
  values->file = -1;
}

/* This rank's elements of a field: a face field has one more along its axis. */
static void part_of(const struct values *values, enum problem_field field, int upper[3])
{
  memcpy(upper, values->upper, 3 * sizeof *upper);
  const int axis = problem_field_axis(field);
  if (axis >= 0 && file_elements(values->lower, values->upper))
    upper[axis]++;
}

size_t values_elements(const struct values *values, enum problem_field field)
{
  int upper[3];
  part_of(values, field, upper);
  return file_elements(values->lower, upper);
}

double *values_allocate(const struct values *values, enum problem_field field)
{
  enum { HUGE_PAGE = 2 << 20 };
  const size_t bytes = (values_elements(values, field) + 1) * sizeof(double);
  const int huge = bytes >= 2 * HUGE_PAGE;
  void *data = NULL;
  if (posix_memalign(&data, huge ? HUGE_PAGE : sizeof(double), bytes))
    return NULL;
#ifdef MADV_HUGEPAGE
  if (huge)
    (void)madvise(data, bytes, MADV_HUGEPAGE); /* a hint */
#endif
  return data;
}

gmg_array values_array(const struct values *values, enum problem_field field, double *data)
{
  int upper[3];
  part_of(values, field, upper);
  ptrdiff_t row = upper[0] - values->lower[0];
  return (gmg_array){data, {1, row, row * (upper[1] - values->lower[1])}};
}

static int check_block(const struct values *values, enum problem_field field, const int from[3],
                       const int to[3], const double *block, struct failure *failure)
{
  const size_t count = file_elements(from, to);
  const int positive = field >= FIELD_BETA && field <= FIELD_BETA_Z;
  const double a = values->problem->a;
  const int sign = field == FIELD_ALPHA ? (a > 0) - (a < 0) : 0;
  for (size_t n = 0; n < count; n++) {
    const char *expected = NULL;
    if (!isfinite(block[n]))
      expected = "finite values";
    else if (positive && !(block[n] > 0))
      expected = "values > 0";
    else if (sign * block[n] < 0)
      expected = sign > 0 ? "a alpha >= 0, so values >= 0" : "a alpha >= 0, so values <= 0";
    if (!expected)
      continue;
    const size_t nx = (size_t)(to[0] - from[0]), ny = (size_t)(to[1] - from[1]);
    return failure_set(
      failure, STATUS_INPUT, "%s: %s has the value %g at (k, j, i) = (%zu, %zu, %zu), expected %s",
      values->path, problem_field_name(field), block[n], n / (nx * ny) + (size_t)from[2],
      n / nx % ny + (size_t)from[1], n % nx + (size_t)from[0], expected);
  }
  return 0;
}

static int differing_ends(const struct values *values, int axis, const int at[3], double low,
                          double high, struct failure *failure)
{
  return failure_set(failure, STATUS_INPUT,
                     "%s: the end planes of /beta_%c differ across the periodic %c faces: %.17g "
                     "and %.17g at (k, j, i) = (%d, %d, %d), expected equal values",
                     values->path, "xyz"[axis], "xyz"[axis], low, high, at[2], at[1], at[0]);
}

/* The end planes in x or y, both of which are in every block, since a part is a slab in k. */
static int check_ends(const struct values *values, int axis, const int from[3], const int to[3],
                      const double *block, struct failure *failure)
{
  const int n[2] = {to[0] - from[0], to[1] - from[1]}, other = 1 - axis;
  const size_t stride[2] = {1, (size_t)n[0]}, far = (size_t)(n[axis] - 1) * stride[axis];
  int at[3] = {0, 0, from[2]};
  for (; at[2] < to[2]; at[2]++, block += (size_t)n[0] * (size_t)n[1])
    for (at[other] = 0; at[other] < n[other]; at[other]++) {
      const double *low = block + (size_t)at[other] * stride[other];
      if (low[0] != low[far])
        return differing_ends(values, axis, at, low[0], low[far], failure);
    }
  return 0;
}

static herr_t read_block(const struct values *values, hid_t dataset, const int from[3],
                         const int to[3], double *block)
{
  hsize_t start[3], count[3];
  for (int d = 0; d < 3; d++) {
    start[d] = (hsize_t)from[2 - d];
    count[d] = to[2 - d] > from[2 - d] ? (hsize_t)(to[2 - d] - from[2 - d]) : 0;
  }
  guard_enter(values->path);
  const int filtered = file_elements(from, to) && chunks_are_filtered(dataset);
  herr_t error =
    filtered ? chunks_read(dataset, start, count, block) : file_read(dataset, from, to, block);
  guard_leave();
  return error;
}

/* The end planes in z, each rank a run of rows. */
static int check_ends_z(const struct values *values, hid_t dataset, struct failure *failure)
{
  const int *cells = values->problem->cells;
  long long ranks = parallel_ranks(), rank = parallel_rank();
  int from[3] = {0, (int)(rank * cells[1] / ranks), 0},
      to[3] = {cells[0], (int)((rank + 1) * cells[1] / ranks), 1};
  size_t count = file_elements(from, to);
  double *low = malloc((2 * count + 1) * sizeof *low);
  if (!low)
    failure_memory(failure, 2. * (double)count * sizeof *low, "the end planes of /beta_z");
  if (parallel_agree(failure)) {
    free(low);
    return failure->status;
  }
  int error = read_block(values, dataset, from, to, low) < 0;
  from[2] = cells[2];
  to[2] = cells[2] + 1;
  error |= read_block(values, dataset, from, to, low + count) < 0;
  if (error)
    failure_set(failure, STATUS_INPUT, "%s: /beta_z cannot be read: %s", values->path,
                file_reason());
  for (size_t n = 0; n < count && !error; n++)
    if (low[n] != low[count + n]) {
      const int at[3] = {(int)(n % (size_t)cells[0]), from[1] + (int)(n / (size_t)cells[0]), 0};
      error = differing_ends(values, 2, at, low[n], low[count + n], failure);
    }
  free(low);
  return parallel_agree(failure);
}

static int read_blocks(struct values *values, enum problem_field field, hid_t dataset, double *data,
                       values_visit *visit, void *user, struct failure *failure)
{
  int upper[3], axis = problem_field_axis(field);
  part_of(values, field, upper);
  struct file_blocks blocks = file_blocks_of(values->lower, upper);
  int periodic = axis >= 0 && values->problem->side[2 * axis].kind == GMG_PERIODIC;
  double *scratch = data ? NULL : malloc((file_block_elements(&blocks) + 1) * sizeof *scratch);
  if (!data && !scratch)
    failure_memory(failure, (double)file_block_elements(&blocks) * sizeof *scratch,
                   problem_field_name(field));
  parallel_agree(failure);
  for (int round = 0; round < blocks.rounds && !failure->status; round++) {
    int from[3], to[3];
    file_block(&blocks, round, from, to);
    const int done[3] = {upper[0], upper[1], from[2]};
    double *block = data ? data + file_elements(values->lower, done) : scratch;
    if (read_block(values, dataset, from, to, block) < 0)
      failure_set(failure, STATUS_INPUT, "%s: %s cannot be read: %s", values->path,
                  problem_field_name(field), file_reason());
    else if (file_elements(from, to) && !check_block(values, field, from, to, block, failure)
             && periodic && axis < 2)
      check_ends(values, axis, from, to, block, failure);
    if (!failure->status && visit && file_elements(from, to))
      visit(user, from, to, block);
    parallel_agree(failure);
    progress_step(values->progress, (round + 1.) / blocks.rounds);
  }
  free(scratch);
  if (!failure->status && periodic && axis == 2)
    check_ends_z(values, dataset, failure);
  return failure->status;
}

int values_read(struct values *values, enum problem_field field, double *data, values_visit *visit,
                void *user, struct failure *failure)
{
  const char *name = problem_field_name(field);
  guard_at(name);
  guard_enter(values->path);
  hid_t dataset = file_note(H5Dopen2(values->file, name, H5P_DEFAULT));
  guard_leave();
  if (dataset < 0)
    failure_set(failure, STATUS_INPUT, "%s: %s cannot be opened: %s", values->path, name,
                file_reason());
  if (!parallel_agree(failure))
    read_blocks(values, field, dataset, data, visit, user, failure);
  if (dataset >= 0)
    H5Dclose(dataset);
  return failure->status;
}
