#include "visit.h"

#include "cuda/runtime/modules.h"

/* The nth of a cycle's levels and their staging levels, but for the finest one in double. */
static struct gmg_level *level_of(const struct gmg_solver *s, const struct gmg_cycle_level *level,
                                  int n)
{
  struct gmg_level *const found = !level ? NULL : n % 2 ? level[n / 2].staging : level[n / 2].level;
  return found == s->hierarchy.finest ? NULL : found;
}

/* The nth level of a solver, NULL: there is none: those of the cycle, staging levels, the finest
 * one in double, and the levels of the other cycles. */
struct gmg_level *gmg_visit_level(const struct gmg_solver *s, int n)
{
  const int each = 2 * s->hierarchy.levels;
  if (n == each)
    return s->hierarchy.finest;
  return n < each ? level_of(s, s->hierarchy.level, n)
                  : level_of(s, s->hierarchy.other.level, n - each - 1);
}

int gmg_visit_levels(const struct gmg_solver *s)
{
  return 4 * s->hierarchy.levels + 1;
}

/* Whether cycles go on without it, for good. */
static int is_past(const struct gmg_solver *s, const struct gmg_call *call)
{
  return call->share == GMG_FIRST && s->memory.uses != GMG_FIRST;
}

/* A call between two levels runs where the finer one is. */
int gmg_visit_runs(const struct gmg_solver *s, const struct gmg_call *call)
{
  const int own = call->level->index, other = call->other ? call->other->index : own;
  const struct gmg_cuda_kernel *text = call->kernel->cuda;
  return text && text->forms > 0 && !call->in_setup && !is_past(s, call)
    && (own < other ? own : other) < s->placement.host_from;
}

/* Does something with every call that the device runs. */
void gmg_visit_calls(struct gmg_solver *s,
                     void (*visit)(struct gmg_solver *s, struct gmg_call *call, void *user),
                     void *user)
{
  for (int n = 0; n < gmg_visit_levels(s); n++) {
    struct gmg_level *level = gmg_visit_level(s, n);
    for (int c = 0; level && c < level->calls; c++)
      if (gmg_visit_runs(s, level->call[c]))
        visit(s, level->call[c], user);
  }
}

static void visit_ghosts(struct gmg_solver *s, struct gmg_call *call, void *user)
{
  const struct gmg_move_visit *visit = user;
  for (int n = 0; n < call->exchanges; n++)
    visit->visit(s, call->level, &call->ghosts[n], visit->user);
}

static void visit_transfers(struct gmg_solver *s, struct gmg_cycle_level *level,
                            struct gmg_level *coarse, const struct gmg_move_visit *visit)
{
  struct gmg_move *const moves[] = {&level->to_staging_r, &level->to_staging_u,
                                    &level->from_staging_u, &level->to_staging_f,
                                    &level->start_ghosts};
  for (size_t n = 0; n < sizeof moves / sizeof *moves; n++)
    if (moves[n]->exchange)
      visit->visit(s, moves[n] == &level->start_ghosts ? coarse : level->level, moves[n],
                   visit->user);
}

void gmg_visit_moves(struct gmg_solver *s, struct gmg_move_visit visit)
{
  struct gmg_cycle_level *const cycles[] = {
    s->hierarchy.level, s->memory.uses == GMG_FIRST ? s->hierarchy.other.level : NULL};
  gmg_visit_calls(s, visit_ghosts, &visit);
  for (size_t c = 0; c < sizeof cycles / sizeof *cycles; c++)
    for (int l = 0; l + 1 < s->hierarchy.levels && l < s->placement.host_from && cycles[c]; l++)
      visit_transfers(s, &cycles[c][l], cycles[c][l + 1].level, &visit);
}
