/* Values from the caller's arrays to a program's, and back. */
#include "place.h"

#include "problem/arrays.h"
#include "problem/same.h"

static gmg_status check(const gmg_program *program, const char *call, const char *name, int array,
                        const gmg_array *values, int back)
{
  struct gmg_problem problem = {.grid = program->grid};
  if (array < 0)
    return gmg_fail(program->context, GMG_ERR_ARGUMENT, "%s: program %s has no array '%s'", call,
                    program->made->name, name ? name : "(NULL)");
  if (program->made->precision != GMG_F64)
    return gmg_fail(program->context, GMG_ERR_UNSUPPORTED,
                    "%s: program %s is in single precision; gmg_program_view shows its values",
                    call, program->made->name);
  if (!values || (!values->data && gmg_grid_has_part(program->grid)))
    return gmg_fail(program->context, GMG_ERR_ARGUMENT, "%s: values for '%s' are NULL", call, name);
  return back ? gmg_arrays_check_output(&problem, call, name, values, GMG_CELL) : GMG_OK;
}

/* Parts of the grid, and the exchange one way. */
static gmg_status plan(gmg_program *program, int back)
{
  const ptrdiff_t dense[3] = {1, 1, 1}; /* others before they are used */
  gmg_status status = program->bricks ? GMG_OK : gmg_arrays_bricks(program->grid, &program->bricks);
  if (status || program->carry[back])
    return status;
  if (!program->view[back])
    program->view[back] = gmg_storage_view(program->bricks, dense);
  const struct gmg_storage *from = back ? program->storage : program->view[0],
                           *to = back ? program->view[1] : program->storage;
  status = gmg_agree(program->context,
                     program->view[back]
                       ? GMG_OK
                       : gmg_no_memory(program->context, "for what moves the caller's arrays"));
  if (!status)
    program->carry[back] = gmg_exchange_redistribute(&program->context->comm, from, to, GMG_CELL);
  if (!status && !program->carry[back])
    status = gmg_no_memory(program->context, "for what moves the caller's arrays");
  return gmg_agree(program->context, status);
}

static gmg_status carry(gmg_program *program, const char *call, const char *name,
                        const gmg_array *values, int back)
{
  if (!program)
    return GMG_ERR_ARGUMENT;
  const int array = gmg_program_find(program, name);
  const struct gmg_same same = {.call = call, .choice = {{"array", array, NULL}}};
  gmg_status status =
    gmg_same(program->context, check(program, call, name, array, values, back), &same);
  struct gmg_memory *outer = gmg_account(&program->memory);
  if (!status)
    status = plan(program, back);
  if (!status) {
    void *own = program->data[array];
    gmg_placed_open(program, array, back ? GMG_READ : GMG_CHANGE);
    gmg_arrays_see(program->view[back], program->carry[back], values->stride);
    if (gmg_exchange_run(program->carry[back], back ? own : values->data,
                         back ? (void *)values->data : own))
      status = gmg_fail(program->context, GMG_ERR_MPI, "%s: an exchange failed", call);
    if (!status && program->placed)
      status = gmg_device_status(program->context);
    status = gmg_agree(program->context, status);
  }
  gmg_account(outer);
  return status;
}

gmg_status gmg_program_load(gmg_program *program, const char *name, const gmg_array *values)
{
  return carry(program, "gmg_program_load", name, values, 0);
}

gmg_status gmg_program_store(gmg_program *program, const char *name, gmg_array *values)
{
  return carry(program, "gmg_program_store", name, values, 1);
}
