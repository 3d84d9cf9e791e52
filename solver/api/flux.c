#include "service.h"

#include "problem/arrays.h"
#include "runtime/bind.h"

/* The part of boundary values in the fluxes through walls: what they add to the right side of the
 * cell, over the area. */
static void add_boundary_values(struct gmg_solver *s, int d)
{
  struct gmg_level *level = s->finest;
  const struct gmg_level_array *flux =
    gmg_level_open(level, GMG_NAME_F, s->sources > 0 ? GMG_CHANGE : GMG_READ);
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
        const double area = s->axis[0][first].width[box->lower[first] + p]
          * s->axis[0][second].width[box->lower[second] + q];
        int face[3];
        face[d] = high ? box->cells[d] : 0;
        face[first] = p, face[second] = q;
        double *at = (double *)flux->box[source->box] + gmg_offset(box, face[0], face[1], face[2]);
        *at += (high ? -1 : 1) * *value++ / area;
      }
  }
}

/* The faces along axis d into the caller's array. */
static void store(struct gmg_solver *s, int d, gmg_array *array)
{
  struct gmg_services *service = &s->services;
  gmg_arrays_see(s, service->view[d], service->store[d], array->stride);
  gmg_move_values(s->context, service->store[d], gmg_exchange_stat(s->finest),
                  gmg_level_open(s->finest, GMG_NAME_F, GMG_READ)->data, array->data);
}

static gmg_status fluxes(struct gmg_solver *s, const gmg_array *u, gmg_array *const flux[3])
{
  s->context->mpi_error = 0;
  gmg_status status = gmg_arrays_load(s, u);
  if (status)
    return status;
  for (int d = 0; d < 3; d++) {
    gmg_call_run(s->services.flux[d]);
    gmg_call_wait(s->context);
    add_boundary_values(s, d);
    store(s, d, flux[d]);
  }
  gmg_level_clear(s->finest, GMG_NAME_F); /* faces lie in its ghosts */
  if (s->context->mpi_error)
    status = gmg_fail(s->context, GMG_ERR_MPI, "an MPI call failed");
  if (!status)
    status = gmg_device_status(s->context);
  return gmg_agree(s->context, status);
}

gmg_status gmg_solver_fluxes(gmg_solver *solver, const gmg_array *u, gmg_array *flux_x,
                             gmg_array *flux_y, gmg_array *flux_z)
{
  if (!solver)
    return GMG_ERR_ARGUMENT;
  const gmg_array *const arrays[] = {u, flux_x, flux_y, flux_z};
  gmg_status status = gmg_service_check(
    solver,
    &(struct gmg_service_call){
      .name = "gmg_solver_fluxes", .array = arrays, .arrays = 4, .faces = 1, .cycles = 1});
  if (status)
    return status;
  struct gmg_memory *outer = gmg_account(&solver->memory);
  status = fluxes(solver, u, (gmg_array *const[]){flux_x, flux_y, flux_z});
  gmg_account(outer);
  return status;
}
