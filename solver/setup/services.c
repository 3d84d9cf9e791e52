#include "services.h"

#include "problem/kernels.h"

#include <stdio.h>
#include <string.h>

static gmg_status bind_fluxes(gmg_solver *s)
{
  const int variable = strcmp(s->problem.op->name, "variable7") == 0;
  for (int d = 0; d < 3 && (variable || strcmp(s->problem.op->name, "constant7") == 0); d++) {
    char kernel[24], field[8];
    snprintf(kernel, sizeof kernel, "flux_%s_%c", variable ? "variable" : "constant", "ijk"[d]);
    snprintf(field, sizeof field, "flux_%c", "ijk"[d]);
    const struct gmg_rename to_f[] = {{field, "f"}, {NULL, NULL}};
    struct gmg_call **call = &s->services.flux[d];
    const gmg_status status =
      gmg_call_keep(gmg_written_kernel(&s->problem, kernel), s->hierarchy.finest, NULL, to_f, call);
    if (status)
      return status;
    gmg_call_set(*call, GMG_SCALAR_S, -1);
  }
  return GMG_OK;
}

/* Results take the place of f, each cell's of its own alone. */
gmg_status gmg_services_bind(gmg_solver *s)
{
  struct gmg_services *service = &s->services;
  const struct gmg_binding list[] = {{&service->apply, "apply", {{"w", "f"}}},
                                     {&service->residual, "residual", {{"r", "f"}}},
                                     {&service->density, "density", {{"y", "u"}, {"x", "f"}}}};
  const gmg_status status = gmg_bind_all(&s->problem, s->hierarchy.finest, list, GMG_LENGTH(list));
  return status ? status : bind_fluxes(s);
}

gmg_status gmg_services_plan(gmg_solver *s)
{
  const ptrdiff_t dense[3] = {1, 1, 1}; /* others before they are used */
  struct gmg_services *service = &s->services;
  int missing = 0;
  for (int d = 0; d < 3 && service->flux[d]; d++) {
    service->view[d] = gmg_storage_view(s->arrays.bricks, dense);
    if (!gmg_agree(s->context, service->view[d] ? GMG_OK : GMG_ERR_MEMORY))
      service->store[d] = gmg_exchange_redistribute(&s->context->comm, s->hierarchy.finest->storage,
                                                    service->view[d], gmg_face(d));
    missing |= !service->store[d];
  }
  return gmg_agree(s->context, missing ? gmg_no_memory(s->context, "for the fluxes") : GMG_OK);
}

void gmg_services_destroy(gmg_solver *s)
{
  for (int d = 0; d < 3; d++) {
    gmg_exchange_destroy(&s->services.store[d]);
    gmg_storage_destroy(&s->services.view[d]);
  }
}
