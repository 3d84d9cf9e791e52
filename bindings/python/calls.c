#include "config.h" /* GMG_WITH_MPI, and with it mpi.h, which comes before gmg.h */

#if GMG_WITH_MPI
#include <mpi.h>
#endif
#include "calls.h"

#include <signal.h>

const char *gmg_python_version(void)
{
  return GMG_VERSION;
}

int gmg_python_with_mpi(void)
{
  return GMG_WITH_MPI;
}

const char *gmg_python_mpi_library(void)
{
#if GMG_WITH_MPI
  static char text[MPI_MAX_LIBRARY_VERSION_STRING];
  int length = 0;
  if (MPI_Get_library_version(text, &length) == MPI_SUCCESS)
    return text;
#endif
  return "";
}

gmg_status gmg_python_context_create(uintptr_t communicator, int threads, gmg_context **context)
{
  if (!communicator)
    return gmg_context_create(threads, context);
#if GMG_WITH_MPI
  return gmg_context_create_mpi(*(MPI_Comm *)communicator, threads, context);
#else
  return GMG_ERR_UNSUPPORTED;
#endif
}

int gmg_python_mpi_finalized(void)
{
  int finalized = 0;
#if GMG_WITH_MPI
  MPI_Finalized(&finalized);
#endif
  return finalized;
}

/* A call under way that SIGINT ends, and what it tells Python of itself. */
struct call {
  gmg_solver *solver;
  gmg_python_monitor *monitor;
  gmg_python_progress *progress;
  int watched; /* its thread is the one that Python handles signals in */
};

/* The solver that SIGINT stops, whether it has come, and the handler that Python had installed.
 * Python's main thread alone writes the first and the last. */
static gmg_solver *volatile solving;
static volatile sig_atomic_t caught;
static struct sigaction of_python;

static void interrupted(int number)
{
  (void)number;
  caught = 1;
  if (solving)
    gmg_solver_stop(solving);
}

/* Puts a handler in front of Python's. Returns 0 where Python has none, or another call is watched
 * already: SIGINT does then what it did. */
static int watch(gmg_solver *solver)
{
  struct sigaction action = {.sa_handler = interrupted, .sa_flags = SA_RESTART};
  sigemptyset(&action.sa_mask);
  if (solving || sigaction(SIGINT, NULL, &of_python) || of_python.sa_handler == SIG_DFL
      || of_python.sa_handler == SIG_IGN)
    return 0;
  solving = solver;
  return sigaction(SIGINT, &action, NULL) == 0;
}

static void unwatch(void)
{
  sigaction(SIGINT, &of_python, NULL);
  solving = NULL;
}

static void begin(struct call *call, int main_thread)
{
  if (main_thread && !solving)
    caught = 0;
  call->watched = main_thread && watch(call->solver);
}

/* Hands a SIGINT that came during the call to Python. */
static void end(const struct call *call)
{
  if (!call->watched)
    return;
  unwatch();
  if (caught)
    raise(SIGINT);
}

/* Whether Python may be told something: not after a SIGINT, whose exception would then be raised in
 * what is told, or before it has begun. While Python runs, SIGINT is Python's. */
static int may_tell(struct call *call)
{
  if (call->watched && caught)
    return 0;
  if (call->watched)
    unwatch();
  return 1;
}

static void told(struct call *call, int good)
{
  call->watched = call->watched && watch(call->solver);
  if (!good)
    gmg_solver_stop(call->solver);
}

static void monitored(void *user, int cycle, double norm, double relative, double seconds)
{
  struct call *call = user;
  if (may_tell(call))
    told(call, call->monitor(cycle, norm, relative, seconds));
}

static void progressed(void *user, const char *subject, int measured, int of, double left)
{
  struct call *call = user;
  if (may_tell(call))
    told(call, call->progress(subject, measured, of, left));
}

gmg_status gmg_python_solve(gmg_solver *solver, const gmg_array *f, gmg_array *u, int use_guess,
                            gmg_result *result, gmg_python_monitor *monitor, int main_thread)
{
  struct call call = {.solver = solver, .monitor = monitor};
  gmg_status status = gmg_solver_set_monitor(solver, monitor ? monitored : NULL, &call);
  if (status)
    return status;
  begin(&call, main_thread);
  status = gmg_solver_solve(solver, f, u, use_guess, result);
  end(&call);
  if (monitor)
    gmg_solver_set_monitor(solver, NULL, NULL);
  return status;
}

gmg_status gmg_python_tune(gmg_solver *solver, double budget, int exhaustive,
                           gmg_python_progress *progress, gmg_tuning_result *result,
                           int main_thread)
{
  struct call call = {.solver = solver, .progress = progress};
  const gmg_tuning tuning = {.budget = budget,
                             .exhaustive = exhaustive,
                             .progress = progress ? progressed : NULL,
                             .user = &call};
  begin(&call, main_thread);
  const gmg_status status = gmg_solver_tune(solver, &tuning, result);
  end(&call);
  return status;
}

gmg_status gmg_python_add_operators(gmg_context *context, uintptr_t operators)
{
  return gmg_context_add_operators(context, (const struct gmg_kernel_library *const *)operators);
}
