#include "coarse_coefficients.h"

#include "coefficients.h"
#include "own_fields.h"

#include "cycle/bottom.h"
#include "cycle/choose.h"
#include "problem/kernels.h"
#include "runtime/pass.h"
#include "cycle/smooth.h"
#include "cycle/transfer.h"

#include <stdio.h>

enum { COEFFICIENTS = 4 };
static const enum gmg_name names[COEFFICIENTS] = {GMG_NAME_ALPHA, GMG_NAME_BETA_I, GMG_NAME_BETA_J,
                                                  GMG_NAME_BETA_K};
static const enum gmg_place places[COEFFICIENTS] = {GMG_CELL, GMG_FACE_I, GMG_FACE_J, GMG_FACE_K};

/* On the way to a level with other boxes coefficients pass through the field of the staging level
 * that residuals pass through. */
static const enum gmg_name staged_name = GMG_NAME_R;

/* How many coefficients there are: α, β on three kinds of faces, an operator's own fields; the name
 * and the place of one. */
static int count_of(const gmg_solver *s)
{
  return COEFFICIENTS + s->problem.givens - GMG_COEFFICIENTS;
}

static int name_of(const gmg_solver *s, int c)
{
  return c < COEFFICIENTS
    ? (int)names[c]
    : gmg_name(&s->context->names, s->problem.given[GMG_COEFFICIENTS + c - COEFFICIENTS].name);
}

static enum gmg_place place_of(const gmg_solver *s, int c)
{
  return c < COEFFICIENTS ? places[c]
                          : gmg_given_place(&s->problem, GMG_COEFFICIENTS + c - COEFFICIENTS);
}

/* The way of a coefficient to the staging level. */
static struct gmg_exchange *way(const gmg_solver *s, const struct gmg_cycle_level *fine, int c)
{
  const enum gmg_place place = place_of(s, c);
  return place == GMG_CELL ? fine->to_staging_r.exchange
                           : fine->to_staging_face[place - GMG_FACE_I];
}

static gmg_status keep(const struct gmg_kernel_descriptor *kernel, struct gmg_level *own,
                       struct gmg_level *other, const struct gmg_rename *rename,
                       struct gmg_call **call)
{
  const gmg_status status = gmg_call_keep(kernel, own, other, rename, call);
  if (!status)
    (*call)->in_setup = 1;
  return status;
}

/* Coefficient c of level l + 1 from that of level l. */
static gmg_status bind_coarsening(gmg_solver *s, int l, int c)
{
  struct gmg_cycle_level *fine = &s->hierarchy.level[l];
  struct gmg_level *source = fine->staging ? fine->staging : fine->level;
  struct gmg_call **call = fine->coarsen + c;
  const char(*text)[GMG_NAME_ROOM] = s->context->names.text;
  const char *from = text[fine->staging ? (int)staged_name : name_of(s, c)];
  const struct gmg_rename cells[] = {{"coarse", text[name_of(s, c)]},
                                     {"fine", from},
                                     {"low_i", "share_low_i"},
                                     {"high_i", "share_high_i"},
                                     {"low_j", "share_low_j"},
                                     {"high_j", "share_high_j"},
                                     {"low_k", "share_low_k"},
                                     {"high_k", "share_high_k"},
                                     {NULL, NULL}};
  const struct gmg_rename faces[] = {{"coarse", text[name_of(s, c)]}, {"fine", from}, {NULL, NULL}};
  char kernel[24] = "restrict_cell";
  if (c >= COEFFICIENTS) {
    const gmg_status status =
      gmg_own_bind(s, c - COEFFICIENTS, s->hierarchy.level[l + 1].level, source, from, call);
    if (!status)
      (*call)->in_setup = 1;
    return status;
  }
  if (c > 0)
    snprintf(kernel, sizeof kernel, "restrict_face_%c", "ijk"[c - 1]);
  return keep(gmg_written_kernel(&s->problem, kernel), s->hierarchy.level[l + 1].level, source,
              c > 0 ? faces : cells, call);
}

gmg_status gmg_coefficients_bind(gmg_solver *s, int l)
{
  struct gmg_cycle_level *level = &s->hierarchy.level[l];
  gmg_status status = GMG_OK;
  if (gmg_level_find(level->level, GMG_NAME_DINV))
    status = keep(gmg_operator_kernel(&s->problem, GMG_INVERSE_DIAGONAL), level->level, NULL, NULL,
                  &level->invert);
  for (int c = 0; c < count_of(s) && l + 1 < s->hierarchy.levels && !status; c++)
    if (gmg_level_find(level->level, name_of(s, c)))
      status = bind_coarsening(s, l, c);
  status = gmg_agree(s->context, status);
  for (int c = 1; c < count_of(s) && !status && l + 1 < s->hierarchy.levels && level->staging;
       c++) {
    const enum gmg_place place = place_of(s, c);
    if (place == GMG_CELL || !gmg_level_find(level->level, name_of(s, c)))
      continue;
    struct gmg_exchange **path = &level->to_staging_face[place - GMG_FACE_I];
    if (*path)
      continue;
    *path = gmg_exchange_redistribute(&s->context->comm, level->level->storage,
                                      level->staging->storage, place);
    if (!*path)
      status = gmg_fail(s->context, GMG_ERR_MEMORY,
                        "out of memory (or MPI failed) for the coefficients of level %d", l);
    status = gmg_agree(s->context, status);
  }
  return status;
}

static void run(struct gmg_call *call)
{
  gmg_call_run(call);
  gmg_pass_flush(call->level->context->pass);
}

static void coarsen(gmg_solver *s, int l, int c)
{
  struct gmg_cycle_level *fine = &s->hierarchy.level[l];
  if (!fine->coarsen[c])
    return;
  if (fine->staging) {
    const int error =
      gmg_exchange_run(way(s, fine, c), gmg_level_find(fine->level, name_of(s, c))->data,
                       gmg_level_open(fine->staging, staged_name, GMG_REPLACE)->data);
    if (error)
      s->context->mpi_error = error;
  }
  run(fine->coarsen[c]);
}

/* The ghosts of an operator's own fields of a level. */
static gmg_status fill_own(gmg_solver *s, int l)
{
  gmg_status status = GMG_OK;
  for (int c = COEFFICIENTS; c < count_of(s) && !status; c++)
    if (place_of(s, c) == GMG_CELL)
      status =
        gmg_own_fill(s, s->hierarchy.level[l].level, s->hierarchy.level[l].mirror, name_of(s, c));
  return status;
}

static int taken_with(int c)
{
  return c == 0 ? GMG_TAKE_ALPHA : c < COEFFICIENTS ? GMG_TAKE_BETA : GMG_TAKE_OWN;
}

gmg_status gmg_coefficients_coarsen(gmg_solver *s, int take)
{
  struct gmg_hierarchy *h = &s->hierarchy;
  gmg_status status = GMG_OK;
  for (int l = 0; l < h->levels; l++) {
    for (int c = 0; c < count_of(s) && l > 0; c++)
      if (take & taken_with(c))
        coarsen(s, l - 1, c);
    if (take & GMG_TAKE_OWN && !status)
      status = fill_own(s, l);
  }
  for (int l = 0; l < h->levels; l++)
    if (h->level[l].invert)
      run(h->level[l].invert);
  if (s->context->mpi_error && !status)
    status =
      gmg_fail(s->context, GMG_ERR_MPI, "an MPI call failed while coefficients were coarsened");
  status = gmg_agree(s->context, status);
  for (int l = 0; l < h->levels && !status; l++)
    gmg_level_share(h->level[l].level);
  if (!status && h->finest != h->level[0].level)
    gmg_level_share(h->finest);
  gmg_choose(h);
  gmg_transfer_choose(h);
  gmg_smooth_choose(h);
  return status ? status : gmg_bottom_prepare(h, &s->report);
}
