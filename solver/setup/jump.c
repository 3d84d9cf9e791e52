#include "jump.h"

#include "system/memory.h"

/* Of β on faces in a plane of cells: the largest ratio that counts, and sums over low faces. */
struct plane {
  double jump, sum[3];
};

/* Whether some value is more than `ratio` times the one across from it. By the signs of
 * differences: compilers compute several of those at once, but no comparisons, which may trap. */
static int exceeds(const double *low, const double *high, int count, double ratio)
{
  uint64_t signs = 0;
  for (int i = 0; i < count; i++) {
    const union {
      double value;
      uint64_t bits;
    } left[2] = {{ratio * high[i] - low[i]}, {ratio * low[i] - high[i]}};
    signs |= left[0].bits | left[1].bits;
  }
  return signs >> 63 != 0;
}

double gmg_ratio_in_row(const double *low, const double *high, ptrdiff_t stride, int count,
                        double ratio)
{
  if (stride == 1 && !exceeds(low, high, count, ratio)) /* so in most rows */
    return ratio;
  for (int i = 0; i < count; i++) {
    const double a = low[i * stride], b = high[i * stride];
    if (a > ratio * b || b > ratio * a)
      ratio = a > b ? a / b : b / a;
  }
  return ratio;
}

enum { LANES = 8 };

/* The sum of so many values, in an order that lets a compiler add several at once. */
static double sum_row(const double *value, int count)
{
  double lane[LANES] = {0}, sum = 0;
  int i = 0;
  for (; i + LANES <= count; i += LANES)
    for (int n = 0; n < LANES; n++)
      lane[n] += value[i + n];
  for (; i < count; i++)
    sum += value[i];
  for (int n = 0; n < LANES; n++)
    sum += lane[n];
  return sum;
}

/* A row of β on faces across an axis, and those opposite to them. */
struct row {
  const double *low, *high;
};

/* The rows of a plane's cells, of which every second one begins `odd` values further on. */
static struct row row_of(const struct gmg_kernel_box *box, const double *beta, int d, int j, int k,
                         int odd)
{
  const double *row = beta + gmg_offset(box, 0, j, k), *next = row + (d ? box->stride[d - 1] : 0);
  if (d > 0)
    return (struct row){row + odd, next + odd};
  if (!box->odd)
    return (struct row){row, row + 1};
  return odd ? (struct row){row + odd, row + 1} : (struct row){row, row + box->odd};
}

/* Adds what is known of some cells of a row: those whose values lie one after the other. */
static void measure_cells(const struct gmg_kernel_box *box, double *const beta[3], int j, int k,
                          int odd, int isotropic, struct plane *plane)
{
  const int even = box->odd ? (box->cells[0] + 1) / 2 : box->cells[0],
            count = odd ? box->cells[0] - even : even;
  const double *first = NULL;
  for (int d = 0; d < 3; d++) {
    if (!beta[d])
      continue;
    const struct row row = row_of(box, beta[d], d, j, k, odd);
    plane->jump = gmg_ratio_in_row(row.low, row.high, 1, count, plane->jump);
    if (first && isotropic)
      plane->jump = gmg_ratio_in_row(first, row.low, 1, count, plane->jump);
    first = d == 0 ? row.low : first;
    /* those at walls are not between cells */
    if (d > 0 && box->lower[d] + (d == 1 ? j : k) == 0)
      continue;
    plane->sum[d] += sum_row(row.low, count);
    if (d == 0 && !odd && box->lower[0] == 0)
      plane->sum[d] -= row.low[0];
  }
}

static struct plane measure_plane(const struct gmg_kernel_box *box, double *const beta[3], int k,
                                  int isotropic)
{
  struct plane plane = {1, {0, 0, 0}};
  for (int j = 0; j < box->cells[1]; j++) {
    measure_cells(box, beta, j, k, 0, isotropic, &plane);
    if (box->odd)
      measure_cells(box, beta, j, k, box->odd, isotropic, &plane);
  }
  return plane;
}

/* Returns what is known of all planes of a box. Threads change no bit of it. */
static struct plane measure_box(const struct gmg_level *level, int b, double *const beta[3],
                                int isotropic)
{
  const struct gmg_kernel_box *box = &level->box[b];
  struct plane all = {1, {0, 0, 0}};
  struct plane *plane = gmg_malloc((size_t)box->cells[2] * sizeof *plane);
#pragma omp parallel for schedule(static) \
  num_threads(level->threads) if (plane && level->threads > 1)
  for (int k = 0; k < box->cells[2]; k++)
    if (plane)
      plane[k] = measure_plane(box, beta, k, isotropic);
  for (int k = 0; k < box->cells[2]; k++) {
    const struct plane one = plane ? plane[k] : measure_plane(box, beta, k, isotropic);
    all.jump = one.jump > all.jump ? one.jump : all.jump;
    for (int d = 0; d < 3; d++)
      all.sum[d] += one.sum[d];
  }
  gmg_free(plane);
  return all;
}

/* Faces of a box that are between cells, by the axis that they are low along. */
static double count_faces(const struct gmg_kernel_box *box, int d)
{
  double faces = box->lower[d] > 0 ? box->cells[d] : box->cells[d] - 1;
  for (int e = 0; e < 3; e++)
    faces *= e == d ? 1 : box->cells[e];
  return faces;
}

/* The faces of a ratio are both in one cell's box, whatever the boxes are; the last bits of β's
 * means, which only messages use, depend on the boxes. */
gmg_status gmg_jump_measure(gmg_solver *s)
{
  struct gmg_level *level = s->hierarchy.finest;
  double sum[6] = {0, 0, 0, 0, 0, 0};
  s->problem.jump = 1;
  for (int b = 0; b < level->layout->local_count; b++) {
    double *beta[3];
    for (int d = 0; d < 3; d++) {
      const struct gmg_level_array *array = gmg_level_find(level, GMG_NAME_BETA_I + d);
      beta[d] = array ? array->box[b] : NULL;
    }
    const struct plane all = measure_box(level, b, beta, s->problem.has[GMG_BETA]);
    s->problem.jump = all.jump > s->problem.jump ? all.jump : s->problem.jump;
    for (int d = 0; d < 3; d++) {
      sum[d] += beta[d] ? all.sum[d] : 0;
      sum[3 + d] += beta[d] ? count_faces(&level->box[b], d) : 0;
    }
  }
  if (gmg_comm_max(&s->context->comm, &s->problem.jump, 1)
      || gmg_comm_sum(&s->context->comm, sum, 6))
    return gmg_mpi_failed(s->context);
  for (int d = 0; d < 3; d++)
    s->problem.mean_beta[d] = sum[3 + d] > 0 ? sum[d] / sum[3 + d] : 1;
  return GMG_OK;
}
