#include "kernels.h"

#include "system/text.h"

static const struct gmg_kernel_descriptor *find(const struct gmg_problem *problem,
                                                const struct gmg_operator_descriptor *op,
                                                enum gmg_kernel_role role,
                                                enum gmg_precision precision)
{
  const struct gmg_kernel_descriptor *found = NULL;
  for (int n = 0; n < op->kernels; n++) {
    const struct gmg_kernel_descriptor *kernel = op->kernel[n];
    if (kernel->role != role || kernel->precision != precision
        || kernel->rows_stored != problem->rows)
      continue;
    if (!kernel->variant[0] && !found)
      found = kernel;
    else if (problem->uniform_alpha && gmg_same_text(kernel->variant, "uniform_alpha"))
      found = kernel;
  }
  return found;
}

const struct gmg_kernel_descriptor *gmg_operator_kernel(const struct gmg_problem *problem,
                                                        enum gmg_kernel_role role)
{
  return find(problem, problem->op, role, GMG_F64);
}

const struct gmg_kernel_descriptor *gmg_level_kernel_in(const struct gmg_problem *problem,
                                                        const struct gmg_level *level,
                                                        enum gmg_kernel_role role,
                                                        enum gmg_precision precision)
{
  return find(problem, level->op, role, precision);
}

const struct gmg_kernel_descriptor *gmg_level_kernel(const struct gmg_problem *problem,
                                                     const struct gmg_level *level,
                                                     enum gmg_kernel_role role)
{
  return find(problem, level->op, role, GMG_F64);
}

const struct gmg_kernel_descriptor *gmg_written_kernel(const struct gmg_problem *problem,
                                                       const char *name)
{
  const struct gmg_kernel_library *library = problem->grid->context->library;
  for (int n = 0; n < library->kernels; n++)
    if (library->kernel[n]->precision == GMG_F64 && library->kernel[n]->rows_stored == problem->rows
        && gmg_same_text(library->kernel[n]->name, name))
      return library->kernel[n];
  return NULL;
}

int gmg_operator_has(const struct gmg_operator_descriptor *op, const char *name)
{
  for (int n = 0; n < op->kernels; n++) {
    const struct gmg_kernel_descriptor *kernel = op->kernel[n];
    for (int f = 0; f < kernel->fields; f++)
      if (gmg_same_text(kernel->field[f].name, name))
        return 1;
    for (int s = 0; s < kernel->scalars; s++)
      if (gmg_same_text(kernel->scalar[s], name))
        return 1;
  }
  return 0;
}

static const struct gmg_kernel_descriptor *
named_kernel(const struct gmg_problem *problem, const struct gmg_level *level, const char *name)
{
  static const struct {
    const char *name;
    enum gmg_kernel_role role;
  } roles[] = {{"apply", GMG_APPLY},
               {"residual", GMG_RESIDUAL},
               {"residual_norm", GMG_RESIDUAL_NORM},
               {"residual_single", GMG_RESIDUAL_SINGLE},
               {"terms_norm", GMG_TERMS_NORM}};
  for (size_t n = 0; n < GMG_LENGTH(roles); n++)
    if (gmg_same_text(roles[n].name, name))
      return gmg_level_kernel(problem, level, roles[n].role);
  return gmg_written_kernel(problem, name);
}

gmg_status gmg_bind_all(const struct gmg_problem *problem, struct gmg_level *level,
                        const struct gmg_binding *list, size_t count)
{
  gmg_status status = GMG_OK;
  for (size_t n = 0; n < count && !status; n++)
    status = gmg_call_keep(named_kernel(problem, level, list[n].name), level, NULL, list[n].rename,
                           list[n].call);
  return status;
}

void gmg_run_scaled(struct gmg_call *call, double s)
{
  gmg_call_set(call, GMG_SCALAR_S, s);
  gmg_call_run(call);
}
