#include "precondition.h"

#include "cycle/cycle.h"
#include "cycle/precision.h"
#include "cycle/singular.h"

void gmg_precondition(struct gmg_solver *s, double size)
{
  if (gmg_refines(&s->hierarchy)) {
    gmg_precision_scale(&s->hierarchy, size);
    gmg_precision_take_f(&s->hierarchy);
  }
  gmg_cycle_from_zero(&s->hierarchy, 0, s->hierarchy.cycle);
  if (gmg_refines(&s->hierarchy))
    gmg_precision_give_u(&s->hierarchy);
  gmg_singular_level_u(&s->hierarchy);
}
