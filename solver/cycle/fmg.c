#include "fmg.h"

#include "boundary.h"
#include "runtime/line.h"
#include "system/memory.h"
#include "problem/kernels.h"
#include "precision.h"
#include "transfer.h"

enum { NODES = 4 };

/* Which coarse cells the value at x, inside cell c, is interpolated from, and where their centres
 * are: two on either side, or those nearest to a wall. Returns how many: four, or all where there
 * are fewer; the others are c. */
static int choose_nodes(const struct gmg_axis *axis, const double *centre, int c, double x,
                        int node[NODES], double at[NODES])
{
  const int n = axis->cells, periodic = axis->kind[0] == GMG_PERIODIC;
  const int count = n == 1 || (n < NODES && !periodic) ? n : NODES;
  const double length = centre[n - 1] + 0.5 * axis->width[n - 1];
  int first = x < centre[c] ? c - 2 : c - 1;
  if (!periodic || n == 1)
    first = first < 0 ? 0 : first > n - count ? n - count : first;
  for (int m = 0; m < NODES; m++) {
    const int cell = first + m, turns = cell < 0 ? -((n - 1 - cell) / n) : cell / n;
    node[m] = m < count ? cell : c;
    at[m] = m < count ? centre[cell - turns * n] + turns * length : 0;
  }
  return count;
}

/* Lagrange's weights at x of the polynomial through `count` nodes. */
static void lagrange(const double at[NODES], int count, double x, double weight[NODES])
{
  for (int n = 0; n < NODES; n++) {
    weight[n] = n < count;
    for (int m = 0; m < count && n < count; m++)
      if (m != n)
        weight[n] *= (x - at[m]) / (at[n] - at[m]);
  }
}

static void find_centres(const struct gmg_axis *axis, double *centre)
{
  double face = 0;
  for (int i = 0; i < axis->cells; i++) {
    centre[i] = face + 0.5 * axis->width[i];
    face += axis->width[i];
  }
}

/* The tables and lines of the interpolation along one axis. */
static gmg_status interpolation_lines(struct gmg_level *fine, struct gmg_level *coarse, int d,
                                      const struct gmg_pairing *p)
{
  static const char *const node_stem[NODES] = {"node_0", "node_1", "node_2", "node_3"};
  static const char *const weight_stem[NODES] = {"weight_0", "weight_1", "weight_2", "weight_3"};
  const size_t length = (size_t)p->fine + 1 + 2 * GMG_LINE_PAD;
  double *weights = gmg_calloc((NODES + 1) * length + (size_t)p->coarse, sizeof *weights);
  int *nodes = gmg_calloc(NODES * length, sizeof *nodes);
  gmg_status status = GMG_OK;
  if (!weights || !nodes)
    status = gmg_no_memory(fine->context, "for the interpolation of level %d", fine->index);
  if (!status) {
    double *fine_centre = weights + NODES * length, *coarse_centre = fine_centre + length;
    find_centres(&fine->axis[d], fine_centre);
    find_centres(&coarse->axis[d], coarse_centre);
    for (int i = 0; i < p->fine; i++) {
      int node[NODES];
      double at[NODES], weight[NODES];
      const int count =
        choose_nodes(&coarse->axis[d], coarse_centre, p->parent[i], fine_centre[i], node, at);
      lagrange(at, count, fine_centre[i], weight);
      for (int n = 0; n < NODES; n++) {
        nodes[(size_t)n * length + (size_t)i] = node[n];
        weights[(size_t)n * length + GMG_LINE_PAD + (size_t)i] = weight[n];
      }
    }
  }
  for (int n = 0; n < NODES && !status; n++) {
    status = gmg_level_table(fine, coarse, node_stem[n], d, nodes + (size_t)n * length, p->fine);
    gmg_level_continue(fine, d, weights + (size_t)n * length + GMG_LINE_PAD);
    if (!status)
      status = gmg_level_line(fine, weight_stem[n], d, weights + (size_t)n * length);
  }
  gmg_free(weights);
  gmg_free(nodes);
  return status;
}

/* By how much less a boundary value adds to the right side of a coarse cell than to those of the
 * fine cells at the wall, over the ratio of their areas: with u at the centre of a wider cell. */
static double wall_ratio(const struct gmg_axis *axis, int side, double fine_width,
                         double coarse_width)
{
  const double c0 = axis->c0[side], c1 = axis->c1[side];
  return axis->kind[side] == GMG_PERIODIC
    ? 1
    : (0.5 * c0 * fine_width + c1) / (0.5 * c0 * coarse_width + c1);
}

/* The weights, along one axis, of the restriction of a residual that a correction starts from. By
 * how much more the density is in the cell at a wall than in the one beside it is taken for the
 * boundary values that the correction has there; on the coarse level these add less. */
static gmg_status correction_lines(struct gmg_level *fine, struct gmg_level *coarse, int d,
                                   const struct gmg_pairing *p)
{
  const size_t length = (size_t)p->coarse + 1 + 2 * GMG_LINE_PAD;
  double *values = gmg_calloc(2 * length, sizeof *values);
  if (!values)
    return gmg_no_memory(fine->context, "for the transfers of level %d", fine->index);
  double *const line[2] = {values + GMG_LINE_PAD, values + length + GMG_LINE_PAD};
  for (int c = 0; c < p->coarse; c++) {
    line[0][c] = 1;
    line[1][c] = p->hi[c] != p->lo[c];
  }
  for (int side = 0; side < 2; side++) {
    const int c = side ? p->coarse - 1 : 0;
    if (p->hi[c] == p->lo[c])
      continue;
    const double width[2] = {fine->axis[d].width[p->lo[c]], fine->axis[d].width[p->hi[c]]};
    const double less = 1 - wall_ratio(&fine->axis[d], side, width[side], coarse->axis[d].width[c]);
    line[side][c] -= less;
    line[!side][c] += less * width[side] / width[!side];
  }
  gmg_status status = GMG_OK;
  for (int n = 0; n < 2 && !status; n++)
    status = gmg_level_line(coarse, n ? "wall_high" : "wall_low", d, values + (size_t)n * length);
  gmg_free(values);
  return status;
}

/* The right side of the next coarser level from the residual: that in f, or on the finest level
 * where cycles do not refine of u. */
static gmg_status bind_correction(struct gmg_hierarchy *h, int l)
{
  struct gmg_cycle_level *fine = &h->level[l];
  struct gmg_level *coarse = h->level[l + 1].level, *partner = gmg_partner(fine);
  const int of_u = l == 0 && !gmg_refines(h);
  const struct gmg_kernel_descriptor *fused = NULL, *both = NULL;
  if (of_u && !fine->residual) {
    fused = gmg_operator_kernel(h->problem, GMG_RESIDUAL_RESTRICT);
    both = gmg_operator_kernel(h->problem, GMG_RESTRICT_NORM);
  }
  const struct gmg_rename rename[] = {{"coarse", "f"},
                                      {"fine", fine->staging || of_u ? "r" : "f"},
                                      {"low_i", "wall_low_i"},
                                      {"high_i", "wall_high_i"},
                                      {"low_j", "wall_low_j"},
                                      {"high_j", "wall_high_j"},
                                      {"low_k", "wall_low_k"},
                                      {"high_k", "wall_high_k"},
                                      {NULL, NULL}};
  gmg_status status = GMG_OK;
  for (int d = 0; d < 3 && !status; d++)
    status = correction_lines(partner, coarse, d, &h->pairing[l][d]);
  if (!status)
    status = gmg_call_keep(fused ? fused : gmg_written_kernel(h->problem, "restrict_cell"), coarse,
                           fused ? fine->level : partner, rename, &fine->restrict_correction);
  if (!status && both)
    status = gmg_call_keep(both, coarse, fine->level, rename, &fine->restrict_correction_norm);
  return status;
}

static gmg_status bind_level(struct gmg_hierarchy *h, int l)
{
  static const struct gmg_rename u_to_u[] = {{"coarse", "u"}, {"fine", "u"}, {NULL, NULL}};
  struct gmg_cycle_level *fine = &h->level[l];
  struct gmg_level *coarse = h->level[l + 1].level, *partner = gmg_partner(fine);
  gmg_status status = GMG_OK;
  for (int d = 0; d < 3 && !status; d++)
    status = interpolation_lines(partner, coarse, d, &h->pairing[l][d]);
  if (!status)
    status = gmg_transfer_bind_right_side(h, l);
  if (!status)
    status = gmg_call_keep_filled(gmg_written_kernel(h->problem, "interpolate_cubic"), partner,
                                  coarse, u_to_u, &fine->start);
  if (!status)
    status = bind_correction(h, l);
  if (!status && l == 0 && !gmg_refines(h))
    status = gmg_call_keep_filled(gmg_written_kernel(h->problem, "interpolate_cubic_add"), partner,
                                  coarse, u_to_u, &fine->start_add);
  return status;
}

/* The ghosts that the cubic reaches, on every level that one starts from. */
static gmg_status bind_ghosts(struct gmg_hierarchy *h, int l)
{
  struct gmg_level *coarse = h->level[l + 1].level;
  int periodic[3];
  gmg_axes_periodic(coarse->axis, periodic);
  if (coarse->layout->count == 1 && !periodic[0] && !periodic[1] && !periodic[2])
    return GMG_OK;
  struct gmg_exchange *exchange = gmg_exchange_ghosts(&h->context->comm, coarse->storage, GMG_FULL,
                                                      GMG_FMG_GHOSTS, periodic, NULL);
  struct gmg_level_array *u = gmg_level_find(coarse, GMG_NAME_U);
  h->level[l].start_ghosts =
    (struct gmg_move){.exchange = exchange, .stat = gmg_exchange_stat(coarse), .from = u, .to = u};
  if (!exchange)
    return gmg_no_memory(h->context, "(or MPI failed) for the ghosts of level %d", l + 1);
  return GMG_OK;
}

int gmg_fmg_prepared(const struct gmg_hierarchy *h)
{
  return !h->owners && !gmg_by_transforms(h->problem)
    && (h->problem->options.cycle == GMG_CYCLE_FMG || h->problem->options.cycle == GMG_CYCLE_AUTO);
}

gmg_status gmg_fmg_boundary(struct gmg_hierarchy *h)
{
  gmg_status status = GMG_OK;
  if (!gmg_fmg_prepared(h))
    return status;
  gmg_boundary_drop_coarse(h);
  for (int l = 0; l + 1 < h->levels && !status; l++)
    status = gmg_boundary_coarsen(h, l);
  gmg_boundary_forget(h);
  return status;
}

gmg_status gmg_fmg_bind_projection(struct gmg_hierarchy *h)
{
  static const struct gmg_rename of_f[] = {{"y", "f"}, {NULL, NULL}};
  gmg_status status = GMG_OK;
  for (int l = 0; l + 1 < h->levels && !status && h->problem->singular && gmg_fmg_prepared(h); l++)
    if (!h->level[l].project_coarse)
      status = gmg_call_keep(gmg_written_kernel(h->problem, "add_volume"), h->level[l + 1].level,
                             NULL, of_f, &h->level[l].project_coarse);
  return gmg_agree(h->context, status);
}

gmg_status gmg_fmg_bind(struct gmg_hierarchy *h)
{
  gmg_status status = GMG_OK;
  if (!gmg_fmg_prepared(h))
    return status;
  for (int l = 0; l + 1 < h->levels && !status; l++)
    status = gmg_agree(h->context, bind_level(h, l));
  for (int l = 0; l + 1 < h->levels && !status; l++)
    status = gmg_agree(h->context, bind_ghosts(h, l));
  return status ? status : gmg_fmg_bind_projection(h);
}

void gmg_fmg_restrict(struct gmg_hierarchy *h)
{
  if (gmg_refines(h))
    gmg_precision_take_density(h);
  for (int l = 0; l < gmg_bottom_level(h); l++)
    gmg_restrict_right_side(h, l);
}

void gmg_fmg_restrict_residual(struct gmg_hierarchy *h, struct gmg_reducer *norm)
{
  struct gmg_cycle_level *finest = &h->level[0];
  struct gmg_call *const calls[] = {finest->residual, finest->restrict_correction,
                                    finest->restrict_correction_norm};
  for (size_t n = 0; n < GMG_LENGTH(calls); n++)
    if (calls[n])
      gmg_call_set(calls[n], GMG_SCALAR_ONLY, 0);
  if (finest->restrict_correction_norm) {
    gmg_reduce_begin(norm, finest->restrict_correction_norm);
    return;
  }
  if (finest->residual)
    gmg_call_run(finest->residual);
  gmg_move_run(h->context, &finest->to_staging_r);
  gmg_call_run(finest->restrict_correction);
}

void gmg_fmg_restrict_correction(struct gmg_hierarchy *h)
{
  for (int l = gmg_refines(h) ? 0 : 1; l < gmg_bottom_level(h); l++) {
    gmg_move_run(h->context, &h->level[l].to_staging_f);
    gmg_call_run(h->level[l].restrict_correction);
  }
}

void gmg_fmg_project(struct gmg_hierarchy *h, double mean)
{
  for (int l = 0; l < gmg_bottom_level(h); l++) {
    const double unit = h->level[l + 1].level->unit;
    gmg_run_scaled(h->level[l].project_coarse,
                   -mean * h->refinement.residual_scale * unit * unit * unit);
  }
}

void gmg_fmg_start(struct gmg_hierarchy *h, int l)
{
  gmg_move_run(h->context, &h->level[l].start_ghosts);
  gmg_call_run(h->level[l].start);
  gmg_move_run(h->context, &h->level[l].from_staging_u);
}

void gmg_fmg_add(struct gmg_hierarchy *h)
{
  struct gmg_cycle_level *finest = &h->level[0];
  gmg_move_run(h->context, &finest->start_ghosts);
  gmg_move_run(h->context, &finest->to_staging_u);
  gmg_call_run(finest->start_add);
  gmg_move_run(h->context, &finest->from_staging_u);
}
