#include "launch.h"

#include "backend.h"
#include "pass.h"
#include "system/team.h"
#include "system/threads.h"

#include <string.h>

void gmg_call_forget(const struct gmg_kernel_args *args, int threads)
{
  for (int t = 0; args->scratch_stride && t < threads; t++)
    memset((char *)args->scratch + (size_t)t * args->scratch_stride, 0xff, GMG_KNOWN_BYTES);
}

static void move_now(gmg_context *context, struct gmg_exchange *exchange,
                     struct gmg_kernel_stat *stat, const void *from, void *to)
{
  const double begin = gmg_seconds();
  context->mpi_error |= gmg_exchange_run(exchange, from, to);
  stat->seconds += gmg_seconds() - begin;
  stat->calls++;
}

void gmg_move_values(gmg_context *context, struct gmg_exchange *exchange,
                     struct gmg_kernel_stat *stat, const void *from, void *to)
{
  gmg_pass_flush(context->pass);
  move_now(context, exchange, stat, from, to);
}

void gmg_move_run(gmg_context *context, const struct gmg_move *move)
{
  if (!move->exchange
      || ((move->from->mirror.at || move->to->mirror.at) && context->backend->move(context, move)))
    return;
  gmg_move_values(context, move->exchange, move->stat, move->from->data, move->to->data);
}

void gmg_call_exchange(const struct gmg_call *call, int n)
{
  const struct gmg_move *move = &call->ghosts[n];
  move_now(call->level->context, move->exchange, move->stat, move->from->data, move->to->data);
}

void gmg_call_note(const struct gmg_call *call)
{
  for (int f = 0; f < call->kernel->fields; f++)
    if (call->kernel->field[f].written)
      call->array[f]->shared = 0;
}

void gmg_call_count(const struct gmg_call *call, const struct gmg_sweep *sweep)
{
  struct gmg_kernel_stat *stat = call->stat;
  stat->bytes += call->needed;
  stat->moved += sweep->moved;
  if (sweep->touched > stat->touched)
    stat->touched = sweep->touched;
  stat->flops += call->flops;
  stat->calls++;
  stat->fused += sweep->fused;
  stat->by_device = sweep->by_device;
}

struct tiles {
  const struct gmg_call *call;
  const struct gmg_kernel_args *args;
};

static void run_tiles(void *work, int thread, int of)
{
  const struct tiles *tiles = work;
  int from, to;
  gmg_part(tiles->args->tiles, thread, of, &from, &to);
  for (int t = from; t < to; t++)
    tiles->call->kernel->run_tile(tiles->args, &tiles->args->tile[t], thread);
}

void gmg_call_run_alone(const struct gmg_call *call, const struct gmg_kernel_args *args)
{
  for (int n = 0; n < call->exchanges; n++)
    gmg_call_exchange(call, n);
  gmg_call_note(call);
  if (args->tiles == 0)
    return;
  const double begin = gmg_seconds();
  gmg_call_forget(args, call->level->context->threads);
  if (gmg_team_together(call->level->context->team))
    gmg_team_share(call->level->context->team, args->threads, run_tiles,
                   &(struct tiles){call, args});
  else
    call->kernel->run(args);
  call->stat->seconds += gmg_seconds() - begin;
  gmg_call_count(call, &(struct gmg_sweep){.moved = call->traffic, .touched = call->touched});
  call->level->moved += call->traffic;
}

void gmg_call_run(struct gmg_call *call)
{
  struct gmg_pass *pass = call->level->context->pass;
  if (call->level->device && call->level->context->backend->run(call))
    return;
  if (gmg_pass_take(pass, call))
    return;
  gmg_pass_flush(pass);
  call->args.scratch = gmg_pass_scratch(pass);
  gmg_call_run_alone(call, &call->args);
}

void gmg_call_wait(gmg_context *context)
{
  gmg_pass_flush(context->pass);
  if (!context->backend)
    return;
  const double begin = gmg_seconds();
  context->backend->wait(context);
  context->waited += gmg_seconds() - begin;
}

void gmg_call_reduce_clear(struct gmg_call *call, const double cut[GMG_SUM_BINS])
{
  struct gmg_reduction *part = call->level->context->reduction;
  /* A pass may use more threads than the call would by itself. */
  for (int t = 0; t < call->level->context->threads; t++) {
    part[t] = (struct gmg_reduction){.most = 0};
    memcpy(part[t].cut, cut, sizeof part[t].cut);
  }
  call->args.reduction = part;
}

void gmg_call_reduce_begin(struct gmg_call *call, const double cut[GMG_SUM_BINS])
{
  gmg_call_reduce_clear(call, cut);
  gmg_call_run(call);
}

void gmg_call_reduce_end(struct gmg_call *call, struct gmg_reduction *total)
{
  gmg_context *context = call->level->context;
  const struct gmg_reduction *part = context->reduction;
  if (call->by_device) {
    const double begin = gmg_seconds();
    context->backend->reduce(context, total);
    context->waited += gmg_seconds() - begin;
    return;
  }
  gmg_pass_flush(context->pass);
  *total = (struct gmg_reduction){.most = 0};
  memcpy(total->cut, part[0].cut, sizeof total->cut);
  for (int t = 0; t < context->threads; t++) {
    for (int b = 0; b < GMG_SUM_BINS; b++)
      total->bin[b] += part[t].bin[b];
    if (part[t].most > total->most)
      total->most = part[t].most;
  }
}
