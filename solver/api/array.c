/* Arrays for the caller, where the solver computes. */
#include "problem/arrays.h"
#include "runtime/launch.h"
#include "problem/solver.h"
#include "setup/placement.h"

#include <stdlib.h>
#include <string.h>

gmg_status gmg_solver_array_create(gmg_solver *s, gmg_array *array)
{
  if (!s)
    return GMG_ERR_ARGUMENT;
  if (!array)
    return gmg_fail(s->context, GMG_ERR_ARGUMENT, "gmg_solver_array_create: array is NULL");
  const struct gmg_backend *backend = s->placement.backend;
  if (!s->set_up && s->problem.options.backend != GMG_BACKEND_OPENMP) {
    struct gmg_device_info info = {.reason = ""};
    const int here = gmg_placement_open(s, &info);
    if (!here && s->problem.options.backend == GMG_BACKEND_CUDA)
      return gmg_fail(s->context, GMG_ERR_UNSUPPORTED, "backend: cuda: %s", info.reason);
    backend = here ? s->context->backend : NULL;
  }
  *array = (gmg_array){.stride = {1, 0, 0}};
  for (int d = 1; d < 3; d++)
    array->stride[d] = array->stride[d - 1]
      * (s->problem.grid->part_upper[d - 1] - s->problem.grid->part_lower[d - 1]);
  const size_t bytes = (gmg_grid_span(s->problem.grid, array->stride) + 1) * sizeof(double);
  array->data = backend ? backend->allocate(s->context, bytes) : malloc(bytes); /* the caller's */
  return array->data ? GMG_OK : gmg_no_memory(s->context, "for an array of %zu bytes", bytes);
}

gmg_status gmg_solver_array_copy(gmg_solver *s, const gmg_array *from, gmg_array *to)
{
  if (!s)
    return GMG_ERR_ARGUMENT;
  if (!from || !to || memcmp(from->stride, to->stride, sizeof from->stride) != 0)
    return gmg_fail(s->context, GMG_ERR_ARGUMENT,
                    "gmg_solver_array_copy: an array is NULL, or their strides differ");
  for (int d = 0; d < 3; d++)
    if (from->stride[d] < 0)
      return gmg_fail(s->context, GMG_ERR_ARGUMENT,
                      "gmg_solver_array_copy: a stride is %td: expected none below 0",
                      from->stride[d]);
  const gmg_status status =
    gmg_arrays_check_output(&s->problem, "gmg_solver_array_copy", "to", to, GMG_CELL);
  if (status)
    return status;
  const size_t bytes = gmg_grid_span(s->problem.grid, from->stride) * sizeof(double);
  if (bytes == 0)
    return GMG_OK;
  if (gmg_device_holds(s->context, from->data) || gmg_device_holds(s->context, to->data))
    s->context->backend->copy(&s->placement, from->data, to->data, bytes);
  else
    memmove(to->data, from->data, bytes);
  return gmg_device_status(s->context);
}

void gmg_solver_array_destroy(gmg_solver *s, gmg_array *array)
{
  if (!s || !array || !array->data)
    return;
  if (gmg_device_holds(s->context, array->data))
    s->context->backend->free(s->context, array->data);
  else
    free(array->data);
  array->data = NULL;
}
