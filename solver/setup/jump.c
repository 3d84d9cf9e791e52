#include "jump.h"

#include "system/memory.h"

/* Of β on the faces across one axis in a plane of cells: the largest ratio on opposite faces of a
 * cell, and the sum over low faces. */
struct plane {
  double jump, sum;
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

/* Adds a row of `count` faces and the faces opposite to what is known of its plane. */
static void measure_row(const double *low, const double *high, int count, struct plane *plane)
{
  plane->jump = gmg_ratio_in_row(low, high, 1, count, plane->jump);
  plane->sum += sum_row(low, count);
}

static struct plane measure_plane(const struct gmg_kernel_box *box, const double *beta, int d,
                                  int k)
{
  struct plane plane = {1, 0};
  const int cells = box->cells[0], even = box->odd ? (cells + 1) / 2 : cells, odd = cells - even;
  for (int j = 0; j < box->cells[1]; j++) {
    const double *row = beta + gmg_offset(box, 0, j, k),
                 *next = row + (d == 0 ? 0 : box->stride[d - 1]);
    const int at_wall = box->lower[d] + (d == 1 ? j : k) == 0 && d > 0;
    const double before = plane.sum;
    if (d == 0 && !box->odd) {
      measure_row(row, row + 1, cells, &plane);
    } else if (d
               == 0) { /* between an even cell and the odd one after it, then the other way round */
      measure_row(row, row + box->odd, even, &plane);
      measure_row(row + box->odd, row + 1, odd, &plane);
    } else {
      measure_row(row, next, even, &plane);
      measure_row(row + box->odd, next + box->odd, odd, &plane);
    }
    if (d == 0 && box->lower[0] == 0)
      plane.sum -= row[0];
    if (at_wall) /* the faces there are not between cells */
      plane.sum = before;
  }
  return plane;
}

/* Returns what is known of all planes of a box, and counts the faces between cells that the sum is
 * over. Threads change no bit of it. */
static struct plane measure_box(const struct gmg_level *level, int b, const double *beta, int d,
                                double *faces)
{
  const struct gmg_kernel_box *box = &level->box[b];
  struct plane all = {1, 0};
  struct plane *plane = gmg_malloc((size_t)box->cells[2] * sizeof *plane);
#pragma omp parallel for schedule(static) \
  num_threads(level->threads) if (plane && level->threads > 1)
  for (int k = 0; k < box->cells[2]; k++)
    if (plane)
      plane[k] = measure_plane(box, beta, d, k);
  for (int k = 0; k < box->cells[2]; k++) {
    const struct plane one = plane ? plane[k] : measure_plane(box, beta, d, k);
    all.jump = one.jump > all.jump ? one.jump : all.jump;
    all.sum += one.sum;
  }
  gmg_free(plane);
  *faces = box->lower[d] > 0 ? box->cells[d] : box->cells[d] - 1;
  for (int e = 0; e < 3; e++)
    *faces *= e == d ? 1 : box->cells[e];
  return all;
}

/* The largest ratio of β on opposite faces of a cell, both in the cell's box, whatever the boxes
 * are; and β's means over the faces between cells, by direction, which only messages use: their
 * last bits depend on the boxes. */
gmg_status gmg_jump_measure(gmg_solver *s)
{
  struct gmg_level *level = s->hierarchy.finest;
  double sum[6] = {0, 0, 0, 0, 0, 0};
  s->problem.jump = 1;
  for (int d = 0; d < 3; d++) {
    const struct gmg_level_array *beta = gmg_level_find(level, GMG_NAME_BETA_I + d);
    for (int b = 0; beta && b < level->layout->local_count; b++) {
      double faces;
      const struct plane all = measure_box(level, b, beta->box[b], d, &faces);
      s->problem.jump = all.jump > s->problem.jump ? all.jump : s->problem.jump;
      sum[d] += all.sum;
      sum[3 + d] += faces;
    }
  }
  if (gmg_comm_max(&s->context->comm, &s->problem.jump, 1)
      || gmg_comm_sum(&s->context->comm, sum, 6))
    return gmg_mpi_failed(s->context);
  for (int d = 0; d < 3; d++)
    s->problem.mean_beta[d] = sum[3 + d] > 0 ? sum[d] / sum[3 + d] : 1;
  return GMG_OK;
}
