#include "placement.h"

#include "fourier/fourier.h"
#include "system/bytes.h"
#include "system/threads.h"

#include <stdio.h>
#include <string.h>

enum { COARSE_CELLS = 64 * 64 * 64 };
/* Moves of a level of the cycle: those of cycles, and those of setup; of the finest level besides.
 */
enum { MOVES = 5, SETUP_MOVES = GMG_COEFFICIENTS + GMG_OWN_FIELDS, FINEST_MOVES = 4 };
/* Of transforms. */
enum { FOURIER_LEVELS = 3, FOURIER_MOVES = 14 };
/* Of deep ghosts of a level. */
enum { DEEP_MOVES = GMG_DEEP + GMG_COEFFICIENTS + GMG_OWN_FIELDS + 8 };

static struct gmg_placed_options options_of(const gmg_solver *s)
{
  const struct gmg_options *o = &s->problem.options;
  return (struct gmg_placed_options){
    .passes = o->passes == GMG_PASSES_NONE ? GMG_PASSES_NOWHERE
      : o->passes == GMG_PASSES_ALL        ? GMG_PASSES_WHERE_RIGHT
                                           : GMG_PASSES_WHERE_FASTER,
    .coarse_cells = o->coarse_cells == GMG_OPTION_AUTO ? COARSE_CELLS : o->coarse_cells,
    .coarse_on_host = o->coarse == GMG_COARSE_CPU,
    .cache_kernels = o->kernel_cache == GMG_CACHE_ON,
    .timed = o->launch == GMG_LAUNCH_TIMED,
    .direct_messages = o->device_messages == GMG_MESSAGES_DIRECT
      || (o->device_messages == GMG_MESSAGES_AUTO && gmg_comm_reads_devices(&s->context->comm)),
    .messages_by_device =
      o->device_messages != GMG_MESSAGES_HOST && o->device_messages != GMG_MESSAGES_NONE,
    .no_messages = o->device_messages == GMG_MESSAGES_NONE,
  };
}

int gmg_placement_open(gmg_solver *s, struct gmg_device_info *info)
{
  if (s->problem.options.backend == GMG_BACKEND_OPENMP)
    return 0;
  return gmg_backend_open(s->context, info)
    && (!gmg_by_transforms(&s->problem)
        || (s->context->backend->multiplies
            && s->context->backend->multiplies(s->context, info->reason, sizeof info->reason)));
}

gmg_status gmg_placement_choose(gmg_solver *s)
{
  struct gmg_placement *p = &s->placement;
  struct gmg_device_info info = {.reason = ""};
  gmg_status status = GMG_OK;
  *p = (struct gmg_placement){
    .context = s->context, .options = options_of(s), .memory = &s->memory, .stream = p->stream};
  int missing = !gmg_placement_open(s, &info);
  const int here = !missing;
  if (gmg_comm_max_int(&s->context->comm, &missing, 1))
    status = gmg_mpi_failed(s->context);
  if (missing && s->problem.options.backend == GMG_BACKEND_CUDA && !here)
    status = gmg_fail(s->context, GMG_ERR_UNSUPPORTED, "backend: cuda: %s", info.reason);
  if (here)
    info.reason[0] = '\0';
  snprintf(p->why, sizeof p->why, "%s", info.reason);
  if (!missing) { /* on any rank: else no rank has one */
    p->backend = s->context->backend;
    p->device = s->context->device;
    p->chosen = info.chosen;
    snprintf(p->name, sizeof p->name, "%s", info.name);
  }
  return gmg_agree(s->context, status);
}

static void add_level(struct gmg_placement *p, struct gmg_level *level)
{
  p->level[p->levels++] = level;
  if (gmg_level_kept(level))
    p->level[p->levels++] = level->twin;
}

/* The levels of a cycle, with those that hand values on, but for the finest one in double. */
static void add_levels(gmg_solver *s, const struct gmg_cycle_level *level)
{
  struct gmg_placement *p = &s->placement;
  for (int l = 0; level && l < s->hierarchy.levels; l++) {
    if (level[l].level && level[l].level != s->hierarchy.finest)
      add_level(p, level[l].level);
    if (level[l].staging)
      add_level(p, level[l].staging);
  }
}

static void add_transfers(struct gmg_placement *p, struct gmg_cycle_level *level, int finer)
{
  struct gmg_move *const moves[MOVES] = {&level->to_staging_r, &level->to_staging_u,
                                         &level->from_staging_u, &level->to_staging_f,
                                         &level->start_ghosts};
  for (int n = 0; n < MOVES; n++)
    if (moves[n]->exchange)
      p->transfer[p->transfers++] = (struct gmg_transfer){
        moves[n], moves[n] == &level->start_ghosts ? level[1].level : level->level, finer};
  for (int c = 0; c < SETUP_MOVES; c++)
    if (level->to_staging[c].exchange)
      p->transfer[p->transfers++] =
        (struct gmg_transfer){&level->to_staging[c], level->level, finer};
}

/* What fills deep ghosts of a level. */
static void add_deep(struct gmg_placement *p, struct gmg_level *level)
{
  for (int n = 0; n < level->shares; n++)
    p->transfer[p->transfers++] =
      (struct gmg_transfer){&level->share_moves[n], level, level->index};
  for (int n = 0; n < GMG_DEEP; n++)
    if (level->deep[n].exchange)
      p->transfer[p->transfers++] = (struct gmg_transfer){&level->deep[n], level, level->index};
}

static void fill_lists(gmg_solver *s)
{
  struct gmg_placement *p = &s->placement;
  struct gmg_cycle_level *const cycles[2] = {
    s->hierarchy.level, s->memory.uses == GMG_FIRST ? s->hierarchy.other.level : NULL};
  p->levels = p->transfers = 0;
  add_levels(s, s->hierarchy.level);
  add_level(p, s->hierarchy.finest);
  add_levels(s, s->hierarchy.other.level);
  for (int c = 0; c < 2; c++)
    for (int l = 0; l < s->hierarchy.levels; l++) {
      p->cycle[c][l] = !cycles[c] ? NULL : l == 0 ? s->hierarchy.finest : cycles[c][l].level;
      if (cycles[c] && l + 1 < s->hierarchy.levels)
        add_transfers(p, &cycles[c][l], l);
    }
  struct gmg_finest_calls *setup = &s->hierarchy.finest_setup;
  for (int d = -1; d < 3; d++) {
    struct gmg_move *move = d < 0 ? &setup->ghosts : &setup->seam[d];
    if (move->exchange)
      p->transfer[p->transfers++] = (struct gmg_transfer){move, s->hierarchy.finest, 0};
  }
  for (int n = 0; n < p->levels; n++)
    add_deep(p, p->level[n]);
  gmg_fourier_list(s, p);
  p->source = s->hierarchy.source;
  p->sources = s->hierarchy.sources;
  p->load = s->arrays.load;
  p->store = s->arrays.store;
  memcpy(p->load_face, s->arrays.load_face, sizeof p->load_face);
}

gmg_status gmg_placement_list(gmg_solver *s)
{
  struct gmg_placement *p = &s->placement;
  const size_t levels = (size_t)s->hierarchy.levels;
  if (!p->device)
    return GMG_OK;
  p->depth = s->hierarchy.levels;
  p->level = gmg_calloc(6 * levels + 1 + FOURIER_LEVELS, sizeof(struct gmg_level *));
  p->transfer = gmg_calloc(2 * (MOVES + SETUP_MOVES) * levels + FINEST_MOVES + FOURIER_MOVES
                             + (4 * levels + 1) * DEEP_MOVES,
                           sizeof *p->transfer);
  const int failed = !p->level || !p->transfer;
  for (size_t c = 0; c < 2 && !failed; c++)
    p->cycle[c] = p->level + 4 * levels + 1 + FOURIER_LEVELS + c * levels;
  return gmg_agree(s->context, failed ? gmg_no_memory(s->context, "for lists of levels") : GMG_OK);
}

/* The host computes from here on, or the options do not allow that. */
static gmg_status give_up(gmg_solver *s, gmg_status status, const char *why)
{
  struct gmg_placement *p = &s->placement;
  if (s->problem.options.backend == GMG_BACKEND_CUDA)
    return gmg_fail(s->context, status, "%s", why);
  gmg_report_fallback(&s->report, "backend auto: the CPU computes; %s", why);
  gmg_placement_detach(s, GMG_KEEP_ALL);
  for (int n = 0; n < p->levels && s->memory.reserves; n++)
    gmg_level_settle(p->level[n]);
  p->backend = NULL;
  p->device = NULL;
  snprintf(p->why, sizeof p->why, "%s", why);
  return GMG_OK;
}

/* Whether all ranks' levels fit: ranks that share a device take from the same memory. Else says
 * why. */
static gmg_status check_room(gmg_solver *s, const struct gmg_device_room *room, int *fits,
                             char *why, size_t size)
{
  char needs[40], has[40];
  double all = (double)room->needed;
  if (gmg_comm_sum_on_machine(&s->context->comm, &all, 1))
    return gmg_mpi_failed(s->context);
  const double share = all / room->devices,
               here = share > (double)room->needed ? share : (double)room->needed;
  int short_of = here > (double)room->available;
  if (gmg_comm_max_int(&s->context->comm, &short_of, 1))
    return gmg_mpi_failed(s->context);
  *fits = !short_of;
  gmg_bytes_text(here, needs, sizeof needs);
  gmg_bytes_text((double)room->available, has, sizeof has);
  snprintf(why, size,
           "too little memory on the device: this solve needs %s there, and %s are free: take "
           "fewer cells%s%s",
           needs, has, s->krylov.bound ? ", krylov none" : "",
           s->hierarchy.precision == GMG_F32 ? ", precision double" : "");
  const size_t used = strlen(why);
  snprintf(why + used, size - used, ", or %d ranks on as many devices", 2 * s->context->comm.ranks);
  return GMG_OK;
}

static int host_from(const gmg_solver *s)
{
  if (s->placement.coarse_settled)
    return s->placement.host_from;
  return s->problem.options.coarse == GMG_COARSE_CPU ? gmg_placement_coarse_from(s)
                                                     : s->hierarchy.levels;
}

gmg_status gmg_placement_predict(gmg_solver *s)
{
  struct gmg_placement *p = &s->placement;
  char why[sizeof p->why];
  int fits = 1;
  gmg_status status = GMG_OK;
  if (!p->device)
    return GMG_OK;
  fill_lists(s);
  p->host_from = host_from(s);
  for (p->no_spares = 0; p->no_spares < 2; p->no_spares++) {
    struct gmg_device_room room;
    const int here = p->backend->predict(p, &room, why, sizeof why);
    int any = here;
    if (gmg_comm_max_int(&s->context->comm, &any, 1))
      return gmg_mpi_failed(s->context);
    if (any)
      return gmg_agree(
        s->context,
        give_up(s, GMG_ERR_UNSUPPORTED, here ? why : "another rank has too large a box for a GPU"));
    status = check_room(s, &room, &fits, why, sizeof why);
    if (status || fits || p->no_spares)
      break;
  }
  return status || fits ? status : give_up(s, GMG_ERR_MEMORY, why);
}

/* Says in words how ghosts travel. */
static void describe_exchanges(struct gmg_placement *p)
{
  char way[80];
  if (p->options.no_messages)
    snprintf(way, sizeof way, "not at all, as was asked");
  else if (p->options.direct_messages)
    snprintf(way, sizeof way, "by MPI from its memory");
  else if (p->by_peers > 0)
    snprintf(way, sizeof way, "from device to device (%d of %d messages)", p->by_peers,
             p->messages);
  else
    snprintf(way, sizeof way, "through page-locked memory of the host");
  if (p->by_device + p->by_host > 0)
    snprintf(p->exchanges, sizeof p->exchanges,
             "%d packed and copied on the device, between ranks %s; %d by the host", p->by_device,
             way, p->by_host);
}

gmg_status gmg_placement_attach(gmg_solver *s)
{
  struct gmg_placement *p = &s->placement;
  char why[sizeof p->why] = "";
  if (!p->device)
    return GMG_OK;
  const double begin = gmg_seconds();
  fill_lists(s);
  p->host_from = host_from(s);
  gmg_call_wait(s->context);
  const gmg_status status = p->backend->attach(p, why, sizeof why);
  if (status == GMG_ERR_MPI)
    return gmg_mpi_failed(s->context);
  if (status)
    return gmg_agree(s->context, give_up(s, status, why));
  p->calls = 0;
  for (int n = 0; n < p->levels; n++)
    p->calls += p->level[n]->calls;
  describe_exchanges(p);
  if (p->options.no_messages && s->context->comm.ranks > 1)
    gmg_report_fallback(&s->report,
                        "device-messages none: no values travel between ranks on GPUs, "
                        "and results are wrong");
  if (p->untuned > 0)
    gmg_report_fallback(&s->report,
                        "%d kernels run in their default form, not as wisdom has it: %s",
                        p->untuned, p->untuned_kernel);
  p->attach_seconds += gmg_seconds() - begin;
  return GMG_OK;
}

/* Whether some call that the device is to run was bound since the levels were put there. */
static int has_new_calls(const gmg_solver *s)
{
  const struct gmg_placement *p = &s->placement;
  int news = 0;
  for (int n = 0; n < p->levels; n++)
    news += p->level[n]->calls;
  return news != p->calls;
}

gmg_status gmg_placement_renew(gmg_solver *s)
{
  struct gmg_placement *p = &s->placement;
  fill_lists(s);
  if (has_new_calls(s)) {
    if (s->context->comm.ranks > 1) /* whose messages between devices are arranged once */
      gmg_placement_detach(s, GMG_KEEP_COEFFICIENTS);
    const gmg_status status = gmg_placement_attach(s);
    if (status || !p->attached)
      return status;
  }
  p->backend->renew_sources(p);
  gmg_call_wait(s->context); /* the caller's arrays are his again */
  return gmg_agree(s->context, gmg_device_status(s->context));
}

void gmg_placement_raise(gmg_solver *s)
{
  if (!s->placement.attached)
    return;
  fill_lists(s);
  s->placement.backend->raise(&s->placement);
}

void gmg_placement_detach(gmg_solver *s, enum gmg_keep keep)
{
  if (s->placement.backend)
    s->placement.backend->detach(&s->placement, keep);
}

void gmg_placement_clear(gmg_solver *s)
{
  struct gmg_placement *p = &s->placement;
  gmg_placement_detach(s, GMG_KEEP_NOTHING);
  gmg_free(p->level);
  gmg_free(p->transfer);
  p->level = p->cycle[0] = p->cycle[1] = NULL;
  p->transfer = NULL;
  p->depth = p->levels = p->transfers = 0;
}

int gmg_placement_coarse_from(const gmg_solver *s)
{
  int l = s->hierarchy.levels;
  while (l > 1 && s->hierarchy.level[l - 1].level->cells <= s->placement.options.coarse_cells)
    l--;
  return l;
}

void gmg_placement_divide(gmg_solver *s, int host_from)
{
  s->placement.backend->divide(&s->placement, host_from);
  describe_exchanges(&s->placement);
}
