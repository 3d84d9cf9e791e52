#include "service.h"

#include "arrays.h"
#include "openmp/bind.h"

#include <stdio.h>
#include <string.h>

static const enum gmg_place face_place[3] = {GMG_FACE_I, GMG_FACE_J, GMG_FACE_K};

static gmg_status bind(struct gmg_solver *s)
{
  const int variable = strcmp(s->op->name, "variable7") == 0;
  if (!variable && strcmp(s->op->name, "constant7") != 0)
    return gmg_fail(s->context, GMG_ERR_UNSUPPORTED,
                    "gmg_solver_fluxes: operator '%s' is not known to be a sum of fluxes through faces; constant7 and "
                    "variable7 are",
                    s->op->name);
  for (int d = 0; d < 3; d++) {
    char kernel[24], field[8];
    snprintf(kernel, sizeof kernel, "flux_%s_%c", variable ? "variable" : "constant", "ijk"[d]);
    snprintf(field, sizeof field, "flux_%c", "ijk"[d]);
    const struct gmg_rename to_image[] = {{field, "image"}, {NULL, NULL}};
    struct gmg_call **call = &s->services.flux[d];
    if (*call)
      continue;
    const gmg_status status = gmg_call_keep(gmg_written_kernel(s, kernel), s->finest, NULL, to_image, call);
    if (status)
      return status;
    gmg_call_set(*call, "s", -1);
  }
  return GMG_OK;
}

/* The part of boundary values in the fluxes through walls: what they add to the right side of the cell, over the area. */
static void add_boundary_values(struct gmg_solver *s, int d)
{
  struct gmg_level *level = s->finest;
  const struct gmg_level_array *flux = gmg_level_open(level, "image", s->sources > 0 ? GMG_CHANGE : GMG_READ);
  for (int n = 0; n < s->sources; n++) {
    const struct gmg_source *source = &s->source[n];
    if (source->level != 0 || source->side / 2 != d)
      continue;
    const struct gmg_kernel_box *box = &level->box[source->box];
    const int high = source->side % 2;
    const double *value = source->value;
    int first, second;
    gmg_side_axes(source->side, &first, &second);
    for (int q = 0; q < source->extent[second]; q++)
      for (int p = 0; p < source->extent[first]; p++) {
        const double area =
          s->axis[0][first].width[box->lower[first] + p] * s->axis[0][second].width[box->lower[second] + q];
        int face[3];
        face[d] = high ? box->cells[d] : 0;
        face[first] = p, face[second] = q;
        double *at = (double *)flux->box[source->box] + gmg_offset(box, face[0], face[1], face[2]);
        *at += (high ? -1 : 1) * *value++ / area;
      }
  }
}

/* The faces along axis d into the caller's array. */
static gmg_status store(struct gmg_solver *s, int d, gmg_array *array)
{
  struct gmg_level *level = s->finest;
  struct gmg_storage *view = gmg_storage_view(s->bricks, array->stride);
  struct gmg_exchange *exchange =
    view ? gmg_exchange_redistribute(&s->context->comm, level->storage, view, face_place[d]) : NULL;
  gmg_status status = GMG_OK;
  if (!exchange)
    status = gmg_fail(s->context, GMG_ERR_MEMORY, "out of memory for the fluxes");
  status = gmg_agree(s->context, status);
  if (!status)
    gmg_move_values(s->context, exchange, gmg_exchange_stat(level), gmg_level_open(level, "image", GMG_READ)->data,
                    array->data);
  gmg_exchange_destroy(&exchange);
  gmg_storage_destroy(&view);
  return status;
}

static gmg_status fluxes(struct gmg_solver *s, const gmg_array *u, gmg_array *const flux[3])
{
  const gmg_array *const arrays[] = {u, flux[0], flux[1], flux[2]};
  gmg_status status = gmg_agree(s->context, gmg_service_check(s, "gmg_solver_fluxes", arrays, 4));
  if (!status)
    status = gmg_service_bind(s);
  if (!status)
    status = gmg_agree(s->context, bind(s));
  if (!status)
    status = gmg_arrays_load(s, u);
  s->context->mpi_error = 0;
  if (!status)
    status = gmg_backend_attach(s);
  for (int d = 0; d < 3 && !status; d++) {
    gmg_call_run(s->services.flux[d]);
    gmg_call_wait(s->context);
    add_boundary_values(s, d);
    status = store(s, d, flux[d]);
  }
  if (!status && s->context->mpi_error)
    status = gmg_fail(s->context, GMG_ERR_MPI, "an MPI call failed");
  return gmg_agree(s->context, status);
}

gmg_status gmg_solver_fluxes(gmg_solver *solver, const gmg_array *u, gmg_array *flux_x, gmg_array *flux_y,
                             gmg_array *flux_z)
{
  if (!solver)
    return GMG_ERR_ARGUMENT;
  struct gmg_memory *outer = gmg_account(&solver->memory);
  gmg_together_begin(solver);
  const gmg_status status = fluxes(solver, u, (gmg_array *const[]){flux_x, flux_y, flux_z});
  gmg_together_end(solver);
  gmg_account(outer);
  return status;
}
