#include "cycle.h"

#include "bottom.h"
#include "smooth.h"
#include "transfer.h"

void gmg_cycle_v(struct gmg_solver *solver, int l)
{
  const int coarse = l + 1;
  if (coarse == solver->levels) {
    gmg_bottom_solve(solver);
    return;
  }
  gmg_smooth(solver, l, solver->options.pre);
  gmg_restrict_residual(solver, l); /* f_coarse = R (f - A u) */
  gmg_set_zero(solver, coarse);     /* u_coarse = 0 */
  gmg_cycle_v(solver, coarse);      /* A_coarse u_coarse = f_coarse */
  gmg_interpolate(solver, l);       /* u += P u_coarse */
  gmg_smooth(solver, l, solver->options.post);
}
