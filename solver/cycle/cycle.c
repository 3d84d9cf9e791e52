#include "cycle.h"

#include "bottom.h"
#include "fmg.h"
#include "precision.h"
#include "smooth.h"
#include "transfer.h"

/* What a cycle does after its first visit to a level below: a W another W, an F a V. */
static void cycle_again(struct gmg_solver *solver, int l, enum gmg_cycle_kind kind)
{
  if (kind != GMG_CYCLE_V && solver->hierarchy.level[l].twice)
    gmg_cycle(solver, l, kind == GMG_CYCLE_W ? GMG_CYCLE_W : GMG_CYCLE_V);
}

void gmg_cycle_down(struct gmg_solver *solver, int l, struct gmg_reducer *norm, int whole)
{
  gmg_smooth_before(solver, l);
  gmg_restrict_residual(solver, l, norm,
                        whole); /* f_coarse = R (f - A u), with the norm of f - A u */
}

void gmg_cycle_up(struct gmg_solver *solver, int l, enum gmg_cycle_kind kind)
{
  const int coarse = l + 1;
  gmg_cycle_from_zero(solver, coarse, kind); /* A_coarse u_coarse = f_coarse */
  cycle_again(solver, coarse, kind);
  gmg_interpolate(solver, l); /* u += P u_coarse */
  gmg_smooth_after(solver, l);
}

void gmg_cycle(struct gmg_solver *solver, int l, enum gmg_cycle_kind kind)
{
  if (l + 1 == solver->hierarchy.levels) {
    gmg_bottom_solve(solver);
    return;
  }
  gmg_cycle_down(solver, l, NULL, 0);
  gmg_cycle_up(solver, l, kind);
}

void gmg_cycle_from_zero(struct gmg_solver *solver, int l, enum gmg_cycle_kind kind)
{
  if (l + 1 == solver->hierarchy.levels) {
    gmg_set_zero(solver, l);
    gmg_bottom_solve(solver);
    return;
  }
  gmg_smooth_from_zero(solver, l);
  gmg_restrict_residual(solver, l, NULL, 0);
  gmg_cycle_up(solver, l, kind);
}

void gmg_cycle_fmg(struct gmg_solver *solver, int l)
{
  if (l + 1 == solver->hierarchy.levels) {
    gmg_cycle_from_zero(solver, l, GMG_CYCLE_V);
    return;
  }
  gmg_cycle_fmg(solver, l + 1);
  gmg_fmg_start(solver, l); /* u = P u_coarse */
  gmg_cycle(solver, l, GMG_CYCLE_V);
}

void gmg_cycle_fmg_correct(struct gmg_solver *solver)
{
  gmg_fmg_restrict_correction(solver);
  if (gmg_refines(solver)) {
    gmg_cycle_fmg(solver, 0);
    return;
  }
  gmg_cycle_fmg(solver, 1);
  gmg_fmg_add(solver); /* u += P u_coarse */
  gmg_cycle(solver, 0, GMG_CYCLE_V);
}
