#include "finest.h"

#include "intake.h"
#include "seam.h"
#include "there.h"
#include "problem/arrays.h"
#include "problem/kernels.h"

#include <math.h>
#include <stdio.h>

int gmg_finest_planned(const gmg_solver *s)
{
  return s->placement.device && s->hierarchy.finest_setup.conductance[0] != NULL;
}

int gmg_finest_on_device(const gmg_solver *s)
{
  return s->placement.attached && gmg_finest_planned(s);
}

/* Keeps a call of setup. */
static gmg_status keep(gmg_solver *s, const char *kernel, const struct gmg_rename *rename,
                       struct gmg_call **call)
{
  const gmg_status status =
    gmg_call_keep(gmg_written_kernel(&s->problem, kernel), s->hierarchy.finest, NULL, rename, call);
  if (!status)
    (*call)->in_setup = 1;
  return status;
}

/* Whether cycles have the field in single precision. */
static int rounds(const gmg_solver *s, int name)
{
  const struct gmg_level *level = s->hierarchy.level[0].level;
  return level != s->hierarchy.finest && gmg_level_find(level, name);
}

/* What β on the faces normal to an axis needs. */
static gmg_status bind_faces(gmg_solver *s, int d)
{
  static const struct gmg_rename from_u[] = {{"beta", "u"}, {NULL, NULL}};
  struct gmg_finest_calls *calls = &s->hierarchy.finest_setup;
  const char *text = s->context->names.text[GMG_NAME_BETA_I + d];
  const struct gmg_rename low[] = {{"x", text}, {NULL, NULL}},
                          round[] = {{"single", text}, {"wide", text}, {NULL, NULL}};
  const char *const average = s->problem.average == GMG_ARITHMETIC ? "arithmetic" : "harmonic";
  char kernel[4][24];
  snprintf(kernel[0], sizeof kernel[0], "face_%s_%c", average, "ijk"[d]);
  snprintf(kernel[1], sizeof kernel[1], "conductance_%c", "ijk"[d]);
  snprintf(kernel[2], sizeof kernel[2], "face_ratio_%c", "ijk"[d]);
  snprintf(kernel[3], sizeof kernel[3], "narrow_%c", "ijk"[d]);
  gmg_status status = keep(s, kernel[1], NULL, &calls->conductance[d]);
  if (!status)
    status = keep(s, kernel[2], NULL, &calls->ratio[d].sum);
  if (!status)
    status = keep(s, "sum", low, &calls->sum[d].sum);
  if (!status && s->problem.has[GMG_BETA])
    status = keep(s, kernel[0], from_u, &calls->average[d]);
  if (!status && calls->average[d])
    calls->average[d]->exchanges = 0; /* those of u are not β's: `ghosts` fills them */
  if (!status && rounds(s, GMG_NAME_BETA_I + d))
    status = keep(s, kernel[3], round, &calls->narrow[1 + d]);
  return status;
}

static gmg_status bind_alpha(gmg_solver *s)
{
  static const struct gmg_rename set[] = {{"y", "alpha"}, {NULL, NULL}},
                                 add[] = {{"y", "alpha"}, {"x", "u"}, {NULL, NULL}},
                                 round[] = {{"single", "alpha"}, {"wide", "alpha"}, {NULL, NULL}};
  struct gmg_finest_calls *calls = &s->hierarchy.finest_setup;
  gmg_status status = keep(s, "set", set, &calls->clear_alpha);
  if (!status)
    status = keep(s, "axpy", add, &calls->add_alpha);
  if (!status && rounds(s, GMG_NAME_ALPHA))
    status = keep(s, "narrow", round, &calls->narrow[0]);
  return status;
}

/* Ghosts of β on cells: beyond walls the wall's cell, across periodic sides the other end's. */
static gmg_status plan_ghosts(gmg_solver *s)
{
  static const double mirror[3][2] = {{1, 1}, {1, 1}, {1, 1}};
  struct gmg_level *level = s->hierarchy.finest;
  struct gmg_level_array *u = gmg_level_find(level, GMG_NAME_U);
  int periodic[3];
  gmg_axes_periodic(level->axis, periodic);
  s->hierarchy.finest_setup.ghosts =
    (struct gmg_move){.exchange = gmg_exchange_ghosts(&s->context->comm, level->storage, GMG_STAR,
                                                      1, periodic, mirror),
                      .stat = gmg_exchange_stat(level),
                      .from = u,
                      .to = u};
  return gmg_agree(s->context,
                   s->hierarchy.finest_setup.ghosts.exchange
                     ? GMG_OK
                     : gmg_no_memory(s->context, "(or MPI failed) for the ghosts of beta"));
}

/* The way of the caller's values on faces normal to an axis. */
static gmg_status plan_load(gmg_solver *s, int d)
{
  static const ptrdiff_t dense[3] = {1, 1, 1}; /* others before they are used */
  struct gmg_arrays *a = &s->arrays;
  a->view_face[d] = gmg_storage_view(a->bricks, dense);
  gmg_status status = gmg_agree(
    s->context,
    a->view_face[d] ? GMG_OK : gmg_no_memory(s->context, "for what moves the caller's arrays"));
  if (status)
    return status;
  a->load_face[d] = gmg_exchange_redistribute(&s->context->comm, a->view_face[d],
                                              s->hierarchy.finest->storage, gmg_face(d));
  int missing = !a->load_face[d];
  if (s->hierarchy.axis[0][d].kind[0] == GMG_PERIODIC) {
    struct gmg_level *level = s->hierarchy.finest;
    struct gmg_level_array *beta = gmg_level_find(level, GMG_NAME_BETA_I + d);
    struct gmg_move *seam = &s->hierarchy.finest_setup.seam[d];
    *seam = (struct gmg_move){.exchange = gmg_seam_exchange(s, d),
                              .stat = gmg_exchange_stat(level),
                              .from = beta,
                              .to = beta};
    missing |= !seam->exchange;
  }
  return gmg_agree(
    s->context, missing ? gmg_no_memory(s->context, "for what moves the caller's arrays") : GMG_OK);
}

gmg_status gmg_finest_bind(gmg_solver *s)
{
  const struct gmg_level *level = s->hierarchy.finest;
  gmg_status status = GMG_OK;
  if (!s->placement.device || s->problem.op->boundary != GMG_FOLDED_CONDUCTANCES
      || s->problem.givens > GMG_COEFFICIENTS || !gmg_level_find(level, GMG_NAME_BETA_I)
      || !gmg_level_find(level, GMG_NAME_BETA_J) || !gmg_level_find(level, GMG_NAME_BETA_K))
    return GMG_OK;
  for (int d = 0; d < 3 && !status; d++)
    status = bind_faces(s, d);
  if (!status && s->problem.has[GMG_BETA])
    status = keep(s, "low_face_ratio", NULL, &s->hierarchy.finest_setup.low_ratio.sum);
  if (!status && gmg_level_find(level, GMG_NAME_ALPHA))
    status = bind_alpha(s);
  status = gmg_agree(s->context, status);
  if (!status && s->problem.has[GMG_BETA])
    status = plan_ghosts(s);
  for (int d = 0; d < 3 && !status && s->problem.has[GMG_BETA_X]; d++)
    status = plan_load(s, d);
  return status;
}

void gmg_finest_destroy(gmg_solver *s)
{
  gmg_exchange_destroy(&s->hierarchy.finest_setup.ghosts.exchange);
  for (int d = 0; d < 3; d++) {
    gmg_exchange_destroy(&s->hierarchy.finest_setup.seam[d].exchange);
    gmg_exchange_destroy(&s->arrays.load_face[d]);
    gmg_storage_destroy(&s->arrays.view_face[d]);
  }
  s->hierarchy.finest_setup = (struct gmg_finest_calls){.ghosts = {.exchange = NULL}};
}

gmg_status gmg_finest_take(gmg_solver *s, int which, int name)
{
  const int d = which - (int)GMG_BETA_X, face = d >= 0;
  const gmg_array *values = &s->problem.given[which].values;
  struct gmg_exchange *exchange = face ? s->arrays.load_face[d] : s->arrays.load;
  s->hierarchy.finest_setup.passed |= name == GMG_NAME_U;
  const size_t span = gmg_there_span(&s->problem, which, values->stride);
  gmg_arrays_see(face ? s->arrays.view_face[d] : s->arrays.view[0], exchange, values->stride);
  return s->placement.backend->carry(&s->placement, exchange,
                                     gmg_level_find(s->hierarchy.finest, name), values->data,
                                     span * sizeof(double));
}

void gmg_finest_clear(gmg_solver *s)
{
  struct gmg_level *level = s->hierarchy.finest;
  if (s->hierarchy.finest_setup.passed)
    gmg_level_clear(level, GMG_NAME_U);
  s->hierarchy.finest_setup.passed = 0;
  if (gmg_level_find(level, GMG_NAME_F)->mirror.newer == GMG_NEWER_DEVICE)
    gmg_level_clear(level, GMG_NAME_F);
}

gmg_status gmg_finest_measure(gmg_solver *s)
{
  struct gmg_finest_calls *calls = &s->hierarchy.finest_setup;
  s->problem.jump = calls->low_ratio.sum ? gmg_reduce_most(&calls->low_ratio) : 1;
  for (int d = 0; d < 3; d++) {
    s->problem.jump = fmax(s->problem.jump, gmg_reduce_most(&calls->ratio[d]));
    s->problem.mean_beta[d] = gmg_reduce(&calls->sum[d], NULL) / (double)s->hierarchy.finest->cells;
  }
  return s->context->mpi_error ? gmg_mpi_failed(s->context) : GMG_OK;
}
