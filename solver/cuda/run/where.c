#include "where.h"

#include "move.h"
#include "queue.h"
#include "visit.h"

#include <stdio.h>

enum { COARSE_CELLS = 64 * 64 * 64 };

static int64_t coarse_cells(const struct gmg_solver *s)
{
  return s->problem.options.coarse_cells == GMG_OPTION_AUTO ? COARSE_CELLS
                                                            : s->problem.options.coarse_cells;
}

int gmg_where_coarse(const struct gmg_solver *s, const struct gmg_level *level)
{
  return level->cells <= coarse_cells(s);
}

int gmg_where_in_tail(const struct gmg_solver *s, const struct gmg_level *level)
{
  /* One program holds the kernels of the cycles that there are now: of others it would only be
   * slower. */
  return s->placement.device->cooperative && s->problem.options.coarse != GMG_COARSE_CPU
    && gmg_where_coarse(s, level) && (level->share == GMG_APART || level->share == s->memory.uses);
}

int gmg_where_call_in_tail(const struct gmg_solver *s, const struct gmg_call *call)
{
  return gmg_where_in_tail(s, call->level) && (!call->other || gmg_where_in_tail(s, call->other));
}

int gmg_where_has_other(const struct gmg_solver *s)
{
  return s->hierarchy.other.level && s->memory.uses == GMG_FIRST;
}

int gmg_where_too_large(const struct gmg_solver *s, char *why, size_t size)
{
  for (int l = 0; l < s->hierarchy.levels; l++)
    for (int b = 0; b < s->hierarchy.layout[l]->local_count; b++) {
      const struct gmg_storage *storage = s->hierarchy.level[l].level->storage;
      const struct gmg_box *box = &s->hierarchy.layout[l]->box[s->hierarchy.layout[l]->local[b]];
      const int64_t elements = (int64_t)storage->stride[b][1] * (box->upper[2] - box->lower[2] + 2);
      if (elements <= INT32_MAX)
        continue;
      snprintf(why, size,
               "a box of level %d has %lld values a field, more than the %d that kernels for GPUs "
               "count: take more ranks, "
               "or smaller boxes by the option box",
               l, (long long)elements, INT32_MAX);
      return 1;
    }
  return 0;
}

void gmg_where_exchanges(struct gmg_placement *p)
{
  char way[80];
  if (p->direct)
    snprintf(way, sizeof way, "by MPI from its memory");
  else if (p->met > 0)
    snprintf(way, sizeof way, "from device to device (%d of %d messages)", p->met, p->messages);
  else
    snprintf(way, sizeof way, "through page-locked memory of the host");
  if (p->made + p->left > 0)
    snprintf(p->exchanges, sizeof p->exchanges,
             "%d packed and copied on the device, between ranks %s; %d by the host", p->made, way,
             p->left);
}

int gmg_backend_coarse_from(const struct gmg_solver *s)
{
  int l = s->hierarchy.levels;
  while (l > 1 && gmg_where_coarse(s, s->hierarchy.level[l - 1].level))
    l--;
  return l;
}

/* Where the call runs is as p->host_from says. */
static void settle_call(const struct gmg_solver *s, struct gmg_call *call)
{
  struct gmg_ready *both = call->ready ? call->ready : call->kept;
  const int here = gmg_visit_runs(s, call);
  call->ready = here ? both : NULL;
  call->kept = here ? NULL : both;
}

static void drop_move(struct gmg_solver *s, struct gmg_level *level, struct gmg_move *move,
                      void *user)
{
  (void)level;
  (void)user;
  move->ready = NULL;
  s->placement.left++;
}

static void find_move(struct gmg_solver *s, struct gmg_level *level, struct gmg_move *move,
                      void *user)
{
  (void)level;
  (void)user;
  move->ready = (struct gmg_ready_move *)gmg_backend_move(s, move->exchange, move->from, move->to);
  s->placement.made += move->ready != NULL;
  s->placement.left -= move->ready != NULL;
}

void gmg_backend_coarse(struct gmg_solver *s, int from)
{
  struct gmg_placement *p = &s->placement;
  gmg_device_wait(s->context);
  gmg_queue_forget(p->device->queue); /* no list will be as those until now */
  p->host_from = s->hierarchy.levels;
  p->made = p->left = 0;
  gmg_visit_moves(s, (struct gmg_move_visit){drop_move, NULL});
  p->host_from = from;
  for (int n = 0; n < gmg_visit_levels(s); n++) {
    struct gmg_level *level = gmg_visit_level(s, n);
    for (int c = 0; level && c < level->calls; c++)
      settle_call(s, level->call[c]);
  }
  gmg_visit_moves(s, (struct gmg_move_visit){find_move, NULL});
  gmg_where_exchanges(p);
}

int gmg_backend_computes(const struct gmg_solver *s, int level)
{
  return s->placement.attached && level < s->placement.host_from;
}

int gmg_backend_in_passes(const struct gmg_solver *s, int level)
{
  const struct gmg_call *call = s->hierarchy.level[level].smooth[0];
  return gmg_backend_computes(s, level) && call && call->ready && call->ready->pass;
}

int gmg_backend_in_tail(const struct gmg_solver *s, int level)
{
  const struct gmg_cycle_level *l = &s->hierarchy.level[level];
  const struct gmg_call *call = l->smooth[0] ? l->smooth[0] : l->zero;
  return gmg_backend_computes(s, level) && call->ready && call->ready->in_tail;
}
