#include "visit.h"

#include "modules.h"

/* The nth level of a solver that there is, of those of the cycle, staging levels, and the finest one in double. */
struct gmg_level *gmg_visit_level(const struct gmg_solver *s, int n)
{
  const int l = n / 2;
  if (n < 2 * s->levels && s->level)
    return n % 2 ? s->level[l].staging : s->level[l].level;
  return n == 2 * s->levels && s->level && s->finest != s->level[0].level ? s->finest : NULL;
}

int gmg_visit_levels(const struct gmg_solver *s)
{
  return 2 * s->levels + 1;
}

/* A call between two levels runs where the finer one is. */
int gmg_visit_runs(const struct gmg_solver *s, const struct gmg_call *call)
{
  const int own = call->level->index, other = call->other ? call->other->index : own;
  const struct gmg_cuda_kernel *text = gmg_modules_text(call->kernel);
  return text && text->forms > 0 && (own < other ? own : other) < s->placement.host_from;
}

/* Does something with every call that the device runs. */
void gmg_visit_calls(struct gmg_solver *s, void (*visit)(struct gmg_solver *s, struct gmg_call *call, void *user),
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

void gmg_visit_moves(struct gmg_solver *s, struct gmg_move_visit visit)
{
  gmg_visit_calls(s, visit_ghosts, &visit);
  for (int l = 0; l < s->placement.host_from; l++) {
    struct gmg_cycle_level *level = &s->level[l];
    struct gmg_move *const moves[] = {&level->to_staging_r, &level->to_staging_u, &level->from_staging_u,
                                      &level->to_staging_f, &level->start_ghosts};
    for (size_t n = 0; n < sizeof moves / sizeof *moves; n++)
      if (moves[n]->exchange)
        visit.visit(s, moves[n] == &level->start_ghosts ? s->level[l + 1].level : level->level, moves[n], visit.user);
  }
}
