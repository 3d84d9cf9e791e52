#include "stop.h"

void gmg_solver_stop(gmg_solver *solver)
{
  if (solver)
    atomic_store(&solver->report.stop, 1);
}

void gmg_stop_begin(gmg_solver *solver)
{
  solver->context->comm.stop = &solver->report.stop;
  solver->context->comm.stopped = 0;
}

int gmg_stop_agreed(const gmg_solver *solver)
{
  return solver->context->comm.stopped;
}

void gmg_stop_end(gmg_solver *solver)
{
  solver->context->comm.stop = NULL;
  atomic_store(&solver->report.stop, 0);
}
