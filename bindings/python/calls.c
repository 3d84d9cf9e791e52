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

/* The solver that SIGINT stops, and the handler that Python had installed. Python's main thread
 * alone writes them. */
static gmg_solver *volatile solving;
static struct sigaction of_python;

static void interrupted(int number, siginfo_t *info, void *context)
{
  if (solving)
    gmg_solver_stop(solving);
  if (of_python.sa_flags & SA_SIGINFO)
    of_python.sa_sigaction(number, info, context);
  else
    of_python.sa_handler(number);
}

/* Returns 1 where a handler was put in front of Python's; 0 where Python has none. */
static int begin(gmg_solver *solver)
{
  struct sigaction action = {.sa_sigaction = interrupted, .sa_flags = SA_SIGINFO | SA_RESTART};
  sigemptyset(&action.sa_mask);
  if (solving || sigaction(SIGINT, NULL, &of_python) || of_python.sa_handler == SIG_DFL
      || of_python.sa_handler == SIG_IGN)
    return 0;
  solving = solver;
  return sigaction(SIGINT, &action, NULL) == 0;
}

static void end(void)
{
  sigaction(SIGINT, &of_python, NULL);
  solving = NULL;
}

gmg_status gmg_python_solve(gmg_solver *solver, const gmg_array *f, gmg_array *u, int use_guess,
                            gmg_result *result, int main_thread)
{
  const int watched = main_thread && begin(solver);
  const gmg_status status = gmg_solver_solve(solver, f, u, use_guess, result);
  if (watched)
    end();
  return status;
}

gmg_status gmg_python_add_operators(gmg_context *context, uintptr_t operators)
{
  return gmg_context_add_operators(context, (const struct gmg_kernel_library *const *)operators);
}
