/* Frees what setup made. */
#include "hierarchy.h"

#include "cycle/direct.h"
#include "cycle/boundary.h"
#include "problem/cycles.h"
#include "runtime/bind.h"
#include "services.h"

/* Of all levels of a cycle but the finest one in double, before any level: calls know two. */
static void destroy_calls(struct gmg_solver *s, struct gmg_cycle_level *level)
{
  for (int l = 0; l < s->hierarchy.levels && level; l++) {
    if (level[l].level != s->hierarchy.finest)
      gmg_calls_destroy(level[l].level);
    gmg_calls_destroy(level[l].staging);
  }
}

/* All of a level but the finest one in double. */
static void destroy_level(struct gmg_solver *s, struct gmg_cycle_level *level)
{
  if (level->level == s->hierarchy.finest)
    level->level = NULL;
  gmg_exchange_destroy(&level->to_staging_r.exchange); /* that of u is the same */
  gmg_exchange_destroy(&level->from_staging_u.exchange);
  gmg_exchange_destroy(&level->start_ghosts.exchange);
  for (int d = 0; d < 3; d++)
    gmg_exchange_destroy(&level->to_staging_face[d]);
  gmg_level_destroy(&level->level);
  gmg_level_destroy(&level->staging);
}

void gmg_hierarchy_destroy(struct gmg_solver *s)
{
  gmg_backend_detach(s, 0);
  gmg_boundary_destroy(&s->hierarchy);
  gmg_direct_destroy(&s->hierarchy);
  gmg_cycles_exchange(s);
  gmg_direct_destroy(&s->hierarchy);
  gmg_cycles_exchange(s);
  gmg_services_destroy(s);
  gmg_exchange_destroy(&s->arrays.load);
  gmg_exchange_destroy(&s->arrays.store);
  gmg_storage_destroy(&s->arrays.view[0]);
  gmg_storage_destroy(&s->arrays.view[1]);
  destroy_calls(s, s->hierarchy.level);
  destroy_calls(s, s->hierarchy.other.level);
  gmg_calls_destroy(s->hierarchy.finest);
  for (int l = 0; l < s->hierarchy.levels; l++) {
    if (s->hierarchy.level)
      destroy_level(s, &s->hierarchy.level[l]);
    if (s->hierarchy.other.level)
      destroy_level(s, &s->hierarchy.other.level[l]);
  }
  gmg_level_destroy(&s->hierarchy.finest);
  gmg_memory_clear(&s->memory);
  for (int l = 0; l < s->hierarchy.levels; l++) {
    if (s->hierarchy.layout)
      gmg_layout_destroy(&s->hierarchy.layout[l]);
    if (s->hierarchy.staging_layout)
      gmg_layout_destroy(&s->hierarchy.staging_layout[l]);
    for (int d = 0; d < 3; d++) {
      gmg_axis_clear(&s->hierarchy.axis[l][d]);
      gmg_pairing_clear(&s->hierarchy.pairing[l][d]);
    }
  }
  gmg_free(s->hierarchy.level);
  gmg_free(s->hierarchy.other.level);
  gmg_free(s->hierarchy.layout);
  gmg_free(s->hierarchy.staging_layout);
  gmg_free(s->hierarchy.axis);
  gmg_free(s->hierarchy.pairing);
  gmg_free(s->hierarchy.cells);
  gmg_free(s->report.residual_history);
  gmg_free(s->report.seconds_history);
  s->hierarchy.levels = 0;
  s->hierarchy.level = NULL;
  s->hierarchy.other = (struct gmg_cycles){.level = NULL};
  s->hierarchy.layout = s->hierarchy.staging_layout = NULL;
  s->hierarchy.axis = NULL;
  s->hierarchy.pairing = NULL;
  s->hierarchy.cells = NULL;
  s->report.residual_history = s->report.seconds_history = NULL;
  s->krylov = (struct gmg_krylov){0};
  s->services = (struct gmg_services){0};
}
