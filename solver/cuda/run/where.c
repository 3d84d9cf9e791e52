#include "where.h"

#include "cuda/runtime/modules.h"
#include "system/memory.h"

#include <stdio.h>

int gmg_where_coarse(const struct gmg_placement *p, const struct gmg_level *level)
{
  return level->cells <= p->options.coarse_cells;
}

int gmg_where_in_tail(const struct gmg_placement *p, const struct gmg_level *level)
{
  return p->device->cooperative && !p->options.coarse_on_host && gmg_where_coarse(p, level)
    && (level->share == GMG_APART || level->share == p->memory->uses);
}

int gmg_where_call_in_tail(const struct gmg_placement *p, const struct gmg_call *call)
{
  return !call->in_setup && gmg_where_in_tail(p, call->level)
    && (!call->other || gmg_where_in_tail(p, call->other));
}

/* Whether cycles go on without it, for good. */
static int is_past(const struct gmg_placement *p, const struct gmg_call *call)
{
  return call->share == GMG_FIRST && p->memory->uses != GMG_FIRST;
}

int gmg_where_runs(const struct gmg_placement *p, const struct gmg_call *call)
{
  const int own = call->level->index, other = call->other ? call->other->index : own;
  const struct gmg_cuda_kernel *text = call->kernel->cuda;
  return text && text->forms > 0 && !is_past(p, call) && (own < other ? own : other) < p->host_from;
}

void gmg_where_calls(struct gmg_placement *p, struct gmg_call_visit visit)
{
  for (int n = 0; n < p->levels; n++)
    for (int c = 0; c < p->level[n]->calls; c++)
      if (gmg_where_runs(p, p->level[n]->call[c]))
        visit.visit(p, p->level[n]->call[c], visit.user);
}

static void visit_ghosts(struct gmg_placement *p, struct gmg_call *call, void *user)
{
  const struct gmg_move_visit *visit = user;
  for (int n = 0; n < call->exchanges; n++)
    visit->visit(p, call->level, &call->ghosts[n], visit->user);
}

void gmg_where_moves(struct gmg_placement *p, struct gmg_move_visit visit)
{
  gmg_where_calls(p, (struct gmg_call_visit){visit_ghosts, &visit});
  for (int n = 0; n < p->transfers; n++)
    if (p->transfer[n].finer < p->host_from)
      visit.visit(p, p->transfer[n].level, p->transfer[n].move, visit.user);
}

int gmg_where_too_large(const struct gmg_placement *p, char *why, size_t size)
{
  for (int l = 0; l < p->depth; l++) {
    const struct gmg_level *level = p->cycle[0][l];
    for (int b = 0; b < level->layout->local_count; b++) {
      const int64_t elements = (int64_t)level->storage->stride[b][1] * (level->box[b].cells[2] + 2);
      if (elements <= INT32_MAX)
        continue;
      snprintf(why, size,
               "a box of level %d has %lld values a field, more than the %d that kernels for GPUs "
               "count: take more ranks, or smaller boxes by the option box",
               l, (long long)elements, INT32_MAX);
      return 1;
    }
  }
  return 0;
}
