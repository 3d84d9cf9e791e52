#include "fmg.h"

#include "boundary.h"
#include "line.h"
#include "memory.h"
#include "openmp/bind.h"
#include "precision.h"
#include "transfer.h"

#include <stdio.h>
#include <stdlib.h>

enum { NODES = 4 };

/* Which coarse cells the value at x, inside cell c, is interpolated from, and where their centres are: two on either side, or
 * those nearest to a wall. Returns how many: four, or all where there are fewer; the others are c. */
static int choose_nodes(const struct gmg_axis *axis, const double *centre, int c, double x, int node[NODES],
                        double at[NODES])
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
  const size_t length = (size_t)p->fine + 1 + 2 * GMG_LINE_PAD;
  double *weights = gmg_calloc((NODES + 1) * length + (size_t)p->coarse, sizeof *weights);
  int *nodes = gmg_calloc(NODES * length, sizeof *nodes);
  gmg_status status = GMG_OK;
  if (!weights || !nodes)
    status = gmg_fail(fine->context, GMG_ERR_MEMORY, "out of memory for the interpolation of level %d", fine->index);
  if (!status) {
    double *fine_centre = weights + NODES * length, *coarse_centre = fine_centre + length;
    find_centres(&fine->axis[d], fine_centre);
    find_centres(&coarse->axis[d], coarse_centre);
    for (int i = 0; i < p->fine; i++) {
      int node[NODES];
      double at[NODES], weight[NODES];
      const int count = choose_nodes(&coarse->axis[d], coarse_centre, p->parent[i], fine_centre[i], node, at);
      lagrange(at, count, fine_centre[i], weight);
      for (int n = 0; n < NODES; n++) {
        nodes[(size_t)n * length + (size_t)i] = node[n];
        weights[(size_t)n * length + GMG_LINE_PAD + (size_t)i] = weight[n];
      }
    }
  }
  for (int n = 0; n < NODES && !status; n++) {
    char name[24];
    snprintf(name, sizeof name, "node_%d", n);
    status = gmg_level_table(fine, coarse, name, d, nodes + (size_t)n * length, p->fine);
    gmg_level_continue(fine, d, weights + (size_t)n * length + GMG_LINE_PAD);
    snprintf(name, sizeof name, "weight_%d_%c", n, "ijk"[d]);
    if (!status)
      status = gmg_level_line(fine, name, d, weights + (size_t)n * length);
  }
  gmg_free(weights);
  gmg_free(nodes);
  return status;
}

static gmg_status bind_level(struct gmg_solver *s, int l)
{
  static const struct gmg_rename u_to_u[] = {{"coarse", "u"}, {"fine", "u"}, {NULL, NULL}};
  static const struct gmg_rename of_f[] = {{"y", "f"}, {NULL, NULL}};
  struct gmg_cycle_level *fine = &s->level[l];
  struct gmg_level *coarse = s->level[l + 1].level, *partner = fine->staging ? fine->staging : fine->level;
  gmg_status status = GMG_OK;
  for (int d = 0; d < 3 && !status; d++)
    status = interpolation_lines(partner, coarse, d, &s->pairing[l][d]);
  if (!status)
    status = gmg_transfer_bind_right_side(s, l);
  if (!status)
    status = gmg_call_keep(gmg_written_kernel(s, "interpolate_cubic"), partner, coarse, u_to_u, &fine->start);
  if (!status && s->singular)
    status = gmg_call_keep(gmg_written_kernel(s, "add_volume"), coarse, NULL, of_f, &fine->project_coarse);
  if (!status)
    fine->start->exchanges = 0; /* its own are deeper */
  return status;
}

/* The ghosts that the cubic reaches, on every level that one starts from. */
static gmg_status bind_ghosts(struct gmg_solver *s, int l)
{
  struct gmg_level *coarse = s->level[l + 1].level;
  int periodic[3];
  for (int d = 0; d < 3; d++)
    periodic[d] = coarse->axis[d].kind[0] == GMG_PERIODIC;
  if (coarse->layout->count == 1 && !periodic[0] && !periodic[1] && !periodic[2])
    return GMG_OK;
  struct gmg_exchange *exchange =
    gmg_exchange_ghosts(&s->context->comm, coarse->storage, GMG_FULL, GMG_FMG_GHOSTS, periodic, NULL);
  struct gmg_level_array *u = gmg_level_find(coarse, "u");
  s->level[l].start_ghosts =
    (struct gmg_move){.exchange = exchange, .stat = gmg_exchange_stat(coarse), .from = u, .to = u};
  if (!exchange)
    return gmg_fail(s->context, GMG_ERR_MEMORY, "out of memory (or MPI failed) for the ghosts of level %d", l + 1);
  return GMG_OK;
}

int gmg_fmg_prepared(const struct gmg_solver *s)
{
  return s->options.cycle == GMG_CYCLE_FMG || s->options.cycle == GMG_CYCLE_AUTO;
}

gmg_status gmg_fmg_boundary(struct gmg_solver *s)
{
  gmg_status status = GMG_OK;
  if (!gmg_fmg_prepared(s))
    return status;
  gmg_boundary_drop_coarse(s);
  for (int l = 0; l + 1 < s->levels && !status; l++)
    status = gmg_boundary_coarsen(s, l);
  gmg_boundary_forget(s);
  return status;
}

gmg_status gmg_fmg_bind(struct gmg_solver *s)
{
  gmg_status status = GMG_OK;
  if (!gmg_fmg_prepared(s))
    return status;
  for (int l = 0; l + 1 < s->levels && !status; l++)
    status = gmg_agree(s->context, bind_level(s, l));
  for (int l = 0; l + 1 < s->levels && !status; l++)
    status = gmg_agree(s->context, bind_ghosts(s, l));
  return status;
}

void gmg_fmg_restrict(struct gmg_solver *s)
{
  if (gmg_refines(s))
    gmg_precision_take_density(s);
  for (int l = 0; l + 1 < s->levels; l++)
    gmg_restrict_right_side(s, l);
}

void gmg_fmg_project(struct gmg_solver *s, double mean)
{
  for (int l = 0; l + 1 < s->levels; l++) {
    const double unit = s->level[l + 1].level->unit;
    gmg_call_set(s->level[l].project_coarse, "s", -mean * s->refinement.residual_scale * unit * unit * unit);
    gmg_call_run(s->level[l].project_coarse);
  }
}

void gmg_fmg_start(struct gmg_solver *s, int l)
{
  gmg_move_run(s->context, &s->level[l].start_ghosts);
  gmg_call_run(s->level[l].start);
  gmg_move_run(s->context, &s->level[l].from_staging_u);
}
