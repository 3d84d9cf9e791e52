#include "device_pencils.h"

#include "runtime/bind.h"

/* A field of such a level: its memory on the host is never touched, unless the device fails. */
static int reserve(gmg_solver *s, struct gmg_level *level, enum gmg_name name)
{
  const int planning = s->memory.planning, reserves = s->memory.reserves;
  s->memory.planning = 0;
  s->memory.reserves = 1;
  const int missing = !gmg_level_field(level, name);
  s->memory.planning = planning;
  s->memory.reserves = reserves;
  return missing;
}

static int make_level(gmg_solver *s, struct gmg_layout *layout, struct gmg_device_pencils *p)
{
  const struct gmg_level_form form = {.staging = 1,
                                      .rows = GMG_PLAIN,
                                      .precision = GMG_F64,
                                      .unit = s->hierarchy.finest->unit,
                                      .unfused_reason = "it only transforms lines"};
  struct gmg_level *level =
    gmg_level_create(s->context, &s->memory, 0, &form, s->problem.op, s->hierarchy.axis[0], layout);
  if (!level)
    return -1;
  p->own[p->levels++] = level;
  level->device_has_all = 1;
  return reserve(s, level, GMG_NAME_R) || reserve(s, level, GMG_NAME_U);
}

/* A level for every axis. Returns whether that failed. */
static int make_levels(gmg_solver *s, const struct gmg_pencils *pencils,
                       struct gmg_device_pencils *p)
{
  const struct gmg_layout *last = NULL;
  int failed = 0;
  for (int d = 0; d < 3 && !failed; d++) {
    struct gmg_layout *layout = pencils->of[d].layout;
    failed = layout != last && make_level(s, layout, p);
    p->level[d] = failed ? NULL : p->own[p->levels - 1];
    last = layout;
  }
  return failed;
}

/* Between levels `from` and `to`; collective. Returns whether it failed. */
static int connect(gmg_solver *s, const struct gmg_level *from, const struct gmg_level *to,
                   struct gmg_exchange **exchange)
{
  if (from == to)
    return 0;
  *exchange = gmg_exchange_redistribute(&s->context->comm, from->storage, to->storage, GMG_CELL);
  return !*exchange;
}

gmg_status gmg_device_pencils_create(gmg_solver *s, const struct gmg_pencils *pencils,
                                     struct gmg_device_pencils *p)
{
  struct gmg_level *finest = s->hierarchy.finest;
  *p = (struct gmg_device_pencils){.level = {finest, finest, finest}};
  if (finest->layout->count == 1)
    return GMG_OK;
  int failed = make_levels(s, pencils, p);
  gmg_status status = gmg_agree(
    s->context,
    failed ? gmg_no_memory(s->context, "for the lines of transforms on devices") : GMG_OK);
  if (status)
    return status;
  struct gmg_level *const stop[] = {finest,      p->level[0], p->level[1], p->level[2],
                                    p->level[1], p->level[0], finest};
  for (int n = 0; n < GMG_DEVICE_MOVES; n++)
    failed |= connect(s, stop[n], stop[n + 1], &p->exchange[n]);
  return gmg_agree(s->context,
                   failed ? gmg_no_memory(s->context, "(or MPI failed) for the lines of all ranks")
                          : GMG_OK);
}

void gmg_device_pencils_destroy(struct gmg_device_pencils *p)
{
  for (int n = 0; n < GMG_DEVICE_MOVES; n++)
    gmg_exchange_destroy(&p->exchange[n]);
  for (int n = 0; n < p->levels; n++) {
    gmg_calls_destroy(p->own[n]);
    gmg_level_destroy(&p->own[n]);
  }
  *p = (struct gmg_device_pencils){.levels = 0};
}

void gmg_device_pencils_list(const struct gmg_device_pencils *p, struct gmg_placement *placement)
{
  for (int n = 0; n < p->levels; n++)
    placement->level[placement->levels++] = p->own[n];
}
