#include "walls.h"

#include "planes.h"
#include "reach.h"

#include <string.h>

enum { ROUNDS = 64 }; /* more than swaps need to come back to where they were */
static const char *const sides[GEN_MOST_SPACE][2] = {
  {"x_lo", "x_hi"}, {"y_lo", "y_hi"}, {"z_lo", "z_hi"}};

/* The ghosts of one piece of memory beyond one wall. */
struct state {
  bool ever;       /* loops fill them, now or later */
  unsigned layers; /* that are filled, as bits */
  bool stale;      /* the cells have changed since */
  struct gen_wall_rule rule;
  int turn;                   /* when they were filled last */
  int beyond[GEN_MOST_SPACE]; /* how far over ghosts of the other directions */
};

struct simulation {
  struct gen_translation *translation;
  struct gen_planes planes[GEN_MAX_EVENTS];
  int memory[GEN_MAX_PROGRAM_ARRAYS]; /* of an array now */
  struct state state[GEN_MAX_PROGRAM_ARRAYS][GEN_MOST_SPACE][2];
  /* what loops fill under the array's name, read or not */
  struct gen_wall_rule filled[GEN_MAX_PROGRAM_ARRAYS][GEN_MOST_SPACE][2];
  int turn;
  bool checks; /* or only finds out what is ever filled */
};

static bool same_rule(const struct gen_wall_rule *a, const struct gen_wall_rule *b)
{
  return a->kind == b->kind && a->skip == b->skip && a->factor == b->factor
    && a->constant == b->constant;
}

static bool fill(struct simulation *simulation, const struct gen_plane *plane)
{
  struct state *state = &simulation->state[simulation->memory[plane->data]][plane->d][plane->side];
  const char *name = simulation->translation->array[plane->data].name;
  if (state->stale || (state->layers && state->layers == 1U << plane->layer))
    state->layers = 0;
  for (int d = 0; d < GEN_MOST_SPACE; d++)
    if (!state->layers || plane->beyond[d] < state->beyond[d])
      state->beyond[d] = plane->beyond[d];
  state->turn = simulation->turn++;
  if (state->layers && simulation->checks && !same_rule(&state->rule, &plane->rule))
    return gen_reject(plane->where,
                      "the ghosts of '%s' beyond %s follow '%s' here, but those beside them '%s'",
                      name, sides[plane->d][plane->side], plane->rule.text, state->rule.text);
  state->layers |= 1U << plane->layer;
  state->rule = plane->rule;
  state->stale = false;
  state->ever = true;
  simulation->filled[plane->data][plane->d][plane->side] = plane->rule;
  return true;
}

/* A kernel reads ghosts of an array that must be known then. */
static bool read_side(struct simulation *simulation, const struct gen_event *event, int a, int d,
                      int side)
{
  struct gen_translation *translation = simulation->translation;
  const struct gen_reach *reach = &event->reach[a];
  const struct state *state = &simulation->state[simulation->memory[a]][d][side];
  const struct gen_location where = reach->where[d][side];
  const unsigned needed = (1U << reach->far[d][side]) - 1;
  const char *name = translation->array[a].name;
  struct gen_wall_rule *known = &translation->wall[a][d][side];
  const struct gen_wall_rule fixed = {.kind = GEN_WALL_FIXED, .factor = 1, .text = "fixed"},
                             *rule = state->ever ? &state->rule : &fixed;
  if (state->ever && (state->layers & needed) != needed)
    return gen_reject(where,
                      "this reads %d layer%s of ghosts of '%s' beyond %s, which loops fill further "
                      "down, but have not filled in the first step",
                      reach->far[d][side], reach->far[d][side] > 1 ? "s" : "", name,
                      sides[d][side]);
  if (state->ever && state->stale)
    return gen_reject(where,
                      "this reads ghosts of '%s' beyond %s, whose cells have changed since loops "
                      "have filled them: fill them before these loops",
                      name, sides[d][side]);
  if (known->kind && !same_rule(known, rule))
    return gen_reject(where,
                      "this reads ghosts of '%s' beyond %s, which follow '%s' in one step and '%s' "
                      "in another: arrays that take turns must be filled alike",
                      name, sides[d][side], known->text, rule->text);
  *known = *rule;
  return true;
}

/* Edges and corners beyond two walls: what is filled later must take them from what was filled
 * before. Two values at walls differ by the order in rounding; programs go along x, then y, then z.
 */
static bool read_edge(const struct simulation *simulation, const struct gen_event *event, int a,
                      const int d[2], const int side[2])
{
  const struct gen_reach *reach = &event->reach[a];
  const struct state *state[2];
  const char *name = simulation->translation->array[a].name;
  for (int n = 0; n < 2; n++)
    state[n] = &simulation->state[simulation->memory[a]][d[n]][side[n]];
  const int later = state[1]->turn > state[0]->turn, before = 1 - later;
  if (!state[0]->ever && !state[1]->ever)
    return true;
  if (!state[0]->ever || !state[1]->ever)
    return gen_reject(event->where,
                      "these loops read edges or corners of '%s' beyond %s and %s, of which loops "
                      "fill one and the other one is data: not supported yet",
                      name, sides[d[0]][side[0]], sides[d[1]][side[1]]);
  if (state[later]->beyond[d[before]] < reach->far[d[before]][side[before]])
    return gen_reject(event->where,
                      "these loops read edges or corners of '%s' beyond %s and %s, which loops do "
                      "not fill: those that fill ghosts beyond %s must go on over those beyond %s",
                      name, sides[d[0]][side[0]], sides[d[1]][side[1]],
                      sides[d[later]][side[later]], sides[d[before]][side[before]]);
  return later == 1 || state[0]->rule.factor > 0 || state[1]->rule.factor > 0
    || gen_reject(
           event->where,
           "these loops read edges or corners of '%s' beyond %s and %s, where values stand at "
           "both walls: fill the ghosts along %c first",
           name, sides[d[0]][side[0]], sides[d[1]][side[1]], "xyz"[d[0]]);
}

static bool read_edges(const struct simulation *simulation, const struct gen_event *event, int a)
{
  const int dimensions = simulation->translation->dimensions;
  for (int d = 0; d < dimensions; d++)
    for (int e = d + 1; e < dimensions; e++)
      for (int n = 0; n < 4; n++)
        if (event->reach[a].far[d][n / 2] && event->reach[a].far[e][n % 2]
            && !read_edge(simulation, event, a, (const int[]){d, e}, (const int[]){n / 2, n % 2}))
          return false;
  return true;
}

static bool run_kernel(struct simulation *simulation, const struct gen_event *event)
{
  const struct gen_translation *translation = simulation->translation;
  for (int a = 0; a < translation->arrays; a++)
    for (int d = 0; d < translation->dimensions; d++)
      for (int side = 0; simulation->checks && side < 2; side++)
        if (event->reach[a].far[d][side] && !read_side(simulation, event, a, d, side))
          return false;
  for (int a = 0; a < translation->arrays && simulation->checks; a++)
    if (event->reach[a].corners && !read_edges(simulation, event, a))
      return false;
  for (int a = 0; a < translation->arrays; a++)
    for (int d = 0; d < translation->dimensions; d++)
      for (int side = 0; event->reach[a].written && side < 2; side++)
        simulation->state[simulation->memory[a]][d][side].stale = true;
  return true;
}

static bool run_event(struct simulation *simulation, int e)
{
  const struct gen_event *event = &simulation->translation->event[e];
  int memory[GEN_MAX_PROGRAM_ARRAYS];
  memcpy(memory, simulation->memory, sizeof memory);
  switch (event->kind) {
  case GEN_EVENT_KERNEL:
  case GEN_EVENT_SUM:
    return run_kernel(simulation, event);
  case GEN_EVENT_WALL:
    for (int p = 0; p < simulation->planes[e].count; p++)
      if (!fill(simulation, &simulation->planes[e].plane[p]))
        return false;
    return true;
  default:
    for (int a = 0; a < simulation->translation->arrays; a++)
      simulation->memory[a] = memory[event->from[a]];
    return true;
  }
}

static bool run_all(struct simulation *simulation)
{
  const struct gen_translation *translation = simulation->translation;
  for (int a = 0; a < GEN_MAX_PROGRAM_ARRAYS; a++)
    simulation->memory[a] = a;
  for (int e = 0; e < translation->before; e++)
    if (!run_event(simulation, e))
      return false;
  for (int round = 0; round < (translation->repeated ? ROUNDS : 1); round++)
    for (int e = translation->before; e < translation->events; e++)
      if (!run_event(simulation, e))
        return false;
  return true;
}

/* The walls that a directive names are those beyond which its loops fill ghosts. */
static bool check_named(const struct gen_event *event, const struct gen_planes *planes)
{
  int filled = 0;
  if (!event->directive || !event->directive->walls)
    return true;
  for (int p = 0; p < planes->count; p++)
    filled |= 1 << (2 * planes->plane[p].d + planes->plane[p].side);
  for (int w = 0; w < 2 * GEN_MOST_SPACE; w++)
    if (filled >> w & ~event->directive->walls >> w & 1)
      return gen_reject(event->where,
                        "these loops fill ghosts beyond %s, which the directive in line "
                        "%d does not name",
                        sides[w / 2][w % 2], event->directive->where.line);
    else if (event->directive->walls >> w & ~filled >> w & 1)
      return gen_reject(event->directive->where,
                        "this names %s, beyond which the loops fill no ghosts",
                        sides[w / 2][w % 2]);
  return true;
}

/* ---- what follows from it ---- */

/* Ghosts travel with their array: where one of those that take turns has a rule, all have it. */
static void spread(struct gen_translation *translation)
{
  for (int turn = 0; turn < GEN_MAX_CYCLE; turn++)
    for (int e = 0; e < translation->events; e++)
      for (int a = 0; translation->event[e].kind == GEN_EVENT_SWAP && a < translation->arrays; a++)
        for (int side = 0; side < 2 * GEN_MOST_SPACE; side++) {
          struct gen_wall_rule *to = &translation->wall[a][side / 2][side % 2];
          if (!to->kind)
            *to = translation->wall[translation->event[e].from[a]][side / 2][side % 2];
        }
}

/* Of an array of which ghosts are read, those beyond other walls are what loops make them, or data.
 */
static bool complete(struct simulation *simulation, int a)
{
  static const struct gen_wall_rule fixed = {.kind = GEN_WALL_FIXED, .factor = 1, .text = "fixed"};
  struct gen_translation *translation = simulation->translation;
  struct gen_wall_rule(*wall)[2] = translation->wall[a];
  bool any = false;
  for (int side = 0; side < 2 * GEN_MOST_SPACE; side++)
    any = any || wall[side / 2][side % 2].kind;
  for (int d = 0; any && d < translation->dimensions; d++) {
    for (int side = 0; side < 2; side++) {
      const struct gen_wall_rule *filled = &simulation->filled[a][d][side];
      if (!wall[d][side].kind && wall[d][1 - side].kind == GEN_WALL_PERIODIC)
        wall[d][side] = wall[d][1 - side];
      else if (!wall[d][side].kind)
        wall[d][side] = filled->kind && filled->kind != GEN_WALL_PERIODIC ? *filled : fixed;
    }
    if ((wall[d][0].kind == GEN_WALL_PERIODIC) != (wall[d][1].kind == GEN_WALL_PERIODIC))
      return gen_reject(translation->array[a].where, "'%s' is periodic on one side of %c alone",
                        translation->array[a].name, "xyz"[d]);
  }
  return true;
}

bool gen_read_walls(struct gen_translation *translation)
{
  struct simulation *simulation = gen_allocate(sizeof *simulation);
  simulation->translation = translation;
  for (int e = 0; e < translation->events; e++) {
    struct gen_event *event = &translation->event[e];
    const bool cells = event->kind == GEN_EVENT_KERNEL || event->kind == GEN_EVENT_SUM;
    if (cells && !gen_read_reach(translation, event))
      return false;
    if (event->kind == GEN_EVENT_WALL
        && (!gen_read_planes(translation, event->nest, &simulation->planes[e])
            || !check_named(event, &simulation->planes[e])))
      return false;
    if (cells && event->directive && event->directive->walls)
      return gen_reject(event->where,
                        "these loops go over cells, and not over a plane of ghosts as "
                        "the directive in line %d says",
                        event->directive->where.line);
  }
  if (!run_all(simulation))
    return false;
  for (int a = 0; a < GEN_MAX_PROGRAM_ARRAYS; a++)
    for (int side = 0; side < 2 * GEN_MOST_SPACE; side++) {
      struct state *state = &simulation->state[a][side / 2][side % 2];
      *state = (struct state){.ever = state->ever};
    }
  simulation->checks = true;
  if (!run_all(simulation))
    return false;
  spread(translation);
  for (int a = 0; a < translation->arrays; a++)
    if (!complete(simulation, a))
      return false;
  return true;
}
