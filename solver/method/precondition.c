#include "precondition.h"

#include "cycle/cycle.h"
#include "cycle/precision.h"
#include "cycle/singular.h"

void gmg_precondition(struct gmg_solver *s, double size)
{
  if (gmg_refines(s)) {
    gmg_precision_scale(s, size);
    gmg_precision_take_f(s);
  }
  gmg_cycle_from_zero(s, 0, s->hierarchy.cycle);
  if (gmg_refines(s))
    gmg_precision_give_u(s);
  gmg_singular_level_u(s);
}
