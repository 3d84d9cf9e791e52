#include "service.h"

#include "problem/arrays.h"
#include "cycle/bottom.h"
#include "cycle/boundary.h"
#include "cycle/cycle.h"
#include "fourier/fourier.h"
#include "cycle/precision.h"
#include "method/refine.h"
#include "problem/same.h"
#include "cycle/singular.h"

#include <math.h>

/* The arrays that a call fills: the last one, or the last three on faces. */
static gmg_status check_outputs(gmg_solver *s, const struct gmg_service_call *c)
{
  static const char *const name[3] = {"flux_x", "flux_y", "flux_z"};
  gmg_status status = GMG_OK;
  if (!c->faces)
    return gmg_arrays_check_output(&s->problem, c->name, "the result", c->array[c->arrays - 1],
                                   GMG_CELL);
  if (!s->services.flux[0])
    return gmg_fail(s->context, GMG_ERR_UNSUPPORTED,
                    "%s: operator '%s' is not known to be a sum of fluxes through faces; constant7 "
                    "and variable7 are",
                    c->name, s->problem.op->name);
  for (int d = 0; d < 3 && !status; d++)
    status = gmg_arrays_check_output(&s->problem, c->name, name[d], c->array[c->arrays - 3 + d],
                                     gmg_face(d));
  return status;
}

static gmg_status check(gmg_solver *s, const struct gmg_service_call *c)
{
  if (c->cycles < 1)
    return gmg_fail(s->context, GMG_ERR_ARGUMENT, "%s: %d cycles, expected at least 1", c->name,
                    c->cycles);
  if (!s->set_up)
    return gmg_fail(s->context, GMG_ERR_ORDER, "%s comes after gmg_solver_setup", c->name);
  const int cells = gmg_grid_has_part(s->problem.grid);
  for (int n = 0; n < c->arrays; n++)
    if (!c->array[n] || (cells && !c->array[n]->data))
      return gmg_fail(s->context, GMG_ERR_ARGUMENT, "%s: an array is NULL", c->name);
  const gmg_status status = gmg_arrays_check_reach(s, c->name, c->array, c->arrays);
  return status ? status : check_outputs(s, c);
}

gmg_status gmg_service_run(gmg_solver *s, const struct gmg_service_call *c)
{
  if (!s)
    return GMG_ERR_ARGUMENT;
  const struct gmg_same same = {.call = c->name,
                                .solver = s,
                                .choice = {{"number of cycles", c->cycles, NULL}},
                                .array = c->array,
                                .arrays = c->arrays};
  gmg_status status = gmg_same(s->context, check(s, c), &same);
  if (status)
    return status;
  struct gmg_memory *outer = gmg_account(&s->memory);
  s->context->mpi_error = 0;
  status = c->run(s, c);
  if (!status)
    status =
      gmg_agree(s->context,
                s->context->mpi_error ? gmg_fail(s->context, GMG_ERR_MPI, "an MPI call failed")
                                      : gmg_device_status(s->context));
  gmg_account(outer);
  return status;
}

/* The result of a call, over the volume of the cells. */
static gmg_status store_density(gmg_solver *s, struct gmg_call *call, const gmg_array *array)
{
  gmg_call_run(call);
  gmg_call_run(s->services.density);
  return gmg_arrays_store(s, array);
}

static gmg_status apply(gmg_solver *s, const struct gmg_service_call *c)
{
  const gmg_status status = gmg_arrays_load(s, c->array[0]);
  return status ? status : store_density(s, s->services.apply, c->array[1]);
}

/* f of the finest level = the integrals of an array. */
static gmg_status load_integrals(gmg_solver *s, const gmg_array *f)
{
  const gmg_status status = gmg_arrays_load(s, f);
  if (!status)
    gmg_call_run(s->hierarchy.take_density);
  return status;
}

static gmg_status residual(gmg_solver *s, const struct gmg_service_call *c)
{
  gmg_status status = load_integrals(s, c->array[0]);
  if (status)
    return status;
  if (!gmg_placement_add_sources(&s->placement, s->hierarchy.refinement.residual_scale))
    gmg_boundary_add(&s->hierarchy);
  status = gmg_arrays_load(s, c->array[1]);
  return status ? status : store_density(s, s->services.residual, c->array[2]);
}

/* Cycles on A u = f from u = 0; in mixed precision on the residual, whose size sets the scale of
 * single precision. */
static void run_cycles(struct gmg_hierarchy *h, int cycles)
{
  double size = 0;
  gmg_bottom_begin(h);
  if (gmg_refines(h)) {
    gmg_refine_forget(h);
    size = sqrt(gmg_reduce(&h->norm, NULL));
    if (size == 0)
      return;
    gmg_refine_begin(h, size);
  }
  for (int n = 0; n < cycles; n++) {
    gmg_cycle(h, 0, h->cycle);
    if (gmg_refines(h))
      size = gmg_refine(h, size);
  }
}

static gmg_status precondition(gmg_solver *s, const struct gmg_service_call *c)
{
  struct gmg_hierarchy *h = &s->hierarchy;
  const gmg_status status = load_integrals(s, c->array[0]);
  if (status)
    return status;
  if (s->problem.singular)
    gmg_singular_project_f(h, 0);
  gmg_call_run(h->clear_u);
  if (s->fourier)
    gmg_fourier_solve(s, 1);
  else
    run_cycles(h, c->cycles);
  gmg_singular_level_u(h);
  return gmg_arrays_store(s, c->array[1]);
}

gmg_status gmg_solver_apply(gmg_solver *solver, const gmg_array *u, gmg_array *w)
{
  const gmg_array *const arrays[] = {u, w};
  return gmg_service_run(
    solver, &(struct gmg_service_call){"gmg_solver_apply", apply, arrays, 2, .cycles = 1});
}

gmg_status gmg_solver_residual(gmg_solver *solver, const gmg_array *f, const gmg_array *u,
                               gmg_array *r)
{
  const gmg_array *const arrays[] = {f, u, r};
  return gmg_service_run(
    solver, &(struct gmg_service_call){"gmg_solver_residual", residual, arrays, 3, .cycles = 1});
}

gmg_status gmg_solver_precondition(gmg_solver *solver, const gmg_array *r, gmg_array *z, int cycles)
{
  const gmg_array *const arrays[] = {r, z};
  return gmg_service_run(solver,
                         &(struct gmg_service_call){"gmg_solver_precondition", precondition, arrays,
                                                    2, .cycles = cycles});
}
