#include "cycles.h"

void gmg_cycles_exchange(struct gmg_solver *s)
{
  const struct gmg_cycles now = {s->hierarchy.precision, s->hierarchy.level, s->hierarchy.bottom,
                                 s->hierarchy.refinement, s->placement.sources};
  s->hierarchy.precision = s->hierarchy.other.precision;
  s->hierarchy.level = s->hierarchy.other.level;
  s->hierarchy.bottom = s->hierarchy.other.bottom;
  s->hierarchy.refinement = s->hierarchy.other.refinement;
  s->placement.sources = s->hierarchy.other.sources;
  s->hierarchy.other = now;
}
