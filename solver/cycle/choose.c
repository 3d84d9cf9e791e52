#include "choose.h"

#include "bottom.h"

#include <math.h>

/* A visit of a level costs as much as so many cells of the finest one, however small the level. */
enum { CELLS_OF_VISIT = 128 };
/* With owners what bounds visits counts at least so many cells a level, or so large a part of the
 * finest: on a GPU visits are the cost of a small level, and with so few of them iterations stay as
 * many (docs/performance/owners.md). */
enum { CELLS_WITH_OWNERS = 16384, PART_WITH_OWNERS = 16 };

/* A W-cycle by itself visits no level so often that it costs more than half of the next finer one:
 * where cells are paired in one direction only, once. One that was asked for visits none so often
 * that the visits alone cost more than the finest level: pairing in one direction at a time makes
 * so many levels that visits, twice as many on each, would take minutes. */
static void choose_visits(struct gmg_hierarchy *h, int limited)
{
  /* Next to a level that is solved exactly one visit does as well, unless β jumps. */
  const int once = h->ends_by_inverse && !gmg_beta_jumps(h);
  const int last = gmg_bottom_level(h) - once;
  const double finest = (double)h->level[0].level->cells,
               least = h->owners ? fmin(CELLS_WITH_OWNERS, finest / PART_WITH_OWNERS) : 1;
  double visits = 1, most = 1;
  for (int l = 1; l < h->levels; l++) {
    const double part = fmax((double)h->level[l].level->cells, least) / finest;
    most *= 0.5;
    h->level[l].twice =
      l < last && (limited ? 2 * visits * part <= most : 2 * visits * CELLS_OF_VISIT <= finest);
    visits *= h->level[l].twice ? 2 : 1;
  }
}

void gmg_choose(struct gmg_hierarchy *h)
{
  h->cycle = (enum gmg_cycle_kind)h->problem->options.cycle;
  const int automatic = h->cycle == GMG_CYCLE_AUTO || h->cycle == GMG_CYCLE_FMG;
  if (automatic)
    h->cycle = h->owners || gmg_beta_jumps(h) ? GMG_CYCLE_W : GMG_CYCLE_V;
  h->full = !gmg_by_transforms(h->problem)
    && (h->problem->options.cycle == GMG_CYCLE_FMG
        || (h->problem->options.cycle == GMG_CYCLE_AUTO && h->cycle == GMG_CYCLE_V));
  gmg_bottom_choose(h);
  choose_visits(h, automatic);
}
