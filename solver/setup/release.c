/* Frees what setup made. */
#include "hierarchy.h"

#include "cycle/bottom_fft.h"
#include "cycle/direct.h"
#include "fourier/fourier.h"
#include "finest.h"
#include "cycle/boundary.h"
#include "runtime/bind.h"
#include "placement.h"
#include "services.h"

/* Of all levels of a cycle but the finest one in double, before any level: calls know two. */
static void destroy_calls(struct gmg_hierarchy *h, struct gmg_cycle_level *level)
{
  for (int l = 0; l < h->levels && level; l++) {
    if (level[l].level != h->finest)
      gmg_calls_destroy(level[l].level);
    gmg_calls_destroy(level[l].staging);
  }
}

static void destroy_level(struct gmg_cycle_level *level)
{
  gmg_exchange_destroy(&level->to_staging_r.exchange); /* that of u is the same */
  gmg_exchange_destroy(&level->from_staging_u.exchange);
  gmg_exchange_destroy(&level->start_ghosts.exchange);
  for (int d = 0; d < 3; d++)
    gmg_exchange_destroy(&level->to_staging_face[d]);
  gmg_exchange_destroy(&level->mirror);
  gmg_level_destroy(&level->level);
  gmg_level_destroy(&level->staging);
}

/* Those in double first, which may have lines and tables of those in single precision. */
static void destroy_levels(struct gmg_hierarchy *h)
{
  const int raised = h->other.level && h->precision == GMG_F64;
  struct gmg_cycle_level *in_double = raised ? h->level : h->other.level,
                         *other = raised ? h->other.level : h->level;
  if (in_double)
    in_double[0].level = NULL; /* the finest one */
  if (other && other[0].level == h->finest)
    other[0].level = NULL;
  for (int l = 0; l < h->levels && in_double; l++)
    destroy_level(&in_double[l]);
  gmg_level_destroy(&h->finest);
  for (int l = 0; l < h->levels && other; l++)
    destroy_level(&other[l]);
}

void gmg_hierarchy_destroy(gmg_solver *s)
{
  struct gmg_hierarchy *h = &s->hierarchy;
  gmg_placement_clear(s);
  gmg_boundary_destroy(h);
  gmg_direct_destroy(h);
  gmg_bottom_fft_destroy(h);
  gmg_cycles_exchange(h);
  gmg_direct_destroy(h);
  gmg_bottom_fft_destroy(h);
  gmg_cycles_exchange(h);
  gmg_services_destroy(s);
  gmg_fourier_destroy(s);
  gmg_exchange_destroy(&s->arrays.load);
  gmg_exchange_destroy(&s->arrays.store);
  gmg_finest_destroy(s);
  gmg_storage_destroy(&s->arrays.view[0]);
  gmg_storage_destroy(&s->arrays.view[1]);
  destroy_calls(h, h->level);
  destroy_calls(h, h->other.level);
  gmg_calls_destroy(h->finest);
  destroy_levels(h);
  gmg_memory_clear(&s->memory);
  for (int l = 0; l < h->levels; l++) {
    if (h->layout)
      gmg_layout_destroy(&h->layout[l]);
    if (h->staging_layout)
      gmg_layout_destroy(&h->staging_layout[l]);
    for (int d = 0; d < 3; d++) {
      gmg_axis_clear(&h->axis[l][d]);
      gmg_pairing_clear(&h->pairing[l][d]);
    }
  }
  gmg_free(h->level);
  gmg_free(h->other.level);
  gmg_free(h->layout);
  gmg_free(h->staging_layout);
  gmg_free(h->axis);
  gmg_free(h->pairing);
  gmg_free(h->cells);
  gmg_free(s->report.residual_history);
  gmg_free(s->report.seconds_history);
  h->levels = 0;
  h->level = NULL;
  h->other = (struct gmg_cycles){.level = NULL};
  h->layout = h->staging_layout = NULL;
  h->axis = NULL;
  h->pairing = NULL;
  h->cells = NULL;
  s->report.residual_history = s->report.seconds_history = NULL;
  s->krylov = (struct gmg_krylov){0};
  s->services = (struct gmg_services){0};
}
