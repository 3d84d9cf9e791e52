#include "coefficients.h"

#include "cycle/boundary.h"
#include "coarse_coefficients.h"
#include "hierarchy.h"
#include "own_fields.h"
#include "system/memory.h"
#include "problem/kernels.h"
#include "cycle/precision.h"
#include "cycle/smooth.h"

#include <stdio.h>
#include <string.h>

/* Copies the caller's part of a coefficient into a field of the finest level. */
static gmg_status load(gmg_solver *s, int which, int name, enum gmg_place place)
{
  struct gmg_level *level = s->hierarchy.finest;
  const char *text = s->context->names.text[name];
  const gmg_array *values = &s->problem.given[which].values;
  struct gmg_level_array *field = gmg_level_field(level, name);
  struct gmg_storage *view = gmg_storage_view(s->arrays.bricks, values->stride);
  gmg_status status =
    field && view ? GMG_OK : gmg_no_memory(s->context, "while %s was taken in", text);
  status = gmg_agree(s->context, status);
  if (!status) {
    struct gmg_exchange *exchange =
      gmg_exchange_redistribute(&s->context->comm, view, level->storage, place);
    if (!exchange || gmg_exchange_run(exchange, values->data, field->data))
      status = gmg_no_memory(s->context, "(or MPI failed) while %s was taken in", text);
    gmg_exchange_destroy(&exchange);
    status = gmg_agree(s->context, status);
  }
  gmg_storage_destroy(&view);
  gmg_given_release(&s->problem.given[which]);
  return status;
}

/* One value in all cells of the finest level, and where place is a face in the last faces too. */
static gmg_status fill(gmg_solver *s, enum gmg_name name, enum gmg_place place, double value)
{
  struct gmg_level *level = s->hierarchy.finest;
  const struct gmg_level_array *field = gmg_level_field(level, name);
  if (!field)
    return gmg_no_memory(s->context, "for %s", s->context->names.text[name]);
  for (int b = 0; b < level->layout->local_count; b++) {
    const struct gmg_kernel_box *box = &level->box[b];
    const int ni = box->cells[0] + (place == GMG_FACE_I),
              nj = box->cells[1] + (place == GMG_FACE_J),
              nk = box->cells[2] + (place == GMG_FACE_K);
#pragma omp parallel for schedule(static) num_threads(level->threads) if (level->threads > 1)
    for (int k = 0; k < nk; k++)
      for (int j = 0; j < nj; j++)
        for (int i = 0; i < ni; i++)
          ((double *)field->box[b])[gmg_offset(box, i, j, k)] = value;
  }
  return GMG_OK;
}

static gmg_status once(gmg_solver *s, const char *kernel, struct gmg_level *own,
                       struct gmg_level *other, const struct gmg_rename *rename, double scale)
{
  return gmg_call_once(gmg_written_kernel(&s->problem, kernel), own, other, rename, scale);
}

/* Faces of β from cells. At a wall the face takes the cell's own value, at a periodic seam it
 * averages across. */
static gmg_status average_faces(gmg_solver *s)
{
  static const double mirror[3][2] = {{1, 1}, {1, 1}, {1, 1}};
  struct gmg_level *level = s->hierarchy.finest;
  gmg_status status = load(s, GMG_BETA, GMG_NAME_BETA, GMG_CELL);
  if (status)
    return status;
  int periodic[3];
  gmg_axes_periodic(level->axis, periodic);
  void *data = gmg_level_find(level, GMG_NAME_BETA)->data;
  struct gmg_exchange *exchange =
    gmg_exchange_ghosts(&s->context->comm, level->storage, GMG_STAR, 1, periodic, mirror);
  if (!exchange || gmg_exchange_run(exchange, data, data))
    status = gmg_no_memory(s->context, "(or MPI failed) while beta was averaged");
  gmg_exchange_destroy(&exchange);
  for (int d = 0; d < 3 && !status; d++) {
    char kernel[24];
    snprintf(kernel, sizeof kernel, "face_%s_%c",
             s->problem.average == GMG_ARITHMETIC ? "arithmetic" : "harmonic", "ijk"[d]);
    status = once(s, kernel, level, NULL, NULL, 0);
  }
  gmg_level_drop(level, GMG_NAME_BETA);
  return status;
}

/* Compares the two end planes of a periodic axis, and makes them equal to the last bit. */
static gmg_status close_seam(gmg_solver *s, int d)
{
  struct gmg_level *level = s->hierarchy.finest;
  struct gmg_level_array *beta = gmg_level_find(level, GMG_NAME_BETA_I + d);
  int periodic[3] = {0, 0, 0};
  periodic[d] = 1;
  const int first = d == 0 ? 1 : 0, second = d == 2 ? 1 : 2;
  struct gmg_level_array *before = gmg_level_field(level, GMG_NAME_WORK_0);
  struct gmg_exchange *exchange =
    gmg_exchange_ghosts(&s->context->comm, level->storage, GMG_STAR, 1, periodic, NULL);
  gmg_status status = GMG_OK;
  if (!before || !exchange)
    status = gmg_no_memory(s->context, "(or MPI failed) while beta_%c was checked", "xyz"[d]);
  status = gmg_agree(s->context, status);
  if (!status) {
    memcpy(before->data, beta->data, (size_t)level->storage->elements * sizeof(double));
    gmg_exchange_run(exchange, beta->data, beta->data);
  }
  for (int b = 0; b < level->layout->local_count && !status; b++) {
    const struct gmg_kernel_box *box = &level->box[b];
    if (box->lower[d] + box->cells[d] < s->hierarchy.cells[0][d])
      continue;
    int face[3];
    face[d] = box->cells[d];
    for (int q = 0; q < box->cells[second] && !status; q++)
      for (int p = 0; p < box->cells[first] && !status; p++) {
        face[first] = p, face[second] = q;
        const ptrdiff_t at = gmg_offset(box, face[0], face[1], face[2]);
        const double here = ((double *)before->box[b])[at], there = ((double *)beta->box[b])[at];
        if (here - there > 1e-12 * there || there - here > 1e-12 * there)
          status =
            gmg_fail(s->context, GMG_ERR_COEFFICIENT,
                     "beta_%c: the end planes of a periodic axis must agree, but are %g and %g at "
                     "face (%d, %d)",
                     "xyz"[d], there, here, box -> lower[first] + p, box -> lower[second] + q);
      }
  }
  gmg_exchange_destroy(&exchange);
  gmg_level_drop(level, GMG_NAME_WORK_0);
  return gmg_agree(s->context, status);
}

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

/* The same over a box; how many faces between cells the sum is over. The same whatever the number
 * of threads. */
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
static gmg_status measure_beta(gmg_solver *s)
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

/* β of the finest level: on faces, as given, averaged or 1; the boundary's part of the right side
 * while β is still β; then conductances. */
static gmg_status finest_beta(gmg_solver *s)
{
  struct gmg_level *level = s->hierarchy.finest;
  gmg_status status = GMG_OK;
  for (int d = 0; d < 3 && !status; d++) {
    if (!gmg_level_find(level, GMG_NAME_BETA_I + d))
      continue;
    if (s->problem.has[GMG_BETA_X + d]) {
      status = load(s, (int)GMG_BETA_X + d, GMG_NAME_BETA_I + d, gmg_face(d));
      if (!status && s->hierarchy.axis[0][d].kind[0] == GMG_PERIODIC)
        status = close_seam(s, d);
    } else if (!s->problem.has[GMG_BETA]) {
      status = fill(s, GMG_NAME_BETA_I + d, gmg_face(d), 1);
    }
  }
  if (!status && s->problem.has[GMG_BETA])
    status = gmg_agree(s->context, average_faces(s));
  if (!status)
    status = gmg_agree(s->context, measure_beta(s));
  if (!status && s->problem.op->boundary == GMG_FOLDED_CONDUCTANCES)
    status = gmg_agree(s->context, gmg_boundary_fluxes(&s->hierarchy));
  for (int d = 0; d < 3 && !status; d++) {
    char kernel[24];
    snprintf(kernel, sizeof kernel, "conductance_%c", "ijk"[d]);
    if (gmg_level_find(level, GMG_NAME_BETA_I + d))
      status = once(s, kernel, level, NULL, NULL, 0);
  }
  return gmg_agree(s->context, status);
}

static gmg_status finest_alpha(gmg_solver *s)
{
  static const struct gmg_rename scaled[] = {{"y", "alpha"}, {"x", "work_0"}, {NULL, NULL}};
  struct gmg_level *level = s->hierarchy.finest;
  if (!gmg_level_find(level, GMG_NAME_ALPHA))
    return GMG_OK;
  gmg_status status = gmg_agree(
    s->context, fill(s, GMG_NAME_ALPHA, GMG_CELL, s->problem.uniform_alpha ? s->problem.alpha : 0));
  if (status || s->problem.uniform_alpha)
    return status;
  status = load(s, GMG_ALPHA, GMG_NAME_WORK_0, GMG_CELL);
  if (!status)
    status = once(s, "axpy", level, NULL, scaled, s->problem.a);
  gmg_level_drop(level, GMG_NAME_WORK_0);
  return gmg_agree(s->context, status);
}

/* An operator's own fields of the finest level, in double and in the cycle's precision. */
static gmg_status finest_own(gmg_solver *s)
{
  static const char *const narrow[] = {"narrow", "narrow_i", "narrow_j", "narrow_k"};
  struct gmg_exchange *mirror =
    s->problem.givens > GMG_COEFFICIENTS ? gmg_own_mirror(s, s->hierarchy.finest) : NULL;
  gmg_status status = GMG_OK;
  for (int c = GMG_COEFFICIENTS; c < s->problem.givens && !status; c++) {
    const char *text = s->problem.given[c].name;
    const enum gmg_place place = gmg_given_place(&s->problem, c);
    const struct gmg_rename rename[] = {{"single", text}, {"wide", text}, {NULL, NULL}};
    const int name = gmg_name(&s->context->names, text);
    status = load(s, c, name, place);
    if (!status && place == GMG_CELL)
      status = gmg_own_fill(s, s->hierarchy.finest, mirror, name);
    if (!status && s->hierarchy.finest != s->hierarchy.level[0].level)
      status = once(s, narrow[place], s->hierarchy.finest, NULL, rename, 1);
    status = gmg_agree(s->context, status);
  }
  gmg_exchange_destroy(&mirror);
  return status;
}

gmg_status gmg_coefficients_compute(gmg_solver *s, int take)
{
  s->hierarchy.measured.known = 0;
  const int beta = take & GMG_TAKE_BETA;
  gmg_status status = GMG_OK;
  if (beta || s->problem.op->boundary == GMG_GHOST_FORMULAS)
    gmg_boundary_clear(&s->hierarchy);
  if (beta)
    status = finest_beta(s);
  if (!status && take & GMG_TAKE_ALPHA)
    status = finest_alpha(s);
  if (!status && take & GMG_TAKE_OWN)
    status = finest_own(s);
  if (!status)
    status = gmg_agree(s->context, gmg_precision_round(&s->hierarchy));
  if (!status)
    status = gmg_hierarchy_take(&s->hierarchy);
  if (!status)
    status = gmg_coefficients_coarsen(
      s, beta ? GMG_TAKE_ALL : take); /* b sets the scale of single precision */
  if (!status)
    status = gmg_smooth_measure(&s->hierarchy);
  if (!status && s->problem.op->boundary == GMG_GHOST_FORMULAS)
    status = gmg_agree(s->context, gmg_boundary_formulas(&s->hierarchy, 0));
  return status;
}
