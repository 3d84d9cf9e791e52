#include "coefficients.h"

#include "cycle/boundary.h"
#include "coarse_coefficients.h"
#include "finest.h"
#include "hierarchy.h"
#include "intake.h"
#include "jump.h"
#include "own_fields.h"
#include "owned_fields.h"
#include "seam.h"
#include "system/memory.h"
#include "problem/kernels.h"
#include "cycle/precision.h"
#include "cycle/smooth.h"

#include <stdio.h>
#include <string.h>

/* The host copies the caller's part of a coefficient into a field of the finest level. */
static gmg_status copy_given(gmg_solver *s, int which, int name, enum gmg_place place)
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
    const double *data = gmg_given_data(&s->problem.given[which]);
    if (!exchange || gmg_exchange_run(exchange, data, field->data))
      status = gmg_no_memory(s->context, "(or MPI failed) while %s was taken in", text);
    gmg_exchange_destroy(&exchange);
    status = gmg_agree(s->context, status);
  }
  gmg_storage_destroy(&view);
  return status;
}

/* The caller's part of a coefficient into a field of the finest level. */
static gmg_status load(gmg_solver *s, int which, int name, enum gmg_place place)
{
  const gmg_status status =
    gmg_finest_on_device(s) ? gmg_finest_take(s, which, name) : copy_given(s, which, name, place);
  if (!s->problem.keeps_given)
    gmg_given_release(&s->problem.given[which]);
  return status;
}

/* Runs a call of setup that a device has; else binds one, which the host runs once. */
static gmg_status once(gmg_solver *s, struct gmg_call *kept, const char *kernel,
                       const struct gmg_rename *rename, double scale)
{
  if (!kept || !gmg_finest_on_device(s))
    return gmg_call_once(gmg_written_kernel(&s->problem, kernel), s->hierarchy.finest, NULL, rename,
                         scale);
  gmg_run_scaled(kept, scale);
  return GMG_OK;
}

/* One value in all cells of the finest level, and where place is a face in the last faces too. */
static gmg_status fill(gmg_solver *s, enum gmg_name name, enum gmg_place place, double value)
{
  struct gmg_level *level = s->hierarchy.finest;
  if (!gmg_level_field(level, name))
    return gmg_no_memory(s->context, "for %s", s->context->names.text[name]);
  const struct gmg_level_array *field = gmg_level_open(level, name, GMG_REPLACE);
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

/* Ghosts of β on cells: at a wall the cell's own value, at a periodic seam the other end's. */
static gmg_status fill_ghosts(gmg_solver *s)
{
  static const double mirror[3][2] = {{1, 1}, {1, 1}, {1, 1}};
  struct gmg_level *level = s->hierarchy.finest;
  gmg_status status = GMG_OK;
  int periodic[3];
  gmg_axes_periodic(level->axis, periodic);
  void *data = gmg_level_find(level, GMG_NAME_BETA)->data;
  struct gmg_exchange *exchange =
    gmg_exchange_ghosts(&s->context->comm, level->storage, GMG_STAR, 1, periodic, mirror);
  if (!exchange || gmg_exchange_run(exchange, data, data))
    status = gmg_no_memory(s->context, "(or MPI failed) while beta was averaged");
  gmg_exchange_destroy(&exchange);
  return status;
}

/* Faces of β from cells, which the device holds in u for so long. */
static gmg_status average_faces(gmg_solver *s)
{
  struct gmg_finest_calls *calls = &s->hierarchy.finest_setup;
  const int there = gmg_finest_on_device(s);
  gmg_status status = load(s, GMG_BETA, there ? GMG_NAME_U : GMG_NAME_BETA, GMG_CELL);
  if (status)
    return status;
  if (there)
    gmg_move_run(s->context, &calls->ghosts);
  else
    status = fill_ghosts(s);
  for (int d = 0; d < 3 && !status; d++) {
    char kernel[24];
    snprintf(kernel, sizeof kernel, "face_%s_%c",
             s->problem.average == GMG_ARITHMETIC ? "arithmetic" : "harmonic", "ijk"[d]);
    status = once(s, calls->average[d], kernel, NULL, 0);
  }
  if (!there)
    gmg_level_drop(s->hierarchy.finest, GMG_NAME_BETA);
  return status;
}

gmg_status gmg_coefficients_finest_beta(gmg_solver *s)
{
  struct gmg_level *level = s->hierarchy.finest;
  gmg_status status = GMG_OK;
  for (int d = 0; d < 3 && !status; d++) {
    if (!gmg_level_find(level, GMG_NAME_BETA_I + d))
      continue;
    if (s->problem.has[GMG_BETA_X + d]) {
      status = load(s, (int)GMG_BETA_X + d, GMG_NAME_BETA_I + d, gmg_face(d));
      if (!status && s->hierarchy.axis[0][d].kind[0] == GMG_PERIODIC)
        status = gmg_seam_close(s, d);
    } else if (!s->problem.has[GMG_BETA]) {
      status = fill(s, GMG_NAME_BETA_I + d, gmg_face(d), 1);
    }
  }
  if (!status && s->problem.has[GMG_BETA])
    status = gmg_agree(s->context, average_faces(s));
  if (!status)
    status =
      gmg_agree(s->context, gmg_finest_on_device(s) ? gmg_finest_measure(s) : gmg_jump_measure(s));
  if (!status && s->problem.op->boundary == GMG_FOLDED_CONDUCTANCES && !s->problem.keeps_given)
    status = gmg_agree(s->context, gmg_boundary_fluxes(&s->hierarchy));
  for (int d = 0; d < 3 && !status; d++) {
    char kernel[24];
    snprintf(kernel, sizeof kernel, "conductance_%c", "ijk"[d]);
    if (gmg_level_find(level, GMG_NAME_BETA_I + d))
      status = once(s, s->hierarchy.finest_setup.conductance[d], kernel, NULL, 0);
  }
  return gmg_agree(s->context, status);
}

gmg_status gmg_coefficients_finest_alpha(gmg_solver *s)
{
  static const struct gmg_rename scaled[] = {{"y", "alpha"}, {"x", "work_0"}, {NULL, NULL}};
  struct gmg_finest_calls *calls = &s->hierarchy.finest_setup;
  const int there = gmg_finest_on_device(s);
  const double constant = s->problem.uniform_alpha ? s->problem.alpha : 0;
  gmg_status status = GMG_OK;
  if (!gmg_level_find(s->hierarchy.finest, GMG_NAME_ALPHA))
    return status;
  if (there)
    gmg_run_scaled(calls->clear_alpha, constant);
  else
    status = gmg_agree(s->context, fill(s, GMG_NAME_ALPHA, GMG_CELL, constant));
  if (status || s->problem.uniform_alpha)
    return status;
  status = load(s, GMG_ALPHA, there ? GMG_NAME_U : GMG_NAME_WORK_0, GMG_CELL);
  if (!status)
    status = once(s, calls->add_alpha, "axpy", scaled, s->problem.a);
  if (!there)
    gmg_level_drop(s->hierarchy.finest, GMG_NAME_WORK_0);
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
      status = once(s, NULL, narrow[place], rename, 1);
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
    status = gmg_coefficients_finest_beta(s);
  if (!status && take & GMG_TAKE_ALPHA)
    status = gmg_coefficients_finest_alpha(s);
  if (!status && take & GMG_TAKE_OWN)
    status = finest_own(s);
  if (!status && s->hierarchy.owners) /* before other fields are taken: it frees the plan */
    status = gmg_owned_fill(s);
  if (!status)
    status = gmg_agree(s->context, gmg_precision_round(&s->hierarchy));
  if (!status)
    status = gmg_hierarchy_take(&s->hierarchy);
  if (!status)
    status = gmg_coefficients_coarsen(
      s, beta ? GMG_TAKE_ALL : take); /* b sets the scale of single precision */
  if (gmg_finest_on_device(s))
    gmg_finest_clear(s);
  if (!status)
    status = gmg_smooth_measure(&s->hierarchy);
  if (!status && s->problem.op->boundary == GMG_GHOST_FORMULAS)
    status = gmg_agree(s->context, gmg_boundary_formulas(&s->hierarchy, 0));
  return status;
}
