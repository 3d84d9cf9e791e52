#include "coarse_coefficients.h"

#include "intake.h"
#include "own_fields.h"
#include "owned_fields.h"

#include "cycle/bottom.h"
#include "cycle/choose.h"
#include "problem/kernels.h"
#include "runtime/pass.h"
#include "cycle/relaxation.h"
#include "cycle/smooth.h"
#include "cycle/transfer.h"

#include <stdio.h>

/* On the way to a level with other boxes coefficients pass through the field of the staging level
 * that residuals pass through. */
static const enum gmg_name staged_name = GMG_NAME_R;

/* Coefficients of a level are counted as those that are given, but for β on cells, of which there
 * are only those on faces. The name of one: */
static int name_of(const gmg_solver *s, int c)
{
  static const enum gmg_name names[GMG_COEFFICIENTS] = {
    GMG_NAME_ALPHA, GMG_NAME_BETA, GMG_NAME_BETA_I, GMG_NAME_BETA_J, GMG_NAME_BETA_K};
  const struct gmg_given *given = s->problem.given + c;
  return c < GMG_COEFFICIENTS ? (int)names[c] : gmg_name(&s->context->names, given->name);
}

/* The way of a coefficient to the staging level. */
static struct gmg_exchange *way(const gmg_solver *s, const struct gmg_cycle_level *fine, int c)
{
  const enum gmg_place place = gmg_given_place(&s->problem, c);
  return place == GMG_CELL ? fine->to_staging_r.exchange
                           : fine->to_staging_face[place - GMG_FACE_I];
}

/* Coefficient c of level l + 1 from that of level l. */
static gmg_status bind_coarsening(gmg_solver *s, int l, int c)
{
  struct gmg_cycle_level *fine = &s->hierarchy.level[l];
  struct gmg_level *source = gmg_partner(fine);
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
  struct gmg_level *coarse = s->hierarchy.level[l + 1].level;
  if (c >= GMG_COEFFICIENTS)
    return gmg_own_bind(s, c, coarse, source, from, call);
  if (c != GMG_ALPHA)
    snprintf(kernel, sizeof kernel, "restrict_face_%c", "ijk"[c - GMG_BETA_X]);
  return gmg_call_keep(gmg_written_kernel(&s->problem, kernel), coarse, source,
                       c == GMG_ALPHA ? cells : faces, call);
}

/* How coefficient c of level l gets to the staging level. */
static gmg_status plan_way(gmg_solver *s, int l, int c)
{
  struct gmg_cycle_level *fine = &s->hierarchy.level[l];
  const enum gmg_place place = gmg_given_place(&s->problem, c);
  if (place != GMG_CELL && !way(s, fine, c)) {
    struct gmg_exchange *faces = gmg_exchange_redistribute(&s->context->comm, fine->level->storage,
                                                           fine->staging->storage, place);
    fine->to_staging_face[place - GMG_FACE_I] = faces;
    const gmg_status status = gmg_agree(
      s->context,
      faces ? GMG_OK
            : gmg_no_memory(s->context, "(or MPI failed) for the coefficients of level %d", l));
    if (status)
      return status;
  }
  fine->to_staging[c] = (struct gmg_move){.exchange = way(s, fine, c),
                                          .stat = gmg_exchange_stat(fine->level),
                                          .from = gmg_level_find(fine->level, name_of(s, c)),
                                          .to = gmg_level_find(fine->staging, staged_name)};
  return GMG_OK;
}

gmg_status gmg_coefficients_bind(gmg_solver *s, int l)
{
  struct gmg_cycle_level *level = &s->hierarchy.level[l];
  gmg_status status = GMG_OK;
  if (gmg_level_find(level->level, GMG_NAME_DINV))
    status = gmg_call_keep(gmg_level_kernel(&s->problem, level->level, GMG_INVERSE_DIAGONAL),
                           level->level, NULL, NULL, &level->invert);
  if (level->invert)
    level->invert->in_setup = 1;
  const int last = l + 1 == s->hierarchy.levels || s->hierarchy.owners;
  for (int c = 0; c < s->problem.givens && !last && !status; c++)
    if (c != GMG_BETA && gmg_level_find(level->level, name_of(s, c))) {
      status = bind_coarsening(s, l, c);
      if (!status)
        level->coarsen[c]->in_setup = 1;
    }
  status = gmg_agree(s->context, status);
  for (int c = 0; c < s->problem.givens && !status && level->staging && !last; c++)
    if (gmg_level_find(level->level, name_of(s, c)))
      status = plan_way(s, l, c);
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
  gmg_move_run(s->context, &fine->to_staging[c]);
  run(fine->coarsen[c]);
}

/* The ghosts of an operator's own fields of a level. */
static gmg_status fill_own(gmg_solver *s, int l)
{
  gmg_status status = GMG_OK;
  for (int c = GMG_COEFFICIENTS; c < s->problem.givens && !status; c++)
    if (gmg_given_place(&s->problem, c) == GMG_CELL)
      status =
        gmg_own_fill(s, s->hierarchy.level[l].level, s->hierarchy.level[l].mirror, name_of(s, c));
  return status;
}

gmg_status gmg_coefficients_coarsen(gmg_solver *s, int take)
{
  struct gmg_hierarchy *h = &s->hierarchy;
  gmg_status status = GMG_OK;
  for (int l = 0; l < h->levels; l++) {
    for (int c = 0; c < s->problem.givens && l > 0; c++)
      if (take & gmg_taken_with(c))
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
  gmg_relaxation_choose(h);
  gmg_owned_choose_sweeps(h);
  return status ? status : gmg_bottom_prepare(h, &s->report);
}
