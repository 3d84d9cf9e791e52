#include "choose.h"

/* Beyond this ratio constant interpolation and W-cycles take fewer cycles (spheres of ratio 3 to
 * 1e6 and their inverses; linear interpolation stalls at 1e3). */
#define MOST_JUMP 2.0

int gmg_beta_jumps(const struct gmg_solver *s)
{
  return s->problem.jump > MOST_JUMP;
}

/* A W-cycle by itself visits no level so often that it costs more than half of the next finer one:
 * where cells are paired in one direction only, once. */
static void choose_visits(struct gmg_solver *s, int limited)
{
  double visits = 1, most = 1;
  for (int l = 1; l < s->hierarchy.levels; l++) {
    const double part =
      (double)s->hierarchy.level[l].level->cells / (double)s->hierarchy.level[0].level->cells;
    most *= 0.5;
    s->hierarchy.level[l].twice =
      l + 1 < s->hierarchy.levels && (!limited || 2 * visits * part <= most);
    visits *= s->hierarchy.level[l].twice ? 2 : 1;
  }
}

void gmg_choose(struct gmg_solver *s)
{
  s->hierarchy.cycle = (enum gmg_cycle_kind)s->problem.options.cycle;
  const int automatic = s->hierarchy.cycle == GMG_CYCLE_AUTO || s->hierarchy.cycle == GMG_CYCLE_FMG;
  if (automatic)
    s->hierarchy.cycle = gmg_beta_jumps(s) ? GMG_CYCLE_W : GMG_CYCLE_V;
  s->hierarchy.full = s->problem.options.cycle == GMG_CYCLE_FMG
    || (s->problem.options.cycle == GMG_CYCLE_AUTO && !gmg_beta_jumps(s));
  choose_visits(s, automatic);
}
