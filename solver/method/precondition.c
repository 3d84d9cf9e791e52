#include "precondition.h"

#include "cycle/cycle.h"
#include "cycle/precision.h"
#include "cycle/singular.h"

void gmg_precondition(struct gmg_hierarchy *h, double size)
{
  if (gmg_refines(h)) {
    gmg_precision_scale(h, size);
    gmg_precision_take_f(h);
  }
  gmg_cycle_from_zero(h, 0, h->cycle);
  if (gmg_refines(h))
    gmg_precision_give_u(h);
  gmg_singular_level_u(h);
}
