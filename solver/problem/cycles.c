#include "hierarchy.h"

void gmg_cycles_exchange(struct gmg_hierarchy *h)
{
  const struct gmg_cycles now = {h->precision, h->level, h->bottom, h->refinement};
  h->precision = h->other.precision;
  h->level = h->other.level;
  h->bottom = h->other.bottom;
  h->refinement = h->other.refinement;
  h->other = now;
}
