/* What is set of a solver before or between its solves, but for coefficients. */
#include "problem/solver.h"

#include "system/memory.h"

#include <stdio.h>
#include <string.h>

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

/* Room for the norms of as many cycles. */
static gmg_status make_history(gmg_solver *s, int cycles)
{
  if (cycles <= s->report.history)
    return GMG_OK;
  const size_t entries = (size_t)cycles + 1;
  double *norms = gmg_realloc(s->report.residual_history, entries * sizeof *norms);
  s->report.residual_history = norms ? norms : s->report.residual_history;
  double *seconds = gmg_realloc(s->report.seconds_history, entries * sizeof *seconds);
  s->report.seconds_history = seconds ? seconds : s->report.seconds_history;
  if (!norms || !seconds)
    return gmg_no_memory(s->context, "for the norms of %d cycles", cycles);
  s->report.history = cycles;
  return GMG_OK;
}

/* Of a solver that is set up. Errors: GMG_ERR_ORDER where setup has fixed the option; then, and
 * where there is too little memory, it is as before. */
static gmg_status change_option(gmg_solver *s, const char *name, const char *value)
{
  struct gmg_options changed = s->problem.options;
  char message[sizeof s->context->message];
  const int may = strcmp(name, "rtol") == 0 || strcmp(name, "atol") == 0
    || strcmp(name, "norm") == 0 || strcmp(name, "max-cycles") == 0;
  gmg_status status = gmg_options_set(&changed, name, value, message, sizeof message);
  if (status)
    return gmg_fail(s->context, status, "%s", message);
  if (!may)
    return gmg_fail(
      s->context, GMG_ERR_ORDER,
      "%s: gmg_solver_setup has fixed it; rtol, atol, norm and max-cycles may change after it",
      name);
  struct gmg_memory *outer = gmg_account(&s->memory);
  status = make_history(s, changed.max_cycles);
  gmg_account(outer);
  if (!status)
    s->problem.options = changed;
  return status;
}

gmg_status gmg_solver_set_option(gmg_solver *solver, const char *name, const char *value)
{
  if (!solver)
    return GMG_ERR_ARGUMENT;
  if (!name || !value)
    return gmg_fail(solver->context, GMG_ERR_ARGUMENT,
                    "gmg_solver_set_option: an argument is NULL");
  if (gmg_option_withdrawn(name)) {
    snprintf(solver->report.ignored, sizeof solver->report.ignored,
             "option %s: it was withdrawn and is ignored; %s", name, gmg_option_withdrawn(name));
    return GMG_OK;
  }
  if (solver->set_up)
    return change_option(solver, name, value);
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
  solver->problem.stream = stream;
  return GMG_OK;
}

void gmg_solver_stop(gmg_solver *solver)
{
  if (solver)
    atomic_store(&solver->report.stop, 1);
}
