#include "service.h"

#include "arrays.h"
#include "bottom.h"
#include "boundary.h"
#include "cycle.h"
#include "openmp/bind.h"
#include "precision.h"
#include "refine.h"
#include "singular.h"
#include "transfer.h"

#include <math.h>

gmg_status gmg_service_check(struct gmg_solver *s, const char *call, const gmg_array *const *array, int arrays)
{
  if (!s->ready)
    return gmg_fail(s->context, GMG_ERR_ORDER, "%s comes after gmg_solver_setup", call);
  int cells = 1;
  for (int d = 0; d < 3; d++)
    cells = cells && s->grid->part_upper[d] > s->grid->part_lower[d];
  for (int n = 0; n < arrays; n++)
    if (!array[n] || (cells && !array[n]->data))
      return gmg_fail(s->context, GMG_ERR_ARGUMENT, "%s: an array is NULL", call);
  return GMG_OK;
}

static gmg_status bind(struct gmg_solver *s)
{
  static const struct gmg_rename to_image[] = {{"w", "image"}, {"r", "image"}, {NULL, NULL}};
  static const struct gmg_rename from_image[] = {{"y", "u"}, {"x", "image"}, {NULL, NULL}};
  struct gmg_level *finest = s->finest;
  struct gmg_services *service = &s->services;
  const struct {
    const struct gmg_kernel_descriptor *kernel;
    const struct gmg_rename *rename;
    struct gmg_call **call;
  } list[] = {{gmg_operator_kernel(s, GMG_APPLY), to_image, &service->apply},
              {gmg_operator_kernel(s, GMG_RESIDUAL), to_image, &service->residual},
              {gmg_written_kernel(s, "density"), from_image, &service->density}};
  for (size_t n = 0; n < sizeof list / sizeof *list; n++) {
    const gmg_status status = gmg_call_keep(list[n].kernel, finest, NULL, list[n].rename, list[n].call);
    if (status)
      return status;
  }
  service->ready = 1;
  return GMG_OK;
}

gmg_status gmg_service_bind(struct gmg_solver *s)
{
  return s->services.ready ? GMG_OK : gmg_agree(s->context, bind(s));
}

/* Checks, and prepares the ways of the arrays in and out. */
static gmg_status begin(struct gmg_solver *s, const char *call, const gmg_array *const *array, int arrays)
{
  gmg_status status = gmg_agree(s->context, gmg_service_check(s, call, array, arrays));
  if (!status)
    status = gmg_service_bind(s);
  if (!status)
    status = gmg_backend_attach(s);
  s->context->mpi_error = 0;
  return status;
}

static gmg_status end(struct gmg_solver *s)
{
  gmg_status status = GMG_OK;
  if (s->context->mpi_error)
    status = gmg_fail(s->context, GMG_ERR_MPI, "an MPI call failed");
  if (!status)
    status = gmg_device_status(s->context);
  return gmg_agree(s->context, status);
}

static gmg_status apply(struct gmg_solver *s, const gmg_array *u, gmg_array *w)
{
  gmg_status status = begin(s, "gmg_solver_apply", (const gmg_array *const[]){u, w}, 2);
  if (!status)
    status = gmg_arrays_load(s, u);
  if (status)
    return status;
  gmg_call_run(s->services.apply);
  gmg_call_run(s->services.density);
  status = gmg_arrays_store(s, w);
  return status ? status : end(s);
}

/* f of the finest level = the integrals of an array. */
static gmg_status load_integrals(struct gmg_solver *s, const gmg_array *f)
{
  const gmg_status status = gmg_arrays_load(s, f);
  if (status)
    return status;
  gmg_call_run(s->take_density);
  return GMG_OK;
}

static gmg_status residual(struct gmg_solver *s, const gmg_array *f, const gmg_array *u, gmg_array *r)
{
  gmg_status status = begin(s, "gmg_solver_residual", (const gmg_array *const[]){f, u, r}, 3);
  if (!status)
    status = load_integrals(s, f);
  if (status)
    return status;
  gmg_boundary_add(s);
  status = gmg_arrays_load(s, u);
  if (status)
    return status;
  gmg_call_run(s->services.residual);
  gmg_call_run(s->services.density);
  status = gmg_arrays_store(s, r);
  return status ? status : end(s);
}

/* Cycles on A u = f from u = 0; in mixed precision on the residual, whose size sets the scale of single precision. */
static void run_cycles(struct gmg_solver *s, int cycles)
{
  double size = 0;
  gmg_bottom_begin(s);
  if (gmg_refines(s)) {
    gmg_refine_forget(s);
    size = sqrt(gmg_reduce(&s->norm, NULL));
    if (size == 0)
      return;
    gmg_refine_begin(s, size);
  }
  for (int n = 0; n < cycles; n++) {
    gmg_cycle(s, 0, s->cycle);
    if (gmg_refines(s))
      size = gmg_refine(s, size);
  }
}

static gmg_status precondition(struct gmg_solver *s, const gmg_array *r, gmg_array *z, int cycles)
{
  gmg_status status = GMG_OK;
  if (cycles < 1)
    status = gmg_fail(s->context, GMG_ERR_ARGUMENT, "gmg_solver_precondition: %d cycles, expected at least 1", cycles);
  status = gmg_agree(s->context, status);
  if (!status)
    status = begin(s, "gmg_solver_precondition", (const gmg_array *const[]){r, z}, 2);
  if (!status)
    status = load_integrals(s, r);
  if (status)
    return status;
  if (s->singular)
    gmg_singular_project_f(s, 0);
  gmg_call_run(s->clear_u);
  run_cycles(s, cycles);
  gmg_singular_level_u(s);
  status = gmg_arrays_store(s, z);
  return status ? status : end(s);
}

gmg_status gmg_solver_apply(gmg_solver *solver, const gmg_array *u, gmg_array *w)
{
  if (!solver)
    return GMG_ERR_ARGUMENT;
  struct gmg_memory *outer = gmg_account(&solver->memory);
  gmg_together_begin(solver);
  const gmg_status status = apply(solver, u, w);
  gmg_together_end(solver);
  gmg_account(outer);
  return status;
}

gmg_status gmg_solver_residual(gmg_solver *solver, const gmg_array *f, const gmg_array *u, gmg_array *r)
{
  if (!solver)
    return GMG_ERR_ARGUMENT;
  struct gmg_memory *outer = gmg_account(&solver->memory);
  gmg_together_begin(solver);
  const gmg_status status = residual(solver, f, u, r);
  gmg_together_end(solver);
  gmg_account(outer);
  return status;
}

gmg_status gmg_solver_precondition(gmg_solver *solver, const gmg_array *r, gmg_array *z, int cycles)
{
  if (!solver)
    return GMG_ERR_ARGUMENT;
  struct gmg_memory *outer = gmg_account(&solver->memory);
  gmg_together_begin(solver);
  const gmg_status status = precondition(solver, r, z, cycles);
  gmg_together_end(solver);
  gmg_account(outer);
  return status;
}
