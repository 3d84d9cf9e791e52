#include "service.h"

#include "problem/arrays.h"
#include "runtime/bind.h"
#include "setup/there.h"

/* The part of boundary values in the fluxes through walls: what they add to the right side of the
 * cell, over the area. */
static void add_boundary_values(struct gmg_hierarchy *h, int d)
{
  struct gmg_level *level = h->finest;
  const struct gmg_level_array *flux = NULL; /* which the host needs for that alone */
  for (int n = 0; n < h->sources; n++) {
    const struct gmg_source *source = &h->source[n];
    if (source->level != 0 || source->side / 2 != d)
      continue;
    if (!flux)
      flux = gmg_level_open(level, GMG_NAME_F, GMG_CHANGE);
    const struct gmg_kernel_box *box = &level->box[source->box];
    const int high = source->side % 2;
    const double *value = source->value;
    int first, second;
    gmg_side_axes(source->side, &first, &second);
    for (int q = 0; q < source->extent[second]; q++)
      for (int p = 0; p < source->extent[first]; p++) {
        const double area = h->axis[0][first].width[box->lower[first] + p]
          * h->axis[0][second].width[box->lower[second] + q];
        int face[3];
        face[d] = high ? box->cells[d] : 0;
        face[first] = p, face[second] = q;
        double *at = (double *)flux->box[source->box] + gmg_offset(box, face[0], face[1], face[2]);
        *at += (high ? -1 : 1) * *value++ / area;
      }
  }
}

/* The faces along axis d into the caller's array. */
static gmg_status store(gmg_solver *s, int d, const gmg_array *array)
{
  struct gmg_services *service = &s->services;
  const size_t span = gmg_there_span(&s->problem, (int)GMG_BETA_X + d, array->stride);
  gmg_arrays_see(service->view[d], service->store[d], array->stride);
  return gmg_arrays_move(s, service->store[d], GMG_NAME_F, array, span);
}

static gmg_status fluxes(gmg_solver *s, const struct gmg_service_call *c)
{
  gmg_status status = gmg_arrays_load(s, c->array[0]);
  for (int d = 0; d < 3 && !status; d++) {
    gmg_call_run(s->services.flux[d]);
    gmg_call_wait(s->context);
    add_boundary_values(&s->hierarchy, d);
    status = store(s, d, c->array[1 + d]);
  }
  if (!status)
    gmg_level_clear(s->hierarchy.finest, GMG_NAME_F); /* faces lie in its ghosts */
  return status;
}

gmg_status gmg_solver_fluxes(gmg_solver *solver, const gmg_array *u, gmg_array *flux_x,
                             gmg_array *flux_y, gmg_array *flux_z)
{
  const gmg_array *const arrays[] = {u, flux_x, flux_y, flux_z};
  return gmg_service_run(
    solver, &(struct gmg_service_call){"gmg_solver_fluxes", fluxes, arrays, 4, 1, .cycles = 1});
}
