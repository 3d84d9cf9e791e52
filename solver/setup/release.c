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
  for (int l = 0; l < s->levels && level; l++) {
    if (level[l].level != s->finest)
      gmg_calls_destroy(level[l].level);
    gmg_calls_destroy(level[l].staging);
  }
}

/* All of a level but the finest one in double. */
static void destroy_level(struct gmg_solver *s, struct gmg_cycle_level *level)
{
  if (level->level == s->finest)
    level->level = NULL;
  gmg_exchange_destroy(&level->to_staging_r.exchange); /* that of u is the same */
  gmg_exchange_destroy(&level->from_staging_u.exchange);
  gmg_exchange_destroy(&level->start_ghosts.exchange);
  for (int d = 0; d < 3; d++)
    gmg_exchange_destroy(&level->to_staging_face[d]);
  gmg_exchange_destroy(&level->mirror);
  gmg_level_destroy(&level->level);
  gmg_level_destroy(&level->staging);
}

void gmg_hierarchy_destroy(struct gmg_solver *s)
{
  gmg_backend_detach(s, 0);
  gmg_boundary_destroy(s);
  gmg_direct_destroy(s);
  gmg_cycles_exchange(s);
  gmg_direct_destroy(s);
  gmg_cycles_exchange(s);
  gmg_services_destroy(s);
  gmg_exchange_destroy(&s->load);
  gmg_exchange_destroy(&s->store);
  gmg_storage_destroy(&s->view[0]);
  gmg_storage_destroy(&s->view[1]);
  destroy_calls(s, s->level);
  destroy_calls(s, s->other.level);
  gmg_calls_destroy(s->finest);
  for (int l = 0; l < s->levels; l++) {
    if (s->level)
      destroy_level(s, &s->level[l]);
    if (s->other.level)
      destroy_level(s, &s->other.level[l]);
  }
  gmg_level_destroy(&s->finest);
  gmg_memory_clear(&s->memory);
  for (int l = 0; l < s->levels; l++) {
    if (s->layout)
      gmg_layout_destroy(&s->layout[l]);
    if (s->staging_layout)
      gmg_layout_destroy(&s->staging_layout[l]);
    for (int d = 0; d < 3; d++) {
      gmg_axis_clear(&s->axis[l][d]);
      gmg_pairing_clear(&s->pairing[l][d]);
    }
  }
  gmg_free(s->level);
  gmg_free(s->other.level);
  gmg_free(s->layout);
  gmg_free(s->staging_layout);
  gmg_free(s->axis);
  gmg_free(s->pairing);
  gmg_free(s->cells);
  gmg_free(s->residual_history);
  gmg_free(s->seconds_history);
  s->levels = 0;
  s->level = NULL;
  s->other = (struct gmg_cycles){.level = NULL};
  s->layout = s->staging_layout = NULL;
  s->axis = NULL;
  s->pairing = NULL;
  s->cells = NULL;
  s->residual_history = s->seconds_history = NULL;
  s->krylov = (struct gmg_krylov){0};
  s->services = (struct gmg_services){0};
}
