/* What is set of a solver before or between its solves, but for coefficients. */
#include "problem/solver.h"

#include "change.h"

#include <stdio.h>

gmg_status gmg_solver_set_average(gmg_solver *solver, gmg_average average)
{
  if (!solver)
    return GMG_ERR_ARGUMENT;
  if (solver->set_up)
    return gmg_fail(solver->context, GMG_ERR_ORDER,
                    "gmg_solver_set_average comes before gmg_solver_setup");
  if (average != GMG_HARMONIC && average != GMG_ARITHMETIC)
    return gmg_fail(solver->context, GMG_ERR_ARGUMENT, "gmg_solver_set_average: no such average");
  solver->problem.average = average;
  return GMG_OK;
}

static gmg_status ignore_option(gmg_solver *solver, const char *name)
{
  snprintf(solver->report.ignored, sizeof solver->report.ignored,
           "option %s: it was withdrawn and is ignored; %s", name, gmg_option_withdrawn(name));
  return GMG_OK;
}

gmg_status gmg_solver_set_option(gmg_solver *solver, const char *name, const char *value)
{
  if (!solver)
    return GMG_ERR_ARGUMENT;
  if (!name || !value)
    return gmg_fail(solver->context, GMG_ERR_ARGUMENT,
                    "gmg_solver_set_option: an argument is NULL");
  if (gmg_option_withdrawn(name))
    return ignore_option(solver, name);
  if (solver->set_up)
    return gmg_change_option(solver, name, value);
  char message[sizeof solver->context->message];
  const gmg_status status =
    gmg_options_set(&solver->problem.options, name, value, message, sizeof message);
  return status ? gmg_fail(solver->context, status, "%s", message) : GMG_OK;
}

/* By its type: text is the value. */
static gmg_status set_typed(gmg_solver *solver, const char *name, enum gmg_option_type type,
                            const char *text)
{
  static const char *const setter[] = {"gmg_solver_set_choice", "gmg_solver_set_integer",
                                       "gmg_solver_set_real", "gmg_solver_set_choice",
                                       "gmg_solver_set_option"};
  enum gmg_option_type has;
  if (!solver)
    return GMG_ERR_ARGUMENT;
  if (name && gmg_options_type(name, &has) == 0 && strcmp(setter[has], setter[type]) != 0)
    return gmg_fail(solver->context, GMG_ERR_OPTION, "%s: this option is set by %s", name,
                    setter[has]);
  return gmg_solver_set_option(solver, name, text);
}

gmg_status gmg_solver_set_integer(gmg_solver *solver, const char *name, int value)
{
  char text[16];
  snprintf(text, sizeof text, "%d", value);
  return set_typed(solver, name, GMG_OPTION_INTEGER, text);
}

gmg_status gmg_solver_set_real(gmg_solver *solver, const char *name, double value)
{
  char text[40];
  snprintf(text, sizeof text, "%.17g", value);
  for (char *c = text; *c; c++) /* the application's locale may have a comma */
    *c = *c == ',' ? '.' : *c;
  return set_typed(solver, name, GMG_OPTION_REAL, text);
}

gmg_status gmg_solver_set_choice(gmg_solver *solver, const char *name, const char *word)
{
  return set_typed(solver, name, GMG_OPTION_CHOICE, word);
}

gmg_status gmg_solver_set_monitor(gmg_solver *solver, gmg_monitor *monitor, void *user)
{
  if (!solver)
    return GMG_ERR_ARGUMENT;
  solver->report.monitor = monitor;
  solver->report.monitor_user = user;
  return GMG_OK;
}

gmg_status gmg_solver_set_stream(gmg_solver *solver, void *stream)
{
  if (!solver)
    return GMG_ERR_ARGUMENT;
  solver->placement.stream = stream;
  return GMG_OK;
}
