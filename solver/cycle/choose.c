#include "choose.h"

#include "bottom.h"

#include <math.h>

/* A visit of a level costs as much as so many cells of the finest one, however small the level. */
enum { CELLS_OF_VISIT = 128 };
/* With owners levels of at least such a part of the finest one's cells are visited twice: with
 * fewer, corrections that are too long for a body may grow from level to level. */
enum { PART_WITH_OWNERS = 100 };

/* A W-cycle by itself visits no level so often that it costs more than half of the next finer one:
 * where cells are paired in one direction only, once. With owners large levels alone are visited
 * twice: that takes no more iterations (docs/performance/owners.md). A W-cycle that was asked for
 * visits no level so often that the visits alone cost more than the finest one: pairing in one
 * direction at a time makes so many levels that visits, twice as many on each, would take minutes.
 */
static int is_visited_twice(const struct gmg_hierarchy *h, int l, double visits, int limited)
{
  const double finest = (double)h->level[0].level->cells, cells = (double)h->level[l].level->cells;
  if (!limited)
    return 2 * visits * CELLS_OF_VISIT <= finest;
  return h->owners ? PART_WITH_OWNERS * cells >= finest : 2 * visits * cells <= ldexp(finest, -l);
}

static void choose_visits(struct gmg_hierarchy *h, int limited)
{
  /* Next to a level that is solved exactly one visit does as well, unless β jumps. */
  const int once = h->ends_by_inverse && !gmg_beta_jumps(h);
  double visits = 1;
  for (int l = 1; l < h->levels; l++) {
    h->level[l].twice = l < gmg_bottom_level(h) - once && is_visited_twice(h, l, visits, limited);
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
