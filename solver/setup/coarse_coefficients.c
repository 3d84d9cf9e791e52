#include "coarse_coefficients.h"

#include "cycle/bottom.h"
#include "cycle/choose.h"
#include "problem/kernels.h"
#include "runtime/pass.h"
#include "cycle/smooth.h"
#include "cycle/transfer.h"

#include <stdio.h>

enum { COEFFICIENTS = 4 };
static const char *const names[COEFFICIENTS] = {"alpha", "beta_i", "beta_j", "beta_k"};
static const enum gmg_place places[COEFFICIENTS] = {GMG_CELL, GMG_FACE_I, GMG_FACE_J, GMG_FACE_K};

/* On the way to a level with other boxes coefficients pass through the field of the staging level
 * that residuals pass through. */
static const char *const staged_name = "r";

/* The way of a coefficient to the staging level. */
static struct gmg_exchange *way(const struct gmg_cycle_level *fine, int c)
{
  return c == 0 ? fine->to_staging_r.exchange : fine->to_staging_face[c - 1];
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
  const char *from = fine->staging ? staged_name : names[c];
  const struct gmg_rename cells[] = {{"coarse", names[c]},
                                     {"fine", from},
                                     {"low_i", "share_low_i"},
                                     {"high_i", "share_high_i"},
                                     {"low_j", "share_low_j"},
                                     {"high_j", "share_high_j"},
                                     {"low_k", "share_low_k"},
                                     {"high_k", "share_high_k"},
                                     {NULL, NULL}};
  const struct gmg_rename faces[] = {{"coarse", names[c]}, {"fine", from}, {NULL, NULL}};
  char kernel[24] = "restrict_cell";
  if (c > 0)
    snprintf(kernel, sizeof kernel, "restrict_face_%c", "ijk"[c - 1]);
  return keep(gmg_written_kernel(&s->problem, kernel), s->hierarchy.level[l + 1].level, source,
              c > 0 ? faces : cells, &fine->coarsen[c]);
}

gmg_status gmg_coefficients_bind(gmg_solver *s, int l)
{
  struct gmg_cycle_level *level = &s->hierarchy.level[l];
  gmg_status status = GMG_OK;
  if (gmg_level_find(level->level, "dinv"))
    status = keep(gmg_operator_kernel(&s->problem, GMG_INVERSE_DIAGONAL), level->level, NULL, NULL,
                  &level->invert);
  for (int c = 0; c < COEFFICIENTS && l + 1 < s->hierarchy.levels && !status; c++)
    if (gmg_level_find(level->level, names[c]))
      status = bind_coarsening(s, l, c);
  status = gmg_agree(s->context, status);
  for (int d = 0; d < 3 && !status && l + 1 < s->hierarchy.levels && level->staging; d++) {
    if (!gmg_level_find(level->level, names[1 + d]))
      continue;
    level->to_staging_face[d] = gmg_exchange_redistribute(&s->context->comm, level->level->storage,
                                                          level->staging->storage, places[1 + d]);
    if (!level->to_staging_face[d])
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
      gmg_exchange_run(way(fine, c), gmg_level_find(fine->level, names[c])->data,
                       gmg_level_open(fine->staging, staged_name, GMG_REPLACE)->data);
    if (error)
      s->context->mpi_error = error;
  }
  run(fine->coarsen[c]);
}

gmg_status gmg_coefficients_coarsen(gmg_solver *s, int take)
{
  struct gmg_hierarchy *h = &s->hierarchy;
  gmg_status status = GMG_OK;
  for (int l = 0; l + 1 < h->levels; l++)
    for (int c = 0; c < COEFFICIENTS; c++)
      if (take & (c == 0 ? GMG_TAKE_ALPHA : GMG_TAKE_BETA))
        coarsen(s, l, c);
  for (int l = 0; l < h->levels; l++)
    if (h->level[l].invert)
      run(h->level[l].invert);
  if (s->context->mpi_error)
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
