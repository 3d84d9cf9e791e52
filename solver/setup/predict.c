#include "predict.h"

#include "system/available.h"
#include "system/bytes.h"
#include "intake.h"
#include "finest.h"
#include "placement.h"
#include "owners/coarse_links.h"
#include "owners/plan.h"
#include "cycle/fmg.h"
#include "cycle/wall.h"

#include <math.h>
#include <stdio.h>

/* What is held at a moment of setup, and the most so far. */
struct tally {
  int64_t now, most;
};

static void hold(struct tally *tally, int64_t bytes)
{
  tally->now += bytes;
  if (tally->now > tally->most)
    tally->most = tally->now;
}

static void touch(struct tally *tally, int64_t bytes)
{
  hold(tally, bytes);
  hold(tally, -bytes);
}

/* The copy of a coefficient, which is freed once it is taken in. */
static int64_t copy_bytes(const struct gmg_problem *p, int which)
{
  int extent[3];
  if (!p->has[which] || (p->given[which].present && !p->given[which].copy))
    return 0;
  return (int64_t)sizeof(double) * (int64_t)gmg_given_extent(p, which, extent);
}

static int64_t buffer_bytes(const gmg_solver *s)
{
  return s->arrays.load ? gmg_exchange_bytes(s->arrays.load) : 0;
}

/* A field of the finest level from a copy, by the buffers that carry it. */
static void take_field(const gmg_solver *s, struct tally *tally, int which)
{
  hold(tally, (int64_t)gmg_level_field_bytes(s->hierarchy.finest));
  touch(tally, buffer_bytes(s));
  hold(tally, -copy_bytes(&s->problem, which));
}

/* Coefficients of the finest level, in the order of coefficients.c: each next to its copy, some
 * next to a field that is dropped again. */
static void take_finest(const gmg_solver *s, struct tally *tally)
{
  const struct gmg_problem *p = &s->problem;
  const struct gmg_level *level = s->hierarchy.finest;
  const int64_t field = (int64_t)gmg_level_field_bytes(level);
  int faces = 0;
  for (int d = 0; d < 3; d++)
    faces += gmg_level_find(level, GMG_NAME_BETA_I + d) != NULL;
  if (p->has[GMG_BETA]) {
    take_field(s, tally, GMG_BETA);
    hold(tally, faces * field);
    hold(tally, -field);
  } else {
    for (int d = 0; d < 3; d++)
      if (gmg_level_find(level, GMG_NAME_BETA_I + d)) {
        take_field(s, tally, GMG_BETA_X + d);
        if (p->has[GMG_BETA_X + d] && s->hierarchy.axis[0][d].kind[0] == GMG_PERIODIC)
          touch(tally, 2 * field / s->hierarchy.cells[0][d]); /* planes that are compared */
      }
  }
  if (gmg_level_find(level, GMG_NAME_ALPHA)) {
    hold(tally, field);
    if (!p->uniform_alpha) {
      touch(tally, field + buffer_bytes(s));
      hold(tally, -copy_bytes(p, GMG_ALPHA));
    }
  }
  for (int c = GMG_COEFFICIENTS; c < p->givens; c++)
    take_field(s, tally, c);
}

/* Faces of this rank's boxes at a side of a level; 0 where it is periodic. */
static int64_t wall_faces(const struct gmg_hierarchy *h, int l, int side)
{
  const struct gmg_level *level = h->level[l].level;
  int64_t faces = 0;
  for (int b = 0; b < level->layout->local_count; b++) {
    const int *cells = level->box[b].cells;
    if (gmg_at_wall(h, l, b, side))
      faces += (int64_t)cells[0] * cells[1] * cells[2] / cells[side / 2];
  }
  return faces;
}

/* β of the finest level's walls. */
static int64_t wall_bytes(const struct gmg_hierarchy *h)
{
  int64_t faces = 0;
  for (int side = 0; side < 6; side++)
    if (h->problem->op->boundary == GMG_FOLDED_CONDUCTANCES
        && gmg_level_find(h->finest, GMG_NAME_BETA_I + side / 2))
      faces += wall_faces(h, 0, side);
  return faces * (int64_t)sizeof(double);
}

/* What boundary values add to the right side: a number per cell along the walls of this rank's
 * boxes. */
static int64_t boundary_bytes(const gmg_solver *s, int l)
{
  int64_t values = 0;
  for (int side = 0; side < 6; side++)
    values +=
      gmg_grid_side_has_values(s->problem.grid, side) ? wall_faces(&s->hierarchy, l, side) : 0;
  return values * (int64_t)sizeof(double);
}

/* Boundary values on all faces of a coarser level's sides, while they are wanted by formulas. */
static int64_t side_bytes(const gmg_solver *s, int l)
{
  int64_t faces = 0;
  for (int side = 0; side < 6 && l > 0; side++) {
    const int *cells = s->hierarchy.cells[l];
    faces += gmg_grid_side_has_values(s->problem.grid, side)
      ? (int64_t)cells[0] * cells[1] * cells[2] / cells[side / 2]
      : 0;
  }
  return faces * (int64_t)sizeof(double);
}

/* Boundary values by formulas pass through two fields; on coarser levels, of a start by full
 * multigrid. */
static void take_boundaries(const gmg_solver *s, struct tally *tally)
{
  const struct gmg_hierarchy *h = &s->hierarchy;
  const int formulas = s->problem.op->boundary == GMG_GHOST_FORMULAS,
            levels = gmg_fmg_prepared(h) ? h->levels : 1;
  for (int l = 0; l < levels && gmg_grid_has_values(s->problem.grid); l++) {
    const int64_t field =
      (int64_t)gmg_level_field_bytes(formulas && l == 0 ? h->finest : h->level[l].level);
    hold(tally, boundary_bytes(s, l));
    if (formulas)
      touch(tally, 2 * field + side_bytes(s, l) + (l > 1 ? side_bytes(s, l - 1) : 0));
    else if (l + 1 < levels && h->level[l].staging)
      touch(tally,
            field + (int64_t)gmg_level_field_bytes(h->level[l + 1].level)
              + boundary_bytes(s, l + 1));
  }
}

/* Whether the host's copy of a field takes memory though a device has the levels: it is small, the
 * caller's arrays pass through it, or the host may compute its level. */
static int takes_memory(const gmg_solver *s, const struct gmg_level *level,
                        const struct gmg_level_array *array)
{
  const int passed = level == s->hierarchy.finest && array->number == GMG_NAME_U,
            host_may = s->problem.options.coarse != GMG_COARSE_GPU
    && level->index + 1 >= gmg_placement_coarse_from(s);
  return array->kind == GMG_FIELD && !array->allocation
    && (passed || array->bytes < GMG_LEAST_RESERVED || host_may);
}

static int64_t level_bytes(const gmg_solver *s, const struct gmg_level *level)
{
  int64_t bytes = gmg_level_kept(level) ? level_bytes(s, level->twin) : 0;
  for (int n = 0; level && n < level->arrays; n++)
    bytes += takes_memory(s, level, level->array[n]) ? (int64_t)level->array[n]->bytes : 0;
  return bytes;
}

/* The host's memory of fields that a device has. */
static int64_t fields_of_host(const gmg_solver *s)
{
  const struct gmg_hierarchy *h = &s->hierarchy;
  int64_t bytes = level_bytes(s, h->finest);
  for (int l = 0; l < h->levels; l++) {
    const struct gmg_cycle_level *const cycles[] = {&h->level[l],
                                                    h->other.level ? &h->other.level[l] : NULL};
    for (int c = 0; c < 2 && cycles[c]; c++) {
      bytes += cycles[c]->level != h->finest ? level_bytes(s, cycles[c]->level) : 0;
      bytes += level_bytes(s, cycles[c]->staging);
    }
  }
  return bytes;
}

/* Where a device computes the coefficients: all fields are there from the start. */
static int64_t peak_of_host(const gmg_solver *s, struct tally *tally, int64_t copies)
{
  hold(tally, fields_of_host(s) + wall_bytes(&s->hierarchy));
  for (int d = 0; d < 3; d++)
    if (s->problem.has[GMG_BETA_X + d] && s->hierarchy.axis[0][d].kind[0] == GMG_PERIODIC)
      touch(tally,
            2 * (int64_t)gmg_level_field_bytes(s->hierarchy.finest) / s->hierarchy.cells[0][d]);
  hold(tally, -copies);
  take_boundaries(s, tally);
  return tally->most;
}

/* Fields of owners and of operators with them. */
static int64_t owned_bytes(const struct gmg_level *level)
{
  int64_t bytes = gmg_level_kept(level) ? owned_bytes(level->twin) : 0;
  for (int n = 0; n < level->arrays; n++)
    if (level->array[n]->number >= GMG_NAME_LINK_0 && level->array[n]->number <= GMG_NAME_OWNER)
      bytes += (int64_t)level->array[n]->bytes;
  return bytes;
}

/* Fields that are filled from the plan of owners, which is freed when they are; returns what it
 * held. */
static int64_t take_owned(const gmg_solver *s, struct tally *tally)
{
  const struct gmg_hierarchy *h = &s->hierarchy;
  const int64_t plan = h->owners ? h->owners->bytes : 0;
  for (int l = 0; h->owners && l < h->levels; l++) {
    hold(tally, owned_bytes(h->level[l].level));
    if (h->level[l].staging)
      hold(tally, owned_bytes(h->level[l].staging));
  }
  hold(tally, -plan);
  return plan;
}

int64_t gmg_predict_peak(const gmg_solver *s)
{
  struct tally tally = {.now = s->memory.bytes};
  int64_t copies = 0;
  for (int c = 0; c < s->problem.givens; c++) {
    copies += copy_bytes(&s->problem, c);
    if (!s->problem.given[c].present) /* is to come */
      hold(&tally, copy_bytes(&s->problem, c));
  }
  hold(&tally, 0);
  if (gmg_finest_planned(s))
    return peak_of_host(s, &tally, copies);
  const int64_t all = tally.now + s->memory.planned, walls = wall_bytes(&s->hierarchy);
  take_finest(s, &tally);
  hold(&tally, walls);
  const int64_t plan = take_owned(s, &tally);
  hold(&tally,
       all + walls - copies - plan - tally.now); /* the fields of all levels; copies are gone */
  take_boundaries(s, &tally);
  return tally.most;
}

int64_t gmg_predict_again(const gmg_solver *s)
{
  const int passes = s->problem.has[GMG_BETA] || !s->problem.uniform_alpha;
  const int64_t field = (int64_t)gmg_level_field_bytes(s->hierarchy.finest);
  return s->memory.bytes + (passes ? field + buffer_bytes(s) : 0);
}

/* Refuses what the process or the machine cannot hold; least: "", or a word before what is needed.
 */
static gmg_status check(gmg_solver *s, int64_t need, int64_t total, const char *least)
{
  struct gmg_comm *comm = &s->context->comm;
  double shared = (double)need, all = (double)total, had, needed;
  gmg_status status = GMG_OK;
  char needs[40], has[40], of_ranks[60] = "", hint[120];
  if (gmg_comm_sum_on_machine(comm, &shared, 1) || gmg_comm_sum_on_machine(comm, &all, 1))
    status = gmg_mpi_failed(s->context);
  const int64_t most = INT64_MAX / 2;
  const struct gmg_limit process = gmg_limit_of_process(),
                         machine =
                           gmg_limit_of_machine(shared < (double)most ? (int64_t)shared : most);
  const int by_process = (double)need > (double)process.bytes,
            by_machine = shared > (double)machine.bytes;
  if (!status && (by_process || by_machine)) {
    needed = by_process ? (double)total : all;
    had = by_process ? (double)process.bytes + (double)(total - need)
                     : (double)machine.bytes + (all - shared);
    gmg_bytes_text(needed, needs, sizeof needs);
    gmg_bytes_text(had, has, sizeof has);
    if (by_process)
      snprintf(hint, sizeof hint, "at least %.0f ranks",
               ceil(comm->ranks * needed / (had > 1 ? had : 1)));
    else
      snprintf(hint, sizeof hint, "a larger machine or more of them");
    if (by_process && comm->ranks > 1)
      snprintf(of_ranks, sizeof of_ranks, " on rank %d of %d", comm->rank, comm->ranks);
    status = gmg_fail(
      s->context, GMG_ERR_MEMORY,
      "too little memory: this solve needs %s%s%s, and %s may be had, by %s: take fewer cells, or "
      "%s",
      least, needs, of_ranks, has, by_process ? process.what : machine.what, hint);
  }
  return gmg_agree(s->context, status);
}

gmg_status gmg_predict_check(gmg_solver *s, int64_t need, int64_t total)
{
  return check(s, need, total, "");
}

gmg_status gmg_predict_check_least(gmg_solver *s)
{
  const int64_t planned_quickly = 1 << 28;
  const int *cells = s->problem.grid->cells;
  const double bytes =
    2.0 * sizeof(float) * cells[0] * cells[1] * cells[2] / s->context->comm.ranks;
  const int64_t least = bytes < (double)(INT64_MAX / 2) ? (int64_t)bytes : INT64_MAX / 2;
  return least < planned_quickly ? GMG_OK : check(s, least, least, "at least ");
}
