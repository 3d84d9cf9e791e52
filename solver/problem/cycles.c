#include "cycles.h"

void gmg_cycles_exchange(struct gmg_solver *s)
{
  const struct gmg_cycles now = {s->precision, s->level, s->bottom, s->refinement,
                                 s->placement.sources};
  s->precision = s->other.precision;
  s->level = s->other.level;
  s->bottom = s->other.bottom;
  s->refinement = s->other.refinement;
  s->placement.sources = s->other.sources;
  s->other = now;
}
