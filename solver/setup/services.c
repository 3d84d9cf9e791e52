#include "services.h"

#include "problem/kernels.h"

#include <stdio.h>
#include <string.h>

static const enum gmg_place face_place[3] = {GMG_FACE_I, GMG_FACE_J, GMG_FACE_K};

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
  static const struct gmg_rename to_f[] = {{"w", "f"}, {"r", "f"}, {NULL, NULL}};
  static const struct gmg_rename from_f[] = {{"y", "u"}, {"x", "f"}, {NULL, NULL}};
  struct gmg_services *service = &s->services;
  const struct {
    const struct gmg_kernel_descriptor *kernel;
    const struct gmg_rename *rename;
    struct gmg_call **call;
  } list[] = {{gmg_operator_kernel(&s->problem, GMG_APPLY), to_f, &service->apply},
              {gmg_operator_kernel(&s->problem, GMG_RESIDUAL), to_f, &service->residual},
              {gmg_written_kernel(&s->problem, "density"), from_f, &service->density}};
  for (size_t n = 0; n < sizeof list / sizeof *list; n++) {
    const gmg_status status =
      gmg_call_keep(list[n].kernel, s->hierarchy.finest, NULL, list[n].rename, list[n].call);
    if (status)
      return status;
  }
  return bind_fluxes(s);
}

gmg_status gmg_services_plan(gmg_solver *s)
{
  const ptrdiff_t dense[3] = {1, 1, 1}; /* others before they are used */
  struct gmg_services *service = &s->services;
  int missing = 0;
  for (int d = 0; d < 3 && service->flux[d]; d++) {
    service->view[d] = gmg_storage_view(s->arrays.bricks, dense);
    gmg_status status = service->view[d] ? GMG_OK : GMG_ERR_MEMORY;
    if (gmg_agree(s->context, status) == GMG_OK)
      service->store[d] = gmg_exchange_redistribute(&s->context->comm, s->hierarchy.finest->storage,
                                                    service->view[d], face_place[d]);
    missing |= !service->store[d];
  }
  return gmg_agree(s->context,
                   missing ? gmg_fail(s->context, GMG_ERR_MEMORY, "out of memory for the fluxes")
                           : GMG_OK);
}

void gmg_services_destroy(gmg_solver *s)
{
  for (int d = 0; d < 3; d++) {
    gmg_exchange_destroy(&s->services.store[d]);
    gmg_storage_destroy(&s->services.view[d]);
  }
}
